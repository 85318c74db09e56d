//===- integer_grid.cpp - Integers with scales
//-----------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compress/projections/projection.h"

#include <algorithm>
#include <cmath>

using namespace sparseflow::rt;
using namespace sparseflow::rt::compress;

namespace {

class IntegerGrid final : public Projection {
public:
  IntegerGrid(const Format &format, int64_t k, int64_t rows)
      : columns(format.scaleColumns ? format.scaleColumns : k),
        largest((1 << (format.bits - 1)) - 1), scales(rows) {}

  int64_t groupColumns() const override { return columns; }
  void begin(const SlabColumns &group) override;
  void project(int64_t, float *values, int64_t rows) override {
    for (int64_t r = 0; r < rows; ++r)
      values[r] = nearest(values[r], scales[r]);
  }

private:
  float nearest(float value, float scale) const {
    if (scale == 0)
      return 0;
    float code = std::nearbyint(value / scale);
    return std::clamp(code, -largest, largest) * scale;
  }
  double error(const SlabColumns &group, int64_t row, float scale) const;

  int64_t columns;
  float largest;
  std::vector<float> scales;
};

} // namespace

double IntegerGrid::error(const SlabColumns &group, int64_t row,
                          float scale) const {
  double sum = 0;
  for (int64_t c = 0; c < group.count; ++c) {
    float value = group.weights[c * group.rows + row];
    double difference = value - nearest(value, scale);
    sum += difference * difference;
  }
  return sum;
}

/// The scale of least squared error among those that clip the largest weights
/// by up to two fifths: with few codes a finer grid is worth a clipped tail.
void IntegerGrid::begin(const SlabColumns &group) {
  constexpr int steps = 17;
  constexpr float step = 0.025f;
  for (int64_t r = 0; r < group.rows; ++r) {
    float peak = 0;
    for (int64_t c = 0; c < group.count; ++c)
      peak = std::max(peak, std::fabs(group.weights[c * group.rows + r]));
    double least = 0;
    for (int i = 0; i < steps; ++i) {
      float scale = toHalf(peak * (1 - step * i) / largest);
      double sum = error(group, r, scale);
      if (i == 0 || sum < least) {
        least = sum;
        scales[r] = scale;
      }
    }
  }
}

std::unique_ptr<Projection>
sparseflow::rt::compress::createIntegerGrid(const Format &format, int64_t k,
                                            int64_t rows) {
  return std::make_unique<IntegerGrid>(format, k, rows);
}
