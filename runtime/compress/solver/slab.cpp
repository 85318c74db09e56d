//===- slab.cpp - Some rows, transposed -----------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compress/solver/slab.h"

#include <algorithm>

using namespace sparseflow::rt::compress;

void sparseflow::rt::compress::transposeIn(const float *matrix, int64_t rows,
                                           int64_t k, float *slab) {
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < k; ++c)
      slab[c * kSlabRows + r] = matrix[r * k + c];
}

void sparseflow::rt::compress::transposeOut(const float *slab, int64_t rows,
                                            int64_t k, float *matrix) {
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < k; ++c)
      matrix[r * k + c] = slab[c * kSlabRows + r];
}

#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define SPARSEFLOW_VECTOR_CLONES                                               \
  __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define SPARSEFLOW_VECTOR_CLONES
#endif

SPARSEFLOW_VECTOR_CLONES static void subtractColumns(float *column,
                                                     const float *factors,
                                                     const float *columns,
                                                     int64_t count) {
  float sums[kSlabRows];
  std::copy(column, column + kSlabRows, sums);
  for (int64_t i = 0; i < count; ++i)
    for (int64_t r = 0; r < kSlabRows; ++r)
      sums[r] -= factors[i] * columns[i * kSlabRows + r];
  std::copy(sums, sums + kSlabRows, column);
}

void sparseflow::rt::compress::subtract(float *column, const float *factors,
                                        const float *columns, int64_t count) {
  subtractColumns(column, factors, columns, count);
}
