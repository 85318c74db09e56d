//===- SupportedOps.cpp - Which arith and math ops can be lowered ---------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SupportedOps.h"

#include "SparseFlow/Conversion/LowerMath/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr const char *kSupported =
    "arith.{addf, subf, mulf, divf, negf, maximumf, minimumf, maxnumf, "
    "minnumf, cmpf, select, extf, truncf, sitofp, uitofp, fptosi, fptoui} and "
    "math.{absf, atan, cbrt, ceil, copysign, cos, cosh, erf, erfc, exp, exp2, "
    "expm1, floor, fma, log, log1p, log2, powf, roundeven, rsqrt, sin, sinh, "
    "sqrt, tanh, trunc} on scalars of f16, bf16 and f32";

static bool isElementwiseArith(Operation *op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp,
             arith::MaxNumFOp, arith::MinNumFOp, arith::CmpFOp>(op);
}

static bool isFunction(Operation *op) {
  return isa<math::AbsFOp, math::AtanOp, math::CbrtOp, math::CeilOp,
             math::CopySignOp, math::CosOp, math::CoshOp, math::ErfOp,
             math::ErfcOp, math::ExpOp, math::Exp2Op, math::ExpM1Op,
             math::FloorOp, math::FmaOp, math::LogOp, math::Log1pOp,
             math::Log2Op, math::PowFOp, math::RoundEvenOp, math::RsqrtOp,
             math::SinOp, math::SinhOp, math::SqrtOp, math::TanhOp,
             math::TruncOp>(op);
}

static bool isIntegerToFloat(Operation *op) {
  return isa<arith::SIToFPOp, arith::UIToFPOp>(op);
}

static bool isFloatToInteger(Operation *op) {
  return isa<arith::FPToSIOp, arith::FPToUIOp>(op);
}

bool mlir::sparseflow::isWidenable(Operation *op) {
  if (isElementwiseArith(op) || isFunction(op))
    return isHalf(op->getOperand(0).getType());
  // NVPTX converts between integers and f16 or f32, but not bf16.
  if (isIntegerToFloat(op))
    return op->getResult(0).getType().isBF16();
  if (isFloatToInteger(op))
    return op->getOperand(0).getType().isBF16();
  return false;
}

// The first type of the op, operands before results, that satisfies `test`.
template <typename Test>
static Type findType(Operation *op, Test test) {
  for (Type type : op->getOperandTypes())
    if (test(type))
      return type;
  for (Type type : op->getResultTypes())
    if (test(type))
      return type;
  return {};
}

static bool hasFloatElements(Type type) {
  return isa<FloatType>(getElementTypeOrSelf(type));
}

// Vectors of these stay as they are: the back end splits them into scalars.
static bool isVectorOpSelected(Operation *op) {
  if (isa<arith::ExtFOp, arith::TruncFOp>(op))
    return true;
  Type element = getElementTypeOrSelf(op->getOperand(0).getType());
  return element.isF32() &&
         isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             arith::NegFOp, arith::CmpFOp>(op);
}

LogicalResult mlir::sparseflow::verifySupported(Operation *op) {
  if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
          op->getDialect()))
    return success();
  if (!findType(op, hasFloatElements))
    return success();
  // These move bits and compute nothing.
  if (isa<arith::ConstantOp, arith::SelectOp, arith::BitcastOp>(op))
    return success();

  bool isCast = isa<arith::ExtFOp, arith::TruncFOp>(op);
  if (!isElementwiseArith(op) && !isFunction(op) && !isCast &&
      !isIntegerToFloat(op) && !isFloatToInteger(op))
    return op->emitOpError()
           << "has no form that runs without a device library; supported are "
           << kSupported << "; rewrite it in terms of these";

  if (Type type = findType(op, [](Type t) {
        Type element = getElementTypeOrSelf(t);
        return isa<FloatType>(element) && !element.isF32() && !isHalf(element);
      }))
    return op->emitOpError() << "expected f16, bf16 or f32, found " << type
                             << "; compute in f32 instead";
  if (Type type = findType(op, [](Type t) { return isa<ShapedType>(t); }))
    if (!isVectorOpSelected(op))
      return op->emitOpError()
             << "expected scalars, found " << type
             << "; unroll it into scalar ops before this pass";

  if (auto truncate = dyn_cast<arith::TruncFOp>(op))
    if (truncate.getRoundingmode().value_or(
            arith::RoundingMode::to_nearest_even) !=
        arith::RoundingMode::to_nearest_even)
      return op->emitOpError()
             << "expected the rounding mode to_nearest_even, found "
             << arith::stringifyRoundingMode(*truncate.getRoundingmode())
             << "; drop the rounding mode";
  // Going through f32 would round a wider integer twice.
  if (isIntegerToFloat(op) && op->getResult(0).getType().isBF16() &&
      op->getOperand(0).getType().getIntOrFloatBitWidth() > 24)
    return op->emitOpError()
           << "expected an integer of at most 24 bits to convert to bf16, "
              "found "
           << op->getOperand(0).getType()
           << "; convert to f32 and use arith.truncf";
  return success();
}

LogicalResult mlir::sparseflow::verifyLowerableMath(Operation *root) {
  bool failed = false;
  root->walk([&](Operation *op) { failed |= verifySupported(op).failed(); });
  return failure(failed);
}
