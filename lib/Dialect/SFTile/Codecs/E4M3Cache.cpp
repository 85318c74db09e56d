//===- E4M3Cache.cpp - Caches of floats of 8 bits -------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// e4m3k.v1 and e4m3v.v1. The exponent and the mantissa of f8E4M3FN, moved to
// those of a wider float, are the number times a power of two, denormals as
// well: one multiplication, which is exact, takes that away. Where there is an
// instruction that makes f16 of two adjacent bytes, a permutation brings the
// two of a register together.
//
// Only NaN, all seven bits, is another number then: 480, and no other number is
// above 448. What makes it infinite and them not, times zero, is NaN for it and
// zero for them.
//
//===----------------------------------------------------------------------===//

#include "CacheChunk.h"
#include "CodecBits.h"

using namespace mlir;
using namespace mlir::sftile;

unsigned E4M3CacheAttr::getMinComputeCapability() const {
  return getConverts() ? 89 : 80;
}

std::string E4M3CacheAttr::getInstruction() const {
  return getConverts() ? "cvt.rn.f16x2.e4m3x2" : "lop3";
}

LogicalResult
E4M3CacheAttr::verifyDecode(llvm::function_ref<InFlightDiagnostic()> emitError,
                            Type words, Type operand, int64_t col) const {
  return verifyCacheChunk(emitError, words, operand, col, /*bits=*/8);
}

Value E4M3CacheAttr::emit(OpBuilder &builder, Location loc, ValueRange words,
                          Type operand, int64_t col, int64_t index) const {
  auto result = cast<FragType>(operand);
  Type element = result.getElementType();
  bool isBf16 = element.isBF16();
  int64_t quarter = quarterOfRegister(result, getOperand(), index);
  Value word = words[2 * (col / 16) + quarter / 2];
  if (getConverts() && !isBf16) {
    Value pair = emitPermuteBytes(
        builder, loc, word, word,
        CodecBits(builder, loc).constant(quarter % 2 ? 0x4431 : 0x4420));
    return emitHalvesOfE4M3(builder, loc, pair);
  }
  // Field 0 has the lower bytes of both halves; the upper ones have their signs
  // in place. Where the 7 other bits begin in a half of the result:
  CodecBits bits(builder, loc);
  bool isUpper = quarter % 2;
  int64_t place = isBf16 ? 4 : 7, from = isUpper ? 8 : 0;
  Value moved = place < from ? bits.right(word, from - place)
                             : bits.left(word, place - from);
  Value sign = bits.bitAnd(bits.left(word, 8 - from), 0x80008000);
  Value magnitude = bits.bitAnd(moved, 0x007f007f << place);
  auto pair = VectorType::get({2}, element);
  auto both = [&](double value) -> Value {
    return arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(pair, builder.getFloatAttr(element, value)));
  };
  // The biases of exponents are 7, 15 and 127.
  Value number =
      LLVM::BitcastOp::create(builder, loc, pair, bits.bitOr(sign, magnitude));
  number = LLVM::FMulOp::create(builder, loc, number,
                                both(isBf16 ? 0x1p120 : 0x1p8));
  // 448 times this is finite, 480 times this is not.
  Value above = LLVM::FMulOp::create(builder, loc, number,
                                     both(isBf16 ? 0x1.1ap119 : 142.0));
  auto fuse = LLVM::FastmathFlags::contract;
  Value none = LLVM::FMulOp::create(builder, loc, above, both(0.0), fuse);
  number = LLVM::FAddOp::create(builder, loc, none, number, fuse);
  return LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), number);
}
