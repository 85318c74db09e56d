//===- convert_test.cpp - Conversions and checksums -----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "weights/convert.h"
#include "weights/crc32c.h"
#include "weights/float_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

using namespace sparseflow::rt;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}
float floatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

/// The value of a 16-bit float by the definition of the format.
double valueOf(uint16_t bits, int exponentBits) {
  int mantissaBits = 15 - exponentBits, bias = (1 << (exponentBits - 1)) - 1;
  int exponent = bits >> mantissaBits & ((1 << exponentBits) - 1);
  int mantissa = bits & ((1 << mantissaBits) - 1);
  double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == (1 << exponentBits) - 1)
    return mantissa ? NAN : sign * INFINITY;
  if (exponent == 0)
    return sign * std::ldexp(mantissa, 1 - bias - mantissaBits);
  return sign * std::ldexp(mantissa + (1 << mantissaBits),
                           exponent - bias - mantissaBits);
}

/// Floats that decide roundings: both neighbours of every 16-bit value and of
/// every midpoint between two of them, and random bits.
std::vector<float> interestingFloats(int exponentBits) {
  std::vector<float> result;
  uint16_t infinity = 0x7fff & (0xffff << (15 - exponentBits));
  for (unsigned bits = 0; bits < infinity; ++bits) {
    double low = valueOf(bits, exponentBits);
    double high = bits + 1u == infinity
                      ? std::ldexp(1.0, 1 << (exponentBits - 1))
                      : valueOf(bits + 1, exponentBits);
    for (double value : {low, (low + high) / 2}) {
      float f = value;
      for (float g :
           {std::nextafter(f, -kInfinity), f, std::nextafter(f, kInfinity)}) {
        result.push_back(g);
        result.push_back(-g);
      }
    }
  }
  std::mt19937 random(7);
  for (int i = 0; i < 100000; ++i)
    result.push_back(floatOf(random()));
  for (float f : {kInfinity, -kInfinity, std::nanf("1"), floatOf(0x7f800001),
                  floatOf(0xffffffff), floatOf(1), floatOf(0x80000001)})
    result.push_back(f);
  return result;
}

/// Round to nearest, ties to even, by comparing with both neighbours.
uint16_t nearest(float value, int exponentBits) {
  uint16_t infinity = 0x7fff & (0xffff << (15 - exponentBits));
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  double magnitude = std::fabs(double(value));
  unsigned low = 0,
           high = infinity; // valueOf(low) <= magnitude < valueOf(high)
  auto at = [&](unsigned bits) {
    return bits == infinity ? std::ldexp(1.0, 1 << (exponentBits - 1))
                            : valueOf(bits, exponentBits);
  };
  if (magnitude >= at(infinity))
    return sign | infinity;
  while (high - low > 1) {
    unsigned middle = (low + high) / 2;
    (at(middle) <= magnitude ? low : high) = middle;
  }
  double below = magnitude - at(low), above = at(high) - magnitude;
  bool up = above < below || (above == below && low % 2 == 1);
  return sign | (up ? high : low);
}

} // namespace

TEST(Convert, WideningIsExactForEvery16BitValue) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    float half = halfToFloat(bits), bfloat = bfloatToFloat(bits);
    double expected = valueOf(bits, 5);
    if (std::isnan(expected))
      EXPECT_TRUE(std::isnan(half));
    else
      EXPECT_EQ(bitsOf(half), bitsOf(float(expected))) << bits;
    expected = valueOf(bits, 8);
    if (std::isnan(expected))
      EXPECT_TRUE(std::isnan(bfloat));
    else
      EXPECT_EQ(bitsOf(bfloat), bitsOf(float(expected))) << bits;
  }
}

TEST(Convert, NarrowingRoundsToNearestEven) {
  for (float value : interestingFloats(5)) {
    uint16_t bits = floatToHalf(value);
    if (std::isnan(value))
      ASSERT_GT(bits & 0x7fff, 0x7c00);
    else
      ASSERT_EQ(bits, nearest(value, 5)) << value;
  }
  for (float value : interestingFloats(8)) {
    uint16_t bits = floatToBfloat(value);
    if (std::isnan(value))
      ASSERT_GT(bits & 0x7fff, 0x7f80);
    else
      ASSERT_EQ(bits, nearest(value, 8)) << value;
  }
}

TEST(Convert, FastLoopsEqualPortableLoops) {
  const FloatKernels &fast = floatKernels(), &slow = portableFloatKernels();
  std::vector<float> values = interestingFloats(5);
  std::vector<uint16_t> a(values.size()), b(values.size());
  // Odd counts exercise the tails.
  for (int64_t count : {int64_t(values.size()), int64_t(1), int64_t(7),
                        int64_t(8), int64_t(17)}) {
    EXPECT_EQ(fast.floatToHalf(values.data(), a.data(), count),
              slow.floatToHalf(values.data(), b.data(), count));
    EXPECT_EQ(a, b) << fast.name;
    EXPECT_EQ(fast.floatToBfloat(values.data(), a.data(), count),
              slow.floatToBfloat(values.data(), b.data(), count));
    EXPECT_EQ(a, b) << fast.name;
  }
  std::vector<uint16_t> halves(65536 + 3);
  for (size_t i = 0; i < halves.size(); ++i)
    halves[i] = i;
  std::vector<float> c(halves.size()), d(halves.size());
  fast.halfToFloat(halves.data(), c.data(), c.size());
  slow.halfToFloat(halves.data(), d.data(), d.size());
  EXPECT_EQ(0, std::memcmp(c.data(), d.data(), c.size() * 4)) << fast.name;
  fast.bfloatToFloat(halves.data(), c.data(), c.size());
  slow.bfloatToFloat(halves.data(), d.data(), d.size());
  EXPECT_EQ(0, std::memcmp(c.data(), d.data(), c.size() * 4)) << fast.name;
  std::vector<float> plain(1001);
  for (size_t i = 0; i < plain.size(); ++i)
    plain[i] = std::sin(float(i));
  EXPECT_EQ(fast.sumOfSquares(plain.data(), plain.size()),
            slow.sumOfSquares(plain.data(), plain.size()));
}

TEST(Convert, RefusesAndCountsOverflow) {
  std::vector<float> source(600000, 1.f);
  // 65519.996 rounds to 65504; 65520 is half way and would become infinity.
  source[1] = 65519.996f;
  source[3] = 65520.f;
  source[300000] = -1e6f;
  source[599999] = 3e38f;
  std::vector<uint16_t> result(source.size());
  for (int threads : {1, 2, 4}) {
    ConvertOptions options;
    options.name = "big";
    options.threads = threads;
    int64_t overflows = -1;
    Status status = convert(source.data(), SF_DTYPE_F32, result.data(),
                            SF_DTYPE_F16, source.size(), options, &overflows);
    EXPECT_EQ(status.code(), SF_ERROR_FORMAT);
    EXPECT_EQ(overflows, 3);
    EXPECT_NE(status.text().find("'big': 3 of 600000 elements"),
              std::string::npos)
        << status.text();
    EXPECT_NE(status.text().find("first element 3 = 65520"), std::string::npos)
        << status.text();
    status = convert(source.data(), SF_DTYPE_F32, result.data(), SF_DTYPE_BF16,
                     source.size(), options, &overflows);
    EXPECT_TRUE(status.ok()) << status.text();
    EXPECT_EQ(overflows, 0);
  }
  source[0] = floatOf(0x7f7fffff); // above the largest bf16 by more than half
  int64_t overflows = 0;
  EXPECT_FALSE(convert(source.data(), SF_DTYPE_F32, result.data(),
                       SF_DTYPE_BF16, 1, {}, &overflows));
  EXPECT_EQ(overflows, 1);
}

TEST(Convert, RefusesNanAndInfinityUnlessAllowed) {
  for (float bad : {kInfinity, -kInfinity, std::nanf("")})
    for (sf_dtype type : {SF_DTYPE_F16, SF_DTYPE_BF16, SF_DTYPE_F32}) {
      std::vector<float> source(300000, 2.f), result(300000);
      source[270001] = bad;
      Status status = convert(source.data(), SF_DTYPE_F32, result.data(), type,
                              source.size(), {});
      EXPECT_EQ(status.code(), SF_ERROR_FORMAT);
      EXPECT_NE(status.text().find("element 270001: expected a finite value"),
                std::string::npos)
          << status.text();
      ConvertOptions allow;
      allow.allowNonFinite = true;
      EXPECT_TRUE(convert(source.data(), SF_DTYPE_F32, result.data(), type,
                          source.size(), allow));
    }
}

TEST(Convert, AllPairsOfTypes) {
  // 1.5, -0.0, 2^-24 (the smallest f16 denormal), 3e4
  const std::vector<float> values = {1.5f, -0.f, std::ldexp(1.f, -24), 29952.f};
  const sf_dtype types[] = {SF_DTYPE_F32, SF_DTYPE_F16, SF_DTYPE_BF16};
  for (sf_dtype from : types)
    for (sf_dtype to : types) {
      std::vector<float> source(4), result(4), back(4);
      ASSERT_TRUE(
          convert(values.data(), SF_DTYPE_F32, source.data(), from, 4, {}));
      ASSERT_TRUE(convert(source.data(), from, result.data(), to, 4, {}));
      ASSERT_TRUE(convert(result.data(), to, back.data(), SF_DTYPE_F32, 4, {}));
      EXPECT_EQ(0, std::memcmp(back.data(), values.data(), 16));
    }
  EXPECT_EQ(convert(nullptr, SF_DTYPE_F64, nullptr, SF_DTYPE_F16, 0, {}).code(),
            SF_ERROR_UNSUPPORTED);
  EXPECT_EQ(convert(nullptr, SF_DTYPE_F32, nullptr, SF_DTYPE_I8, 0, {}).code(),
            SF_ERROR_UNSUPPORTED);
  EXPECT_EQ(
      convert(nullptr, SF_DTYPE_F32, nullptr, SF_DTYPE_F16, -1, {}).code(),
      SF_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(convert(nullptr, SF_DTYPE_F32, nullptr, SF_DTYPE_F16, 0, {}));
}

TEST(Crc32c, KnownValues) {
  for (auto *crc : {crc32c, portableCrc32c}) {
    EXPECT_EQ(crc("123456789", 9, 0), 0xe3069283u);
    EXPECT_EQ(crc("", 0, 0), 0u);
    std::vector<uint8_t> zeros(32), ones(32, 0xff); // RFC 3720, B.4
    EXPECT_EQ(crc(zeros.data(), 32, 0), 0x8a9136aau);
    EXPECT_EQ(crc(ones.data(), 32, 0), 0x62a8ab43u);
    EXPECT_EQ(crc("6789", 4, crc("12345", 5, 0)), 0xe3069283u);
  }
}

TEST(Crc32c, HardwareEqualsPortable) {
  std::mt19937 random(1);
  std::vector<uint8_t> data(300);
  for (uint8_t &byte : data)
    byte = random();
  for (size_t start = 0; start < 9; ++start)
    for (size_t length = 0; length + start <= data.size(); ++length)
      ASSERT_EQ(crc32c(data.data() + start, length, 5),
                portableCrc32c(data.data() + start, length, 5));
}
