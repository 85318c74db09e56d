//===- Hadamard.cpp - Rotations by Hadamard matrices ---------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "reference/Hadamard.h"

#include "common/parallel.h"

#include <cmath>

template <typename Scalar>
void sparseflow::tools::rotateRows(std::vector<Scalar> &data,
                                   const std::vector<Scalar> *signs,
                                   int64_t width, int64_t block, int threads) {
  if (width == 0)
    return;
  auto scale = static_cast<Scalar>(1 / std::sqrt(static_cast<double>(block)));
  int64_t rows = static_cast<int64_t>(data.size()) / width;
  rt::parallelFor(rows, threads, [&](int64_t row) {
    Scalar *v = &data[row * width];
    if (signs)
      for (int64_t i = 0; i < width; ++i)
        v[i] *= (*signs)[i];
    // Pairs do not reach beyond their block.
    for (int64_t half = 1; half < block; half *= 2)
      for (int64_t i = 0; i < width; ++i)
        if (!(i & half)) {
          Scalar a = v[i], b = v[i + half];
          v[i] = a + b;
          v[i + half] = a - b;
        }
    for (int64_t i = 0; i < width; ++i)
      v[i] *= scale;
  });
}

template void sparseflow::tools::rotateRows(std::vector<float> &,
                                            const std::vector<float> *, int64_t,
                                            int64_t, int);
template void sparseflow::tools::rotateRows(std::vector<double> &,
                                            const std::vector<double> *,
                                            int64_t, int64_t, int);
