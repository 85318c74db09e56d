//===- TilePlan.h - Which tiles sequences of many lengths have --*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many tiles sequences have, and how many stages of keys a tile visits, is
// known on the device only where their lengths lie there. A kernel in front of
// attention writes the plan: a list of tiles, those with the most keys first,
// so that persistent blocks that take them in turn have nearly equally much to
// do and the last ones are short. No tile holds queries of two sequences, or
// beside such that see keys others that see none.
//
// The plan is made again in each launch, and its place and the grids depend on
// sizes alone: a captured graph holds when lengths change. Tiles do not depend
// on which block computes them, so results are the same bit for bit.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_ATTENTION_PLAN_TILEPLAN_H
#define SPARSEFLOW_LIB_KERNELS_ATTENTION_PLAN_TILEPLAN_H

#include "Kernels/Attention/AttentionKernel.h"

namespace mlir::sparseflow {

/// The words, i32, of a tile: rows of the query tensor, from the first to the
/// one behind the last; what is added to a row to get its position among the
/// keys; where the keys of the sequence begin in their tensor, and how many
/// there are that the tile's rows may see, 0 if none; the sequence, and its
/// first row.
enum PlanWord : int64_t {
  kPlanFirstRow,
  kPlanEndRow,
  kPlanShift,
  kPlanFirstKey,
  kPlanKeys,
  kPlanSequence,
  kPlanSequenceRow,
  kPlanWords = 8
};

/// Bytes of a tile in the plan. In front of the first tile as many bytes begin
/// with the number of tiles, and of those that see keys.
constexpr int64_t kPlanBytes = 4 * kPlanWords;
enum PlanCount : int64_t { kPlanTiles, kPlanSeeingTiles };

struct TilePlanKernel {
  std::string name;
  Location loc;
  AttentionShape shape;
  /// Queries of a tile, and keys of a stage.
  int64_t tileRows, stageKeys;
  /// Whether it starts while the kernel before it ends (PDL).
  bool programmatic;

  /// Parameters: lengths, or cumulative lengths of queries and those of keys or
  /// the lengths of these; the plan: !llvm.ptr<1>; the sizes of AttentionSize,
  /// with the tiles that there is room for in place of splits: i64. Behind the
  /// last tile it writes tiles without rows.
  gpu::GPUFuncOp generate(OpBuilder &builder) const;
  /// Tiles of a head at most, of `batch` sequences with `queries` queries (of
  /// each, or in all); i64.
  Value mostTiles(OpBuilder &builder, Value batch, Value queries) const;
  /// Bytes of a plan of `tiles` tiles; i64.
  Value bytes(OpBuilder &builder, Value tiles) const;
  /// Blocks for `tiles` tiles; i64.
  Value gridSize(OpBuilder &builder, Value tiles) const;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ATTENTION_PLAN_TILEPLAN_H
