//===- convert.h - Conversions between f32, f16 and bf16 --------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_WEIGHTS_CONVERT_H
#define SPARSEFLOW_RT_WEIGHTS_CONVERT_H

#include "common/status.h"
#include "weights/dtype.h"

#include <cstdint>
#include <string>

namespace sparseflow::rt {

// Single values; exact, round to nearest, ties to even, denormals kept. A NaN
// stays a NaN. Independent of the floating-point environment.
float halfToFloat(uint16_t half);
float bfloatToFloat(uint16_t bfloat);
uint16_t floatToHalf(float value);
uint16_t floatToBfloat(float value);

struct ConvertOptions {
  /// Tensor name for error texts; may be empty.
  std::string name;
  /// Let NaN and infinity of the source through.
  bool allowNonFinite = false;
  int threads = 0;
};

/// Converts `count` elements among F32, F16 and BF16 (equal types: a copy that
/// still checks for NaN and infinity). Finite elements beyond the range of the
/// result are refused; the text has their number, and the first one's index and
/// value; `overflows`, if given, receives the number in any case.
Status convert(const void *source, sf_dtype sourceType, void *result,
               sf_dtype resultType, int64_t count,
               const ConvertOptions &options, int64_t *overflows = nullptr);

/// True if any of `count` f16 or bf16 elements is NaN or infinite.
bool anyNonFinite(const uint16_t *data, int64_t count, sf_dtype dtype);

/// The sum of squares of `count` f16 or bf16 elements. The order of additions
/// depends on `count` alone.
double sumOfSquares(const uint16_t *data, int64_t count, sf_dtype dtype);

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_WEIGHTS_CONVERT_H
