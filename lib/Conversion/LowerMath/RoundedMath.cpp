//===- RoundedMath.cpp - Functions whose results are rounded to 16 bits ---===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Products and quotients keep relative errors as they are, and so does the sum
// of an exponential and a positive constant. What passes through nothing else
// and is then rounded to 16 bits shows nothing of the last bits of an f32:
// there the short forms serve as well.
//
//===----------------------------------------------------------------------===//

#include "RoundedMath.h"

#include "F32Emitter.h"
#include "Support/FastMath.h"
#include "SupportedOps.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::sparseflow;

static bool isRounded(Value value, bool positive = false);

/// Whether what `use` makes of a value keeps relative errors small until they
/// are rounded away. `positive`: the value is not negative.
static bool isRounded(Operation *user, bool positive) {
  if (auto rounding = dyn_cast<arith::TruncFOp>(user))
    return isHalf(rounding.getType());
  if (isa<arith::MulFOp, arith::DivFOp, arith::NegFOp, math::AbsFOp>(user))
    return isRounded(user->getResult(0));
  auto sum = dyn_cast<arith::AddFOp>(user);
  FloatAttr constant;
  return sum && positive &&
         (matchPattern(sum.getLhs(), m_Constant(&constant)) ||
          matchPattern(sum.getRhs(), m_Constant(&constant))) &&
         !constant.getValue().isNegative() && isRounded(sum.getResult());
}

static bool isRounded(Value value, bool positive) {
  return !value.use_empty() && llvm::all_of(value.getUsers(), [&](auto *user) {
    return isRounded(user, positive);
  });
}

/// The sums with one of tanh and erf are what has a short form.
static bool areSumsRounded(Operation *op) {
  return llvm::all_of(op->getUsers(), [](Operation *user) {
    return isa<arith::AddFOp, arith::SubFOp>(user) &&
           isRounded(user->getResult(0));
  });
}

/// The exponential in `value` = exp(..) + 1, or null.
static math::ExpOp exponentialPlusOne(Value value) {
  auto sum = value.getDefiningOp<arith::AddFOp>();
  if (!sum)
    return {};
  for (auto [first, second] : {std::pair(sum.getLhs(), sum.getRhs()),
                               std::pair(sum.getRhs(), sum.getLhs())})
    if (matchPattern(second, m_OneFloat()))
      if (auto exponential = first.getDefiningOp<math::ExpOp>())
        return exponential;
  return {};
}

void mlir::sparseflow::shortenRoundedMath(Operation *root) {
  SmallVector<std::pair<arith::DivFOp, math::ExpOp>> sigmoids;
  root->walk([&](Operation *op) {
    if (!isa<arith::ArithFastMathInterface>(op) || op->getNumResults() != 1 ||
        !op->getResult(0).getType().isF32())
      return;
    bool rounded = false;
    if (isa<math::ExpOp, math::Exp2Op>(op))
      rounded = isRounded(op->getResult(0), /*positive=*/true);
    else if (isa<math::TanhOp, math::ErfOp>(op))
      rounded = areSumsRounded(op);
    else if (isa<math::ErfcOp, math::SqrtOp, arith::DivFOp>(op))
      rounded = isRounded(op->getResult(0));
    if (!rounded)
      return;
    approximate(op);
    if (auto quotient = dyn_cast<arith::DivFOp>(op))
      if (math::ExpOp exponential = exponentialPlusOne(quotient.getRhs()))
        sigmoids.push_back({quotient, exponential});
  });
  // A quarter of the denominator: the reciprocal is a normal number then for
  // every finite exponential.
  for (auto [quotient, exponential] : sigmoids) {
    OpBuilder builder(quotient);
    F32Emitter e(builder, quotient.getLoc());
    Value quarter = e.fma(exponential.getResult(), 0.25f, e.constant(0.25f));
    Value numerator = e.mul(0.25f, quotient.getLhs());
    Value result = e.mul(numerator, e.reciprocalFlushing(quarter));
    quotient.replaceAllUsesWith(result);
    quotient.erase();
  }
}
