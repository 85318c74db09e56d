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
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "SparseFlow/Dialect/SFTile/IR/PlaneOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::sftile;

// The two top bits of each half of a register, and fields of a word.
static constexpr int64_t kTopBits = 0xC000C000, kFields = 8;

/// Field `field` of a word as a pair of numbers.
static Value emitField(OpBuilder &builder, Location loc, Value word,
                       int64_t field) {
  Integers ints(builder, loc);
  if (field)
    word = arith::ShLIOp::create(builder, loc, word, ints.i32(2 * field));
  return ints.bitAnd(word, ints.i32(kTopBits));
}

namespace {

struct ExpandTritsLowering : public OpConversionPattern<ExpandTritsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ExpandTritsOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    FragType result = op.getResult().getType();
    SmallVector<Value> registers;
    for (int64_t i = 0; i < result.getRegistersPerLane(); ++i) {
      Coord position = result.getPosition(2 * i);
      Value word = adaptor.getWords()[op.getRows()[position.row / 8]];
      registers.push_back(
          emitField(rewriter, loc, word, 2 * op.getStep() + position.col / 8));
    }
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};

/// A field is an 8x8 matrix as matrix stores take it. Lane l gives the address
/// of row l % 8 of matrix l / 8 of those that one store writes.
struct PutTritsLowering : public OpConversionPattern<PutTritsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(PutTritsOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Integers ints(rewriter, loc);
    Value word = adaptor.getWords()[op.getWord()];
    Value lane = emitLaneId(rewriter, loc);
    int64_t together = op.getAtom().getMaxMatrices();
    Value matrix = ints.rem(ints.div(lane, 8), together);
    Value row =
        ints.add(ints.toI32(adaptor.getRow().front()), ints.rem(lane, 8));
    Value col = ints.toI32(adaptor.getCol().front());
    Value &deep = op.getTransposed() ? row : col;
    deep = ints.add(deep, ints.mul(matrix, 8));
    for (int64_t first = 0; first < kFields; first += together) {
      SmallVector<Value> registers;
      for (int64_t field = first; field < first + together; ++field) {
        registers.push_back(emitField(rewriter, loc, word, field));
        if (op.getFlip())
          registers.back() =
              ints.bitXor(registers.back(), adaptor.getFlip().front());
      }
      Coord from{0, 8 * first};
      if (op.getTransposed())
        from = {8 * first, 0};
      Value address =
          emitTileAddress(rewriter, loc, op.getSlot().getType().getTile(),
                          adaptor.getSlot().front(), from, row, col);
      op.getAtom().emit(rewriter, loc, address, registers, op.getTransposed());
    }
    rewriter.eraseOp(op);
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

} // namespace

void mlir::sftile::populatePlanePatterns(const SFTileTypeConverter &converter,
                                         RewritePatternSet &patterns) {
  patterns.add<ExpandTritsLowering, PutTritsLowering, TransposeLowering>(
      converter, patterns.getContext());
}
