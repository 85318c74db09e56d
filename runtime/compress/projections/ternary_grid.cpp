//===- ternary_grid.cpp - Trits with scales
//--------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compress/projections/projection.h"

#include <algorithm>
#include <cmath>
#include <functional>

using namespace sparseflow::rt;
using namespace sparseflow::rt::compress;

namespace {

class TernaryGrid final : public Projection {
public:
  TernaryGrid(const Format &format, int64_t k, int64_t rows)
      : columns(format.scaleColumns ? format.scaleColumns : k),
        planes(format.planes),
        share(format.group ? double(format.keep) / format.group : 1),
        scales(rows) {}

  int64_t groupColumns() const override { return columns; }
  void begin(const SlabColumns &group) override;
  void project(int64_t, float *values, int64_t rows) override {
    for (int64_t r = 0; r < rows; ++r)
      values[r] = nearest(values[r], scales[r]);
  }

private:
  struct Scales {
    float plane[2] = {0, 0};
  };

  float nearest(float value, const Scales &scales) const;
  /// Of least squared error for the largest `count` of `magnitudes`.
  float bestScale(size_t count);

  int64_t columns;
  int planes;
  double share;
  std::vector<Scales> scales;
  std::vector<float> magnitudes;
};

} // namespace

float TernaryGrid::nearest(float value, const Scales &scales) const {
  float best = 0, least = std::fabs(value);
  for (int a = -1; a <= 1; ++a)
    for (int b = planes == 2 ? -1 : 0; b <= (planes == 2 ? 1 : 0); ++b) {
      float level = a * scales.plane[0] + b * scales.plane[1];
      float distance = std::fabs(value - level);
      if (distance < least) {
        least = distance;
        best = level;
      }
    }
  return best;
}

/// With the j largest magnitudes at one level the best level is their mean,
/// and the squared error falls by their sum squared over j.
float TernaryGrid::bestScale(size_t count) {
  std::sort(magnitudes.begin(), magnitudes.end(), std::greater<float>());
  double sum = 0, gain = 0, scale = 0;
  for (size_t j = 0; j < std::min(count, magnitudes.size()); ++j) {
    sum += magnitudes[j];
    double candidate = sum * sum / (j + 1);
    if (candidate > gain) {
      gain = candidate;
      scale = sum / (j + 1);
    }
  }
  return toHalf(static_cast<float>(scale));
}

void TernaryGrid::begin(const SlabColumns &group) {
  size_t count = static_cast<size_t>(std::ceil(group.count * share));
  for (int64_t r = 0; r < group.rows; ++r) {
    magnitudes.resize(group.count);
    for (int64_t c = 0; c < group.count; ++c)
      magnitudes[c] = std::fabs(group.weights[c * group.rows + r]);
    Scales &row = scales[r] = Scales();
    row.plane[0] = bestScale(count);
    if (planes == 1)
      continue;
    // The second plane holds what the first one leaves.
    magnitudes.resize(group.count);
    for (int64_t c = 0; c < group.count; ++c) {
      float value = group.weights[c * group.rows + r];
      float level = std::fabs(value) > row.plane[0] / 2
                        ? std::copysign(row.plane[0], value)
                        : 0;
      magnitudes[c] = std::fabs(value - level);
    }
    row.plane[1] = bestScale(count);
  }
}

std::unique_ptr<Projection>
sparseflow::rt::compress::createTernaryGrid(const Format &format, int64_t k,
                                            int64_t rows) {
  return std::make_unique<TernaryGrid>(format, k, rows);
}
