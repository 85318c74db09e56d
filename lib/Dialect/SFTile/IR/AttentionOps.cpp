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
  FragType source = getSource().getType(), result = getResult().getType();
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
  if (source.getShape()[1] != 1)
    return emitOpError("expected a source of one column, found ") << source;
  if (source.getElementType().getIntOrFloatBitWidth() != 32)
    return emitOpError("expected elements of 32 bits, found ")
           << source.getElementType();
  return verifyRows(*this, source, result);
}

LogicalResult PositionsOp::verify() {
  if (!getFrag().getType().getElementType().isInteger(32))
    return emitOpError("expected elements of i32, found ")
           << getFrag().getType().getElementType();
  return success();
}

//===----------------------------------------------------------------------===//
// Planes
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

/// True for 8x8 matrices of 16-bit elements, two neighbouring columns in each
/// lane.
static bool holdsMatrices(FragType frag) {
  LinearLayout layout = frag.getLayout().getLayout();
  static const Coord lanes[] = {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}};
  if (frag.getElementType().getIntOrFloatBitWidth() != 16 ||
      layout.laneBits() != ArrayRef<Coord>(lanes) ||
      layout.registerBits().empty() ||
      !(layout.registerBits().front() == Coord{0, 1}))
    return false;
  return llvm::all_of(layout.registerBits().drop_front(), [](Coord basis) {
    return basis.row % 8 == 0 && basis.col % 8 == 0;
  });
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

LogicalResult DecodePlanesOp::verify() {
  FragType words = getWords().getType(), result = getResult().getType();
  if (!words.getElementType().isInteger(32) ||
      words.getElementsPerLane() != words.getRegistersPerLane())
    return emitOpError("expected words of i32, found ") << words;
  Type element = result.getElementType();
  bool isBytes = element.isSignedInteger(8);
  if (!isBytes && !element.isF16() && !element.isBF16())
    return emitOpError("expected a result of f16 or bf16, whose 2 is a bit, or "
                       "of si8, whose 64 is, found ")
           << element;
  int64_t k = isBytes ? 32 : 16;
  bool matches = holdsMatrices(result);
  if (isBytes) {
    auto atom = MmaInt8SyncAttr::get(getContext(), k, element);
    matches =
        result.getLayout() ==
            LayoutAttr::get(getContext(), atom.getLayoutA()) ||
        result.getLayout() == LayoutAttr::get(getContext(), atom.getLayoutB());
  }
  // Of 16-bit elements there may be several steps.
  int64_t columns = result.getShape()[1];
  matches &= isBytes ? columns == k : columns % k == 0;
  if (!matches || result.getShape()[0] != 8 * int64_t(getRows().size()))
    return emitOpError("expected an operand of ")
           << 8 * getRows().size() << " x " << k << " elements"
           << (isBytes ? "" : " or several times as many columns")
           << ", 8 rows for each of the " << getRows().size()
           << " words that are named, found " << result;
  if (getFlip() && isBytes)
    return emitOpError("expected elements of f16 or bf16 for sign bits, found ")
           << element;
  for (int64_t word : getRows())
    if (word < 0 || word >= words.getElementsPerLane())
      return emitOpError("expected words from 0 to ")
             << words.getElementsPerLane() - 1 << ", found " << word;
  if (int64_t last = (64 - columns) / k; int64_t(getStep()) > last)
    return emitOpError("expected a step from 0 to ")
           << last << " of the 64 that a word is deep, found " << getStep();
  return success();
}

LogicalResult DecodeCacheOp::verify() {
  FragType words = getWords().getType(), result = getResult().getType();
  if (!words.getElementType().isInteger(32) ||
      words.getElementsPerLane() != 4 || words.getRegistersPerLane() != 4)
    return emitOpError("expected four words of i32 for each lane, found ")
           << words;
  Type element = result.getElementType();
  if ((!element.isF16() && !element.isBF16()) || !holdsMatrices(result) ||
      result.getShape() != ArrayRef<int64_t>({16, 16}))
    return emitOpError("expected an operand of 16 x 16 elements of f16 or "
                       "bf16, found ")
           << result;
  if (getBits() != 4 && getBits() != 8)
    return emitOpError("expected numbers of 4 or 8 bits, found ") << getBits();
  if (int64_t last = getBits() == 8 ? 1 : 3;
      static_cast<int64_t>(getStep()) < 0 || int64_t(getStep()) > last)
    return emitOpError("expected a step from 0 to ")
           << last << " of a chunk of " << 16 * (last + 1)
           << " features, found " << static_cast<int64_t>(getStep());
  return success();
}
