//===- DequantizedMainloop.cpp - Ternary weights for warpgroups -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/DequantizedMainloop.h"
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
static constexpr int64_t kRegistersOfProducts = 160;

DequantizedMainloop::DequantizedMainloop(const MatmulKernel &spec,
                                         KernelBuilder &b)
    : spec(spec), b(b) {
  MLIRContext *context = b.builder.getContext();
  bool pairs = spec.keeps != KeptCodes::All;
  // Partial sums are multiplied by scales of their own, so that nothing can be
  // taken away behind the loop: weights have their sign.
  shifted = spec.isInteger() && spec.scales && !pairs;
  Type type = spec.operandType;
  if (shifted)
    type = IntegerType::get(context, 8, IntegerType::Signed);
  atom = WgmmaAttr::get(context, type, /*sparse=*/pairs);
  weightsType = b.frag({kRows, atom.getK() / (pairs ? 2 : 1)}, type,
                       LayoutAttr::get(context, atom.getLayoutA()));
}

bool DequantizedMainloop::leavesRoom(int64_t pieces) const {
  int64_t lanes = 32, bits = spec.operandType.getIntOrFloatBitWidth();
  int64_t sums = kRows * spec.schedule.getBlock()[1] / lanes;
  int64_t kept = spec.schedule.getK() / (atom.isSparse() ? 2 : 1);
  int64_t weights = kRows * kept * bits / 32 / lanes * spec.planes();
  // Of bytes the weights of two stages have always been few enough.
  return spec.isInteger() ||
         pieces * (sums + 2 * weights) <= kRegistersOfProducts;
}

FragType DequantizedMainloop::words(int64_t rows, int64_t cols,
                                    const LinearLayout &layout) {
  return b.frag({rows, cols}, b.builder.getI32Type(),
                LayoutAttr::get(b.builder.getContext(), layout));
}

Value DequantizedMainloop::load(Value tile, int64_t rows, int64_t cols,
                                const LinearLayout &layout, Value row,
                                Value col) {
  FragType type = words(rows, cols, layout);
  return LoadOp::create(b.builder, b.loc, type, tile, row, col,
                        MatrixLoadAtomInterface());
}

/// Words of a piece, `count` for each lane, as the atom's products want them.
Value DequantizedMainloop::loadKeptWords(Value tile, int64_t count, Value row,
                                         Value col, bool metadata) {
  LinearLayout layout = getKeptWordsLayout(count);
  if (spec.isInteger())
    return load(tile, count, kPieceWords, layout, row, col);
  return LoadKeptOp::create(b.builder, b.loc, words(count, kPieceWords, layout),
                            tile, row, col, metadata);
}

DequantizedMainloop::Words DequantizedMainloop::loadCodes(Value tile, Value row,
                                                          int64_t unit,
                                                          int64_t plane) {
  int64_t col = (unit * spec.planes() + plane) * kUnitColumns;
  return {load(tile, 1, kUnitColumns, getCodesLayout(), b.div(row, kRows),
               b.index(col)),
          Value()};
}

DequantizedMainloop::Words DequantizedMainloop::loadKept(Value tile,
                                                         Value row) {
  // Four rows of words for each unit; 16 weight rows have a piece of metadata
  // and one of codes, or half a piece of signs.
  Value group = b.rem(b.div(row, kRows), kPiecesOfMetadata);
  Value unit = b.mul(b.div(row, kRows * kPiecesOfMetadata), 4);
  Value metadata = loadKeptWords(tile, 4, unit, b.mul(group, kPieceWords),
                                 /*metadata=*/true);
  bool signs = spec.keeps == KeptCodes::PairsNonZero;
  int64_t words = signs ? 2 : 4, inPiece = 4 / words;
  Value piece = b.add(b.div(group, inPiece), kPiecesOfMetadata);
  Value codes = loadKeptWords(tile, words,
                              b.add(unit, b.mul(b.rem(group, inPiece), words)),
                              b.mul(piece, kPieceWords), /*metadata=*/false);
  return {codes, metadata};
}

DequantizedMainloop::Words DequantizedMainloop::loadUnit(Value tile, Value row,
                                                         int64_t unit,
                                                         int64_t plane) {
  return atom.isSparse() ? loadKept(tile, row)
                         : loadCodes(tile, row, unit, plane);
}

Value DequantizedMainloop::decode(const Words &words, int64_t k, Value scale) {
  return DecodeOp::create(b.builder, b.loc, weightsType, words.codes,
                          atom.isSparse() ? k / 2 : k % kUnitColumns, shifted,
                          scale);
}

Value DequantizedMainloop::multiply(Value weights, const Words &words,
                                    int64_t k, ValueRange activations,
                                    int64_t token, Value sum, bool cleared) {
  auto frag = dyn_cast<FragType>(sum.getType());
  auto type = frag ? PendingType::get(b.builder.getContext(), frag)
                   : cast<PendingType>(sum.getType());
  int64_t columns = cast<TileType>(activations[0].getType()).getShape()[1];
  return MmaAsyncOp::create(
      b.builder, b.loc, type, weights, /*aRow=*/Value(), /*aCol=*/Value(),
      activations[k / columns], b.index(token), b.index(k % columns), sum,
      words.metadata,
      atom.isSparse() ? b.builder.getI64IntegerAttr(k / atom.getK())
                      : IntegerAttr(),
      atom, /*transposed=*/false, cleared);
}

void DequantizedMainloop::start(ValueRange tiles, ArrayRef<Value> rows,
                                SmallVectorImpl<Value> &sums,
                                SmallVectorImpl<Value> &held) {
  int64_t depth = spec.schedule.getK(), step = atom.getK();
  int64_t columns = spec.scales ? std::min(spec.scales->columns, depth) : depth;
  ValueRange activations = tiles.drop_front(spec.firstActivations());
  SmallVector<Value> metadata;
  // Products of one piece run while the weights of the next are decoded; those
  // of its planes together, because they have one accumulator.
  for (auto [row, sum] : llvm::zip(rows, sums)) {
    SmallVector<Value> weights;
    SmallVector<Words> words;
    for (int64_t plane = 0; plane < spec.planes(); ++plane) {
      Value scale;
      for (int64_t k = 0; k < depth; k += step) {
        if (k % unitColumns() == 0)
          words.push_back(
              loadUnit(tiles.front(), row, k / unitColumns(), plane));
        if (spec.scalesDecoded() && k % columns == 0)
          scale = loadScale(tiles[1 + plane], k / columns, row);
        weights.push_back(decode(words.back(), k, scale));
      }
    }
    for (auto [number, values] : llvm::enumerate(weights))
      sum = multiply(values, words.back(), number * step % depth, activations,
                     /*token=*/0, sum);
    llvm::append_range(held, weights);
    if (atom.isSparse())
      metadata.push_back(words.back().metadata);
  }
  llvm::append_range(held, metadata);
}

Value DequantizedMainloop::loadScale(Value tile, int64_t group, Value row) {
  LinearLayout layout = getRowLayout(atom.getLayoutC());
  FragType type = b.frag({kRows, 1}, b.builder.getF32Type(),
                         LayoutAttr::get(b.builder.getContext(), layout));
  return LoadRowsOp::create(b.builder, b.loc, type, tile, b.index(group), row);
}
