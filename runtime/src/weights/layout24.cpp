//===- layout24.cpp - The packed 2:4 layout, version 1 --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "weights/layout24.h"

#include "weights/matrix_size.h"

using namespace sparseflow::rt;

Expected<Layout24> Layout24::create(int64_t n, int64_t k) {
  std::string shape = std::to_string(n) + " x " + std::to_string(k);
  if (n < 0 || k < 0)
    return invalidArgument("a packed 2:4 matrix needs sizes >= 0, found " +
                           shape);
  if (Status status = verifyEmptySize(n, k); !status)
    return status;
  if (k % 4 != 0)
    return invalidArgument(
        "a packed 2:4 matrix needs a number of columns (in features) that is a "
        "multiple of 4, found " +
        shape + "; pad the columns with zeros");
  // The dense size and the padded blob must both be countable.
  constexpr int64_t slack = kUnitRows - 1;
  int64_t rows, cols, elements;
  if (__builtin_add_overflow(n, slack, &rows) ||
      __builtin_add_overflow(k, slack, &cols) ||
      __builtin_mul_overflow(rows, cols, &elements) || elements > INT64_MAX / 4)
    return invalidArgument("a matrix of " + shape +
                           " has more bytes than 63 bits can count");
  Layout24 layout;
  layout.n = n;
  layout.k = k;
  return layout;
}
