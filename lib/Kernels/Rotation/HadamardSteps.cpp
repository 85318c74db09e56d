//===- HadamardSteps.cpp - A Hadamard matrix by threads -------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Rotation/HadamardSteps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr int64_t kWarp = 32, kBankBits = 5;
// The most elements of a thread: what fits in its registers several times over.
// Eight threads with an access of 16 bytes each read whole lines of 128 bytes.
static constexpr int64_t kMaxElements = 32, kLineThreads = 8;

static int64_t log2Of(int64_t power) { return llvm::Log2_64(power); }

HadamardShape HadamardShape::of(int64_t block, int64_t vector) {
  HadamardShape shape;
  shape.block = block;
  shape.vector = vector;
  shape.elements = std::clamp(block / kLineThreads, vector, kMaxElements);
  shape.threads = block / shape.elements;
  // What the registers of both forms of the block do not hold.
  shape.shuffles = shape.isExchanged()
                       ? log2Of(block) - 2 * log2Of(shape.elements)
                       : log2Of(shape.threads);
  return shape;
}

HadamardSteps::HadamardSteps(ThreadCode &code, const HadamardShape &shape,
                             Value thread, Value exchange)
    : code(code), shape(shape), ownThread(code.rem(thread, shape.threads)),
      ownGroup(code.div(thread, shape.threads)), memory(exchange) {}

Value HadamardSteps::indexOf(int64_t number) {
  return code.add(code.mul(ownThread, shape.vector),
                  number * shape.threads * shape.vector);
}

/// Elements of one thread, `distance` values apart.
void HadamardSteps::combine(MutableArrayRef<Value> values, int64_t distance) {
  OpBuilder &builder = code.builder;
  for (int64_t i = 0; i < int64_t(values.size()); ++i) {
    if (i & distance)
      continue;
    Value a = values[i], b = values[i + distance];
    values[i] = arith::AddFOp::create(builder, code.loc, a, b);
    values[i + distance] = arith::SubFOp::create(builder, code.loc, a, b);
  }
}

/// Elements of threads whose numbers differ by `distance`. The one with the bit
/// subtracts its own from the other's: times -1 and 1 is exact.
void HadamardSteps::combineLanes(MutableArrayRef<Value> values,
                                 int64_t distance) {
  OpBuilder &builder = code.builder;
  Value isFirst = code.equal(code.bitAnd(ownThread, distance), 0);
  Value sign = code.select(isFirst, code.floating(1), code.floating(-1));
  for (Value &value : values) {
    Value other = code.shuffleXor(value, distance);
    value = math::FmaOp::create(builder, code.loc, value, sign, other);
  }
}

/// The steps of the five bits behind those of the vector and of the shuffles,
/// by threads that get all elements which differ in these bits only.
///
/// Word i of the block lies at i ^ (i >> 5) % 32, so that the threads of a warp
/// meet 32 banks: their numbers are five bits of the index on both sides, first
/// those behind the vector's, then all below the register's bits, and where
/// these are fewer than five, the ones behind them; each way a bit of both
/// halves of the exclusive or that the other one has not.
void HadamardSteps::exchange(MutableArrayRef<Value> values) {
  int64_t low = log2Of(shape.vector) + shape.shuffles;
  int64_t registers = log2Of(shape.elements);
  // Bytes of what a thread's number decides, and of a register: the exclusive
  // or is linear. Bits that no bank depends on are an offset, so that few
  // addresses serve all registers.
  auto bytesOf = [&](Value index) {
    Value bank = code.rem(code.right(index, kBankBits), kWarp);
    return code.left(code.bitXor(index, bank), 2);
  };
  Value region = code.at(memory, code.mul(ownGroup, shape.exchangedBytes()));
  auto at = [&](Value own, int64_t index) {
    int64_t banked = index % (kWarp * kWarp);
    int64_t place = banked ^ (banked >> kBankBits);
    Value address = place ? code.bitXor(own, code.integer(4 * place)) : own;
    return code.at(code.at(region, address), 4 * (index - banked));
  };

  Value own = bytesOf(indexOf(0));
  auto indexOfValue = [&](int64_t number) {
    int64_t vector = number / shape.vector, element = number % shape.vector;
    return vector * shape.threads * shape.vector + element;
  };
  for (auto [number, value] : llvm::enumerate(values))
    code.store(value, at(own, indexOfValue(number)), /*alignment=*/4);
  code.barrier();

  Value below = code.rem(ownThread, int64_t(1) << low);
  Value above = code.left(code.right(ownThread, low), low + registers);
  Value other = bytesOf(code.bitOr(below, above));
  for (auto [number, value] : llvm::enumerate(values))
    value = code.load(code.f32, at(other, int64_t(number) << low), 4);
  for (int64_t distance = 1; distance < shape.elements; distance *= 2)
    combine(values, distance);
  // Nobody else reads these words before the barrier.
  for (auto [number, value] : llvm::enumerate(values))
    code.store(value, at(other, int64_t(number) << low), /*alignment=*/4);
  code.barrier();
  for (auto [number, value] : llvm::enumerate(values))
    value = code.load(code.f32, at(own, indexOfValue(number)), 4);
}

void HadamardSteps::run(MutableArrayRef<Value> values, float scale) {
  OpBuilder &builder = code.builder;
  for (int64_t distance = 1; distance < shape.vector; distance *= 2)
    combine(values, distance);
  for (int64_t step = 0; step < shape.shuffles; ++step)
    combineLanes(values, int64_t(1) << step);
  if (shape.isExchanged())
    exchange(values);
  for (int64_t distance = shape.vector; distance < shape.elements;
       distance *= 2)
    combine(values, distance);
  Value factor = code.floating(scale);
  for (Value &value : values)
    value = arith::MulFOp::create(builder, code.loc, value, factor);
}
