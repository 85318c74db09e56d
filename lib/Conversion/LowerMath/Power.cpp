//===- Power.cpp - powf, cbrt ---------------------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "F32Emitter.h"

#include <limits>

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr float kInf = std::numeric_limits<float>::infinity();
static constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

namespace {
// An unevaluated sum high + low, |low| at most half an ulp of high.
struct Double {
  Value high;
  Value low;
};
} // namespace

// Exact sum of x and y, given |x| >= |y| or x = 0.
static Double exactSum(F32Emitter &e, Value x, Value y) {
  Value sum = e.add(x, y);
  return {sum, e.sub(y, e.sub(sum, x))};
}

// log2 of a positive finite x, about 2^-40 of relative error.
static Double log2Extended(F32Emitter &e, Value x) {
  // (log(m) - u - u^3/12) / u^5 in s = u^2, where u = 2(m-1)/(m+1); 1/12 is
  // the sum of the two constants below.
  static constexpr float c[] = {0.0125f, 0.00223216391f, 0.000433377892f,
                                9.51288166e-05f};
  constexpr float kTwelfth = 0.0833333358f, kTwelfthLow = -2.48352694e-09f;
  Mantissa split = splitMantissa(e, x);
  Value f = split.f;
  Value r = e.reciprocalFlushing(e.add(f, e.constant(2.0f)));
  Value u = e.mul(e.add(f, f), r);
  // What u misses of 2f/(2+f): both differences below are exact.
  Value difference = e.sub(f, u);
  Value residual = e.fma(e.neg(u), f, e.add(difference, difference));
  Value uLow = e.mul(residual, r);

  // u^2/12 + ... as a sum of two, so that only the fifth power is rounded.
  Value s = e.mul(u, u);
  Value sLow = e.fma(u, u, e.neg(s));
  sLow = e.fma(e.add(u, u), uLow, sLow);
  Value tail = e.fma(s, e.horner(s, c), e.constant(kTwelfthLow));
  Value ratio = e.mul(kTwelfth, s);
  Value ratioLow = e.fma(s, kTwelfth, e.neg(ratio));
  ratioLow = e.fma(sLow, kTwelfth, ratioLow);
  ratioLow = e.fma(s, tail, ratioLow);
  Value cubic = e.mul(u, ratio);
  Value cubicLow = e.fma(u, ratio, e.neg(cubic));
  cubicLow = e.fma(u, ratioLow, cubicLow);
  cubicLow = e.fma(uLow, ratio, cubicLow);
  Double log = exactSum(e, u, cubic);
  log.low = e.add(log.low, e.add(cubicLow, uLow));

  // Times log2(e), itself in two parts.
  Value high = e.mul(1.44269502f, log.high);
  Value low = e.fma(log.high, 1.44269502f, e.neg(high));
  low = e.fma(log.high, 1.925963033e-8f, low);
  low = e.fma(log.low, 1.44269502f, low);
  Double sum = exactSum(e, split.exponent, high);
  return exactSum(e, sum.high, e.add(sum.low, low));
}

// 2^(high + low); low counts only while high can be in range.
static Value exp2Extended(F32Emitter &e, Double x) {
  PowerOfTwo power = splitPowerOfTwo(e, x.high);
  Value inRange = e.compare(arith::CmpFPredicate::OLT, e.abs(x.high), 256.0f);
  Value low = e.select(inRange, x.low, e.constant(0.0f));
  Value f = e.add(e.sub(x.high, power.n), low);
  return e.mul(e.exp2Flushing(f), power.scale);
}

Value mlir::sparseflow::emitPow(F32Emitter &e, Value x, Value y) {
  using Predicate = arith::CmpFPredicate;
  Value zero = e.constant(0.0f), one = e.constant(1.0f);
  Value a = e.abs(x);
  Value isOne = e.compare(Predicate::OEQ, a, 1.0f);
  Double log = log2Extended(e, a);
  Value isZero = e.compare(Predicate::OEQ, a, zero);
  Value isInf = e.compare(Predicate::OEQ, a, kInf);
  log.high = e.select(isZero, e.constant(-kInf), log.high);
  log.high = e.select(isInf, e.constant(kInf), log.high);

  Value high = e.mul(y, log.high);
  Value low = e.fma(y, log.high, e.neg(high));
  low = e.fma(y, log.low, low);
  // |x| = 1 to an infinite power is 1, not 0 * inf.
  high = e.select(isOne, zero, high);
  low = e.select(isOne, zero, low);
  Value result = exp2Extended(e, {high, low});

  // Below zero the sign follows an odd y, and other fractions have no value.
  Value yIsInt = e.compare(Predicate::OEQ, e.floor(y), y);
  Value half = e.mul(0.5f, y);
  Value halfIsInt = e.compare(Predicate::OEQ, e.floor(half), half);
  Value odd = e.andBool(yIsInt, e.notBool(halfIsInt));
  result = e.select(odd, e.copySign(result, x), result);
  Value negative =
      e.andBool(e.compare(Predicate::OLT, x, zero), e.notBool(isInf));
  Value undefined = e.andBool(negative, e.notBool(yIsInt));
  Value isNaN = e.compare(Predicate::UNO, x, y);
  undefined = e.orBool(undefined, isNaN);
  result = e.select(undefined, e.constant(kNaN), result);
  // 1 to any power and any number to the power 0 are 1, NaN included.
  Value unit = e.orBool(e.compare(Predicate::OEQ, x, one),
                        e.compare(Predicate::OEQ, y, zero));
  return e.select(unit, one, result);
}

Value mlir::sparseflow::emitCbrt(F32Emitter &e, Value x) {
  // exp2(log2(a) / 3) has 15 good bits, a step of Newton's method doubles them:
  // y + (a / y^2 - y) / 3, where no exponent leaves [-100, 100].
  Value a = e.abs(x);
  Value log = e.intrinsic("llvm.nvvm.lg2.approx.f", a);
  Value y = e.exp2Flushing(e.mul(1.0f / 3.0f, log));
  Value quotient = e.reciprocalFlushing(e.mul(y, y));
  Value root = e.fma(e.fma(a, quotient, e.neg(y)), 1.0f / 3.0f, y);
  // Zeros, infinities and NaN are their own roots.
  Value inside =
      e.lessUnsigned(e.addInt(e.bits(a), e.constantInt(-1)), 0x7f7fffff);
  return e.select(inside, e.copySign(root, x), x);
}
