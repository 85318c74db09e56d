//===- slab.h - Some rows, transposed ---------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A slab is kSlabRows rows of a layer, transposed, so that a column of it is
// adjacent numbers: [k][kSlabRows]. Rows that the layer does not have are zero.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_COMPRESS_SOLVER_SLAB_H
#define SPARSEFLOW_RT_COMPRESS_SOLVER_SLAB_H

#include <cstdint>

namespace sparseflow::rt::compress {

/// A column is four cache lines, and the errors of a block of 128 columns stay
/// in the first-level cache.
inline constexpr int64_t kSlabRows = 64;

/// Row-major [rows][k] `matrix`, rows <= kSlabRows, into or out of a slab.
void transposeIn(const float *matrix, int64_t rows, int64_t k, float *slab);
void transposeOut(const float *slab, int64_t rows, int64_t k, float *matrix);

/// column -= sum over i < count of factors[i] * columns[i], whose columns are
/// adjacent.
void subtract(float *column, const float *factors, const float *columns,
              int64_t count);

} // namespace sparseflow::rt::compress

#endif // SPARSEFLOW_RT_COMPRESS_SOLVER_SLAB_H
