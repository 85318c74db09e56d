//===- NonFinite.h - Infinities in products with patterns -------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_NONFINITE_H
#define SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_NONFINITE_H

#include "arguments/Tensor.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace sparseflow::tools {

/// Redoes rows of a product with a weight that has a pattern, or several
/// planes, where an infinity or a NaN meets it. The exact product is that of
/// the non-zero entries of a pattern. Kernels may multiply a zero that they
/// store, and planes one by one: the plain product is NaN wherever theirs may
/// be.
template <typename Scalar>
void meetNonFinite(const TensorSpec &weight, const std::vector<Scalar> &x,
                   const std::vector<Scalar> &w, std::vector<Scalar> &out,
                   int64_t rows, int64_t n, int64_t k) {
  constexpr bool isExact = std::is_same_v<Scalar, double>;
  bool hasPlanes = weight.isTernary() && weight.ternary.planes > 1;
  bool hasPattern = weight.encoded() ||
                    (weight.isTernary() && isTwoFour(weight.ternary.storage));
  if (isExact ? !hasPattern : !hasPlanes)
    return;
  for (int64_t row = 0; row < rows; ++row) {
    const Scalar *from = &x[row * k];
    if (std::all_of(from, from + k, [](Scalar v) { return std::isfinite(v); }))
      continue;
    if (!isExact) {
      std::fill_n(&out[row * n], n, std::numeric_limits<Scalar>::quiet_NaN());
      continue;
    }
    for (int64_t column = 0; column < n; ++column) {
      Scalar sum = 0;
      for (int64_t i = 0; i < k; ++i)
        if (Scalar entry = w[column * k + i]; entry != 0)
          sum += from[i] * entry;
      out[row * n + column] = sum;
    }
  }
}

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_NONFINITE_H
