//===- DequantizedKv.h - Planes of keys and values for wgmma ----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keys, or keys and values, that come as planes, in attention on wgmma: the
// producer warps that dequantize them, and where their scales are applied.
// Without planes all of it does nothing.
//
// Trits are dequantized to -2, 0 and 2. For keys the scale of the scores is
// half as large, for values the accumulators are halved at the end. A scale of
// the keys of a head is a factor of the scores, applied with the exponentials;
// its sign is applied to the trits. Scales of values multiply the result.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_ATTENTION_WARPGROUP_DEQUANTIZEDKV_H
#define SPARSEFLOW_LIB_KERNELS_ATTENTION_WARPGROUP_DEQUANTIZEDKV_H

#include "Kernels/Attention/AttentionTile.h"
#include "Kernels/Attention/Planes/NumberTiles.h"
#include "Kernels/Attention/Planes/PlaneTiles.h"

namespace mlir::sparseflow {

class DequantizedKv : protected AttentionTile {
protected:
  DequantizedKv(const AttentionKernel &spec, OpBuilder &builder,
                ArrayRef<int64_t> maps)
      : AttentionTile(spec, builder, maps),
        keyPages(b, shape.keyPlanes, shape.d),
        valuePages(b, shape.valuePlanes, shape.dv),
        keyNumbers{shape.keyPlanes, shape.d, 1, spec.convertsFloats},
        valueNumbers{shape.valuePlanes, shape.dv, 2, spec.convertsFloats} {}

  Value constant(float value);
  /// The number, from the first key on, of the stage that is visited as
  /// number `visit`.
  Value stageOf(Value visit);

  /// Goes to the planes and scales of the tile's key head.
  void placePlanes();
  /// Fills the stage of `position` with the keys, or the values, of the stage
  /// that is visited as number `visit`.
  void expandStage(bool isKeys, sftile::RingOp ring, Value position,
                   Value visit);
  /// What fills stages with numbers.
  NumberTiles numberTiles(bool isKeys, sftile::RingOp ring);
  /// The page of keys, or values, that has the warp's tokens of the stage that
  /// is visited as number `visit`. `entry` (i32): of the page table, null
  /// without one.
  Value pageOfWarp(const NumberTiles &tiles, bool isKeys, Value visit,
                   Value entry);
  /// That entry: -1 where the page does not count.
  Value loadEntryOfWarp(const NumberTiles &tiles, Value visit);
  /// Whether an entry is a page (i1).
  Value isPage(Value entry);
  /// The scores of Q K^T, without the factor that the exponentials apply.
  Value withoutFactor(Value scores);
  /// Halves the accumulators and applies the scales of values: accumulators
  /// become fragments of as many columns as share a scale, at most 64.
  void applyValueScales(SoftmaxState &state);

  PlanePages keyPages, valuePages;
  CacheNumbers keyNumbers, valueNumbers;

private:
  Value scaled(Value frag, Value factor);

  // f32: of the tile's key head.
  Value keyScale;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ATTENTION_WARPGROUP_DEQUANTIZEDKV_H
