//===- LoadStorePatterns.cpp - Fragments from and to memory -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads and stores of tiles in shared memory, one function an access; those of
// views are in GlobalAccess.cpp.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

using namespace mlir;
using namespace mlir::sftile;

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

namespace {

/// An access to a tile from (row, col), i32, on.
struct TileAccess {
  OpBuilder &builder;
  Location loc;
  TileType type;
  Value tile, row, col;
  FragType frag;
};

} // namespace

/// Calls `move` for groups of matrices that one instruction moves, with the
/// address that this lane gives. Register j of a fragment is the 8x8 matrix
/// whose corner is the position of its first element; lane l gives the address
/// of row l % 8 of matrix l / 8. Matrices of a transposed fragment are
/// transposed on the way.
template <typename OpT>
static void moveMatrices(const TileAccess &access, OpT op,
                         function_ref<void(Value, int64_t, int64_t)> move) {
  OpBuilder &builder = access.builder;
  Location loc = access.loc;
  Integers ints(builder, loc);
  FragType frag = access.frag;
  // Where register `number` begins in the tile.
  auto cornerOf = [&](int64_t number) -> Coord {
    Coord corner = frag.getPosition(perRegister(frag) * number);
    return op.getAccess() == Access::Transposed ? Coord{corner.col, corner.row}
                                                : corner;
  };
  std::optional<int64_t> fixedRow = getConstantIntValue(op.getRow()),
                         fixedCol = getConstantIntValue(op.getCol());
  int64_t count = frag.getRegistersPerLane();
  Value lane = emitLaneId(builder, loc);
  Value rowInMatrix = ints.rem(lane, 8);
  for (int64_t first = 0; first < count;) {
    int64_t group = std::min(op.getAtom()->getMaxMatrices(), count - first);
    while (!isGrid(frag, first, group))
      group /= 2;
    // The corner of this lane's matrix, relative to the first one's.
    Coord corner = cornerOf(first);
    Value matrixRow = ints.i32(0), matrixCol = ints.i32(0);
    for (int64_t bit = 0; (int64_t(1) << bit) < group; ++bit) {
      Coord other = cornerOf(first + (int64_t(1) << bit));
      Value chosen = ints.rem(ints.div(lane, int64_t(8) << bit), 2);
      if (other.row != corner.row)
        matrixRow =
            ints.add(matrixRow, ints.mul(chosen, other.row - corner.row));
      if (other.col != corner.col)
        matrixCol =
            ints.add(matrixCol, ints.mul(chosen, other.col - corner.col));
    }
    Value address;
    if (fixedRow && fixedCol) {
      Coord from = {*fixedRow + corner.row, *fixedCol + corner.col};
      address = emitTileAddress(builder, loc, access.type, access.tile, from,
                                ints.add(rowInMatrix, matrixRow), matrixCol);
    } else if (isa<StoreOp>(op)) {
      // Several stores begin at one place: what is between them is constant.
      address = emitTileAddress(
          builder, loc, access.type, access.tile, corner,
          ints.add(ints.add(access.row, rowInMatrix), matrixRow),
          ints.add(access.col, matrixCol));
    } else {
      Value laneRow = ints.add(ints.add(access.row, rowInMatrix),
                               ints.add(matrixRow, corner.row));
      Value laneCol = ints.add(ints.add(access.col, matrixCol), corner.col);
      address =
          ints.advance(access.tile, emitTileOffset(builder, loc, access.type,
                                                   laneRow, laneCol));
    }
    move(address, first, group);
    first += group;
  }
}

static SmallVector<Value> loadMatrices(const TileAccess &access, LoadOp op) {
  SmallVector<Value> registers;
  moveMatrices(access, op, [&](Value address, int64_t, int64_t count) {
    llvm::append_range(
        registers,
        op.getAtom()->emitLoad(access.builder, access.loc, address, count,
                               op.getAccess() == Access::Transposed));
  });
  return registers;
}

static void storeMatrices(const TileAccess &access, StoreOp op,
                          ValueRange registers) {
  moveMatrices(access, op, [&](Value address, int64_t first, int64_t count) {
    op.getAtom()->emitStore(access.builder, access.loc, address,
                            registers.slice(first, count),
                            op.getAccess() == Access::Transposed);
  });
}

/// Calls `visit` with the address and the number of the first of every `length`
/// elements of a lane, whose rows are rows of the tile.
static void forEachVector(const TileAccess &access, int64_t length,
                          function_ref<void(Value, int64_t)> visit) {
  OpBuilder &builder = access.builder;
  Integers ints(builder, access.loc);
  FragType frag = access.frag;
  auto [laneRow, laneCol] =
      emitLanePosition(builder, access.loc, frag.getLayout().getLayout(),
                       emitLaneId(builder, access.loc));
  for (int64_t index = 0; index < frag.getElementsPerLane(); index += length) {
    Coord position = frag.getPosition(index);
    Value offset =
        emitTileOffset(builder, access.loc, access.type,
                       ints.add(ints.add(access.row, laneRow), position.row),
                       ints.add(ints.add(access.col, laneCol), position.col));
    visit(ints.advance(access.tile, offset), index);
  }
}

/// Elements of a lane that are neighbours in a row, up to 16 bytes.
static int64_t runLength(FragType frag) {
  int64_t bytes = frag.getElementType().getIntOrFloatBitWidth() / 8;
  return std::min(
      frag.getLayout().getLayout().contiguousRun(/*alongRows=*/false),
      16 / bytes);
}

static SmallVector<Value> loadElements(const TileAccess &access) {
  Type element = access.frag.getElementType();
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  // Words of a unit are adjacent in memory; elements of rows may be swizzled.
  Order order = access.type.getOrder();
  bool areWords = order == Order::Ternary || order == Order::Metadata24;
  int64_t length = areWords ? runLength(access.frag) : 1;
  Type type = length == 1 ? element : VectorType::get({length}, element);
  SmallVector<Value> elements;
  forEachVector(access, length, [&](Value address, int64_t) {
    Value loaded = LLVM::LoadOp::create(access.builder, access.loc, type,
                                        address, bytes * length);
    llvm::append_range(elements,
                       splitVector(access.builder, access.loc, loaded));
  });
  return packRegisters(access.builder, access.loc, access.frag, elements);
}

static void storeElements(const TileAccess &access, ValueRange registers) {
  OpBuilder &builder = access.builder;
  int64_t bytes = access.frag.getElementType().getIntOrFloatBitWidth() / 8;
  int64_t length = runLength(access.frag);
  SmallVector<Value> elements =
      unpackRegisters(builder, access.loc, access.frag, registers);
  forEachVector(access, length, [&](Value address, int64_t index) {
    Value vector = joinVector(builder, access.loc,
                              ArrayRef<Value>(elements).slice(index, length));
    LLVM::StoreOp::create(builder, access.loc, vector, address, length * bytes);
  });
}

/// One load for each row, or each column, of a lane's elements; for columns
/// that are neighbours, of a tile with nothing beside them, one together.
static SmallVector<Value> loadSharedValues(const TileAccess &access,
                                           bool ofRows) {
  OpBuilder &builder = access.builder;
  Location loc = access.loc;
  Integers ints(builder, loc);
  FragType frag = access.frag;
  Type element = access.type.getElementType();
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  auto [laneRow, laneCol] = emitLanePosition(
      builder, loc, frag.getLayout().getLayout(), emitLaneId(builder, loc));
  // Values of rows lie beside, those of columns under each other.
  Value first =
      ofRows ? ints.add(access.col, laneRow) : ints.add(access.row, laneCol);
  // The first of neighbours is at a multiple of their number.
  int64_t run = !ofRows && access.type.getShape()[1] == 1 ? runLength(frag) : 1;
  Type type = run == 1 ? element : VectorType::get({run}, element);
  DenseMap<int64_t, Value> loaded;
  SmallVector<Value> elements;
  for (int64_t index = 0; index < frag.getElementsPerLane(); ++index) {
    Coord position = frag.getPosition(index);
    int64_t number = ofRows ? position.row : position.col;
    if (!loaded.count(number)) {
      Value at = ints.add(first, number);
      Value offset =
          emitTileOffset(builder, loc, access.type, ofRows ? access.row : at,
                         ofRows ? at : access.col);
      Value vector = LLVM::LoadOp::create(
          builder, loc, type, ints.advance(access.tile, offset), bytes * run);
      for (auto [next, value] :
           llvm::enumerate(splitVector(builder, loc, vector)))
        loaded[number + int64_t(next)] =
            element == frag.getElementType()
                ? value
                : arith::ExtFOp::create(builder, loc, frag.getElementType(),
                                        value);
    }
    elements.push_back(loaded[number]);
  }
  return packRegisters(builder, loc, frag, elements);
}

/// Where the lane's register `number` is, of a fragment whose register 0 is in
/// row `access.row`.
static Value registerAddress(const TileAccess &access, int64_t number) {
  Integers ints(access.builder, access.loc);
  int64_t pitch = access.type.getPitch();
  Value lane = emitLaneId(access.builder, access.loc);
  Value from = ints.add(ints.mul(access.row, pitch),
                        ints.mul(ints.add(access.col, lane), 4));
  return ints.advance(ints.advance(access.tile, from), number * pitch);
}

namespace {

struct LoadLowering : public OpConversionPattern<LoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(LoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(op, {load(rewriter, op, adaptor)});
    return success();
  }

  static SmallVector<Value> load(OpBuilder &builder, LoadOp op,
                                 OneToNOpAdaptor adaptor) {
    Value row = adaptor.getRow().front(), col = adaptor.getCol().front();
    auto type = dyn_cast<TileType>(op.getSource().getType());
    if (!type)
      return emitGlobalLoad(builder, op, ViewParts(adaptor.getSource()), row,
                            col);
    Location loc = op.getLoc();
    Integers ints(builder, loc);
    TileAccess access{builder,
                      loc,
                      type,
                      adaptor.getSource().front(),
                      ints.toI32(row),
                      ints.toI32(col),
                      op.getFrag().getType()};
    if (op.getAtom())
      return loadMatrices(access, op);
    switch (op.getAccess()) {
    case Access::Transposed:
      return emitTransposedLoad(builder, loc, type, access.tile, access.row,
                                access.col, access.frag, Attribute());
    case Access::Row:
      return loadSharedValues(access, /*ofRows=*/true);
    case Access::Col:
      return loadSharedValues(access, /*ofRows=*/false);
    case Access::Registers: {
      SmallVector<Value> registers;
      for (int64_t i = 0; i < access.frag.getRegistersPerLane(); ++i)
        registers.push_back(
            LLVM::LoadOp::create(builder, loc, access.frag.getElementType(),
                                 registerAddress(access, i), /*alignment=*/4));
      return registers;
    }
    default:
      return loadElements(access);
    }
  }
};

struct StoreLowering : public OpConversionPattern<StoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(StoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    store(rewriter, op, adaptor);
    rewriter.eraseOp(op);
    return success();
  }

  static void store(OpBuilder &builder, StoreOp op, OneToNOpAdaptor adaptor) {
    Value row = adaptor.getRow().front(), col = adaptor.getCol().front();
    ValueRange registers = adaptor.getFrag();
    Type destination = op.getDestination().getType();
    if (isa<ViewType>(destination))
      return emitGlobalStore(builder, op, ViewParts(adaptor.getDestination()),
                             row, col, registers);
    auto slot = dyn_cast<SlotType>(destination);
    TileType type = slot ? slot.getTile() : cast<TileType>(destination);
    Location loc = op.getLoc();
    Integers ints(builder, loc);
    TileAccess access{builder,
                      loc,
                      type,
                      adaptor.getDestination().front(),
                      ints.toI32(row),
                      ints.toI32(col),
                      op.getFrag().getType()};
    if (op.getAtom())
      return storeMatrices(access, op, registers);
    switch (op.getAccess()) {
    case Access::Transposed:
      return emitTransposedStore(builder, loc, type, access.tile, access.row,
                                 access.col, access.frag, registers,
                                 Attribute());
    case Access::Registers:
      for (auto [number, value] : llvm::enumerate(registers))
        LLVM::StoreOp::create(builder, loc, value,
                              registerAddress(access, number), /*alignment=*/4);
      return;
    default:
      return storeElements(access, registers);
    }
  }
};

} // namespace

void mlir::sftile::populateLoadStorePatterns(
    const SFTileTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<LoadLowering, StoreLowering>(converter, patterns.getContext());
}
