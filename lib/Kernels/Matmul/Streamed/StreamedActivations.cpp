//===- StreamedActivations.cpp - Activations of a block ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Streamed/StreamedParts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr int64_t kWarp = 32, kChunk = 16;
// Columns that a thread quantizes together: within them the order changes.
static constexpr int64_t kPiece = 16;

/// 16 bytes of token `token` (i32) from `column` on, zeros from K on.
Value HeldActivations::loadChunk(Value token, Value column) {
  Type type = form.type;
  Value inside = less(column, integer(form.k));
  Value read = select(inside, column, integer(0));
  Value row = advance(x, token, form.k, type);
  auto words = VectorType::get({4}, i32);
  Value loaded = load(words, advance(row, read, 1, type), kChunk);
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(words));
  return select(inside, loaded, zero);
}

void HeldActivations::hold(Value tokens) {
  thread = threadId();
  int64_t together = form.byWarp ? form.threads / kWarp : 1;
  Value first = form.byWarp ? div(thread, kWarp) : integer(0);
  forLoop(first, tokens, integer(together), {}, [&](Value token, ValueRange) {
    if (form.quantized)
      quantizeToken(token);
    else
      copyToken(token);
    return SmallVector<Value>();
  });
  barrier();
}

Value HeldActivations::heldRow(Value token) {
  return at(at(shared, form.heldAt), mul(token, form.rowBytes));
}

void HeldActivations::copyToken(Value token) {
  int64_t perChunk = kChunk * 8 / form.type.getIntOrFloatBitWidth();
  int64_t chunks = form.columns / perChunk;
  SmallVector<Value> loaded, numbers;
  for (int64_t first = 0; first < chunks; first += form.threads) {
    numbers.push_back(add(thread, first));
    loaded.push_back(loadChunk(token, mul(numbers.back(), perChunk)));
  }
  for (auto [i, words] : llvm::enumerate(loaded)) {
    Value number = numbers[i];
    ifTrue(less(number, integer(chunks)), [&, words = words] {
      store(words, at(heldRow(token), mul(number, kChunk)), kChunk);
    });
  }
}

/// As QuantizeKernel.cpp does it, with the elements of a thread in registers as
/// they were loaded.
void HeldActivations::quantizeToken(Value token) {
  Type type = form.type;
  int64_t perChunk = kChunk * 8 / type.getIntOrFloatBitWidth();
  int64_t count = form.columns / kPiece;
  SmallVector<SmallVector<Value>> raw;
  SmallVector<Value> numbers;
  Value magnitude = integer(0);
  int64_t sharers = form.byWarp ? kWarp : form.threads;
  Value sharer = form.byWarp ? rem(thread, kWarp) : thread;
  auto larger = [&](Value a, Value c) -> Value {
    return arith::MaxUIOp::create(builder, loc, a, c);
  };
  for (int64_t first = 0; first < count; first += sharers) {
    numbers.push_back(add(sharer, first));
    raw.emplace_back();
    for (int64_t at = 0; at < kPiece; at += perChunk)
      raw.back().push_back(
          loadChunk(token, add(mul(numbers.back(), kPiece), at)));
  }
  // Magnitudes of pairs compare like the bits of both halves.
  bool halfWords = !type.isF32();
  auto halves = VectorType::get({2}, builder.getI16Type());
  Value both;
  for (ArrayRef<Value> chunks : raw)
    for (Value words : chunks)
      for (int64_t i = 0; i < 4; ++i) {
        Value word = vector::ExtractOp::create(builder, loc, words, i);
        if (!halfWords) {
          magnitude = larger(magnitude, bitAnd(word, 0x7FFFFFFF));
          continue;
        }
        Value pair = LLVM::BitcastOp::create(builder, loc, halves,
                                             bitAnd(word, 0x7FFF7FFF));
        both = both ? larger(both, pair) : pair;
      }
  if (halfWords)
    for (int64_t half = 0; half < 2; ++half) {
      Value bits = vector::ExtractOp::create(builder, loc, both, half);
      Value number = arith::BitcastOp::create(builder, loc, type, bits);
      magnitude = larger(
          magnitude, bitsOf(arith::ExtFOp::create(builder, loc, f32, number)));
    }
  Value words = at(shared, form.wordsAt);
  QuantizeSteps steps(*this);
  // One token's words may still be read when the next one's are written.
  Value own = at(words, mul(rem(token, 2), kWarp * 4));
  steps.setMagnitude(form.byWarp ? warpMax(magnitude)
                                 : blockMax(magnitude, own, form.threads));
  Value sum = integer(0);
  for (auto [number, chunks] : llvm::zip(numbers, raw)) {
    SmallVector<Value> elements;
    auto vector = VectorType::get({perChunk}, type);
    for (Value words : chunks) {
      Value typed = LLVM::BitcastOp::create(builder, loc, vector, words);
      for (int64_t i = 0; i < perChunk; ++i) {
        Value element = vector::ExtractOp::create(builder, loc, typed, i);
        if (!type.isF32())
          element = arith::ExtFOp::create(builder, loc, f32, element);
        elements.push_back(element);
      }
    }
    SmallVector<Value> bytes = steps.round(elements, sum, form.natural);
    Value joined = vector::FromElementsOp::create(
        builder, loc, VectorType::get({4}, i32), bytes);
    ifTrue(less(number, integer(count)), [&, number = number] {
      store(joined, at(heldRow(token), mul(number, kPiece)), kChunk);
    });
  }
  // Whoever needs the sum adds those of the warps: no thread waits for it here.
  sum = warpSum(sum);
  Value sums = at(at(words, kSumsAt), mul(token, kWarp * 4));
  if (!form.byWarp)
    sums = at(sums, mul(div(thread, kWarp), 4));
  ifTrue(equal(rem(thread, kWarp), 0), [&] { store(sum, sums, 4); });
  ifTrue(equal(sharer, 0), [&] {
    store(steps.shownScale(), at(at(words, kScalesAt), mul(token, 4)), 4);
  });
}

Value HeldActivations::sumOf(Value token) {
  Value sums = at(at(shared, form.wordsAt + kSumsAt), mul(token, kWarp * 4));
  Value sum = load(i32, sums, 4);
  int64_t parts = form.byWarp ? 1 : form.threads / kWarp;
  for (int64_t warp = 1; warp < parts; ++warp)
    sum = add(sum, load(i32, at(sums, warp * 4), 4));
  return sum;
}

Value HeldActivations::scaleOf(Value token) {
  return load(f32, at(at(shared, form.wordsAt + kScalesAt), mul(token, 4)), 4);
}

//===----------------------------------------------------------------------===//
// Activations that come with the weights
//===----------------------------------------------------------------------===//

void ElementCopies::copy(Value to, Value row, Value first) {
  SmallVector<Value> elements;
  Type type = builder.getI16Type();
  Value zero = arith::TruncIOp::create(builder, loc, type, integer(0));
  for (int64_t i = 0; i < kChunk / 2; ++i) {
    Value column = add(first, i);
    Value inside = less(column, integer(k));
    Value from = advance(row, select(inside, column, integer(0)), 1, type);
    elements.push_back(select(inside, load(type, from, 2), zero));
  }
  auto joined = VectorType::get({kChunk / 2}, type);
  store(vector::FromElementsOp::create(builder, loc, joined, elements), to,
        kChunk);
}

MatrixLoads::Offsets MatrixLoads::offsets(Value first, int64_t count) {
  Value matrix = div(lane, 8), inTile = rem(lane, 8);
  Offsets offsets(form.tokenTiles);
  for (int64_t tokenTile = 0; tokenTile < form.tokenTiles; ++tokenTile) {
    Value token = add(inTile, tokenTile * 8);
    if (form.held) // Lanes without a token read another's row.
      token =
          arith::MinUIOp::create(builder, loc, token, sub(tokens, integer(1)));
    Value row = add(mul(token, form.rowBytes), form.start);
    for (int64_t i = 0; i < count; ++i) {
      Value chunk = add(mul(add(first, i), kBytes / kChunk), matrix);
      if (!form.held)
        chunk = bitXor(chunk, inTile);
      offsets[tokenTile].push_back(add(row, mul(chunk, kChunk)));
    }
  }
  return offsets;
}

StreamedMainloop::Activations
MatrixLoads::load(Value start, const Offsets &offsets, int64_t number) {
  auto ldmatrix = sftile::LdMatrixAttr::get(builder.getContext());
  StreamedMainloop::Activations x;
  for (ArrayRef<Value> ofTile : offsets) {
    auto matrices = sftile::ThreadLoadMatricesOp::create(
        builder, loc, at(start, ofTile[number]), ldmatrix);
    x.push_back(llvm::to_vector(ValueRange(matrices.getResults())));
  }
  return x;
}
