//===- BodyEmitter.cpp - The scalar code of a body ------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Tensor/BodyEmitter.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::sparseflow;

void BodyEmitter::set(BlockArgument argument, const Lanes &lanes) {
  values[argument] = lanes;
}

void BodyEmitter::set(BlockArgument argument, Value tensor,
                      SmallVector<Lanes> indices) {
  arguments[argument] = {tensor, std::move(indices)};
}

void BodyEmitter::set(BlockArgument argument, Value scalar) {
  scalars[argument] = scalar;
}

Lanes BodyEmitter::get(Value value) {
  if (auto found = values.find(value); found != values.end())
    return found->second;
  Lanes result = compute(value);
  return values[value] = result;
}

Lanes BodyEmitter::fromOutside(Value value) {
  if (auto constant = value.getDefiningOp<arith::ConstantOp>()) {
    if (std::optional<Lanes> line = computeLine(constant))
      return *line;
    return emitter.constant(constant.getValue());
  }
  Lanes lanes;
  lanes.values = {emitter.scalar(value)};
  lanes.type = value.getType();
  return lanes;
}

Lanes BodyEmitter::compute(Value value) {
  if (auto argument = arguments.find(value); argument != arguments.end())
    return emitter.evaluate(argument->second.tensor, argument->second.indices);
  if (auto scalar = scalars.find(value); scalar != scalars.end())
    return fromOutside(scalar->second);
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != &block)
    return fromOutside(value);
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return loops[index.getDim()];
  if (auto element = dyn_cast<tensor::ExtractOp>(op))
    return extract(element);
  if (auto dim = dyn_cast<tensor::DimOp>(op))
    if (std::optional<int64_t> index = dim.getConstantIndex()) {
      const Size size = emitter.sizesOf(dim.getSource())[*index];
      return size.isStatic() ? emitter.number(size.number)
                             : emitter.uniform(size.value, size.multiple);
    }
  if (std::optional<Lanes> line = computeLine(op))
    return *line;
  return clone(cast<OpResult>(value));
}

std::optional<Lanes> BodyEmitter::computeLine(Operation *op) {
  IntegerAttr attribute;
  Type type = op->getResult(0).getType();
  bool isWide = type.isIndex() || type.isInteger(64);
  if (isWide && matchPattern(op, m_Constant(&attribute)) &&
      attribute.getInt() >= 0) {
    Lanes line = emitter.number(attribute.getInt());
    line.type = type;
    return line;
  }
  if (isWide && isa<arith::IndexCastOp, arith::IndexCastUIOp>(op)) {
    Lanes line = get(op->getOperand(0));
    if (!line.isLine)
      return std::nullopt;
    line.type = type;
    return line;
  }
  if (isWide && isa<arith::AddIOp, arith::MulIOp>(op)) {
    Lanes a = get(op->getOperand(0)), b = get(op->getOperand(1));
    if (!a.isLine || !b.isLine)
      return std::nullopt;
    Lanes line;
    if (isa<arith::AddIOp>(op))
      line = emitter.add(a, b);
    else if (std::optional<int64_t> factor = b.constant())
      line = emitter.scale(a, {*factor, Value(), *factor});
    else
      return std::nullopt;
    line.type = type;
    return line;
  }
  // Lines are not negative, so that signs make no difference.
  if (isWide && isa<arith::RemSIOp, arith::RemUIOp>(op)) {
    Lanes a = get(op->getOperand(0)), b = get(op->getOperand(1));
    std::optional<int64_t> divisor = b.constant();
    if (!a.isLine || !divisor || *divisor <= 0)
      return std::nullopt;
    Lanes line = emitter.rem(a, {*divisor, Value(), *divisor});
    if (!line.isLine)
      return std::nullopt;
    line.type = type;
    return line;
  }
  // A clamp that changes nothing.
  if (isWide && isa<arith::MaxSIOp, arith::MinSIOp>(op)) {
    Lanes line = get(op->getOperand(0));
    std::optional<int64_t> bound = get(op->getOperand(1)).constant();
    bool isLeast = isa<arith::MaxSIOp>(op);
    if (line.isLine && bound &&
        (isLeast ? *bound == 0 && line.offset >= 0
                 : line.limit && line.limit <= *bound + 1))
      return line;
    return std::nullopt;
  }
  // What a front end does with negative indices, whose
  // loops have none, is not done.
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    Lanes a = get(compare.getLhs()), b = get(compare.getRhs());
    using Predicate = arith::CmpIPredicate;
    bool isLess = compare.getPredicate() == Predicate::slt;
    bool isNotLess = compare.getPredicate() == Predicate::sge;
    if (a.isLine && b.constant() == 0 && a.offset >= 0 && (isLess || isNotLess))
      return emitter.constant(emitter.builder.getBoolAttr(isNotLess));
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    Lanes condition = get(select.getCondition());
    APInt known;
    if (condition.values.size() == 1 &&
        matchPattern(condition.values[0], m_ConstantInt(&known)))
      return get(known.isZero() ? select.getFalseValue()
                                : select.getTrueValue());
  }
  return std::nullopt;
}

bool BodyEmitter::isInBounds(const Lanes &index, const Size &size) {
  if (std::optional<int64_t> constant = index.constant())
    return size.isStatic() && *constant < size.number;
  if (index.isLine && index.limit && size.isStatic() &&
      index.limit <= size.number)
    return true;
  for (auto [loop, loopSize] : llvm::zip(loops, loopSizes)) {
    bool fits = loopSize == size || (loopSize.isStatic() && size.isStatic() &&
                                     loopSize.number <= size.number);
    if (fits && index.isLine && loop.isLine && index.base == loop.base &&
        index.offset == loop.offset && index.step == loop.step)
      return true;
  }
  return false;
}

Lanes BodyEmitter::extract(tensor::ExtractOp op) {
  SmallVector<Lanes> indices;
  // Of an empty tensor there is no index to clamp to.
  Value isThere = emitter.constant(emitter.builder.getBoolAttr(true)).values[0];
  for (auto [value, size] :
       llvm::zip(op.getIndices(), emitter.sizesOf(op.getTensor()))) {
    Lanes index = get(value);
    if (isInBounds(index, size)) {
      indices.push_back(index);
      continue;
    }
    indices.push_back(emitter.clamp(index, size));
    if (size.isStatic() && size.number)
      continue;
    Value isSome = emitter.builder.createOrFold<arith::CmpIOp>(
        emitter.loc, arith::CmpIPredicate::ne, emitter.valueOf(size),
        emitter.index(0));
    isThere = emitter.builder.createOrFold<arith::AndIOp>(emitter.loc, isThere,
                                                          isSome);
  }
  Type element = op.getType();
  return emitter.choose(
      isThere, element,
      [&] { return emitter.evaluate(op.getTensor(), indices); },
      [&] { return emitter.constant(emitter.builder.getZeroAttr(element)); });
}

Lanes BodyEmitter::clone(OpResult result) {
  Operation *op = result.getOwner();
  SmallVector<Lanes> operands = llvm::map_to_vector(
      op->getOperands(), [&](Value operand) { return get(operand); });
  bool isUniform = llvm::all_of(
      operands, [](const Lanes &operand) { return operand.isUniform(); });
  SmallVector<Lanes> results(op->getNumResults());
  for (int64_t lane = 0; lane < (isUniform ? 1 : emitter.width); ++lane) {
    IRMapping mapping;
    for (auto [operand, lanes] : llvm::zip(op->getOperands(), operands))
      mapping.map(operand, emitter.at(lanes, lane));
    Operation *copy = emitter.builder.clone(*op, mapping);
    for (auto [own, made] : llvm::zip(results, copy->getResults())) {
      own.values.push_back(made);
      own.type = made.getType();
    }
  }
  for (auto [value, lanes] : llvm::zip(op->getResults(), results))
    values[value] = lanes;
  return results[result.getResultNumber()];
}
