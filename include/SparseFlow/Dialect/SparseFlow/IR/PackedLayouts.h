//===- PackedLayouts.h - The layouts of quantized weights ------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of the packed layouts of docs/formats: what each can hold, how
// large it is and, where every code has a place of its own, where that is. A
// new layout is a row here and a storage of the encoding. How kernels unpack it
// says its codec (lib/Dialect/SFTile/Codecs), how files are checked the
// runtime, which has a table of its own: the two meet in bytes only, which
// tests compare.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SPARSEFLOW_IR_PACKEDLAYOUTS_H
#define SPARSEFLOW_DIALECT_SPARSEFLOW_IR_PACKEDLAYOUTS_H

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

namespace mlir::sparseflow {

/// Where the codes of a unit lie: code (row, column) begins at the sum of
/// `ofRow[i]` over the bits i of the row's number and `ofColumn[i]` over those
/// of the column's. Places are bits from the first of the unit, bytes from
/// their lowest.
struct CodePlaces {
  /// Bits of a code.
  int64_t width;
  ArrayRef<int64_t> ofRow, ofColumn;
  /// A code is the weight in two's complement, and not the weight less `low`.
  bool isSigned = false;
};

struct PackedLayout {
  TernaryStorage storage;
  StringLiteral name; // "tern.v1"
  /// The smallest and the largest weight, before it is scaled. A code is the
  /// weight less `low`, unless it has a sign.
  int64_t low, high;
  /// Most planes of a weight.
  int64_t maxPlanes;
  /// A unit of one plane: rows and columns of the weight, and its bytes. Pages
  /// of caches are no units; theirs are zero.
  int64_t rows, columns, bytes;
  /// Whether at most two of four columns are nonzeros.
  bool isTwoFour;
  /// Whether kernels multiply it on GPUs.
  bool hasKernels;
  /// Null where codes of several columns share bits.
  const CodePlaces *places;
  /// Of caches: bits of an element; whether they are values and not keys.
  int64_t cacheBits = 0;
  bool holdsValues = false;
  /// Of caches: elements are floats, f8E4M3FN.
  bool isFloat = false;
};

const PackedLayout &getPackedLayout(TernaryStorage storage);
/// Null where the table has no layout of that name.
const PackedLayout *findPackedLayout(StringRef name);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_DIALECT_SPARSEFLOW_IR_PACKEDLAYOUTS_H
