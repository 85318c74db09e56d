//===- sweep.cpp - Columns from left to right -----------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compress/solver/sweep.h"

#include "common/parallel.h"
#include "compress/solver/slab.h"

#include <algorithm>

using namespace sparseflow::rt;
using namespace sparseflow::rt::compress;

namespace {

/// The sweep of one slab.
class Slab {
public:
  Slab(float *weights, int64_t rows, int64_t k, const Format &format,
       const ColumnStatistics &statistics, int64_t block)
      : weights(weights), rows(rows), k(k), factor(statistics.factor),
        block(block), slab(k * kSlabRows), errors(block * kSlabRows),
        projections(createProjections(format, statistics, k, kSlabRows)) {}

  void run();

private:
  void project(int64_t column);
  float *at(int64_t column) { return slab.data() + column * kSlabRows; }

  float *weights;
  int64_t rows, k;
  const InverseFactor *factor;
  int64_t block;
  std::vector<float> slab;
  /// [block][kSlabRows]: each column's error over its diagonal of the factor.
  std::vector<float> errors;
  std::vector<std::unique_ptr<Projection>> projections;
};

} // namespace

void Slab::project(int64_t column) {
  for (const std::unique_ptr<Projection> &projection : projections) {
    int64_t group = projection->groupColumns();
    int64_t inGroup = column % group;
    if (inGroup == 0)
      projection->begin(
          {at(column), kSlabRows, column, std::min(group, k - column)});
    projection->project(inGroup, at(column), kSlabRows);
  }
}

void Slab::run() {
  transposeIn(weights, rows, k, slab.data());
  float before[kSlabRows];
  for (int64_t begin = 0; begin < k; begin += block) {
    int64_t end = std::min(begin + block, k);
    for (int64_t c = begin; c < end; ++c) {
      std::copy(at(c), at(c) + kSlabRows, before);
      project(c);
      if (!factor)
        continue;
      float *error = errors.data() + (c - begin) * kSlabRows;
      float inverse = 1 / factor->at(c, c);
      for (int64_t r = 0; r < kSlabRows; ++r)
        error[r] = (before[r] - at(c)[r]) * inverse;
      for (int64_t later = c + 1; later < end; ++later)
        subtract(at(later), factor->columnFrom(c, later), error, 1);
    }
    if (factor)
      for (int64_t later = end; later < k; ++later)
        subtract(at(later), factor->columnFrom(begin, later), errors.data(),
                 end - begin);
  }
  transposeOut(slab.data(), rows, k, weights);
}

void sparseflow::rt::compress::sweep(float *weights, int64_t n, int64_t k,
                                     const Format &format,
                                     const ColumnStatistics &statistics,
                                     int64_t block, int threads) {
  parallelFor((n + kSlabRows - 1) / kSlabRows, threads, [&](int64_t index) {
    int64_t first = index * kSlabRows;
    Slab(weights + first * k, std::min(kSlabRows, n - first), k, format,
         statistics, block)
        .run();
  });
}
