//===- sweep.cpp - Columns from left to right -----------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compress/sweep.h"

#include "common/parallel.h"

#include <algorithm>

using namespace sparseflow::rt;
using namespace sparseflow::rt::compress;

/// Rows of a slab: a column is four cache lines, and the errors of a block of
/// 128 columns stay in the first-level cache.
static constexpr int64_t kRows = 64;

#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define SPARSEFLOW_VECTOR_CLONES                                               \
  __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define SPARSEFLOW_VECTOR_CLONES
#endif

/// column -= sum over i of factors[i] * errors[i][..]
SPARSEFLOW_VECTOR_CLONES static void subtract(float *column,
                                              const float *factors,
                                              const float *errors,
                                              int64_t count) {
  float sums[kRows];
  std::copy(column, column + kRows, sums);
  for (int64_t i = 0; i < count; ++i)
    for (int64_t r = 0; r < kRows; ++r)
      sums[r] -= factors[i] * errors[i * kRows + r];
  std::copy(sums, sums + kRows, column);
}

namespace {

/// The sweep of one slab.
class Slab {
public:
  Slab(float *weights, int64_t rows, int64_t k, const Format &format,
       const ColumnStatistics &statistics, int64_t block)
      : weights(weights), rows(rows), k(k), factor(statistics.factor),
        block(block), slab(k * kRows), errors(block * kRows),
        projections(createProjections(format, statistics, k, kRows)) {}

  void run();

private:
  void project(int64_t column);
  void transposeIn();
  void transposeOut();
  float *at(int64_t column) { return slab.data() + column * kRows; }

  float *weights;
  int64_t rows, k;
  const InverseFactor *factor;
  int64_t block;
  /// [k][kRows]; rows that the matrix does not have are zero.
  std::vector<float> slab;
  /// [block][kRows]: each column's error over its diagonal of the factor.
  std::vector<float> errors;
  std::vector<std::unique_ptr<Projection>> projections;
};

} // namespace

void Slab::transposeIn() {
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < k; ++c)
      at(c)[r] = weights[r * k + c];
}

void Slab::transposeOut() {
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < k; ++c)
      weights[r * k + c] = at(c)[r];
}

void Slab::project(int64_t column) {
  for (const std::unique_ptr<Projection> &projection : projections) {
    int64_t group = projection->groupColumns();
    int64_t inGroup = column % group;
    if (inGroup == 0)
      projection->begin(
          {at(column), kRows, column, std::min(group, k - column)});
    projection->project(inGroup, at(column), kRows);
  }
}

void Slab::run() {
  transposeIn();
  float before[kRows];
  for (int64_t begin = 0; begin < k; begin += block) {
    int64_t end = std::min(begin + block, k);
    for (int64_t c = begin; c < end; ++c) {
      std::copy(at(c), at(c) + kRows, before);
      project(c);
      if (!factor)
        continue;
      float *error = errors.data() + (c - begin) * kRows;
      float inverse = 1 / factor->at(c, c);
      for (int64_t r = 0; r < kRows; ++r)
        error[r] = (before[r] - at(c)[r]) * inverse;
      for (int64_t later = c + 1; later < end; ++later)
        subtract(at(later), factor->columnFrom(c, later), error, 1);
    }
    if (factor)
      for (int64_t later = end; later < k; ++later)
        subtract(at(later), factor->columnFrom(begin, later), errors.data(),
                 end - begin);
  }
  transposeOut();
}

void sparseflow::rt::compress::sweep(float *weights, int64_t n, int64_t k,
                                     const Format &format,
                                     const ColumnStatistics &statistics,
                                     int64_t block, int threads) {
  parallelFor((n + kRows - 1) / kRows, threads, [&](int64_t index) {
    int64_t first = index * kRows;
    Slab(weights + first * k, std::min(kRows, n - first), k, format, statistics,
         block)
        .run();
  });
}
