//===- ErrorFunctions.cpp - erf, erfc -------------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "F32Emitter.h"

using namespace mlir;
using namespace mlir::sparseflow;

Value mlir::sparseflow::emitErf(F32Emitter &e, Value x) {
  // erf(x)/x in z = x^2, for |x| <= 1.
  static constexpr float p[] = {
      1.12837911f,    -0.37612626f,     0.112835854f,   -0.0268538129f,
      0.00518832775f, -0.000801019371f, 7.85386146e-05f};
  // log2(erfc(a))/a, for 1 <= a <= 4, weighted by what remains visible in
  // 1 - erfc(a).
  static constexpr float t[] = {
      -1.6283617f,     -0.916067421f,   -0.15369153f,    0.0346391872f,
      -0.00542088319f, 0.000505794946f, -2.01433013e-05f};
  Value small = e.mul(x, e.horner(e.mul(x, x), p));
  // From 4 on, erf rounds to 1.
  Value a = e.minKeepingNaN(e.abs(x), 4.0f);
  Value tail = e.exp2Flushing(e.mul(a, e.horner(a, t)));
  Value large = e.copySign(e.sub(e.constant(1.0f), tail), x);
  return e.select(e.compare(arith::CmpFPredicate::OLT, a, 1.0f), small, large);
}

// erfc(a) for 0 <= a, as 2^(a*p(a)) with relative error below 2^-14; zero
// in f32 from 10.1 on. NaN stays NaN.
static Value erfcTailFast(F32Emitter &e, Value a) {
  static constexpr float p[] = {
      -1.62751997f,     -0.918613911f,   -0.151253104f,
      0.0338370055f,    -0.0054990924f,  0.000616191537f,
      -4.46523336e-05f, 1.87163039e-06f, -3.43266890e-08f};
  a = e.minKeepingNaN(a, 10.1f);
  return e.exp2Flushing(e.mul(a, e.horner(a, p)));
}

// erfc(a) for 0 <= a, as exp(-a^2) * r * Q(1 - 4r), r = 1/(a+2).
static Value erfcTail(F32Emitter &e, Value a) {
  // (a+2) * exp(a^2) * erfc(a) in q = (a-2)/(a+2), for 0 <= a <= 10.2.
  static constexpr float p[] = {
      1.02158272f,      -0.687160671f,  0.279471755f,   -0.0364418067f,
      -0.021505665f,    0.00647607027f, 0.00306244101f, -0.000832698366f,
      -0.000592583383f, 4.7647296e-05f, 6.98573858e-05f};
  a = e.minKeepingNaN(a, 10.2f);
  // One Newton step: q magnifies the error of the approximation.
  Value denominator = e.add(a, e.constant(2.0f));
  Value r = e.reciprocalFlushing(denominator);
  r = e.fma(e.fma(e.neg(denominator), r, e.constant(1.0f)), r, r);
  Value q = e.fma(r, -4.0f, e.constant(1.0f));
  Value ratio = e.mul(r, e.horner(q, p));
  // exp(-a^2) needs a^2 to more than f32: `low` is what the square loses.
  Value square = e.mul(a, a);
  Value low = e.fma(a, a, e.neg(square));
  Value power = emitExp(e, e.neg(square), /*fast=*/false);
  power = e.fma(power, e.neg(low), power);
  return e.mul(power, ratio);
}

Value mlir::sparseflow::emitErfc(F32Emitter &e, Value x, bool fast) {
  Value a = e.abs(x);
  Value tail = fast ? erfcTailFast(e, a) : erfcTail(e, a);
  Value reflected = e.sub(e.constant(2.0f), tail);
  Value negative = e.compare(arith::CmpFPredicate::OLT, x, 0.0f);
  return e.select(negative, reflected, tail);
}
