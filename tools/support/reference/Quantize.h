//===- Quantize.h - 8-bit activations ---------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_QUANTIZE_H
#define SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_QUANTIZE_H

#include "arguments/Tensor.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace sparseflow::tools {

/// Rounds the `count` values of a token to integers of -127 to 127, in place,
/// and returns their scale, by the rule of a manifest's "quantize" step
/// (docs/formats/bundle.md). A token with a NaN or an infinity becomes zeros
/// and the scale NaN.
inline float quantizeToken(float *values, int64_t count) {
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

/// The same for a token that is rounded to its type first, `nudge` added.
template <typename Scalar>
float quantizeStored(Scalar *values, int64_t count, DType stored,
                     double nudge) {
  std::vector<float> token(count);
  for (int64_t i = 0; i < count; ++i)
    token[i] = static_cast<float>(values[i] + nudge);
  roundTo(stored, token.data(), token.size());
  float scale = quantizeToken(token.data(), count);
  std::copy(token.begin(), token.end(), values);
  return scale;
}

/// Of the finite ones; 0 of none.
template <typename Scalar>
double rootMeanSquare(const std::vector<Scalar> &values) {
  double squares = 0, count = 0;
  for (Scalar value : values)
    if (std::isfinite(value)) {
      squares += static_cast<double>(value) * static_cast<double>(value);
      ++count;
    }
  return count ? std::sqrt(squares / count) : 0;
}

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_QUANTIZE_H
