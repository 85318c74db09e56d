//===- GlobalAccess.cpp - Fragments from and to global memory -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "llvm/ADT/MapVector.h"
#include <map>

using namespace mlir;
using namespace mlir::sftile;

namespace {

/// Where column `col` stands with the access `interleaved`.
int64_t interleaved(int64_t col) {
  int64_t pair = col / 2 % 4, second = col / 8 % 2;
  return col / 16 * 16 + pair * 4 + second * 2 + col % 2;
}

/// Computes where the elements of a fragment stand in a view.
class GlobalAddress {
public:
  GlobalAddress(OpBuilder &builder, Location loc, FragType frag, Access access,
                const ViewParts &view, Value row, Value col)
      : ints(builder, loc), view(view),
        bytes(frag.getElementType().getIntOrFloatBitWidth() / 8),
        access(access) {
    LinearLayout layout = frag.getLayout().getLayout();
    if (access == Access::Interleaved) {
      SmallVector<Coord> lanes(layout.laneBits());
      for (Coord &basis : lanes)
        basis.col = interleaved(basis.col);
      layout = LinearLayout(layout.registerBits(), lanes);
    }
    auto [laneRow, laneCol] =
        emitLanePosition(builder, loc, layout, emitLaneId(builder, loc));
    bool swaps = !keepsRows();
    firstRow = movesRows()
                   ? ints.add(row, ints.toI64(swaps ? laneCol : laneRow))
                   : row;
    firstCol = movesCols()
                   ? ints.add(col, ints.toI64(swaps ? laneRow : laneCol))
                   : col;
  }

  /// Whether elements of the fragment stand in several rows, or columns.
  bool movesRows() const {
    return keepsRows() || access == Access::Transposed || access == Access::Col;
  }
  bool movesCols() const {
    return keepsRows() || access == Access::Transposed || access == Access::Row;
  }
  /// Whether rows of the fragment are rows of the view.
  bool keepsRows() const {
    return access == Access::Direct || access == Access::Interleaved;
  }
  /// How far an element is from that of register 0.
  Coord apart(Coord position) const {
    if (access == Access::Interleaved)
      return {position.row, interleaved(position.col)};
    if (access != Access::Direct)
      position = {position.col, position.row};
    return {movesRows() ? position.row : 0, movesCols() ? position.col : 0};
  }
  Value rowOf(Coord apart) { return ints.add(firstRow, apart.row); }
  Value colOf(Coord apart) { return ints.add(firstCol, apart.col); }

  /// The address of (row, col) of the view.
  Value at(Value row, Value col) {
    Value element = ints.add(rowStart(row), col);
    return ints.advance(view.pointer, ints.mul(element, bytes));
  }

  /// The elements of a lane that each access moves: those that lie side by side
  /// both in the registers and in memory, up to `width` bytes; with the access
  /// `interleaved` in memory alone.
  SmallVector<SmallVector<int64_t>> vectors(FragType frag,
                                            int64_t width) const {
    int64_t count = frag.getElementsPerLane(), most = width / bytes;
    SmallVector<SmallVector<int64_t>> result;
    if (access == Access::Interleaved) {
      std::map<std::pair<int64_t, int64_t>, int64_t> places;
      for (int64_t index = 0; index < count; ++index) {
        Coord place = apart(frag.getPosition(index));
        places[{place.row, place.col}] = index;
      }
      for (auto [place, index] : places) {
        bool follows = place.second % most &&
                       places.count({place.first, place.second - 1});
        if (!follows)
          result.emplace_back();
        result.back().push_back(index);
      }
      return result;
    }
    int64_t length = movesCols()
                         ? std::min(frag.getLayout().getLayout().contiguousRun(
                                        /*alongRows=*/!keepsRows()),
                                    most)
                         : 1;
    for (int64_t index = 0; index < count; index += length)
      result.push_back(
          llvm::to_vector(llvm::seq<int64_t>(index, index + length)));
    return result;
  }

  Integers ints;
  ViewParts view;
  int64_t bytes;

private:
  /// The element that a row begins with.
  Value rowStart(Value row) {
    if (!view.group)
      return ints.mul(row, view.pitch);
    int64_t group = *getConstantIntValue(view.group);
    return ints.add(ints.mul(ints.div(row, group), view.groupPitch),
                    ints.mul(ints.rem(row, group), view.pitch));
  }

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
  Type element = frag.getElementType();
  // Elements that share their place in memory are loaded once.
  DenseMap<std::pair<int64_t, int64_t>, SmallVector<Value>> loaded;
  SmallVector<Value> elements(frag.getElementsPerLane());
  for (ArrayRef<int64_t> moved : address.vectors(frag, *op.getWidth())) {
    int64_t length = moved.size();
    Coord apart = address.apart(frag.getPosition(moved.front()));
    SmallVector<Value> &values = loaded[{apart.row, apart.col}];
    if (values.empty()) {
      // What lies outside is moved back to the last vector inside.
      Value fromRow = address.rowOf(apart), fromCol = address.colOf(apart);
      if (address.movesRows() && !op.getRowsInBounds())
        fromRow = ints.min(fromRow, ints.add(view.rows, -1));
      if (address.movesCols() && !op.getColsInBounds())
        fromCol = ints.min(fromCol, ints.add(view.cols, -length));
      Type type = length == 1 ? element : VectorType::get({length}, element);
      Value vector =
          LLVM::LoadOp::create(builder, loc, type, address.at(fromRow, fromCol),
                               length * address.bytes);
      values = splitVector(builder, loc, vector);
    }
    for (auto [index, value] : llvm::zip(moved, values))
      elements[index] = value;
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
  auto vectors = address.vectors(frag, *op.getWidth());
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
                         ArrayRef<int64_t> moved) {
    SmallVector<Value> values;
    for (int64_t index : moved)
      values.push_back(elements[index]);
    LLVM::StoreOp::create(inner, loc, joinVector(inner, loc, values),
                          address.at(toRow, toCol),
                          moved.size() * address.bytes);
  };
  // Row by row, so that a row is tested once; where rows are columns of the
  // fragment a lane has few elements of one, and both tests are one.
  bool byRows = address.keepsRows() || op.getColsInBounds();
  llvm::MapVector<int64_t, SmallVector<ArrayRef<int64_t>>> rows;
  for (ArrayRef<int64_t> moved : vectors) {
    int64_t index = moved.front();
    rows[byRows ? address.apart(frag.getPosition(index)).row : index].push_back(
        moved);
  }
  for (auto &entry : rows) {
    ArrayRef<ArrayRef<int64_t>> pieces = entry.second;
    Coord first = address.apart(frag.getPosition(pieces.front().front()));
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
    auto colOf = [&](ArrayRef<int64_t> moved) {
      return address.colOf(address.apart(frag.getPosition(moved.front())));
    };
    if (pieces.size() == 1) {
      Value toCol = colOf(pieces.front());
      if (Value below = testColumn(toCol))
        inside = inside ? ints.both(inside, below) : below;
      executeIf(builder, inside, [&](OpBuilder &inner) {
        storeVector(inner, toRow, toCol, pieces.front());
      });
      continue;
    }
    executeIf(builder, inside, [&](OpBuilder &outer) {
      for (ArrayRef<int64_t> moved : pieces) {
        Value toCol = colOf(moved);
        executeIf(outer, testColumn(toCol), [&](OpBuilder &inner) {
          storeVector(inner, toRow, toCol, moved);
        });
      }
    });
  }
}
