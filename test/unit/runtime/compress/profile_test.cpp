//===- profile_test.cpp - What a matrix could become ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compress/profile.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

using namespace sparseflow::rt::compress;

static Profile profiled(const std::vector<float> &weights, int64_t n,
                        int64_t k) {
  Profile profile;
  EXPECT_TRUE(profileLayer(weights.data(), n, k, 1, profile).ok());
  return profile;
}

TEST(Profile, CountsByHand) {
  // Two groups of 2:4, one of which conforms; one of 4:8, which does.
  std::vector<float> weights = {1, 0, -2, 0, 3, 4, 0, 5};
  Profile profile = profiled(weights, 1, 8);
  EXPECT_EQ(profile.zeros, 3);
  EXPECT_EQ(profile.patterns[0].conforming, 0.5);
  // Of 1 + 4 + 9 + 16 + 25 the 9 goes.
  EXPECT_NEAR(profile.patterns[0].keptEnergy, 46.0 / 55, 1e-12);
  EXPECT_EQ(profile.patterns[1].conforming, 0);
  EXPECT_NEAR(profile.patterns[1].keptEnergy, 54.0 / 55, 1e-12);
  EXPECT_EQ(profile.patterns[2].conforming, 1);
  EXPECT_EQ(profile.patterns[2].keptEnergy, 1);
  EXPECT_FALSE(profile.isTernary);
  EXPECT_EQ(profile.map, (std::vector<float>{.2f, 0, .4f, 0, .6f, .8f, 0, 1}));
}

TEST(Profile, TritsAreExact) {
  std::mt19937 random(3);
  std::vector<float> weights(20 * 200);
  for (size_t i = 0; i < weights.size(); ++i)
    weights[i] = (int(random() % 3) - 1) * std::ldexp(1.0f, i / 200 % 5);
  // The last tile of the first rows, 8 columns wide.
  for (int r = 0; r < 16; ++r)
    std::fill_n(weights.begin() + r * 200 + 192, 8, -0.0f);
  Profile profile = profiled(weights, 20, 200);
  EXPECT_TRUE(profile.isTernary);
  EXPECT_EQ(profile.grids[2].error, 0);
  EXPECT_EQ(profile.grids[2].decibels(),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(profile.tiles, 8);
  EXPECT_EQ(profile.emptyTiles, 1);
  EXPECT_EQ(profile.emptyPlanes, 2);
  EXPECT_EQ(profile.mapRows, 16);
  EXPECT_EQ(profile.mapColumns, 64);
  weights[5] = 3;
  EXPECT_FALSE(profiled(weights, 20, 200).isTernary);
}

TEST(Profile, NormalWeights) {
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  std::vector<float> weights(64 * 252);
  for (float &w : weights)
    w = normal(random);
  Profile profile = profiled(weights, 64, 252);
  // 252 is a multiple of 4, not of 8.
  EXPECT_GT(profile.patterns[0].keptEnergy, 0.8);
  EXPECT_LT(profile.patterns[0].keptEnergy, 0.9);
  EXPECT_EQ(profile.patterns[1].conforming, -1);
  // A bit is 6 dB.
  EXPECT_GT(profile.grids[0].decibels(), profile.grids[1].decibels() + 18);
  EXPECT_GT(profile.grids[1].decibels(), profile.grids[2].decibels() + 6);
}

TEST(Profile, NothingAndNaN) {
  Profile profile = profiled({}, 0, 8);
  EXPECT_EQ(profile.tiles, 0);
  EXPECT_TRUE(profile.map.empty());
  profile = profiled(std::vector<float>(32), 4, 8);
  EXPECT_EQ(profile.zeros, 32);
  EXPECT_EQ(profile.patterns[0].keptEnergy, 1);
  EXPECT_EQ(profile.emptyTiles, 1);
  EXPECT_EQ(profile.emptyPlanes, 2);
  // Two tiles of positive weights, the first of negative ones, too.
  std::vector<float> mixed(65, 0.5f);
  mixed[7] = -1;
  profile = profiled(mixed, 1, 65);
  EXPECT_EQ(profile.emptyTiles, 0);
  EXPECT_EQ(profile.emptyPlanes, 1);
  std::vector<float> broken(8, 1.0f);
  broken[3] = std::nanf("");
  EXPECT_EQ(profileLayer(broken.data(), 2, 4, 1, profile).text(),
            "expected finite weights, found NaN or infinity in row 0, column "
            "3");
}
