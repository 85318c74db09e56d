//===- MultistageAttention.h - Attention on mma and cp.async ----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What attention kernels share in which every warp copies, multiplies and
// exponentiates: the pipeline for keys and values, and the scores before their
// softmax.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_ATTENTION_MULTISTAGEATTENTION_H
#define SPARSEFLOW_LIB_KERNELS_ATTENTION_MULTISTAGEATTENTION_H

#include "Kernels/Attention/AttentionTile.h"

namespace mlir::sparseflow {

class MultistageAttention : protected AttentionTile {
protected:
  // Keys, and features of the result, of one accumulator fragment: what one
  // ldmatrix loads for a K step of 16.
  static constexpr int64_t kPiece = 16;
  // Features of a tile in shared memory: rows of 128 bytes.
  static constexpr int64_t kTileCols = 64;

  MultistageAttention(const AttentionKernel &spec, OpBuilder &builder);

  /// Lets the first features of parameter `pointer`, [B, H, S, width] in the
  /// order of the problem, come through the ring, copied by `atom`. To be
  /// called before openRing. The number of its first tile among those of a
  /// stage.
  int64_t addStream(int64_t pointer, int64_t features, int64_t width,
                    sftile::CopyAtomInterface atom);
  /// The same for keys and values, which may be one stream.
  void addKeysAndValues();
  void openRing();
  /// Fills position `position` of the pipeline; past the end with zeros, or,
  /// where all stages are whole, not at all.
  void fill(Value position);
  /// The tiles of stage `position`, once they are there.
  SmallVector<Value> waitFor(Value position);
  /// Where features from `feature` on of the stage's key number `key` lie: a
  /// tile of `stage`, of the stream whose first tile is `first`, and the row.
  std::pair<Value, Value> placeOf(ValueRange stage, int64_t first, int64_t key,
                                  int64_t feature);

  /// Scores as the softmax takes them: with the score region, or a scale that
  /// exponentials cannot apply, and masked where the stage needs it.
  SmallVector<Value> prepared(Softmax &softmax, SmallVector<Value> scores,
                              Value stage);

  /// Where a K step of q k^T, or a fragment of the result, has its features: in
  /// the tile of feature `first`, from `column` (index) of that on.
  struct FeaturePlace {
    int64_t first;
    Value column;
  };
  using FeaturePlaces = function_ref<FeaturePlace(int64_t number)>;

  /// The loop over stages, for fragments of the result: `scoresOf` gives q k^T
  /// for the tiles of a stage.
  SoftmaxState
  loopOverStages(int64_t fragments,
                 function_ref<SmallVector<Value>(ValueRange)> scoresOf,
                 FeaturePlaces placeOfResult);
  /// q k^T for the keys of a stage in so many steps, a fragment for every 16
  /// keys.
  SmallVector<Value> multiplyKeys(ValueRange stage, int64_t steps,
                                  function_ref<Value(int64_t)> queryOf,
                                  FeaturePlaces placeOfStep);

  /// The warp's number (index) among those that divide the keys: it has every
  /// key_warps-th stage, from that number on.
  Value keyWarp();
  /// Combines what these warps found. Each then has some of the accumulators:
  /// the indices (index) of those in `state`, all of one type, of kPiece
  /// columns. Indices behind the last one are of columns that are not stored.
  SmallVector<Value> combineKeyWarps(SoftmaxState &state);

  sftile::MmaAtomInterface mma;
  sftile::LayoutAttr aLayout, bLayout;
  int64_t depthSteps, resultPieces;
  int64_t firstValueTile = 0;
  Value ring;
  /// Whether stage `stage` holds a key that some query of the block may not
  /// attend to (i1).
  Value isMasked(Value stage);

private:
  struct Stream {
    int64_t pointer, features, width;
    sftile::CopyAtomInterface atom;
    int64_t firstTile;
  };
  void copyStream(const Stream &stream, ValueRange slots, Value key,
                  Value rowsInside, UnitAttr whole);
  /// Copies rows from `row` (i64) of `view` on; `slotOf` says where number
  /// `chunk` of 64 features goes.
  void copyTiles(const Stream &stream, Value view, Value row, UnitAttr whole,
                 function_ref<Value(int64_t)> slotOf);
  /// Keys that one copy brings: all of a stage, or those that lie in one page
  /// for every number of a stage.
  int64_t keysOfPiece() const;
  /// The same for keys in pages, those before `end` (index).
  void copyPages(ValueRange slots, Value key, Value end);
  /// Adds P V of a stage to the accumulators.
  void multiplyValues(ValueRange stage, ArrayRef<Value> weights,
                      SoftmaxState &state, FeaturePlaces placeOfResult);
  SmallVector<Value> applyMasks(Softmax &softmax, ArrayRef<Value> scores,
                                Value stage);

  SmallVector<Stream> streams;
  SmallVector<sftile::TileType> tiles;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ATTENTION_MULTISTAGEATTENTION_H
