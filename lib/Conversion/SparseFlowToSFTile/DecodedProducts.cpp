//===- DecodedProducts.cpp - Ternary weights for warpgroups -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DecodedProducts.h"

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

DecodedProducts::DecodedProducts(const MatmulKernel &spec, KernelBuilder &b)
    : spec(spec), b(b) {
  MLIRContext *context = b.builder.getContext();
  bool pairs = spec.keeps != KeptCodes::All;
  if (pairs)
    atom = WgmmaSpRegistersAttr::get(context, spec.operandType);
  else
    atom = WgmmaRegistersAttr::get(context, spec.operandType);
  weightsType = b.frag({kRows, atom.getK() / (pairs ? 2 : 1)}, spec.operandType,
                       LayoutAttr::get(context, atom.getLayoutA()));
}

bool DecodedProducts::leavesRoom(int64_t pieces) const {
  int64_t lanes = 32, bits = spec.operandType.getIntOrFloatBitWidth();
  int64_t sums = kRows * spec.schedule.getBlock()[1] / lanes;
  int64_t kept = spec.schedule.getK() / (atom.isSparse() ? 2 : 1);
  int64_t weights = kRows * kept * bits / 32 / lanes;
  // Of bytes the weights of two stages have always been few enough.
  return spec.isInteger() ||
         pieces * (sums + 2 * weights) <= kRegistersOfProducts;
}

FragType DecodedProducts::words(int64_t rows, int64_t cols,
                                const LinearLayout &layout) {
  return b.frag({rows, cols}, b.builder.getI32Type(),
                LayoutAttr::get(b.builder.getContext(), layout));
}

Value DecodedProducts::load(Value tile, int64_t rows, int64_t cols,
                            const LinearLayout &layout, Value row, Value col) {
  FragType type = words(rows, cols, layout);
  return LoadOp::create(b.builder, b.loc, type, tile, row, col,
                        MatrixLoadAtomInterface());
}

/// Words of a piece, `count` for each lane, as the atom's products want them.
Value DecodedProducts::loadKept(Value tile, int64_t count, Value row, Value col,
                                bool metadata) {
  LinearLayout layout = getKeptWordsLayout(count);
  if (spec.isInteger())
    return load(tile, count, kPieceWords, layout, row, col);
  return LoadKeptOp::create(b.builder, b.loc, words(count, kPieceWords, layout),
                            tile, row, col, metadata);
}

void DecodedProducts::decodeCodes(Value tile, Value row,
                                  SmallVectorImpl<Value> &held) {
  for (int64_t unit = 0; unit < spec.schedule.getK(); unit += kUnitColumns) {
    Value codes = load(tile, 1, kUnitColumns, getCodesLayout(),
                       b.div(row, kRows), b.index(unit));
    for (int64_t k = 0; k < kUnitColumns; k += atom.getK())
      held.push_back(
          DecodeOp::create(b.builder, b.loc, weightsType, codes, k, Value()));
  }
}

Value DecodedProducts::decodeKept(Value tile, Value row,
                                  SmallVectorImpl<Value> &held) {
  // Four rows of words for each unit; 16 weight rows have a piece of metadata
  // and one of codes, or half a piece of signs.
  Value group = b.rem(b.div(row, kRows), kPiecesOfMetadata);
  Value unit = b.mul(b.div(row, kRows * kPiecesOfMetadata), 4);
  Value metadata =
      loadKept(tile, 4, unit, b.mul(group, kPieceWords), /*metadata=*/true);
  bool signs = spec.keeps == KeptCodes::PairsNonZero;
  int64_t words = signs ? 2 : 4, inPiece = 4 / words;
  Value piece = b.add(b.div(group, inPiece), kPiecesOfMetadata);
  Value codes =
      loadKept(tile, words, b.add(unit, b.mul(b.rem(group, inPiece), words)),
               b.mul(piece, kPieceWords), /*metadata=*/false);
  for (int64_t k = 0; k < spec.schedule.getK(); k += atom.getK())
    held.push_back(
        DecodeOp::create(b.builder, b.loc, weightsType, codes, k / 2, Value()));
  return metadata;
}

void DecodedProducts::start(ValueRange tiles, ArrayRef<Value> rows,
                            SmallVectorImpl<Value> &sums,
                            SmallVectorImpl<Value> &held) {
  MLIRContext *context = b.builder.getContext();
  SmallVector<Value> weights, metadata;
  for (Value row : rows)
    if (atom.isSparse())
      metadata.push_back(decodeKept(tiles.front(), row, weights));
    else
      decodeCodes(tiles.front(), row, weights);
  llvm::append_range(held, weights);
  llvm::append_range(held, metadata);
  auto type = PendingType::get(
      context,
      b.frag({kRows, spec.schedule.getBlock()[1]}, spec.accumulatorType(),
             LayoutAttr::get(context, atom.getLayoutC())));
  int64_t steps = spec.schedule.getK() / atom.getK();
  int64_t columns = cast<TileType>(tiles.back().getType()).getShape()[1];
  for (auto [piece, sum] : llvm::enumerate(sums))
    for (int64_t step = 0; step < steps; ++step) {
      int64_t k = step * atom.getK();
      sum = MmaAsyncRegistersOp::create(
          b.builder, b.loc, type, weights[piece * steps + step],
          tiles[1 + k / columns], b.index(0), b.index(k % columns), sum,
          atom.isSparse() ? metadata[piece] : Value(),
          atom.isSparse() ? b.builder.getI64IntegerAttr(step) : IntegerAttr(),
          atom);
    }
}
