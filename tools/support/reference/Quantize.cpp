//===- Quantize.cpp - 8-bit activations -----------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "reference/Quantize.h"

#include <algorithm>
#include <cmath>

float sparseflow::tools::quantizeToken(float *values, int64_t count) {
  float largest = 1e-5f;
  bool finite = true;
  for (int64_t i = 0; i < count; ++i) {
    finite &= std::isfinite(values[i]);
    largest = std::max(largest, std::fabs(values[i]));
  }
  if (!finite) {
    std::fill_n(values, count, 0.0f);
    return NAN;
  }
  float inverse = 127.0f / largest;
  for (int64_t i = 0; i < count; ++i)
    values[i] =
        std::clamp(std::nearbyint(values[i] * inverse), -127.0f, 127.0f);
  return largest / 127.0f;
}
