//===- cache_test.cpp - Pages of ternary keys and values ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cache_cases.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

using namespace sparseflow::rt;
using namespace sparseflow::test;

namespace {

struct Case {
  bool values;
  int64_t features, heads, tokens, scope;
  sf_dtype scaleType;
};

CacheFormat formatOf(const Case &c) {
  CacheFormat format;
  format.values = c.values;
  format.features = c.features;
  format.scope = c.scope;
  format.scaleType = c.scaleType;
  return format;
}

class CacheTest : public testing::TestWithParam<Case> {};

TEST_P(CacheTest, EveryTritHasItsOwnTwoBits) {
  checkBits(formatOf(GetParam()));
}

// The words, read as a kernel reads them: 16 bytes a lane, the two top bits of
// each half, two bits further for each of eight registers.
TEST_P(CacheTest, RegistersHoldWhatProductsWant) {
  const Case &c = GetParam();
  CacheFormat format = formatOf(c);
  Cache cache = makeCache(format, 1, 64, 3);
  int64_t depthWords = c.values ? 1 : format.featuresPadded() / 64;
  int64_t rows = c.values ? format.features : 64;
  int64_t depth = c.values ? 64 : format.features;
  for (int64_t tile = 0; tile < rows / 8; ++tile)
    for (int64_t step = 0; step < depth / 16; ++step)
      for (int lane = 0; lane < 32; ++lane)
        for (int h = 0; h < 2; ++h) {
          int64_t number = tile * depthWords + step / 4;
          uint32_t word;
          std::memcpy(
              &word,
              &cache.bytes[number / 4 * 512 + lane * 16 + number % 4 * 4], 4);
          uint32_t pair = word << (2 * (2 * (step % 4) + h)) & 0xC000C000;
          for (int j = 0; j < 2; ++j) {
            uint32_t half = pair >> (16 * j) & 0xffff;
            int found = half == 0x4000 ? 1 : half == 0xC000 ? -1 : 0;
            int64_t row = 8 * tile + lane / 4;
            int64_t at = 16 * step + 8 * h + 2 * (lane % 4) + j;
            int64_t token = c.values ? at : row, d = c.values ? row : at;
            ASSERT_EQ(found, cache.numbers[token * format.features + d])
                << "tile " << tile << " step " << step << " lane " << lane;
          }
        }
}

TEST_P(CacheTest, ThereAndBack) {
  const Case &c = GetParam();
  CacheFormat format = formatOf(c);
  checkThereAndBack(makeCache(format, c.heads, c.tokens, 5), format, c.heads,
                    c.tokens);
}

// Tokens one after the other, or all at once, give the bytes of packing what
// they became; nothing behind them changes.
TEST_P(CacheTest, AppendingIsPacking) {
  const Case &c = GetParam();
  CacheFormat format = formatOf(c);
  std::mt19937 source(7);
  std::normal_distribution<float> normal;
  int64_t taken = c.tokens - 7;
  std::vector<float> vectors(c.heads * taken * c.features);
  for (float &x : vectors)
    x = normal(source);
  for (CacheMethod method : {CacheMethod::Absmean, CacheMethod::Twn}) {
    // An empty cache has zeros, and the scales that are not its tokens'.
    Cache expected = makeCache(format, c.heads, c.tokens, 11);
    std::fill(expected.numbers.begin(), expected.numbers.end(), int8_t(0));
    bool ofToken = format.scope == kCacheTokenScale;
    if (ofToken)
      std::fill(expected.scales.begin(), expected.scales.end(), 0.0f);
    ASSERT_TRUE(packCache(expected.numbers.data(), expected.scales.data(),
                          format, c.heads, c.tokens, "k",
                          expected.bytes.data()));
    std::vector<uint8_t> whole = expected.bytes, stepwise = expected.bytes;
    int64_t perHead = format.scalesPerHead(c.tokens);
    for (int64_t head = 0; head < c.heads; ++head)
      for (int64_t t = 0; t < taken; ++t)
        quantizeToken(&vectors[(head * taken + t) * c.features], format, method,
                      &expected.numbers[(head * c.tokens + t) * c.features],
                      &expected.scales[head * perHead + (ofToken ? t : 0)]);
    ASSERT_TRUE(packCache(expected.numbers.data(), expected.scales.data(),
                          format, c.heads, c.tokens, "k",
                          expected.bytes.data()));
    std::vector<int64_t> first(c.heads, 0);
    appendCache(whole.data(), format, c.heads, c.tokens, vectors.data(), taken,
                first.data(), method);
    EXPECT_EQ(whole, expected.bytes);
    for (int64_t t = 0; t < taken; ++t) {
      std::vector<float> one = tokenOf(vectors, c.heads, taken, c.features, t);
      std::fill(first.begin(), first.end(), t);
      appendCache(stepwise.data(), format, c.heads, c.tokens, one.data(), 1,
                  first.data(), method);
    }
    EXPECT_EQ(stepwise, expected.bytes);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Formats, CacheTest,
    testing::Values(Case{false, 64, 2, 64, kCacheHeadScale, SF_DTYPE_F32},
                    Case{false, 128, 3, 128, kCacheTokenScale, SF_DTYPE_F32},
                    Case{false, 128, 1, 64, 32, SF_DTYPE_F16},
                    Case{false, 96, 2, 128, 64, SF_DTYPE_BF16},
                    Case{false, 256, 1, 64, kCacheTokenScale, SF_DTYPE_F16},
                    Case{false, 80, 1, 192, kCacheHeadScale, SF_DTYPE_BF16},
                    Case{true, 64, 2, 64, kCacheHeadScale, SF_DTYPE_F32},
                    Case{true, 128, 3, 128, kCacheTokenScale, SF_DTYPE_F32},
                    Case{true, 128, 1, 64, 128, SF_DTYPE_F16},
                    Case{true, 96, 2, 128, 32, SF_DTYPE_BF16},
                    Case{true, 40, 1, 64, kCacheTokenScale, SF_DTYPE_F16},
                    Case{true, 256, 1, 64, 256, SF_DTYPE_F32}),
    [](const auto &info) {
      const Case &c = info.param;
      return std::string(c.values ? "V" : "K") + std::to_string(c.features) +
             "x" + std::to_string(c.tokens) + "n" + std::to_string(info.index);
    });

// Bytes by hand: docs/formats/ternary-cache.md has this example.
TEST(CacheExample, Documented) {
  CacheFormat format;
  format.features = 64;
  std::vector<int8_t> trits(64 * 64);
  trits[0] = 1;            // token 0, feature 0
  trits[3] = -1;           // token 0, feature 3
  trits[9 * 64 + 17] = -1; // token 9, feature 17
  float scale = 0.5f;
  std::vector<uint8_t> page(*format.bytes(1, 64), 0xee);
  ASSERT_EQ(page.size(), 1024u + 16);
  ASSERT_TRUE(packCache(trits.data(), &scale, format, 1, 64, "k", page.data()));
  std::vector<uint8_t> expected(page.size());
  expected[1] = 0x40;
  expected[19] = 0xc0;
  expected[(4 * 1) * 16 + 4 + 3] = 0x0c;
  expected[1027] = 0x3f;
  EXPECT_EQ(page, expected);
  // The same numbers as values: rows are features there.
  format.values = true;
  ASSERT_TRUE(packCache(trits.data(), &scale, format, 1, 64, "v", page.data()));
  std::fill(expected.begin(), expected.end(), uint8_t(0));
  expected[1] = 0x40;                      // row 0, depth 0
  expected[3 * 4 * 16 + 1] = 0xc0;         // row 3, depth 0
  expected[1 * 4 * 16 + 2 * 4 + 3] = 0x30; // row 17, depth 9
  expected[1027] = 0x3f;
  EXPECT_EQ(page, expected);
}

TEST(CacheRefusal, WhatIsNoTrit) {
  CacheFormat format;
  format.features = 40;
  Cache cache = makeCache(format, 1, 64, 1);
  cache.numbers[41] = 2;
  Status status = packCache(cache.numbers.data(), cache.scales.data(), format,
                            1, 64, "k", cache.bytes.data());
  EXPECT_TRUE(contains(status, "expected a trit, found 2 at head 0, token 1, "
                               "feature 1"))
      << status.text();
}

TEST(CacheRefusal, BitsThatAreNone) {
  CacheFormat format;
  format.features = 40;
  Cache cache = makeCache(format, 1, 64, 1);
  int64_t byte;
  int bit;
  format.locate(5, 6, byte, bit);
  cache.bytes[byte] =
      static_cast<uint8_t>((cache.bytes[byte] & ~(3 << bit)) | 2 << bit);
  Status status =
      unpackCache(cache.bytes.data(), format, 1, 64, "k", nullptr, nullptr);
  EXPECT_TRUE(contains(status, "expected a trit (bits 0, 1 or 3), found bits 2 "
                               "at head 0, token 5, feature 6"))
      << status.text();
}

TEST(CacheRefusal, PaddingThatIsNotZero) {
  CacheFormat format;
  format.features = 40;
  Cache cache = makeCache(format, 1, 64, 1);
  int64_t byte;
  int bit;
  format.locate(0, 41, byte, bit);
  cache.bytes[byte] = static_cast<uint8_t>(cache.bytes[byte] | 1 << bit);
  Status status =
      unpackCache(cache.bytes.data(), format, 1, 64, "k", nullptr, nullptr);
  EXPECT_TRUE(contains(status, "expected padding of zeros")) << status.text();
}

TEST(CacheRefusal, ScalesThatAreNotFinite) {
  CacheFormat format;
  format.features = 64;
  format.scaleType = SF_DTYPE_F16;
  std::vector<int8_t> trits(64 * 64);
  float scale = 1e6f; // Infinite in F16.
  std::vector<uint8_t> page(*format.bytes(1, 64));
  Status status =
      packCache(trits.data(), &scale, format, 1, 64, "k", page.data());
  EXPECT_TRUE(contains(status, "expected finite scales of type F16"))
      << status.text();
  std::fill(page.begin() + format.planeBytes(), page.end(), uint8_t(0x7c));
  EXPECT_TRUE(contains(
      unpackCache(page.data(), format, 1, 64, "k", nullptr, nullptr),
      "'k': expected finite scales, found one that is not at head 0, page 0"));
}

TEST(CacheRefusal, Sizes) {
  CacheFormat format;
  format.features = 64;
  EXPECT_TRUE(contains(format.bytes(1, 63).status(), "multiple of 64 tokens"));
  EXPECT_FALSE(format.bytes(int64_t(1) << 40, int64_t(1) << 30));
  EXPECT_EQ(*format.bytes(0, 64), 0u);
  EXPECT_TRUE(contains(format.bytes(-1, 64).status(),
                       "at least 0 heads of a ternary cache, found -1"));
  format.scope = 48;
  EXPECT_TRUE(contains(format.verify(), "found 48"));
  format.scope = kCacheHeadScale;
  format.features = 0;
  EXPECT_TRUE(contains(format.verify(),
                       "expected a cache of at least 1 feature, found"));
}

TEST(CacheAppend, DropsWhatHasNoPlace) {
  CacheFormat format;
  format.features = 64;
  format.scope = kCacheTokenScale;
  Cache cache = makeCache(format, 2, 64, 2);
  std::vector<uint8_t> before = cache.bytes;
  std::vector<float> vectors(2 * 3 * 64, 1.0f);
  int64_t outside[] = {-3, 64};
  appendCache(cache.bytes.data(), format, 2, 64, vectors.data(), 3, outside,
              CacheMethod::Twn);
  EXPECT_EQ(cache.bytes, before);
  int64_t edges[] = {-2, 62};
  appendCache(cache.bytes.data(), format, 2, 64, vectors.data(), 3, edges,
              CacheMethod::Twn);
  std::vector<int8_t> trits(cache.numbers.size());
  std::vector<float> scales(cache.scales.size());
  ASSERT_TRUE(unpackCache(cache.bytes.data(), format, 2, 64, "k", trits.data(),
                          scales.data()));
  for (int64_t i = 0; i < 2 * 64; ++i) {
    bool isNew = i == 0 || i == 64 + 62 || i == 64 + 63;
    EXPECT_EQ(scales[i], isNew ? 1.0f : cache.scales[i]) << i;
    EXPECT_EQ(trits[i * 64 + 5], isNew ? 1 : cache.numbers[i * 64 + 5]) << i;
  }
}

TEST(CacheAppend, RulesOfScales) {
  CacheFormat format;
  format.features = 8;
  format.scope = kCacheTokenScale;
  // The mean is 1: absmean keeps what is above 0.5, twn above 0.7.
  float vector[] = {0.5f, -0.6f, 0.75f, -3.15f, 0, 2, 0.5f, -0.5f};
  int8_t trits[8];
  float scale = 0;
  quantizeToken(vector, format, CacheMethod::Absmean, trits, &scale);
  EXPECT_EQ(scale, 1.0f);
  EXPECT_EQ(std::vector<int8_t>(trits, trits + 8),
            (std::vector<int8_t>{0, -1, 1, -1, 0, 1, 0, 0}));
  quantizeToken(vector, format, CacheMethod::Twn, trits, &scale);
  EXPECT_FLOAT_EQ(scale, (0.75f + 3.15f + 2) / 3);
  EXPECT_EQ(std::vector<int8_t>(trits, trits + 8),
            (std::vector<int8_t>{0, 0, 1, -1, 0, 1, 0, 0}));
  // A scale that is there: the nearest of three numbers, also of a negative.
  format.scope = kCacheHeadScale;
  scale = -1.5f;
  quantizeToken(vector, format, CacheMethod::Twn, trits, &scale);
  EXPECT_EQ(scale, -1.5f);
  EXPECT_EQ(std::vector<int8_t>(trits, trits + 8),
            (std::vector<int8_t>{0, 0, 0, 1, 0, -1, 0, 0}));
  scale = 0;
  quantizeToken(vector, format, CacheMethod::Twn, trits, &scale);
  EXPECT_EQ(std::vector<int8_t>(trits, trits + 8), std::vector<int8_t>(8));
  // No number: nothing is invented.
  vector[2] = INFINITY;
  format.scope = kCacheTokenScale;
  quantizeToken(vector, format, CacheMethod::Twn, trits, &scale);
  EXPECT_TRUE(std::isnan(scale));
  EXPECT_EQ(std::vector<int8_t>(trits, trits + 8), std::vector<int8_t>(8));
}

TEST(CacheAppend, ZerosBecomeZeros) {
  CacheFormat format;
  format.features = 16;
  format.scope = kCacheTokenScale;
  float vector[16] = {};
  int8_t trits[16];
  for (CacheMethod method : {CacheMethod::Absmean, CacheMethod::Twn}) {
    float scale = 9;
    quantizeToken(vector, format, method, trits, &scale);
    EXPECT_EQ(scale, 0.0f);
    EXPECT_EQ(std::vector<int8_t>(trits, trits + 16), std::vector<int8_t>(16));
  }
}

} // namespace
