//===- ConvertLayoutPatterns.cpp - From one layout to another -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::sftile;

/// True if every register is an 8x8 matrix of 16-bit elements with two
/// neighbouring columns a lane, which is what matrix instructions move.
static bool isMatrices(FragType frag) {
  static const Coord lanes[] = {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}};
  LinearLayout layout = frag.getLayout().getLayout();
  return frag.getElementType().getIntOrFloatBitWidth() == 16 &&
         layout.contiguousRun(/*alongRows=*/false) >= 2 &&
         layout.laneBits() == ArrayRef<Coord>(lanes) &&
         llvm::all_of(layout.registerBits().drop_front(), [](Coord basis) {
           return basis.row % 8 == 0 && basis.col % 8 == 0;
         });
}

/// Calls `move` for groups of matrices with the address that this lane gives:
/// row l % 8 of matrix l / 8. Rows of memory are columns of the fragment.
static void moveMatrices(OpBuilder &builder, Location loc, TileType tile,
                         Value scratch, Value row0, Value col0, FragType frag,
                         int64_t most,
                         function_ref<void(Value, int64_t, int64_t)> move) {
  Integers ints(builder, loc);
  Value lane = emitLaneId(builder, loc);
  Value number = ints.div(lane, 8), inside = ints.rem(lane, 8);
  int64_t count = frag.getRegistersPerLane();
  for (int64_t first = 0; first < count;) {
    int64_t group = std::min(most, count - first);
    if (group == 3)
      group = 2;
    // Choose among at most four corners by the lane's matrix number.
    Value row = ints.i32(frag.getPosition(2 * first).row);
    Value col = ints.i32(frag.getPosition(2 * first).col);
    for (int64_t matrix = 1; matrix < group; ++matrix) {
      Coord corner = frag.getPosition(2 * (first + matrix));
      Value chosen = ints.less(ints.i32(matrix - 1), number);
      row = ints.select(chosen, ints.i32(corner.row), row);
      col = ints.select(chosen, ints.i32(corner.col), col);
    }
    Value offset = emitTileOffset(builder, loc, tile,
                                  ints.add(ints.add(row0, col), inside),
                                  ints.add(col0, row));
    move(ints.advance(scratch, offset), first, group);
    first += group;
  }
}

/// Elements of `frag` that are neighbours in registers and in memory: at most
/// the 16 bytes of one access.
static int64_t vectorLength(FragType frag) {
  int64_t bytes = frag.getElementType().getIntOrFloatBitWidth() / 8;
  return std::min(
      frag.getLayout().getLayout().contiguousRun(/*alongRows=*/true),
      16 / bytes);
}

/// Calls `visit` with the address of every vector of the fragment.
static void forEachVector(OpBuilder &builder, Location loc, TileType tile,
                          Value scratch, Value row0, Value col0, FragType frag,
                          int64_t length,
                          function_ref<void(Value, int64_t)> visit) {
  Integers ints(builder, loc);
  auto [laneRow, laneCol] = emitLanePosition(
      builder, loc, frag.getLayout().getLayout(), emitLaneId(builder, loc));
  for (int64_t index = 0; index < frag.getElementsPerLane(); index += length) {
    Coord position = frag.getPosition(index);
    Value offset = emitTileOffset(
        builder, loc, tile, ints.add(ints.add(row0, laneCol), position.col),
        ints.add(ints.add(col0, laneRow), position.row));
    visit(ints.advance(scratch, offset), index);
  }
}

static void storeElements(OpBuilder &builder, Location loc, TileType tile,
                          Value scratch, Value row0, Value col0, FragType frag,
                          ValueRange registers) {
  int64_t length = vectorLength(frag);
  int64_t bytes = frag.getElementType().getIntOrFloatBitWidth() / 8;
  SmallVector<Value> elements = unpackRegisters(builder, loc, frag, registers);
  forEachVector(
      builder, loc, tile, scratch, row0, col0, frag, length,
      [&](Value address, int64_t index) {
        Value vector = joinVector(
            builder, loc, ArrayRef<Value>(elements).slice(index, length));
        LLVM::StoreOp::create(builder, loc, vector, address, length * bytes);
      });
}

static SmallVector<Value> loadElements(OpBuilder &builder, Location loc,
                                       TileType tile, Value scratch, Value row0,
                                       Value col0, FragType frag) {
  int64_t length = vectorLength(frag);
  Type element = frag.getElementType();
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  Type type = length == 1 ? element : VectorType::get({length}, element);
  SmallVector<Value> elements;
  forEachVector(
      builder, loc, tile, scratch, row0, col0, frag, length,
      [&](Value address, int64_t index) {
        Value vector =
            LLVM::LoadOp::create(builder, loc, type, address, length * bytes);
        llvm::append_range(elements, splitVector(builder, loc, vector));
      });
  return packRegisters(builder, loc, frag, elements);
}

void mlir::sftile::emitTransposedStore(OpBuilder &builder, Location loc,
                                       TileType tile, Value address, Value row,
                                       Value col, FragType frag,
                                       ValueRange registers, Attribute atom) {
  auto storer = dyn_cast_or_null<MatrixAtomInterface>(atom);
  if (!storer || !storer.isStore() || !isMatrices(frag))
    return storeElements(builder, loc, tile, address, row, col, frag,
                         registers);
  moveMatrices(builder, loc, tile, address, row, col, frag,
               storer.getMaxMatrices(),
               [&](Value place, int64_t first, int64_t count) {
                 storer.emitStore(builder, loc, place,
                                  registers.slice(first, count), true);
               });
}

SmallVector<Value> mlir::sftile::emitTransposedLoad(OpBuilder &builder,
                                                    Location loc, TileType tile,
                                                    Value address, Value row,
                                                    Value col, FragType frag,
                                                    Attribute atom) {
  auto loader = dyn_cast_or_null<MatrixAtomInterface>(atom);
  if (!loader || loader.isStore() || !isMatrices(frag))
    return loadElements(builder, loc, tile, address, row, col, frag);
  SmallVector<Value> registers;
  moveMatrices(
      builder, loc, tile, address, row, col, frag, loader.getMaxMatrices(),
      [&](Value place, int64_t first, int64_t count) {
        llvm::append_range(registers,
                           loader.emitLoad(builder, loc, place, count, true));
      });
  return registers;
}

namespace {
/// Elements that move travel through the warp's scratch tile, in which a column
/// of the fragment is a row.
struct ConvertLayoutLowering : public OpConversionPattern<ConvertLayoutOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ConvertLayoutOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getScratch()) {
      rewriter.replaceOpWithMultiple(op,
                                     {SmallVector<Value>(adaptor.getSource())});
      return success();
    }
    Location loc = op.getLoc();
    Value scratch = adaptor.getScratch().front();
    TileType tile = op.getScratch().getType();
    FragType source = op.getSource().getType(),
             result = op.getResult().getType();
    Attribute atom = op.getAtomAttr();
    // Nobody may still be reading what the scratch held before.
    emitWarpBarrier(rewriter, loc);
    Value zero = Integers(rewriter, loc).i32(0);
    emitTransposedStore(rewriter, loc, tile, scratch, zero, zero, source,
                        adaptor.getSource(), atom);
    emitWarpBarrier(rewriter, loc);
    SmallVector<Value> registers = emitTransposedLoad(
        rewriter, loc, tile, scratch, zero, zero, result, atom);
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }

  static void emitWarpBarrier(OpBuilder &builder, Location loc) {
    NVVM::SyncWarpOp::create(builder, loc, Integers(builder, loc).i32(-1));
  }
};

} // namespace

void mlir::sftile::populateConvertLayoutPatterns(
    const SFTileTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ConvertLayoutLowering>(converter, patterns.getContext());
}
