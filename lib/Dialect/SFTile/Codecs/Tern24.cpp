//===- Tern24.cpp - tern24.v1, tern24z.v1: 2:4 sparse ternary weights -----===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Words lie as int8 MMAs read them. With q a lane's number in its quad, a lane
// has the nonzeros 4 q to 4 q + 3 of 16; for MMAs of 16-bit elements it needs
// 2 q, 2 q + 1 and those 8 behind, which are bytes 2 (q % 2) and the next one
// of lanes q / 2 and q / 2 + 2. Lanes exchange them first, bytes of the two
// lanes alternating, so that those of a register are in both of its halves.
//
//===----------------------------------------------------------------------===//

#include "CodecBits.h"
#include "SparseFlow/Dialect/SFTile/Codecs/Ternary.h"
#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"

using namespace mlir;
using namespace mlir::sftile;

// Columns of a unit of both, and nonzeros of an MMA.
static constexpr int64_t kUnitColumns = 256;
static int64_t nonzerosOfMma(Type element) {
  return element.isInteger(8) ? 32 : 16;
}

static bool decodesPairsTo(Type element, bool shifted) {
  return element.isSignlessInteger(8) ||
         (!shifted && (element.isF16() || element.isBF16()));
}

//===----------------------------------------------------------------------===//
// tern24.v1
//===----------------------------------------------------------------------===//

StringRef Tern24V1Attr::getPackedLayout() const { return "tern24.v1"; }

int64_t Tern24V1Attr::getUnitColumns() const { return kUnitColumns; }

int64_t Tern24V1Attr::getWordsPerLane() const { return 2; }

bool Tern24V1Attr::isSparse() const { return true; }

bool Tern24V1Attr::isStreamed() const { return true; }

bool Tern24V1Attr::decodesTo(Type element, bool shifted) const {
  return decodesPairsTo(element, shifted);
}

SmallVector<Value> Tern24V1Attr::emit(OpBuilder &builder, Location loc,
                                      ValueRange words, int64_t col,
                                      Type element, bool shifted) const {
  int64_t step = col / nonzerosOfMma(element);
  if (shifted)
    return tern24::unpackShiftedSigns(builder, loc, words[step / 2], step % 2);
  if (element.isInteger(8))
    return tern24::unpackSigns(builder, loc, words[step / 2], step % 2);
  return tern24::unpackSignsAsFloats(builder, loc, words[step / 4], element,
                                     step % 4);
}

SmallVector<Value> tern24::unpackSigns(OpBuilder &builder, Location loc,
                                       Value word, int64_t part) {
  CodecBits bits(builder, loc);
  SmallVector<Value> registers;
  // The signs of register f are the top bits of the word's bytes, 4 part + f
  // further up: repeated over the byte and or-ed with 1 they are -1 or 1.
  for (int64_t f = 0; f < 4; ++f) {
    Value top = bits.left(word, 4 * part + f);
    Value signs =
        emitPermuteBytes(builder, loc, top, top, bits.constant(0xBA98));
    registers.push_back(bits.bitOr(signs, bits.constant(0x01010101)));
  }
  return registers;
}

SmallVector<Value> tern24::unpackShiftedSigns(OpBuilder &builder, Location loc,
                                              Value word, int64_t part) {
  CodecBits bits(builder, loc);
  SmallVector<Value> registers;
  // Below a sign 64 is -64 or 64.
  for (int64_t f = 0; f < 4; ++f)
    registers.push_back(emitAndOr(builder, loc, bits.left(word, 4 * part + f),
                                  int32_t(0x80808080), 0x40404040));
  return registers;
}

SmallVector<Value> tern24::unpackSignsAsFloats(OpBuilder &builder, Location loc,
                                               Value word, Type element,
                                               int64_t part) {
  CodecBits bits(builder, loc);
  int32_t one = element.isBF16() ? 0x3F803F80 : 0x3C003C00;
  SmallVector<Value> registers;
  // The sign becomes that of 1.
  for (int64_t h = 0; h < 2; ++h)
    for (int64_t r = 0; r < 2; ++r) {
      int64_t bit = 8 * h + 7 - (2 * part + r);
      registers.push_back(emitAndOr(builder, loc, bits.left(word, 15 - bit),
                                    int32_t(0x80008000), one));
    }
  return registers;
}

//===----------------------------------------------------------------------===//
// tern24z.v1
//===----------------------------------------------------------------------===//

StringRef Tern24zV1Attr::getPackedLayout() const { return "tern24z.v1"; }

int64_t Tern24zV1Attr::getUnitColumns() const { return kUnitColumns; }

bool Tern24zV1Attr::isSparse() const { return true; }

bool Tern24zV1Attr::isStreamed() const { return true; }

bool Tern24zV1Attr::decodesTo(Type element, bool shifted) const {
  return decodesPairsTo(element, shifted);
}

SmallVector<Value> Tern24zV1Attr::emit(OpBuilder &builder, Location loc,
                                       ValueRange words, int64_t col,
                                       Type element, bool shifted) const {
  int64_t step = col / nonzerosOfMma(element);
  // Two's complement on top of a byte is 64 times the number.
  if (shifted)
    return tern_v1::unpackShifted(builder, loc, words[step]);
  if (element.isInteger(8))
    return tern24::unpackBytes(builder, loc, words[step]);
  return tern24::unpackFloats(builder, loc, words[step / 2], element, step % 2);
}

SmallVector<Value> tern24::unpackBytes(OpBuilder &builder, Location loc,
                                       Value word) {
  CodecBits bits(builder, loc);
  SmallVector<Value> registers;
  for (int64_t f = 0; f < 4; ++f) {
    Value number = bits.bitAnd(bits.right(word, 2 * f), 0x03030303);
    Value sign = bits.bitAnd(number, 0x02020202);
    // The sign, 2, times 126: the bits above it.
    registers.push_back(bits.bitOr(number, bits.mul(sign, 0x7E)));
  }
  return registers;
}

SmallVector<Value> tern24::unpackFloats(OpBuilder &builder, Location loc,
                                        Value word, Type element,
                                        int64_t part) {
  CodecBits bits(builder, loc);
  SmallVector<Value> registers;
  for (int64_t h = 0; h < 2; ++h)
    for (int64_t r = 0; r < 2; ++r)
      registers.push_back(bits.codesAsFloats(
          word, element, /*width=*/2, 4 * h + 2 * part + r, /*bias=*/{}));
  return registers;
}
