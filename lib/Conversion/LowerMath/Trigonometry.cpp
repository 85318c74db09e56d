//===- Trigonometry.cpp - sin, cos, atan ----------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "F32Emitter.h"

using namespace mlir;
using namespace mlir::sparseflow;

namespace {
// x = k*pi/2 + r with |r| <= pi/4, and sin(r), cos(r).
struct Reduced {
  Value k;
  Value sine;
  Value cosine;
};
} // namespace

static Reduced reduce(F32Emitter &e, Value x) {
  // (sin(r)/r - 1) / r^2 and (cos(r) - 1 + r^2/2) / r^4, in z = r^2.
  static constexpr float s[] = {-0.166666508f, 0.00833196193f,
                                -0.000194883731f};
  static constexpr float c[] = {0.0416666381f, -0.00138870149f,
                                2.43996383e-05f};
  // rint(x * 2/pi) stands in the low bits of the sum, in two's complement.
  Value magic = e.constant(12582912.0f);
  Value sum = e.fma(x, 0.636619747f, magic);
  Value n = e.sub(sum, magic);
  // pi/2 as the sum of three f32, 73 bits of it. All three are positive, so
  // that x = -0 stays -0: n is +0, and -0 - 0 is -0.
  Value r = e.fma(n, -1.57079625f, x);
  r = e.fma(n, -7.54978942e-08f, r);
  r = e.fma(n, -5.39030295e-15f, r);
  // Holds the result near [-1, 1] where x is too large to be reduced.
  r = e.minKeepingNaN(e.maxKeepingNaN(r, -0.82f), 0.82f);

  Value one = e.constant(1.0f);
  Value z = e.mul(r, r);
  // A product keeps the sign of -0.
  Value sine = e.mul(r, e.fma(z, e.horner(z, s), one));
  Value cosine = e.fma(e.mul(z, z), e.horner(z, c), e.fma(z, -0.5f, one));
  return {e.bits(sum), sine, cosine};
}

// Picks by the two low bits of k: 0 sin, 1 cos, 2 -sin, 3 -cos.
static Value selectQuadrant(F32Emitter &e, Value k, const Reduced &reduced) {
  Value odd = e.isIntNonZero(e.andInt(k, 1));
  Value value = e.select(odd, reduced.cosine, reduced.sine);
  Value sign = e.shiftLeft(e.andInt(k, 2), 30);
  return e.fromBits(e.xorInt(e.bits(value), sign));
}

Value mlir::sparseflow::emitSin(F32Emitter &e, Value x) {
  Reduced reduced = reduce(e, x);
  return selectQuadrant(e, reduced.k, reduced);
}

Value mlir::sparseflow::emitCos(F32Emitter &e, Value x) {
  Reduced reduced = reduce(e, x);
  return selectQuadrant(e, e.addInt(reduced.k, e.constantInt(1)), reduced);
}

Value mlir::sparseflow::emitAtan(F32Emitter &e, Value x) {
  // (atan(t)/t - 1) / t^2 in z = t^2, for t in [0, 1].
  static constexpr float q[] = {-0.333333f,   0.19998549f,  -0.14264242f,
                                0.10952186f,  -0.08403451f, 0.0579576f,
                                -0.03117785f, 0.010914609f, -0.0017936223f};
  // Above 1 it is pi/2 - atan(1/x); 1/x may flush to zero there.
  Value a = e.abs(x);
  Value isLarge = e.compare(arith::CmpFPredicate::OGT, a, 1.0f);
  Value t = e.select(isLarge, e.reciprocalFlushing(a), a);
  Value z = e.mul(t, t);
  Value small = e.fma(e.mul(t, z), e.horner(z, q), t);
  // pi/2 as a difference of two f32.
  Value large =
      e.sub(e.constant(1.57079637f), e.add(small, e.constant(4.37113883e-08f)));
  return e.copySign(e.select(isLarge, large, small), x);
}
