//===- refit.h - Descent over the groups of a pattern -----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_COMPRESS_SOLVER_REFIT_H
#define SPARSEFLOW_RT_COMPRESS_SOLVER_REFIT_H

#include "compress/compress.h"

namespace sparseflow::rt::compress {

/// Improves `weights`, row-major [n][k], which hold an N:M pattern, as an
/// approximation of `wanted`: `sweeps` times each group in turn is put where
/// (W - W') H (W - W')^T is least while the others stay. `products`: H, damped,
/// [k][k]. `block`: columns after which the others learn of it, a multiple of
/// the group.
void refit(const float *wanted, float *weights, int64_t n, int64_t k,
           const Format &format, const float *products, int sweeps,
           int64_t block, int threads);

} // namespace sparseflow::rt::compress

#endif // SPARSEFLOW_RT_COMPRESS_SOLVER_REFIT_H
