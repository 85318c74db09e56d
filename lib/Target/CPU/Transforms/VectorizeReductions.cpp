//===- VectorizeReductions.cpp - Reductions of neighbours in vectors ------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM keeps the order of float sums, and so adds one element after the other.
// What a linalg op reduces has no order: here the lanes of a vector are reduced
// apart, and then with each other. Elements behind the last whole vector belong
// to lanes, too: a row that goes on with neutral elements, such as keys that
// are masked, has the same bits.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/CPU/Passes.h"
#include "Target/CPU/Transforms/BodyEmitter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include <numeric>

namespace mlir::sparseflow::cpu {
#define GEN_PASS_DEF_VECTORIZEREDUCTIONS
#include "SparseFlow/Target/CPU/Passes.h.inc"
} // namespace mlir::sparseflow::cpu

using namespace mlir;
using namespace mlir::sparseflow::cpu;

/// The op that joins the old value of `op`'s result with a new one, where it is
/// associative and has a neutral element; null elsewhere.
static Operation *getCombiner(linalg::GenericOp op) {
  Block &block = op.getRegion().front();
  BlockArgument old = block.getArguments().back();
  Operation *combiner = block.getTerminator()->getOperand(0).getDefiningOp();
  if (!combiner || combiner->getBlock() != &block || !old.hasOneUse() ||
      *old.user_begin() != combiner || combiner->getNumOperands() != 2 ||
      combiner->getResult(0).getType() != old.getType() ||
      !arith::getNeutralElement(combiner))
    return nullptr;
  return combiner;
}

/// What a lane begins with: a sum of -0.0 alone stays -0.0.
static TypedAttr getNeutral(Operation *combiner) {
  if (isa<arith::AddFOp>(combiner))
    return FloatAttr::get(combiner->getResult(0).getType(), -0.0);
  return *arith::getNeutralElement(combiner);
}

static bool isVectorizable(linalg::GenericOp op) {
  unsigned loops = op.getNumLoops();
  if (op.getNumDpsInits() != 1 || op.getNumReductionLoops() != 1 ||
      op.getIteratorTypesArray().back() != utils::IteratorType::reduction ||
      !BodyEmitter::isEmittable(op))
    return false;
  // A row has a result of its own.
  OpOperand &init = *op.getDpsInitOperand(0);
  AffineMap map = op.getMatchingIndexingMap(&init);
  return map.getNumResults() + 1 == loops && !map.isFunctionOfDim(loops - 1) &&
         getCombiner(op);
}

namespace {
/// Emits the loops of one op.
class Emitter {
public:
  Emitter(linalg::GenericOp op, int64_t lanes, int64_t unit)
      : op(op), b(op), ib{b, op.getLoc()}, body(op, ib, lanes),
        combiner(getCombiner(op)), lanes(lanes), unit(unit) {}

  void emit() {
    SmallVector<Value> sizes = body.loopSizes();
    Value rows = body.rowCount(sizes), perUnit = body.rowsPerUnit(sizes, unit);
    ib.parallel(ib.ceilDiv(rows, perUnit), [&](Value index) {
      Value first = ib.mul(index, perUnit);
      Value last = ib.min(ib.add(first, perUnit), rows);
      ib.loop(first, last, 1, [&](Value row) {
        emitRow(body.rowOf(row, sizes), sizes.back());
      });
    });
  }

private:
  void emitRow(SmallVector<Value> ivs, Value size) {
    body.loadInvariants(ivs);
    OpOperand &init = *op.getDpsInitOperand(0);
    SmallVector<Value> at = body.indices(init, ivs);
    Value zero = ib.constant(0);
    Value whole = ib.mul(ib.div(size, lanes), lanes);
    Value neutral = arith::ConstantOp::create(b, ib.loc, getNeutral(combiner));
    Value lanesOfRow = body.splat(neutral);
    lanesOfRow = loop(zero, whole, lanes, lanesOfRow, [&](Value iv, Value sum) {
      ivs.back() = iv;
      return body.emit(ivs, /*vector=*/true, sum).front();
    });
    lanesOfRow = loop(whole, size, 1, lanesOfRow, [&](Value iv, Value sum) {
      ivs.back() = iv;
      Value lane = ib.sub(iv, whole);
      Value own = vector::ExtractOp::create(b, ib.loc, sum, lane);
      own = body.emit(ivs, /*vector=*/false, own).front();
      return vector::InsertOp::create(b, ib.loc, own, sum, lane).getResult();
    });
    Value old = memref::LoadOp::create(b, ib.loc, init.get(), at);
    memref::StoreOp::create(b, ib.loc, combine(old, joinLanes(lanesOfRow)),
                            init.get(), at);
  }

  /// A loop that carries one value.
  Value loop(Value begin, Value end, int64_t step, Value value,
             function_ref<Value(Value iv, Value carried)> next) {
    return scf::ForOp::create(
               b, ib.loc, begin, end, ib.constant(step), value,
               [&](OpBuilder &, Location, Value iv, ValueRange carried) {
                 scf::YieldOp::create(b, ib.loc, next(iv, carried[0]));
               })
        .getResult(0);
  }

  Value combine(Value x, Value y) {
    IRMapping mapping;
    mapping.map(combiner->getOperand(0), x);
    mapping.map(combiner->getOperand(1), y);
    Operation *clone = b.clone(*combiner, mapping);
    clone->getResult(0).setType(x.getType());
    return clone->getResult(0);
  }

  Value joinLanes(Value value) {
    for (int64_t half = lanes / 2; half > 0; half /= 2) {
      SmallVector<int64_t> low(half), high(half);
      std::iota(low.begin(), low.end(), 0);
      std::iota(high.begin(), high.end(), half);
      Value x = vector::ShuffleOp::create(b, ib.loc, value, value, low);
      Value y = vector::ShuffleOp::create(b, ib.loc, value, value, high);
      value = combine(x, y);
    }
    return vector::ExtractOp::create(b, ib.loc, value, 0);
  }

  linalg::GenericOp op;
  OpBuilder b;
  IndexBuilder ib;
  BodyEmitter body;
  Operation *combiner;
  int64_t lanes, unit;
};

struct VectorizeReductionsPass
    : public sparseflow::cpu::impl::VectorizeReductionsBase<
          VectorizeReductionsPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(verifyVectorOptions(getOperation(), getArgument(), lanes, unit)))
      return signalPassFailure();
    emitLoops<Emitter>(getOperation(), lanes, unit, isVectorizable);
  }
};
} // namespace
