//===- cache_abi_test.cpp - Caches and modes by the C ABI -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sparseflow/cache.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

namespace {

sf_cache_format formatOf(int values, int64_t features, int64_t scale,
                         sf_dtype type) {
  sf_cache_format format = {};
  format.struct_size = sizeof(format);
  format.values = values;
  format.features = features;
  format.scale_features = scale;
  format.scale_type = type;
  return format;
}

struct Kind {
  int values;
  int64_t features, scale;
  sf_dtype type;
  int64_t heads, room;
};

/// Numbers that are the same everywhere, both signs, some of them zero.
float pattern(int64_t index) {
  uint64_t bits = static_cast<uint64_t>(index) * 0x9e3779b97f4a7c15u;
  bits ^= bits >> 29;
  bits *= 0xbf58476d1ce4e5b9u;
  return static_cast<float>(static_cast<int64_t>(bits >> 40) - (1 << 23)) /
         (1 << 22);
}

class CacheAbi : public testing::TestWithParam<Kind> {
protected:
  CacheAbi()
      : kind(GetParam()),
        format(formatOf(kind.values, kind.features, kind.scale, kind.type)) {
    EXPECT_EQ(sf_cache_size(&format, kind.heads, kind.room, &bytes, &page,
                            &scaleCount),
              SF_OK);
    cache.resize(bytes);
    trits.assign(static_cast<size_t>(kind.heads * kind.room * kind.features),
                 0);
    scales.assign(scaleCount, kind.scale == SF_CACHE_TOKEN_SCALE ? 0.f : 0.5f);
  }

  void packEmpty() {
    ASSERT_EQ(sf_cache_pack(trits.data(), scales.data(), &format, kind.heads,
                            kind.room, "empty", cache.data(), bytes),
              SF_OK);
  }

  std::vector<float> vectors(int64_t count, int64_t seed) const {
    std::vector<float> result(
        static_cast<size_t>(kind.heads * count * kind.features));
    for (size_t i = 0; i < result.size(); ++i)
      result[i] = pattern(static_cast<int64_t>(i) + seed);
    return result;
  }

  sf_status append(const std::vector<float> &from, int64_t count,
                   int64_t first) {
    std::vector<int64_t> places(static_cast<size_t>(kind.heads), first);
    return sf_cache_append(cache.data(), bytes, &format, kind.heads, kind.room,
                           from.data(), count, places.data(), SF_TERNARY_TWN);
  }

  Kind kind;
  sf_cache_format format;
  uint64_t bytes = 0, page = 0, scaleCount = 0;
  std::vector<uint8_t> cache;
  std::vector<int8_t> trits;
  std::vector<float> scales;
};

TEST_P(CacheAbi, SizesAreWholePages) {
  EXPECT_EQ(bytes, page * static_cast<uint64_t>(kind.heads * kind.room / 64));
  EXPECT_EQ(page % 16, 0u);
  // A quarter of a byte a trit, and less than a fifth of f16.
  EXPECT_GE(page * 4, static_cast<uint64_t>(64 * kind.features));
}

TEST_P(CacheAbi, PackAndUnpackAreInverse) {
  for (size_t i = 0; i < trits.size(); ++i)
    trits[i] = static_cast<int8_t>(static_cast<int>(pattern(i) * 1.4f) % 2);
  for (size_t i = 0; i < scales.size(); ++i)
    scales[i] = 0.25f * static_cast<float>(1 + i % 5);
  ASSERT_EQ(sf_cache_pack(trits.data(), scales.data(), &format, kind.heads,
                          kind.room, "keys", cache.data(), bytes),
            SF_OK);
  std::vector<int8_t> found(trits.size(), 7);
  std::vector<float> foundScales(scales.size(), 7);
  ASSERT_EQ(sf_cache_unpack(cache.data(), bytes, &format, kind.heads, kind.room,
                            "keys", found.data(), foundScales.data()),
            SF_OK);
  EXPECT_EQ(found, trits);
  EXPECT_EQ(foundScales, scales);
}

TEST_P(CacheAbi, TokensOneByOneAreTokensAtOnce) {
  packEmpty();
  constexpr int64_t count = 5;
  std::vector<float> all = vectors(count, 1);
  ASSERT_EQ(append(all, count, 61), SF_OK);
  std::vector<uint8_t> atOnce = cache;
  packEmpty();
  int64_t width = kind.features;
  for (int64_t token = 0; token < count; ++token) {
    std::vector<float> one(static_cast<size_t>(kind.heads * width));
    for (int64_t head = 0; head < kind.heads; ++head)
      std::copy_n(&all[static_cast<size_t>((head * count + token) * width)],
                  width, &one[static_cast<size_t>(head * width)]);
    ASSERT_EQ(append(one, 1, 61 + token), SF_OK);
  }
  EXPECT_EQ(cache, atOnce);
}

TEST_P(CacheAbi, AppendLeavesOthersAlone) {
  packEmpty();
  ASSERT_EQ(append(vectors(4, 9), 4, 0), SF_OK);
  std::vector<int8_t> before(trits.size()), after(trits.size());
  std::vector<float> scalesBefore(scales.size()), scalesAfter(scales.size());
  ASSERT_EQ(sf_cache_unpack(cache.data(), bytes, &format, kind.heads, kind.room,
                            "", before.data(), scalesBefore.data()),
            SF_OK);
  ASSERT_EQ(append(vectors(3, 77), 3, 70), SF_OK);
  ASSERT_EQ(sf_cache_unpack(cache.data(), bytes, &format, kind.heads, kind.room,
                            "", after.data(), scalesAfter.data()),
            SF_OK);
  int64_t changed = 0;
  for (int64_t head = 0; head < kind.heads; ++head)
    for (int64_t token = 0; token < kind.room; ++token)
      for (int64_t d = 0; d < kind.features; ++d) {
        size_t at =
            static_cast<size_t>((head * kind.room + token) * kind.features + d);
        bool isNew = token >= 70 && token < 73;
        if (!isNew) {
          ASSERT_EQ(before[at], after[at]) << token << " " << d;
        }
        changed += isNew && after[at] != 0;
      }
  EXPECT_GT(changed, 0);
}

TEST_P(CacheAbi, RefusesTokensWithoutAPlace) {
  packEmpty();
  std::vector<uint8_t> before = cache;
  std::vector<float> from = vectors(2, 0);
  EXPECT_EQ(append(from, 2, kind.room - 1), SF_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(std::string(sf_last_error())
                .find("2 tokens from position " +
                      std::to_string(kind.room - 1) +
                      " on have no place in a cache with room for " +
                      std::to_string(kind.room)),
            std::string::npos)
      << sf_last_error();
  EXPECT_EQ(append(from, 2, -1), SF_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(cache, before);
  EXPECT_EQ(append(from, 2, kind.room - 2), SF_OK);
  EXPECT_NE(cache, before);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, CacheAbi,
    testing::Values(Kind{0, 64, SF_CACHE_TOKEN_SCALE, SF_DTYPE_F32, 2, 128},
                    Kind{1, 64, SF_CACHE_TOKEN_SCALE, SF_DTYPE_F16, 3, 192},
                    Kind{0, 128, SF_CACHE_HEAD_SCALE, SF_DTYPE_F32, 1, 128},
                    Kind{1, 128, 32, SF_DTYPE_BF16, 2, 128},
                    Kind{0, 40, 32, SF_DTYPE_F16, 1, 256},
                    Kind{1, 130, SF_CACHE_TOKEN_SCALE, SF_DTYPE_BF16, 1, 128}));

TEST(CacheAbiErrors, SaysWhatIsWrong) {
  sf_cache_format format = formatOf(0, 64, SF_CACHE_TOKEN_SCALE, SF_DTYPE_F32);
  uint64_t bytes = 0;
  EXPECT_EQ(sf_cache_size(&format, 1, 100, &bytes, nullptr, nullptr),
            SF_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(std::string(sf_last_error()).find("a multiple of 64 tokens"),
            std::string::npos);
  format.struct_size = 8;
  EXPECT_EQ(sf_cache_size(&format, 1, 64, &bytes, nullptr, nullptr),
            SF_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(std::string(sf_last_error())
                .find("sf_cache_format.struct_size: expected "
                      "sizeof(sf_cache_format) = "),
            std::string::npos);
  EXPECT_EQ(sf_cache_size(nullptr, 1, 64, &bytes, nullptr, nullptr),
            SF_ERROR_INVALID_ARGUMENT);
  format = formatOf(0, 64, 48, SF_DTYPE_F32);
  EXPECT_EQ(sf_cache_size(&format, 1, 64, &bytes, nullptr, nullptr),
            SF_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(std::string(sf_last_error())
                .find("expected a scale for a head, a token, or 32, 64, 128 or "
                      "256 features, found 48"),
            std::string::npos);
  format = formatOf(0, 64, SF_CACHE_HEAD_SCALE, SF_DTYPE_F32);
  ASSERT_EQ(sf_cache_size(&format, 1, 64, &bytes, nullptr, nullptr), SF_OK);
  std::vector<uint8_t> cache(bytes);
  std::vector<int8_t> trits(64 * 64);
  float scale = 1;
  EXPECT_EQ(sf_cache_pack(trits.data(), &scale, &format, 1, 64, "k",
                          cache.data(), bytes - 1),
            SF_ERROR_INVALID_ARGUMENT);
  trits[77] = 2;
  EXPECT_EQ(sf_cache_pack(trits.data(), &scale, &format, 1, 64, "k",
                          cache.data(), bytes),
            SF_ERROR_FORMAT);
  EXPECT_NE(std::string(sf_last_error()).find("token 1, feature 13"),
            std::string::npos)
      << sf_last_error();
  int64_t first = 0;
  std::vector<float> vector(64);
  EXPECT_EQ(sf_cache_append(cache.data(), bytes, &format, 1, 64, vector.data(),
                            1, &first, SF_TERNARY_LLOYD),
            SF_ERROR_INVALID_ARGUMENT);
  auto refused = [](sf_status status, const char *part) {
    EXPECT_NE(status, SF_OK) << part;
    EXPECT_NE(std::string(sf_last_error()).find(part), std::string::npos)
        << part << "\n  gave: " << sf_last_error();
  };
  auto append = [&](void *to, const float *vectors, int64_t count) {
    return sf_cache_append(to, bytes, &format, 1, 64, vectors, count, &first,
                           SF_TERNARY_TWN);
  };
  refused(append(nullptr, vector.data(), 1), "cache is null");
  refused(append(cache.data(), vector.data(), -1),
          "expected 0 or more tokens, found -1");
  refused(append(cache.data(), nullptr, 1), "vectors or first is null");
  refused(sf_cache_size(&format, INT64_MAX, 64, &bytes, nullptr, nullptr),
          "the cache's bytes do not fit 62 bits");
  sf_attention_mode mode;
  refused(sf_attention_choose_mode(nullptr, &mode, nullptr, nullptr, 0),
          "call is null");
  sf_attention_case call = {};
  refused(sf_attention_choose_mode(&call, &mode, nullptr, nullptr, 0),
          "sf_attention_case.struct_size: expected sizeof(sf_attention_case) "
          "= ");
}

} // namespace
