//===- TileStages.h - The stages of keys that a tile visits ---------*- C++
//-*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Q K^T, the softmax and P V of the stages of one tile, in their order: the
// first, which has no P V beside it, those between, and P V of the last, beside
// which the first of the next tile may be.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_ATTENTION_WARPGROUP_TILESTAGES_H
#define SPARSEFLOW_LIB_KERNELS_ATTENTION_WARPGROUP_TILESTAGES_H

#include "Kernels/Attention/Warpgroup/WarpgroupAttention.h"

namespace mlir::sparseflow {

class TileStages : protected WarpgroupAttention {
protected:
  // Rows of a tile that a warpgroup has.
  static constexpr int64_t kGroupRows = 64;

  TileStages(const AttentionKernel &spec, OpBuilder &builder)
      : WarpgroupAttention(spec, builder) {}

  /// Which rows of the tile are the warpgroup's.
  void placeGroup();
  /// P of the first stage that is visited, rounded. Where no query of the
  /// warpgroup may attend to a key of its second half, that half is zeros, and
  /// its scores are not computed.
  Value visitFirst(Softmax &softmax, SoftmaxState &state, ValueRange queries,
                   ValueRange keys, Value keyPosition);
  /// Of the first stage that is visited, whose position is `position`.
  void zeroValuesBehindLength(Value position);
  /// All stages but the first, whose P is `rounded`; makes it that of the last.
  void visitRest(Softmax &softmax, SoftmaxState &state, Value &rounded,
                 ValueRange queries, Value keyPosition);
  /// P V of a tile's last stage, whose position is `last`.
  void multiplyLast(SoftmaxState &state, Value rounded, Value last);
  /// The same beside the first stage of the next tile, whose queries are at
  /// `queryPosition`, and which `place` places. Returns the tile's sums, and
  /// row max, row sum and rounded P of the next one.
  SmallVector<Value> visitLastAndFirst(const SoftmaxState &state, Value rounded,
                                       Value last, Value queryPosition,
                                       function_ref<void()> place);

  // index: the first of the warpgroup's rows of the block.
  Value groupRow;

private:
  /// Whether half of the stage that the diagonal of a causal mask cuts can be
  /// left out. It takes registers that more features, score regions and planes
  /// need; windows, split-KV and clusters have not been measured.
  bool mayHalveFirst() const;
  /// Starts Q K^T of the stage that is visited as number `visit`, and P V of
  /// the one before, whose P is `rounded`; computes the new P while the latter
  /// runs.
  void visitStage(Softmax &softmax, SoftmaxState &state, Value &rounded,
                  ValueRange queries, Value keyPosition, Value visit,
                  bool masked);
  void orderedWait();
  void orderedArrive();
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ATTENTION_WARPGROUP_TILESTAGES_H
