//===- targets.h - Weights for wished outputs -------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_COMPRESS_SOLVER_TARGETS_H
#define SPARSEFLOW_RT_COMPRESS_SOLVER_TARGETS_H

#include "compress/compress.h"
#include "compress/solver/inverse_factor.h"

namespace sparseflow::rt::compress {

/// Moves row-major [n][k] `weights` to those whose outputs come nearest to
/// moments.targets, held to where they are by the damping of `factor`:
/// W + (T - W H) (H + damping)^-1. Both `products` and `targets` are there.
void moveToTargets(float *weights, int64_t n, int64_t k, const Moments &moments,
                   const InverseFactor &factor);

} // namespace sparseflow::rt::compress

#endif // SPARSEFLOW_RT_COMPRESS_SOLVER_TARGETS_H
