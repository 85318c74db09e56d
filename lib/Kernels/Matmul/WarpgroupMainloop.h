//===- WarpgroupMainloop.h - Sums of a tile ---------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the warpgroups of WarpSpecializedMatmul.cpp's kernels do with the stages
// of a tile, until they have its sums.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_WARPGROUPMAINLOOP_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_WARPGROUPMAINLOOP_H

#include "Kernels/Matmul/GroupScaledMainloop.h"

namespace mlir::sparseflow {

class WarpgroupMainloop {
public:
  WarpgroupMainloop(const MatmulKernel &spec, KernelBuilder &b);

  /// Says where the stages come from, and scales of groups of columns or of
  /// planes; executed by the warps that multiply before anything that follows.
  void begin(Value ring, Value scales);
  /// The sums of a tile whose first stage has `position` (i32) in the ring: an
  /// accumulator for each piece.
  SmallVector<Value> multiplyTile(Value position);
  /// Adds the parts of a split depth, of which this block's is `rank` (index).
  void addParts(SmallVector<Value> &sums, Value rank);
  /// The first of the 64 features of the warpgroup's accumulator `piece`.
  Value pieceFeature(int64_t piece);

  sftile::LayoutAttr accLayout;
  /// Accumulators of a warp, and stages of a block's part of a tile.
  int64_t pieces, steps;
  /// The first of the 16 features of this warp in those of a piece, index.
  Value warpFeature;
  std::optional<DequantizedMainloop> decoded; // of ternary weights
  std::optional<GroupScaledMainloop> grouped; // with scales in the loop

private:
  /// Products under way: their accumulators and the registers that they read,
  /// of metadata or of decoded weights.
  struct Running {
    SmallVector<Value> sums, held;
    void assign(ValueRange values, int64_t pieces) {
      sums = llvm::to_vector(values.take_front(pieces));
      held = llvm::to_vector(values.drop_front(pieces));
    }
  };

  Value at(Value position) { return b.toIndex(position); }
  SmallVector<Value> rows();
  SmallVector<Value> multiplyInTurn(Value position);
  sftile::FragType sumsType();
  Running fresh();
  SmallVector<Value> finish(Running &state);
  void leaveOne(Running &state, ValueRange held = {});
  void advance(Value position, int64_t offset, Running &state);
  void start(Value position, Running &state);
  void startProducts(ValueRange stage, Running &state);

  const MatmulKernel &spec;
  sftile::ScheduleAttr schedule;
  KernelBuilder &b;
  OpBuilder &builder;
  Location loc;
  sftile::AsyncMmaAtomInterface wgmma;
  int64_t blockT, depth, splits;
  SmallVector<sftile::TileType> tiles;
  Value ring, groupFeature;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_WARPGROUPMAINLOOP_H
