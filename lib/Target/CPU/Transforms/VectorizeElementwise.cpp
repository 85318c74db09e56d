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
#include "Target/CPU/Transforms/IndexBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::sparseflow::cpu {
#define GEN_PASS_DEF_VECTORIZEELEMENTWISE
#include "SparseFlow/Target/CPU/Passes.h.inc"
} // namespace mlir::sparseflow::cpu

using namespace mlir;
using namespace mlir::sparseflow::cpu;

/// True where `map` reads or writes along the last loop with its last result.
static bool endsWithLoop(AffineMap map, unsigned loop) {
  return map.getNumResults() &&
         map.getResults().back() == getAffineDimExpr(loop, map.getContext());
}

static bool isVectorizable(linalg::GenericOp op) {
  if (!op.hasPureBufferSemantics() ||
      op.getNumParallelLoops() != op.getNumLoops())
    return false;
  unsigned last = op.getNumLoops() - 1;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!map.isProjectedPermutation())
      return false;
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type) {
      if (!operand.get().getType().isIntOrFloat())
        return false;
      continue;
    }
    if (!VectorType::isValidElementType(type.getElementType()) ||
        type.getMemorySpace())
      return false;
    // In memory an i1 takes a byte, in a vector that LLVM loads or stores a
    // bit.
    if (type.getElementType().isIntOrFloat() &&
        type.getElementTypeBitWidth() % 8)
      return false;
    if (op.getNumLoops() == 0)
      continue;
    if (map.isFunctionOfDim(last) &&
        !(endsWithLoop(map, last) && type.isLastDimUnitStride()))
      return false;
    if (op.isDpsInit(&operand) && map.getNumResults() != op.getNumLoops())
      return false;
  }
  for (Operation &nested : op.getRegion().front().without_terminator()) {
    if (isa<arith::ConstantOp>(nested))
      continue;
    if (!OpTrait::hasElementwiseMappableTraits(&nested) ||
        nested.getNumRegions())
      return false;
    for (Type type : nested.getResultTypes())
      if (!VectorType::isValidElementType(type))
        return false;
  }
  return true;
}

namespace {
/// Emits the loops of one op.
class Emitter {
public:
  Emitter(linalg::GenericOp op, int64_t lanes, int64_t unit)
      : op(op), b(op), ib{b, op.getLoc()}, lanes(lanes),
        unit(llvm::alignTo(unit, lanes)) {}

  void emit() {
    unsigned loops = op.getNumLoops();
    if (loops == 0)
      return emitBody({}, /*vector=*/false);
    SmallVector<Value> sizes = loopSizes();
    Value last = sizes.back();
    Value rows = ib.constant(1);
    for (Value size : ArrayRef(sizes).drop_back())
      rows = ib.mul(rows, size);
    Value one = ib.constant(1), zero = ib.constant(0);
    // An empty row has no parts, and so no unit divides by it.
    Value rowsPerUnit =
        ib.max(ib.div(ib.constant(unit), ib.max(last, one)), one);
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
        SmallVector<Value> ivs(loops, zero);
        for (unsigned i = loops - 1; i-- > 0;) {
          ivs[i] = i ? ib.rem(row, sizes[i]) : row;
          if (i)
            row = ib.div(row, sizes[i]);
        }
        loadInvariants(ivs);
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
  SmallVector<Value> loopSizes() {
    SmallVector<Value> sizes(op.getNumLoops());
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = op.getMatchingIndexingMap(&operand);
      for (unsigned i = 0; i < map.getNumResults(); ++i) {
        Value &size = sizes[map.getDimPosition(i)];
        if (!size)
          size = ib.dim(operand.get(), i);
      }
    }
    return sizes;
  }

  SmallVector<Value> indices(OpOperand &operand, ArrayRef<Value> ivs) {
    SmallVector<Value> result;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (unsigned i = 0; i < map.getNumResults(); ++i)
      result.push_back(ivs[map.getDimPosition(i)]);
    return result;
  }

  bool varies(OpOperand &operand) {
    return op.getNumLoops() &&
           op.getMatchingIndexingMap(&operand).isFunctionOfDim(
               op.getNumLoops() - 1);
  }

  bool isUsed(OpOperand &operand) {
    return !op.getMatchingBlockArgument(&operand).use_empty();
  }

  /// Loads, once a row, what stays the same along it.
  void loadInvariants(ArrayRef<Value> ivs) {
    invariants.clear();
    for (OpOperand &operand : op->getOpOperands())
      if (isUsed(operand) && !varies(operand))
        invariants[operand.getOperandNumber()] = loadScalar(operand, ivs);
  }

  Value loadScalar(OpOperand &operand, ArrayRef<Value> ivs) {
    if (!isa<MemRefType>(operand.get().getType()))
      return operand.get();
    return memref::LoadOp::create(b, ib.loc, operand.get(),
                                  indices(operand, ivs));
  }

  VectorType vectorOf(Type element) { return VectorType::get(lanes, element); }

  Value splat(Value scalar) {
    return vector::BroadcastOp::create(b, ib.loc, vectorOf(scalar.getType()),
                                       scalar);
  }

  Value load(OpOperand &operand, ArrayRef<Value> ivs, bool vector) {
    auto found = invariants.find(operand.getOperandNumber());
    if (found != invariants.end())
      return vector ? splat(found->second) : found->second;
    if (!vector)
      return loadScalar(operand, ivs);
    Type element = cast<MemRefType>(operand.get().getType()).getElementType();
    return vector::LoadOp::create(b, ib.loc, vectorOf(element), operand.get(),
                                  indices(operand, ivs));
  }

  /// The body for one element, or for `lanes` elements from `ivs` on.
  void emitBody(ArrayRef<Value> ivs, bool vector) {
    Block &block = op.getRegion().front();
    IRMapping mapping;
    for (OpOperand &operand : op->getOpOperands())
      if (isUsed(operand))
        mapping.map(op.getMatchingBlockArgument(&operand),
                    load(operand, ivs, vector));
    auto mapped = [&](Value value) {
      if (!mapping.contains(value)) // Defined outside: the same everywhere.
        mapping.map(value, vector ? splat(value) : value);
      return mapping.lookup(value);
    };
    for (Operation &nested : block.without_terminator()) {
      for (Value operand : nested.getOperands())
        mapped(operand);
      Operation *clone = b.clone(nested, mapping);
      if (!vector)
        continue;
      if (isa<arith::ConstantOp>(nested)) {
        mapping.map(nested.getResult(0), splat(clone->getResult(0)));
        continue;
      }
      for (Value result : clone->getResults())
        result.setType(vectorOf(result.getType()));
    }
    for (OpOperand &init : op.getDpsInitsMutable()) {
      Value value = mapped(block.getTerminator()->getOperand(
          init.getOperandNumber() - op.getNumDpsInputs()));
      if (vector)
        vector::StoreOp::create(b, ib.loc, value, init.get(),
                                indices(init, ivs));
      else
        memref::StoreOp::create(b, ib.loc, value, init.get(),
                                indices(init, ivs));
    }
  }

  linalg::GenericOp op;
  OpBuilder b;
  IndexBuilder ib;
  int64_t lanes, unit;
  llvm::DenseMap<unsigned, Value> invariants;
};

struct VectorizeElementwisePass
    : public sparseflow::cpu::impl::VectorizeElementwiseBase<
          VectorizeElementwisePass> {
  using Base::Base;

  void runOnOperation() override {
    if (lanes < 1 || (lanes & (lanes - 1)) || unit < 1) {
      getOperation().emitError()
          << getArgument() << ": expected lanes to be a power of two and unit "
          << "to be at least 1, found lanes " << lanes.getValue()
          << " and unit " << unit.getValue();
      return signalPassFailure();
    }
    generalize();
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) {
      if (isVectorizable(op))
        ops.push_back(op);
    });
    for (linalg::GenericOp op : ops) {
      Emitter(op, lanes, unit).emit();
      op.erase();
    }
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
