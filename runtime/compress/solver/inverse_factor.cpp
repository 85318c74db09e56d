//===- inverse_factor.cpp - The factor that spreads errors
//-----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compress/solver/inverse_factor.h"

#include <algorithm>
#include <string>

// LAPACK as OpenBLAS exports it; matrices are stored by columns.
extern "C" {
void spotrf_(const char *uplo, const int *n, float *a, const int *lda,
             int *info);
void spotri_(const char *uplo, const int *n, float *a, const int *lda,
             int *info);
}

using namespace sparseflow::rt;
using namespace sparseflow::rt::compress;

/// Copies the lower triangle over the upper one, in tiles that stay in cache.
static void mirrorLower(float *a, int64_t size) {
  constexpr int64_t tile = 64;
  for (int64_t j0 = 0; j0 < size; j0 += tile)
    for (int64_t i0 = j0; i0 < size; i0 += tile)
      for (int64_t j = j0; j < std::min(j0 + tile, size); ++j)
        for (int64_t i = std::max(i0, j + 1); i < std::min(i0 + tile, size);
             ++i)
          a[j + i * size] = a[i + j * size];
}

/// Turns H into U in place; false where H is not positive definite.
static bool factorize(std::vector<float> &a, int64_t size) {
  int n = static_cast<int>(size), info = 0;
  spotrf_("L", &n, a.data(), &n, &info);
  if (info != 0)
    return false;
  spotri_("L", &n, a.data(), &n, &info);
  if (info != 0)
    return false;
  mirrorLower(a.data(), size);
  spotrf_("U", &n, a.data(), &n, &info);
  return info == 0;
}

std::vector<float>
sparseflow::rt::compress::dampedProducts(const float *products, int64_t k,
                                         double share) {
  std::vector<float> damped(products, products + k * k);
  double mean = 0;
  for (int64_t i = 0; i < k; ++i)
    mean += products[i * k + i];
  mean /= k;
  for (int64_t i = 0; i < k; ++i) {
    float &diagonal = damped[i * k + i];
    diagonal = diagonal > 0 ? static_cast<float>(diagonal + share * mean) : 1;
  }
  return damped;
}

Expected<InverseFactor> InverseFactor::create(const float *products, int64_t k,
                                              double damping) {
  InverseFactor factor;
  factor.size = k;
  // The first addend for moments of which no damping was asked.
  constexpr double smallest = 1e-6;
  for (double share = damping; share <= 1;
       share = std::max(share * 10, smallest)) {
    factor.upper = dampedProducts(products, k, share);
    if (factorize(factor.upper, k)) {
      factor.used = share;
      return factor;
    }
  }
  return formatError(
      "the moments of the inputs are not positive definite, even with their "
      "mean added to the diagonal; expected the mean of x x^T over many more "
      "inputs than columns (" +
      std::to_string(k) + "): calibrate with more text");
}
