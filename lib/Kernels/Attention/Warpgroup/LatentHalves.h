//===- LatentHalves.h - Two warpgroups with half of the values each -------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What both kernels of latent attention have: two warpgroups with the same rows
// and sums of half of the values' features each, numbers of rows that pass
// between them, P that one of them reads from shared memory, and results that
// blocks of a cluster add up (ClusterSums.h).
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_KERNELS_ATTENTION_WARPGROUP_LATENTHALVES_H
#define SPARSEFLOW_KERNELS_ATTENTION_WARPGROUP_LATENTHALVES_H

#include "Kernels/Attention/Warpgroup/WarpgroupAttention.h"

namespace mlir::sparseflow {

class LatentHalves : protected WarpgroupAttention {
protected:
  LatentHalves(const AttentionKernel &spec, OpBuilder &builder);

  /// The block's place in its cluster, the pipelines, those of `exchange`,
  /// which the warpgroups have among themselves, and the role that copies.
  /// Roles behind it are warpgroups.
  void open(function_ref<void()> exchange);

  /// A pipeline of one stage: a number for each row, as registers.
  sftile::RingOp openNumbers();

  /// The slot of the only tile of `ring`.
  Value acquireOne(sftile::RingOp ring, Value position);

  /// Writes the warp's registers of `numbers` to a slot of such a pipeline.
  void storeNumbers(Value numbers, Value slot);

  /// The warp's registers of the numbers at `position`, which are given back.
  Value receiveNumbers(sftile::RingOp ring, Value position,
                       sftile::FragType column);

  /// Only stages that hold a key which some query may not attend to run the
  /// code of masks.
  Value masked(Softmax &softmax, Value scores, Value visit);

  /// Builds `body`, which gets the number of keys, for stages that end behind
  /// the sequence.
  void ifBehindLength(Value visit, function_ref<void(Value)> body);

  /// Starts P V, with P in shared memory.
  Value startSharedValues(Value weights, Value values, Value sums);

  /// Stores the features from `first` on, or the block's share of them in a
  /// cluster that divides the keys, whose blocks meet in `ring`; log-sum-exps,
  /// too, if `storesLse`. Each warpgroup needs a ring of its own.
  void storeShare(Value sums, Value lse, Value first, bool storesLse,
                  sftile::RingOp ring);

  // Tiles and features of the left half.
  int64_t leftTiles, left;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_KERNELS_ATTENTION_WARPGROUP_LATENTHALVES_H
