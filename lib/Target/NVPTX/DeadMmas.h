//===- DeadMmas.h - MMAs whose results nobody reads -------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_TARGET_NVPTX_DEADMMAS_H
#define SPARSEFLOW_LIB_TARGET_NVPTX_DEADMMAS_H

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace mlir::sparseflow {

/// Removes MMAs whose results nobody reads: columns that pad the last tile of a
/// matmul, or an epilogue that ignores the MMA. LLVM keeps them, because its
/// intrinsics do not say that they return and wgmma is assembly with effects;
/// ptxas does not, and its machine code would be taken for one that lacks MMAs.
/// To be run last, so that kernels without any stay as they are.
void removeDeadMmas(llvm::Module &module,
                    llvm::FunctionAnalysisManager &functions);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_TARGET_NVPTX_DEADMMAS_H
