//===- F32Emitter.cpp - Writes f32 formulas as IR -------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "F32Emitter.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::sparseflow {

Value F32Emitter::constant(float value) {
  return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(value));
}

Value F32Emitter::constantInt(int32_t value) {
  return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
}

Value F32Emitter::add(Value x, Value y) {
  return arith::AddFOp::create(b, loc, x, y);
}

Value F32Emitter::sub(Value x, Value y) {
  return arith::SubFOp::create(b, loc, x, y);
}

Value F32Emitter::mul(Value x, Value y) {
  return arith::MulFOp::create(b, loc, x, y);
}

Value F32Emitter::neg(Value x) { return arith::NegFOp::create(b, loc, x); }

Value F32Emitter::abs(Value x) { return intrinsic("llvm.fabs.f32", x); }

Value F32Emitter::floor(Value x) { return intrinsic("llvm.floor.f32", x); }

Value F32Emitter::copySign(Value magnitude, Value sign) {
  return intrinsic("llvm.copysign.f32", {magnitude, sign});
}

Value F32Emitter::fma(Value x, Value y, Value z) {
  return intrinsic("llvm.fma.f32", {x, y, z});
}

Value F32Emitter::horner(Value x, ArrayRef<float> coefficients) {
  Value sum = constant(coefficients.back());
  for (float c : llvm::reverse(coefficients.drop_back()))
    sum = fma(sum, x, constant(c));
  return sum;
}

Value F32Emitter::clampDroppingNaN(Value x, float low, float high) {
  Value bounded = intrinsic("llvm.maxnum.f32", {x, constant(low)});
  return intrinsic("llvm.minnum.f32", {bounded, constant(high)});
}

Value F32Emitter::minKeepingNaN(Value x, float high) {
  return intrinsic("llvm.minimum.f32", {x, constant(high)});
}

Value F32Emitter::maxKeepingNaN(Value x, float low) {
  return intrinsic("llvm.maximum.f32", {x, constant(low)});
}

Value F32Emitter::compare(arith::CmpFPredicate predicate, Value x, Value y) {
  return arith::CmpFOp::create(b, loc, predicate, x, y);
}

Value F32Emitter::select(Value condition, Value x, Value y) {
  return arith::SelectOp::create(b, loc, condition, x, y);
}

Value F32Emitter::bits(Value x) {
  return arith::BitcastOp::create(b, loc, b.getI32Type(), x);
}

Value F32Emitter::fromBits(Value i) {
  return arith::BitcastOp::create(b, loc, b.getF32Type(), i);
}

Value F32Emitter::addInt(Value i, Value j) {
  return arith::AddIOp::create(b, loc, i, j);
}

Value F32Emitter::subInt(Value i, Value j) {
  return arith::SubIOp::create(b, loc, i, j);
}

Value F32Emitter::andInt(Value i, int32_t mask) {
  return arith::AndIOp::create(b, loc, i, constantInt(mask));
}

Value F32Emitter::orBool(Value i, Value j) {
  return arith::OrIOp::create(b, loc, i, j);
}

Value F32Emitter::andBool(Value i, Value j) {
  return arith::AndIOp::create(b, loc, i, j);
}

Value F32Emitter::notBool(Value i) {
  Value one = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
  return arith::XOrIOp::create(b, loc, i, one);
}

Value F32Emitter::xorInt(Value i, Value j) {
  return arith::XOrIOp::create(b, loc, i, j);
}

Value F32Emitter::shiftLeft(Value i, int32_t amount) {
  return arith::ShLIOp::create(b, loc, i, constantInt(amount));
}

Value F32Emitter::isIntNonZero(Value i) {
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, i,
                               constantInt(0));
}

Value F32Emitter::lessUnsigned(Value i, uint32_t j) {
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, i,
                               constantInt(static_cast<int32_t>(j)));
}

Value F32Emitter::intToFloat(Value i) {
  return arith::SIToFPOp::create(b, loc, b.getF32Type(), i);
}

Value F32Emitter::exp2Flushing(Value x) {
  return intrinsic("llvm.nvvm.ex2.approx.ftz.f32", x);
}

Value F32Emitter::exp2Full(Value x) {
  return intrinsic("llvm.nvvm.ex2.approx.f32", x);
}

Value F32Emitter::reciprocalFlushing(Value x) {
  return intrinsic("llvm.nvvm.rcp.approx.ftz.f", x);
}

Value F32Emitter::rsqrt(Value x) {
  return intrinsic("llvm.nvvm.rsqrt.approx.f", x);
}

Value F32Emitter::intrinsic(StringRef name, ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(b, loc, b.getF32Type(),
                                       b.getStringAttr(name), operands)
      .getResult(0);
}

PowerOfTwo splitPowerOfTwo(F32Emitter &e, Value a) {
  // The sum's last bit is worth 1 between 2^23 and 2^24, so its bits hold
  // n + 127; shifted into the exponent field they are 2^n.
  Value magic = e.constant(12582912.0f + 127.0f);
  Value sum = e.add(e.clampDroppingNaN(a, -126.0f, 127.0f), magic);
  return {e.sub(sum, magic), e.fromBits(e.shiftLeft(e.bits(sum), 23))};
}

Mantissa splitMantissa(F32Emitter &e, Value x) {
  Value small = e.compare(arith::CmpFPredicate::OLT, x, 0x1p-126f);
  Value normal = e.select(small, e.mul(0x1p23f, x), x);
  Value bias = e.select(small, e.constant(-23.0f), e.constant(0.0f));
  // Subtracting the bits of 2/3 leaves the exponent in the top nine bits.
  Value raw = e.bits(normal);
  Value top = e.andInt(e.subInt(raw, e.constantInt(0x3f2aaaab)),
                       static_cast<int32_t>(0xff800000));
  Value m = e.fromBits(e.subInt(raw, top));
  return {e.sub(m, e.constant(1.0f)), e.fma(e.intToFloat(top), 0x1p-23f, bias)};
}

} // namespace mlir::sparseflow
