//===- SFTileTypes.cpp - Tiles with a place and an owner ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::sftile;

static int64_t bytesOf(Type elementType) {
  return elementType.getIntOrFloatBitWidth() / 8;
}

static LogicalResult
verifyElement(llvm::function_ref<InFlightDiagnostic()> emitError, Type type) {
  if (!type.isIntOrFloat() || (type.getIntOrFloatBitWidth() != 8 &&
                               type.getIntOrFloatBitWidth() != 16 &&
                               type.getIntOrFloatBitWidth() != 32))
    return emitError()
           << "expected an integer or float element of 8, 16 or 32 bits, found "
           << type;
  return success();
}

LinearLayout mlir::sftile::getMetadataLayout() {
  return LinearLayout({}, {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}});
}

LinearLayout mlir::sftile::getCodesLayout() {
  return LinearLayout({{0, 1}, {0, 2}},
                      {{0, 4}, {0, 8}, {0, 16}, {0, 32}, {0, 64}});
}

LinearLayout mlir::sftile::getNonzeroWordsLayout(int64_t words) {
  if (words == 2)
    return LinearLayout({{0, 1}}, {{0, 2}, {0, 4}, {0, 8}, {0, 16}, {1, 0}});
  return LinearLayout({{0, 1}, {0, 2}},
                      {{0, 4}, {0, 8}, {0, 16}, {1, 0}, {2, 0}});
}

LinearLayout mlir::sftile::getWeightsLayout(Type element) {
  if (bytesOf(element) == 1)
    return LinearLayout({{0, 1}, {0, 2}, {8, 0}, {0, 16}},
                        {{0, 4}, {0, 8}, {1, 0}, {2, 0}, {4, 0}});
  return LinearLayout({{0, 1}, {8, 0}, {0, 8}},
                      {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}});
}

FragType mlir::sftile::getCodesType(CodecInterface codec, int64_t rows) {
  MLIRContext *context = codec.getContext();
  int64_t words = codec.getWordsPerLane();
  SmallVector<int64_t> shape = {std::max<int64_t>(rows / 16, 1), 128};
  if (codec.isSparse())
    shape = {words, 32};
  return FragType::get(
      context, shape, IntegerType::get(context, 32),
      LayoutAttr::get(context, codec.isSparse() ? getNonzeroWordsLayout(words)
                                                : getCodesLayout()));
}

//===----------------------------------------------------------------------===//
// ViewType
//===----------------------------------------------------------------------===//

LogicalResult
ViewType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 Type elementType, Order order) {
  if (order == Order::Swizzled)
    return emitError() << "expected row_major or a packed order for global "
                          "memory, found swizzled, an order of shared memory";
  return verifyElement(emitError, elementType);
}

//===----------------------------------------------------------------------===//
// TileType and SlotType
//===----------------------------------------------------------------------===//

static LogicalResult
verifyTile(llvm::function_ref<InFlightDiagnostic()> emitError,
           ArrayRef<int64_t> shape, Type elementType, Order order) {
  if (failed(verifyElement(emitError, elementType)))
    return failure();
  if (shape.size() != 2 || shape[0] <= 0 || shape[1] <= 0)
    return emitError() << "expected a tile of rows x columns, both positive";
  int64_t pitch = shape[1] * bytesOf(elementType);
  switch (order) {
  case Order::RowMajor:
    return success();
  case Order::Swizzled:
    if (pitch < 16 || !llvm::isPowerOf2_64(pitch))
      return emitError() << "expected rows of a power of two of at least 16 "
                            "bytes in a swizzled tile, found "
                         << pitch << " bytes";
    return success();
  case Order::Values24:
    if (shape[0] % 64 || shape[1] % 32 || bytesOf(elementType) != 2)
      return emitError() << "expected values24 as a multiple of 64 x 32 "
                            "nonzeros of 16 bits, found "
                         << shape[0] << " x " << shape[1] << " of "
                         << elementType;
    return success();
  case Order::Metadata24:
    if (shape[0] % 4 || shape[1] % 32 || !elementType.isInteger(32))
      return emitError() << "expected metadata24 as a multiple of 4 x 32 words "
                            "of i32, found "
                         << shape[0] << " x " << shape[1] << " of "
                         << elementType;
    return success();
  case Order::Ternary:
    if (shape[0] % 4 || shape[1] % 128 || !elementType.isInteger(32))
      return emitError()
             << "expected ternary as a multiple of 4 x 128 words of i32, found "
             << shape[0] << " x " << shape[1] << " of " << elementType;
    return success();
  case Order::TensorMap:
  case Order::GroupedRows:
    return emitError() << "expected an order of shared memory, found "
                       << stringifyOrder(order)
                       << ", which describes global memory";
  }
  return success();
}

/// Parses `<128x64xf16, swizzled>` as a tile or slot.
template <typename TypeT>
static Type parseTile(AsmParser &parser) {
  SMLoc start = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type elementType;
  StringRef keyword;
  if (parser.parseLess() || parser.parseDimensionList(shape, false) ||
      parser.parseType(elementType) || parser.parseComma())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return {};
  std::optional<Order> order = symbolizeOrder(keyword);
  if (!order) {
    parser.emitError(loc) << "expected row_major, swizzled, values24, "
                             "metadata24 or ternary, found "
                          << keyword;
    return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<TypeT>(start, parser.getContext(),
                                  ArrayRef<int64_t>(shape), elementType,
                                  *order);
}

static void printTile(AsmPrinter &printer, ArrayRef<int64_t> shape,
                      Type elementType, Order order) {
  printer << "<";
  for (int64_t size : shape)
    printer << size << "x";
  printer << elementType << ", " << stringifyOrder(order) << ">";
}

LogicalResult
TileType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 ArrayRef<int64_t> shape, Type elementType, Order order) {
  return verifyTile(emitError, shape, elementType, order);
}

Type TileType::parse(AsmParser &parser) { return parseTile<TileType>(parser); }

void TileType::print(AsmPrinter &printer) const {
  printTile(printer, getShape(), getElementType(), getOrder());
}

int64_t TileType::getPitch() const {
  return getShape()[1] * bytesOf(getElementType());
}

int64_t TileType::getBytes() const { return getShape()[0] * getPitch(); }

TileType::Unit TileType::getUnit() const {
  switch (getOrder()) {
  case Order::Values24:
    return {64, 32, 4096};
  case Order::Metadata24:
    return {4, 32, 512};
  case Order::Ternary:
    return {4, 128, 2048};
  case Order::RowMajor:
  case Order::Swizzled:
  case Order::TensorMap:
  case Order::GroupedRows:
    break;
  }
  llvm_unreachable("not a packed order");
}

LogicalResult
SlotType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 ArrayRef<int64_t> shape, Type elementType, Order order) {
  return verifyTile(emitError, shape, elementType, order);
}

Type SlotType::parse(AsmParser &parser) { return parseTile<SlotType>(parser); }

void SlotType::print(AsmPrinter &printer) const {
  printTile(printer, getShape(), getElementType(), getOrder());
}

TileType SlotType::getTile() const {
  return TileType::get(getContext(), getShape(), getElementType(), getOrder());
}

//===----------------------------------------------------------------------===//
// RingType
//===----------------------------------------------------------------------===//

/// The alignment that readers of a tile rely on: the swizzle pattern repeats
/// after 1024 bytes, everything else is read in pieces of at most 128.
static int64_t alignmentOf(TileType tile) {
  return tile.getOrder() == Order::Swizzled ? 1024 : 128;
}

LogicalResult
RingType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 int64_t stages, ArrayRef<TileType> tiles) {
  if (stages < 1)
    return emitError() << "expected at least 1 stage, found " << stages;
  assert(!tiles.empty() && "the parser takes at least one tile a stage");
  return success();
}

int64_t RingType::getTileOffset(unsigned index) const {
  int64_t offset = 0;
  for (auto [number, tile] : llvm::enumerate(getTiles())) {
    offset = llvm::alignTo(offset, alignmentOf(tile));
    if (number == index)
      return offset;
    offset += tile.getBytes();
  }
  return llvm::alignTo(offset, 1024);
}

int64_t RingType::getStageBytes() const {
  return getTileOffset(getTiles().size());
}

//===----------------------------------------------------------------------===//
// FragType
//===----------------------------------------------------------------------===//

LogicalResult
FragType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 ArrayRef<int64_t> shape, Type elementType, LayoutAttr layout) {
  // Conditions are in registers only.
  if (!elementType.isInteger(1) &&
      failed(verifyElement(emitError, elementType)))
    return failure();
  if (shape.size() != 2)
    return emitError() << "expected a fragment of rows x columns, found "
                       << shape.size() << " sizes";
  LinearLayout linear = layout.getLayout();
  Coord tile = linear.tileShape();
  if (shape[0] <= 0 || shape[1] <= 0 || shape[0] % tile.row ||
      shape[1] % tile.col)
    return emitError() << "expected a shape that is a multiple of the layout's "
                          "tile of "
                       << tile.row << " x " << tile.col << ", found "
                       << shape[0] << " x " << shape[1];
  if (bytesOf(elementType) == 2 && linear.contiguousRun(true) < 2 &&
      linear.contiguousRun(false) < 2)
    return emitError() << "expected register bit 0 to step to a neighbouring "
                          "element, because 16-bit elements share a register "
                          "in pairs; found "
                       << layout;
  if (bytesOf(elementType) == 1 && linear.contiguousRun(false) < 4)
    return emitError() << "expected register bits 0 and 1 to step along a row, "
                          "because bytes share a register by fours; found "
                       << layout;
  return success();
}

Type FragType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  LayoutAttr layout;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseDimensionList(shape, false) ||
      parser.parseType(elementType) || parser.parseComma() ||
      parser.parseAttribute(layout) || parser.parseGreater())
    return {};
  return parser.getChecked<FragType>(
      loc, parser.getContext(), ArrayRef<int64_t>(shape), elementType, layout);
}

void FragType::print(AsmPrinter &printer) const {
  printer << "<";
  for (int64_t size : getShape())
    printer << size << "x";
  printer << getElementType() << ", ";
  printer.printAttribute(getLayout());
  printer << ">";
}

int64_t FragType::getTileRows() const {
  return getShape()[0] / getLayout().getLayout().tileShape().row;
}

int64_t FragType::getTileCols() const {
  return getShape()[1] / getLayout().getLayout().tileShape().col;
}

int64_t FragType::getElementsPerLane() const {
  return getTileRows() * getTileCols() * getLayout().getLayout().numRegisters();
}

int64_t FragType::getRegistersPerLane() const {
  // A condition takes a register for itself.
  if (getElementType().isInteger(1))
    return getElementsPerLane();
  return getElementsPerLane() * bytesOf(getElementType()) / 4;
}

Coord FragType::getPosition(int64_t index) const {
  LinearLayout linear = getLayout().getLayout();
  Coord tile = linear.tileShape();
  int64_t number = index / linear.numRegisters();
  Coord inside = linear.ofRegister(index % linear.numRegisters());
  return {number / getTileCols() * tile.row + inside.row,
          number % getTileCols() * tile.col + inside.col};
}
