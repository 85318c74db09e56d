//===- DequantizedMma.cpp - Ternary weights for warpgroups -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Mainloop/DequantizedMma.h"
#include "SparseFlow/Dialect/SFTile/IR/RowLayouts.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Rows of a warp, columns of a unit of codes, and words of a row of a piece of
// 512 bytes; a unit of weights that keep pairs has a piece of metadata for each
// 16 of its 64 rows, and then their codes.
static constexpr int64_t kRows = 16, kUnitColumns = 128, kPieceWords = 32,
                         kPiecesOfMetadata = 4;
// Registers that sums and the weights of two stages may take of the 216 or more
// that a thread has; addresses, codes and metadata take the others.
static constexpr int64_t kRegistersOfMmas = 160;

DequantizedMma::DequantizedMma(const MatmulProblem &problem, KernelBuilder &b)
    : problem(problem), b(b) {
  MLIRContext *context = b.builder.getContext();
  bool pairs = problem.keeps != KeptCodes::All;
  // Partial sums are multiplied by scales of their own, so that nothing can be
  // taken away behind the loop: weights have their sign.
  shifted = problem.isInteger() && problem.scales && !pairs;
  Type type = problem.operandType;
  if (shifted)
    type = IntegerType::get(context, 8, IntegerType::Signed);
  wgmma = WgmmaAttr::get(context, type, /*sparse=*/pairs);
  weightsType = b.frag({kRows, wgmma.getK() / (pairs ? 2 : 1)}, type,
                       LayoutAttr::get(context, wgmma.getLayoutA()));
}

LayoutAttr DequantizedMma::accumulatorLayout() const {
  return LayoutAttr::get(b.builder.getContext(), wgmma.getLayoutC());
}

bool DequantizedMma::leavesRoomForTwoStages(const MatmulProblem &problem) {
  int64_t lanes = 32, bits = problem.operandType.getIntOrFloatBitWidth();
  int64_t accumulators = problem.schedule.getWarp()[0] / kRows;
  int64_t sums = kRows * problem.schedule.getBlock()[1] / lanes;
  bool pairs = problem.keeps != KeptCodes::All;
  int64_t kept = problem.schedule.getK() / (pairs ? 2 : 1);
  int64_t weights = kRows * kept * bits / 32 / lanes * problem.planes();
  // Of bytes the weights of two stages have always been few enough.
  return problem.isInteger() ||
         accumulators * (sums + 2 * weights) <= kRegistersOfMmas;
}

FragType DequantizedMma::words(int64_t rows, int64_t cols,
                               const LinearLayout &layout) {
  return b.frag({rows, cols}, b.builder.getI32Type(),
                LayoutAttr::get(b.builder.getContext(), layout));
}

Value DequantizedMma::load(Value tile, int64_t rows, int64_t cols,
                           const LinearLayout &layout, Value row, Value col) {
  FragType type = words(rows, cols, layout);
  return LoadOp::create(b.builder, b.loc, type, tile, row, col);
}

/// Words of a piece, `count` for each lane, as the atom's MMAs want them.
Value DequantizedMma::loadKeptWords(Value tile, int64_t count, Value row,
                                    Value col, bool metadata) {
  LinearLayout layout = getKeptWordsLayout(count);
  if (problem.isInteger())
    return load(tile, count, kPieceWords, layout, row, col);
  return LoadKeptOp::create(b.builder, b.loc, words(count, kPieceWords, layout),
                            tile, row, col, metadata);
}

DequantizedMma::Words DequantizedMma::loadCodes(Value tile, Value row,
                                                int64_t unit, int64_t plane) {
  int64_t col = (unit * problem.planes() + plane) * kUnitColumns;
  return {load(tile, 1, kUnitColumns, getCodesLayout(), b.div(row, kRows),
               b.index(col)),
          Value()};
}

DequantizedMma::Words DequantizedMma::loadKept(Value tile, Value row) {
  // Four rows of words for each unit; 16 weight rows have a piece of metadata
  // and one of codes, or half a piece of signs.
  Value group = b.rem(b.div(row, kRows), kPiecesOfMetadata);
  Value unit = b.mul(b.div(row, kRows * kPiecesOfMetadata), 4);
  Value metadata = loadKeptWords(tile, 4, unit, b.mul(group, kPieceWords),
                                 /*metadata=*/true);
  bool signs = problem.keeps == KeptCodes::PairsNonZero;
  int64_t words = signs ? 2 : 4, inPiece = 4 / words;
  Value piece = b.add(b.div(group, inPiece), kPiecesOfMetadata);
  Value codes = loadKeptWords(tile, words,
                              b.add(unit, b.mul(b.rem(group, inPiece), words)),
                              b.mul(piece, kPieceWords), /*metadata=*/false);
  return {codes, metadata};
}

DequantizedMma::Words DequantizedMma::loadUnit(Value tile, Value row,
                                               int64_t unit, int64_t plane) {
  return wgmma.isSparse() ? loadKept(tile, row)
                          : loadCodes(tile, row, unit, plane);
}

Value DequantizedMma::dequantize(const Words &words, int64_t k, Value scale) {
  return DecodeOp::create(b.builder, b.loc, weightsType, words.codes,
                          wgmma.isSparse() ? k / 2 : k % kUnitColumns, shifted,
                          scale);
}

Value DequantizedMma::multiply(Value weights, const Words &words, int64_t k,
                               ArrayRef<Value> activations, int64_t token,
                               Value sum, bool cleared) {
  auto frag = dyn_cast<FragType>(sum.getType());
  auto type = frag ? PendingType::get(b.builder.getContext(), frag)
                   : cast<PendingType>(sum.getType());
  int64_t columns = cast<TileType>(activations[0].getType()).getShape()[1];
  return MmaAsyncOp::create(
      b.builder, b.loc, type, weights, /*aRow=*/Value(), /*aCol=*/Value(),
      activations[k / columns], b.index(token), b.index(k % columns), sum,
      words.metadata,
      wgmma.isSparse() ? b.builder.getI64IntegerAttr(k / wgmma.getK())
                       : IntegerAttr(),
      wgmma, /*transposed=*/false, cleared);
}

void DequantizedMma::start(const MatmulStage &stage, const WarpgroupRows &rows,
                           MutableArrayRef<Value> sums,
                           SmallVectorImpl<Value> &held) {
  int64_t depth = problem.schedule.getK(), step = wgmma.getK();
  const std::optional<LoopScales> &scales = problem.scales;
  int64_t columns = scales ? std::min(scales->columns, depth) : depth;
  SmallVector<Value> metadata;
  // MMAs of one accumulator run while the weights of the next are dequantized;
  // those of its planes together, because they have one accumulator.
  for (auto [row, sum] : llvm::zip(rows.ofWarp, sums)) {
    SmallVector<Value> weights;
    SmallVector<Words> words;
    for (int64_t plane = 0; plane < problem.planes(); ++plane) {
      Value scale;
      for (int64_t k = 0; k < depth; k += step) {
        if (k % unitColumns() == 0)
          words.push_back(
              loadUnit(stage.a.front(), row, k / unitColumns(), plane));
        if (scales && k % columns == 0)
          scale = loadScale(stage.a[1 + plane], k / columns, row);
        weights.push_back(dequantize(words.back(), k, scale));
      }
    }
    for (auto [number, values] : llvm::enumerate(weights))
      sum = multiply(values, words.back(), number * step % depth, stage.b,
                     /*token=*/0, sum);
    llvm::append_range(held, weights);
    if (wgmma.isSparse())
      metadata.push_back(words.back().metadata);
  }
  llvm::append_range(held, metadata);
}

Value DequantizedMma::loadScale(Value tile, int64_t group, Value row) {
  LinearLayout layout = getRowLayout(wgmma.getLayoutC());
  FragType type = b.frag({kRows, 1}, b.builder.getF32Type(),
                         LayoutAttr::get(b.builder.getContext(), layout));
  return LoadOp::create(b.builder, b.loc, type, tile, b.index(group), row,
                        Access::Row);
}
