//===- TileScheduler.h - Which tile of the result a block computes -*- C++
//-*--===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The blocks of a kernel and the tiles of its result [tokens, features]. Tiles
// of one swizzle group of token tiles are visited feature tile by feature tile,
// so that the group's activations and the current weights stay in the L2 cache.
// Blocks of a split K compute the same tile; blocks of a cluster neighbouring
// features of the same tokens.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_SUPPORT_TILESCHEDULER_H
#define SPARSEFLOW_LIB_KERNELS_SUPPORT_TILESCHEDULER_H

#include "Kernels/Support/KernelBuilder.h"

namespace mlir::sparseflow {

class TileScheduler {
public:
  /// Of a result with `features` columns.
  TileScheduler(sftile::ScheduleAttr schedule, int64_t features);

  /// The first feature and the first token (i64) of a tile.
  struct Tile {
    Value feature, token;
  };
  /// The tile of this block, if it computes one.
  Tile tileOfBlock(KernelBuilder &b) const;
  /// The first tile of a persistent block.
  Tile firstTile(KernelBuilder &b) const;
  /// Tile `number` (i32) of a persistent block, or its cluster's.
  Tile tileAt(KernelBuilder &b, Value number) const {
    return tileAt(b, number, b.toI32(tokenTiles(b)));
  }
  /// Builds `body` in a loop over the tiles of a persistent block, with the
  /// pipeline's position (i32) at the tile's first stage; every tile takes
  /// `steps` stages. A block that holds activations has tiles of its tokens
  /// only. Returns the position behind the last one. `tiles` (i32) are all that
  /// blocks take, if not all there are.
  Value forEachTile(KernelBuilder &b, int64_t steps,
                    function_ref<void(Tile, Value)> body,
                    Value tiles = {}) const;
  /// How many there are (i32; of `tokens`, i64), clusters having one together,
  /// and the place of the first of cluster tile `number` (i32).
  Value allTiles(KernelBuilder &b) const;
  Value allTiles(OpBuilder &builder, Location loc, Value tokens) const;
  Tile tileOfCluster(KernelBuilder &b, Value number) const {
    Tile tile = tileOfCluster(b, number, b.toI32(tokenTiles(b)));
    return {b.toI64(tile.feature), b.toI64(tile.token)};
  }
  /// Tiles that differ in length: those of one of `blocks` persistent blocks,
  /// in waves. Every second wave is assigned in reverse: where tiles become
  /// shorter, as under a causal mask, the block that had the longest of a wave
  /// gets the shortest of the next. All of it is index.
  struct Waves {
    Value count, block, blocks, backwards;
    /// The number of the block's tile in a wave.
    Value tileIn(KernelBuilder &b, Value wave) const;
    /// Builds `body` in a loop over the waves, with the wave and what the loop
    /// carries from `start` on, which it returns for the next one. Returns the
    /// last.
    ValueRange
    forEach(KernelBuilder &b, ValueRange start,
            function_ref<SmallVector<Value>(Value, ValueRange)> body) const;

  private:
    friend TileScheduler;
    Value placeIn(KernelBuilder &b, Value wave) const;
  };
  /// Those of `tiles`, for block number `block`.
  static Waves wavesOf(KernelBuilder &b, Value tiles, Value block,
                       Value blocks);
  /// Which part of K this block sums up, index.
  Value splitRank(KernelBuilder &b) const;

  /// Blocks to launch for `tokens` (i64) if each computes one tile.
  Value gridSize(OpBuilder &builder, Location loc, Value tokens) const;
  /// Blocks if they are persistent: at most as many as the schedule says.
  Value persistentGridSize(OpBuilder &builder, Location loc,
                           Value tokens) const;
  /// Blocks of `blocksOfTile` for each tile of tokens.
  static Value gridSize(OpBuilder &builder, Location loc, Value tokens,
                        int64_t tileTokens, int64_t blocksOfTile);

private:
  /// Tiles are counted in index, or in 32 bits, which saves registers in loops.
  Tile tileAt(KernelBuilder &b, Value number, Value tokenTiles) const;
  Tile tileOfCluster(KernelBuilder &b, Value number, Value tokenTiles) const;
  Value tokenTiles(KernelBuilder &b) const;
  /// Of a block that holds activations, tile `number` (i32) of features.
  Tile heldTile(KernelBuilder &b, Value number) const;

  int64_t tileFeatures, tileTokens, cluster, splits, group, maxBlocks;
  bool holdsActivations, dividesLastWave;
  /// Tiles of a cluster along the features.
  int64_t featureTiles;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_SUPPORT_TILESCHEDULER_H
