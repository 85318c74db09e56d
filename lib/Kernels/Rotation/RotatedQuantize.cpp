//===- RotatedQuantize.cpp - Activations rotated to 8 bits ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block of threads for each token. Its groups rotate blocks of elements that
// they hold in registers, round them to the type that the rotation has, find
// the token's largest magnitude together and quantize: the token is read once,
// and what is written has 8 bits.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Rotation/RotatedQuantize.h"
#include "Kernels/Quantize/QuantizeKernel.h"
#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::sparseflow;

// Columns that a thread quantizes and stores together: their order changes.
static constexpr int64_t kVector = 16;
static constexpr int64_t kWarp = 32;
// Threads that have registers for 32 elements of each of two rounds.
static constexpr int64_t kMaxThreads = 512, kMaxRounds = 2;
static constexpr int64_t kWordBytes = 2 * kWarp * 4;

HadamardShape RotatedQuantizeKernel::shape() const {
  return HadamardShape::of(rotation.block, kVector);
}

int64_t RotatedQuantizeKernel::rounds() const {
  int64_t blocks = rotation.k / rotation.block;
  for (int64_t rounds = 1; rounds <= kMaxRounds; ++rounds)
    if (llvm::divideCeil(blocks, rounds) * shape().threads <= kMaxThreads)
      return rounds;
  return 0;
}

int64_t RotatedQuantizeKernel::groups() const {
  return llvm::divideCeil(rotation.k / rotation.block, rounds());
}

int64_t RotatedQuantizeKernel::threads() const {
  return llvm::alignTo(groups() * shape().threads, kWarp);
}

namespace {

class RotatedQuantizeGenerator : ThreadCode {
public:
  RotatedQuantizeGenerator(const RotatedQuantizeKernel &spec,
                           OpBuilder &builder)
      : ThreadCode(builder, spec.rotation.loc), spec(spec),
        rotation(spec.rotation), shape(spec.shape()),
        access(*this, kVector, rotation.aligned) {}

  gpu::GPUFuncOp run() {
    bool hasSigns = !!rotation.signsType;
    gpu::GPUFuncOp kernel =
        openKernel(rotation.name, /*pointers=*/hasSigns ? 5 : 4, /*numbers=*/1,
                   spec.threads(), rotation.programmatic);
    auto result = [&](int64_t number) {
      return kernel.getArgument((hasSigns ? 2 : 1) + number);
    };
    thread = threadId();
    token = wide(blockId());
    int64_t exchanged = shape.exchangedBytes() * spec.groups();
    Value memory =
        sftile::SharedOp::create(builder, loc, exchanged + kWordBytes);
    Value words = at(memory, exchanged);
    HadamardSteps steps(*this, shape, thread, memory);
    Value x =
        advance(kernel.getArgument(0), token, rotation.k, rotation.elementType);

    Value magnitude = integer(0);
    SmallVector<Round> rounds;
    for (int64_t number = 0; number < spec.rounds(); ++number) {
      rounds.push_back(
          rotate(number, x, hasSigns ? kernel.getArgument(1) : Value(), steps));
      Value largest = integer(0);
      for (Value value : rounds.back().values)
        largest = arith::MaxUIOp::create(builder, loc, largest,
                                         bitAnd(bitsOf(value), 0x7FFFFFFF));
      magnitude = arith::MaxUIOp::create(builder, loc, magnitude,
                                         ifThere(rounds.back(), largest));
    }
    QuantizeSteps quantize(*this);
    quantize.setMagnitude(blockMax(magnitude, words, spec.threads()));
    Value row = advance(result(0), token, pitch(), builder.getI8Type());
    Value sum = integer(0);
    for (const Round &round : rounds)
      sum = add(sum, ifThere(round, store(round, row, quantize)));
    padRow(row);
    quantize.storeToken(sum, at(words, kWarp * 4), spec.threads(),
                        advance(result(1), token, 1, f32),
                        advance(result(2), token, 1, i32));
    closeKernel(kernel);
    return kernel;
  }

private:
  /// A block of elements of each group.
  struct Round {
    SmallVector<Value> values, columns;
    /// Null: every group has one.
    Value isThere;
  };

  int64_t pitch() const { return quantizedPitch(rotation.k, spec.natural); }

  Value ifThere(const Round &round, Value value) {
    return round.isThere ? select(round.isThere, value, integer(0)) : value;
  }

  Round rotate(int64_t number, Value x, Value signs, HadamardSteps &steps) {
    Round round;
    int64_t blocks = rotation.k / rotation.block,
            first = number * spec.groups();
    Value block = add(steps.group(), first);
    // A group without a block rotates the last one: all threads meet at
    // barriers.
    if (first + spec.threads() / shape.threads > blocks) {
      round.isThere = less(block, integer(blocks));
      block = arith::MinUIOp::create(builder, loc, block, integer(blocks - 1));
    }
    for (int64_t vector = 0; vector < shape.vectors(); ++vector) {
      Value column = add(mul(block, rotation.block), steps.indexOf(vector));
      round.columns.push_back(column);
      SmallVector<Value> values = access.load(
          advance(x, column, 1, rotation.elementType), rotation.elementType);
      if (signs)
        for (auto [value, sign] : llvm::zip(
                 values,
                 access.load(advance(signs, column, 1, rotation.signsType),
                             rotation.signsType)))
          value = arith::MulFOp::create(builder, loc, value, sign);
      round.values.append(values);
    }
    steps.run(round.values, rotation.scale);
    // What a rotation that is stored would have lost.
    if (!rotation.elementType.isF32())
      for (Value &value : round.values) {
        Value rounded =
            arith::TruncFOp::create(builder, loc, rotation.elementType, value);
        value = arith::ExtFOp::create(builder, loc, f32, rounded);
      }
    return round;
  }

  /// Returns the sum of the integers.
  Value store(const Round &round, Value row, QuantizeSteps &quantize) {
    Value sum = integer(0);
    auto type = VectorType::get({4}, i32);
    SmallVector<Value> vectors;
    for (int64_t vector = 0; vector < shape.vectors(); ++vector)
      vectors.push_back(vector::FromElementsOp::create(
          builder, loc, type,
          quantize.round(
              ArrayRef(round.values).slice(vector * kVector, kVector), sum,
              spec.natural)));
    auto write = [&] {
      for (auto [vector, column] : llvm::zip(vectors, round.columns))
        ThreadCode::store(vector, at(row, wide(column)), kVector);
    };
    if (round.isThere)
      ifTrue(round.isThere, write);
    else
      write();
    return sum;
  }

  /// Zeros from column K to the pitch.
  void padRow(Value row) {
    int64_t vectors = (pitch() - rotation.k) / kVector;
    if (!vectors)
      return;
    ifTrue(less(thread, integer(vectors)), [&] {
      Value zeros = arith::ConstantOp::create(
          builder, loc, builder.getZeroAttr(VectorType::get({4}, i32)));
      Value column = add(mul(thread, kVector), rotation.k);
      ThreadCode::store(zeros, at(row, wide(column)), kVector);
    });
  }

  const RotatedQuantizeKernel &spec;
  const HadamardKernel &rotation;
  HadamardShape shape;
  HadamardAccess access;
  Value thread, token;
};

} // namespace

gpu::GPUFuncOp RotatedQuantizeKernel::generate(OpBuilder &builder) const {
  OpBuilder::InsertionGuard guard(builder);
  return RotatedQuantizeGenerator(*this, builder).run();
}
