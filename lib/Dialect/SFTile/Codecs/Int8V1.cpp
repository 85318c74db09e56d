//===- Int8V1.cpp - int8.v1: weights of eight bits ------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lane has four words for 32 columns: words t of two rows, whose bytes h and
// 2 + h are two adjacent columns of the MMA of 16 columns that begins at 16 t.
//
//===----------------------------------------------------------------------===//

#include "CodecBits.h"
#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"

using namespace mlir;
using namespace mlir::sftile;

StringRef Int8V1Attr::getPackedLayout() const { return "int8.v1"; }

int64_t Int8V1Attr::getUnitColumns() const { return 32; }

bool Int8V1Attr::decodesTo(Type element, bool shifted) const {
  return !shifted && (element.isF16() || element.isBF16());
}

/// The lower bytes of both halves of `word`, in two's complement, as a pair of
/// bf16, which has seven bits below the point of 128: 128 and the lower seven
/// bits, less 128, or 256 where the upper bit says that 128 is to be taken off.
static Value bytesAsBrains(CodecBits &bits, Value word) {
  OpBuilder &b = bits.builder;
  Location loc = bits.loc;
  auto pair = VectorType::get({2}, b.getBF16Type());
  auto within = [&](int64_t mask) -> Value {
    Value number = emitAndOr(b, loc, word, mask, 0x43004300);
    return LLVM::BitcastOp::create(b, loc, pair, number);
  };
  Value minusOne = arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(pair, b.getFloatAttr(b.getBF16Type(), -1.0)));
  // Exact, both; the GPU fuses them.
  auto fuse = LLVM::FastmathFlags::contract;
  Value less = LLVM::FMulOp::create(b, loc, within(0x00800080), minusOne, fuse);
  Value number = LLVM::FAddOp::create(b, loc, less, within(0x007f007f), fuse);
  return LLVM::BitcastOp::create(b, loc, b.getI32Type(), number);
}

SmallVector<Value> Int8V1Attr::emit(OpBuilder &builder, Location loc,
                                    ValueRange words, int64_t col, Type element,
                                    bool) const {
  CodecBits bits(builder, loc);
  SmallVector<Value> registers;
  // Register r + 2 h holds row g + 8 r and columns 2 c + 8 h and one more.
  for (int64_t h = 0; h < 2; ++h)
    for (int64_t r = 0; r < 2; ++r) {
      Value word = words[r + 2 * (col / 16)];
      registers.push_back(
          element.isBF16()
              ? bytesAsBrains(bits, bits.right(word, 8 * h))
              : bits.codesAsFloats(word, element, 8, h, std::nullopt));
    }
  return registers;
}
