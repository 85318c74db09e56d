//===- FragmentPatterns.cpp - MMAs, slices and maps of fragments -------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::sftile;

namespace {

/// The registers of one instruction tile in the grid of a fragment.
static ValueRange tileRegisters(FragType frag, ValueRange registers,
                                int64_t row, int64_t col) {
  int64_t perTile =
      frag.getRegistersPerLane() / (frag.getTileRows() * frag.getTileCols());
  return registers.slice((row * frag.getTileCols() + col) * perTile, perTile);
}

struct MmaLowering : public OpConversionPattern<MmaOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MmaOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    FragType a = op.getA().getType(), b = op.getB().getType(),
             c = op.getAcc().getType();
    MmaAtomInterface atom = op.getAtom();
    int64_t selector = op.getSelector() ? *op.getSelector() : 0;
    SmallVector<Value> results;
    for (int64_t row = 0; row < c.getTileRows(); ++row)
      for (int64_t col = 0; col < c.getTileCols(); ++col) {
        Value metadata;
        if (op.getMetadata())
          metadata = adaptor.getMetadata()[row];
        llvm::append_range(
            results, atom.emit(rewriter, op.getLoc(),
                               tileRegisters(a, adaptor.getA(), row, 0),
                               tileRegisters(b, adaptor.getB(), col, 0),
                               tileRegisters(c, adaptor.getAcc(), row, col),
                               metadata, selector));
      }
    rewriter.replaceOpWithMultiple(op, {results});
    return success();
  }
};

struct SliceLowering : public OpConversionPattern<SliceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(SliceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<int64_t> numbers = *op.getSourceRegisters();
    SmallVector<Value> registers;
    for (int64_t number : numbers)
      registers.push_back(adaptor.getSource()[number]);
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};

struct ConcatLowering : public OpConversionPattern<ConcatOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ConcatOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(op, {flatten(adaptor.getParts())});
    return success();
  }
};

/// A choice between two fragments is one for each register, between two tiles
/// one of their addresses.
struct SelectLowering : public OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(arith::SelectOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isa<FragType, TileType>(op.getType()))
      return rewriter.notifyMatchFailure(op, "no choice of fragments or tiles");
    SmallVector<Value> registers;
    for (auto [a, b] :
         llvm::zip(adaptor.getTrueValue(), adaptor.getFalseValue()))
      registers.push_back(arith::SelectOp::create(
          rewriter, op.getLoc(), adaptor.getCondition().front(), a, b));
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};

/// Whether the body multiplies its two arguments, elements of 16 bits, so that
/// an instruction does it for a register.
static bool multipliesPairs(MapOp op) {
  Block &body = op.getBody().front();
  auto product = dyn_cast<arith::MulFOp>(body.front());
  return product && product->getNextNode() == body.getTerminator() &&
         body.getNumArguments() == 2 &&
         product.getLhs() == body.getArgument(0) &&
         product.getRhs() == body.getArgument(1) &&
         product.getType().getIntOrFloatBitWidth() == 16;
}

/// Repeats the region for every element that a lane holds.
struct MapLowering : public OpConversionPattern<MapOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MapOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    FragType result = op.getResult().getType();
    if (multipliesPairs(op) && result.getElementsPerLane() % 2 == 0) {
      rewriter.replaceOpWithMultiple(op, {products(rewriter, op, adaptor)});
      return success();
    }
    SmallVector<SmallVector<Value>> inputs;
    for (auto [input, registers] :
         llvm::zip(op.getInputs(), adaptor.getInputs()))
      inputs.push_back(unpackRegisters(
          rewriter, loc, cast<FragType>(input.getType()), registers));
    Block &body = op.getBody().front();
    SmallVector<Value> elements;
    for (int64_t index = 0; index < result.getElementsPerLane(); ++index) {
      IRMapping mapping;
      for (auto [argument, values] : llvm::zip(body.getArguments(), inputs))
        mapping.map(argument, values[index]);
      for (Operation &scalar : body.without_terminator())
        rewriter.clone(scalar, mapping);
      Value yielded = cast<YieldOp>(body.getTerminator()).getValue();
      elements.push_back(mapping.lookupOrDefault(yielded));
    }
    rewriter.replaceOpWithMultiple(
        op, {packRegisters(rewriter, loc, result, elements)});
    return success();
  }

  static SmallVector<Value> products(OpBuilder &builder, MapOp op,
                                     OneToNOpAdaptor adaptor) {
    Location loc = op.getLoc();
    auto pair = VectorType::get({2}, op.getResult().getType().getElementType());
    SmallVector<Value> registers;
    for (auto [a, b] :
         llvm::zip(adaptor.getInputs()[0], adaptor.getInputs()[1])) {
      Value product = LLVM::FMulOp::create(
          builder, loc, LLVM::BitcastOp::create(builder, loc, pair, a),
          LLVM::BitcastOp::create(builder, loc, pair, b));
      registers.push_back(
          LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), product));
    }
    return registers;
  }
};

} // namespace

void mlir::sftile::populateFragmentPatterns(
    const SFTileTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<MmaLowering, SliceLowering, ConcatLowering, SelectLowering,
               MapLowering>(converter, patterns.getContext());
}
