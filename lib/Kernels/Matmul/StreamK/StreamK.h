//===- StreamK.h - The last wave of tiles, divided along K ------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stream-K: where the tiles of a matmul are no whole waves of its persistent
// blocks, those of the last wave are divided along K. Their stages, tile after
// tile, are one line, of which each block (or cluster) has an equal share: the
// end of a tile, the beginning of the next one, or a part of one. Shares are so
// long that few parts make a tile. Sums of a part go to the workspace; a second
// kernel adds those of a tile in the order of K and applies the epilogue.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_STREAMK_STREAMK_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_STREAMK_STREAMK_H

#include "Kernels/Matmul/MatmulProblem.h"
#include "Kernels/Support/TileScheduler.h"
#include "SparseFlow/Schedule/StreamK.h"

namespace mlir::sparseflow {

class StreamK {
public:
  static constexpr int64_t kStages = StreamKRule::kStages;

  explicit StreamK(const MatmulProblem &problem);

  /// Why a kernel for `problem` cannot; "" if it can. The schedule without.
  static StringRef whyNot(const MatmulProblem &problem);
  static sftile::ScheduleAttr without(sftile::ScheduleAttr schedule);

  /// The last wave: its first tile, how many are divided and among how many
  /// blocks or clusters (all i32). Where there are none, the tiles before are
  /// all.
  struct Wave {
    Value first, tiles, sharers;
  };
  Wave lastWave(KernelBuilder &b) const;

  /// A part of a tile of the wave: the number of the tile, the first of its
  /// stages and how many pairs of stages it has, where its sums go, and the
  /// pipeline's position (all i32).
  struct Part {
    Value tile, step, pairs, slot, position;
  };
  /// Builds `body` in a loop over the parts of this block, behind `position`
  /// (i32).
  void forEachPart(KernelBuilder &b, const Wave &wave, Value position,
                   function_ref<void(const Part &)> body) const;

  /// The first and the last of those that have parts of tile `number` (i32) of
  /// the wave. The sums of its part of sharer s are in slot s + number.
  std::pair<Value, Value> sharersOf(KernelBuilder &b, const Wave &wave,
                                    Value number) const;

  /// The sums of all parts: a matrix [tokens of a tile, features of a cluster]
  /// of each slot.
  Value view(KernelBuilder &b, Value pointer) const;
  int64_t tokens, features;
  /// Bytes of them.
  int64_t bytes() const { return slots() * tokens * features * 4; }
  /// Most tiles that are divided.
  int64_t mostTiles;
  Type sumType; // f32 or i32

private:
  int64_t slots() const { return rule.blocks + mostTiles - 1; }

  TileScheduler scheduler;
  StreamKRule rule;
  int64_t cluster;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_STREAMK_STREAMK_H
