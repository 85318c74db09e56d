//===- LaunchAttributes.h - What kernels say of their launch ----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attributes of kernels, `gpu.func` while they are generated and `llvm.func`
// later, which NVVM translates for ptxas and the driver. Whoever else sets or
// reads one does so here, and needs no NVVM.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TARGET_NVPTX_LAUNCHATTRIBUTES_H
#define SPARSEFLOW_TARGET_NVPTX_LAUNCHATTRIBUTES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::sparseflow {

/// Blocks of a cluster, in the x dimension.
void setClusterBlocks(Operation *kernel, int64_t blocks);
/// Blocks of an SM that ptxas leaves registers for.
void setMinBlocksPerSM(Operation *kernel, int64_t blocks);
/// The same, 1 where nobody has set it.
int64_t getMinBlocksPerSM(Operation *kernel);

/// Whether a function of a gpu.module is one that a host may launch, once it is
/// an llvm.func.
bool isLaunchable(Operation *function);
/// Whether an operation is of the dialects that kernels are translated from.
bool isTranslated(Operation *op);
/// Whether a parameter is a constant of the grid, as tensor maps have to be.
bool isGridConstant(FunctionOpInterface kernel, unsigned parameter);

/// The shape of the only blocks that a kernel may be launched with; null if any
/// up to the largest do.
DenseI32ArrayAttr getRequiredBlock(Operation *kernel);
/// The shape of the largest block that it may be launched with; null if it does
/// not say.
DenseI32ArrayAttr getLargestBlock(Operation *kernel);
/// The shape of its clusters; null if it has none.
DenseI32ArrayAttr getClusterShape(Operation *kernel);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_TARGET_NVPTX_LAUNCHATTRIBUTES_H
