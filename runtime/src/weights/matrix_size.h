//===- matrix_size.h - Sizes of matrices without elements -------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_WEIGHTS_MATRIX_SIZE_H
#define SPARSEFLOW_RT_WEIGHTS_MATRIX_SIZE_H

#include "common/status.h"

#include <algorithm>
#include <cstdint>

namespace sparseflow::rt {

/// A matrix without elements has no bytes that a file could lack, so nothing
/// but this bounds its rows, which cost time and have scales.
constexpr int64_t kMaxEmptySize = 1 << 16;

/// Refuses a matrix [n, k] without elements whose other size has no bound.
inline Status verifyEmptySize(int64_t n, int64_t k) {
  if (std::min(n, k) > 0 || std::max(n, k) <= kMaxEmptySize)
    return Status::success();
  return invalidArgument("a matrix without elements has at most " +
                         std::to_string(kMaxEmptySize) +
                         " rows or columns, found " + std::to_string(n) +
                         " x " + std::to_string(k));
}

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_WEIGHTS_MATRIX_SIZE_H
