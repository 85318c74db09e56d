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
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr int64_t kWarp = 32, kChunk = 16;
static constexpr int64_t kPiece = TokenPieces::kColumns;
// Columns of which the lanes of a warp have a piece each; parts of a token that
// have words in shared memory; registers for the pieces of a step.
static constexpr int64_t kPart = kWarp * kPiece;
static constexpr int64_t kMostParts = 32, kStepRegisters = 64;
// Columns that a warp quantizes by itself.
static constexpr int64_t kMostOfWarp = 2048;

/// Where token `token` (i32) begins in global memory.
Value HeldActivations::rowOf(Value token) {
  return advance(x, token, form.k, form.type);
}

HeldSharing::HeldSharing(int64_t tokens, int64_t columns, int64_t threads,
                         Type type)
    : byWarp(tokens > 1 && columns <= kMostOfWarp),
      parts(llvm::divideCeil(columns, kPart)) {
  int64_t warps = threads / kWarp;
  int64_t most = kStepRegisters / TokenPieces::registers(type) * warps / parts;
  if (!byWarp && most > 1 && parts <= kMostParts) // As many in each step.
    together = llvm::divideCeil(tokens, llvm::divideCeil(tokens, most));
  pieces = byWarp         ? parts
           : together > 1 ? llvm::divideCeil(together * parts, warps)
                          : llvm::divideCeil(columns, kPiece * threads);
}

void HeldActivations::hold(Value tokens, HeldPieces *computed) {
  thread = threadId();
  bool byWarp = form.sharing && form.sharing->byWarp;
  Value first = byWarp ? div(thread, kWarp) : integer(0);
  int64_t step = byWarp         ? form.threads / kWarp
                 : form.sharing ? form.sharing->together
                                : 1;
  forLoop(first, tokens, integer(step), {}, [&](Value token, ValueRange) {
    if (!form.sharing)
      copyToken(token);
    else if (step > 1 && !byWarp)
      quantizeTogether(token, tokens);
    else
      quantizeToken(token, computed ? *computed : *this);
    return SmallVector<Value>();
  });
  barrier();
}

Value HeldActivations::heldRow(Value token) {
  return at(at(shared, form.heldAt), mul(token, form.rowBytes));
}

void HeldActivations::copyToken(Value token) {
  int64_t elementBytes = form.type.getIntOrFloatBitWidth() / 8;
  int64_t perChunk = kChunk / elementBytes, chunks = form.columns / perChunk;
  int64_t whole = form.k / perChunk, tail = form.k % perChunk;
  TokenPieces pieces(*this, form.type, whole * perChunk);
  Value row = rowOf(token);
  SmallVector<Value> loaded, numbers;
  for (int64_t first = 0; first < chunks; first += form.threads) {
    numbers.push_back(add(thread, first));
    loaded.push_back(pieces.loadChunk(row, mul(numbers.back(), perChunk)));
  }
  for (auto [i, words] : llvm::enumerate(loaded)) {
    Value number = numbers[i];
    Value isWhole = less(number, integer(chunks));
    if (tail)
      isWhole = arith::AndIOp::create(builder, loc, isWhole,
                                      negated(equal(number, whole)));
    ifTrue(isWhole, [&, words = words] {
      store(words, at(heldRow(token), mul(number, kChunk)), kChunk);
    });
  }
  if (!tail)
    return;
  // What follows K is another token's, or nobody's.
  ifTrue(less(thread, integer(perChunk)), [&] {
    Value isInside = less(thread, integer(tail));
    Value column = add(select(isInside, thread, integer(0)), whole * perChunk);
    Value element =
        load(form.type, advance(row, column, 1, form.type), elementBytes);
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(form.type));
    Value place = at(heldRow(token), whole * kChunk);
    store(select(isInside, element, zero), at(place, mul(thread, elementBytes)),
          elementBytes);
  });
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
  bool byWarp = form.sharing->byWarp;
  int64_t sharers = byWarp ? kWarp : form.threads;
  Value sharer = byWarp ? rem(thread, kWarp) : thread;
  for (int64_t first = 0; first < count; first += sharers)
    numbers.push_back(add(sharer, first));
  pieces.take(token, numbers);
  Value magnitude = pieces.magnitude();
  Value words = at(shared, form.wordsAt);
  QuantizeSteps steps(*this);
  // One token's words may still be read when the next one's are written.
  Value own = at(words, mul(rem(token, 2), kWarp * 4));
  steps.setMagnitude(byWarp ? warpMax(magnitude)
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
  if (!byWarp)
    sums = at(sums, mul(div(thread, kWarp), 4));
  ifTrue(equal(rem(thread, kWarp), 0), [&] { store(sum, sums, 4); });
  ifTrue(equal(sharer, 0), [&] {
    store(steps.shownScale(), at(at(words, kScalesAt), mul(token, 4)), 4);
  });
}

/// Those from `first` on. Warps have parts of any token, so that fewer tokens
/// than a step can take leave no warp without work; every warp finds the scales
/// of all, a lane for each token. What waits for something stands beside what
/// waits for the same of other parts: a branch around a part has neither.
void HeldActivations::quantizeTogether(Value first, Value tokens) {
  int64_t parts = form.sharing->parts;
  Value lane = rem(thread, kWarp);
  // A shuffle tells ptxas that the value is the same for the warp.
  Value number = shuffle(div(thread, kWarp), integer(0));
  Value count = arith::MinUIOp::create(builder, loc, sub(tokens, first),
                                       integer(form.sharing->together));
  Value total = mul(count, parts);
  Value words = at(shared, form.wordsAt);
  // [part][token], and [token][part] for who adds them up.
  Value magnitudes = at(at(words, kMagnitudesAt), mul(first, 4));
  Value firstLane = equal(lane, 0);
  TokenPieces pieces(*this, form.type, form.k);
  struct Part {
    Value inside, stored, inStep, token, part, number, sum;
    TokenPieces::Piece piece;
  };
  SmallVector<Part> own(form.sharing->pieces);
  auto words4 = VectorType::get({4}, i32);
  SmallVector<Value> zeros(
      TokenPieces::registers(form.type) / 4,
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(words4)));
  for (Part &next : own) {
    next.inside = less(number, total);
    next.stored = arith::AndIOp::create(builder, loc, next.inside, firstLane);
    next.inStep = div(number, parts);
    next.token = add(first, next.inStep);
    next.part = rem(number, parts);
    next.number = add(mul(next.part, kWarp), lane);
    next.piece = ifInside(
        next.inside,
        [&] {
          return pieces.load(rowOf(next.token), mul(next.number, kPiece),
                             form.k % kPart == 0);
        },
        zeros);
    number = add(number, form.threads / kWarp);
  }
  for (Part &next : own) {
    Value largest = warpMax(pieces.magnitudeOf(next.piece));
    Value word = add(mul(next.part, 8), next.inStep);
    ifTrue(next.stored,
           [&] { store(largest, at(magnitudes, mul(word, 4)), 4); });
  }
  barrier();
  Value ofLane =
      arith::MinUIOp::create(builder, loc, lane, sub(count, integer(1)));
  Value magnitude = integer(0);
  for (int64_t part = 0; part < parts; ++part)
    magnitude = arith::MaxUIOp::create(
        builder, loc, magnitude,
        load(i32, at(at(magnitudes, mul(ofLane, 4)), part * 8 * 4), 4));
  QuantizeSteps steps(*this);
  steps.setMagnitude(magnitude);
  ifTrue(less(thread, count), [&] {
    store(steps.shownScale(),
          at(at(words, kScalesAt), mul(add(first, thread), 4)), 4);
  });
  SmallVector<QuantizeSteps> ofParts;
  for (const Part &next : own)
    ofParts.push_back(steps.ofLane(next.inStep));
  for (auto [next, ofPart] : llvm::zip(own, ofParts)) {
    Part &part = next;
    QuantizeSteps &rounding = ofPart;
    auto round = [&]() -> SmallVector<Value> {
      Value sum = integer(0);
      SmallVector<Value> bytes =
          rounding.round(pieces.elementsOf(part.piece), sum, form.natural);
      Value joined =
          vector::FromElementsOp::create(builder, loc, words4, bytes);
      auto put = [&] {
        store(joined, at(heldRow(part.token), mul(part.number, kPiece)),
              kChunk);
      };
      if (form.columns % kPart)
        ifTrue(less(part.number, integer(form.columns / kPiece)), put);
      else
        put();
      return {sum};
    };
    part.sum = ifInside(part.inside, round, {integer(0)}).front();
  }
  for (Part &next : own) {
    Value sum = warpSum(next.sum);
    Value word = add(mul(next.token, kWarp), next.part);
    ifTrue(next.stored,
           [&] { store(sum, at(at(words, kSumsAt), mul(word, 4)), 4); });
  }
}

SmallVector<Value>
HeldActivations::ifInside(Value condition,
                          function_ref<SmallVector<Value>()> body,
                          ArrayRef<Value> otherwise) {
  auto branch =
      scf::IfOp::create(builder, loc, ValueRange(otherwise).getTypes(),
                        condition, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, body());
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, otherwise);
  return llvm::to_vector(ValueRange(branch.getResults()));
}

Value HeldActivations::sumOf(Value token) {
  Value sums = at(at(shared, form.wordsAt + kSumsAt), mul(token, kWarp * 4));
  Value sum = load(i32, sums, 4);
  const HeldSharing &sharing = *form.sharing;
  int64_t parts = sharing.byWarp         ? 1
                  : sharing.together > 1 ? sharing.parts
                                         : form.threads / kWarp;
  for (int64_t part = 1; part < parts; ++part)
    sum = add(sum, load(i32, at(sums, part * 4), 4));
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
