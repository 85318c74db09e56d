//===- RowKernel.cpp - Threads share a row --------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reductions over the last dimensions of a tensor and what reads them: sums,
// softmax, norms. A warp, or a block, has one row.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Tensor/RowCode.h"

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

class RowGenerator : RowCode {
public:
  RowGenerator(OpBuilder &builder, const TensorKernel &spec)
      : RowCode(builder, spec, rowShapeOf(spec.group, spec.access.vector),
                spec.access.vector) {}

  gpu::GPUFuncOp run() {
    kernel = openKernel(
        spec.name, int64_t(group.inputs.size() + group.outputs.size()),
        std::max<int64_t>(group.numbers, 1), shape.threads * shape.rowsPerBlock,
        /*programmatic=*/false);
    emitter.bind(kernel);
    if (spec.programmatic) {
      prefetchVectors(
          *this, group,
          [&](int64_t input) { return kernel.getArgument(input); },
          shape.threads * shape.rowsPerBlock);
      griddepWait(/*launchFirst=*/true);
    }
    emitter.assumeVector(spec.form);
    placeThread();
    if (root.getNumReductionLoops())
      writeReduction();
    else
      writeRow();
    closeKernel(kernel);
    return kernel;
  }

private:
  void placeThread() {
    Value number = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
    Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
    thread = number;
    row = block;
    if (shape.rowsPerBlock > 1) {
      Value threads = constant(shape.threads);
      thread = arith::RemUIOp::create(builder, loc, number, threads);
      Value own = arith::DivUIOp::create(builder, loc, number, threads);
      row = arith::MulIOp::create(builder, loc, block,
                                  constant(shape.rowsPerBlock));
      row = arith::AddIOp::create(builder, loc, row, own);
    }
    start = arith::MulIOp::create(builder, loc, thread,
                                  constant(spec.access.vector));
  }

  /// The row's indices of a result whose first dimensions have `sizes`.
  SmallVector<Lanes> rowIndices(ArrayRef<Size> sizes) {
    if (shape.rowsPerBlock > 1) {
      Value rows = emitter.valueOf(IndexArithmetic::product(emitter, sizes));
      isRow = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                    row, rows);
      // A warp past the last row computes the first again; what it stores is
      // nothing.
      row = arith::SelectOp::create(builder, loc, isRow, row, constant(0));
    }
    return emitter.delinearize(emitter.uniform(row), sizes);
  }

  /// Stores elements where the row and its part are there.
  void storeWhere(Value condition, function_ref<void()> write) {
    if (isRow && condition)
      condition = arith::AndIOp::create(builder, loc, isRow, condition);
    else if (isRow)
      condition = isRow;
    if (!condition) {
      write();
      return;
    }
    ifTrue(condition, [&] {
      Scope scope(emitter);
      write();
    });
  }

  void writeReduction() {
    SmallVector<Lanes> indices =
        rowIndices(emitter.sizesOf(group.outputs.front()));
    SmallVector<Lanes> elements;
    for (Value output : group.outputs)
      elements.push_back(emitter.evaluate(output, indices));
    Value isFirst = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, thread, constant(0));
    storeWhere(isFirst, [&] {
      int64_t width = std::exchange(emitter.width, 1);
      for (auto [number, lanes] : llvm::enumerate(elements))
        emitter.store(int64_t(number), lanes, indices);
      emitter.width = width;
    });
  }

  void writeRow() {
    SmallVector<Size> sizes = emitter.sizesOf(group.outputs.front());
    size_t split = sizes.size() - rowRank();
    ArrayRef<Size> columnSizes = ArrayRef(sizes).drop_front(split);
    SmallVector<Lanes> indices = rowIndices(ArrayRef(sizes).take_front(split));
    indices.resize(sizes.size());
    Size length = IndexArithmetic::product(emitter, columnSizes);
    auto place = [&](const Part &part) {
      for (auto [number, index] :
           llvm::enumerate(emitter.delinearize(part.columns, columnSizes)))
        indices[split + number] = index;
    };
    auto evaluate = [&](const Part &part) {
      place(part);
      SmallVector<Lanes> elements;
      for (Value output : group.outputs)
        elements.push_back(emitter.evaluate(output, indices));
      return elements;
    };
    findReductions([&](const Part &part) { evaluate(part); });
    if (shape.slots)
      forParts(length, {}, [&](const Part &part, ValueRange) {
        place(part);
        loadAhead(indices);
        return SmallVector<Value>();
      });
    forParts(length, {}, [&](const Part &part, ValueRange) {
      SmallVector<Lanes> elements = evaluate(part);
      storeWhere(part.isInside, [&] {
        for (auto [number, lanes] : llvm::enumerate(elements))
          emitter.store(int64_t(number), lanes, indices);
      });
      return SmallVector<Value>();
    });
  }

  /// The row (index), and whether there is that row (null: always).
  Value row, isRow;
};

} // namespace

gpu::GPUFuncOp mlir::sparseflow::generateRows(OpBuilder &builder,
                                              const TensorKernel &spec) {
  return RowGenerator(builder, spec).run();
}
