//===- IntCache.cpp - Caches of int8 and int4 -----------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// int8k.v1, int8v.v1, int4k.v1 and int4v.v1. A field of a word has two numbers,
// one in each half: adjacent features of a key, or of values a feature of
// adjacent tokens. That is a register of an MMA's operand.
//
// Numbers of 8 bits have no room below the point of bf16, which has 7. The
// lower 7 bits do, and the sign takes the next: 128 + low - (128 + 128 sign)
// is a number in two's complement, both terms put together from bits and the
// difference exact.
//
//===----------------------------------------------------------------------===//

#include "CacheChunk.h"
#include "CodecBits.h"

using namespace mlir;
using namespace mlir::sftile;

/// Field `field` of a word of signed bytes as a pair of bf16.
static Value bytesAsBf16(CodecBits &bits, Value word, int64_t field) {
  constexpr int64_t kOne = 0x43004300; // 128 and 128.
  OpBuilder &builder = bits.builder;
  auto pair = VectorType::get({2}, builder.getBF16Type());
  auto number = [&](int64_t mask) -> Value {
    return LLVM::BitcastOp::create(builder, bits.loc, pair,
                                   emitAndOr(builder, bits.loc, word,
                                             static_cast<int32_t>(mask),
                                             static_cast<int32_t>(kOne)));
  };
  word = bits.right(word, 8 * field);
  Value low = number(0x007f007f), sign = number(0x00800080);
  Value numbers = LLVM::FSubOp::create(builder, bits.loc, low, sign);
  return LLVM::BitcastOp::create(builder, bits.loc, builder.getI32Type(),
                                 numbers);
}

LogicalResult
IntCacheAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                     int64_t bits, CacheOperand, bool) {
  if (bits != 4 && bits != 8)
    return emitError() << "expected numbers of 4 or 8 bits, found " << bits;
  return success();
}

LogicalResult
IntCacheAttr::verifyDecode(llvm::function_ref<InFlightDiagnostic()> emitError,
                           Type words, Type operand, int64_t col) const {
  if (getBare() && !cast<FragType>(operand).getElementType().isF16())
    return emitError() << "expected bare numbers as f16, found " << operand;
  return verifyCacheChunk(emitError, words, operand, col, getBits());
}

Value IntCacheAttr::emit(OpBuilder &builder, Location loc, ValueRange words,
                         Type operand, int64_t col, int64_t index) const {
  auto result = cast<FragType>(operand);
  Type element = result.getElementType();
  int64_t step = col / 16,
          quarter = quarterOfRegister(result, getOperand(), index);
  CodecBits bits(builder, loc);
  if (getBare()) {
    // A tensor core aligns products as if denormals had no leading zeros, so
    // bits at place 4 count as 16 times more of them (docs/Rationale/
    // Simulator.md): where that takes no further instruction they lie there.
    int64_t width = getBits(), place = 0, field = quarter;
    if (width == 8)
      field %= 2;
    else if (getOperand() == CacheOperand::Keys || field % 2)
      place = width;
    Value word = words[width == 4 ? step : 2 * step + quarter / 2];
    word = field == 0 ? bits.left(word, place)
                      : bits.right(word, width * field - place);
    int64_t ones = (int64_t(1) << width) - 1, sign = int64_t(1) << (width - 1);
    return emitAndXor(builder, loc, word,
                      static_cast<int32_t>((ones << 16 | ones) << place),
                      static_cast<int32_t>((sign << 16 | sign) << place));
  }
  if (getBits() == 4)
    return bits.codesAsFloats(words[step], element, 4, quarter, std::nullopt);
  Value word = words[2 * step + quarter / 2];
  if (element.isBF16())
    return bytesAsBf16(bits, word, quarter % 2);
  return bits.codesAsFloats(word, element, 8, quarter % 2, std::nullopt);
}
