//===- hadamard_reference_test.cpp - Rotations in references --------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "reference/Hadamard.h"
#include "reference/Reference.h"
#include "run/Manifest.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <random>

using namespace sparseflow;
using namespace sparseflow::tools;

static bool isOdd(int64_t bits) { return __builtin_parityll(bits); }

TEST(Hadamard, IsSylvestersMatrix) {
  constexpr int64_t width = 192, block = 64, rows = 3;
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::vector<double> x(rows * width), signs(width);
  for (double &value : x)
    value = normal(random);
  for (double &sign : signs)
    sign = random() % 2 ? 1 : -1;
  std::vector<double> found = x;
  rotateRows(found, &signs, width, block, /*threads=*/1);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t j = 0; j < width; ++j) {
      double sum = 0;
      for (int64_t i = j / block * block; i < j / block * block + block; ++i)
        sum += x[row * width + i] * signs[i] *
               (isOdd(i % block & j % block) ? -1 : 1);
      EXPECT_NEAR(found[row * width + j], sum / std::sqrt(double(block)),
                  1e-13);
    }
  // It is its own inverse.
  std::vector<double> twice = found;
  rotateRows<double>(twice, nullptr, width, block, 1);
  for (int64_t i = 0; i < rows * width; ++i)
    EXPECT_NEAR(twice[i], x[i] * signs[i % width], 1e-13);
  std::vector<float> none;
  rotateRows<float>(none, nullptr, /*width=*/0, block, 1);
}

static nlohmann::json manifest() {
  return nlohmann::json::parse(R"({
    "format": "sparseflow-bundle", "version": 1, "functions": [{
      "name": "f", "symbols": ["T"],
      "arguments": [{"name": "x", "dtype": "f16", "shape": ["T", 128]},
                    {"name": "s", "dtype": "f32", "shape": [128]},
                    {"name": "t", "dtype": "f32", "shape": [64]}],
      "results": [{"dtype": "f16", "shape": ["T", 128]}],
      "reference": {"values": 4, "results": [3], "steps": [
        {"op": "hadamard", "x": 0, "signs": 1, "block": 64, "out": 3,
         "shape": ["T", 128], "dtype": "f16"}]}}]})");
}

TEST(Hadamard, HostileSteps) {
  auto parse = [&](const char *member, const nlohmann::json &value) {
    nlohmann::json bad = manifest();
    bad["functions"][0]["reference"]["steps"][0][member] = value;
    return parseBundleManifest(bad.dump());
  };
  auto good = parseBundleManifest(manifest().dump());
  ASSERT_TRUE(good) << good.status().text();
  EXPECT_TRUE(
      estimateWork(good->manifest.functions[0], *good->references[0], {5}));
  EXPECT_FALSE(parse("x", 3));
  EXPECT_FALSE(parse("signs", 4));
  EXPECT_FALSE(parse("shape", nlohmann::json::array()));
  for (int block : {0, 1, 32768, -64})
    EXPECT_FALSE(parse("block", block)) << block;
  auto odd = parse("block", 96);
  ASSERT_FALSE(odd);
  EXPECT_NE(odd.status().text().find("expected a power of two"),
            std::string::npos)
      << odd.status().text();
  // Shapes are compared when sizes are known.
  auto refuse = [&](const char *member, const nlohmann::json &value,
                    const char *why) {
    auto parsed = parse(member, value);
    ASSERT_TRUE(parsed) << value << parsed.status().text();
    auto work = estimateWork(parsed->manifest.functions[0],
                             *parsed->references[0], {5});
    ASSERT_FALSE(work) << value;
    EXPECT_NE(work.status().text().find(why), std::string::npos)
        << work.status().text();
  };
  refuse("block", 256, "in blocks of 256");
  refuse("shape", {"T", 64}, "a rotation of");
  refuse("signs", 2, "signs of shape");
}
