//===- projection.h - What a column may become ------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A projection maps weights to the nearest that a storage holds. It works on a
// slab: some rows of the matrix, transposed, so that a column of the layer is
// `rows` adjacent numbers. Each thread has projections of its own.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_COMPRESS_PROJECTIONS_PROJECTION_H
#define SPARSEFLOW_RT_COMPRESS_PROJECTIONS_PROJECTION_H

#include "compress/compress.h"
#include "compress/solver/inverse_factor.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace sparseflow::rt::compress {

/// Columns of a slab as they are now: column c begins at weights + c * rows.
struct SlabColumns {
  const float *weights;
  int64_t rows;
  /// Of the layer: the first of these columns, and how many there are.
  int64_t first, count;
};

/// What the inputs say about columns.
struct ColumnStatistics {
  /// Roots of the diagonal of H, or null: all columns count alike.
  const float *inputRms = nullptr;
  /// Of the damped H, or null: no feedback.
  const InverseFactor *factor = nullptr;
};

class Projection {
public:
  virtual ~Projection();
  /// It looks at so many columns at once, from a multiple of that number on.
  virtual int64_t groupColumns() const = 0;
  /// Decides what a group shares (which columns stay, the scales), from its
  /// weights. The last group of a layer may be shorter.
  virtual void begin(const SlabColumns &group) = 0;
  /// Maps column `column` of the group that was begun, in place.
  virtual void project(int64_t column, float *values, int64_t rows) = 0;
};

/// Keeps `format.keep` of every `format.group` columns.
std::unique_ptr<Projection> createPattern(const Format &format,
                                          const ColumnStatistics &statistics,
                                          int64_t rows);
/// Integers or trits with scales; `k` columns a row. For sparse weights the
/// scales count only the largest share that the pattern keeps.
std::unique_ptr<Projection> createIntegerGrid(const Format &format, int64_t k,
                                              int64_t rows);
std::unique_ptr<Projection> createTernaryGrid(const Format &format, int64_t k,
                                              int64_t rows);

/// Those of `format`, in the order in which they apply.
std::vector<std::unique_ptr<Projection>>
createProjections(const Format &format, const ColumnStatistics &statistics,
                  int64_t k, int64_t rows);

/// The nearest f16 number: what a stored scale is.
inline float toHalf(float value) {
  return static_cast<float>(static_cast<_Float16>(value));
}

} // namespace sparseflow::rt::compress

#endif // SPARSEFLOW_RT_COMPRESS_PROJECTIONS_PROJECTION_H
