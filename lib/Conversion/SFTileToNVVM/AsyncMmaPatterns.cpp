//===- AsyncMmaPatterns.cpp - Asynchronous MMAs of a warpgroup ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MMAs of a warpgroup read their operands where they lie. A chain of them
// starts with a fence and ends with a commit; a wait gives the accumulators
// back.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::sftile;

namespace {

/// True if every element of the fragment is the constant 0.
bool isZero(Value frag) {
  auto broadcast = frag.getDefiningOp<BroadcastOp>();
  return broadcast && (matchPattern(broadcast.getSource(), m_PosZeroFloat()) ||
                       matchPattern(broadcast.getSource(), m_Zero()));
}

struct MmaAsyncLowering : public OpConversionPattern<MmaAsyncOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MmaAsyncOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    AsyncMmaAtomInterface atom = op.getAtom();
    AsyncMmaOperands operands;
    operands.a = llvm::to_vector(adaptor.getA());
    auto tileA = dyn_cast<TileType>(op.getA().getType());
    // The GPU swizzles addresses itself, so that constant columns are a
    // constant distance: descriptors of one tile then differ by a constant, and
    // steps of K share all but that. Nonzeros of 2:4 weights are not swizzled.
    if (tileA)
      operands.a = {corner(rewriter, loc, tileA, adaptor.getA(),
                           adaptor.getARow(), adaptor.getACol(),
                           /*keepsDistance=*/!atom.isSparse())};
    TileType tileB = op.getB().getType();
    operands.b =
        op.getTransposed()
            ? transposedCorner(rewriter, loc, tileB, adaptor.getB(),
                               adaptor.getBRow(), adaptor.getBCol())
            : corner(rewriter, loc, tileB, adaptor.getB(), adaptor.getBRow(),
                     adaptor.getBCol(), /*keepsDistance=*/true);
    if (op.getTransposed())
      operands.tileBytesOfB = tileB.getBytes();
    if (!op.getAcc().getDefiningOp<MmaAsyncOp>())
      atom.emitFence(rewriter, loc);
    operands.n = op.getResult().getType().getFrag().getShape()[1];
    // Instead of adding to zeros the first MMA can leave them out.
    if (!isZero(op.getAcc()))
      operands.acc = adaptor.getAcc();
    operands.cleared = op.getCleared();
    if (op.getMetadata()) {
      int64_t served = atom.getNumSelectors(), selector = *op.getSelector();
      operands.metadata = adaptor.getMetadata()[selector / served];
      operands.selector = selector % served;
    }
    rewriter.replaceOpWithMultiple(op, {atom.emit(rewriter, loc, operands)});
    return success();
  }

  /// The address of (row, col) in a tile; a constant column is a constant
  /// distance from the row if `keepsDistance`.
  static Value corner(OpBuilder &builder, Location loc, TileType type,
                      ValueRange tile, ValueRange row, ValueRange col,
                      bool keepsDistance) {
    Integers ints(builder, loc);
    std::optional<int64_t> fixed = getConstantIntValue(col.front());
    bool isApart = fixed && keepsDistance;
    Value offset =
        emitTileOffset(builder, loc, type, ints.toI32(row.front()),
                       isApart ? ints.i32(0) : ints.toI32(col.front()));
    Value start = ints.advance(tile.front(), offset);
    if (!isApart)
      return start;
    return ints.advance(
        start, *fixed * type.getElementType().getIntOrFloatBitWidth() / 8);
  }

  /// The same where rows are K: a constant distance stays one, so that steps of
  /// K share a descriptor.
  static Value transposedCorner(OpBuilder &builder, Location loc, TileType type,
                                ValueRange tile, ValueRange row,
                                ValueRange col) {
    Integers ints(builder, loc);
    Value offset = emitTileOffset(builder, loc, type, ints.toI32(row.front()),
                                  ints.toI32(col.front()));
    if (std::optional<int64_t> distance = getConstantIntValue(offset))
      return ints.advance(tile.front(), *distance);
    return ints.advance(tile.front(), offset);
  }
};

struct CommitGroupLowering : public OpConversionPattern<CommitGroupOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(CommitGroupOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (auto copies = dyn_cast<CopyAtomInterface>(op.getAtom())) {
      copies.emitCommit(rewriter, op.getLoc());
      rewriter.eraseOp(op);
      return success();
    }
    cast<AsyncMmaAtomInterface>(op.getAtom()).emitCommit(rewriter, op.getLoc());
    rewriter.replaceOpWithMultiple(op, adaptor.getAccumulators());
    return success();
  }
};

struct WaitGroupLowering : public OpConversionPattern<WaitGroupOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(WaitGroupOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (op.getTile())
      return rewriter.notifyMatchFailure(op, "copies from a tile");
    if (auto copies = dyn_cast<CopyAtomInterface>(op.getAtom())) {
      copies.emitWait(rewriter, op.getLoc(), op.getPending());
      rewriter.eraseOp(op);
      return success();
    }
    auto mmas = cast<AsyncMmaAtomInterface>(op.getAtom());
    SmallVector<Value> finished =
        mmas.emitWait(rewriter, op.getLoc(), flatten(adaptor.getAccumulators()),
                      flatten(adaptor.getHeld()), op.getPending());
    SmallVector<ValueRange> results;
    ValueRange rest = finished;
    for (ValueRange accumulator : adaptor.getAccumulators()) {
      results.push_back(rest.take_front(accumulator.size()));
      rest = rest.drop_front(accumulator.size());
    }
    rewriter.replaceOpWithMultiple(op, results);
    return success();
  }
};

} // namespace

void mlir::sftile::populateAsyncMmaPatterns(
    const SFTileTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<MmaAsyncLowering, CommitGroupLowering, WaitGroupLowering>(
      converter, patterns.getContext());
}
