//===- output_error.cpp - What a layer's outputs lose
//----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compress/solver/output_error.h"

#include <algorithm>
#include <cblas.h>
#include <cmath>
#include <vector>

using namespace sparseflow::rt;
using namespace sparseflow::rt::compress;

/// Rows whose products with H are held at once.
static constexpr int64_t kChunk = 256;

/// Sum over rows of v^T H v; `product` has room for kChunk rows.
static double energy(const float *rows, int64_t count, int64_t k,
                     const Moments &moments, std::vector<float> &product) {
  double sum = 0;
  if (!moments.products) {
    for (int64_t i = 0; i < count * k; ++i)
      sum += double(rows[i]) * rows[i] *
             (moments.diagonal ? moments.diagonal[i % k] : 1);
    return sum;
  }
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, count, k, k, 1, rows,
              k, moments.products, k, 0, product.data(), k);
  for (int64_t i = 0; i < count * k; ++i)
    sum += double(product[i]) * rows[i];
  return sum;
}

double sparseflow::rt::compress::outputError(const float *before,
                                             const float *now, int64_t n,
                                             int64_t k,
                                             const Moments &moments) {
  std::vector<float> product(moments.products ? kChunk * k : 0);
  std::vector<float> difference(kChunk * k);
  double lost = 0, whole = 0;
  for (int64_t first = 0; first < n; first += kChunk) {
    int64_t count = std::min(kChunk, n - first);
    const float *old = before + first * k;
    std::transform(old, old + count * k, now + first * k, difference.begin(),
                   [](float a, float b) { return a - b; });
    lost += energy(difference.data(), count, k, moments, product);
    whole += energy(old, count, k, moments, product);
  }
  if (whole <= 0)
    return lost > 0 ? 1 : 0;
  // Rounding may leave a sum of squares a little below zero.
  return std::sqrt(std::max(lost, 0.0) / whole);
}
