//===- VectorizeElementwise.cpp - Elementwise linalg to vector loops ------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Work is cut in units: a unit is one row of the innermost dimension, a part of
// a long row, or several short rows. Rows count over all outer dimensions.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/CPU/Passes.h"
#include "Target/CPU/Transforms/BodyEmitter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::sparseflow::cpu {
#define GEN_PASS_DEF_VECTORIZEELEMENTWISE
#include "SparseFlow/Target/CPU/Passes.h.inc"
} // namespace mlir::sparseflow::cpu

using namespace mlir;
using namespace mlir::sparseflow::cpu;

static bool isVectorizable(linalg::GenericOp op) {
  if (op.getNumParallelLoops() != op.getNumLoops())
    return false;
  for (OpOperand &init : op.getDpsInitsMutable())
    if (op.getMatchingIndexingMap(&init).getNumResults() != op.getNumLoops())
      return false;
  return BodyEmitter::isEmittable(op);
}

namespace {
/// Emits the loops of one op.
class Emitter {
public:
  Emitter(linalg::GenericOp op, int64_t lanes, int64_t unit)
      : op(op), b(op), ib{b, op.getLoc()}, body(op, ib, lanes), lanes(lanes),
        unit(llvm::alignTo(unit, lanes)) {}

  void emit() {
    unsigned loops = op.getNumLoops();
    if (loops == 0)
      return emitBody({}, /*vector=*/false);
    SmallVector<Value> sizes = body.loopSizes();
    Value last = sizes.back();
    Value rows = body.rowCount(sizes);
    Value rowsPerUnit = body.rowsPerUnit(sizes, unit);
    Value parts = ib.ceilDiv(last, unit);
    Value units = ib.mul(ib.ceilDiv(rows, rowsPerUnit), parts);
    ib.parallel(units, [&](Value index) {
      Value firstRow = ib.mul(ib.div(index, parts), rowsPerUnit);
      Value lastRow = ib.min(ib.add(firstRow, rowsPerUnit), rows);
      Value begin = ib.mul(ib.rem(index, parts), unit);
      Value end = ib.min(ib.add(begin, unit), last);
      Value whole =
          ib.add(begin, ib.mul(ib.div(ib.sub(end, begin), lanes), lanes));
      ib.loop(firstRow, lastRow, 1, [&](Value row) {
        SmallVector<Value> ivs = body.rowOf(row, sizes);
        body.loadInvariants(ivs);
        ib.loop(begin, whole, lanes, [&](Value iv) {
          ivs.back() = iv;
          emitBody(ivs, /*vector=*/true);
        });
        ib.loop(whole, end, 1, [&](Value iv) {
          ivs.back() = iv;
          emitBody(ivs, /*vector=*/false);
        });
      });
    });
  }

private:
  /// The body for one element, or for `lanes` elements from `ivs` on.
  void emitBody(ArrayRef<Value> ivs, bool vector) {
    SmallVector<Value> results = body.emit(ivs, vector);
    for (auto [init, value] : llvm::zip(op.getDpsInitsMutable(), results)) {
      SmallVector<Value> at = body.indices(init, ivs);
      if (vector)
        vector::StoreOp::create(b, ib.loc, value, init.get(), at);
      else
        memref::StoreOp::create(b, ib.loc, value, init.get(), at);
    }
  }

  linalg::GenericOp op;
  OpBuilder b;
  IndexBuilder ib;
  BodyEmitter body;
  int64_t lanes, unit;
};

struct VectorizeElementwisePass
    : public sparseflow::cpu::impl::VectorizeElementwiseBase<
          VectorizeElementwisePass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(verifyVectorOptions(getOperation(), getArgument(), lanes, unit)))
      return signalPassFailure();
    generalize();
    emitLoops<Emitter>(getOperation(), lanes, unit, isVectorizable);
  }

private:
  /// Brings named ops, fills and copies to the one form that is lowered here.
  void generalize() {
    IRRewriter rewriter(&getContext());
    SmallVector<memref::CopyOp> copies;
    getOperation().walk([&](memref::CopyOp op) {
      if (isa<MemRefType>(op.getSource().getType()) &&
          isa<MemRefType>(op.getTarget().getType()))
        copies.push_back(op);
    });
    for (memref::CopyOp op : copies) {
      rewriter.setInsertionPoint(op);
      linalg::CopyOp::create(rewriter, op.getLoc(), op.getSource(),
                             op.getTarget());
      rewriter.eraseOp(op);
    }
    SmallVector<linalg::LinalgOp> named;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (!isa<linalg::GenericOp>(op.getOperation()) &&
          op.getNumParallelLoops() == op.getNumLoops())
        named.push_back(op);
    });
    for (linalg::LinalgOp op : named) {
      rewriter.setInsertionPoint(op);
      // An op without a generic form stays, and is lowered to scalar loops.
      (void)linalg::generalizeNamedOp(rewriter, op);
    }
  }
};
} // namespace
