//===- StreamKv.h - Equal shares of keys of several lengths -----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stream-K over the keys of a batch whose entries have lengths of their own, in
// device memory. The stages of all tiles, one tile behind the other, are one
// row of units, which the blocks divide equally: a block has a run of whole
// tiles, and at most of its first and its last tile a split; where all tiles
// have as many units, whole tiles alone if that costs little. A unit is half a
// stage; a tile begins with those that stand for what it costs beside its
// stages, so that a block of many short tiles has fewer stages. Whoever knows a
// block's number finds its run from the lengths alone. What there is to combine
// the blocks write down while their first keys are on their way: the kernel
// that combines it has nothing to hide these loads and divisions behind.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_ATTENTION_SPLITKV_STREAMKV_H
#define SPARSEFLOW_LIB_KERNELS_ATTENTION_SPLITKV_STREAMKV_H

#include "Kernels/Attention/AttentionKernel.h"

namespace mlir::sparseflow {

class StreamKv {
public:
  /// Loads the lengths, a lane each: for whole warps. `lengths`: pointer to i32
  /// [entries]; `keys`: how many an entry has at most; `grid`: blocks of the
  /// attention kernel; all of them index.
  StreamKv(KernelBuilder &b, const AttentionShape &shape,
           sftile::AttentionScheduleAttr schedule, Value lengths, Value entries,
           Value keys, Value grid);

  /// A unit of the tile of (batch entry, key head); all of it i32.
  struct Place {
    Value tile;  // entry * key heads + key head
    Value unit;  // from the tile's first on
    Value units; // of the tile: at least those of one stage
  };
  /// The stages of a tile before its unit `unit`, the tile's number of units
  /// included; i32.
  Value stagesBefore(Value unit);
  /// Of units of the whole row (i32), below `total`.
  SmallVector<Place> find(ArrayRef<Value> units);
  /// The first unit of a block, `total` of those that have none; i32.
  Value firstUnit(Value block);
  /// The block that has a unit; i32.
  Value blockOf(Value unit);

  /// The partials of the tile that a block's share begins inside; none if a
  /// share before it begins inside that tile, too. All of it i32.
  struct Partials {
    Value tile, count;
    // Of the two places that each block has, that of the first split. The
    // others are in the first places of the blocks behind.
    Value firstPlace;
  };
  /// Bytes that the partials of a block take in memory.
  static constexpr int64_t kPartialsBytes = 12;
  /// `begin`: the place of the block's first unit, if it has one.
  Partials partialsOf(Value block, const Place &begin);
  /// Writes or reads those of `block` (index) at `pointer`, which all blocks
  /// share.
  static void storePartials(KernelBuilder &b, Value pointer, Value block,
                            const Partials &partials);
  static Partials loadPartials(KernelBuilder &b, Value pointer, Value block);

  /// i32: how many blocks have units, and how many units there are.
  Value blocks, total;

private:
  /// Builds `body` in a loop over the entries, a lane each, with the lane's
  /// entry, the units of a tile of it, and those of all tiles before it in this
  /// turn and behind it.
  SmallVector<Value> forEachTurn(
      ArrayRef<Value> start,
      function_ref<SmallVector<Value>(Value entry, Value units, Value before,
                                      Value behind, ValueRange carried)>
          body);
  Value unitsOf(Value entry);
  /// Sets blocks, grain, each and longer; `most`: units of the longest tile.
  void divide(Value most);
  Value fromLane(Value value, Value lane);

  KernelBuilder &b;
  const AttentionShape &shape;
  int64_t keysPerStage;
  /// Units that a tile begins with.
  int64_t tileUnits;
  // i32 but for the pointer.
  Value lengths, entries, keys, lane;
  // Each block has `each` grains, the first `longer` blocks one more; a grain
  // is a unit, or a tile.
  Value each, longer, grain;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ATTENTION_SPLITKV_STREAMKV_H
