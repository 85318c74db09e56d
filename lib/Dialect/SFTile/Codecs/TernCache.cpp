//===- TernCache.cpp - Planes of keys and values --------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two top bits of a 16-bit float are its sign and the highest bit of its
// exponent, in f16 and in bf16: 01 is 2, 11 is -2, 00 is 0. So a word of 16
// trits, moved left by two bits a pair, gives eight registers of two numbers
// each with a shift and a mask. The factor of two is the kernel's to take away.
//
// As signed bytes the same bits are 64, -64 and 0, and a word gives four
// registers of four.
//
//===----------------------------------------------------------------------===//

#include "CodecBits.h"
#include "SparseFlow/Dialect/SFTile/IR/RowLayouts.h"
#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"

using namespace mlir;
using namespace mlir::sftile;

// Columns of K in a word.
static constexpr int64_t kWordDepth = 64;
// The two top bits of each half of a register, and of each byte.
static constexpr int64_t kTopBits = 0xC000C000, kTopBitsOfBytes = 0xC0C0C0C0;

/// True for operand A or B of the MMA of signed bytes.
static bool isByteOperand(FragType frag, int64_t k) {
  MLIRContext *context = frag.getContext();
  auto atom = MmaInt8SyncAttr::get(context, k, frag.getElementType());
  return frag.getLayout() == LayoutAttr::get(context, atom.getLayoutA()) ||
         frag.getLayout() == LayoutAttr::get(context, atom.getLayoutB());
}

bool TernCacheAttr::hasSignBits(Type element) const {
  return element.isF16() || element.isBF16();
}

LogicalResult
TernCacheAttr::verifyDecode(llvm::function_ref<InFlightDiagnostic()> emitError,
                            Type words, Type operand, int64_t col) const {
  auto planes = cast<FragType>(words), result = cast<FragType>(operand);
  if (!planes.getElementType().isInteger(32))
    return emitError() << "expected words of i32, found " << planes;
  Type element = result.getElementType();
  bool isBytes = element.isSignedInteger(8);
  if (!isBytes && !hasSignBits(element))
    return emitError() << "expected a result of f16 or bf16, whose 2 is a bit, "
                          "or of si8, whose 64 is, found "
                       << element;
  // Of 16-bit elements there may be several steps of an MMA.
  int64_t k = isBytes ? 32 : 16, columns = result.getShape()[1];
  int64_t count = planes.getElementsPerLane();
  bool matches = isBytes ? isByteOperand(result, k) && columns == k
                         : isMatrixLayout(result.getLayout().getLayout()) &&
                               columns % k == 0;
  if (!matches || result.getShape()[0] != 8 * count)
    return emitError() << "expected an operand of " << 8 * count << " x " << k
                       << " elements"
                       << (isBytes ? "" : " or several times as many columns")
                       << ", 8 rows for each of the " << count
                       << " words of a lane, found " << result;
  if (col < 0 || col % k || col + columns > kWordDepth)
    return emitError() << "expected a column from 0 to " << kWordDepth - columns
                       << " that is a multiple of " << k << ", found " << col;
  return success();
}

Value TernCacheAttr::emit(OpBuilder &builder, Location loc, ValueRange words,
                          Type operand, int64_t col, int64_t index) const {
  auto result = cast<FragType>(operand);
  bool isBytes = result.getElementType().isInteger(8);
  Coord place = result.getPosition(isBytes ? 4 * index : 2 * index);
  int64_t field = (col + place.col) / (isBytes ? 16 : 8);
  CodecBits bits(builder, loc);
  return bits.bitAnd(bits.left(words[place.row / 8], 2 * field),
                     isBytes ? kTopBitsOfBytes : kTopBits);
}
