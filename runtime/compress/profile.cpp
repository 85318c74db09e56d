//===- profile.cpp - What a matrix could become ---------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compress/profile.h"

#include "compress/compress.h"

#include <algorithm>
#include <cmath>
#include <functional>

using namespace sparseflow::rt;
using namespace sparseflow::rt::compress;

double Profile::Grid::decibels() const { return -20 * std::log10(error); }

static Profile::Pattern profilePattern(const float *weights, int64_t n,
                                       int64_t k, int keep, int group) {
  Profile::Pattern pattern{keep, group, -1, -1};
  if (k % group)
    return pattern;
  int64_t conforming = 0;
  double kept = 0, all = 0;
  for (int64_t i = 0; i < n * k; i += group) {
    double squares[16];
    for (int j = 0; j < group; ++j)
      squares[j] = double(weights[i + j]) * weights[i + j];
    std::sort(squares, squares + group, std::greater<double>());
    conforming += squares[keep] == 0;
    for (int j = 0; j < group; ++j) {
      all += squares[j];
      kept += j < keep ? squares[j] : 0;
    }
  }
  pattern.conforming = n ? double(conforming) * group / (n * k) : 1;
  pattern.keptEnergy = all > 0 ? kept / all : 1;
  return pattern;
}

static void countTiles(const float *weights, int64_t n, int64_t k,
                       Profile &profile) {
  constexpr int64_t tileRows = 16, tileColumns = 64;
  for (int64_t r = 0; r < n; r += tileRows)
    for (int64_t c = 0; c < k; c += tileColumns) {
      bool hasPositive = false, hasNegative = false;
      for (int64_t i = r; i < std::min(n, r + tileRows); ++i)
        for (int64_t j = c; j < std::min(k, c + tileColumns); ++j) {
          hasPositive |= weights[i * k + j] > 0;
          hasNegative |= weights[i * k + j] < 0;
        }
      ++profile.tiles;
      profile.emptyTiles += !hasPositive && !hasNegative;
      profile.emptyPlanes += !hasPositive + !hasNegative;
    }
}

static bool holdsTrits(const float *weights, int64_t n, int64_t k) {
  for (int64_t r = 0; r < n; ++r) {
    float magnitude = 0;
    for (int64_t c = 0; c < k; ++c) {
      float value = std::fabs(weights[r * k + c]);
      if (value != 0 && magnitude != 0 && value != magnitude)
        return false;
      magnitude = std::max(magnitude, value);
    }
  }
  return true;
}

static void drawMap(const float *weights, int64_t n, int64_t k,
                    Profile &profile) {
  profile.mapRows = std::min<int64_t>(n, 16);
  profile.mapColumns = std::min<int64_t>(k, 64);
  float largest = 0;
  for (int64_t i = 0; i < profile.mapRows; ++i)
    for (int64_t j = 0; j < profile.mapColumns; ++j) {
      int64_t top = i * n / profile.mapRows,
              bottom = (i + 1) * n / profile.mapRows;
      int64_t left = j * k / profile.mapColumns,
              right = (j + 1) * k / profile.mapColumns;
      double sum = 0;
      for (int64_t r = top; r < bottom; ++r)
        for (int64_t c = left; c < right; ++c)
          sum += std::fabs(weights[r * k + c]);
      profile.map.push_back(
          static_cast<float>(sum / ((bottom - top) * (right - left))));
      largest = std::max(largest, profile.map.back());
    }
  for (float &cell : profile.map)
    cell = largest > 0 ? cell / largest : 0;
}

Status sparseflow::rt::compress::profileLayer(const float *weights, int64_t n,
                                              int64_t k, int threads,
                                              Profile &profile) {
  profile = Profile();
  profile.weights = n * k;
  for (auto [name, scaleColumns] :
       {std::pair("int8", 0), {"int4", 128}, {"ternary", 0}}) {
    Options options;
    options.method = Method::Magnitude;
    options.threads = threads;
    options.format = *formatFromName(name);
    options.format.scaleColumns = scaleColumns;
    std::vector<float> rounded(weights, weights + n * k);
    Report report;
    if (Status status =
            compressLayer(rounded.data(), n, k, Moments(), options, report);
        !status)
      return status;
    profile.grids.push_back({name, scaleColumns, report.outputError});
  }
  profile.zeros = std::count(weights, weights + n * k, 0.0f);
  for (auto [keep, group] : {std::pair(2, 4), {4, 8}, {6, 8}})
    profile.patterns.push_back(profilePattern(weights, n, k, keep, group));
  countTiles(weights, n, k, profile);
  profile.isTernary = holdsTrits(weights, n, k);
  drawMap(weights, n, k, profile);
  return Status::success();
}
