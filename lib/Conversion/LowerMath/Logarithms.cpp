//===- Logarithms.cpp - log, log1p, log2 ----------------------------------===//
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

// log(1 + f) for f in [-1/3, 1/3).
static Value logNearOne(F32Emitter &e, Value f) {
  // (log(1+f) - f) / f^2.
  static constexpr float q[] = {-0.5f,         0.333332092f,  -0.249997169f,
                                0.20010747f,   -0.166823059f, 0.140011609f,
                                -0.121671528f, 0.14004758f,   -0.12948969f};
  return e.fma(e.mul(f, f), e.horner(f, q), f);
}

// The result for x that is not positive and finite: log(0) = -inf, NaN below
// zero, inf and NaN themselves.
static Value outsideDomain(F32Emitter &e, Value x, Value inside) {
  Value isInside =
      e.lessUnsigned(e.addInt(e.bits(x), e.constantInt(-1)), 0x7f7fffff);
  Value negative = e.compare(arith::CmpFPredicate::OLT, x, 0.0f);
  Value other = e.select(negative, e.constant(kNaN), x);
  Value zero = e.compare(arith::CmpFPredicate::OEQ, x, 0.0f);
  other = e.select(zero, e.constant(-kInf), other);
  return e.select(isInside, inside, other);
}

Value mlir::sparseflow::emitLog(F32Emitter &e, Value x, bool fast) {
  if (fast)
    return e.mul(0.693147182f, e.intrinsic("llvm.nvvm.lg2.approx.f", x));
  Mantissa split = splitMantissa(e, x);
  Value log = logNearOne(e, split.f);
  return outsideDomain(e, x, e.fma(split.exponent, 0.693147182f, log));
}

Value mlir::sparseflow::emitLog2(F32Emitter &e, Value x, bool fast) {
  if (fast)
    return e.intrinsic("llvm.nvvm.lg2.approx.f", x);
  Mantissa split = splitMantissa(e, x);
  Value log = logNearOne(e, split.f);
  // log2(e) in two parts: the first alone would cost another half ulp.
  Value low = e.fma(log, 1.925963033e-8f, split.exponent);
  return outsideDomain(e, x, e.fma(log, 1.44269502f, low));
}

Value mlir::sparseflow::emitLog1p(F32Emitter &e, Value x) {
  // 1 + x = 2^k m as rounded, but m - 1 = 2^-k x + (2^-k - 1) from x itself:
  // only the last sum rounds, and for k <= 0 nothing does. Where k is not 0, x
  // is normal, and its exponent takes k. 4 * 2^-k is normal for every k.
  Value sum = e.add(x, e.constant(1.0f));
  Value top = e.andInt(e.subInt(e.bits(sum), e.constantInt(0x3f2aaaab)),
                       static_cast<int32_t>(0xff800000));
  Value scaled = e.fromBits(e.subInt(e.bits(x), top));
  Value four = e.fromBits(e.subInt(e.constantInt(0x40800000), top));
  Value f = e.add(scaled, e.fma(four, 0.25f, e.constant(-1.0f)));
  Value exponent = e.mul(0x1p-23f, e.intToFloat(top));
  Value log = e.fma(exponent, 0.693147182f, logNearOne(e, f));
  // x itself for tiny x, -0 included.
  Value tiny = e.compare(arith::CmpFPredicate::OLT, e.abs(x), 0x1p-24f);
  return e.select(tiny, x, outsideDomain(e, sum, log));
}
