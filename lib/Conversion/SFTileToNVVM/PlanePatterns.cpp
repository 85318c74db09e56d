//===- PlanePatterns.cpp - Transposes, and numbers as signed bytes --------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers that meet the signed bytes of planes are two bytes each, high and
// low: a float to which 1.5 * 2^23 was added has its nearest integer in the
// lower bits. 128 more let the high byte round to the nearest, and turn one bit
// of the low one.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "SparseFlow/Dialect/SFTile/IR/PlaneOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::sftile;

// What makes bits of a number's integer, 128 more.
static constexpr float kRounding = 12582912.0f + 128.0f;

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

/// The transpose of an 8x8 matrix of 16-bit elements, of which lane 4 r + c has
/// row r, columns 2 c and 2 c + 1.
static Value emitTransposed(OpBuilder &builder, Location loc, Value matrix) {
  return emitInstruction(builder, loc,
                         "movmatrix.sync.aligned.m8n8.trans.b16 $0, $1;",
                         "=r,r", matrix, /*isWarpWide=*/true);
}

namespace {

/// Registers are 8x8 matrices, which an instruction transposes.
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
    FragType source = op.getSource().getType(),
             result = op.getResult().getType();
    SmallVector<Value> registers;
    for (int64_t i = 0; i < result.getRegistersPerLane(); ++i) {
      Coord wanted = result.getPosition(2 * i);
      Value matrix;
      for (int64_t j = 0; j < source.getRegistersPerLane(); ++j)
        if (source.getPosition(2 * j) == Coord{wanted.col, wanted.row})
          matrix = adaptor.getSource()[j];
      registers.push_back(emitTransposed(rewriter, op.getLoc(), matrix));
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
      registers.push_back(emitTransposed(builder, loc, pair));
    }
    return registers;
  }
};

} // namespace

void mlir::sftile::populatePlanePatterns(const SFTileTypeConverter &converter,
                                         RewritePatternSet &patterns) {
  patterns.add<TransposeLowering, SplitBytesLowering>(converter,
                                                      patterns.getContext());
}
