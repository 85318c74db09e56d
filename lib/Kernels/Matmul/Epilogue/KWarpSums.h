//===- KWarpSums.h - Accumulators of warps that divide K --------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Warps of a block that have the same features and tokens, each over a part of
// K, add up their accumulators in shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_EPILOGUE_KWARPSUMS_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_EPILOGUE_KWARPSUMS_H

#include "Kernels/Support/KernelBuilder.h"

namespace mlir::sparseflow {

/// The sums of `own`, the accumulators of a warp, over the `k_warps` warps that
/// share its tile, added in the order of their columns. All warps of the block
/// execute it. Behind it the builder stands where only the first of these warps
/// goes on, which has the sums.
SmallVector<Value> sumOverKWarps(KernelBuilder &b,
                                 sftile::ScheduleAttr schedule,
                                 ArrayRef<Value> own);

/// Of two warps of producer-fed warpgroups that share a tile, each over every
/// second stage, leaves each with the sums of both of half of the tokens, the
/// first with the earlier ones. `part` (index) is the warp's number among the
/// two. All consumer warps execute it.
void exchangeOverKWarps(KernelBuilder &b, sftile::ScheduleAttr schedule,
                        SmallVectorImpl<Value> &sums, Value part);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_EPILOGUE_KWARPSUMS_H
