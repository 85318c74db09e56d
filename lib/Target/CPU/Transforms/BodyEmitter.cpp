//===- BodyEmitter.cpp - Bodies of linalg ops in vector loops -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/CPU/Transforms/BodyEmitter.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::sparseflow::cpu;

/// True where `map` reads or writes along the last loop with its last result.
static bool endsWithLoop(AffineMap map, unsigned loop) {
  return map.getNumResults() &&
         map.getResults().back() == getAffineDimExpr(loop, map.getContext());
}

bool BodyEmitter::isEmittable(linalg::GenericOp op) {
  if (!op.hasPureBufferSemantics())
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
    if (op.getNumLoops() && map.isFunctionOfDim(last) &&
        !(endsWithLoop(map, last) && type.isLastDimUnitStride()))
      return false;
  }
  for (Operation &nested : op.getRegion().front().without_terminator()) {
    if (isa<arith::ConstantOp, linalg::IndexOp>(nested))
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

SmallVector<Value> BodyEmitter::loopSizes() {
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

SmallVector<Value> BodyEmitter::rowOf(Value row, ArrayRef<Value> sizes) {
  SmallVector<Value> ivs(sizes.size(), ib.constant(0));
  for (unsigned i = sizes.size() - 1; i-- > 0;) {
    ivs[i] = i ? ib.rem(row, sizes[i]) : row;
    if (i)
      row = ib.div(row, sizes[i]);
  }
  return ivs;
}

Value BodyEmitter::rowCount(ArrayRef<Value> sizes) {
  Value rows = ib.constant(1);
  for (Value size : sizes.drop_back())
    rows = ib.mul(rows, size);
  return rows;
}

Value BodyEmitter::rowsPerUnit(ArrayRef<Value> sizes, int64_t unit) {
  // No unit divides by an empty row.
  Value one = ib.constant(1);
  return ib.max(ib.div(ib.constant(unit), ib.max(sizes.back(), one)), one);
}

SmallVector<Value> BodyEmitter::indices(OpOperand &operand,
                                        ArrayRef<Value> ivs) {
  SmallVector<Value> result;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  for (unsigned i = 0; i < map.getNumResults(); ++i)
    result.push_back(ivs[map.getDimPosition(i)]);
  return result;
}

bool BodyEmitter::varies(OpOperand &operand) {
  return op.getNumLoops() &&
         op.getMatchingIndexingMap(&operand).isFunctionOfDim(op.getNumLoops() -
                                                             1);
}

void BodyEmitter::loadInvariants(ArrayRef<Value> ivs) {
  invariants.clear();
  for (OpOperand &operand : op->getOpOperands())
    if (!op.getMatchingBlockArgument(&operand).use_empty() && !varies(operand))
      invariants[operand.getOperandNumber()] = loadScalar(operand, ivs);
}

Value BodyEmitter::loadScalar(OpOperand &operand, ArrayRef<Value> ivs) {
  if (!isa<MemRefType>(operand.get().getType()))
    return operand.get();
  return memref::LoadOp::create(ib.b, ib.loc, operand.get(),
                                indices(operand, ivs));
}

Value BodyEmitter::splat(Value scalar) {
  return vector::BroadcastOp::create(ib.b, ib.loc, vectorOf(scalar.getType()),
                                     scalar);
}

Value BodyEmitter::load(OpOperand &operand, ArrayRef<Value> ivs, bool vector) {
  auto found = invariants.find(operand.getOperandNumber());
  if (found != invariants.end())
    return vector ? splat(found->second) : found->second;
  if (!vector)
    return loadScalar(operand, ivs);
  Type element = cast<MemRefType>(operand.get().getType()).getElementType();
  return vector::LoadOp::create(ib.b, ib.loc, vectorOf(element), operand.get(),
                                indices(operand, ivs));
}

Value BodyEmitter::indexOf(linalg::IndexOp index, ArrayRef<Value> ivs,
                           bool vector) {
  Value iv = ivs[index.getDim()];
  if (!vector)
    return iv;
  if (index.getDim() + 1 != op.getNumLoops())
    return splat(iv);
  Value steps =
      vector::StepOp::create(ib.b, ib.loc, vectorOf(ib.b.getIndexType()));
  return arith::AddIOp::create(ib.b, ib.loc, splat(iv), steps);
}

SmallVector<Value> BodyEmitter::emit(ArrayRef<Value> ivs, bool vector,
                                     Value carried) {
  Block &block = op.getRegion().front();
  IRMapping mapping;
  if (carried)
    mapping.map(block.getArguments().back(), carried);
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (!argument.use_empty() && !mapping.contains(argument))
      mapping.map(argument, load(operand, ivs, vector));
  }
  auto mapped = [&](Value value) {
    if (!mapping.contains(value)) // Defined outside: the same everywhere.
      mapping.map(value, vector ? splat(value) : value);
    return mapping.lookup(value);
  };
  for (Operation &nested : block.without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(nested)) {
      mapping.map(index.getResult(), indexOf(index, ivs, vector));
      continue;
    }
    for (Value operand : nested.getOperands())
      mapped(operand);
    Operation *clone = ib.b.clone(nested, mapping);
    if (!vector)
      continue;
    if (isa<arith::ConstantOp>(nested)) {
      mapping.map(nested.getResult(0), splat(clone->getResult(0)));
      continue;
    }
    for (Value result : clone->getResults())
      result.setType(vectorOf(result.getType()));
  }
  SmallVector<Value> results;
  for (Value value : block.getTerminator()->getOperands())
    results.push_back(mapped(value));
  return results;
}

LogicalResult mlir::sparseflow::cpu::verifyVectorOptions(func::FuncOp function,
                                                         StringRef pass,
                                                         int64_t lanes,
                                                         int64_t unit) {
  if (lanes >= 1 && !(lanes & (lanes - 1)) && unit >= 1)
    return success();
  return function.emitError()
         << pass << ": expected lanes to be a power of two and unit to be at "
         << "least 1, found lanes " << lanes << " and unit " << unit;
}
