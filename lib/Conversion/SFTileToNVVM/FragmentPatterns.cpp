//===- FragmentPatterns.cpp - Loads, products and maps of fragments -----===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::sftile;

namespace {

/// Loads by a matrix instruction: register j of the fragment is the 8x8 matrix
/// whose corner is the position of its first element, and lane l gives the
/// address of row l % 8 of matrix l / 8.
struct LoadLowering : public OpConversionPattern<LoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Integers ints(rewriter, op.getLoc());
    Value tile = adaptor.getTile().front();
    Value row = ints.toI32(adaptor.getRow().front());
    Value col = ints.toI32(adaptor.getCol().front());
    SmallVector<Value> registers =
        op.getAtom() ? loadMatrices(rewriter, op, tile, row, col)
                     : loadElements(rewriter, op, tile, row, col);
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }

  static SmallVector<Value> loadMatrices(OpBuilder &builder, LoadOp op,
                                         Value tile, Value row, Value col) {
    Location loc = op.getLoc();
    Integers ints(builder, loc);
    FragType frag = op.getFrag().getType();
    TileType tileType = op.getTile().getType();
    int64_t count = frag.getRegistersPerLane();
    Value lane = emitLaneId(builder, loc);
    Value rowInMatrix = ints.rem(lane, 8);
    SmallVector<Value> registers;
    for (int64_t first = 0; first < count;) {
      int64_t group = std::min(op.getAtom()->getMaxMatrices(), count - first);
      while (!isGrid(frag, first, group))
        group /= 2;
      // The corner of this lane's matrix, relative to the first one's.
      Coord corner = frag.getPosition(perRegister(frag) * first);
      Value matrixRow = ints.i32(0), matrixCol = ints.i32(0);
      for (int64_t bit = 0; (int64_t(1) << bit) < group; ++bit) {
        Coord other =
            frag.getPosition(perRegister(frag) * (first + (int64_t(1) << bit)));
        Value chosen = ints.rem(ints.div(lane, int64_t(8) << bit), 2);
        if (other.row != corner.row)
          matrixRow =
              ints.add(matrixRow, ints.mul(chosen, other.row - corner.row));
        if (other.col != corner.col)
          matrixCol =
              ints.add(matrixCol, ints.mul(chosen, other.col - corner.col));
      }
      Value address;
      std::optional<int64_t> fixedRow = getConstantIntValue(op.getRow()),
                             fixedCol = getConstantIntValue(op.getCol());
      if (fixedRow && fixedCol) {
        Coord from = {*fixedRow + corner.row, *fixedCol + corner.col};
        address = emitTileAddress(builder, loc, tileType, tile, from,
                                  ints.add(rowInMatrix, matrixRow), matrixCol);
      } else {
        Value laneRow = ints.add(ints.add(row, rowInMatrix),
                                 ints.add(matrixRow, corner.row));
        Value laneCol = ints.add(ints.add(col, matrixCol), corner.col);
        address = ints.advance(
            tile, emitTileOffset(builder, loc, tileType, laneRow, laneCol));
      }
      llvm::append_range(
          registers, op.getAtom()->emit(builder, loc, address, group, false));
      first += group;
    }
    return registers;
  }

  /// Elements that share a register.
  static int64_t perRegister(FragType frag) {
    return 32 / frag.getElementType().getIntOrFloatBitWidth();
  }

  /// True if matrices `first` to `first + group - 1` stand at the corners of a
  /// line or a rectangle, so that the bits of the lane number place them.
  static bool isGrid(FragType frag, int64_t first, int64_t group) {
    if (group == 3)
      return false;
    if (group < 4)
      return true;
    int64_t held = perRegister(frag);
    Coord a = frag.getPosition(held * first),
          b = frag.getPosition(held * (first + 1)),
          c = frag.getPosition(held * (first + 2)),
          d = frag.getPosition(held * (first + 3));
    return d.row - a.row == (b.row - a.row) + (c.row - a.row) &&
           d.col - a.col == (b.col - a.col) + (c.col - a.col);
  }

  static SmallVector<Value> loadElements(OpBuilder &builder, LoadOp op,
                                         Value tile, Value row, Value col) {
    Location loc = op.getLoc();
    Integers ints(builder, loc);
    FragType frag = op.getFrag().getType();
    Value lane = emitLaneId(builder, loc);
    auto [laneRow, laneCol] =
        emitLanePosition(builder, loc, frag.getLayout().getLayout(), lane);
    Type element = frag.getElementType();
    int64_t bytes = element.getIntOrFloatBitWidth() / 8;
    // Words of a unit are adjacent in memory; elements of rows may be swizzled.
    int64_t length = 1;
    Order order = op.getTile().getType().getOrder();
    if (order == Order::Ternary || order == Order::Metadata24)
      length = std::min<int64_t>(
          frag.getLayout().getLayout().contiguousRun(/*alongRows=*/false),
          16 / bytes);
    Type type = length == 1 ? element : VectorType::get({length}, element);
    SmallVector<Value> elements;
    for (int64_t index = 0; index < frag.getElementsPerLane();
         index += length) {
      Coord position = frag.getPosition(index);
      Value offset =
          emitTileOffset(builder, loc, op.getTile().getType(),
                         ints.add(ints.add(row, laneRow), position.row),
                         ints.add(ints.add(col, laneCol), position.col));
      Value loaded = LLVM::LoadOp::create(
          builder, loc, type, ints.advance(tile, offset), bytes * length);
      llvm::append_range(elements, splitVector(builder, loc, loaded));
    }
    return packRegisters(builder, loc, frag, elements);
  }
};

struct SplatLowering : public OpConversionPattern<SplatOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(SplatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    FragType frag = op.getFrag().getType();
    SmallVector<Value> elements(frag.getElementsPerLane(), adaptor.getScalar());
    rewriter.replaceOpWithMultiple(
        op, {packRegisters(rewriter, op.getLoc(), frag, elements)});
    return success();
  }
};

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
    FragType source = op.getSource().getType(),
             result = op.getResult().getType();
    Coord tile = source.getLayout().getLayout().tileShape();
    int64_t firstRow = op.getRow() / tile.row,
            firstCol = op.getCol() / tile.col;
    SmallVector<Value> registers;
    for (int64_t row = 0; row < result.getTileRows(); ++row)
      for (int64_t col = 0; col < result.getTileCols(); ++col)
        llvm::append_range(registers,
                           tileRegisters(source, adaptor.getSource(),
                                         firstRow + row, firstCol + col));
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

/// Repeats the region for every element that a lane holds.
struct MapLowering : public OpConversionPattern<MapOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MapOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    FragType result = op.getResult().getType();
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
};

} // namespace

void mlir::sftile::populateFragmentPatterns(
    const SFTileTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<LoadLowering, SplatLowering, MmaLowering, SliceLowering,
               ConcatLowering, SelectLowering, MapLowering>(
      converter, patterns.getContext());
}
