//===- LowerQuantize.cpp - 8-bit activations as linalg --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/CPU/Ternary/LowerQuantize.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <cmath>

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sparseflow::cpu;
using Iterator = utils::IteratorType;

namespace {

class QuantizeLowering {
public:
  QuantizeLowering(OpBuilder &b, QuantizeOp op)
      : b(b), loc(op.getLoc()), x(op.getX()),
        type(cast<RankedTensorType>(x.getType())),
        element(cast<FloatType>(type.getElementType())),
        bits(b.getIntegerType(element.getWidth())), f32(b.getF32Type()),
        rank(type.getRank()) {}

  /// The integers and the scales.
  std::pair<Value, Value> create() {
    Value largest = createLargest();
    Value scale = createTokens(
        largest,
        [&](OpBuilder &b, Value magnitude) {
          return arith::DivFOp::create(b, loc, magnitude,
                                       number(b, QuantizeOp::kLargestInteger))
              .getResult();
        },
        NAN);
    Value inverse = createTokens(
        largest,
        [&](OpBuilder &b, Value magnitude) {
          return arith::DivFOp::create(
                     b, loc, number(b, QuantizeOp::kLargestInteger), magnitude)
              .getResult();
        },
        0.0f);
    return {createIntegers(inverse), scale};
  }

private:
  Value number(OpBuilder &b, float value) {
    return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(value));
  }
  Value widen(OpBuilder &b, Value value) {
    if (value.getType() == f32)
      return value;
    return arith::ExtFOp::create(b, loc, f32, value);
  }
  /// An uninitialised tensor of the first `count` dimensions of x.
  Value empty(unsigned count, Type elementType) {
    SmallVector<Value> sizes;
    for (unsigned i = 0; i < count; ++i)
      if (type.isDynamicDim(i))
        sizes.push_back(tensor::DimOp::create(b, loc, x, i));
    return tensor::EmptyOp::create(b, loc, type.getShape().take_front(count),
                                   elementType, sizes);
  }

  /// The largest magnitude of each token as bits: those of numbers are ordered
  /// like integers, with infinity above them and NaNs above it.
  Value createLargest() {
    Value zero = arith::ConstantOp::create(b, loc, b.getIntegerAttr(bits, 0));
    Value init = linalg::FillOp::create(b, loc, zero, empty(rank - 1, bits))
                     .getResult(0);
    SmallVector<Iterator> iterators(rank, Iterator::parallel);
    iterators.back() = Iterator::reduction;
    AffineMap identity = b.getMultiDimIdentityMap(rank);
    return linalg::GenericOp::create(
               b, loc, init.getType(), x, init,
               {identity, identity.getMajorSubMap(rank - 1)}, iterators,
               [&](OpBuilder &b, Location loc, ValueRange v) {
                 Value value = arith::BitcastOp::create(b, loc, bits, v[0]);
                 APInt mask = APInt::getSignedMaxValue(element.getWidth());
                 Value magnitude = arith::AndIOp::create(
                     b, loc, value,
                     arith::ConstantOp::create(b, loc,
                                               b.getIntegerAttr(bits, mask)));
                 Value largest =
                     arith::MaxUIOp::create(b, loc, magnitude, v[1]);
                 linalg::YieldOp::create(b, loc, largest);
               })
        .getResult(0);
  }

  /// `body` of the magnitude of each token, or `otherwise` where it is not
  /// finite.
  Value createTokens(Value largest,
                     function_ref<Value(OpBuilder &, Value)> body,
                     float otherwise) {
    Value init = empty(rank - 1, f32);
    SmallVector<Iterator> parallel(rank - 1, Iterator::parallel);
    AffineMap identity = b.getMultiDimIdentityMap(rank - 1);
    return linalg::GenericOp::create(
               b, loc, init.getType(), largest, init, {identity, identity},
               parallel,
               [&](OpBuilder &b, Location loc, ValueRange v) {
                 APInt infinity = APFloat::getInf(element.getFloatSemantics())
                                      .bitcastToAPInt();
                 Value isFinite = arith::CmpIOp::create(
                     b, loc, arith::CmpIPredicate::ult, v[0],
                     arith::ConstantOp::create(
                         b, loc, b.getIntegerAttr(bits, infinity)));
                 Value magnitude =
                     widen(b, arith::BitcastOp::create(b, loc, element, v[0]));
                 magnitude = arith::MaximumFOp::create(
                     b, loc, magnitude, number(b, QuantizeOp::kLeastMagnitude));
                 Value result = body(b, magnitude);
                 linalg::YieldOp::create(
                     b, loc,
                     arith::SelectOp::create(b, loc, isFinite, result,
                                             number(b, otherwise))
                         .getResult());
               })
        .getResult(0);
  }

  Value createIntegers(Value inverse) {
    Value init = empty(rank, b.getI8Type());
    SmallVector<Iterator> parallel(rank, Iterator::parallel);
    AffineMap identity = b.getMultiDimIdentityMap(rank);
    return linalg::GenericOp::create(
               b, loc, init.getType(), ValueRange{x, inverse}, init,
               {identity, identity.getMajorSubMap(rank - 1), identity},
               parallel,
               [&](OpBuilder &b, Location loc, ValueRange v) {
                 Value value =
                     arith::MulFOp::create(b, loc, widen(b, v[0]), v[1]);
                 value = math::RoundEvenOp::create(b, loc, value);
                 float limit = QuantizeOp::kLargestInteger;
                 value =
                     arith::MinNumFOp::create(b, loc, value, number(b, limit));
                 value =
                     arith::MaxNumFOp::create(b, loc, value, number(b, -limit));
                 // Infinity times the zero of its token is no number.
                 Value isNumber = arith::CmpFOp::create(
                     b, loc, arith::CmpFPredicate::ONE, v[1], number(b, 0));
                 value = arith::SelectOp::create(b, loc, isNumber, value,
                                                 number(b, 0));
                 linalg::YieldOp::create(
                     b, loc,
                     arith::FPToSIOp::create(b, loc, b.getI8Type(), value)
                         .getResult());
               })
        .getResult(0);
  }

  OpBuilder &b;
  Location loc;
  Value x;
  RankedTensorType type;
  FloatType element;
  IntegerType bits;
  Type f32;
  unsigned rank;
};

} // namespace

void mlir::sparseflow::cpu::lowerQuantize(RewriterBase &rewriter,
                                          QuantizeOp op) {
  rewriter.setInsertionPoint(op);
  auto [integers, scale] = QuantizeLowering(rewriter, op).create();
  rewriter.replaceOp(op, ValueRange{integers, scale});
}
