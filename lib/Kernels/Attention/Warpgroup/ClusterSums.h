//===- ClusterSums.h - Sums of blocks that divide the keys ------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks of a cluster that divided the keys of a tile add up what each found,
// by halves: in a round a block gives half of the features that it has to
// another, and takes that one's sums of the half that it keeps, with their
// log-sum-exps. In the end each has the sums over all keys for its share of the
// features. The order in which keys are added up depends on ranks alone.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_ATTENTION_WARPGROUP_CLUSTERSUMS_H
#define SPARSEFLOW_LIB_KERNELS_ATTENTION_WARPGROUP_CLUSTERSUMS_H

#include "Kernels/Support/KernelBuilder.h"

namespace mlir::sparseflow {

struct ClusterSums {
  /// Weighted means of values over the keys of the block, for the rows of a
  /// warp, and their log-sum-exps (-inf of a row without keys, whose means are
  /// zero), f32 fragments.
  Value means, lse;
  /// index: the first column of `means` in those that the block began with.
  Value column;

  /// Over the keys of all `blocks` of the cluster, a power of two; `rank`
  /// (index) is the block's number. All warps of the role execute it, and
  /// `ring` is used up.
  void addUp(KernelBuilder &b, int64_t blocks, Value rank, Value ring);
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ATTENTION_WARPGROUP_CLUSTERSUMS_H
