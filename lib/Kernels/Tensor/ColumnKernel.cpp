//===- ColumnKernel.cpp - Threads have a column each ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reductions over dimensions in front of others: adjacent threads have adjacent
// columns, so that every access is whole. The warps of a block share the rows
// of its columns and meet in shared memory, in the order of the warps.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Tensor/Fold.h"
#include "Kernels/Tensor/TensorKernel.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr int64_t kWarp = 32, kMostWarps = 16, kWordBytes = 8;
// Shared memory that every launch may have.
static constexpr int64_t kSharedBytes = 48 * 1024;
// Rows whose elements a thread loads together.
static constexpr int64_t kRows = 4;

int64_t mlir::sparseflow::columnTile(int64_t vector) { return kWarp * vector; }

/// Warps of a block, whose accumulators of all results meet in shared memory.
static int64_t warpsFor(const TensorKernel &spec) {
  int64_t words =
      kWarp * spec.access.vector * int64_t(spec.group.outputs.size());
  int64_t warps = kMostWarps;
  while (warps > 1 && warps * words * kWordBytes > kSharedBytes)
    warps /= 2;
  return warps;
}

namespace {

class ColumnGenerator : ThreadCode {
public:
  ColumnGenerator(OpBuilder &builder, const TensorKernel &spec)
      : ThreadCode(builder, spec.loc), spec(spec), group(spec.group),
        op(cast<linalg::LinalgOp>(spec.group.root)),
        emitter(*this, spec.group, spec.access), warps(warpsFor(spec)) {}

  gpu::GPUFuncOp run() {
    kernel = openKernel(
        spec.name, int64_t(group.inputs.size() + group.outputs.size()),
        std::max<int64_t>(group.numbers, 1), kWarp * warps, spec.programmatic);
    emitter.width = spec.access.vector;
    emitter.bind(kernel);
    emitter.assumeVector(spec.form);
    placeColumns();
    Fold fold(emitter, op);
    State state = reduceRows(fold);
    meetWarps(fold, state);
    closeKernel(kernel);
    return kernel;
  }

private:
  /// For every lane the accumulators of all results.
  using State = SmallVector<SmallVector<Value>>;

  Value constant(int64_t value) { return emitter.index(value); }
  int64_t width() const { return spec.access.vector; }

  void placeColumns() {
    thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
    Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
    lane = arith::RemUIOp::create(builder, loc, thread, constant(kWarp));
    warp = arith::DivUIOp::create(builder, loc, thread, constant(kWarp));
    SmallVector<Size> sizes = emitter.sizesOf(group.outputs.front());
    Size total = IndexArithmetic::product(emitter, sizes);
    Value first = arith::MulIOp::create(builder, loc, block,
                                        constant(columnTile(width())));
    Value own = arith::MulIOp::create(builder, loc, lane, constant(width()));
    Value at = arith::AddIOp::create(builder, loc, first, own);
    Value last = builder.createOrFold<arith::SubIOp>(
        loc, emitter.valueOf(total), constant(width()));
    isInside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule,
                                     at, last);
    indices = emitter.delinearize(
        emitter.line(emitter.smaller(at, last), 1, width()), sizes);
    loops = emitter.loopsOf(op, 0, indices);
    for (OpOperand &init : op.getDpsInitsMutable()) {
      SmallVector<Lanes> place;
      for (AffineExpr expr : op.getMatchingIndexingMap(&init).getResults())
        place.push_back(emitter.apply(expr, loops));
      initial.push_back(emitter.evaluate(init.get(), place));
      places.push_back(std::move(place));
    }
  }

  SmallVector<Value> initialOf(int64_t number) {
    return llvm::map_to_vector(
        initial, [&](const Lanes &value) { return emitter.at(value, number); });
  }

  /// Every warp takes each `warps`-th row.
  State reduceRows(Fold &fold) {
    SmallVector<Size> sizes = fold.sizes();
    Size length = IndexArithmetic::product(emitter, sizes);
    SmallVector<Value> flat;
    for (int64_t number = 0; number < width(); ++number)
      llvm::append_range(flat, fold.start(initialOf(number)));
    size_t each = flat.size() / size_t(width());

    Value rows = emitter.valueOf(length);
    auto loop = scf::ForOp::create(builder, loc, warp, rows,
                                   constant(warps * kRows), flat);
    {
      OpBuilder::InsertionGuard guard(builder);
      Scope scope(emitter);
      builder.setInsertionPointToStart(loop.getBody());
      SmallVector<Value> next(loop.getRegionIterArgs());
      SmallVector<SmallVector<Lanes>> elements;
      SmallVector<Value> isRow;
      Value last = builder.createOrFold<arith::SubIOp>(loc, rows, constant(1));
      for (int64_t number = 0; number < kRows; ++number) {
        Value row = builder.createOrFold<arith::AddIOp>(
            loc, loop.getInductionVar(), constant(number * warps));
        isRow.push_back(arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::ult, row, rows));
        row = emitter.smaller(row, last);
        for (auto [dim, index] :
             llvm::zip(fold.loops(),
                       emitter.delinearize(emitter.uniform(row), sizes)))
          loops[dim] = index;
        elements.push_back(
            emitter.evaluateBody(op, loops, fold.body().elements));
      }
      for (auto [own, valid] : llvm::zip(elements, isRow))
        for (int64_t number = 0; number < width(); ++number) {
          SmallVector<Value> values =
              llvm::map_to_vector(own, [&](const Lanes &value) {
                return emitter.at(value, number);
              });
          auto *from = next.begin() + size_t(number) * each;
          SmallVector<Value> taken =
              fold.takeIf(valid, SmallVector<Value>(from, from + each), values);
          llvm::copy(taken, from);
        }
      scf::YieldOp::create(builder, loc, next);
    }
    State state;
    for (int64_t number = 0; number < width(); ++number) {
      ValueRange all = loop.getResults();
      state.emplace_back(all.slice(size_t(number) * each, each));
    }
    return state;
  }

  void meetWarps(Fold &fold, State state) {
    size_t each = state.front().size();
    int64_t words = kWarp * width() * int64_t(each);
    LLVM::GlobalOp shared =
        sharedArray(kernel, spec.name + "_fold", i64, warps * words);
    Value base = LLVM::AddressOfOp::create(builder, loc, shared);
    // Words of one lane and accumulator are adjacent for the threads of a warp.
    auto place = [&](Value ofWarp, int64_t number, size_t result) {
      int64_t at = (number * int64_t(each) + int64_t(result)) * kWarp;
      Value word = arith::MulIOp::create(builder, loc, ofWarp, constant(words));
      word = arith::AddIOp::create(builder, loc, word, lane);
      word = arith::AddIOp::create(builder, loc, word, constant(at));
      Value bytes =
          arith::MulIOp::create(builder, loc, word, constant(kWordBytes));
      return this->at(base,
                      arith::IndexCastOp::create(builder, loc, i64, bytes));
    };
    for (auto [number, values] : llvm::enumerate(state))
      for (auto [result, value] : llvm::enumerate(values))
        LLVM::StoreOp::create(builder, loc, emitter.toStored(value),
                              place(warp, int64_t(number), result),
                              elementBytes(value.getType()));
    barrier();
    Value isWriter = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, warp, constant(0));
    isWriter = arith::AndIOp::create(builder, loc, isWriter, isInside);
    ifTrue(isWriter, [&] {
      Scope scope(emitter);
      SmallVector<Lanes> results(each);
      for (int64_t number = 0; number < width(); ++number) {
        SmallVector<Value> &values = state[number];
        for (int64_t other = 1; other < warps; ++other) {
          SmallVector<Value> theirs;
          for (size_t at = 0; at < values.size(); ++at)
            theirs.push_back(
                emitter.fromStored(values[at].getType(), [&](Type stored) {
                  return load(stored, place(constant(other), number, at),
                              elementBytes(stored));
                }));
          values = fold.meet(values, theirs);
        }
        SmallVector<Value> final = fold.finish(values, initialOf(number));
        for (auto [lanes, value] : llvm::zip(results, final)) {
          lanes.values.push_back(value);
          lanes.type = value.getType();
        }
      }
      for (auto [result, lanes] : llvm::enumerate(results))
        emitter.store(int64_t(result), lanes, places[result]);
    });
  }

  const TensorKernel &spec;
  const TensorGroup &group;
  linalg::LinalgOp op;
  ElementEmitter emitter;
  int64_t warps;
  gpu::GPUFuncOp kernel;
  Value thread, lane, warp, isInside;
  SmallVector<Lanes> indices, loops, initial;
  SmallVector<SmallVector<Lanes>> places;
};

} // namespace

gpu::GPUFuncOp mlir::sparseflow::generateColumns(OpBuilder &builder,
                                                 const TensorKernel &spec) {
  return ColumnGenerator(builder, spec).run();
}
