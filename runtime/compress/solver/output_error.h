//===- output_error.h - What a layer's outputs lose -------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_COMPRESS_SOLVER_OUTPUT_ERROR_H
#define SPARSEFLOW_RT_COMPRESS_SOLVER_OUTPUT_ERROR_H

#include "compress/compress.h"

namespace sparseflow::rt::compress {

/// Report::outputError of `now` against `before`, both row-major [n][k].
double outputError(const float *before, const float *now, int64_t n, int64_t k,
                   const Moments &moments);

} // namespace sparseflow::rt::compress

#endif // SPARSEFLOW_RT_COMPRESS_SOLVER_OUTPUT_ERROR_H
