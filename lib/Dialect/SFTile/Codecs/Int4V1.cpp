//===- Int4V1.cpp - int4.v1: weights of four bits -------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A word has the eight codes of a lane in one MMA of 16 columns: those of two
// adjacent columns in its halves, where they become floating-point numbers
// without a conversion.
//
//===----------------------------------------------------------------------===//

#include "CodecBits.h"
#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"

using namespace mlir;
using namespace mlir::sftile;

// Bits of a code, and what it exceeds the weight by.
static constexpr int64_t kWidth = 4, kBias = 8;

StringRef Int4V1Attr::getPackedLayout() const { return "int4.v1"; }

int64_t Int4V1Attr::getUnitColumns() const { return 64; }

bool Int4V1Attr::decodesTo(Type element, bool shifted) const {
  return !shifted && (element.isF16() || element.isBF16());
}

SmallVector<Value> Int4V1Attr::emit(OpBuilder &builder, Location loc,
                                    ValueRange words, int64_t col, Type element,
                                    bool) const {
  CodecBits bits(builder, loc);
  SmallVector<Value> registers;
  // Register r + 2 h holds row g + 8 r and columns 2 c + 8 h and one more.
  for (int64_t field = 0; field < 4; ++field)
    registers.push_back(
        bits.codesAsFloats(words[col / 16], element, kWidth, field, kBias));
  return registers;
}
