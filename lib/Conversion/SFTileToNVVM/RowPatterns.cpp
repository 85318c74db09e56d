//===- RowPatterns.cpp - Rows of fragments --------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::sftile;

namespace {

static Value combine(OpBuilder &builder, Location loc, Reduction kind, Value a,
                     Value b) {
  if (kind == Reduction::Max)
    return arith::MaxNumFOp::create(builder, loc, a, b);
  if (kind == Reduction::Or)
    return arith::OrIOp::create(builder, loc, a, b);
  return arith::AddFOp::create(builder, loc, a, b);
}

/// First over the registers of a lane, then, where the result has one column,
/// over the lanes of a row by exchanges across growing distances, or by a vote
/// of the whole warp.
struct ReduceLowering : public OpConversionPattern<ReduceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ReduceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Integers ints(rewriter, loc);
    FragType source = op.getSource().getType();
    if (op.getKind() == Reduction::Or) {
      Value any;
      for (Value element : adaptor.getSource())
        any =
            any ? combine(rewriter, loc, op.getKind(), any, element) : element;
      rewriter.replaceOpWithNewOp<NVVM::VoteSyncOp>(
          op, rewriter.getI1Type(), ints.i32(-1), any, NVVM::VoteSyncKind::any);
      return success();
    }
    auto result = cast<FragType>(op.getResult().getType());
    ArrayRef<Coord> from = source.getLayout().getLayout().laneBits();
    LinearLayout to = result.getLayout().getLayout();
    SmallVector<Value> results;
    for (int64_t index = 0; index < result.getElementsPerLane(); ++index) {
      int64_t row = result.getPosition(index).row;
      // The order of maxima changes nothing, so two chains run side by side.
      std::array<Value, 2> chains;
      size_t chain = 0, count = op.getKind() == Reduction::Max ? 2 : 1;
      for (auto [i, element] : llvm::enumerate(adaptor.getSource())) {
        if (source.getPosition(i).row != row)
          continue;
        Value &value = chains[chain++ % count];
        value = value ? combine(rewriter, loc, op.getKind(), value, element)
                      : element;
      }
      Value value = chains[0];
      if (chains[1])
        value = combine(rewriter, loc, op.getKind(), value, chains[1]);
      for (auto [bit, basis] : llvm::enumerate(from)) {
        if (basis.row || to.laneBits()[bit].col)
          continue;
        Value other = NVVM::ShflOp::create(
            rewriter, loc, value.getType(), ints.i32(-1), value,
            ints.i32(int64_t(1) << bit), ints.i32(31), NVVM::ShflKind::bfly,
            UnitAttr());
        value = combine(rewriter, loc, op.getKind(), value, other);
      }
      results.push_back(value);
    }
    rewriter.replaceOpWithMultiple(op, {results});
    return success();
  }
};

struct BroadcastLowering : public OpConversionPattern<BroadcastOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(BroadcastOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    FragType result = op.getResult().getType();
    auto source = dyn_cast<FragType>(op.getSource().getType());
    if (!source) {
      SmallVector<Value> elements(result.getElementsPerLane(),
                                  adaptor.getSource().front());
      rewriter.replaceOpWithMultiple(
          op, {packRegisters(rewriter, op.getLoc(), result, elements)});
      return success();
    }
    bool isRow = source.getShape()[1] != 1;
    auto lineOf = [&](Coord position) {
      return isRow ? position.col : position.row;
    };
    DenseMap<int64_t, Value> lines;
    for (auto [index, value] : llvm::enumerate(adaptor.getSource()))
      lines[lineOf(source.getPosition(index))] = value;
    SmallVector<Value> results;
    for (int64_t index = 0; index < result.getElementsPerLane(); ++index)
      results.push_back(lines.lookup(lineOf(result.getPosition(index))));
    rewriter.replaceOpWithMultiple(op, {results});
    return success();
  }
};

struct PositionsLowering : public OpConversionPattern<PositionsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(PositionsOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Integers ints(rewriter, loc);
    FragType frag = op.getFrag().getType();
    auto [row, col] = emitLanePosition(
        rewriter, loc, frag.getLayout().getLayout(), emitLaneId(rewriter, loc));
    bool rows = op.getDimension() == Dimension::Row;
    Value first = ints.add(adaptor.getBase(), rows ? row : col);
    SmallVector<Value> results;
    for (int64_t index = 0; index < frag.getElementsPerLane(); ++index) {
      Coord position = frag.getPosition(index);
      results.push_back(ints.add(first, rows ? position.row : position.col));
    }
    rewriter.replaceOpWithMultiple(op, {results});
    return success();
  }
};

} // namespace

void mlir::sftile::populateRowPatterns(const SFTileTypeConverter &converter,
                                       RewritePatternSet &patterns) {
  patterns.add<ReduceLowering, BroadcastLowering, PositionsLowering>(
      converter, patterns.getContext());
}
