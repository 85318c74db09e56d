//===- GlobalPatterns.cpp - Fragments from and to global memory ---------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sftile;

namespace {

/// Computes where the elements of a fragment stand in a view.
class GlobalAddress {
public:
  GlobalAddress(OpBuilder &builder, Location loc, FragType frag,
                const ViewParts &view, Value row, Value col)
      : ints(builder, loc), view(view),
        bytes(frag.getElementType().getIntOrFloatBitWidth() / 8) {
    Value lane = emitLaneId(builder, loc);
    auto [laneRow, laneCol] =
        emitLanePosition(builder, loc, frag.getLayout().getLayout(), lane);
    feature = ints.add(row, ints.toI64(laneRow));
    token = ints.add(col, ints.toI64(laneCol));
  }

  Value featureOf(Coord position) { return ints.add(feature, position.row); }
  Value tokenOf(Coord position) { return ints.add(token, position.col); }

  /// The address of (row, col) of the view.
  Value at(Value row, Value col) {
    Value element = ints.add(ints.mul(row, view.pitch), col);
    return ints.advance(view.pointer, ints.mul(element, bytes));
  }

  Integers ints;
  ViewParts view;
  int64_t bytes;

private:
  Value feature, token;
};

/// Elements that one access may move: as many as lie side by side both in the
/// registers and in memory, up to `width` bytes.
static int64_t vectorLength(FragType frag, int64_t width) {
  int64_t bytes = frag.getElementType().getIntOrFloatBitWidth() / 8;
  return std::min(
      frag.getLayout().getLayout().contiguousRun(/*alongRows=*/true),
      width / bytes);
}

struct LoadGlobalLowering : public OpConversionPattern<LoadGlobalOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LoadGlobalOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    FragType frag = op.getFrag().getType();
    GlobalAddress address(rewriter, op.getLoc(), frag,
                          ViewParts(adaptor.getView()),
                          adaptor.getRow().front(), adaptor.getCol().front());
    Access access = op.getAccess();
    bool alongRows = access == Access::Transposed || access == Access::Row;
    int64_t length = alongRows ? vectorLength(frag, op.getWidth()) : 1;
    // Elements that share their place in memory are loaded once.
    DenseMap<std::pair<int64_t, int64_t>, SmallVector<Value>> loaded;
    SmallVector<Value> elements;
    for (int64_t index = 0; index < frag.getElementsPerLane();
         index += length) {
      Coord position = frag.getPosition(index);
      bool alongCols = access == Access::Transposed || access == Access::Col ||
                       access == Access::Straight;
      std::pair<int64_t, int64_t> key = {
          alongRows || access == Access::Straight ? position.row : 0,
          alongCols ? position.col : 0};
      SmallVector<Value> &values = loaded[key];
      if (values.empty())
        values = load(rewriter, op, address, position, length);
      llvm::append_range(elements, values);
    }
    rewriter.replaceOpWithMultiple(
        op, {packRegisters(rewriter, op.getLoc(), frag, elements)});
    return success();
  }

  /// Loads the elements from `position` on. An index past the end is moved back
  /// to the last vector inside.
  static SmallVector<Value> load(OpBuilder &builder, LoadGlobalOp op,
                                 GlobalAddress &address, Coord position,
                                 int64_t length) {
    Integers &ints = address.ints;
    Location loc = op.getLoc();
    Access access = op.getAccess();
    Value row = ints.i64(0), col = ints.i64(0);
    if (access == Access::Straight) {
      row = address.featureOf(position);
      if (!op.getFeaturesInBounds())
        row = ints.min(row, ints.add(address.view.rows, -1));
      col =
          ints.min(address.tokenOf(position), ints.add(address.view.cols, -1));
    }
    if (access == Access::Transposed || access == Access::Col)
      row =
          ints.min(address.tokenOf(position), ints.add(address.view.rows, -1));
    if (access == Access::Transposed || access == Access::Row) {
      col = address.featureOf(position);
      if (!op.getFeaturesInBounds())
        col = ints.min(col, ints.add(address.view.cols, -length));
    }
    Type element = op.getFrag().getType().getElementType();
    Type type = length == 1 ? element : VectorType::get({length}, element);
    Value loaded = LLVM::LoadOp::create(
        builder, loc, type, address.at(row, col), length * address.bytes);
    return splitVector(builder, loc, loaded);
  }
};

struct StoreLowering : public OpConversionPattern<StoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(StoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    FragType frag = op.getFrag().getType();
    GlobalAddress address(rewriter, loc, frag, ViewParts(adaptor.getView()),
                          adaptor.getRow().front(), adaptor.getCol().front());
    Integers &ints = address.ints;
    int64_t length = vectorLength(frag, op.getWidth());
    SmallVector<Value> elements =
        unpackRegisters(rewriter, loc, frag, adaptor.getFrag());
    for (int64_t index = 0; index < frag.getElementsPerLane();
         index += length) {
      Coord position = frag.getPosition(index);
      Value token = address.tokenOf(position);
      Value feature = address.featureOf(position);
      Value inside = ints.less(token, address.view.rows);
      if (!op.getFeaturesInBounds())
        inside = ints.both(inside, ints.less(feature, address.view.cols));
      Value vector = joinVector(rewriter, loc,
                                ArrayRef<Value>(elements).slice(index, length));
      scf::IfOp::create(rewriter, loc, inside,
                        [&](OpBuilder &builder, Location l) {
                          LLVM::StoreOp::create(builder, l, vector,
                                                address.at(token, feature),
                                                length * address.bytes);
                          scf::YieldOp::create(builder, l);
                        });
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mlir::sftile::populateGlobalPatterns(const SFTileTypeConverter &converter,
                                          RewritePatternSet &patterns) {
  patterns.add<LoadGlobalLowering, StoreLowering>(converter,
                                                  patterns.getContext());
}
