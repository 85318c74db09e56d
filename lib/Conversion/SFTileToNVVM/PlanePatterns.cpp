//===- PlanePatterns.cpp - Keys and values from words of planes -----------===//
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
// registers of four. Numbers that meet them are two bytes each, high and low: a
// float to which 1.5 * 2^23 was added has its nearest integer in the lower
// bits. 128 more let the high byte round to the nearest, and turn one bit of
// the low one.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "SparseFlow/Dialect/SFTile/IR/CacheNumbers.h"
#include "SparseFlow/Dialect/SFTile/IR/PlaneOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::sftile;

// The two top bits of each half of a register.
static constexpr int64_t kTopBits = 0xC000C000;
// The same of each byte.
static constexpr int64_t kTopBitsOfBytes = 0xC0C0C0C0;
// What makes bits of a number's integer, 128 more.
static constexpr float kRounding = 12582912.0f + 128.0f;

/// Field `field` of a word as a pair of numbers.
static Value emitField(OpBuilder &builder, Location loc, Value word,
                       int64_t field, int64_t mask = kTopBits) {
  Integers ints(builder, loc);
  if (field)
    word = arith::ShLIOp::create(builder, loc, word, ints.i32(2 * field));
  return ints.bitAnd(word, ints.i32(mask));
}

/// The integer nearest to `scale` times `number`, plus 128, in bits 0 to 15.
static Value emitRounded(OpBuilder &builder, Location loc, Value number,
                         float scale) {
  auto constant = [&](float value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getF32FloatAttr(value));
  };
  Value sum;
  if (scale == 1.0f)
    sum = arith::AddFOp::create(builder, loc, number, constant(kRounding));
  else
    sum = LLVM::FMAOp::create(builder, loc, number.getType(), number,
                              constant(scale), constant(kRounding));
  return arith::BitcastOp::create(builder, loc, builder.getI32Type(), sum);
}

/// One instruction of PTX on i32 values.
static Value emitInstruction(OpBuilder &builder, Location loc, StringRef text,
                             StringRef constraints, ValueRange operands,
                             bool isWarpWide) {
  return LLVM::InlineAsmOp::create(
             builder, loc, builder.getI32Type(), operands, text, constraints,
             /*has_side_effects=*/isWarpWide, /*is_align_stack=*/false,
             LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr())
      .getRes();
}

namespace {

struct DecodePlanesLowering : public OpConversionPattern<DecodePlanesOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(DecodePlanesOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    FragType result = op.getResult().getType();
    bool isBytes = result.getElementType().isInteger(8);
    SmallVector<Value> registers;
    for (int64_t i = 0; i < result.getRegistersPerLane(); ++i) {
      Coord position = result.getPosition(isBytes ? 4 * i : 2 * i);
      Value word = adaptor.getWords()[op.getRows()[position.row / 8]];
      int64_t field = 2 * op.getStep() + position.col / (isBytes ? 16 : 8);
      Value numbers = emitField(rewriter, loc, word, field,
                                isBytes ? kTopBitsOfBytes : kTopBits);
      if (op.getFlip())
        numbers =
            Integers(rewriter, loc).bitXor(numbers, adaptor.getFlip().front());
      registers.push_back(numbers);
    }
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};

struct DecodeCacheLowering : public OpConversionPattern<DecodeCacheOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(DecodeCacheOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    FragType result = op.getResult().getType();
    SmallVector<Value> registers;
    for (int64_t i = 0; i < result.getRegistersPerLane(); ++i) {
      Coord position = result.getPosition(2 * i);
      int64_t feature = op.getValues() ? position.row : position.col;
      int64_t token = op.getValues() ? position.col : position.row;
      registers.push_back(emitCacheNumbers(
          rewriter, op.getLoc(), adaptor.getWords(), op.getBits(), op.getStep(),
          feature / 8 + token / 8 * 2, result.getElementType()));
    }
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};

/// Of an 8x8 matrix lane 4 r + c has row r, columns 2 c and 2 c + 1, in one
/// register. Its row of the transpose is a column of the matrix: one half of
/// the registers of lanes 8 c + r / 2 and 4 further.
struct TransposeLowering : public OpConversionPattern<TransposeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(TransposeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (op.isFree()) {
      rewriter.replaceOpWithMultiple(op,
                                     {SmallVector<Value>(adaptor.getSource())});
      return success();
    }
    Location loc = op.getLoc();
    Integers ints(rewriter, loc);
    FragType source = op.getSource().getType(),
             result = op.getResult().getType();
    Value lane = emitLaneId(rewriter, loc);
    Value row = ints.div(lane, 4), first = ints.mul(ints.rem(lane, 4), 8);
    first = ints.add(first, ints.div(row, 2));
    Value second = ints.add(first, 4);
    Value half = ints.mul(ints.rem(row, 2), 16);
    auto fetch = [&](Value value, Value from) -> Value {
      Value word = NVVM::ShflOp::create(rewriter, loc, value.getType(),
                                        ints.i32(-1), value, from, ints.i32(31),
                                        NVVM::ShflKind::idx, UnitAttr());
      return arith::ShRUIOp::create(rewriter, loc, word, half);
    };
    SmallVector<Value> registers;
    for (int64_t i = 0; i < result.getRegistersPerLane(); ++i) {
      Coord wanted = result.getPosition(2 * i);
      Value matrix;
      for (int64_t j = 0; j < source.getRegistersPerLane(); ++j)
        if (source.getPosition(2 * j) == Coord{wanted.col, wanted.row})
          matrix = adaptor.getSource()[j];
      Value low = ints.bitAnd(fetch(matrix, first), ints.i32(0xffff));
      Value high = arith::ShLIOp::create(rewriter, loc, fetch(matrix, second),
                                         ints.i32(16));
      registers.push_back(arith::OrIOp::create(rewriter, loc, low, high));
    }
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};

struct SplitBytesLowering : public OpConversionPattern<SplitBytesOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(SplitBytesOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(
        op, {op.hasOwnNumbers() ? ownBytes(rewriter, op, adaptor)
                                : exchangedBytes(rewriter, op, adaptor)});
    return success();
  }

  /// Lanes 4 n + c with an odd n take low bytes, the others high ones.
  static SmallVector<Value> ownBytes(OpBuilder &builder, SplitBytesOp op,
                                     OneToNOpAdaptor adaptor) {
    Location loc = op.getLoc();
    Integers ints(builder, loc);
    Value odd = ints.rem(ints.div(emitLaneId(builder, loc), 4), 2);
    Value down = ints.mul(ints.sub(ints.i32(1), odd), 8);
    Value turned = ints.mul(odd, 0x80);
    SmallVector<Value> registers;
    for (int64_t field = 2 * op.getStep();
         field < int64_t(2 * op.getStep() + 2); ++field) {
      Value all;
      for (int64_t byte = 0; byte < 4; ++byte) {
        ValueRange half = byte % 2 ? adaptor.getFirst() : adaptor.getSecond();
        Value bits = emitRounded(builder, loc, half[2 * field + byte / 2],
                                 op.getFactor());
        bits = arith::ShRUIOp::create(builder, loc, bits, down);
        bits = ints.bitAnd(bits, ints.i32(0xff));
        bits = ints.mul(ints.bitXor(bits, turned), int64_t(1) << 8 * byte);
        all = all ? ints.add(all, bits) : bits;
      }
      registers.push_back(all);
    }
    return registers;
  }

  /// Of the two numbers of a lane that meet in a register the high bytes come
  /// first, then the low ones: rows of 8x8 matrices of pairs of bytes, which
  /// the instruction transposes.
  static SmallVector<Value> exchangedBytes(OpBuilder &builder, SplitBytesOp op,
                                           OneToNOpAdaptor adaptor) {
    Location loc = op.getLoc();
    Integers ints(builder, loc);
    float scale = op.getFactor();
    SmallVector<Value> registers;
    for (auto [first, second] :
         llvm::zip(adaptor.getFirst(), adaptor.getSecond())) {
      Value pair = emitInstruction(
          builder, loc, "prmt.b32 $0, $1, $2, $3;", "=r,r,r,r",
          {emitRounded(builder, loc, second, scale),
           emitRounded(builder, loc, first, scale), ints.i32(0x4051)},
          /*isWarpWide=*/false);
      pair = ints.bitXor(pair, int64_t(int32_t(0x80800000)));
      registers.push_back(emitInstruction(
          builder, loc, "movmatrix.sync.aligned.m8n8.trans.b16 $0, $1;", "=r,r",
          pair, /*isWarpWide=*/true));
    }
    return registers;
  }
};

struct JoinBytesLowering : public OpConversionPattern<JoinBytesOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(JoinBytesOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Integers ints(rewriter, op.getLoc());
    ValueRange sums = adaptor.getSums();
    SmallVector<Value> numbers;
    for (size_t i = 0; i < sums.size(); i += 2)
      numbers.push_back(ints.add(ints.mul(sums[i], 256), sums[i + 1]));
    rewriter.replaceOpWithMultiple(op, {numbers});
    return success();
  }
};

} // namespace

void mlir::sftile::populatePlanePatterns(const SFTileTypeConverter &converter,
                                         RewritePatternSet &patterns) {
  patterns.add<DecodePlanesLowering, DecodeCacheLowering, TransposeLowering,
               SplitBytesLowering, JoinBytesLowering>(converter,
                                                      patterns.getContext());
}
