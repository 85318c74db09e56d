//===- ExpandHalf.cpp - f16 conversions with integer arithmetic -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/CPU/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::sparseflow::cpu {
#define GEN_PASS_DEF_EXPANDHALF
#include "SparseFlow/Target/CPU/Passes.h.inc"
} // namespace mlir::sparseflow::cpu

using namespace mlir;

namespace {
/// 32-bit and 16-bit arithmetic on scalars or vectors of one shape.
struct BitBuilder {
  ImplicitLocOpBuilder b;
  Type shape;

  BitBuilder(PatternRewriter &rewriter, Operation *op)
      : b(op->getLoc(), rewriter), shape(op->getResult(0).getType()) {}

  Type withElement(Type element) {
    if (auto shaped = dyn_cast<ShapedType>(shape))
      return shaped.clone(element);
    return element;
  }
  Value constant(uint32_t value) {
    Type type = withElement(b.getI32Type());
    auto attribute = b.getI32IntegerAttr(static_cast<int32_t>(value));
    if (auto shaped = dyn_cast<ShapedType>(type))
      return arith::ConstantOp::create(
          b, DenseElementsAttr::get(shaped, attribute.getValue()));
    return arith::ConstantOp::create(b, attribute);
  }
  Value asFloat(Value bits) {
    return arith::BitcastOp::create(b, withElement(b.getF32Type()), bits);
  }
  Value asBits(Value value) {
    return arith::BitcastOp::create(b, withElement(b.getI32Type()), value);
  }
  Value bitAnd(Value x, uint32_t y) {
    return arith::AndIOp::create(b, x, constant(y));
  }
  Value add(Value x, uint32_t y) {
    return arith::AddIOp::create(b, x, constant(y));
  }
  Value compare(arith::CmpIPredicate predicate, Value x, uint32_t y) {
    return arith::CmpIOp::create(b, predicate, x, constant(y));
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, condition, x, y);
  }
};

bool isF16(Type type) { return getElementTypeOrSelf(type).isF16(); }
bool isF32(Type type) { return getElementTypeOrSelf(type).isF32(); }

/// Moves exponent and mantissa in place; subnormals are normalised by a
/// subtraction of floats, infinities and NaN get the full exponent.
struct ExpandExtension : public OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    if (!isF16(op.getIn().getType()) || !isF32(op.getType()))
      return rewriter.notifyMatchFailure(op, "no extension of f16 to f32");
    BitBuilder bits(rewriter, op);
    ImplicitLocOpBuilder &b = bits.b;
    Value half = arith::BitcastOp::create(b, bits.withElement(b.getI16Type()),
                                          op.getIn());
    half = arith::ExtUIOp::create(b, bits.withElement(b.getI32Type()), half);
    Value sign =
        arith::ShLIOp::create(b, bits.bitAnd(half, 0x8000), bits.constant(16));
    Value magnitude =
        arith::ShLIOp::create(b, bits.bitAnd(half, 0x7fff), bits.constant(13));
    Value exponent = bits.bitAnd(magnitude, 0x0f800000);
    Value normal = bits.add(magnitude, (127 - 15) << 23);
    Value special = bits.add(magnitude, (255 - 31) << 23);
    Value subnormal = bits.asBits(arith::SubFOp::create(
        b, bits.asFloat(bits.add(magnitude, (127 - 14) << 23)),
        bits.asFloat(bits.constant((127 - 14) << 23))));
    Value result = bits.select(
        bits.compare(arith::CmpIPredicate::eq, exponent, 0x0f800000), special,
        normal);
    result = bits.select(bits.compare(arith::CmpIPredicate::eq, exponent, 0),
                         subnormal, result);
    // A signalling NaN becomes quiet, as in hardware.
    Value quiet = arith::OrIOp::create(b, result, bits.constant(0x00400000));
    result =
        bits.select(bits.compare(arith::CmpIPredicate::ugt, result, 0x7f800000),
                    quiet, result);
    result = arith::OrIOp::create(b, result, sign);
    rewriter.replaceOp(op, bits.asFloat(result));
    return success();
  }
};

/// Rounds to nearest even: by adding half a unit (less one for even values) in
/// the normal range, by a float addition that aligns subnormals otherwise.
struct ExpandTruncation : public OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    if (!isF32(op.getIn().getType()) || !isF16(op.getType()))
      return rewriter.notifyMatchFailure(op, "no truncation of f32 to f16");
    if (op.getRoundingmode() &&
        *op.getRoundingmode() != arith::RoundingMode::to_nearest_even)
      return rewriter.notifyMatchFailure(op, "another rounding mode");
    BitBuilder bits(rewriter, op);
    ImplicitLocOpBuilder &b = bits.b;
    Value whole = bits.asBits(op.getIn());
    Value sign = arith::ShRUIOp::create(b, bits.bitAnd(whole, 0x80000000u),
                                        bits.constant(16));
    Value magnitude = bits.bitAnd(whole, 0x7fffffff);

    // Too large and infinite values, and NaN with its upper payload, quiet.
    Value payload = arith::ShRUIOp::create(
        b, bits.bitAnd(magnitude, 0x007fe000), bits.constant(13));
    Value nan = arith::OrIOp::create(b, payload, bits.constant(0x7e00));
    Value special = bits.select(
        bits.compare(arith::CmpIPredicate::ugt, magnitude, 0x7f800000), nan,
        bits.constant(0x7c00));

    // 0.5 has the exponent at which the last bit of f32 weighs a subnormal's
    // unit, 2^-24.
    constexpr uint32_t aligner = 126u << 23;
    Value subnormal = bits.asBits(arith::AddFOp::create(
        b, bits.asFloat(magnitude), bits.asFloat(bits.constant(aligner))));
    subnormal = bits.add(subnormal, 0u - aligner);

    Value odd =
        bits.bitAnd(arith::ShRUIOp::create(b, magnitude, bits.constant(13)), 1);
    Value normal = bits.add(magnitude, ((15u - 127u) << 23) + 0xfff);
    normal = arith::AddIOp::create(b, normal, odd);
    normal = arith::ShRUIOp::create(b, normal, bits.constant(13));

    Value result = bits.select(
        bits.compare(arith::CmpIPredicate::ult, magnitude, (127 - 14) << 23),
        subnormal, normal);
    result = bits.select(
        bits.compare(arith::CmpIPredicate::uge, magnitude, (127 + 16) << 23),
        special, result);
    result = arith::OrIOp::create(b, result, sign);
    result =
        arith::TruncIOp::create(b, bits.withElement(b.getI16Type()), result);
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), result);
    return success();
  }
};

struct ExpandHalfPass
    : public sparseflow::cpu::impl::ExpandHalfBase<ExpandHalfPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandExtension, ExpandTruncation>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
