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
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::sftile;

namespace {

static Value combine(OpBuilder &builder, Location loc, Reduction kind, Value a,
                     Value b) {
  if (kind == Reduction::Max)
    return arith::MaxNumFOp::create(builder, loc, a, b);
  return arith::AddFOp::create(builder, loc, a, b);
}

/// First over the registers of a lane, then, where the result has one column,
/// over the lanes of a row by exchanges across growing distances.
struct ReduceLowering : public OpConversionPattern<ReduceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ReduceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Integers ints(rewriter, loc);
    FragType source = op.getSource().getType(),
             result = op.getResult().getType();
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
    FragType source = op.getSource().getType(),
             result = op.getResult().getType();
    DenseMap<int64_t, Value> rows;
    for (auto [index, value] : llvm::enumerate(adaptor.getSource()))
      rows[source.getPosition(index).row] = value;
    SmallVector<Value> results;
    for (int64_t index = 0; index < result.getElementsPerLane(); ++index)
      results.push_back(rows.lookup(result.getPosition(index).row));
    rewriter.replaceOpWithMultiple(op, {results});
    return success();
  }
};

/// One load for each row of a lane.
struct LoadRowsLowering : public OpConversionPattern<LoadRowsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(LoadRowsOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Integers ints(rewriter, loc);
    TileType tile = op.getTile().getType();
    FragType result = op.getResult().getType();
    Type element = tile.getElementType();
    int64_t bytes = element.getIntOrFloatBitWidth() / 8;
    Value lane = emitLaneId(rewriter, loc);
    Value first =
        emitLanePosition(rewriter, loc, result.getLayout().getLayout(), lane)
            .first;
    Value row = ints.toI32(adaptor.getRow().front());
    Value col = ints.add(ints.toI32(adaptor.getCol().front()), first);
    SmallVector<Value> values;
    for (int64_t index = 0; index < result.getElementsPerLane(); ++index) {
      Value offset =
          emitTileOffset(rewriter, loc, tile, row,
                         ints.add(col, result.getPosition(index).row));
      Value value = LLVM::LoadOp::create(
          rewriter, loc, element,
          ints.advance(adaptor.getTile().front(), offset), bytes);
      if (!element.isF32())
        value =
            arith::ExtFOp::create(rewriter, loc, rewriter.getF32Type(), value);
      values.push_back(value);
    }
    rewriter.replaceOpWithMultiple(op, {values});
    return success();
  }
};

struct ReinterpretLowering : public OpConversionPattern<ReinterpretOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ReinterpretOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(op,
                                   {SmallVector<Value>(adaptor.getSource())});
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

/// As a load by a matrix instruction, of the transposed matrices: lane l gives
/// the address of row l % 8, a column of the fragment, of matrix l / 8.
struct LoadTransposedLowering : public OpConversionPattern<LoadTransposedOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(LoadTransposedOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Integers ints(rewriter, loc);
    Value tile = adaptor.getTile().front();
    Value row = ints.toI32(adaptor.getRow().front());
    Value col = ints.toI32(adaptor.getCol().front());
    std::optional<int64_t> fixedRow = getConstantIntValue(op.getRow()),
                           fixedCol = getConstantIntValue(op.getCol());
    Coord from;
    if (fixedRow && fixedCol) {
      from = {*fixedRow, *fixedCol};
      row = col = ints.i32(0);
    }
    FragType frag = op.getFrag().getType();
    int64_t count = frag.getRegistersPerLane();
    Value lane = emitLaneId(rewriter, loc);
    Value rowInMatrix = ints.rem(lane, 8);
    SmallVector<Value> registers;
    for (int64_t first = 0; first < count;) {
      int64_t group = std::min(op.getAtom().getMaxMatrices(), count - first);
      while (!isGrid(frag, first, group))
        group /= 2;
      // The corner of this lane's matrix, relative to the first one's.
      Coord corner = frag.getPosition(2 * first);
      Value matrixRow = ints.i32(0), matrixCol = ints.i32(0);
      for (int64_t bit = 0; (int64_t(1) << bit) < group; ++bit) {
        Coord other = frag.getPosition(2 * (first + (int64_t(1) << bit)));
        Value chosen = ints.rem(ints.div(lane, int64_t(8) << bit), 2);
        if (other.col != corner.col)
          matrixRow =
              ints.add(matrixRow, ints.mul(chosen, other.col - corner.col));
        if (other.row != corner.row)
          matrixCol =
              ints.add(matrixCol, ints.mul(chosen, other.row - corner.row));
      }
      Coord start = {from.row + corner.col, from.col + corner.row};
      Value address =
          emitTileAddress(rewriter, loc, op.getTile().getType(), tile, start,
                          ints.add(ints.add(row, rowInMatrix), matrixRow),
                          ints.add(col, matrixCol));
      llvm::append_range(
          registers, op.getAtom().emit(rewriter, loc, address, group, true));
      first += group;
    }
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }

  /// True if the matrices stand at the corners of a line or a rectangle.
  static bool isGrid(FragType frag, int64_t first, int64_t group) {
    if (group == 3)
      return false;
    if (group < 4)
      return true;
    Coord a = frag.getPosition(2 * first),
          b = frag.getPosition(2 * (first + 1)),
          c = frag.getPosition(2 * (first + 2)),
          d = frag.getPosition(2 * (first + 3));
    return d.row - a.row == (b.row - a.row) + (c.row - a.row) &&
           d.col - a.col == (b.col - a.col) + (c.col - a.col);
  }
};

/// Elements of a lane that are neighbours in a row, up to `width` bytes.
static int64_t runLength(FragType frag, int64_t width) {
  int64_t bytes = frag.getElementType().getIntOrFloatBitWidth() / 8;
  return std::min(frag.getLayout().getLayout().contiguousRun(
                      /*alongRows=*/false),
                  width / bytes);
}

struct PutRowsLowering : public OpConversionPattern<PutRowsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(PutRowsOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Integers ints(rewriter, loc);
    FragType frag = op.getFrag().getType();
    int64_t bytes = frag.getElementType().getIntOrFloatBitWidth() / 8;
    int64_t length = runLength(frag, 16);
    Value row = ints.toI32(adaptor.getRow().front());
    Value col = ints.toI32(adaptor.getCol().front());
    auto [laneRow, laneCol] = emitLanePosition(
        rewriter, loc, frag.getLayout().getLayout(), emitLaneId(rewriter, loc));
    SmallVector<Value> elements =
        unpackRegisters(rewriter, loc, frag, adaptor.getFrag());
    // Nobody may still be reading what the tile held before.
    NVVM::SyncWarpOp::create(rewriter, loc, ints.i32(-1));
    for (int64_t index = 0; index < frag.getElementsPerLane();
         index += length) {
      Coord position = frag.getPosition(index);
      Value offset =
          emitTileOffset(rewriter, loc, op.getTile().getType(),
                         ints.add(ints.add(row, laneRow), position.row),
                         ints.add(ints.add(col, laneCol), position.col));
      Value vector = joinVector(rewriter, loc,
                                ArrayRef<Value>(elements).slice(index, length));
      LLVM::StoreOp::create(rewriter, loc, vector,
                            ints.advance(adaptor.getTile().front(), offset),
                            length * bytes);
    }
    NVVM::SyncWarpOp::create(rewriter, loc, ints.i32(-1));
    rewriter.eraseOp(op);
    return success();
  }
};

/// Where the elements of a fragment stand in a view, row by row.
class DirectAddress {
public:
  DirectAddress(OpBuilder &builder, Location loc, FragType frag,
                const ViewParts &view, Value row, Value col)
      : ints(builder, loc), view(view),
        bytes(frag.getElementType().getIntOrFloatBitWidth() / 8) {
    auto [laneRow, laneCol] = emitLanePosition(
        builder, loc, frag.getLayout().getLayout(), emitLaneId(builder, loc));
    firstRow = ints.add(row, ints.toI64(laneRow));
    firstCol = ints.add(col, ints.toI64(laneCol));
  }
  Value rowOf(Coord position) { return ints.add(firstRow, position.row); }
  Value colOf(Coord position) { return ints.add(firstCol, position.col); }
  Value at(Value row, Value col) {
    Value element = ints.add(ints.mul(row, view.pitch), col);
    return ints.advance(view.pointer, ints.mul(element, bytes));
  }

  Integers ints;
  ViewParts view;
  int64_t bytes;

private:
  Value firstRow, firstCol;
};

struct LoadDirectLowering : public OpConversionPattern<LoadDirectOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(LoadDirectOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    FragType frag = op.getFrag().getType();
    DirectAddress address(rewriter, loc, frag, ViewParts(adaptor.getView()),
                          adaptor.getRow().front(), adaptor.getCol().front());
    Integers &ints = address.ints;
    int64_t length = runLength(frag, op.getWidth());
    Type element = frag.getElementType();
    Type type = length == 1 ? element : VectorType::get({length}, element);
    SmallVector<Value> elements;
    for (int64_t index = 0; index < frag.getElementsPerLane();
         index += length) {
      Coord position = frag.getPosition(index);
      // What lies outside is moved back to the last vector inside.
      Value row =
          ints.min(address.rowOf(position), ints.add(address.view.rows, -1));
      Value col = ints.min(address.colOf(position),
                           ints.add(address.view.cols, -length));
      Value loaded = LLVM::LoadOp::create(
          rewriter, loc, type, address.at(row, col), length * address.bytes);
      llvm::append_range(elements, splitVector(rewriter, loc, loaded));
    }
    rewriter.replaceOpWithMultiple(
        op, {packRegisters(rewriter, loc, frag, elements)});
    return success();
  }
};

struct StoreDirectLowering : public OpConversionPattern<StoreDirectOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(StoreDirectOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    FragType frag = op.getFrag().getType();
    DirectAddress address(rewriter, loc, frag, ViewParts(adaptor.getView()),
                          adaptor.getRow().front(), adaptor.getCol().front());
    Integers &ints = address.ints;
    int64_t length = runLength(frag, op.getWidth());
    SmallVector<Value> elements =
        unpackRegisters(rewriter, loc, frag, adaptor.getFrag());
    // Of lanes that hold the same elements the first one stores.
    int64_t copies = 0;
    for (auto [bit, basis] :
         llvm::enumerate(frag.getLayout().getLayout().laneBits()))
      if (basis == Coord{})
        copies |= int64_t(1) << bit;
    Value mine;
    if (copies) {
      Value number = ints.bitAnd(emitLaneId(rewriter, loc), ints.i32(copies));
      mine = ints.less(number, ints.i32(1));
    }
    // Row by row, so that a row is tested once.
    llvm::MapVector<int64_t, SmallVector<int64_t>> rows;
    for (int64_t index = 0; index < frag.getElementsPerLane(); index += length)
      rows[frag.getPosition(index).row].push_back(index);
    for (auto &[number, indices] : rows) {
      Value row = address.rowOf({number, 0});
      Value inside = ints.less(row, address.view.rows);
      if (mine)
        inside = ints.both(inside, mine);
      emitIf(rewriter, loc, inside, [&, &indices = indices](OpBuilder &) {
        for (int64_t index : indices) {
          Value col = address.colOf(frag.getPosition(index));
          Value vector = joinVector(
              rewriter, loc, ArrayRef<Value>(elements).slice(index, length));
          emitIf(rewriter, loc, ints.less(col, address.view.cols),
                 [&](OpBuilder &builder) {
                   LLVM::StoreOp::create(builder, loc, vector,
                                         address.at(row, col),
                                         length * address.bytes);
                 });
        }
      });
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mlir::sftile::populateRowPatterns(const SFTileTypeConverter &converter,
                                       RewritePatternSet &patterns) {
  patterns.add<ReduceLowering, BroadcastLowering, LoadRowsLowering,
               ReinterpretLowering, PositionsLowering, LoadTransposedLowering,
               PutRowsLowering, LoadDirectLowering, StoreDirectLowering>(
      converter, patterns.getContext());
}
