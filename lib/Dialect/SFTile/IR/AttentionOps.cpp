//===- AttentionOps.cpp - Verifiers of operations on rows -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/IR/RowLayouts.h"
#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"

using namespace mlir;
using namespace mlir::sftile;

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

LinearLayout mlir::sftile::getRowLayout(const LinearLayout &layout) {
  SmallVector<Coord> registers, lanes;
  for (Coord basis : layout.registerBits())
    if (basis.row)
      registers.push_back({basis.row, 0});
  for (Coord basis : layout.laneBits())
    lanes.push_back({basis.row, 0});
  return LinearLayout(registers, lanes);
}

LinearLayout mlir::sftile::getRowPartLayout(const LinearLayout &layout) {
  LinearLayout rows = getRowLayout(layout);
  SmallVector<Coord> lanes(rows.laneBits());
  int64_t column = 1;
  for (Coord &basis : lanes)
    if (basis.row == 0) {
      basis.col = column;
      column *= 2;
    }
  return LinearLayout(rows.registerBits(), lanes);
}

LinearLayout mlir::sftile::getLineLayout(int64_t run) {
  SmallVector<Coord> registers, lanes;
  for (int64_t col = 1; col < run; col *= 2)
    registers.push_back({0, col});
  for (int64_t lane = 0; lane < 5; ++lane)
    lanes.push_back({0, run << lane});
  return LinearLayout(registers, lanes);
}

LinearLayout mlir::sftile::getInterleavedLineLayout() {
  return LinearLayout({{0, 1}, {0, 8}},
                      {{0, 2}, {0, 4}, {0, 16}, {0, 32}, {0, 64}});
}

LinearLayout mlir::sftile::getJoinedLayout() {
  return LinearLayout({{0, 8}}, {{1, 0}, {2, 0}, {0, 1}, {0, 2}, {0, 4}});
}

LinearLayout mlir::sftile::getPairedLayout() {
  return LinearLayout({{0, 1}, {0, 8}, {0, 16}},
                      {{0, 2}, {0, 4}, {0, 0}, {1, 0}, {2, 0}});
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// True if both fragments hold the same rows in the same lanes.
static bool haveSameRows(FragType a, FragType b) {
  if (a.getShape()[0] != b.getShape()[0])
    return false;
  LinearLayout x = a.getLayout().getLayout(), y = b.getLayout().getLayout();
  return getRowLayout(x).laneBits() == getRowLayout(y).laneBits() &&
         getRowLayout(x).registerBits() == getRowLayout(y).registerBits();
}

/// True if `row`, of one row, holds the columns of `all` in the same lanes.
static bool hasColumnsOf(FragType row, FragType all) {
  auto columnsOf = [](ArrayRef<Coord> bases, bool keepsZeros) {
    SmallVector<int64_t> columns;
    for (Coord basis : bases)
      if (keepsZeros || basis.col)
        columns.push_back(basis.col);
    return columns;
  };
  LinearLayout x = row.getLayout().getLayout(), y = all.getLayout().getLayout();
  return row.getShape()[1] == all.getShape()[1] &&
         columnsOf(x.laneBits(), true) == columnsOf(y.laneBits(), true) &&
         columnsOf(x.registerBits(), false) ==
             columnsOf(y.registerBits(), false);
}

static LogicalResult verifyRows(Operation *op, FragType a, FragType b) {
  if (a.getElementType() != b.getElementType())
    return op->emitOpError("expected one element type, found ")
           << a.getElementType() << " and " << b.getElementType();
  if (!haveSameRows(a, b))
    return op->emitOpError("expected source and result to hold the same rows "
                           "in the same lanes, found ")
           << a << " and " << b;
  return success();
}

LogicalResult ReduceOp::verify() {
  FragType source = getSource().getType();
  auto result = dyn_cast<FragType>(getResult().getType());
  bool isOr = getKind() == Reduction::Or;
  if (isOr != source.getElementType().isInteger(1) || isOr == bool(result))
    return emitOpError("expected 'or' for elements of i1 and a scalar, and for "
                       "nothing else, found ")
           << source << " and " << getResult().getType();
  if (isOr)
    return success();
  if (failed(verifyRows(*this, source, result)))
    return failure();
  if (!source.getElementType().isF32())
    return emitOpError("expected elements of f32, found ")
           << source.getElementType();
  LinearLayout layout = source.getLayout().getLayout();
  LayoutAttr whole = LayoutAttr::get(getContext(), getRowLayout(layout));
  LayoutAttr parts = LayoutAttr::get(getContext(), getRowPartLayout(layout));
  int64_t columns = getRowPartLayout(layout).tileShape().col;
  bool isWhole = result.getLayout() == whole && result.getShape()[1] == 1;
  bool isParts = result.getLayout() == parts && result.getShape()[1] == columns;
  if (!isWhole && !isParts)
    return emitOpError("expected a result of one column with the layout ")
           << whole << ", or of " << columns << " columns, one for each lane "
           << "of a row, with the layout " << parts << ", found " << result;
  return success();
}

LogicalResult BroadcastOp::verify() {
  FragType result = getResult().getType();
  auto source = dyn_cast<FragType>(getSource().getType());
  if (!source) {
    if (getSource().getType() == result.getElementType())
      return success();
    return emitOpError("expected a scalar of the fragment's element type ")
           << result.getElementType() << ", or a fragment of one column, found "
           << getSource().getType();
  }
  bool isRow = source.getShape()[0] == 1 && source.getShape()[1] != 1;
  if (source.getShape()[1] != 1 && !isRow)
    return emitOpError("expected a source of one column, found ") << source;
  if (source.getElementType().getIntOrFloatBitWidth() != 32)
    return emitOpError("expected elements of 32 bits, found ")
           << source.getElementType();
  if (!isRow)
    return verifyRows(*this, source, result);
  if (source.getElementType() != result.getElementType() ||
      !hasColumnsOf(source, result))
    return emitOpError("expected source and result to hold the same columns in "
                       "the same lanes, found ")
           << source << " and " << result;
  return success();
}

LogicalResult PositionsOp::verify() {
  if (!getFrag().getType().getElementType().isInteger(32))
    return emitOpError("expected elements of i32, found ")
           << getFrag().getType().getElementType();
  return success();
}

//===----------------------------------------------------------------------===//
// Transposes
//===----------------------------------------------------------------------===//

bool TransposeOp::isFree() {
  FragType source = getSource().getType(), result = getResult().getType();
  LinearLayout sourceLayout = source.getLayout().getLayout(),
               resultLayout = result.getLayout().getLayout();
  ArrayRef<Coord> from = sourceLayout.laneBits(), to = resultLayout.laneBits();
  bool same = from.size() == to.size() &&
              source.getElementsPerLane() == result.getElementsPerLane();
  for (size_t bit = 0; same && bit < from.size(); ++bit)
    same = from[bit].row == to[bit].col && from[bit].col == to[bit].row;
  for (int64_t i = 0; same && i < source.getElementsPerLane(); ++i)
    same = source.getPosition(i).row == result.getPosition(i).col &&
           source.getPosition(i).col == result.getPosition(i).row;
  return same;
}

bool mlir::sftile::isMatrixLayout(const LinearLayout &layout) {
  static const Coord lanes[] = {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}};
  if (layout.laneBits() != ArrayRef<Coord>(lanes) ||
      layout.registerBits().empty() ||
      !(layout.registerBits().front() == Coord{0, 1}))
    return false;
  return llvm::all_of(layout.registerBits().drop_front(), [](Coord basis) {
    return basis.row % 8 == 0 && basis.col % 8 == 0;
  });
}

/// True for 8x8 matrices of 16-bit elements.
static bool holdsMatrices(FragType frag) {
  return frag.getElementType().getIntOrFloatBitWidth() == 16 &&
         isMatrixLayout(frag.getLayout().getLayout());
}

LogicalResult TransposeOp::verify() {
  FragType source = getSource().getType(), result = getResult().getType();
  if (source.getElementType() != result.getElementType() ||
      source.getShape()[0] != result.getShape()[1] ||
      source.getShape()[1] != result.getShape()[0])
    return emitOpError("expected one element type, and the sizes exchanged, "
                       "found ")
           << source << " and " << result;
  if (!isFree() && (!holdsMatrices(source) || !holdsMatrices(result)))
    return emitOpError("expected layouts that are each other's transposes, or "
                       "8x8 matrices of 16-bit elements, two neighbouring "
                       "columns in each lane, found ")
           << source << " and " << result;
  return success();
}
