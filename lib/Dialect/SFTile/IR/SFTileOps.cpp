//===- SFTileOps.cpp - Verifiers of operations on tiles -------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/IR/RowLayouts.h"
#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "SparseOperands.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::sftile;

#define GET_OP_CLASSES
#include "SparseFlow/Dialect/SFTile/IR/SFTileOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

Type mlir::sftile::getViewPointerType(Type view) {
  bool isMap = cast<ViewType>(view).getOrder() == Order::TensorMap;
  return LLVM::LLVMPointerType::get(view.getContext(), isMap ? 0 : 1);
}

LogicalResult ViewOp::verify() {
  Order order = getView().getType().getOrder();
  bool isMap = order == Order::TensorMap;
  bool isGrouped = order == Order::GroupedRows;
  bool isRows = order == Order::RowMajor || isGrouped;
  if (isMap == bool(getRows()))
    return emitOpError(isMap ? "expected no bounds: they are in the tensor map"
                             : "expected bounds: rows and columns, or units");
  if (!isMap && !getAt().empty())
    return emitOpError("expected indices of further dimensions only of a view "
                       "in tensor_map order, found ")
           << getView().getType();
  if (isRows && !getPitch())
    return emitOpError("expected a pitch: a row-major view has a distance "
                       "between rows");
  if (!isRows && getPitch())
    return emitOpError("expected no pitch: it is in the tensor map, or units "
                       "of a packed view follow one another");
  if (getGroup().value_or(0) > 0 != isGrouped ||
      bool(getGroupPitch()) != isGrouped)
    return emitOpError(isGrouped
                           ? "expected groups of a number of rows, and a "
                             "distance between groups, of grouped rows"
                           : "expected groups only of a view in grouped_rows "
                             "order");
  return success();
}

LogicalResult SharedOp::verify() {
  bool isTile = isa<TileType>(getMemory().getType());
  if (isTile == bool(getBytes()) || isTile != bool(getWarps()))
    return emitOpError("expected warps and sharers of a tile, or bytes of a "
                       "pointer");
  if (!isTile && getOverlaid())
    return emitOpError("expected a tile to be overlaid, found ")
           << getMemory().getType();
  if (!isTile)
    return success();
  int64_t warps = *getWarps(), sharers = *getSharers();
  if (sharers < 1 || warps < 1 || warps % sharers)
    return emitOpError("expected warps as a multiple of the sharers of a tile, "
                       "found ")
           << warps << " and " << sharers;
  return success();
}

LogicalResult TensorMapOp::verify() {
  size_t rank = getSizes().size();
  if (rank < 1 || rank > 5 || getStrides().size() + 1 != rank ||
      getBox().size() != rank)
    return emitOpError("expected 1 to 5 sizes, a stride for each but the first "
                       "and a box of as many, found ")
           << rank << " sizes, " << getStrides().size() << " strides and a box "
           << "of " << getBox().size();
  for (int64_t size : getBox())
    if (!ShapedType::isDynamic(size) && (size < 1 || size > 256))
      return emitOpError("expected a box of 1 to 256 in each dimension, found ")
             << size;
  if (ShapedType::isDynamic(getBox()[0]))
    return emitOpError("expected a number as the first extent of the box, "
                       "found a value: rows in shared memory have one length");
  if (size_t values = llvm::count_if(getBox(), ShapedType::isDynamic);
      values != getExtents().size())
    return emitOpError("expected a value for each of the ")
           << values << " extents of the box that are not numbers, found "
           << getExtents().size();
  int64_t swizzle = getSwizzle();
  if (swizzle != 0 && swizzle != 32 && swizzle != 64 && swizzle != 128)
    return emitOpError("expected a swizzle of 0, 32, 64 or 128 bytes, found ")
           << swizzle;
  int64_t row = getBox()[0] * getElementType().getIntOrFloatBitWidth() / 8;
  if (row % 16 || (swizzle && row > swizzle))
    return emitOpError("expected rows of the box of a multiple of 16 bytes")
           << (swizzle ? " and no longer than the swizzle" : "") << ", found "
           << row << " bytes";
  return success();
}

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

/// Checks that `actual` are the tiles of `ring`, as what `describe` calls them.
template <typename RangeT, typename ToTile>
static LogicalResult verifyStage(Operation *op, RingType ring, RangeT actual,
                                 ToTile toTile) {
  ArrayRef<TileType> tiles = ring.getTiles();
  if (actual.size() != tiles.size())
    return op->emitOpError("expected one result for each of the ")
           << tiles.size() << " tiles of the ring, found " << actual.size();
  for (auto [index, pair] : llvm::enumerate(llvm::zip(actual, tiles))) {
    auto [value, tile] = pair;
    if (toTile(value) != tile)
      return op->emitOpError("expected result #")
             << index << " to be the memory of " << tile << ", found "
             << value.getType();
  }
  return success();
}

LogicalResult AcquireOp::verify() {
  return verifyStage(*this, getRing().getType(), getSlots(), [](Value slot) {
    return cast<SlotType>(slot.getType()).getTile();
  });
}

LogicalResult WaitOp::verify() {
  return verifyStage(*this, getRing().getType(), getTiles(),
                     [](Value tile) { return cast<TileType>(tile.getType()); });
}

/// The rows of a box that is smaller than its slot.
static LogicalResult verifyRows(CopyOp op) {
  bool mapped = op.getView().getType().getOrder() == Order::TensorMap;
  if (!mapped || op.getSlot().getType().getOrder() != Order::Swizzled)
    return op.emitOpError("expected rows only of a tensor map's box for a "
                          "swizzled slot, found ")
           << op.getView().getType() << " to " << op.getSlot().getType();
  auto acquire = op.getSlot().getDefiningOp<AcquireOp>();
  if (!acquire)
    return success();
  // Whatever dominates the copy and stands outside of the acquire's block
  // dominates the acquire.
  Operation *rows = op.getRows().getDefiningOp();
  bool before = rows && rows->getBlock() == acquire->getBlock()
                    ? rows->isBeforeInBlock(acquire)
                    : op.getRows().getParentRegion()->isAncestor(
                          acquire->getParentRegion());
  if (!before)
    return op.emitOpError("expected rows that are known before the slot is "
                          "acquired, because the stage then expects their "
                          "bytes; move them in front of sftile.acquire");
  return success();
}

/// A copy that one thread starts.
static LogicalResult verifyBulkCopy(CopyOp op, CopyAtomInterface atom) {
  ViewType view = op.getView().getType();
  TileType tile = op.getSlot().getType().getTile();
  bool mapped = view.getOrder() == Order::TensorMap;
  if (mapped != atom.usesTensorMap())
    return op.emitOpError("expected ")
           << (atom.usesTensorMap() ? "a tensor_map view" : "a packed view")
           << " for " << atom << ", found " << view;
  bool rows = view.getOrder() == Order::RowMajor;
  if (rows && (tile.getOrder() != Order::RowMajor || tile.getShape()[1] % 64))
    return op.emitOpError("expected a packed view, or rows of a multiple of 64 "
                          "elements in their order, for ")
           << atom << ", whose bytes are adjacent; found " << view << " to "
           << tile;
  // In a role whose threads have other work too one of them takes a branch.
  auto role = op->getParentOfType<RoleOp>();
  if (!role || (!role.getLeader() && !op->getParentOfType<scf::IfOp>()))
    return op.emitOpError("expected a role with a leader, or a branch that one "
                          "thread takes, around a copy that one thread starts");
  bool units = tile.getOrder() != Order::Swizzled;
  if (mapped && !units && tile.getPitch() != 128)
    return op.emitOpError("expected rows of 128 bytes, the span of the "
                          "swizzle, found ")
           << tile.getPitch();
  int64_t sharers = op.getSharedBy().value_or(1);
  if (op.getSharedBy() &&
      (sharers < 1 || !mapped || units || tile.getShape()[0] % (8 * sharers)))
    return op.emitOpError("expected shared_by to divide a tile of a tensor map "
                          "in parts of a multiple of 8 rows, found ")
           << sharers << " for " << tile;
  int64_t pieces = op.getPieces().value_or(1);
  if (op.getPieces() &&
      (pieces < 1 || !mapped || units || op.getRows() || op.getSharedBy() ||
       tile.getShape()[0] % (8 * pieces) ||
       op.getPiece().value_or(0) >= uint64_t(pieces)))
    return op.emitOpError("expected a piece of a tile of a tensor map that one "
                          "block copies, in parts of a multiple of 8 rows, "
                          "found ")
           << op.getPiece().value_or(0) << " of " << pieces << " for " << tile;
  return op.getRows() ? verifyRows(op) : success();
}

LogicalResult CopyOp::verify() {
  ViewType view = getView().getType();
  SlotType slot = getSlot().getType();
  if (view.getElementType() != slot.getElementType())
    return emitOpError("expected view and slot of one element type, found ")
           << view.getElementType() << " and " << slot.getElementType();
  bool mapped = view.getOrder() == Order::TensorMap;
  bool packed = view.getOrder() != Order::RowMajor && !mapped;
  if (view.getOrder() == Order::GroupedRows)
    return emitOpError("expected a view whose rows are one distance apart, "
                       "found ")
           << view;
  if (getReadOnce() && !mapped)
    return emitOpError("expected a tensor map for what is read once, found ")
           << view;
  // A box may be rows that are swizzled, or whole units.
  bool fits = packed ? view.getOrder() == slot.getOrder()
                     : slot.getOrder() == Order::Swizzled ||
                           (slot.getOrder() == Order::RowMajor) != mapped;
  if (!fits)
    return emitOpError("expected a slot that keeps the order of the view (or "
                       "swizzles rows), found ")
           << stringifyOrder(view.getOrder()) << " to "
           << stringifyOrder(slot.getOrder());
  if (slot.getTile().getPitch() % 16)
    return emitOpError("expected rows of a multiple of 16 bytes, found ")
           << slot.getTile().getPitch();
  auto atom = dyn_cast<CopyAtomInterface>(getAtom());
  if (!atom)
    return emitOpError("expected a copy atom, found ") << getAtom();
  if (atom.isBulk())
    return verifyBulkCopy(*this, atom);
  if (mapped)
    return emitOpError("expected an atom that reads tensor maps for ")
           << view << ", found " << getAtom();
  if (getSharedBy())
    return emitOpError(
               "expected a bulk atom for a copy that blocks share, found ")
           << getAtom();
  if (getPieces())
    return emitOpError("expected a bulk atom for a piece of a slot, found ")
           << getAtom();
  if (getRows())
    return emitOpError("expected a bulk atom for a copy of some rows, found ")
           << getAtom();
  if (packed && atom.getBytes() != 16)
    return emitOpError(
               "expected a 16-byte atom for packed weights, whose units "
               "are aligned by construction; found ")
           << atom.getBytes() << " bytes";
  return success();
}

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

/// Words of weights that keep two of four columns, as lanes hold them.
static LogicalResult verifyNonzeroWords(Operation *op, FragType codes) {
  int64_t words = codes.getShape()[0];
  if (!codes.getElementType().isInteger(32) || (words != 2 && words != 4) ||
      codes.getShape()[1] != 32 ||
      codes.getLayout() !=
          LayoutAttr::get(op->getContext(), getNonzeroWordsLayout(words)))
    return op->emitOpError("expected codes of 2 x 32 or 4 x 32 words of i32, "
                           "whose lanes hold neighbouring ones, found ")
           << codes;
  return success();
}

LogicalResult LoadNonzerosOp::verify() {
  if (getTile().getType().getOrder() != Order::Metadata24)
    return emitOpError("expected a tile in metadata24 order, found ")
           << getTile().getType();
  FragType frag = getFrag().getType();
  if (failed(verifyNonzeroWords(*this, frag)))
    return failure();
  if (getMetadata() && frag.getShape()[0] != 4)
    return emitOpError("expected metadata of 4 x 32 words, found ") << frag;
  return success();
}

/// Scales that weights are multiplied by as they are decoded.
static LogicalResult verifyScales(DecodeOp op) {
  if (!op.getScales())
    return success();
  FragType weights = op.getWeights().getType();
  FragType scales = op.getScales().getType();
  Type element = weights.getElementType();
  LayoutAttr layout = LayoutAttr::get(
      op.getContext(), getRowLayout(weights.getLayout().getLayout()));
  if ((!element.isF16() && !element.isBF16()) || weights.getShape()[0] != 16)
    return op.emitOpError("expected 16 rows of weights of f16 or bf16 for "
                          "scales, found ")
           << weights;
  if (scales.getShape() != ArrayRef<int64_t>({16, 1}) ||
      !scales.getElementType().isF32() || scales.getLayout() != layout)
    return op.emitOpError("expected scales of 16 x 1 in f32 in the layout ")
           << layout << ", found " << scales;
  return success();
}

/// The types that `codec` decodes to, for a message; empty if there are none.
static std::string describeElements(CodecInterface codec, bool shifted) {
  Builder builder(codec.getContext());
  Type types[] = {builder.getF16Type(), builder.getBF16Type(),
                  builder.getIntegerType(8),
                  builder.getIntegerType(8, /*isSigned=*/true)};
  std::string text;
  for (Type type : types)
    if (codec.decodesTo(type, shifted))
      llvm::raw_string_ostream(text) << (text.empty() ? "" : " or ") << type;
  return text;
}

/// Keys or values, for which the codec says what is right.
static LogicalResult verifyDecodedCache(DecodeOp op,
                                        CacheCodecInterface codec) {
  FragType operand = op.getWeights().getType();
  if (op.getShifted())
    return op.emitOpError("expected elements of ")
           << codec << " as they are, found shifted ones";
  if (op.getScales() && (op.getScales().getType() != operand || op.getFlip()))
    return op.emitOpError("expected a scale for each element, ")
           << operand << ", and none beside signs, found "
           << op.getScales().getType();
  if (op.getFlip() && !codec.hasSignBits(operand.getElementType()))
    return op.emitOpError("expected elements with sign bits to flip, found ")
           << operand.getElementType() << " from " << codec;
  return codec.verifyDecode([&] { return op.emitOpError(); },
                            op.getCodes().getType(), operand, op.getCol());
}

LogicalResult DecodeOp::verify() {
  if (auto cache = dyn_cast<CacheCodecInterface>(getCodec()))
    return verifyDecodedCache(*this, cache);
  FragType codes = getCodes().getType(), weights = getWeights().getType();
  auto codec = cast<CodecInterface>(getCodec());
  Type element = weights.getElementType();
  if (getFlip())
    return emitOpError(
               "expected a codec of a cache for signs that are flipped, "
               "found ")
           << codec;
  if (failed(verifyScales(*this)))
    return failure();
  if (!codec.decodesTo(element, getShifted())) {
    std::string types = describeElements(codec, getShifted());
    if (types.empty())
      return emitOpError("expected weights of ")
             << codec << " as they are, found shifted ones";
    return emitOpError("expected ")
           << (getShifted() ? "shifted " : "") << "weights of " << types
           << " from " << codec << ", found " << element;
  }
  int64_t rows = codec.isSparse() ? 16 : weights.getShape()[0];
  FragType words = getCodesType(codec, rows);
  if (codes != words)
    return emitOpError("expected the words of ")
           << rows << " rows of " << codec << ", " << words << ", found "
           << codes;
  int64_t cols = element.isInteger(8) ? 32 : 16;
  LayoutAttr layout = LayoutAttr::get(getContext(), getWeightsLayout(element));
  if (weights.getShape()[0] != rows || weights.getShape()[1] != cols ||
      weights.getLayout() != layout)
    return emitOpError("expected weights of ")
           << rows << " x " << cols << " in the layout " << layout << ", found "
           << weights;
  int64_t col = getCol();
  int64_t columns = codec.getUnitColumns() / (codec.isSparse() ? 2 : 1);
  if (col < 0 || col >= columns || col % cols)
    return emitOpError("expected a column from 0 to ")
           << columns - 1 << " that is a multiple of " << cols << ", found "
           << col;
  return success();
}

/// Checks one operand of an MMA against what the atom asks for.
static LogicalResult verifyOperand(MmaOp op, StringRef name, FragType frag,
                                   Type elementType,
                                   const LinearLayout &layout) {
  if (frag.getElementType() != elementType)
    return op.emitOpError("expected ")
           << name << " of " << elementType << " for " << op.getAtomAttr()
           << ", found " << frag.getElementType();
  LayoutAttr expected = LayoutAttr::get(op.getContext(), layout);
  if (frag.getLayout() != expected)
    return op.emitOpError("expected ")
           << name << " in the layout that " << op.getAtomAttr()
           << " assigns to it, " << expected << ", found " << frag.getLayout();
  return success();
}

LogicalResult MmaOp::verify() {
  MmaAtomInterface atom = getAtom();
  FragType a = getA().getType(), b = getB().getType(), c = getAcc().getType();
  // Bytes of B have a sign, whatever those of A have, and may say so.
  Type typeOfB = atom.getOperandType();
  if (typeOfB.isInteger(8))
    typeOfB = b.getElementType().isSignedInteger(8)
                  ? b.getElementType()
                  : IntegerType::get(getContext(), 8);
  if (failed(verifyOperand(*this, "a", a, atom.getOperandType(),
                           atom.getLayoutA())) ||
      failed(verifyOperand(*this, "b", b, typeOfB, atom.getLayoutB())) ||
      failed(verifyOperand(*this, "the accumulator", c,
                           atom.getAccumulatorType(), atom.getLayoutC())))
    return failure();
  int64_t ratio = atom.isSparse() ? 2 : 1;
  if (a.getShape()[0] != c.getShape()[0] ||
      b.getShape()[0] != c.getShape()[1] ||
      a.getShape()[1] * ratio != b.getShape()[1])
    return emitOpError("expected a of m x k")
           << (atom.isSparse() ? "/2" : "")
           << ", b of n x k and an accumulator "
           << "of m x n, found " << a << ", " << b << ", " << c;
  if (b.getShape()[1] != atom.getK())
    return emitOpError("expected one K step of ")
           << atom.getK() << ", the K of " << getAtomAttr() << ", found "
           << b.getShape()[1] << "; use an MMA for each step";
  if (failed(verifyHasMetadata(*this)))
    return failure();
  if (!atom.isSparse())
    return success();
  FragType metadata = getMetadata().getType();
  if (failed(verifyOperand(*this, "metadata", metadata,
                           IntegerType::get(getContext(), 32),
                           getMetadataLayout())))
    return failure();
  if (metadata.getShape()[0] * atom.getM() != c.getShape()[0] ||
      metadata.getShape()[1] != 32)
    return emitOpError("expected metadata of ")
           << c.getShape()[0] / atom.getM()
           << " x 32 words, a row for each instruction, found " << metadata;
  return verifySelector(*this);
}

std::optional<SmallVector<int64_t>> SliceOp::getSourceRegisters() {
  FragType source = getSource().getType(), result = getResult().getType();
  LinearLayout from = source.getLayout().getLayout(),
               to = result.getLayout().getLayout();
  auto scaled = [&](Coord place) -> Coord {
    return {getStrides()[0] * place.row, getStrides()[1] * place.col};
  };
  // What a lane adds to a position is the same on both sides.
  if (from.numLanes() != to.numLanes())
    return std::nullopt;
  for (auto [a, b] : llvm::zip(from.laneBits(), to.laneBits()))
    if (!(a == scaled(b)))
      return std::nullopt;
  DenseMap<std::pair<int64_t, int64_t>, int64_t> elements;
  for (int64_t i = 0; i < source.getElementsPerLane(); ++i) {
    Coord place = source.getPosition(i);
    elements.try_emplace({place.row, place.col}, i);
  }
  SmallVector<int64_t> registers;
  int64_t each = result.getElementsPerLane() / result.getRegistersPerLane();
  for (int64_t i = 0; i < result.getElementsPerLane(); ++i) {
    Coord place = scaled(result.getPosition(i));
    auto found = elements.find({place.row + static_cast<int64_t>(getRow()),
                                place.col + static_cast<int64_t>(getCol())});
    // Elements that share a register stay together.
    if (found == elements.end() || found->second % each != i % each ||
        (i % each && found->second / each != registers.back()))
      return std::nullopt;
    if (i % each == 0)
      registers.push_back(found->second / each);
  }
  return registers;
}

LogicalResult SliceOp::verify() {
  FragType source = getSource().getType(), result = getResult().getType();
  if (source.getElementType() != result.getElementType())
    return emitOpError("expected the element type of the source, found ")
           << result << " from " << source;
  if (getStrides().size() != 2 || getStrides()[0] < 1 || getStrides()[1] < 1)
    return emitOpError("expected a stride from 1 of rows and one of columns, "
                       "found [")
           << getStrides() << "]";
  if (!getSourceRegisters())
    return emitOpError(
               "expected elements of the source that are in registers of "
               "the same lanes, found (")
           << static_cast<int64_t>(getRow()) << ", "
           << static_cast<int64_t>(getCol()) << ") with strides ["
           << getStrides() << "] of " << result << " in " << source;
  return success();
}

LogicalResult ConcatOp::verify() {
  FragType result = getResult().getType();
  if (getParts().empty())
    return emitOpError("expected at least one part");
  FragType part = cast<FragType>(getParts().front().getType());
  int64_t tileRows = result.getLayout().getLayout().tileShape().row;
  if (part.getElementType() != result.getElementType() ||
      part.getLayout() != result.getLayout() ||
      part.getShape()[0] != tileRows || result.getShape()[0] != tileRows ||
      part.getShape()[1] * int64_t(getParts().size()) != result.getShape()[1])
    return emitOpError("expected parts of ")
           << tileRows << " rows, whose columns are those of the result, found "
           << getParts().size() << " times " << part << " for " << result;
  return success();
}

LogicalResult MapOp::verify() {
  Block &block = getBody().front();
  FragType result = getResult().getType();
  if (block.getNumArguments() != getInputs().size())
    return emitOpError("expected a region argument for each of the ")
           << getInputs().size() << " inputs, found "
           << block.getNumArguments();
  for (auto [index, input] : llvm::enumerate(getInputs())) {
    auto frag = cast<FragType>(input.getType());
    if (frag.getShape() != result.getShape() ||
        frag.getLayout() != result.getLayout())
      return emitOpError("expected input #")
             << index << " with the shape and layout of the result, found "
             << frag << " and " << result;
    if (block.getArgument(index).getType() != frag.getElementType())
      return emitOpError("expected region argument #")
             << index << " of the element type " << frag.getElementType()
             << ", found " << block.getArgument(index).getType();
  }
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield || !yield.getValue() ||
      yield.getValue().getType() != result.getElementType())
    return emitOpError("expected the region to yield a ")
           << result.getElementType();
  return success();
}

// The end of a role.
void YieldOp::build(OpBuilder &, OperationState &) {}

/// True if both types hold every element in the same register of the same lane.
static bool holdsInPlace(FragType source, FragType result) {
  LinearLayout from = source.getLayout().getLayout(),
               to = result.getLayout().getLayout();
  if (from.laneBits() != to.laneBits() ||
      source.getElementsPerLane() != result.getElementsPerLane())
    return false;
  for (int64_t i = 0; i < source.getElementsPerLane(); ++i)
    if (!(source.getPosition(i) == result.getPosition(i)))
      return false;
  return true;
}

LogicalResult ConvertLayoutOp::verify() {
  FragType source = getSource().getType(), result = getResult().getType();
  if (source.getShape() != result.getShape() ||
      source.getElementType() != result.getElementType())
    return emitOpError("expected source and result of one shape and element "
                       "type, found ")
           << source << " and " << result;
  if (!getScratch()) {
    if (getAtom())
      return emitOpError("expected scratch memory, 'via %tile', for ")
             << *getAtom();
    if (holdsInPlace(source, result))
      return success();
    return emitOpError("expected layouts between which no element moves, or "
                       "scratch memory, 'via %tile', through which elements "
                       "do; found ")
           << source << " and " << result;
  }
  TileType scratch = getScratch().getType();
  if (scratch.getElementType() != source.getElementType() ||
      scratch.getShape()[0] < source.getShape()[1] ||
      scratch.getShape()[1] != source.getShape()[0])
    return emitOpError("expected a scratch tile of at least ")
           << source.getShape()[1] << " x " << source.getShape()[0] << " of "
           << source.getElementType() << ", the transposed fragment, found "
           << scratch;
  if (scratch.getOrder() != Order::Swizzled &&
      scratch.getOrder() != Order::RowMajor)
    return emitOpError("expected a swizzled or row-major scratch tile, found ")
           << scratch;
  return success();
}
