//===- GlobalAccess.cpp - Fragments from and to global memory -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::sftile;

namespace {

/// Computes where the elements of a fragment stand in a view.
class GlobalAddress {
public:
  GlobalAddress(OpBuilder &builder, Location loc, FragType frag, Access access,
                const ViewParts &view, Value row, Value col)
      : ints(builder, loc), view(view),
        bytes(frag.getElementType().getIntOrFloatBitWidth() / 8),
        access(access) {
    auto [laneRow, laneCol] = emitLanePosition(
        builder, loc, frag.getLayout().getLayout(), emitLaneId(builder, loc));
    bool swaps = access != Access::Direct;
    firstRow = movesRows()
                   ? ints.add(row, ints.toI64(swaps ? laneCol : laneRow))
                   : row;
    firstCol = movesCols()
                   ? ints.add(col, ints.toI64(swaps ? laneRow : laneCol))
                   : col;
  }

  /// Whether elements of the fragment stand in several rows, or columns.
  bool movesRows() const {
    return access == Access::Direct || access == Access::Transposed ||
           access == Access::Col;
  }
  bool movesCols() const {
    return access == Access::Direct || access == Access::Transposed ||
           access == Access::Row;
  }
  /// How far an element is from that of register 0.
  Coord apart(Coord position) const {
    if (access != Access::Direct)
      position = {position.col, position.row};
    return {movesRows() ? position.row : 0, movesCols() ? position.col : 0};
  }
  Value rowOf(Coord apart) { return ints.add(firstRow, apart.row); }
  Value colOf(Coord apart) { return ints.add(firstCol, apart.col); }

  /// The address of (row, col) of the view.
  Value at(Value row, Value col) {
    Value element = ints.add(ints.mul(row, view.pitch), col);
    return ints.advance(view.pointer, ints.mul(element, bytes));
  }

  /// Elements that one access may move: as many as lie side by side both in the
  /// registers and in memory, up to `width` bytes.
  int64_t vectorLength(FragType frag, int64_t width) const {
    if (!movesCols())
      return 1;
    int64_t run = frag.getLayout().getLayout().contiguousRun(
        /*alongRows=*/access != Access::Direct);
    return std::min(run, width / bytes);
  }

  Integers ints;
  ViewParts view;
  int64_t bytes;

private:
  Access access;
  Value firstRow, firstCol;
};

} // namespace

SmallVector<Value> mlir::sftile::emitGlobalLoad(OpBuilder &builder, LoadOp op,
                                                const ViewParts &view,
                                                Value row, Value col) {
  Location loc = op.getLoc();
  FragType frag = op.getFrag().getType();
  GlobalAddress address(builder, loc, frag, op.getAccess(), view, row, col);
  Integers &ints = address.ints;
  int64_t length = address.vectorLength(frag, *op.getWidth());
  Type element = frag.getElementType();
  Type type = length == 1 ? element : VectorType::get({length}, element);
  // Elements that share their place in memory are loaded once.
  DenseMap<std::pair<int64_t, int64_t>, SmallVector<Value>> loaded;
  SmallVector<Value> elements;
  for (int64_t index = 0; index < frag.getElementsPerLane(); index += length) {
    Coord apart = address.apart(frag.getPosition(index));
    SmallVector<Value> &values = loaded[{apart.row, apart.col}];
    if (values.empty()) {
      // What lies outside is moved back to the last vector inside.
      Value fromRow = address.rowOf(apart), fromCol = address.colOf(apart);
      if (address.movesRows() && !op.getRowsInBounds())
        fromRow = ints.min(fromRow, ints.add(view.rows, -1));
      if (address.movesCols() && !op.getColsInBounds())
        fromCol = ints.min(fromCol, ints.add(view.cols, -length));
      Value vector =
          LLVM::LoadOp::create(builder, loc, type, address.at(fromRow, fromCol),
                               length * address.bytes);
      values = splitVector(builder, loc, vector);
    }
    llvm::append_range(elements, values);
  }
  return packRegisters(builder, loc, frag, elements);
}

void mlir::sftile::emitGlobalStore(OpBuilder &builder, StoreOp op,
                                   const ViewParts &view, Value row, Value col,
                                   ValueRange registers) {
  Location loc = op.getLoc();
  FragType frag = op.getFrag().getType();
  GlobalAddress address(builder, loc, frag, op.getAccess(), view, row, col);
  Integers &ints = address.ints;
  int64_t length = address.vectorLength(frag, *op.getWidth());
  SmallVector<Value> elements = unpackRegisters(builder, loc, frag, registers);
  // Of lanes that hold the same elements the first one stores.
  int64_t copies = 0;
  for (auto [bit, basis] :
       llvm::enumerate(frag.getLayout().getLayout().laneBits()))
    if (basis == Coord{})
      copies |= int64_t(1) << bit;
  Value mine;
  if (copies) {
    Value number = ints.bitAnd(emitLaneId(builder, loc), ints.i32(copies));
    mine = ints.less(number, ints.i32(1));
  }
  auto storeVector = [&](OpBuilder &inner, Value toRow, Value toCol,
                         int64_t index) {
    Value vector =
        joinVector(inner, loc, ArrayRef<Value>(elements).slice(index, length));
    LLVM::StoreOp::create(inner, loc, vector, address.at(toRow, toCol),
                          length * address.bytes);
  };
  // Row by row, so that a row is tested once; where rows are columns of the
  // fragment a lane has few elements of one, and both tests are one.
  bool byRows = op.getAccess() == Access::Direct || op.getColsInBounds();
  llvm::MapVector<int64_t, SmallVector<int64_t>> rows;
  for (int64_t index = 0; index < frag.getElementsPerLane(); index += length)
    rows[byRows ? address.apart(frag.getPosition(index)).row : index].push_back(
        index);
  for (auto &[key, indices] : rows) {
    Coord first = address.apart(frag.getPosition(indices.front()));
    Value toRow = address.rowOf(first), inside = mine;
    if (!op.getRowsInBounds()) {
      Value below = ints.less(toRow, view.rows);
      inside = inside ? ints.both(below, inside) : below;
    }
    // Null where columns need no test.
    auto testColumn = [&](Value toCol) {
      return op.getColsInBounds() ? Value() : ints.less(toCol, view.cols);
    };
    auto executeIf = [&](OpBuilder &outer, Value condition,
                         function_ref<void(OpBuilder &)> body) {
      if (condition)
        emitIf(outer, loc, condition, body);
      else
        body(outer);
    };
    if (indices.size() == 1) {
      int64_t index = indices.front();
      Value toCol = address.colOf(address.apart(frag.getPosition(index)));
      if (Value below = testColumn(toCol))
        inside = inside ? ints.both(inside, below) : below;
      executeIf(builder, inside, [&](OpBuilder &inner) {
        storeVector(inner, toRow, toCol, index);
      });
      continue;
    }
    executeIf(builder, inside, [&, &indices = indices](OpBuilder &outer) {
      for (int64_t index : indices) {
        Value toCol = address.colOf(address.apart(frag.getPosition(index)));
        executeIf(outer, testColumn(toCol), [&](OpBuilder &inner) {
          storeVector(inner, toRow, toCol, index);
        });
      }
    });
  }
}
