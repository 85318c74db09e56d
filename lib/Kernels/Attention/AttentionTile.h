//===- AttentionTile.h - The tile that a block computes ---------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What all attention kernels share: which rows of which head a block computes,
// which keys these may attend to and in which stages masks are needed, and how
// results are stored. The derived generators compute the matmuls.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_ATTENTION_ATTENTIONTILE_H
#define SPARSEFLOW_LIB_KERNELS_ATTENTION_ATTENTIONTILE_H

#include "Kernels/Attention/AttentionKernel.h"
#include "Kernels/Attention/OnlineSoftmax.h"

namespace mlir::sparseflow {

class AttentionTile {
protected:
  /// Opens the kernel; parameters whose numbers are in `maps` are tensor maps.
  AttentionTile(const AttentionKernel &spec, OpBuilder &builder,
                ArrayRef<int64_t> maps);
  ~AttentionTile() = default;

  sftile::TileType tile(int64_t height, int64_t width);

  /// A size that is known needs no register, unless a tile hides it.
  Value index(AttentionSize which);
  /// Producer threads that dequantize leave few registers to the others.
  bool isShortOfRegisters() { return schedule.getDequantizes(); }
  /// There, an index whose upper half is known to be zero takes one register.
  /// No memory holds as many of anything as 32 bits count.
  Value narrowed(Value value);
  /// True if no stage reaches past the last key.
  bool wholeStages() const;
  bool hasMasks() const;
  /// What exponentials apply of `scoreFactor`, as of the constant part of the
  /// scale: all of it or, null, nothing.
  Value unitFactor() const;
  Value sub(Value x, Value y);
  Value product(Value x, Value y);
  Value max(Value x, Value y);
  Value less(Value x, Value y);
  Value toI32(Value value);

  /// Tiles of the result for one batch entry and head; where blocks of a
  /// cluster have neighbouring ones, what they have together is a tile here.
  Value tilesOfHead();
  /// The tile scheduler: which rows of which head tile number `id` is. Under a
  /// causal mask tiles with the most keys come first, so that no long one is
  /// left for the last wave; `group` heads are visited together, so that what
  /// they read stays in the L2 cache.
  void placeBlock(Value id);
  /// The same where the tiles are those of a plan, which has all of a tile that
  /// lengths decide.
  void placePlanned(Value id) { placePlanned(id, loadPlanned(id)); }
  void placePlanned(Value id, ValueRange words);
  /// The words of the plan (i32, by PlanWord) for a tile, which may be loaded
  /// before it is placed.
  SmallVector<Value> loadPlanned(Value id);
  /// Up to which row queries may be read, which a plan's tiles need not have.
  Value queryRows() { return spec.planned() ? index(kQueries) : rowCount; }
  /// How many tiles there are for all heads (index), of a plan, or how many of
  /// them see keys.
  Value plannedTiles(bool seeing = false);
  /// The keys that any query of this cluster may attend to, as stages of the
  /// pipeline, and what decides which of them need masks in this block.
  void boundKeys();
  /// A number that the code around says is the same for all lanes of a warp;
  /// what it was loaded by does not tell.
  virtual Value uniform(Value value) { return value; }
  /// Which rows are the warp's, and of which head where several share the tile,
  /// and what their masks compare with; not in a role of which one thread runs.
  void placeWarp();
  /// What these three found of a tile, and that again: another one may be
  /// placed in between.
  SmallVector<Value> placed();
  void restore(ValueRange values);
  /// Moves `pointer` on by a number of elements.
  Value advance(Value pointer, Value elements, Type type);
  /// The batch entry of the tile's keys: that of its queries, where these are
  /// packed and keys are not its sequence.
  Value keyEntry();
  /// A view of one head's rows, or of those that are packed in a tile, in the
  /// batch entry `entry`, by default that of the tile's queries.
  Value headView(Value pointer, Type type, Value h, Value length, int64_t heads,
                 int64_t width, Value rowsInside, bool packed,
                 Value entry = Value());
  /// A view of the rows of a kernel that packsQueries(), from that of the first
  /// head and query on; `head` and `query` (i64) elements to the next of each.
  Value packedView(Value start, Type type, Value rowsInside, int64_t width,
                   Value head, Value query);
  /// The number (i32) of the page that holds key `key` (index), from the page
  /// table, or -1 where `inside` (i1) is false and nothing is read.
  Value loadPageNumber(Value key, Value inside);
  /// Where keys lie that one page holds: its number, the row of the first key
  /// in it, and the end of the rows that count, 0 for none. All of them index.
  struct KeyPlace {
    Value page, row, rowsInside;
  };
  /// The place of the keys from `first` on, of which those before `end` count,
  /// both index. The page table is read only where one does, and a number in it
  /// that is no page leaves no row that counts.
  KeyPlace placeOfKeys(Value first, Value end);
  /// A view of the key head's rows of a page in parameter `pointer`.
  Value pageView(const KeyPlace &place, int64_t pointer, int64_t width);
  /// Where the scores of a warp are whose first key is `firstKey`.
  ScorePlace scorePlace(Value firstKey);
  /// Applies the score region to fragments of `columns` keys each, the first of
  /// them from `firstKey` on; the scores are in natural units then.
  SmallVector<Value> applyScore(Softmax &softmax, ArrayRef<Value> scores,
                                int64_t columns, Value firstKey);
  /// Masks the scores of stage number `stage`.
  SmallVector<Value> mask(Softmax &softmax, ArrayRef<Value> scores,
                          int64_t columns, Value stage);
  /// Divides the accumulators by the row sums and stores them, one behind the
  /// other or from the columns `places` (index) on.
  void store(const SoftmaxState &state, ArrayRef<Value> places = {});
  /// Gives results of whole rows and their log-sum-exps (a number for each row)
  /// their part beside the sink of each row, where there are sinks.
  void addSinks(MutableArrayRef<Value> sums, Value &lse);
  /// Stores these columns of the result, or of `partial` ones, and log-sum-exps
  /// where there are any.
  void storeRows(ArrayRef<Value> sums, Value lse, bool partial,
                 ArrayRef<Value> places);
  /// A view (f32) of the tile's rows of a tensor [B][H][S_q][width], whose
  /// first head begins at `start`.
  Value rowsOfHeads(Value start, int64_t width);
  /// Where the results of a head, `h` of `heads`, begin in a tensor.
  Value elementOf(Value h, Value length, int64_t heads, int64_t width,
                  Value entry = Value());
  /// Where the log-sum-exps of the head begin.
  Value firstStatistic(bool partial);
  /// Stores the log-sum-exp of each row where it is wanted.
  void storeStatistics(Value lse);

  const AttentionKernel &spec;
  const AttentionShape &shape;
  sftile::AttentionScheduleAttr schedule;
  OpBuilder &builder;
  Location loc;
  KernelBuilder b;

  Type f32;
  /// The layout of accumulators; the derived generator sets it.
  sftile::LayoutAttr accLayout;
  int64_t rows, keysPerStage;
  // index: the block's number in its cluster; null where that has one block.
  Value rank;
  // index: which of the blocks that divide the keys of a tile; null where one
  // has all of them.
  Value keyRank;
  // All of them index. Rows are those of the tensor; `rowCount` is behind the
  // last one of the tile's head, or sequence.
  Value split, batch, head, keyHead, firstRow, rowCount, warpRow;
  // Of a kernel that packsQueries(), whose rows are counted as a key head has
  // them: the tile's first query. `head` is its first head then.
  Value firstQuery;
  // The warp's first row of the block's tile, and the tile's first head, where
  // several heads share that.
  Value warpTileRow, tileHead;
  // Of a plan's tile (index): its sequence and the row that this begins with;
  // where its keys begin in their tensor, null at the first.
  Value sequence, sequenceRow, firstKey;
  // Of a kernel that streamsKeys(): the block's stages of the tile (index), and
  // whether these are all of the tile's (i1).
  Value shareFirst, shareEnd, whole;
  // The first row of the cluster's tiles.
  Value clusterRow;
  Value length, shift, firstPosition, lastPosition, startKey, stageCount;
  // Stages from `maskedFrom` on, and those before `maskedBefore`, hold a key
  // which some query of the block may not attend to.
  Value maskedFrom, maskedBefore;
  // i32: what masks compare with, seen from the first key.
  Value relativeLength, relativePosition;
  // f32, positive: the factor of the scores' scale that is known at run time
  // only; null: there is none.
  Value scoreFactor;
  // Sizes as index() has them in the code of a tile, null: the parameters.
  std::array<Value, kSizeCount> sizesOfTile;

private:
  /// Leaves out keys of `first` ... `end` - 1 (index) that the score region
  /// leaves out for all queries of the cluster's tiles.
  void boundByScore(Value &first, Value &end, Value behindLast);
  /// True if a later query sees keys that an earlier one does not.
  bool seesMoreLater() const;
  /// The members that say which tile is placed, those that this kernel has.
  SmallVector<Value *> place();
  Value planWord(Value tile, int64_t word);
  /// A word that was loaded as index, the same in all lanes.
  Value toIndex(Value word);
  /// The keys (index) of the batch entry, by its length if it has one.
  Value keysOfEntry();
  void storeStatistics(Value lse, bool partial);
  /// The swizzle group: heads that are visited together.
  int64_t headsTogether() const;
  void boundMasks();
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ATTENTION_ATTENTIONTILE_H
