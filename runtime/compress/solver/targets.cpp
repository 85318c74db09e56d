//===- targets.cpp - Weights for wished outputs ---------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compress/solver/targets.h"

#include <cblas.h>
#include <vector>

using namespace sparseflow::rt;
using namespace sparseflow::rt::compress;

void sparseflow::rt::compress::moveToTargets(float *weights, int64_t n,
                                             int64_t k, const Moments &moments,
                                             const InverseFactor &factor) {
  if (n == 0)
    return;
  std::vector<float> change(moments.targets, moments.targets + n * k);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, k, k, -1, weights,
              k, moments.products, k, 1, change.data(), k);
  // A row times U^T U; rows are the columns of a matrix that is stored so.
  for (CBLAS_TRANSPOSE transpose : {CblasNoTrans, CblasTrans})
    cblas_strmm(CblasColMajor, CblasLeft, CblasUpper, transpose, CblasNonUnit,
                k, n, 1, factor.columnFrom(0, 0), k, change.data(), k);
  for (int64_t i = 0; i < n * k; ++i)
    weights[i] += change[i];
}
