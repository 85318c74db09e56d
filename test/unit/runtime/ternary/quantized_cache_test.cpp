//===- quantized_cache_test.cpp - Pages of int8 and int4 keys and values --===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cache_cases.h"
#include "sparseflow/cache.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

using namespace sparseflow::rt;
using namespace sparseflow::test;

namespace {

/// Of `bits`: floats of 8 bits.
constexpr int kFloat = -8;

struct Case {
  int bits;
  bool values;
  int64_t features, heads, tokens, scope;
  sf_dtype scaleType;
};

CacheFormat formatOf(const Case &c) {
  CacheFormat format;
  format.bits = std::abs(c.bits);
  format.isFloat = c.bits == kFloat;
  format.values = c.values;
  format.features = c.features;
  format.scope = c.scope;
  format.scaleType = c.scaleType;
  return format;
}

/// The number of a register's half as a kernel reads it: `lane` has 16 bytes of
/// a chunk of 16 tokens, and a 16 x 16 operand has four registers, of features
/// from 8 on for odd ones, of tokens from 8 on for the upper two.
int readAsKernel(const std::vector<uint8_t> &page, int bits, int64_t chunk,
                 int64_t step, int lane, int reg, int half) {
  uint32_t words[4];
  std::memcpy(words, &page[chunk * 512 + lane * 16], 16);
  uint32_t word = bits == 8 ? words[2 * step + reg / 2] : words[step];
  int field = bits == 8 ? reg % 2 : reg;
  uint32_t code = word >> (16 * half + bits * field) & ((1u << bits) - 1);
  int limit = 1 << (bits - 1);
  return int(code) >= limit ? int(code) - 2 * limit : int(code);
}

class QuantizedCacheTest : public testing::TestWithParam<Case> {};

TEST_P(QuantizedCacheTest, EveryNumberHasItsOwnBits) {
  checkBits(formatOf(GetParam()));
}

// Appends of tokens side by side write bytes of their own.
TEST_P(QuantizedCacheTest, EveryByteHasOneToken) {
  CacheFormat format = formatOf(GetParam());
  std::vector<int64_t> owner(format.planeBytes(), -1);
  for (int64_t token = 0; token < 64; ++token)
    for (int64_t d = 0; d < format.featuresPadded(); ++d) {
      int64_t byte;
      int bit;
      format.locate(token, d, byte, bit);
      ASSERT_TRUE(owner[byte] < 0 || owner[byte] == token);
      owner[byte] = token;
    }
}

// Operand A and B of mma.m16n8k16 have the same places in a lane: K, along the
// features of keys and the tokens of values, is 2 (lane % 4) and one more, the
// other is lane / 4.
TEST_P(QuantizedCacheTest, RegistersHoldWhatProductsWant) {
  const Case &c = GetParam();
  CacheFormat format = formatOf(c);
  Cache cache = makeCache(format, 1, 64, 3);
  int64_t chunkSteps = format.bits == 8 ? 2 : 4;
  int64_t chunks = format.featuresPadded() / 16 / chunkSteps;
  for (int64_t slab = 0; slab < 4; ++slab)
    for (int64_t step = 0; step < format.featuresPadded() / 16; ++step)
      for (int lane = 0; lane < 32; ++lane)
        for (int reg = 0; reg < 4; ++reg)
          for (int half = 0; half < 2; ++half) {
            int64_t chunk = slab * chunks + step / chunkSteps;
            int found = readAsKernel(cache.bytes, format.bits, chunk,
                                     step % chunkSteps, lane, reg, half);
            int64_t inner = lane % 4 * 2 + half, outer = lane / 4;
            int64_t d = 16 * step + reg % 2 * 8 + (c.values ? outer : inner);
            int64_t token =
                16 * slab + reg / 2 * 8 + (c.values ? inner : outer);
            int expected = d < format.features
                               ? cache.numbers[token * format.features + d]
                               : 0;
            ASSERT_EQ(found, expected) << "token " << token << " feature " << d;
          }
}

TEST_P(QuantizedCacheTest, ThereAndBack) {
  const Case &c = GetParam();
  CacheFormat format = formatOf(c);
  Cache cache = makeCache(format, c.heads, c.tokens, 5);
  checkThereAndBack(cache, format, c.heads, c.tokens);
  // Scales lie group by group in a page, token by token in the buffer.
  int64_t groups = format.groups(), width = scaleElementBytes(format.scaleType);
  int64_t page = c.tokens / 64 - 1, token = 64 * page + 37;
  const uint8_t *last =
      cache.bytes.data() +
      ((c.heads - 1) * (c.tokens / 64) + page) * format.pageBytes() +
      format.planeBytes();
  for (int64_t group = 0; group < groups; ++group)
    EXPECT_EQ(
        loadScale(last + (group * 64 + 37) * width, format.scaleType),
        cache.scales[((c.heads - 1) * c.tokens + token) * groups + group]);
}

// What a token becomes, written again from its rule in double.
TEST_P(QuantizedCacheTest, RoundsToTheNearest) {
  const Case &c = GetParam();
  CacheFormat format = formatOf(c);
  if (format.isFloat)
    return; // E4M3 below
  std::mt19937 source(13);
  std::normal_distribution<float> normal;
  int most = c.bits == 8 ? 127 : 7;
  std::vector<int8_t> numbers(c.features);
  std::vector<float> vector(c.features), scales(format.groups());
  for (float size : {1.0f, 1e-3f, 500.0f, 0.0f}) {
    for (float &x : vector)
      x = size * normal(source);
    quantizeToken(vector.data(), format, CacheMethod::Absmean, numbers.data(),
                  scales.data());
    int64_t width = format.scaleFeatures();
    for (int64_t d = 0; d < c.features; ++d) {
      float scale = 0;
      for (int64_t i = d / width * width;
           i < std::min(c.features, (d / width + 1) * width); ++i)
        scale = std::max(scale, std::fabs(vector[i]));
      scale /= static_cast<float>(most);
      roundScales(&scale, 1, format.scaleType);
      ASSERT_EQ(scales[d / width], scale);
      double exact = scale != 0 ? double(vector[d]) / double(scale) : 0;
      ASSERT_LE(std::fabs(numbers[d] - exact),
                0.5 + 1e-5 * std::fabs(exact) +
                    std::max(0.0, std::fabs(exact) - most));
      ASSERT_LE(std::abs(int(numbers[d])), most);
    }
  }
}

TEST_P(QuantizedCacheTest, AppendingIsPacking) {
  const Case &c = GetParam();
  CacheFormat format = formatOf(c);
  std::mt19937 source(7);
  std::normal_distribution<float> normal;
  int64_t taken = c.tokens - 7, groups = format.groups();
  std::vector<float> vectors(c.heads * taken * c.features);
  for (float &x : vectors)
    x = normal(source);
  Cache expected;
  expected.numbers.resize(c.heads * c.tokens * c.features);
  expected.scales.resize(c.heads * format.scalesPerHead(c.tokens));
  expected.bytes.resize(*format.bytes(c.heads, c.tokens));
  std::vector<uint8_t> whole = expected.bytes, stepwise = expected.bytes;
  for (int64_t head = 0; head < c.heads; ++head)
    for (int64_t t = 0; t < taken; ++t)
      quantizeToken(&vectors[(head * taken + t) * c.features], format,
                    CacheMethod::Twn,
                    &expected.numbers[(head * c.tokens + t) * c.features],
                    &expected.scales[(head * c.tokens + t) * groups]);
  ASSERT_TRUE(packCache(expected.numbers.data(), expected.scales.data(), format,
                        c.heads, c.tokens, "k", expected.bytes.data()));
  std::vector<int64_t> first(c.heads, 0);
  appendCache(whole.data(), format, c.heads, c.tokens, vectors.data(), taken,
              first.data(), CacheMethod::Absmean);
  EXPECT_EQ(whole, expected.bytes);
  for (int64_t t = taken; t-- > 0;) {
    // Heads behind different numbers of tokens.
    std::vector<float> one;
    for (int64_t head = 0; head < c.heads; ++head) {
      first[head] = (t + head) % taken;
      const float *vector = &vectors[(head * taken + first[head]) * c.features];
      one.insert(one.end(), vector, vector + c.features);
    }
    appendCache(stepwise.data(), format, c.heads, c.tokens, one.data(), 1,
                first.data(), CacheMethod::Absmean);
  }
  EXPECT_EQ(stepwise, expected.bytes);
}

INSTANTIATE_TEST_SUITE_P(
    Formats, QuantizedCacheTest,
    testing::Values(Case{8, false, 64, 2, 64, kCacheTokenScale, SF_DTYPE_F32},
                    Case{8, false, 128, 1, 128, -32, SF_DTYPE_F16},
                    Case{8, false, 40, 3, 64, kCacheTokenScale, SF_DTYPE_BF16},
                    Case{8, true, 128, 2, 128, kCacheTokenScale, SF_DTYPE_F16},
                    Case{8, true, 96, 1, 64, -64, SF_DTYPE_F32},
                    Case{8, true, 33, 1, 192, kCacheTokenScale, SF_DTYPE_F32},
                    Case{kFloat, false, 40, 2, 64, -32, SF_DTYPE_F16},
                    Case{kFloat, true, 128, 1, 128, kCacheTokenScale,
                         SF_DTYPE_BF16},
                    Case{4, false, 64, 2, 64, kCacheTokenScale, SF_DTYPE_F32},
                    Case{4, false, 128, 1, 128, -64, SF_DTYPE_F16},
                    Case{4, false, 80, 2, 64, -32, SF_DTYPE_BF16},
                    Case{4, true, 128, 3, 64, -128, SF_DTYPE_F16},
                    Case{4, true, 36, 1, 128, kCacheTokenScale, SF_DTYPE_F32},
                    Case{4, true, 192, 1, 64, -128, SF_DTYPE_F32}),
    [](const auto &info) {
      const Case &c = info.param;
      return std::string(c.values ? "V" : "K") + (c.bits == kFloat ? "f" : "") +
             std::to_string(std::abs(c.bits)) + "d" +
             std::to_string(c.features) + "n" + std::to_string(info.index);
    });

// Bytes by hand: docs/formats/quantized-cache.md has this example.
TEST(QuantizedCacheExample, Documented) {
  struct Place {
    int bits;
    bool values;
    std::vector<std::pair<size_t, int>> bytes;
  };
  for (const Place &place : {Place{8, false, {{0, 1}, {18, 0xff}, {78, 5}}},
                             Place{8, true, {{0, 1}, {192, 0xff}, {78, 5}}},
                             Place{4, false, {{0, 1}, {18, 0xf}, {71, 5}}}}) {
    CacheFormat format = formatOf(
        {place.bits, place.values, 64, 1, 64, kCacheTokenScale, SF_DTYPE_F32});
    std::vector<int8_t> numbers(64 * 64);
    numbers[0] = 1;
    numbers[3] = -1;
    numbers[9 * 64 + 17] = 5;
    std::vector<float> scales(64);
    std::vector<uint8_t> page(format.pageBytes()), expected(page.size());
    ASSERT_TRUE(packCache(numbers.data(), scales.data(), format, 1, 64, "k",
                          page.data()));
    for (auto [at, value] : place.bytes)
      expected[at] = static_cast<uint8_t>(value);
    EXPECT_EQ(page, expected);
  }
}

TEST(QuantizedCacheErrors, Formats) {
  Case good{8, false, 64, 1, 64, kCacheTokenScale, SF_DTYPE_F32};
  CacheFormat format = formatOf(good);
  EXPECT_TRUE(format.verify());
  format.bits = 5;
  EXPECT_TRUE(contains(format.verify(),
                       "expected elements of 2, 4 or 8 bits, found 5"));
  for (int64_t scope : {kCacheHeadScale, int64_t(64), int64_t(-16)}) {
    format = formatOf(good);
    format.scope = scope;
    EXPECT_FALSE(format.verify()) << scope;
  }
  format.scope = 64;
  EXPECT_TRUE(contains(format.verify(),
                       "expected a scale for a token, or for 32, 64 or 128 "
                       "features of it, of numbers of 8 bits, found 64"));
  format.bits = 2;
  format.scope = -64;
  EXPECT_TRUE(contains(format.verify(), "found -64"));
  std::vector<int8_t> numbers(64 * 64);
  std::vector<float> scales(64);
  format = formatOf({4, true, 64, 1, 64, kCacheTokenScale, SF_DTYPE_F32});
  std::vector<uint8_t> page(format.pageBytes());
  numbers[65] = 8;
  EXPECT_TRUE(contains(
      packCache(numbers.data(), scales.data(), format, 1, 64, "v", page.data()),
      "'v': expected a number of 4 bits, found 8 at head 0, "
      "token 1, feature 1"));
}

// All 256, against the format written again: 1, 4 and 3 bits, no infinity.
TEST(E4M3, EveryCodeThereAndBack) {
  for (int code = 0; code < 256; ++code) {
    auto bits = static_cast<uint8_t>(code);
    float value = floatOfE4M3(bits);
    EXPECT_EQ(std::signbit(value), code >= 128);
    if ((code & 0x7f) == 0x7f) {
      EXPECT_TRUE(std::isnan(value));
      EXPECT_EQ(e4m3Of(value), 0x7f);
      continue;
    }
    int exponent = code >> 3 & 15;
    double size = exponent ? (8 + code % 8) * std::pow(2.0, exponent - 10)
                           : code % 8 * std::pow(2.0, -9);
    EXPECT_EQ(std::fabs(value), size);
    EXPECT_EQ(e4m3Of(value), bits);
  }
  EXPECT_EQ(floatOfE4M3(0x7e), 448.0f);
}

// Between two neighbours: halves to the even code, others to the nearer one.
TEST(E4M3, RoundsToNearestEven) {
  for (int code = 0; code < 0x7e; ++code) {
    float low = floatOfE4M3(static_cast<uint8_t>(code)),
          high = floatOfE4M3(static_cast<uint8_t>(code + 1));
    float half = (low + high) / 2;
    for (int sign : {0, 0x80}) {
      auto of = [&](float size) { return int(e4m3Of(sign ? -size : size)); };
      EXPECT_EQ(of(half), sign | (code + code % 2));
      EXPECT_EQ(of(std::nextafter(half, 0.0f)), sign | code);
      EXPECT_EQ(of(std::nextafter(half, 500.0f)), sign | (code + 1));
    }
  }
  for (float large : {449.0f, 464.0f, 480.0f, 1e30f, INFINITY}) {
    EXPECT_EQ(e4m3Of(large), 0x7e);
    EXPECT_EQ(e4m3Of(-large), 0xfe);
  }
  EXPECT_EQ(e4m3Of(1e-30f), 0);
  EXPECT_EQ(e4m3Of(-0.0f), 0x80);
}

// Numbers of e4m3 beside 448 are what they were: the scale is 1.
TEST(E4M3, Token) {
  CacheFormat format = formatOf({kFloat, true, 128, 1, 64, -64, SF_DTYPE_F32});
  std::vector<float> vector(128), scales(2);
  std::vector<int8_t> numbers(128);
  for (int first : {0, 64}) {
    for (int i = 0; i < 128; ++i)
      vector[i] = i % 64 ? floatOfE4M3(static_cast<uint8_t>((i / 64 * 128) |
                                                            (first + i % 64)))
                         : -448.0f;
    for (float &x : vector)
      x = std::isnan(x) ? 3.0f : x;
    quantizeToken(vector.data(), format, CacheMethod::Absmean, numbers.data(),
                  scales.data());
    EXPECT_EQ(scales, std::vector<float>(2, 1.0f));
    for (int i = 0; i < 128; ++i)
      EXPECT_EQ(format.valueOf(numbers[i]), vector[i]) << i;
  }
  // Nothing to divide by: bits of 0, signs or not.
  std::fill(vector.begin(), vector.end(), -0.0f);
  quantizeToken(vector.data(), format, CacheMethod::Absmean, numbers.data(),
                scales.data());
  EXPECT_EQ(numbers, std::vector<int8_t>(128));
  EXPECT_EQ(scales, std::vector<float>(2));
  format.bits = 4;
  EXPECT_TRUE(contains(format.verify(), "expected floats of 8 bits, found 4"));
}

TEST(QuantizedCacheToken, NotFinite) {
  CacheFormat format = formatOf({8, false, 64, 1, 64, -32, SF_DTYPE_F16});
  std::vector<float> vector(64, 1.0f);
  vector[40] = INFINITY;
  std::vector<int8_t> numbers(64, 3);
  float scales[2] = {1, 1};
  quantizeToken(vector.data(), format, CacheMethod::Absmean, numbers.data(),
                scales);
  EXPECT_EQ(numbers, std::vector<int8_t>(64));
  EXPECT_TRUE(std::isnan(scales[0]) && std::isnan(scales[1]));
}

TEST(QuantizedCacheAbi, Sizes) {
  sf_cache_format format = {};
  format.struct_size = sizeof(format);
  format.bits = 4;
  format.features = 128;
  format.scale_features = -32;
  format.scale_type = SF_DTYPE_F16;
  uint64_t bytes = 0, page = 0, scales = 0;
  ASSERT_EQ(sf_cache_size(&format, 3, 128, &bytes, &page, &scales), SF_OK);
  EXPECT_EQ(page, 4608u);
  EXPECT_EQ(bytes, 6 * page);
  EXPECT_EQ(scales, 3u * 128 * 4);
  // Floats lie as int8 does.
  format.bits = SF_CACHE_E4M3;
  ASSERT_EQ(sf_cache_size(&format, 3, 128, &bytes, &page, &scales), SF_OK);
  EXPECT_EQ(page, 8192u + 512);
  // No field: trits.
  format.bits = 0;
  format.scale_features = SF_CACHE_TOKEN_SCALE;
  ASSERT_EQ(sf_cache_size(&format, 3, 128, &bytes, &page, &scales), SF_OK);
  EXPECT_EQ(page, 2048u + 128);
}

} // namespace
