//===- StreamedActivations.cpp - Activations of a block ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Streamed/StreamedParts.h"
#include "Kernels/Quantize/TokenPieces.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr int64_t kWarp = 32, kChunk = 16;
static constexpr int64_t kPiece = TokenPieces::kColumns;

/// Where token `token` (i32) begins in global memory.
Value HeldActivations::rowOf(Value token) {
  return advance(x, token, form.k, form.type);
}

void HeldActivations::hold(Value tokens, HeldPieces *computed) {
  thread = threadId();
  int64_t together = form.byWarp ? form.threads / kWarp : 1;
  Value first = form.byWarp ? div(thread, kWarp) : integer(0);
  forLoop(first, tokens, integer(together), {}, [&](Value token, ValueRange) {
    if (form.quantized)
      quantizeToken(token, computed ? *computed : *this);
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
  TokenPieces pieces(*this, form.type, form.k);
  Value row = rowOf(token);
  SmallVector<Value> loaded, numbers;
  for (int64_t first = 0; first < chunks; first += form.threads) {
    numbers.push_back(add(thread, first));
    loaded.push_back(pieces.loadChunk(row, mul(numbers.back(), perChunk)));
  }
  for (auto [i, words] : llvm::enumerate(loaded)) {
    Value number = numbers[i];
    ifTrue(less(number, integer(chunks)), [&, words = words] {
      store(words, at(heldRow(token), mul(number, kChunk)), kChunk);
    });
  }
}

void HeldActivations::take(Value token, ArrayRef<Value> numbers) {
  TokenPieces pieces(*this, form.type, form.k);
  Value row = rowOf(token);
  raw.clear();
  for (Value number : numbers)
    raw.push_back(pieces.load(row, mul(number, kPiece)));
}

Value HeldActivations::magnitude() {
  return TokenPieces(*this, form.type, form.k).magnitudeOf(raw);
}

SmallVector<Value> HeldActivations::elements(size_t place) {
  return TokenPieces(*this, form.type, form.k).elementsOf(raw[place]);
}

/// As QuantizeKernel.cpp does it, with the elements of a thread in registers.
void HeldActivations::quantizeToken(Value token, HeldPieces &pieces) {
  int64_t count = form.columns / kPiece;
  SmallVector<Value> numbers;
  int64_t sharers = form.byWarp ? kWarp : form.threads;
  Value sharer = form.byWarp ? rem(thread, kWarp) : thread;
  for (int64_t first = 0; first < count; first += sharers)
    numbers.push_back(add(sharer, first));
  pieces.take(token, numbers);
  Value magnitude = pieces.magnitude();
  Value words = at(shared, form.wordsAt);
  QuantizeSteps steps(*this);
  // One token's words may still be read when the next one's are written.
  Value own = at(words, mul(rem(token, 2), kWarp * 4));
  steps.setMagnitude(form.byWarp ? warpMax(magnitude)
                                 : blockMax(magnitude, own, form.threads));
  Value sum = integer(0);
  for (auto [place, number] : llvm::enumerate(numbers)) {
    SmallVector<Value> bytes =
        steps.round(pieces.elements(place), sum, form.natural);
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
