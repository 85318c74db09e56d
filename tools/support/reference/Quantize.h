//===- Quantize.h - 8-bit activations ---------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_QUANTIZE_H
#define SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_QUANTIZE_H

#include <cstdint>

namespace sparseflow::tools {

/// Rounds the `count` values of a token to integers of -127 to 127, in place,
/// and returns their scale, by the rule of a manifest's "quantize" step
/// (docs/formats/bundle.md). A token with a NaN or an infinity becomes zeros
/// and the scale NaN.
float quantizeToken(float *values, int64_t count);

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_QUANTIZE_H
