//===- sample_reference_test.cpp - Sampling in references -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "arguments/Arguments.h"
#include "reference/Sample.h"
#include "run/Manifest.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

using namespace sparseflow;
using namespace sparseflow::tools;

// Of Random123's known answers, the one whose counter has one word at most.
TEST(Sample, PhiloxIsKnown) { EXPECT_EQ(philox(0, 0), 0xe169c58d6627e8d5); }

static SampleRows rowsOf(int64_t count, float temperature, int64_t topK,
                         float topP) {
  SampleRows rows;
  for (int64_t row = 0; row < count; ++row)
    for (double share : {.1, .5, .15, .25})
      rows.logits.push_back(static_cast<float>(std::log(share)));
  rows.temperature.assign(count, temperature);
  rows.topK.assign(count, topK);
  rows.topP.assign(count, topP);
  rows.seed.assign(count, -7);
  for (int64_t row = 0; row < count; ++row)
    rows.position.push_back(row);
  return rows;
}

TEST(Sample, DrawsByProbability) {
  constexpr int64_t count = 20000;
  auto expect = [&](float temperature, int64_t topK, float topP,
                    std::vector<double> shares) {
    std::vector<int32_t> ids =
        rowsOf(count, temperature, topK, topP).draw(/*threads=*/1);
    double sum = 0;
    for (double share : shares)
      sum += share;
    // Five standard deviations of a share.
    for (size_t token = 0; token < shares.size(); ++token)
      EXPECT_NEAR(
          static_cast<double>(std::count(ids.begin(), ids.end(), token)) /
              count,
          shares[token] / sum, 5 * .5 / std::sqrt(double(count)))
          << token << " at temperature " << temperature << ", top_k " << topK
          << ", top_p " << topP;
  };
  expect(1, 0, 1, {.1, .5, .15, .25});
  expect(1, 4, 1, {.1, .5, .15, .25});
  expect(1, 2, 1, {0, .5, 0, .25});
  expect(1, 0, .76f, {0, .5, .15, .25});
  expect(1, 0, .49f, {0, .5, 0, 0});
  expect(1, 0, 0, {0, .5, 0, 0});
  // Of two tokens, 2/3 are the first's.
  expect(1, 2, .66f, {0, .5, 0, 0});
  expect(1, 2, .67f, {0, .5, 0, .25});
  expect(.5f, 0, 1, {.01, .25, .0225, .0625});
  expect(0, 0, 1, {0, 1, 0, 0});
}

static nlohmann::json manifest() {
  return nlohmann::json::parse(R"({
    "format": "sparseflow-bundle", "version": 1, "functions": [{
      "name": "f", "symbols": ["B"],
      "arguments": [{"name": "l", "dtype": "f32", "shape": ["B", 100]},
                    {"name": "t", "dtype": "f32", "shape": ["B"]},
                    {"name": "k", "dtype": "i32", "shape": ["B"]},
                    {"name": "p", "dtype": "f32", "shape": ["B"]},
                    {"name": "s", "dtype": "i64", "shape": ["B"]},
                    {"name": "n", "dtype": "i32", "shape": ["B"]}],
      "results": [{"dtype": "i32", "shape": ["B"]}],
      "reference": {"values": 7, "results": [6], "steps": [
        {"op": "sample", "logits": 0, "temperature": 1, "top_k": 2, "top_p": 3,
         "seed": 4, "position": 5, "shape": ["B"], "dtype": "i32",
         "out": 6}]}}]})");
}

// Random arguments ask for all that the op can do.
TEST(Sample, ArgumentsOfASeed) {
  auto bundle = parseBundleManifest(manifest().dump());
  ASSERT_TRUE(bundle) << bundle.status().text();
  ArgumentRequest request;
  ASSERT_TRUE(request.addSize("B=500"));
  auto set = prepareArguments(bundle->manifest.functions[0],
                              &*bundle->references[0], request);
  ASSERT_TRUE(set) << set.status().text();
  auto largest = [&](size_t index) {
    std::vector<double> values(500);
    widen(set->arguments[index].dense, values.data());
    EXPECT_GE(*std::min_element(values.begin(), values.end()), 0);
    return *std::max_element(values.begin(), values.end());
  };
  EXPECT_GT(largest(2), 90);
  EXPECT_LE(largest(2), 100);
  EXPECT_GT(largest(4), 0x1p32);
  EXPECT_GT(largest(5), 0x1p16);
}

TEST(Sample, HostileSteps) {
  auto parse = [&](const char *member, const nlohmann::json &value) {
    nlohmann::json bad = manifest();
    bad["functions"][0]["reference"]["steps"][0][member] = value;
    return parseBundleManifest(bad.dump());
  };
  auto good = parseBundleManifest(manifest().dump());
  ASSERT_TRUE(good) << good.status().text();
  EXPECT_TRUE(
      estimateWork(good->manifest.functions[0], *good->references[0], {5}));
  for (const char *member :
       {"logits", "temperature", "top_k", "top_p", "seed", "position"})
    EXPECT_FALSE(parse(member, 6)) << member;
  // Shapes are compared when sizes are known.
  auto refuse = [&](const char *member, const nlohmann::json &value) {
    auto parsed = parse(member, value);
    ASSERT_TRUE(parsed) << value << parsed.status().text();
    auto work = estimateWork(parsed->manifest.functions[0],
                             *parsed->references[0], {5});
    ASSERT_FALSE(work) << value;
    EXPECT_NE(work.status().text().find("drawn from logits of shape"),
              std::string::npos)
        << work.status().text();
  };
  refuse("logits", 1);
  refuse("temperature", 0);
  refuse("shape", nlohmann::json::array({4}));
}
