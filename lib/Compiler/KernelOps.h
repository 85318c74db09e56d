//===- KernelOps.h - The op behind each kernel ------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_COMPILER_KERNELOPS_H
#define SPARSEFLOW_LIB_COMPILER_KERNELOPS_H

#include "SparseFlow/Compiler/Compiler.h"

#include <map>

namespace mlir::sparseflow {

/// The ops of an imported module that become kernels, by the start of their
/// kernels' names: "ffn_0_" for the first op of @ffn.
std::map<std::string, KernelOp> describeOps(ModuleOp module);

/// The op of such a module behind each kernel of these names; null where there
/// is none.
SmallVector<Operation *> findOps(ModuleOp module,
                                 ArrayRef<std::string> kernels);

/// Fills `kernel.op`, `kernel.tokens` and, where the target's peaks are known,
/// `kernel.prediction` of a kernel with the schedule `schedule`.
void describeKernelWork(KernelReport &kernel, Attribute schedule,
                        const TargetInfo &target,
                        const std::map<std::string, KernelOp> &ops);

/// "file:line:column" of the innermost place in a file, "" for none.
std::string locationText(Location location);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_COMPILER_KERNELOPS_H
