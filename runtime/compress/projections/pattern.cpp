//===- pattern.cpp - N:M patterns -----------------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compress/projections/projection.h"

#include <cmath>

using namespace sparseflow::rt;
using namespace sparseflow::rt::compress;

namespace {

/// Of each group the columns of least cost go, each judged by itself: to
/// compare whole sets of columns by what they cost together was measured, and
/// loses as much.
class Pattern final : public Projection {
public:
  Pattern(const Format &format, const ColumnStatistics &statistics,
          int64_t rows)
      : group(format.group), drops(format.group - format.keep),
        statistics(statistics), kept(rows * format.group) {}

  int64_t groupColumns() const override { return group; }
  void begin(const SlabColumns &columns) override;
  void project(int64_t column, float *values, int64_t rows) override {
    for (int64_t r = 0; r < rows; ++r)
      values[r] = kept[r * group + column] ? values[r] : 0.0f;
  }

private:
  /// The root of what setting a weight of 1 to zero costs.
  float importance(int64_t column) const;

  int group, drops;
  ColumnStatistics statistics;
  /// Of row r, column c: r * group + c.
  std::vector<uint8_t> kept;
};

} // namespace

float Pattern::importance(int64_t column) const {
  if (statistics.factor)
    return 1 / statistics.factor->at(column, column);
  return statistics.inputRms ? statistics.inputRms[column] : 1;
}

void Pattern::begin(const SlabColumns &columns) {
  float importances[16];
  for (int c = 0; c < group; ++c)
    importances[c] = importance(columns.first + c);
  kept.assign(kept.size(), 1);
  for (int64_t r = 0; r < columns.rows; ++r) {
    uint8_t *row = kept.data() + r * group;
    for (int drop = 0; drop < drops; ++drop) {
      int smallest = -1;
      float least = 0;
      // Of equal columns the higher one goes, as in pack.
      for (int c = group - 1; c >= 0; --c) {
        float cost =
            std::fabs(columns.weights[c * columns.rows + r]) * importances[c];
        if (row[c] && (smallest < 0 || cost < least)) {
          smallest = c;
          least = cost;
        }
      }
      row[smallest] = 0;
    }
  }
}

std::unique_ptr<Projection> sparseflow::rt::compress::createPattern(
    const Format &format, const ColumnStatistics &statistics, int64_t rows) {
  return std::make_unique<Pattern>(format, statistics, rows);
}
