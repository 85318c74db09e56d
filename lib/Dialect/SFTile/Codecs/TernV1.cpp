//===- TernV1.cpp - tern.v1: ternary weights, two bits each ---------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The 16 codes of a word stand so that a shift and a mask give whole registers
// of operand A, and so that codes of two columns lie in its halves, where they
// become floating-point numbers without a conversion.
//
//===----------------------------------------------------------------------===//

#include "CodecBits.h"
#include "SparseFlow/Dialect/SFTile/Codecs/Ternary.h"
#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"

using namespace mlir;
using namespace mlir::sftile;

// The two bits of a code in each byte and in each half of a word, and in the
// top bits of bytes.
static constexpr int64_t kByteCodes = 0x03030303, kHalfCodes = 0x00030003,
                         kTopCodes = 0xC0C0C0C0;

StringRef TernV1Attr::getPackedLayout() const { return "tern.v1"; }

int64_t TernV1Attr::getUnitColumns() const { return 128; }

bool TernV1Attr::decodesTo(Type element, bool shifted) const {
  if (shifted)
    return element.isInteger(8) && !element.isUnsignedInteger();
  return element.isF16() || element.isBF16() ||
         (element.isInteger(8) && !element.isUnsignedInteger());
}

int64_t TernV1Attr::getBias(Type element) const {
  return element.isSignlessInteger(8) ? 1 : 0;
}

bool TernV1Attr::isStreamed() const { return true; }

SmallVector<Value> TernV1Attr::emit(OpBuilder &builder, Location loc,
                                    ValueRange words, int64_t col, Type element,
                                    bool shifted) const {
  Value word = words[col / 32];
  if (shifted)
    return element.isSignedInteger()
               ? tern_v1::unpackNegated(builder, loc, word)
               : tern_v1::unpackShifted(builder, loc, word);
  if (!element.isInteger(8))
    return tern_v1::unpackFloats(builder, loc, word, element, col / 16 % 2);
  return element.isSignedInteger() ? tern_v1::unpackBytes(builder, loc, word)
                                   : tern_v1::unpackCodes(builder, loc, word);
}

SmallVector<Value> tern_v1::unpackCodes(OpBuilder &builder, Location loc,
                                        Value word) {
  CodecBits bits(builder, loc);
  SmallVector<Value> registers;
  for (int64_t f = 0; f < 4; ++f)
    registers.push_back(bits.bitAnd(bits.right(word, 2 * f), kByteCodes));
  return registers;
}

SmallVector<Value> tern_v1::unpackBytes(OpBuilder &builder, Location loc,
                                        Value word) {
  CodecBits bits(builder, loc);
  SmallVector<Value> registers;
  // One less in each byte: 127 more carries into no other byte, and what is
  // then left to take away, 128, is the top bit.
  for (int64_t f = 0; f < 4; ++f)
    registers.push_back(bits.bitXor(
        bits.add(bits.bitAnd(bits.right(word, 2 * f), kByteCodes), 0x7F7F7F7F),
        0x80808080));
  return registers;
}

/// Codes `number` of the bytes of `word`, in the top bits of bytes: 64 times as
/// much. ptxas multiplies instead of shifting to the left, in a pipe that
/// nothing else here needs; a shift to the right has that of the masks.
static Value topCodes(CodecBits &bits, Value word, int64_t number) {
  return bits.bitAnd(bits.left(word, 6 - 2 * number), kTopCodes);
}

SmallVector<Value> tern_v1::unpackNegated(OpBuilder &builder, Location loc,
                                          Value word) {
  CodecBits bits(builder, loc);
  SmallVector<Value> registers;
  // Codes are 0, 64 and -128 there; with bit 6 changed they are 64, 0 and -64.
  // As much work as codes without a sign.
  for (int64_t f = 0; f < 4; ++f)
    registers.push_back(bits.bitXor(topCodes(bits, word, f), 0x40404040));
  return registers;
}

SmallVector<Value> tern_v1::unpackShifted(OpBuilder &builder, Location loc,
                                          Value word) {
  CodecBits bits(builder, loc);
  SmallVector<Value> registers;
  for (int64_t f = 0; f < 4; ++f)
    registers.push_back(topCodes(bits, word, f));
  return registers;
}

SmallVector<Value> tern_v1::unpackFloats(OpBuilder &builder, Location loc,
                                         Value word, Type element,
                                         int64_t half) {
  CodecBits bits(builder, loc);
  SmallVector<Value> registers;
  // Register r + 2 h holds the two codes at bits 2 (r + 2 half) and 16 higher
  // of the word shifted by 8 h.
  for (int64_t h = 0; h < 2; ++h)
    for (int64_t r = 0; r < 2; ++r)
      registers.push_back(bits.codesAsFloats(word, element, /*width=*/2,
                                             4 * h + 2 * half + r, /*bias=*/1));
  return registers;
}

SmallVector<Value> tern_v1::unpackRawBytes(OpBuilder &builder, Location loc,
                                           Value word) {
  CodecBits bits(builder, loc);
  Value later = bits.right(word, 4);
  int64_t upper = kByteCodes << kRawUpperShift;
  return {bits.bitAnd(word, kByteCodes), bits.bitAnd(word, upper),
          bits.bitAnd(later, kByteCodes), bits.bitAnd(later, upper)};
}

SmallVector<Value> tern_v1::unpackRawHalves(OpBuilder &builder, Location loc,
                                            Value word, int64_t half) {
  CodecBits bits(builder, loc);
  // Codes of this half's columns to bit 6, so that of the 10 bits of a denormal
  // number at most 3 are zeros in front: MMAs align products as if there were
  // none.
  int64_t up = kRawHalfShift - 4 * half;
  Value early = bits.left(word, up);
  Value later = bits.right(word, 8 - up);
  int64_t lower = kHalfCodes << kRawHalfShift, upper = lower << kRawUpperShift;
  return {bits.bitAnd(early, lower), bits.bitAnd(early, upper),
          bits.bitAnd(later, lower), bits.bitAnd(later, upper)};
}
