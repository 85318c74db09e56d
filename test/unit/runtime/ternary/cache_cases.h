//===- cache_cases.h - Caches of keys and values, to pack -------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TEST_TERNARY_CACHE_CASES_H
#define SPARSEFLOW_TEST_TERNARY_CACHE_CASES_H

#include "ternary/cache.h"
#include "ternary/pack.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace sparseflow::test {

inline bool contains(const rt::Status &status, const std::string &part) {
  return status.text().find(part) != std::string::npos;
}

struct Cache {
  std::vector<int8_t> numbers;
  std::vector<float> scales;
  std::vector<uint8_t> bytes;
};

/// Random trits, or numbers of the format's bits, with random scales.
inline Cache makeCache(const rt::CacheFormat &format, int64_t heads,
                       int64_t tokens, unsigned seed) {
  Cache cache;
  std::mt19937 source(seed);
  unsigned count = format.isTernary() ? 3 : 1u << format.bits;
  cache.numbers.resize(heads * tokens * format.features);
  for (int8_t &number : cache.numbers)
    number = static_cast<int8_t>(int(source() % count) - int(count / 2));
  cache.scales.resize(heads * format.scalesPerHead(tokens));
  for (float &scale : cache.scales)
    scale = 0.5f + static_cast<float>(source() % 1000) / 1000;
  rt::roundScales(cache.scales.data(), cache.scales.size(), format.scaleType);
  cache.bytes.assign(*format.bytes(heads, tokens), 0xee);
  rt::Status packed =
      rt::packCache(cache.numbers.data(), cache.scales.data(), format, heads,
                    tokens, "k", cache.bytes.data());
  EXPECT_TRUE(packed) << packed.text();
  return cache;
}

/// The elements of a page share no bit, and leave none.
inline void checkBits(const rt::CacheFormat &format) {
  std::vector<int> seen(format.planeBytes());
  for (int64_t token = 0; token < 64; ++token)
    for (int64_t d = 0; d < format.featuresPadded(); ++d) {
      int64_t byte;
      int bit;
      format.locate(token, d, byte, bit);
      ASSERT_LT(byte, format.planeBytes());
      int field = ((1 << format.bits) - 1) << bit;
      ASSERT_EQ(seen[byte] & field, 0) << token << " " << d;
      seen[byte] |= field;
    }
  for (int byte : seen)
    ASSERT_EQ(byte, 0xff);
}

/// Unpacking gives what was packed.
inline void checkThereAndBack(const Cache &cache, const rt::CacheFormat &format,
                              int64_t heads, int64_t tokens) {
  std::vector<int8_t> numbers(cache.numbers.size(), 9);
  std::vector<float> scales(cache.scales.size());
  rt::Status status = rt::unpackCache(cache.bytes.data(), format, heads, tokens,
                                      "k", numbers.data(), scales.data());
  ASSERT_TRUE(status) << status.text();
  EXPECT_EQ(numbers, cache.numbers);
  EXPECT_EQ(scales, cache.scales);
}

/// Token `token` of [heads][tokens][features]: [heads][features].
inline std::vector<float> tokenOf(const std::vector<float> &vectors,
                                  int64_t heads, int64_t tokens,
                                  int64_t features, int64_t token) {
  std::vector<float> result;
  for (int64_t head = 0; head < heads; ++head) {
    const float *first = &vectors[(head * tokens + token) * features];
    result.insert(result.end(), first, first + features);
  }
  return result;
}

} // namespace sparseflow::test

#endif // SPARSEFLOW_TEST_TERNARY_CACHE_CASES_H
