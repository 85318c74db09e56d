//===- TokenPieces.h - Parts of a token on their way to 8 bits --*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matmuls that quantize what they read hold parts of a token's row in
// registers, as they were loaded, until its largest magnitude is known.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_QUANTIZE_TOKENPIECES_H
#define SPARSEFLOW_LIB_KERNELS_QUANTIZE_TOKENPIECES_H

#include "Kernels/Support/ThreadCode.h"

namespace mlir::sparseflow {

class TokenPieces {
public:
  /// Of rows of `k` elements of `type` (f16, bf16 or f32), multiples of 16
  /// bytes.
  TokenPieces(ThreadCode &code, Type type, int64_t k)
      : code(code), type(type), k(k) {}

  /// Adjacent columns of a piece: QuantizeSteps::round takes them together.
  static constexpr int64_t kColumns = 16;
  /// Registers of a piece.
  static int64_t registers(Type type) {
    return kColumns * type.getIntOrFloatBitWidth() / 32;
  }

  /// 16 bytes of the row at `row` from `column` (i32) on, zeros from K on;
  /// `inside`: for columns that are known to lie before.
  Value loadChunk(Value row, Value column, bool inside = false);
  /// A piece, as chunks that were loaded: zeros from K on.
  using Piece = SmallVector<Value>;
  Piece load(Value row, Value column, bool inside = false);
  /// The bits of the largest magnitude among the pieces, as f32.
  Value magnitudeOf(ArrayRef<Piece> pieces);
  /// The elements of a piece, f32.
  SmallVector<Value> elementsOf(const Piece &piece);

private:
  /// Elements of 16 bytes.
  int64_t chunkColumns() const { return 128 / type.getIntOrFloatBitWidth(); }

  ThreadCode &code;
  Type type;
  int64_t k;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_QUANTIZE_TOKENPIECES_H
