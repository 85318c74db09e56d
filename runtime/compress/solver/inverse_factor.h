//===- inverse_factor.h - The factor that spreads errors --------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_COMPRESS_SOLVER_INVERSE_FACTOR_H
#define SPARSEFLOW_RT_COMPRESS_SOLVER_INVERSE_FACTOR_H

#include "common/status.h"

#include <cstdint>
#include <vector>

namespace sparseflow::rt::compress {

/// H with `share` of the mean of its diagonal added to it. Inputs that are
/// always zero get a one.
std::vector<float> dampedProducts(const float *products, int64_t k,
                                  double share);

/// The upper triangular U with U^T U = (H + damping)^-1. For any i, the block
/// of rows and columns from i on gives the inverse of H restricted to the
/// columns from i on, which is why one factor serves the whole sweep.
class InverseFactor {
public:
  /// `products`: H, row-major [k][k], symmetric. Fails where H stays singular
  /// however damped.
  static Expected<InverseFactor> create(const float *products, int64_t k,
                                        double damping);

  /// U(row, column); column >= row.
  float at(int64_t row, int64_t column) const {
    return upper[row + column * size];
  }
  /// U(row, column), U(row + 1, column) ... as adjacent numbers.
  const float *columnFrom(int64_t row, int64_t column) const {
    return upper.data() + row + column * size;
  }
  int64_t columns() const { return size; }
  /// As a share of the mean diagonal; at least what was asked for.
  double damping() const { return used; }

private:
  std::vector<float> upper;
  int64_t size = 0;
  double used = 0;
};

} // namespace sparseflow::rt::compress

#endif // SPARSEFLOW_RT_COMPRESS_SOLVER_INVERSE_FACTOR_H
