//===- HostSizes.cpp - Sizes and scalars that the host computes -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dimension of a tensor is a number, a symbol, or what its op makes of other
// dimensions and of integers that the program computes from them: a manifest
// holds such expressions.
//
//===----------------------------------------------------------------------===//

#include "Launch/HostProgramBuilder.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::sparseflow;

Value HostProgramBuilder::refuseSize(Location loc, const Twine &what) {
  hasError = true;
  emitError(loc) << "expected " << what
                 << " to be computed from sizes of arguments, found a value "
                    "that only the device knows, or an op that a manifest has "
                    "no expression for; pass it as a size of an argument";
  return constant(0);
}

/// The dimension of the source of a slice that dimension `dim` of it is.
static unsigned undroppedDim(const llvm::SmallBitVector &dropped,
                             unsigned dim) {
  for (unsigned source = 0; source < dropped.size(); ++source)
    if (!dropped.test(source) && dim-- == 0)
      return source;
  llvm_unreachable("a slice has as many dimensions");
}

Value HostProgramBuilder::computeDim(Value tensor, unsigned dim) {
  Operation *op = tensor.getDefiningOp();
  Location loc = tensor.getLoc();
  auto number = [&](OpFoldResult size) {
    if (std::optional<int64_t> known = getConstantIntValue(size))
      return constant(*known);
    return scalarOf(cast<Value>(size));
  };
  auto sum = [&](Value a, Value b) {
    return builder.createOrFold<arith::AddIOp>(host.getLoc(), a, b);
  };
  auto product = [&](Value a, Value b) {
    return builder.createOrFold<arith::MulIOp>(host.getLoc(), a, b);
  };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<tensor::EmptyOp>(
          [&](auto empty) { return number(empty.getMixedSizes()[dim]); })
      .Case<tensor::ExpandShapeOp>([&](auto expand) {
        return number(expand.getMixedOutputShape()[dim]);
      })
      .Case<tensor::CollapseShapeOp>([&](auto collapse) {
        Value size = constant(1);
        for (int64_t part : collapse.getReassociationIndices()[dim])
          size = product(size, dimOf(collapse.getSrc(), part));
        return size;
      })
      .Case<tensor::CastOp>(
          [&](auto cast) { return dimOf(cast.getSource(), dim); })
      .Case<tensor::ExtractSliceOp>([&](auto slice) {
        return number(
            slice.getMixedSizes()[undroppedDim(slice.getDroppedDims(), dim)]);
      })
      .Case<tensor::InsertSliceOp>(
          [&](auto slice) { return dimOf(slice.getDest(), dim); })
      .Case<tensor::ConcatOp>([&](auto concat) {
        Value size = dimOf(concat.getInputs().front(), dim);
        if (dim == concat.getDim())
          for (Value input : concat.getInputs().drop_front())
            size = sum(size, dimOf(input, dim));
        return size;
      })
      .Case<tensor::PadOp>([&](auto pad) {
        return sum(
            sum(number(pad.getMixedLowPad()[dim]), dimOf(pad.getSource(), dim)),
            number(pad.getMixedHighPad()[dim]));
      })
      .Case<tensor::ReshapeOp>([&](auto reshape) {
        auto sizes =
            reshape.getShape().template getDefiningOp<tensor::FromElementsOp>();
        return sizes ? scalarOf(sizes.getElements()[dim])
                     : refuseSize(loc, "the shape");
      })
      .Case<linalg::LinalgOp>([&](linalg::LinalgOp linalgOp) {
        unsigned result = cast<OpResult>(tensor).getResultNumber();
        return dimOf(linalgOp.getDpsInits()[result], dim);
      })
      .Case<MatmulOp>([&](auto matmul) { return dimOf(matmul.getX(), dim); })
      .Case<AttentionOp>([&](auto attention) {
        unsigned sequence = attention.getSequenceDim();
        unsigned of = tensor == attention.getLse()
                          ? (dim == 0   ? 0
                             : dim == 1 ? unsigned(attention.getHeadDim())
                                        : sequence)
                          : dim;
        return dimOf(attention.getQ(), of);
      })
      .Case<QuantizeOp>(
          [&](auto quantize) { return dimOf(quantize.getX(), dim); })
      .Case<HadamardOp>(
          [&](auto rotation) { return dimOf(rotation.getX(), dim); })
      .Case<SampleOp>(
          [&](auto sample) { return dimOf(sample.getLogits(), dim); })
      .Default([&](Operation *) {
        return refuseSize(loc, "dimension " + Twine(dim) + " of this tensor");
      });
}

Value HostProgramBuilder::dimOf(Value tensor, unsigned dim) {
  const SymbolicDim &known = signature.shapes.find(tensor)->second[dim];
  if (!known.symbol.empty() || ShapedType::isStatic(known.size))
    return sizeOf(known);
  Value &size = dims[{tensor, dim}];
  if (!size) {
    Value computed = computeDim(tensor, dim);
    // The map may have moved.
    return dims[{tensor, dim}] = computed;
  }
  return size;
}

/// Whether `a predicate b` holds for all sizes, which are not negative.
static std::optional<bool> compareSizes(arith::CmpIPredicate predicate, Value a,
                                        Value b) {
  APInt x, y;
  bool isKnownA = matchPattern(a, m_ConstantInt(&x));
  bool isKnownB = matchPattern(b, m_ConstantInt(&y));
  if (isKnownA && isKnownB)
    return arith::applyCmpPredicate(predicate, x, y);
  using Predicate = arith::CmpIPredicate;
  if (a == b)
    switch (predicate) {
    case Predicate::eq:
    case Predicate::sle:
    case Predicate::ule:
    case Predicate::sge:
    case Predicate::uge:
      return true;
    default:
      return false;
    }
  if (isKnownB && y.isZero() && predicate == Predicate::slt)
    return false;
  if (isKnownB && y.isZero() && predicate == Predicate::sge)
    return true;
  if (isKnownB && y.isNegative() && predicate == Predicate::eq)
    return false;
  return std::nullopt;
}

Value HostProgramBuilder::computeScalar(Value value) {
  Operation *op = value.getDefiningOp();
  Location loc = value.getLoc();
  APInt known;
  if (matchPattern(value, m_ConstantInt(&known)))
    return constant(known.getSExtValue());
  if (!op)
    return refuseSize(loc, "this integer");
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    std::optional<int64_t> index = dim.getConstantIndex();
    return index ? dimOf(dim.getSource(), *index)
                 : refuseSize(loc, "the number of this dimension");
  }
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::ExtUIOp, arith::TruncIOp>(op))
    return scalarOf(op->getOperand(0));
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    auto compare = select.getCondition().getDefiningOp<arith::CmpIOp>();
    std::optional<bool> condition;
    if (compare)
      condition =
          compareSizes(compare.getPredicate(), scalarOf(compare.getLhs()),
                       scalarOf(compare.getRhs()));
    if (!condition)
      return refuseSize(loc, "the condition of this select");
    return scalarOf(*condition ? select.getTrueValue()
                               : select.getFalseValue());
  }
  bool isArithmetic =
      isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivUIOp,
          arith::DivSIOp, arith::CeilDivUIOp, arith::CeilDivSIOp,
          arith::FloorDivSIOp, arith::RemUIOp, arith::RemSIOp, arith::MinUIOp,
          arith::MinSIOp, arith::MaxUIOp, arith::MaxSIOp>(op);
  if (!isArithmetic)
    return refuseSize(loc, "this integer");
  SmallVector<Value> operands = {scalarOf(op->getOperand(0)),
                                 scalarOf(op->getOperand(1))};
  // (a * c) / (b * c) is a / b, as front ends compute the rest of a shape.
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(op)) {
    auto above = operands[0].getDefiningOp<arith::MulIOp>();
    auto below = operands[1].getDefiningOp<arith::MulIOp>();
    APInt x, y;
    if (above && matchPattern(above.getRhs(), m_ConstantInt(&x)) &&
        operands[1] == above.getLhs())
      return constant(x.getSExtValue());
    if (above && below && above.getLhs() == below.getLhs() &&
        matchPattern(above.getRhs(), m_ConstantInt(&x)) &&
        matchPattern(below.getRhs(), m_ConstantInt(&y)) && !y.isZero() &&
        x.srem(y).isZero())
      return constant(x.sdiv(y).getSExtValue());
    if (above && matchPattern(above.getRhs(), m_ConstantInt(&x)) &&
        matchPattern(operands[1], m_ConstantInt(&y)) && !y.isZero() &&
        x.srem(y).isZero())
      return builder.createOrFold<arith::MulIOp>(
          host.getLoc(), above.getLhs(), constant(x.sdiv(y).getSExtValue()));
    if (below && above && above.getLhs() == below.getLhs() &&
        above.getRhs() == below.getRhs())
      return constant(1);
  }
  OperationState state(host.getLoc(), op->getName(), operands,
                       builder.getI64Type());
  Operation *copy = builder.create(state);
  SmallVector<Value> folded;
  if (succeeded(builder.tryFold(copy, folded))) {
    copy->erase();
    return folded[0];
  }
  return copy->getResult(0);
}

Value HostProgramBuilder::scalarOf(Value value) {
  if (Value found = scalars.lookup(value))
    return found;
  Value computed = computeScalar(value);
  return scalars[value] = computed;
}
