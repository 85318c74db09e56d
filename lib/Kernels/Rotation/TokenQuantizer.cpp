//===- TokenQuantizer.cpp - Tokens in registers to 8 bits -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Rotation/TokenQuantizer.h"
#include "Kernels/Quantize/QuantizeKernel.h"
#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr int64_t kWarp = 32;
// Threads that have registers for 32 elements of each of two rounds.
static constexpr int64_t kMaxThreads = 512, kMaxRounds = 2;
static constexpr int64_t kWordBytes = 2 * kWarp * 4;

HadamardShape TokenShape::shape() const {
  return HadamardShape::of(unit(), kVector);
}

int64_t TokenShape::threadsOf(int64_t rounds) const {
  int64_t threads = llvm::divideCeil(k / unit(), rounds) * shape().threads;
  threads = llvm::alignTo(threads, kWarp);
  return isPower ? llvm::PowerOf2Ceil(threads) : threads;
}

int64_t TokenShape::rounds() const {
  for (int64_t rounds = 1; rounds <= kMaxRounds; ++rounds)
    if (threadsOf(rounds) <= kMaxThreads)
      return rounds;
  return 0;
}

int64_t TokenShape::groups() const { return threads() / shape().threads; }

int64_t TokenShape::threads() const { return threadsOf(rounds()); }

TokenQuantizer::TokenQuantizer(ThreadCode &code, const TokenShape &shape,
                               Value thread)
    : code(code), shape(shape), group(shape.shape()), thread(thread),
      magnitude(code.integer(0)) {
  OpBuilder &builder = code.builder;
  int64_t groups = shape.groups();
  int64_t exchanged = group.exchangedBytes() * groups;
  Value memory =
      sftile::SharedOp::create(builder, code.loc, exchanged + kWordBytes);
  words = code.at(memory, exchanged);
  steps.emplace(code, group, thread, memory);
  int64_t unit = group.block, blocks = shape.k / unit;
  for (int64_t number = 0; number < shape.rounds(); ++number) {
    Round &round = rounds.emplace_back();
    int64_t first = number * groups;
    Value block = code.add(steps->group(), first);
    if (first + groups > blocks) {
      round.isThere = code.less(block, code.integer(blocks));
      block = arith::MinUIOp::create(builder, code.loc, block,
                                     code.integer(blocks - 1));
    }
    for (int64_t vector = 0; vector < group.vectors(); ++vector)
      round.columns.push_back(
          code.add(code.mul(block, unit), steps->indexOf(vector)));
  }
}

Value TokenQuantizer::ifThere(const Round &round, Value value) {
  return round.isThere ? code.select(round.isThere, value, code.integer(0))
                       : value;
}

void TokenQuantizer::take(int64_t number, SmallVector<Value> values) {
  OpBuilder &builder = code.builder;
  if (shape.block) {
    steps->run(values, shape.scale);
    // What a rotation that is stored would have lost.
    if (!shape.type.isF32())
      for (Value &value : values) {
        Value rounded =
            arith::TruncFOp::create(builder, code.loc, shape.type, value);
        value = arith::ExtFOp::create(builder, code.loc, code.f32, rounded);
      }
  }
  Value largest = code.largestMagnitude(code.integer(0), values);
  Round &round = rounds[number];
  magnitude = arith::MaxUIOp::create(builder, code.loc, magnitude,
                                     ifThere(round, largest));
  round.values = std::move(values);
}

void TokenQuantizer::store(Value token, Value values, Value scales,
                           Value sums) {
  QuantizeSteps quantize(code);
  quantize.setMagnitude(code.blockMax(magnitude, words, shape.threads()));
  int64_t pitch = quantizedPitch(shape.k, shape.natural);
  Value row = code.advance(values, token, pitch, code.builder.getI8Type());
  Value sum = code.integer(0);
  for (const Round &round : rounds)
    sum = code.add(sum, ifThere(round, storeRound(round, row, quantize)));
  padRow(row, pitch);
  quantize.storeToken(sum, code.at(words, kWarp * 4), shape.threads(),
                      code.advance(scales, token, 1, code.f32),
                      code.advance(sums, token, 1, code.i32));
}

/// Returns the sum of the integers.
Value TokenQuantizer::storeRound(const Round &round, Value row,
                                 QuantizeSteps &quantize) {
  constexpr int64_t width = TokenShape::kVector;
  Value sum = code.integer(0);
  auto type = VectorType::get({4}, code.i32);
  SmallVector<Value> vectors;
  for (int64_t vector = 0; vector < group.vectors(); ++vector)
    vectors.push_back(vector::FromElementsOp::create(
        code.builder, code.loc, type,
        quantize.round(ArrayRef(round.values).slice(vector * width, width), sum,
                       shape.natural)));
  auto write = [&] {
    for (auto [vector, column] : llvm::zip(vectors, round.columns))
      code.store(vector, code.at(row, code.wide(column)), width);
  };
  if (round.isThere)
    code.ifTrue(round.isThere, write);
  else
    write();
  return sum;
}

/// Zeros from column K to the pitch.
void TokenQuantizer::padRow(Value row, int64_t pitch) {
  constexpr int64_t width = TokenShape::kVector;
  int64_t vectors = (pitch - shape.k) / width;
  if (!vectors)
    return;
  code.ifTrue(code.less(thread, code.integer(vectors)), [&] {
    Value zeros = arith::ConstantOp::create(
        code.builder, code.loc,
        code.builder.getZeroAttr(VectorType::get({4}, code.i32)));
    Value column = code.add(code.mul(thread, width), shape.k);
    code.store(zeros, code.at(row, code.wide(column)), width);
  });
}
