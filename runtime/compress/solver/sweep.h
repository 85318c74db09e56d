//===- sweep.h - Columns from left to right ---------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_COMPRESS_SOLVER_SWEEP_H
#define SPARSEFLOW_RT_COMPRESS_SOLVER_SWEEP_H

#include "compress/projections/projection.h"

namespace sparseflow::rt::compress {

/// Projects the columns of row-major [n][k] `weights` from left to right, in
/// place. With a factor in `statistics` each column's error is spread over the
/// columns to its right; within `block` columns at once, behind it when the
/// block is done.
void sweep(float *weights, int64_t n, int64_t k, const Format &format,
           const ColumnStatistics &statistics, int64_t block, int threads);

} // namespace sparseflow::rt::compress

#endif // SPARSEFLOW_RT_COMPRESS_SOLVER_SWEEP_H
