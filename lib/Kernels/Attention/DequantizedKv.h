//===- DequantizedKv.h - Planes for warps that multiply ---------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What attention on products of warpgroups has to know of keys, or keys and
// values, that come as planes: the warps that expand them, and what becomes of
// their scales. All of it does nothing where there are no planes.
//
// Numbers that come out of planes are -2, 0 and 2. For keys the scale of the
// scores takes the two away, for values the last step. A scale of the keys of a
// head is a factor of the scores, which exponentials take with them; its sign
// is that of the numbers. Scales of values multiply the result.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_ATTENTION_DEQUANTIZEDKV_H
#define SPARSEFLOW_LIB_KERNELS_ATTENTION_DEQUANTIZEDKV_H

#include "Kernels/Attention/AttentionTile.h"
#include "Kernels/Attention/PlaneTiles.h"

namespace mlir::sparseflow {

class DequantizedKv : protected AttentionTile {
protected:
  DequantizedKv(const AttentionKernel &spec, OpBuilder &builder,
                ArrayRef<int64_t> maps)
      : AttentionTile(spec, builder, maps),
        keyPages(b, shape.keyPlanes, shape.d),
        valuePages(b, shape.valuePlanes, shape.dv) {}

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
  /// The scores of a product, without what exponentials apply.
  Value withoutFactor(Value scores);
  /// Takes the two of the numbers away, and applies the scales of values: the
  /// sums become fragments of as many columns as share a scale, at most 64.
  void applyValueScales(SoftmaxState &state);

  PlanePages keyPages, valuePages;

private:
  Value scaled(Value frag, Value factor);

  // f32: of the tile's key head.
  Value keyScale;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ATTENTION_DEQUANTIZEDKV_H
