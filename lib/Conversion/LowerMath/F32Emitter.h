//===- F32Emitter.h - Writes f32 formulas as IR -----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_CONVERSION_LOWERMATH_F32EMITTER_H
#define SPARSEFLOW_LIB_CONVERSION_LOWERMATH_F32EMITTER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/ArrayRef.h"

namespace mlir::sparseflow {

/// Short names for the scalar f32 and i32 ops of a formula, all created at
/// the builder's insertion point. Every op is exactly rounded except the four
/// hardware approximations at the end. No fast-math flag is ever set: the
/// formulas rely on each rounding happening where it is written.
class F32Emitter {
public:
  F32Emitter(OpBuilder &builder, Location loc) : b(builder), loc(loc) {}

  Value constant(float value);
  Value constantInt(int32_t value);

  Value add(Value x, Value y);
  Value sub(Value x, Value y);
  Value mul(Value x, Value y);
  Value mul(float x, Value y) { return mul(y, constant(x)); }
  Value neg(Value x);
  Value abs(Value x);
  Value floor(Value x);
  Value copySign(Value magnitude, Value sign);
  /// x*y + z with one rounding.
  Value fma(Value x, Value y, Value z);
  Value fma(Value x, float y, Value z) { return fma(x, constant(y), z); }
  /// Polynomial in x, coefficients from the constant term up.
  Value horner(Value x, ArrayRef<float> coefficients);

  /// Clamp that turns NaN into a bound.
  Value clampDroppingNaN(Value x, float low, float high);
  /// Minimum and maximum that keep NaN.
  Value minKeepingNaN(Value x, float high);
  Value maxKeepingNaN(Value x, float low);

  Value compare(arith::CmpFPredicate predicate, Value x, Value y);
  Value compare(arith::CmpFPredicate predicate, Value x, float y) {
    return compare(predicate, x, constant(y));
  }
  Value select(Value condition, Value x, Value y);

  /// Reinterprets between f32 and i32.
  Value bits(Value x);
  Value fromBits(Value i);
  Value addInt(Value i, Value j);
  Value subInt(Value i, Value j);
  Value andInt(Value i, int32_t mask);
  Value orBool(Value i, Value j);
  Value andBool(Value i, Value j);
  Value notBool(Value i);
  Value xorInt(Value i, Value j);
  Value shiftLeft(Value i, int32_t amount);
  Value isIntNonZero(Value i);
  Value lessUnsigned(Value i, uint32_t j);
  Value intToFloat(Value i);

  /// 2^x. The flushing form is for reduced arguments: a subnormal x gives 1
  /// either way, and a result below 2^-126 becomes 0.
  Value exp2Flushing(Value x);
  Value exp2Full(Value x);
  /// 1/x; subnormal x and results below 2^-126 count as zero.
  Value reciprocalFlushing(Value x);
  Value rsqrt(Value x);
  /// An f32 intrinsic by its full name.
  Value intrinsic(StringRef name, ValueRange operands);

  OpBuilder &b;
  Location loc;
};

/// n = rint(a) for |a| limited to [-126, 127], and 2^n. Costs no conversion:
/// adding 1.5*2^23 leaves n in the low bits of the sum.
struct PowerOfTwo {
  Value n;
  Value scale;
};
PowerOfTwo splitPowerOfTwo(F32Emitter &e, Value a);

/// x = m * 2^exponent with m in [2/3, 4/3), for positive finite x, subnormal
/// or not; `f` is m - 1, exactly. Any bits for other x.
struct Mantissa {
  Value f;
  Value exponent;
};
Mantissa splitMantissa(F32Emitter &e, Value x);

/// The functions. `x` and the result are f32; the bounds are documented in
/// docs/Rationale/Math.md. `fast` picks the form that `afn` allows.
Value emitExp(F32Emitter &e, Value x, bool fast);
Value emitExp2(F32Emitter &e, Value x, bool fast);
Value emitExpM1(F32Emitter &e, Value x);
Value emitSinh(F32Emitter &e, Value x);
Value emitCosh(F32Emitter &e, Value x);
Value emitTanh(F32Emitter &e, Value x, bool fast);
/// 1 + tanh(x).
Value emitOnePlusTanh(F32Emitter &e, Value x, bool fast);
Value emitLog(F32Emitter &e, Value x, bool fast);
Value emitLog1p(F32Emitter &e, Value x);
Value emitLog2(F32Emitter &e, Value x, bool fast);
Value emitErf(F32Emitter &e, Value x);
Value emitErfc(F32Emitter &e, Value x, bool fast);
Value emitSin(F32Emitter &e, Value x);
Value emitCos(F32Emitter &e, Value x);
Value emitAtan(F32Emitter &e, Value x);
Value emitPow(F32Emitter &e, Value x, Value y);
Value emitCbrt(F32Emitter &e, Value x);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_CONVERSION_LOWERMATH_F32EMITTER_H
