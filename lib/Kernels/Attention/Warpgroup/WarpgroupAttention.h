//===- WarpgroupAttention.h - What kernels on wgmma share -------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What attention kernels whose MMAs are those of warpgroups share on the
// consumers' side: the loop over the tiles of a persistent block, Q K^T as a
// group of MMAs, and what becomes of its scores before the softmax.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_ATTENTION_WARPGROUP_WARPGROUPATTENTION_H
#define SPARSEFLOW_LIB_KERNELS_ATTENTION_WARPGROUP_WARPGROUPATTENTION_H

#include "Kernels/Attention/Warpgroup/MappedKv.h"
#include "Kernels/Support/TileScheduler.h"

namespace mlir::sparseflow {

class WarpgroupAttention : protected MappedKv {
protected:
  // K of an MMA.
  static constexpr int64_t kDepth = 16;
  static constexpr int64_t kGroupWarps = 4;

  WarpgroupAttention(const AttentionKernel &spec, OpBuilder &builder);

  Value gridSize();
  /// The waves of this block's tiles. Without a limit of the grid it has one
  /// tile, number `block`, and no `count`.
  TileScheduler::Waves wavesOfTiles();
  /// Where that tile is, and which stages of keys it visits.
  void placeTile(Value tile);
  /// Builds `body` in a loop over the tiles of this block, with the positions
  /// of its queries and its first keys in their pipelines. The tiles of this
  /// block are whole, or splits of which each tile has as many. Without a limit
  /// of the grid a block has one, and there is no loop.
  void forEachTileInWaves(function_ref<void(Value, Value)> body);

  /// What depends on a length that was loaded may live in uniform registers
  /// only behind a shuffle. (The producer's one thread has nobody to shuffle
  /// with, and keeps nothing there.)
  Value uniform(Value value) override {
    return inWholeWarps && !spec.dequantizesKv() ? shuffledWord(value) : value;
  }
  /// `value` (index, or i32), which is the same in all lanes, hidden from
  /// ptxas.
  Value shuffled(Value value);
  Value shuffledWord(Value value);

  ValueRange wait(sftile::RingOp ring, Value position);
  Value schedBarrier(Value frag);
  /// True (i1) if an element of `first` (f32) is less than that of `second`,
  /// in any lane of the warp.
  Value anyLess(Value first, Value second);
  Value waitGroup(Value pending, int64_t younger);
  /// Overwrites the rows of `tiles` (of one type) from `row` (index, at least
  /// 0) on with zeros: what copies brought there may have been no numbers. All
  /// threads of a role execute it, which has `warps`, `firstWarp` warps behind
  /// the producer's; MMAs behind it see the zeros.
  void zeroRows(ValueRange tiles, Value row, int64_t warps,
                int64_t firstWarp = 0);
  /// Stores zeros, and log-sum-exps of no keys, for a plan's tiles that see no
  /// key. All consumer warps execute it, when they have no other tile left.
  void storeUnseen();
  /// The same beside the warp that copies: only what is left is for
  /// storeUnseen() then. In front of the rings, whose barrier it needs,
  /// openDraws() makes the number of tiles that a block's warps have drawn.
  void storeUnseenBeside();
  void openDraws();
  /// Starts q k^T as a group of MMAs, for the queries from `row` on and the
  /// first `count` keys of a stage.
  Value multiplyKeys(ValueRange queries, Value row, ValueRange keys,
                     int64_t count);
  /// Starts P V as a group of MMAs: P, rounded, is in registers, and the
  /// columns of `sum` are those of the tiles from `values` on.
  Value multiplyValues(Value rounded, Value values, Value sum);
  /// Where the scores of stage number `stage` are.
  ScorePlace placeOfScores(Value stage);
  /// What the score region reads of tensors for the first `count` keys of a
  /// stage: loaded while MMAs run, where it stands in front of their wait.
  SmallVector<Value> loadOperands(Softmax &softmax, Value visit, int64_t count);
  /// Scores after the score region on `operands`, the scale and the masks, of a
  /// stage's first keys or all of them.
  Value prepare(Softmax &softmax, Value scores, ValueRange operands,
                Value visit, bool masked);

  sftile::WgmmaAttr wgmma;
  sftile::LayoutAttr aLayout;
  // All lanes run the role that is being built.
  bool inWholeWarps = false;

private:
  std::pair<Value, Value> unseenRows();
  Value unseenSum(Value ofHead);
  void storeZeros();
  void forEachDrawn(function_ref<void()> body);
  void forEachOfWarp(Value count, function_ref<void(Value)> body);
  void forEachTileInFewRegisters(TileScheduler::Waves waves,
                                 function_ref<void(Value, Value)> body);

  // Of a kernel that storesZerosBeside(): a word of shared memory.
  Value drawn;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ATTENTION_WARPGROUP_WARPGROUPATTENTION_H
