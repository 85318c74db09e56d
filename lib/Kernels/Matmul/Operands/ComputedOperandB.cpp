//===- ComputedOperandB.cpp - Activations that a block computes -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Operands/ComputedOperandB.h"
#include "Kernels/Tensor/RowCode.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

static constexpr int64_t kWarp = 32;
// A row of the tile has 128 bytes; 16-byte chunks are permuted among eight.
static constexpr int64_t kTileColumns = 64, kChunk = 8, kSwizzledRows = 8;

namespace {

/// The row's elements in chunks of 16 bytes, from the threads that compute them
/// to shared memory.
class ComputedRow : RowCode {
public:
  /// `columns` are those of the row and zeros behind it.
  ComputedRow(KernelBuilder &b, const TensorKernel &rows, int64_t threads,
              int64_t columns)
      : RowCode(b.builder, rows,
                RowShape{threads, /*rowsPerBlock=*/1,
                         int64_t(llvm::divideCeil(columns, kChunk * threads))},
                kChunk),
        columns(columns) {
    kernel = b.kernel;
    // Behind the pointers stand the group's integers and the tokens.
    emitter.bind(kernel, /*pointers=*/0,
                 kernel.getNumArguments() - 1 - group.numbers);
    thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
    start = arith::MulIOp::create(builder, loc, thread, constant(kChunk));
  }

  void storeTo(Value place) {
    Value output = group.outputs.front();
    SmallVector<Size> sizes = emitter.sizesOf(output);
    SmallVector<Lanes> indices = emitter.delinearize(
        emitter.uniform(constant(0)), ArrayRef(sizes).drop_back());
    indices.emplace_back();
    forParts(sizes.back(), {}, [&](const Part &part, ValueRange) {
      indices.back() = part.columns;
      loadAhead(indices);
      return SmallVector<Value>();
    });
    int64_t number = 0;
    forParts(sizes.back(), {}, [&](const Part &part, ValueRange) {
      indices.back() = part.columns;
      storePart(emitter.evaluate(output, indices), part.isInside, number++,
                place);
      return SmallVector<Value>();
    });
  }

private:
  void storePart(const Lanes &lanes, Value isInside, int64_t number,
                 Value place) {
    SmallVector<Value> elements;
    Value zero = arith::ConstantOp::create(builder, loc, lanes.type,
                                           builder.getZeroAttr(lanes.type));
    for (int64_t lane = 0; lane < kChunk; ++lane) {
      Value value = emitter.at(lanes, lane);
      elements.push_back(isInside ? select(isInside, value, zero) : value);
    }
    Value chunk = add(threadId(), number * shape.threads);
    constexpr int64_t ofRow = kTileColumns / kChunk;
    Value row = div(chunk, ofRow);
    Value swizzled = bitXor(rem(chunk, ofRow), rem(row, kSwizzledRows));
    auto write = [&] {
      store(vector::FromElementsOp::create(
                builder, loc, VectorType::get({kChunk}, lanes.type), elements),
            at(place, mul(add(mul(row, ofRow), swizzled), 16)), 16);
    };
    if ((number + 1) * shape.threads * kChunk <= columns)
      write();
    else
      ifTrue(less(chunk, integer(columns / kChunk)), write);
  }

  /// Made once, so that what is loaded of a part is found again.
  Part partOf(int64_t number, const Size &length) override {
    if (number == int64_t(parts.size()))
      parts.push_back(RowCode::partOf(number, length));
    return parts[number];
  }

  Value sharedWords(int64_t count) override {
    return SharedOp::create(builder, loc, count * 8);
  }

  int64_t columns;
  SmallVector<Part> parts;
};

} // namespace

SmallVector<KernelParameter> ComputedOperandB::parameters() const {
  return SmallVector<KernelParameter>(
      problem.computedRows->group.inputs.size());
}

int64_t ComputedOperandB::numbers() const {
  return problem.computedRows->group.numbers;
}

int64_t ComputedOperandB::columns() const {
  return llvm::alignTo(problem.k, schedule.getK());
}

TileType ComputedOperandB::heldType() const {
  // The last step has other rows behind its own, too.
  int64_t rows = llvm::alignTo(
      columns() / kTileColumns + schedule.getBlock()[1] - 1, kSwizzledRows);
  return TileType::get(problem.operandType.getContext(), {rows, kTileColumns},
                       problem.operandType, Order::Swizzled);
}

int64_t ComputedOperandB::heldBytes() const { return heldType().getBytes(); }

Value ComputedOperandB::hold(KernelBuilder &b) const {
  int64_t warps = schedule.getNumWarps();
  TensorKernel rows{problem.name,
                    b.loc,
                    problem.computedRows->group,
                    KernelForm::Rows,
                    problem.computedRows->access,
                    /*programmatic=*/false};
  Value tile = SharedOp::create(b.builder, b.loc, heldType(), warps, warps);
  ComputedRow(b, rows, warps * kWarp, columns())
      .storeTo(AddressOp::create(b.builder, b.loc, tile));
  return tile;
}

void ComputedOperandB::addTo(KernelBuilder &b, Value held, Value step,
                             MatmulStage &stage) const {
  int64_t tiles = schedule.getK() / kTileColumns;
  Value first = b.toIndex(b.mul(step, tiles));
  for (int64_t number = 0; number < tiles; ++number) {
    stage.b.push_back(held);
    stage.rowsOfB.push_back(b.add(first, number));
  }
}
