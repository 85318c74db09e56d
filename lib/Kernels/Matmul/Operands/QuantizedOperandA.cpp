//===- QuantizedOperandA.cpp - Codes of quantized weights -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Operands/OperandA.h"
#include "Kernels/Matmul/StreamK/StreamK.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Rows of a warp in an MMA, and words of a row of a packed tile: those of codes
// and of the pieces that sparse weights come in, of which the first four of a
// unit are the metadata of its rows.
static constexpr int64_t kRows = 16, kRowWords = 128, kPieceWords = 32,
                         kPiecesOfMetadata = 4;
// Columns of which sums of 64 times a code, 128 at most, times a number of 8
// bits have 32 bits.
static constexpr int64_t kMostShiftedColumns = (1 << 17) - 1;

int64_t QuantizedOperandA::stageGroups() const {
  if (!isa<BulkAttr>(copy) || !problem.scales || !problem.scales->perRow)
    return 0;
  return std::max<int64_t>(schedule.getK() / problem.scales->columns, 1);
}

SmallVector<KernelParameter> QuantizedOperandA::parameters() const {
  return SmallVector<KernelParameter>(problem.scales ? 2 : 1);
}

SmallVector<TileType> QuantizedOperandA::stageTiles() const {
  int64_t planes = problem.planes();
  // A row of words for 16 rows of the weight; of sparse ones four.
  int64_t words = codec.getUnitTiles() *
                  (codec.isSparse() ? kPieceWords : kRowWords) * planes *
                  (schedule.getK() / unitColumns());
  SmallVector<TileType> tiles = {
      tile(blockFeatures() / 16, words,
           IntegerType::get(problem.operandType.getContext(), 32),
           codec.getOrder())};
  // A row for each group.
  if (int64_t groups = stageGroups())
    tiles.append(planes, tile(groups, blockFeatures(), problem.scales->type,
                              Order::RowMajor));
  return tiles;
}

SmallVector<Value> QuantizedOperandA::makeViews(KernelBuilder &b,
                                                ValueRange pointers) const {
  OpBuilder &builder = b.builder;
  SmallVector<Value> views = {
      viewOfUnits(b, pointers[0], builder.getI32Type(), codec.getOrder(),
                  unitColumns(), codec.getUnitTiles() * problem.planes())};
  if (!problem.scales)
    return views;
  views.push_back(pointers[1]);
  if (!stageGroups())
    return views;
  const LoopScales &scales = *problem.scales;
  int64_t features = llvm::alignTo(problem.n, kUnit);
  for (int64_t plane = 0; plane < scales.planes; ++plane) {
    Value first = LLVM::GEPOp::create(
        builder, b.loc, pointers[1].getType(), scales.type, pointers[1],
        ArrayRef<LLVM::GEPArg>{
            static_cast<int32_t>(plane * scales.groups * features)});
    views.push_back(b.view(first, scales.type, b.i64(scales.groups), features));
  }
  return views;
}

void QuantizedOperandA::copyStage(KernelBuilder &b, ArrayRef<Value> views,
                                  Value feature, Value step,
                                  ArrayRef<Value> slots) const {
  int64_t k = schedule.getK(), splits = schedule.getSplitK();
  if (schedule.getProducerWarps())
    splits *= schedule.getKWarps();
  if (schedule.getStreamK())
    splits = StreamK::kStages;
  int64_t units = k / unitColumns();
  bool fillStages = llvm::divideCeil(problem.k, unitColumns()) % units == 0;
  // Parts of a split K have equally many steps where TMA copies: behind the
  // last step come its codes once more, which meet activations of zero.
  int64_t steps = llvm::divideCeil(problem.k, k);
  int64_t stepsOfParts = llvm::divideCeil(steps, splits) * splits;
  Value own = step;
  if (isa<BulkAttr>(copy) && stepsOfParts > steps)
    own = b.min(step, b.i32(steps - 1));
  copyUnits(b, views[0], units * codec.getUnitTiles() * problem.planes(),
            fillStages, feature, own, slots[0]);
  if (!stageGroups())
    return;
  // Behind the last group come its scales once more.
  int64_t columns = problem.scales->columns;
  Value group =
      columns >= k ? b.div(step, columns / k) : b.mul(step, k / columns);
  UnitAttr yes = b.builder.getUnitAttr();
  bool whole = stepsOfParts * k <= problem.scales->groups * columns;
  bool fits = llvm::alignTo(problem.n, kUnit) % clusterFeatures() == 0;
  for (auto [view, slot] : llvm::zip(views.drop_front(2), slots.drop_front()))
    CopyOp::create(b.builder, b.loc, view, b.toI64(group), feature, slot,
                   /*rows=*/Value(), copy, IntegerAttr(),
                   whole ? yes : UnitAttr(), fits ? yes : UnitAttr());
}

Type QuantizedOperandA::valueType() const {
  return problem.isInteger() && problem.scales
             ? IntegerType::get(problem.operandType.getContext(), 8,
                                IntegerType::Signed)
             : problem.operandType;
}

MmaAtomInterface QuantizedOperandA::warpMma() const {
  MLIRContext *context = problem.operandType.getContext();
  if (problem.isInteger())
    return MmaInt8SyncAttr::get(context, 32, valueType());
  return MmaSyncAttr::get(context, 16, valueType());
}

bool QuantizedOperandA::isShifted() const {
  if (problem.scales)
    return codec.getBias(problem.operandType);
  return codec.decodesTo(problem.operandType, /*shifted=*/true) &&
         problem.k <= kMostShiftedColumns;
}

AsyncMmaAtomInterface QuantizedOperandA::warpgroupMma() const {
  return WgmmaAttr::get(problem.operandType.getContext(),
                        isShifted() ? valueType() : problem.operandType,
                        codec.isSparse());
}

QuantizedOperandA::Words QuantizedOperandA::loadUnit(KernelBuilder &b,
                                                     Value tile, Value row,
                                                     int64_t rows, int64_t unit,
                                                     int64_t plane) const {
  if (codec.isSparse())
    return loadNonzeros(b, tile, row);
  // Planes of a unit follow one another.
  int64_t col = (unit * problem.planes() + plane) * kRowWords;
  return {LoadOp::create(b.builder, b.loc, getCodesType(codec, rows), tile,
                         b.div(row, kRows), b.index(col)),
          Value()};
}

QuantizedOperandA::Words
QuantizedOperandA::loadNonzeros(KernelBuilder &b, Value tile, Value row) const {
  // `count` words for each lane, as MMAs of the activations' type want them.
  auto load = [&](int64_t count, Value row, Value piece,
                  bool metadata) -> Value {
    Value col = b.mul(piece, kPieceWords);
    FragType type = b.frag(
        {count, kPieceWords}, b.builder.getI32Type(),
        LayoutAttr::get(b.builder.getContext(), getNonzeroWordsLayout(count)));
    if (problem.isInteger())
      return LoadOp::create(b.builder, b.loc, type, tile, row, col);
    return LoadNonzerosOp::create(b.builder, b.loc, type, tile, row, col,
                                  metadata);
  };
  // Four rows of words for each unit; 16 weight rows have a piece of metadata
  // and one of codes, or half a piece of signs.
  Value group = b.rem(b.div(row, kRows), kPiecesOfMetadata);
  Value unit = b.mul(b.div(row, kRows * kPiecesOfMetadata), 4);
  Value metadata = load(4, unit, group, /*metadata=*/true);
  int64_t words = codec.getWordsPerLane(), inPiece = 4 / words;
  Value piece = b.add(b.div(group, inPiece), kPiecesOfMetadata);
  Value codes = load(words, b.add(unit, b.mul(b.rem(group, inPiece), words)),
                     piece, /*metadata=*/false);
  return {codes, metadata};
}

Value QuantizedOperandA::dequantize(KernelBuilder &b, const Words &words,
                                    FragType type, int64_t k, bool shifted,
                                    Value scale) const {
  int64_t col = k % unitColumns() / (codec.isSparse() ? 2 : 1);
  return DecodeOp::create(b.builder, b.loc, type, words.codes, col, shifted,
                          scale, codec);
}

Value QuantizedOperandA::dequantize(KernelBuilder &b, const Words &words,
                                    int64_t rows, int64_t k) const {
  MmaAtomInterface mma = warpMma();
  FragType type =
      b.frag({rows, mma.getK()}, valueType(),
             LayoutAttr::get(b.builder.getContext(), mma.getLayoutA()));
  return dequantize(b, words, type, k);
}

OperandA::Fragment QuantizedOperandA::loadFragment(KernelBuilder &b,
                                                   ArrayRef<Value> stage,
                                                   Value row, int64_t rows,
                                                   Columns columns,
                                                   const Fragment &last) const {
  assert(!columns.base && "expected whole stages of packed weights");
  int64_t k = columns.offset;
  Fragment fragment;
  fragment.codes = last.codes;
  if (k % unitColumns() == 0)
    fragment.codes =
        loadUnit(b, stage[0], row, rows, k / unitColumns(), /*plane=*/0).codes;
  fragment.values = dequantize(b, {fragment.codes, Value()}, rows, k);
  return fragment;
}
