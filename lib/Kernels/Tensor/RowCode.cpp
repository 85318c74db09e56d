//===- RowCode.cpp - Threads share a row ----------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each thread holds its part of the row in registers, reduces it, and meets the
// others by shuffles and shared memory; every reduction of the group takes the
// same part of the row, so an element is loaded once for all of them. Rows that
// are longer, or whose length is known at run time only, are read again by
// every pass.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Tensor/RowCode.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr int64_t kWarp = 32, kWordBytes = 8;

RowCode::RowCode(OpBuilder &builder, const TensorKernel &spec,
                 const RowShape &shape, int64_t width)
    : ThreadCode(builder, spec.loc), spec(spec), group(spec.group),
      root(cast<linalg::LinalgOp>(spec.group.root)), shape(shape),
      emitter(*this, spec.group, spec.access) {
  emitter.width = width;
  emitter.onReduction = [this](linalg::LinalgOp op, int64_t number,
                               ArrayRef<Lanes> indices) {
    reduce(op, number, indices);
  };
}

int64_t RowCode::rowRank() { return int64_t(rowLoops(root).size()); }

RowCode::Part RowCode::partOf(int64_t number, const Size &length) {
  int64_t vector = emitter.width;
  int64_t first = number * shape.threads * vector;
  Lanes columns = emitter.line(start, /*step=*/1, vector);
  columns.offset = first;
  if (first + shape.threads * vector <= length.number)
    return {columns, Value()};
  Value at = emitter.at(columns, 0);
  Value last = constant(std::max<int64_t>(length.number - vector, 0));
  Value isInside =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule, at, last);
  return {emitter.line(emitter.smaller(at, last), 1, vector), isInside};
}

SmallVector<Value> RowCode::forParts(
    const Size &length, ValueRange state,
    function_ref<SmallVector<Value>(const Part &, ValueRange)> body) {
  SmallVector<Value> values(state);
  if (length.number == 0)
    return values;
  if (shape.slots) {
    for (int64_t number = 0; number < shape.slots; ++number)
      values = body(partOf(number, length), values);
    return values;
  }
  int64_t vector = emitter.width;
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

void RowCode::findReductions(function_ref<void(const Part &)> body) {
  if (shape.slots)
    return;
  Part none{emitter.line(start, 1, emitter.width), Value()};
  body(none);
}

void RowCode::loadAhead(ArrayRef<Lanes> indices) {
  SmallVector<Lanes> loops = emitter.loopsOf(root, 0, indices);
  for (OpOperand *input : root.getDpsInputOperands()) {
    if (!isa<RankedTensorType>(input->get().getType()) ||
        !root.payloadUsesValueFromOperand(input) ||
        !emitter.pointerOf(input->get()))
      continue;
    SmallVector<Lanes> place;
    for (AffineExpr expr : root.getMatchingIndexingMap(input).getResults())
      place.push_back(emitter.apply(expr, loops));
    emitter.evaluate(input->get(), place);
  }
}

void RowCode::reduce(linalg::LinalgOp op, int64_t number,
                     ArrayRef<Lanes> indices) {
  SmallVector<Lanes> loops = emitter.loopsOf(op, number, indices);
  Fold fold(emitter, op);
  SmallVector<Size> sizes = fold.sizes();
  Size length = IndexArithmetic::product(emitter, sizes);

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
         llvm::zip(fold.loops(), emitter.delinearize(part.columns, sizes)))
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

Value RowCode::sharedWords(int64_t count) {
  LLVM::GlobalOp words = sharedArray(
      kernel, spec.name + "_fold" + Twine(reductions++), i64, count);
  return LLVM::AddressOfOp::create(builder, loc, words);
}

/// The states of a block's warps, whose lanes have the same, meet in shared
/// memory.
SmallVector<Value> RowCode::acrossBlock(Fold &fold, ValueRange state) {
  int64_t warps = shape.threads / kWarp;
  Value base = sharedWords(warps * int64_t(state.size()));
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
    all.push_back(emitter.fromStored(state[number].getType(), [&](Type stored) {
      return load(stored, place(warp, number), elementBytes(stored));
    }));
  return fold.acrossWarp(all, warps);
}
