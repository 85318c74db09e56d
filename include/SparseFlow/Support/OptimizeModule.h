//===- OptimizeModule.h - LLVM's default pipeline ---------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_SUPPORT_OPTIMIZEMODULE_H
#define SPARSEFLOW_SUPPORT_OPTIMIZEMODULE_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace mlir::sparseflow {

/// Optimizes `module` for `machine` as -O3 does. `last` runs behind the
/// pipeline, with its analyses.
void optimizeModule(
    llvm::Module &module, llvm::TargetMachine &machine,
    llvm::function_ref<void(llvm::FunctionAnalysisManager &)> last = nullptr);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_SUPPORT_OPTIMIZEMODULE_H
