//===- Fold.cpp - Partial results of threads meet -------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Tensor/Fold.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::sparseflow;

static bool isHalf(Type type) { return type.isF16() || type.isBF16(); }

Fold::Fold(ElementEmitter &emitter, linalg::LinalgOp op)
    : emitter(emitter), code(emitter.code), op(op),
      reduction(*matchReductionBody(op)) {
  op.getReductionDims(reduced);
  for (Value init : op.getDpsInits())
    types.push_back(getElementTypeOrSelf(init.getType()));
  // Only what one op folds can be folded in another type.
  if (reduction.folds.size() == types.size() &&
      llvm::all_of(reduction.folds, [](Operation *fold) {
        return isa<arith::AddFOp, arith::MulFOp>(fold);
      }))
    for (Type &type : types)
      if (isHalf(type))
        type = emitter.builder.getF32Type();
}

SmallVector<Size> Fold::sizes() const {
  SmallVector<Size> ranges = emitter.loopSizes(op);
  return llvm::map_to_vector(reduced,
                             [&](unsigned loop) { return ranges[loop]; });
}

bool Fold::isIdempotent() const {
  return llvm::all_of(reduction.folds, [](Operation *fold) {
    return !isa<arith::AddFOp, arith::MulFOp, arith::AddIOp, arith::MulIOp,
                arith::XOrIOp>(fold);
  });
}

static Value convert(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (type.isF32())
    return arith::ExtFOp::create(builder, loc, type, value);
  return arith::TruncFOp::create(builder, loc, type, value);
}

SmallVector<Value> Fold::start(ValueRange initial) {
  if (isIdempotent())
    return SmallVector<Value>(initial);
  SmallVector<Value> state;
  for (auto [type, fold] : llvm::zip(types, reduction.folds)) {
    TypedAttr neutral;
    if (isa<arith::AddFOp>(fold))
      neutral = emitter.builder.getFloatAttr(type, -0.0);
    else if (isa<arith::MulFOp>(fold))
      neutral = emitter.builder.getFloatAttr(type, 1.0);
    else
      neutral = emitter.builder.getIntegerAttr(
          type, isa<arith::MulIOp>(fold) ? 1 : 0);
    state.push_back(
        arith::ConstantOp::create(emitter.builder, emitter.loc, neutral));
  }
  return state;
}

SmallVector<Value> Fold::take(ValueRange state, ValueRange elements) {
  OpBuilder &builder = emitter.builder;
  IRMapping mapping;
  Block *block = op.getBlock();
  unsigned first = block->getNumArguments() - state.size();
  for (auto [number, value] : llvm::enumerate(state))
    mapping.map(block->getArgument(first + number), value);
  for (auto [element, value, type] :
       llvm::zip(reduction.elements, elements, types))
    mapping.map(element, convert(builder, emitter.loc, value, type));
  for (Operation *fold : reduction.folds) {
    Operation *copy = builder.clone(*fold, mapping);
    // Folded in another type than the body's.
    bool isFloatOp = isa<arith::AddFOp, arith::MulFOp>(fold);
    if (isFloatOp)
      copy->getResult(0).setType(copy->getOperand(0).getType());
  }
  SmallVector<Value> next;
  for (Value yielded : block->getTerminator()->getOperands())
    next.push_back(mapping.lookupOrDefault(yielded));
  return next;
}

SmallVector<Value> Fold::takeIf(Value valid, ValueRange state,
                                ValueRange elements) {
  SmallVector<Value> next = take(state, elements);
  if (valid)
    for (auto [after, before] : llvm::zip(next, state))
      after = code.select(valid, after, before);
  return next;
}

SmallVector<Value> Fold::meet(ValueRange a, ValueRange b) {
  SmallVector<Value> first(a), second(b);
  if (reduction.position) {
    Value isInOrder = arith::CmpIOp::create(
        emitter.builder, emitter.loc, arith::CmpIPredicate::sle,
        a[*reduction.position], b[*reduction.position]);
    for (auto [x, y] : llvm::zip(first, second)) {
      Value earlier = code.select(isInOrder, x, y);
      y = code.select(isInOrder, y, x);
      x = earlier;
    }
  }
  return take(first, second);
}

Value Fold::shuffle(Value value, int64_t mask) {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  Type type = value.getType();
  if (type.isF32() || type.isInteger(32))
    return code.shuffleXor(value, mask);
  Type bits = builder.getIntegerType(
      type.isIndex() ? 64 : type.getIntOrFloatBitWidth());
  if (type.isIndex())
    value = arith::IndexCastOp::create(builder, loc, bits, value);
  else if (isa<FloatType>(type))
    value = arith::BitcastOp::create(builder, loc, bits, value);
  Value result;
  if (bits.getIntOrFloatBitWidth() < 32) {
    value = arith::ExtUIOp::create(builder, loc, code.i32, value);
    result = arith::TruncIOp::create(builder, loc, bits,
                                     code.shuffleXor(value, mask));
  } else {
    auto vector = VectorType::get({2}, code.i32);
    Value halves = LLVM::BitcastOp::create(builder, loc, vector, value);
    Value moved = halves;
    for (int64_t half = 0; half < 2; ++half) {
      Value part = LLVM::ExtractElementOp::create(builder, loc, halves,
                                                  code.integer(half));
      moved = LLVM::InsertElementOp::create(
          builder, loc, moved, code.shuffleXor(part, mask), code.integer(half));
    }
    result = LLVM::BitcastOp::create(builder, loc, bits, moved);
  }
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, type, result);
  if (isa<FloatType>(type))
    return arith::BitcastOp::create(builder, loc, type, result);
  return result;
}

SmallVector<Value> Fold::acrossWarp(ValueRange state, int64_t lanes) {
  SmallVector<Value> values(state);
  for (int64_t mask = lanes / 2; mask > 0; mask /= 2) {
    SmallVector<Value> others = llvm::map_to_vector(
        values, [&](Value value) { return shuffle(value, mask); });
    values = meet(values, others);
  }
  return values;
}

SmallVector<Value> Fold::finish(ValueRange state, ValueRange initial) {
  SmallVector<Value> values(state);
  if (!isIdempotent()) {
    SmallVector<Value> wide;
    for (auto [value, type] : llvm::zip(initial, types))
      wide.push_back(convert(emitter.builder, emitter.loc, value, type));
    values = take(wide, state);
  }
  for (auto [value, init] : llvm::zip(values, op.getDpsInits()))
    value = convert(emitter.builder, emitter.loc, value,
                    getElementTypeOrSelf(init.getType()));
  return values;
}
