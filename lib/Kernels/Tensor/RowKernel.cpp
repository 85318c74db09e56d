//===- RowKernel.cpp - Threads share a row --------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reductions over the last dimensions of a tensor and what reads them: sums,
// softmax, norms. A warp, or a block, has one row. Each thread holds its part
// of the row in registers, reduces it, and meets the others by shuffles and
// shared memory; every reduction of the group takes the same part of the row,
// so an element is loaded once for all of them. Rows that are longer, or whose
// length is known at run time only, are read again by every pass.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Tensor/Fold.h"
#include "Kernels/Tensor/TensorKernel.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr int64_t kWarp = 32, kWordBytes = 8;

namespace {

class RowGenerator : ThreadCode {
public:
  RowGenerator(OpBuilder &builder, const TensorKernel &spec)
      : ThreadCode(builder, spec.loc), spec(spec), group(spec.group),
        root(cast<linalg::LinalgOp>(spec.group.root)),
        shape(rowShapeOf(spec.group, spec.access.vector)),
        emitter(*this, spec.group, spec.access) {}

  gpu::GPUFuncOp run() {
    kernel = openKernel(spec.name,
                        int64_t(group.inputs.size() + group.outputs.size()),
                        std::max<int64_t>(group.numbers, 1),
                        shape.threads * shape.rowsPerBlock, spec.programmatic);
    emitter.width = spec.access.vector;
    emitter.bind(kernel);
    emitter.assumeVector(spec.form);
    emitter.onReduction = [this](linalg::LinalgOp op, int64_t number,
                                 ArrayRef<Lanes> indices) {
      reduce(op, number, indices);
    };
    placeThread();
    if (root.getNumReductionLoops())
      writeReduction();
    else
      writeRow();
    closeKernel(kernel);
    return kernel;
  }

private:
  /// Elements of the row, and whether they are in it (i1; null: always).
  struct Part {
    Lanes columns;
    Value isInside;
  };

  Value constant(int64_t value) { return emitter.index(value); }

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

  /// The thread's part `number` of a row of `length` elements.
  Part partOf(int64_t number, const Size &length) {
    int64_t vector = spec.access.vector;
    int64_t first = number * shape.threads * vector;
    Lanes columns = emitter.line(start, /*step=*/1, vector);
    columns.offset = first;
    if (first + shape.threads * vector <= length.number)
      return {columns, Value()};
    Value at = emitter.at(columns, 0);
    Value last = constant(std::max<int64_t>(length.number - vector, 0));
    Value isInside = arith::CmpIOp::create(builder, loc,
                                           arith::CmpIPredicate::ule, at, last);
    return {emitter.line(minimum(at, last), 1, vector), isInside};
  }

  Value minimum(Value a, Value b) { return emitter.smaller(a, b); }

  /// Calls `body` for each of the thread's parts of a row, which take and give
  /// `state`.
  SmallVector<Value>
  forParts(const Size &length, ValueRange state,
           function_ref<SmallVector<Value>(const Part &, ValueRange)> body) {
    SmallVector<Value> values(state);
    if (length.number == 0)
      return values;
    if (shape.slots) {
      for (int64_t number = 0; number < shape.slots; ++number)
        values = body(partOf(number, length), values);
      return values;
    }
    int64_t vector = spec.access.vector;
    Value step = constant(shape.threads * vector);
    auto loop = scf::ForOp::create(builder, loc, start, emitter.valueOf(length),
                                   step, values);
    OpBuilder::InsertionGuard guard(builder);
    Scope scope(emitter);
    builder.setInsertionPointToStart(loop.getBody());
    Part part{emitter.line(loop.getInductionVar(), 1, vector), Value()};
    SmallVector<Value> next = body(part, loop.getRegionIterArgs());
    if (!values.empty())
      scf::YieldOp::create(builder, loc, next);
    return llvm::to_vector(ValueRange(loop.getResults()));
  }

  /// Where a row is not held, the reductions that `body` asks for have passes
  /// of their own, in front of its pass: it is written once for no part of the
  /// row, and what nothing uses of that goes.
  void findReductions(function_ref<void(const Part &)> body) {
    if (shape.slots)
      return;
    Part none{emitter.line(start, 1, spec.access.vector), Value()};
    body(none);
  }

  void reduce(linalg::LinalgOp op, int64_t number, ArrayRef<Lanes> indices) {
    SmallVector<Lanes> loops = emitter.loopsOf(op, number, indices);
    SmallVector<unsigned> reduced;
    op.getReductionDims(reduced);
    SmallVector<Size> ranges = emitter.loopSizes(op), sizes;
    for (unsigned loop : reduced)
      sizes.push_back(ranges[loop]);
    Size length = IndexArithmetic::product(emitter, sizes);
    Fold fold(emitter, op);

    // The results' indices, and what they start with.
    SmallVector<SmallVector<Lanes>> places;
    SmallVector<Value> initial;
    for (OpOperand &init : op.getDpsInitsMutable()) {
      SmallVector<Lanes> place;
      for (AffineExpr expr : op.getMatchingIndexingMap(&init).getResults())
        place.push_back(emitter.apply(expr, loops));
      initial.push_back(emitter.at(emitter.evaluate(init.get(), place), 0));
      places.push_back(std::move(place));
    }
    auto elementsOf = [&](const Part &part) {
      for (auto [loop, index] :
           llvm::zip(reduced, emitter.delinearize(part.columns, sizes)))
        loops[loop] = index;
      return emitter.evaluateBody(op, loops, fold.body().elements);
    };
    findReductions([&](const Part &part) { elementsOf(part); });
    SmallVector<Value> state = forParts(
        length, fold.start(initial), [&](const Part &part, ValueRange carried) {
          SmallVector<Lanes> elements = elementsOf(part);
          SmallVector<Value> next(carried);
          for (int64_t lane = 0; lane < emitter.width; ++lane) {
            SmallVector<Value> own =
                llvm::map_to_vector(elements, [&](const Lanes &value) {
                  return emitter.at(value, lane);
                });
            next = fold.takeIf(part.isInside, next, own);
          }
          return next;
        });
    state = fold.acrossWarp(state, kWarp);
    if (shape.threads > kWarp)
      state = acrossBlock(fold, state);
    state = fold.finish(state, initial);
    for (auto [result, place, value] :
         llvm::zip(op->getResults(), places, state)) {
      Lanes lanes;
      lanes.values = {value};
      lanes.type = value.getType();
      emitter.remember(result, place, lanes);
    }
  }

  /// The states of a block's warps, whose lanes have the same, meet in shared
  /// memory.
  SmallVector<Value> acrossBlock(Fold &fold, ValueRange state) {
    int64_t warps = shape.threads / kWarp;
    LLVM::GlobalOp words =
        sharedArray(kernel, spec.name + "_fold" + Twine(reductions++), i64,
                    warps * int64_t(state.size()));
    Value base = LLVM::AddressOfOp::create(builder, loc, words);
    auto place = [&](Value warp, int64_t number) {
      Value bytes = mul(warp, kWordBytes * int64_t(state.size()));
      return at(at(base, number * kWordBytes), bytes);
    };
    Value own = threadId();
    ifTrue(equal(rem(own, kWarp), 0), [&] {
      for (auto [number, value] : llvm::enumerate(state))
        LLVM::StoreOp::create(builder, loc, emitter.toStored(value),
                              place(div(own, kWarp), int64_t(number)),
                              elementBytes(value.getType()));
    });
    barrier();
    Value warp = rem(own, warps);
    SmallVector<Value> all;
    for (int64_t number = 0; number < int64_t(state.size()); ++number)
      all.push_back(
          emitter.fromStored(state[number].getType(), [&](Type stored) {
            return load(stored, place(warp, number), elementBytes(stored));
          }));
    return fold.acrossWarp(all, warps);
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
    size_t split = sizes.size() - rowLoops(root).size();
    ArrayRef<Size> columnSizes = ArrayRef(sizes).drop_front(split);
    SmallVector<Lanes> indices = rowIndices(ArrayRef(sizes).take_front(split));
    indices.resize(sizes.size());
    Size length = IndexArithmetic::product(emitter, columnSizes);
    auto evaluate = [&](const Part &part) {
      for (auto [number, index] :
           llvm::enumerate(emitter.delinearize(part.columns, columnSizes)))
        indices[split + number] = index;
      SmallVector<Lanes> elements;
      for (Value output : group.outputs)
        elements.push_back(emitter.evaluate(output, indices));
      return elements;
    };
    findReductions([&](const Part &part) { evaluate(part); });
    forParts(length, {}, [&](const Part &part, ValueRange) {
      SmallVector<Lanes> elements = evaluate(part);
      storeWhere(part.isInside, [&] {
        for (auto [number, lanes] : llvm::enumerate(elements))
          emitter.store(int64_t(number), lanes, indices);
      });
      return SmallVector<Value>();
    });
  }

  const TensorKernel &spec;
  const TensorGroup &group;
  linalg::LinalgOp root;
  RowShape shape;
  ElementEmitter emitter;
  gpu::GPUFuncOp kernel;
  /// The thread's number in its row, the first of its columns, the row, and
  /// whether there is that row (null: always).
  Value thread, start, row, isRow;
  int64_t reductions = 0;
};

} // namespace

gpu::GPUFuncOp mlir::sparseflow::generateRows(OpBuilder &builder,
                                              const TensorKernel &spec) {
  return RowGenerator(builder, spec).run();
}
