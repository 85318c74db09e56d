//===- Exponentials.cpp - exp, exp2, expm1, sinh, cosh, tanh --------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "F32Emitter.h"

using namespace mlir;
using namespace mlir::sparseflow;

// log2(e) and ln(2), each as the sum of two f32.
static constexpr float kLog2E = 1.44269502f, kLog2ELow = 1.925963033e-8f;
static constexpr float kLn2 = 0.693147182f, kLn2Low = -1.904654212e-9f;

namespace {
// exp(x) = fraction * scale.
struct ScaledExp {
  Value fraction;
  Value scale;
};
} // namespace

// exp(x) = 2^f * 2^n. For x far out of range n stops at -126 or 127 and f
// carries the rest, so that infinities, NaN and subnormal results need no case
// of their own: f is NaN or infinite with x, and one multiplication rounds the
// result.
static ScaledExp scaledExp(F32Emitter &e, Value x) {
  PowerOfTwo power = splitPowerOfTwo(e, e.mul(kLog2E, x));
  Value f = e.fma(x, kLog2E, e.neg(power.n));
  f = e.fma(x, kLog2ELow, f);
  return {e.exp2Flushing(f), power.scale};
}

Value mlir::sparseflow::emitExp(F32Emitter &e, Value x, bool fast) {
  if (fast)
    return e.exp2Flushing(e.mul(kLog2E, x));
  ScaledExp exp = scaledExp(e, x);
  return e.mul(exp.fraction, exp.scale);
}

Value mlir::sparseflow::emitExp2(F32Emitter &e, Value x, bool fast) {
  return fast ? e.exp2Flushing(x) : e.exp2Full(x);
}

Value mlir::sparseflow::emitExpM1(F32Emitter &e, Value x) {
  // (exp(r) - 1 - r) / r^2 for |r| <= ln(2)/2.
  static constexpr float q[] = {0.49999997f, 0.16666543f, 0.0416672006f,
                                0.00836658012f, 0.00138825097f};
  // Below -25 the result is -1 to the last bit; the bound keeps the
  // polynomial finite.
  Value bounded = e.maxKeepingNaN(x, -25.0f);
  // The scale is 2^(n-1), since 2^128 is no f32; the doubling comes last.
  Value magic = e.constant(12582912.0f + 126.0f);
  Value sum =
      e.add(e.clampDroppingNaN(e.mul(kLog2E, bounded), -126.0f, 128.0f), magic);
  Value n = e.sub(sum, magic);
  Value halfScale = e.fromBits(e.shiftLeft(e.bits(sum), 23));
  Value r = e.fma(n, -kLn2, bounded);
  r = e.fma(n, -kLn2Low, r);
  Value p = e.fma(e.mul(r, r), e.horner(r, q), r);
  Value half = e.fma(p, halfScale, e.sub(halfScale, e.constant(0.5f)));
  // x itself is the rounded result for tiny x, subnormals and -0 included.
  Value tiny = e.compare(arith::CmpFPredicate::OLT, e.abs(x), 0x1p-26f);
  return e.select(tiny, x, e.add(half, half));
}

// exp(|x|) / 2, which is finite wherever sinh and cosh are, and its inverse
// divided by four, exp(-|x|) / 2.
static std::pair<Value, Value> halfExps(F32Emitter &e, Value x) {
  ScaledExp exp = scaledExp(e, e.abs(x));
  Value half = e.mul(e.mul(0.5f, exp.fraction), exp.scale);
  return {half, e.mul(0.25f, e.reciprocalFlushing(half))};
}

Value mlir::sparseflow::emitSinh(F32Emitter &e, Value x) {
  // (sinh(x)/x - 1) / x^2 in z = x^2, for |x| <= 1.
  static constexpr float q[] = {0.166666672f, 0.00833335053f, 0.000198361595f,
                                2.81695132e-06f};
  Value z = e.mul(x, x);
  // The product is -0 for x = -0, and so is the sum.
  Value small = e.fma(e.mul(x, z), e.horner(z, q), x);
  auto [grows, decays] = halfExps(e, x);
  Value large = e.copySign(e.sub(grows, decays), x);
  Value isSmall = e.compare(arith::CmpFPredicate::OLT, e.abs(x), 1.0f);
  return e.select(isSmall, small, large);
}

Value mlir::sparseflow::emitCosh(F32Emitter &e, Value x) {
  auto [grows, decays] = halfExps(e, x);
  return e.add(grows, decays);
}

Value mlir::sparseflow::emitTanh(F32Emitter &e, Value x, bool fast) {
  if (fast) {
    Value power = e.exp2Flushing(e.mul(2.0f * kLog2E, x));
    Value r = e.reciprocalFlushing(e.add(power, e.constant(1.0f)));
    return e.fma(r, -2.0f, e.constant(1.0f));
  }
  // (tanh(x)/x - 1) / x^2 in z = x^2, for |x| <= 0.66.
  static constexpr float q[] = {-0.333332539f, 0.133306235f, -0.0536705367f,
                                0.0204129256f, -0.00545350369f};
  Value z = e.mul(x, x);
  // A product keeps the sign of -0, which a sum would lose.
  Value small = e.mul(x, e.fma(z, e.horner(z, q), e.constant(1.0f)));
  // 1 - 2/(exp(2|x|) + 1): an overflow of exp gives the limit, 1.
  Value a = e.abs(x);
  Value power = e.exp2Flushing(e.mul(2.0f * kLog2E, a));
  Value r = e.reciprocalFlushing(e.add(power, e.constant(1.0f)));
  Value large = e.copySign(e.fma(r, -2.0f, e.constant(1.0f)), x);
  return e.select(e.compare(arith::CmpFPredicate::OLT, a, 0.65f), small, large);
}

Value mlir::sparseflow::emitOnePlusTanh(F32Emitter &e, Value x, bool fast) {
  // 2 / (1 + exp(-2x)), relative accuracy on the whole tail.
  if (fast) {
    Value power = e.exp2Flushing(e.mul(-2.0f * kLog2E, x));
    return e.reciprocalFlushing(e.fma(power, 0.5f, e.constant(0.5f)));
  }
  // A quarter of the denominator, so that its reciprocal is a normal number
  // for every finite exp(-2x).
  Value power = emitExp(e, e.mul(-2.0f, x), /*fast=*/false);
  Value r = e.reciprocalFlushing(e.fma(power, 0.25f, e.constant(0.25f)));
  return e.mul(0.5f, r);
}
