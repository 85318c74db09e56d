//===- refit.cpp - Descent over the groups of a pattern -------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compress/solver/refit.h"

#include "common/parallel.h"
#include "compress/solver/support.h"

#include <algorithm>
#include <vector>

using namespace sparseflow::rt;
using namespace sparseflow::rt::compress;

namespace {

/// The descent of one slab.
class Descent {
public:
  Descent(int64_t k, const Format &format, const float *products, int64_t block)
      : k(k), group(format.group), block(block), products(products),
        support(format.keep, format.group), values(k * kSlabRows),
        gradient(k * kSlabRows), changes(block * kSlabRows) {}

  void run(const float *wanted, float *weights, int64_t rows, int sweeps);

private:
  void improve(int64_t begin, int64_t end);
  /// Takes the changes of columns [begin, end) out of the gradient of columns
  /// [first, last).
  void spread(int64_t begin, int64_t end, int64_t first, int64_t last) {
    for (int64_t c = first; c < last; ++c)
      subtract(gradient.data() + c * kSlabRows, products + c * k + begin,
               changes.data(), end - begin);
  }

  int64_t k;
  int group;
  int64_t block;
  const float *products;
  Support support;
  /// Slabs: W', and (W - W') H.
  std::vector<float> values, gradient;
  /// [block][kSlabRows]: how far columns moved.
  std::vector<float> changes;
};

} // namespace

/// Each group of a block of columns in turn; those of the block learn of each
/// change at once.
void Descent::improve(int64_t begin, int64_t end) {
  for (int64_t c = begin; c < end; c += group) {
    float *now = values.data() + c * kSlabRows;
    float *change = changes.data() + (c - begin) * kSlabRows;
    int64_t size = group * kSlabRows;
    std::copy(now, now + size, change);
    support.project(products + c * k + c, k, gradient.data() + c * kSlabRows,
                    now);
    for (int64_t i = 0; i < size; ++i)
      change[i] = now[i] - change[i];
    for (int64_t other = begin; other < end; ++other)
      subtract(gradient.data() + other * kSlabRows, products + other * k + c,
               change, group);
  }
}

void Descent::run(const float *wanted, float *weights, int64_t rows,
                  int sweeps) {
  transposeIn(weights, rows, k, values.data());
  // What was wanted moved to what is there.
  std::vector<float> start(k * kSlabRows);
  transposeIn(wanted, rows, k, start.data());
  for (int64_t begin = 0; begin < k; begin += block) {
    int64_t end = std::min(begin + block, k);
    for (int64_t i = begin * kSlabRows; i < end * kSlabRows; ++i)
      changes[i - begin * kSlabRows] = values[i] - start[i];
    spread(begin, end, 0, k);
  }
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (int64_t begin = 0; begin < k; begin += block) {
      int64_t end = std::min(begin + block, k);
      improve(begin, end);
      spread(begin, end, 0, begin);
      spread(begin, end, end, k);
    }
  transposeOut(values.data(), rows, k, weights);
}

void sparseflow::rt::compress::refit(const float *wanted, float *weights,
                                     int64_t n, int64_t k, const Format &format,
                                     const float *products, int sweeps,
                                     int64_t block, int threads) {
  parallelFor((n + kSlabRows - 1) / kSlabRows, threads, [&](int64_t index) {
    int64_t first = index * kSlabRows;
    Descent(k, format, products, block)
        .run(wanted + first * k, weights + first * k,
             std::min(kSlabRows, n - first), sweeps);
  });
}
