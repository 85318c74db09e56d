//===- NumberTiles.h - Tiles of keys and values from numbers ----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What PlaneTiles is to planes, for int8, int4 and e4m3: each of the four
// producer warps has a quarter of a stage's tokens, whose words it reads 16
// bytes a lane. Numbers become f16, are multiplied by the scale of their token,
// rounded once, and stored with stmatrix.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_ATTENTION_PLANES_NUMBERTILES_H
#define SPARSEFLOW_LIB_KERNELS_ATTENTION_PLANES_NUMBERTILES_H

#include "Kernels/Attention/Planes/CacheNumbers.h"

namespace mlir::sparseflow {

class NumberTiles {
public:
  /// For at most 128 features and stages of one page or two; `ring` has a tile
  /// for every 64 features, rows of tokens.
  NumberTiles(KernelBuilder &b, const CacheNumbers &numbers,
              sftile::RingOp ring, int64_t sharers, Value rank,
              bool scalesLate);

  /// The page (index) of a stage in which the warp's tokens are.
  Value pageOfWarp() const;
  /// Pieces of 16 tokens that a warp has of a stage.
  int64_t pieces() const { return tokens / kPiece; }
  /// Starts reading a piece's words and scales of the page at `page`: the words
  /// of each chunk, then the scales of each group.
  SmallVector<Value> load(Value page, int64_t piece) const;
  /// Fills the stage of `position` with what was loaded of all pieces; with
  /// zeros where `isThere` (i1, may be null) is false. In front of each piece
  /// calls `loadNext` with its number: as many words may be on their way then
  /// as the pieces before have left registers.
  void fill(Value position, ValueRange loaded, Value isThere,
            function_ref<void(int64_t)> loadNext) const;

private:
  // Rows and columns of an operand.
  static constexpr int64_t kPiece = 16;

  /// The number of the warp's part of a stage (index).
  Value part() const;
  Value anyLarge(ValueRange scales) const;
  Value lateZero() const;
  Value withoutInfinity(Value scale, Value zero) const;
  void store(ValueRange slots, int64_t piece, ValueRange words,
             ValueRange scales) const;
  void rewrite(ValueRange slots, function_ref<Value(Value)> body) const;
  VectorType eightHalves() const;
  Value constant(double value) const;
  Value clamped(Value numbers) const;
  sftile::FragType operandType(Type element) const;

  KernelBuilder &b;
  const CacheNumbers &numbers;
  mutable sftile::RingOp ring;
  // Blocks of a cluster that share the work, and the number of this one (index,
  // may be null for one).
  int64_t sharers;
  Value rank;
  // Scales are touched when a stage is free, and not in front of the commit of
  // the one before.
  bool scalesLate;
  // Tokens of a warp.
  int64_t tokens;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ATTENTION_PLANES_NUMBERTILES_H
