//===- TokenPieces.cpp - Parts of a token on their way to 8 bits ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Quantize/TokenPieces.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr int64_t kChunk = 16;

Value TokenPieces::loadChunk(Value row, Value column, bool inside) {
  OpBuilder &builder = code.builder;
  auto words = VectorType::get({4}, code.i32);
  if (inside)
    return code.load(words, code.advance(row, column, 1, type), kChunk);
  Value isInside = code.less(column, code.integer(k));
  Value read = code.select(isInside, column, code.integer(0));
  Value loaded = code.load(words, code.advance(row, read, 1, type), kChunk);
  Value zero =
      arith::ConstantOp::create(builder, code.loc, builder.getZeroAttr(words));
  return code.select(isInside, loaded, zero);
}

TokenPieces::Piece TokenPieces::load(Value row, Value column, bool inside) {
  Piece piece;
  for (int64_t at = 0; at < kColumns; at += chunkColumns())
    piece.push_back(loadChunk(row, code.add(column, at), inside));
  return piece;
}

Value TokenPieces::magnitudeOf(ArrayRef<Piece> pieces) {
  SmallVector<Value> words;
  for (ArrayRef<Value> piece : pieces)
    for (Value four : piece)
      for (int64_t i = 0; i < 4; ++i)
        words.push_back(
            vector::ExtractOp::create(code.builder, code.loc, four, i));
  if (!type.isF32())
    return code.largestOfPairs(words, type);
  Value magnitude = code.integer(0);
  for (Value word : words)
    magnitude = arith::MaxUIOp::create(code.builder, code.loc, magnitude,
                                       code.bitAnd(word, 0x7FFFFFFF));
  return magnitude;
}

SmallVector<Value> TokenPieces::elementsOf(const Piece &piece) {
  OpBuilder &builder = code.builder;
  SmallVector<Value> elements;
  auto vector = VectorType::get({chunkColumns()}, type);
  for (Value words : piece) {
    Value typed = LLVM::BitcastOp::create(builder, code.loc, vector, words);
    for (int64_t i = 0; i < chunkColumns(); ++i) {
      Value element = vector::ExtractOp::create(builder, code.loc, typed, i);
      if (!type.isF32())
        element = arith::ExtFOp::create(builder, code.loc, code.f32, element);
      elements.push_back(element);
    }
  }
  return elements;
}
