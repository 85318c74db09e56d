//===- support.h - Which weights of a group stay ----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_COMPRESS_SOLVER_SUPPORT_H
#define SPARSEFLOW_RT_COMPRESS_SOLVER_SUPPORT_H

#include "compress/solver/slab.h"

#include <cstdint>
#include <vector>

namespace sparseflow::rt::compress {

/// Moves the weights of one group, of kSlabRows rows, to where the layer's
/// error is least while all other weights stay: which of them are not zero,
/// and their values. Exact where at most 70 sets of columns may go (all of
/// M <= 8); beyond, columns go one after the other, and the set that was there
/// stays where that is no worse, so that the error never grows.
class Support {
public:
  /// Keeps `keep` of `group` columns, 0 < keep <= group <= 16.
  Support(int keep, int group);

  /// `products`: the group's rows and columns of the damped H, which has
  /// `stride` columns. `gradient`: (W - W') H of its columns, `values`: its
  /// columns of W', replaced; both as columns of a slab.
  void project(const float *products, int64_t stride, const float *gradient,
               float *values);

private:
  void chooseAmongAll(float *values);
  void chooseOneByOne(const float *best, float *values);
  /// Removes `dropped` columns, one at a time: those of least cost, or, where
  /// `only` is not null, those in which it is zero. Returns the cost.
  double eliminate(double *values, int dropped, const float *only) const;

  int keep, group;
  /// Columns that may go, as bits; empty where there are too many. Those that
  /// drop higher columns come first: of equal ones the higher goes.
  std::vector<uint32_t> sets;
  /// The inverse of the group's block of H, [group][group].
  std::vector<double> inverse;
  /// What each set takes: the inverse of its block of `inverse`, [set][][].
  std::vector<double> costs;
};

} // namespace sparseflow::rt::compress

#endif // SPARSEFLOW_RT_COMPRESS_SOLVER_SUPPORT_H
