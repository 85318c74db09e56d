//===- HadamardKernel.cpp - Activations rotated ---------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Groups of threads have a block of elements each, in registers: it is read
// once and written once. Rows are adjacent, so that blocks of all rows are
// counted together, and small ones share a block of threads.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Rotation/HadamardKernel.h"
#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::sparseflow;

// Threads of a block that waits for none but its own group where that is a
// warp: few, so that a call of few rows has blocks for more SMs.
static constexpr int64_t kThreads = 128;
static constexpr int64_t kAccessBits = 128;

int64_t HadamardAccess::lengthOf(Type type) const {
  return aligned ? std::min<int64_t>(vector,
                                     kAccessBits / type.getIntOrFloatBitWidth())
                 : 1;
}

SmallVector<Value> HadamardAccess::load(Value pointer, Type type) {
  OpBuilder &builder = code.builder;
  Location loc = code.loc;
  int64_t length = lengthOf(type), bytes = type.getIntOrFloatBitWidth() / 8;
  SmallVector<Value> values;
  for (int64_t first = 0; first < vector; first += length) {
    Type access = length > 1 ? Type(VectorType::get({length}, type)) : type;
    Value loaded =
        code.load(access, code.at(pointer, first * bytes), length * bytes);
    for (int64_t number = 0; number < length; ++number) {
      Value value = loaded;
      if (length > 1)
        value = vector::ExtractOp::create(builder, loc, loaded, number);
      if (!type.isF32())
        value = arith::ExtFOp::create(builder, loc, code.f32, value);
      values.push_back(value);
    }
  }
  return values;
}

void HadamardAccess::store(ArrayRef<Value> values, Value pointer, Type type) {
  OpBuilder &builder = code.builder;
  Location loc = code.loc;
  int64_t length = lengthOf(type), bytes = type.getIntOrFloatBitWidth() / 8;
  for (int64_t first = 0; first < vector; first += length) {
    SmallVector<Value> rounded;
    for (Value value : values.slice(first, length))
      rounded.push_back(
          type.isF32()
              ? value
              : arith::TruncFOp::create(builder, loc, type, value).getResult());
    Value stored = rounded.front();
    if (length > 1)
      stored = vector::FromElementsOp::create(
          builder, loc, VectorType::get({length}, type), rounded);
    code.store(stored, code.at(pointer, first * bytes), length * bytes);
  }
}

HadamardShape HadamardKernel::shape() const {
  return HadamardShape::of(block,
                           kAccessBits / elementType.getIntOrFloatBitWidth());
}

int64_t HadamardKernel::groups() const {
  return std::max<int64_t>(1, kThreads / shape().threads);
}

namespace {

class HadamardGenerator : ThreadCode {
public:
  HadamardGenerator(const HadamardKernel &spec, OpBuilder &builder)
      : ThreadCode(builder, spec.loc), spec(spec), shape(spec.shape()) {}

  gpu::GPUFuncOp run() {
    bool hasSigns = !!spec.signsType;
    int64_t pointers = spec.isPair ? 4 : (hasSigns ? 3 : 2);
    gpu::GPUFuncOp kernel =
        openKernel(spec.name, pointers, /*numbers=*/spec.isPair ? 2 : 1,
                   spec.threads(), spec.programmatic);
    Value x = kernel.getArgument(0), y = kernel.getArgument(hasSigns ? 2 : 1);
    Value block, exchange;
    Value count = kernel.getArgument(pointers);
    if (spec.isPair) {
      Value launched = wide(blockId()), first = blocksOf(count);
      Value isFirst = below(launched, first);
      Value behind = arith::SubIOp::create(builder, loc, launched, first);
      block = select(isFirst, launched, behind);
      x = select(isFirst, x, kernel.getArgument(2));
      y = select(isFirst, y, kernel.getArgument(3));
      count = select(isFirst, count, kernel.getArgument(pointers + 1));
    }
    if (shape.isExchanged())
      exchange = sftile::SharedOp::create(
          builder, loc, shape.exchangedBytes() * spec.groups());
    HadamardSteps steps(*this, shape, threadId(), exchange);
    HadamardAccess access(*this, shape.vector, spec.aligned);

    // A group behind the last block reads that again and writes nothing, so
    // that all threads meet at barriers.
    Value wanted =
        number64(block ? block : blockId(), spec.groups(), steps.group());
    Value isThere = below(wanted, count);
    Value last = arith::SubIOp::create(builder, loc, count, integer64(1));
    Value own = arith::MinUIOp::create(builder, loc, wanted, last);
    Value from = advance(x, own, spec.block, spec.elementType);
    Value to = advance(y, own, spec.block, spec.elementType);

    SmallVector<Value> values;
    for (int64_t vector = 0; vector < shape.vectors(); ++vector)
      values.append(
          access.load(advance(from, steps.indexOf(vector), 1, spec.elementType),
                      spec.elementType));
    if (hasSigns)
      multiply(values, kernel.getArgument(1), own, steps, access);
    steps.run(values, spec.scale);
    ifTrue(isThere, [&] {
      for (int64_t vector = 0; vector < shape.vectors(); ++vector)
        access.store(
            ArrayRef(values).slice(vector * shape.vector, shape.vector),
            advance(to, steps.indexOf(vector), 1, spec.elementType),
            spec.elementType);
    });
    closeKernel(kernel);
    return kernel;
  }

private:
  /// a * `scale` + b of i32 or i64, as i64.
  Value number64(Value a, int64_t scale, Value b) {
    Value product =
        arith::MulIOp::create(builder, loc, wide(a), integer64(scale));
    return arith::AddIOp::create(builder, loc, product, wide(b));
  }

  /// Blocks of threads for `count` blocks of elements.
  Value blocksOf(Value count) {
    Value more = arith::AddIOp::create(builder, loc, count,
                                       integer64(spec.groups() - 1));
    return arith::DivUIOp::create(builder, loc, more, integer64(spec.groups()));
  }

  /// The signs of a block are those of its columns.
  void multiply(MutableArrayRef<Value> values, Value signs, Value block,
                HadamardSteps &steps, HadamardAccess &access) {
    int64_t blocks = spec.k / spec.block;
    if (blocks > 1) {
      Value column = rem(block, integer64(blocks));
      signs = advance(signs, column, spec.block, spec.signsType);
    }
    for (int64_t vector = 0; vector < shape.vectors(); ++vector) {
      SmallVector<Value> factors =
          access.load(advance(signs, steps.indexOf(vector), 1, spec.signsType),
                      spec.signsType);
      for (auto [value, factor] : llvm::zip(
               values.slice(vector * shape.vector, shape.vector), factors))
        value = arith::MulFOp::create(builder, loc, value, factor);
    }
  }

  const HadamardKernel &spec;
  HadamardShape shape;
};

} // namespace

gpu::GPUFuncOp HadamardKernel::generate(OpBuilder &builder) const {
  OpBuilder::InsertionGuard guard(builder);
  return HadamardGenerator(*this, builder).run();
}
