//===- attention_mode_test.cpp - Choosing a mode of attention -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sparseflow/cache.h"

#include "gtest/gtest.h"

#include <cmath>
#include <string>
#include <vector>

namespace {

constexpr sf_attention_mode full = SF_ATTENTION_FULL_PRECISION,
                            keys = SF_ATTENTION_TERNARY_KEYS,
                            both = SF_ATTENTION_TERNARY_KEYS_VALUES,
                            int8 = SF_ATTENTION_INT8, int4 = SF_ATTENTION_INT4,
                            e4m3 = SF_ATTENTION_E4M3;

/// 32 layers of 32 query and 8 key heads of 128 features, decoding.
sf_attention_case model(int64_t positions) {
  sf_attention_case call = {};
  call.struct_size = sizeof(call);
  call.layers = 32;
  call.batch = 1;
  call.query_heads = 32;
  call.key_heads = 8;
  call.features = call.value_features = 128;
  call.capacity = positions;
  call.taken = static_cast<double>(positions);
  call.queries = 1;
  for (sf_cache_format *format : {&call.keys, &call.values}) {
    format->struct_size = sizeof(*format);
    format->scale_features = SF_CACHE_TOKEN_SCALE;
    format->scale_type = SF_DTYPE_F32;
  }
  call.max_error = 1;
  call.error[keys] = 0.05;
  call.error[both] = 0.2;
  call.available = 7;
  return call;
}

struct Choice {
  sf_status status;
  sf_attention_mode mode;
  sf_mode_estimate estimates[SF_ATTENTION_MODES];
  std::string json;
};

Choice choose(const sf_attention_case &call) {
  Choice choice = {};
  std::vector<char> json(4096);
  choice.status = sf_attention_choose_mode(
      &call, &choice.mode, choice.estimates, json.data(), json.size());
  choice.json = json.data();
  return choice;
}

TEST(AttentionMode, BytesAreThoseOfTheFormats) {
  Choice choice = choose(model(8192));
  ASSERT_EQ(choice.status, SF_OK) << sf_last_error();
  uint64_t fullHalf = uint64_t(32) * 8 * 8192 * 128 * 2;
  uint64_t page = 16 * 128 + 64 * 4, pages = uint64_t(32) * 8 * 8192 / 64;
  EXPECT_EQ(choice.estimates[full].bytes, 2 * fullHalf);
  EXPECT_EQ(choice.estimates[keys].bytes, fullHalf + pages * page);
  EXPECT_EQ(choice.estimates[both].bytes, 2 * pages * page);
  EXPECT_EQ(choice.estimates[both].bytes_read * 32,
            choice.estimates[both].bytes);
}

TEST(AttentionMode, FloatsOfEightBits) {
  sf_attention_case call = model(131072);
  call.error[keys] = call.error[both] = -1;
  call.error[int8] = 0.06;
  call.error[e4m3] = 0.03;
  call.error[int4] = -1;
  call.max_error = 0.05;
  call.available = (1u << SF_ATTENTION_MODES) - 1;
  Choice choice = choose(call);
  ASSERT_EQ(choice.status, SF_OK) << sf_last_error();
  EXPECT_EQ(choice.mode, e4m3);
  EXPECT_EQ(choice.estimates[e4m3].bytes, choice.estimates[int8].bytes);
  EXPECT_EQ(choice.estimates[e4m3].microseconds,
            choice.estimates[int8].microseconds);
}

TEST(AttentionMode, NumbersOfEightAndFourBits) {
  sf_attention_case call = model(131072);
  call.error[keys] = call.error[both] = -1;
  call.error[int8] = 0.01;
  call.error[int4] = 0.06;
  call.available = 31;
  for (sf_cache_format *format :
       {&call.quantized_keys, &call.quantized_values}) {
    format->struct_size = sizeof(*format);
    format->scale_features = -32;
    format->scale_type = SF_DTYPE_F16;
  }
  Choice choice = choose(call);
  ASSERT_EQ(choice.status, SF_OK) << sf_last_error();
  EXPECT_EQ(choice.mode, int4);
  uint64_t rows = uint64_t(32) * 8 * 131072;
  EXPECT_EQ(choice.estimates[int8].bytes, 2 * rows * (128 + 4 * 2));
  EXPECT_EQ(choice.estimates[int4].bytes, 2 * rows * (64 + 4 * 2));
  call.max_error = 0.05;
  EXPECT_EQ(choose(call).mode, int8);
  // Prefill takes the most bits that the budget has room for.
  call.max_error = 1;
  call.queries = 512;
  EXPECT_EQ(choose(call).mode, full);
  call.memory_budget = choice.estimates[full].bytes - 1;
  EXPECT_EQ(choose(call).mode, int8);
  call.memory_budget = choice.estimates[int8].bytes - 1;
  EXPECT_EQ(choose(call).mode, int4);
  // Formats that nobody gave have a scale of F32 for each token.
  call.quantized_keys = call.quantized_values = {};
  EXPECT_EQ(choose(call).estimates[int4].bytes, 2 * rows * (64 + 4));
  call.quantized_keys.struct_size = sizeof(sf_cache_format);
  call.quantized_keys.scale_features = 48;
  call.quantized_keys.scale_type = SF_DTYPE_F16;
  EXPECT_EQ(choose(call).status, SF_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(std::string(sf_last_error()).find("quantized keys: "),
            std::string::npos)
      << sf_last_error();
}

TEST(AttentionMode, LongCachesAreReadAsPlanes) {
  Choice choice = choose(model(131072));
  EXPECT_EQ(choice.status, SF_OK);
  EXPECT_EQ(choice.mode, both);
}

TEST(AttentionMode, ShortCachesStayFull) {
  Choice choice = choose(model(64));
  EXPECT_EQ(choice.mode, full);
}

TEST(AttentionMode, PromptsSaveNoTime) {
  sf_attention_case call = model(131072);
  call.queries = 512;
  Choice choice = choose(call);
  EXPECT_EQ(choice.mode, full);
  EXPECT_NE(choice.json.find("would save memory, not time"), std::string::npos)
      << choice.json;
}

TEST(AttentionMode, OccupancyDecidesAsLengthDoes) {
  sf_attention_case call = model(131072);
  call.taken = 64;
  EXPECT_EQ(choose(call).mode, full);
  call.taken = 65536;
  EXPECT_EQ(choose(call).mode, both);
}

TEST(AttentionMode, TheBoundIsKept) {
  sf_attention_case call = model(131072);
  for (double bound : {0.0, 0.01, 0.0499, 0.05, 0.1, 0.1999, 0.2, 3.0}) {
    call.max_error = bound;
    Choice choice = choose(call);
    ASSERT_EQ(choice.status, SF_OK);
    double error = choice.mode == full ? 0 : call.error[choice.mode];
    EXPECT_LE(error, bound);
    EXPECT_EQ(choice.mode, bound < 0.05 ? full : bound < 0.2 ? keys : both);
  }
}

TEST(AttentionMode, TheBudgetNeverBreaksTheBound) {
  sf_attention_case call = model(131072);
  call.max_error = 0.1;
  call.memory_budget = 1000;
  Choice choice = choose(call);
  EXPECT_EQ(choice.status, SF_ERROR_UNSUPPORTED);
  std::string text = sf_last_error();
  EXPECT_NE(text.find("ternary_keys_values has an error of 0.2, more than 0.1"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("more than 1000"), std::string::npos) << text;
  EXPECT_NE(text.find("; give more memory, or compile a mode within the error "
                      "allowed"),
            std::string::npos)
      << text;
  EXPECT_NE(choice.json.find("\"mode\": null"), std::string::npos);
}

TEST(AttentionMode, TheBudgetForcesSmallerModes) {
  // Prefill, where full precision would be taken otherwise.
  sf_attention_case call = model(32768);
  call.queries = 512;
  EXPECT_EQ(choose(call).mode, full);
  Choice choice = choose(call);
  call.memory_budget = choice.estimates[full].bytes - 1;
  EXPECT_EQ(choose(call).mode, keys);
  call.memory_budget = choice.estimates[keys].bytes - 1;
  EXPECT_EQ(choose(call).mode, both);
  call.memory_budget = choice.estimates[both].bytes;
  EXPECT_EQ(choose(call).mode, both);
  call.memory_budget = choice.estimates[both].bytes - 1;
  EXPECT_EQ(choose(call).status, SF_ERROR_UNSUPPORTED);
}

TEST(AttentionMode, UnmeasuredModesAreNotTaken) {
  sf_attention_case call = model(131072);
  call.error[both] = -1;
  EXPECT_EQ(choose(call).mode, keys);
  call.error[keys] = NAN;
  EXPECT_EQ(choose(call).mode, full);
  EXPECT_NE(choose(call).json.find("has no measured error"), std::string::npos);
}

TEST(AttentionMode, OnlyCompiledModes) {
  sf_attention_case call = model(131072);
  call.available = 1u << keys;
  EXPECT_EQ(choose(call).mode, keys);
  call.available = 0;
  EXPECT_EQ(choose(call).status, SF_ERROR_UNSUPPORTED);
}

TEST(AttentionMode, SpeedsAreData) {
  sf_attention_case call = model(131072);
  call.speed[both] = {100, 7};
  EXPECT_EQ(choose(call).mode, keys);
  Choice choice = choose(call);
  EXPECT_NEAR(choice.estimates[both].microseconds,
              7 + choice.estimates[both].bytes_read / 1e5, 1e-6);
}

TEST(AttentionMode, LayersAreDecidedApart) {
  // The same call with the errors of two layers.
  sf_attention_case call = model(131072);
  call.layers = 1;
  call.max_error = 0.1;
  call.error[both] = 0.05;
  EXPECT_EQ(choose(call).mode, both);
  call.error[both] = 0.15;
  EXPECT_EQ(choose(call).mode, keys);
}

TEST(AttentionMode, RefusesNonsense) {
  sf_attention_case call = model(64);
  call.key_heads = 0;
  EXPECT_EQ(choose(call).status, SF_ERROR_INVALID_ARGUMENT);
  call.key_heads = 5;
  EXPECT_EQ(choose(call).status, SF_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(sf_last_error(),
               "expected query_heads as a multiple of key_heads, 5, found 32");
  call = model(64);
  call.value_features = -1;
  EXPECT_EQ(choose(call).status, SF_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(sf_last_error(),
               "expected value_features of 1 to 2^32, found -1");
  call = model(64);
  call.taken = 65;
  EXPECT_EQ(choose(call).status, SF_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(sf_last_error(), "expected 0 to 64 positions taken, found 65");
  call = model(64);
  call.max_error = -1;
  EXPECT_EQ(choose(call).status, SF_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(sf_last_error(),
               "expected an error bound of 0 or more, found -1");
  call = model(int64_t(1) << 31);
  call.batch = call.layers = int64_t(1) << 31;
  EXPECT_EQ(choose(call).status, SF_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(sf_last_error(),
               "the bytes of keys and values do not fit 64 bits");
  // The record is JSON, which has no such numbers.
  for (double bad : {double(NAN), double(INFINITY)}) {
    call = model(64);
    call.speed[keys].gigabytes_per_second = bad;
    EXPECT_EQ(choose(call).status, SF_ERROR_INVALID_ARGUMENT);
    EXPECT_NE(std::string(sf_last_error())
                  .find("expected speeds that are finite, and a fixed time of "
                        "0 or more, found"),
              std::string::npos);
    call = model(64);
    call.speed[keys] = {1000, bad};
    EXPECT_EQ(choose(call).status, SF_ERROR_INVALID_ARGUMENT);
  }
  call = model(64);
  call.speed[both] = {1000, -1};
  EXPECT_EQ(choose(call).status, SF_ERROR_INVALID_ARGUMENT);
  call = model(64);
  call.taken = 65;
  EXPECT_EQ(choose(call).status, SF_ERROR_INVALID_ARGUMENT);
  call = model(64);
  call.max_error = NAN;
  EXPECT_EQ(choose(call).status, SF_ERROR_INVALID_ARGUMENT);
  call = model(64);
  call.keys.scale_features = 5;
  EXPECT_EQ(choose(call).status, SF_ERROR_INVALID_ARGUMENT);
  call = model(64);
  call.struct_size = 4;
  EXPECT_EQ(choose(call).status, SF_ERROR_INVALID_ARGUMENT);
  sf_attention_mode mode;
  EXPECT_EQ(sf_attention_choose_mode(nullptr, &mode, nullptr, nullptr, 0),
            SF_ERROR_INVALID_ARGUMENT);
}

TEST(AttentionMode, RecordIsCutAtTheBuffer) {
  sf_attention_case call = model(64);
  sf_attention_mode mode;
  char json[10];
  ASSERT_EQ(sf_attention_choose_mode(&call, &mode, nullptr, json, sizeof(json)),
            SF_OK);
  EXPECT_EQ(std::string(json), "{\"mode\": ");
}

} // namespace
