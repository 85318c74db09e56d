//===- SampleArithmetic.cpp - The numbers of a sample op ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations of f32 that nothing may fuse or reorder, and of integers. What is
// a number of floats only on some devices, such as an exponential, is written
// out.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/Transforms/SampleArithmetic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <limits>

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr int64_t kSignBit = 0x80000000, kAllBits = 0xFFFFFFFF;
// Keys of infinities.
static constexpr int64_t kLeastKey = 0x007FFFFF, kInfiniteKey = 0xFF800000;
// Bits of 2^-f, and behind them those that a shift by the integer part keeps.
static constexpr int64_t kPowerBits = 24, kShiftBits = 16;
// Beyond these nothing of a weight is left.
static constexpr float kMostHalvings = 63;
// 2^-f for f from 0 to 1, behind 1.
static constexpr float kPower[] = {-0.69314706f,   0.24022436f,
                                   -0.05549076f,   0.00957918f,
                                   -0.0012747481f, 0.00010902318f};
// Philox-4x32: factors and what is added to the key in each round.
static constexpr int64_t kFactors[] = {0xD2511F53, 0xCD9E8D57},
                         kSteps[] = {0x9E3779B9, 0xBB67AE85};
static constexpr int kRounds = 10;

Value SampleArithmetic::word(int64_t value) {
  return arith::ConstantOp::create(
      builder, loc, builder.getI32IntegerAttr(static_cast<int32_t>(value)));
}

Value SampleArithmetic::wideWord(int64_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI64IntegerAttr(value));
}

Value SampleArithmetic::number(float value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getF32FloatAttr(value));
}

Value SampleArithmetic::upper(Value value) {
  return arith::ShRUIOp::create(builder, loc, value, wideWord(32));
}

Value SampleArithmetic::lower(Value value) {
  return arith::AndIOp::create(builder, loc, value, wideWord(kAllBits));
}

Value SampleArithmetic::widen(Value logit) {
  if (logit.getType() == f32)
    return logit;
  return arith::ExtFOp::create(builder, loc, f32, logit);
}

Value SampleArithmetic::keyOf(Value logit) {
  Value bits = arith::BitcastOp::create(builder, loc, i32, logit);
  auto is = [&](arith::CmpIPredicate predicate, Value a, int64_t b) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, a, word(b));
  };
  Value isZero = is(arith::CmpIPredicate::eq, bits, kSignBit);
  Value isNegative = is(arith::CmpIPredicate::slt, bits, 0);
  Value flipped = arith::SelectOp::create(builder, loc, isNegative,
                                          word(kAllBits), word(kSignBit));
  Value key = arith::XOrIOp::create(builder, loc, bits, flipped);
  // -0.0 is 0.0.
  key = arith::SelectOp::create(builder, loc, isZero, word(kSignBit), key);
  Value isNone = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO,
                                       logit, logit);
  return arith::SelectOp::create(builder, loc, isNone, word(kAllBits), key);
}

Value SampleArithmetic::leastKey() { return word(kLeastKey); }

Value SampleArithmetic::logitOf(Value key) {
  Value isPositive = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::slt, key, word(0));
  Value flipped = arith::SelectOp::create(builder, loc, isPositive,
                                          word(kSignBit), word(kAllBits));
  return arith::BitcastOp::create(
      builder, loc, f32, arith::XOrIOp::create(builder, loc, key, flipped));
}

Value SampleArithmetic::isFinite(Value largestKey) {
  // Shifted, so that one comparison is for both ends.
  Value above =
      arith::SubIOp::create(builder, loc, largestKey, word(kLeastKey + 1));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, above,
                               word(kInfiniteKey - kLeastKey - 1));
}

Value SampleArithmetic::isRandom(Value temperature) {
  return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT,
                               temperature, number(0));
}

Value SampleArithmetic::dividend() {
  // The binary logarithm of e.
  return number(1.4426950408889634f);
}

Value SampleArithmetic::scaleOf(Value quotient) {
  Value most = number(std::numeric_limits<float>::max());
  Value isSmall = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT,
                                        quotient, most);
  return arith::SelectOp::create(builder, loc, isSmall, quotient, most);
}

Value SampleArithmetic::weightOf(Value logit, Value largest, Value scale) {
  Value below = arith::SubFOp::create(builder, loc, largest, logit);
  Value y = arith::MulFOp::create(builder, loc, below, scale);
  Value most = number(kMostHalvings);
  // Where the logit is -infinity, this is no number.
  Value isSmall =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, y, most);
  y = arith::SelectOp::create(builder, loc, isSmall, y, most);
  Value halvings = arith::FPToSIOp::create(builder, loc, i32, y);
  Value f = arith::SubFOp::create(
      builder, loc, y, arith::SIToFPOp::create(builder, loc, f32, halvings));
  Value power = number(kPower[std::size(kPower) - 1]);
  for (size_t at = std::size(kPower) - 1; at-- > 0;)
    power = arith::AddFOp::create(builder, loc,
                                  arith::MulFOp::create(builder, loc, power, f),
                                  number(kPower[at]));
  power = arith::AddFOp::create(
      builder, loc, arith::MulFOp::create(builder, loc, power, f), number(1));
  // From 0.5 to 1 every number of f32 is a multiple of 2^-24.
  power = arith::MulFOp::create(builder, loc, power,
                                number(static_cast<float>(1 << kPowerBits)));
  Value integer = arith::FPToSIOp::create(builder, loc, i32, power);
  Value weight = arith::ShLIOp::create(
      builder, loc, arith::ExtUIOp::create(builder, loc, i64, integer),
      wideWord(kShiftBits));
  return arith::ShRUIOp::create(
      builder, loc, weight,
      arith::ExtUIOp::create(builder, loc, i64, halvings));
}

Value SampleArithmetic::limitsCount(Value topK, int64_t vocabulary) {
  // 1 to V - 1, in one comparison without a sign.
  Value less = arith::SubIOp::create(builder, loc, topK, word(1));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, less,
                               word(vocabulary - 1));
}

Value SampleArithmetic::limitsSum(Value topP) {
  return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::ULT, topP,
                               number(1));
}

Value SampleArithmetic::limitOf(Value sum, Value topP) {
  // A NaN is 0, too.
  Value isPositive = isRandom(topP);
  Value kept =
      arith::SelectOp::create(builder, loc, isPositive, topP, number(0));
  Value share = arith::FPToUIOp::create(
      builder, loc, i64,
      arith::MulFOp::create(builder, loc, kept, number(0x1p32f)));
  Value high = arith::MulIOp::create(builder, loc, upper(sum), share);
  Value low = upper(arith::MulIOp::create(builder, loc, lower(sum), share));
  return arith::MaxUIOp::create(builder, loc,
                                arith::AddIOp::create(builder, loc, high, low),
                                wideWord(1));
}

Value SampleArithmetic::randomOf(Value seed, Value position) {
  // Words of 32 bits, in i64.
  Value key[] = {lower(seed), upper(seed)};
  Value zero = wideWord(0);
  Value counter[] = {arith::ExtUIOp::create(builder, loc, i64, position), zero,
                     zero, zero};
  for (int round = 0; round < kRounds; ++round) {
    if (round)
      for (int i : {0, 1})
        key[i] = lower(
            arith::AddIOp::create(builder, loc, key[i], wideWord(kSteps[i])));
    Value products[2];
    for (int i : {0, 1})
      products[i] = arith::MulIOp::create(builder, loc, counter[2 * i],
                                          wideWord(kFactors[i]));
    Value next[4];
    for (int i : {0, 1}) {
      Value mixed = arith::XOrIOp::create(builder, loc, upper(products[1 - i]),
                                          counter[2 * i + 1]);
      next[2 * i] = arith::XOrIOp::create(builder, loc, mixed, key[i]);
      next[2 * i + 1] = lower(products[1 - i]);
    }
    std::copy(std::begin(next), std::end(next), std::begin(counter));
  }
  return arith::OrIOp::create(
      builder, loc, counter[0],
      arith::ShLIOp::create(builder, loc, counter[1], wideWord(32)));
}

Value SampleArithmetic::placeOf(Value random, Value sum) {
  return arith::MulUIExtendedOp::create(builder, loc, random, sum).getHigh();
}
