//===- RegionEvaluator.h - Scalar regions over blocks -----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_REGIONEVALUATOR_H
#define SPARSEFLOW_TOOLS_SUPPORT_REGIONEVALUATOR_H

#include "Manifest.h"

namespace sparseflow::tools {

/// Elements a region is evaluated on at once.
constexpr int64_t regionBlock = 256;

/// Evaluates a region in `Scalar` arithmetic, operation by operation over a
/// block. With double, extf and truncf do nothing: the exact reference. With
/// float, truncf rounds to its type: the plain low-precision reference. One
/// object belongs to one thread.
template <typename Scalar>
class RegionEvaluator {
public:
  /// `truncType` is what a truncf without a type rounds to. `region` must
  /// outlive the evaluator.
  RegionEvaluator(const Region &region, DType truncType);

  /// Where the caller puts regionBlock values of input `index`.
  Scalar *input(int index) { return &values[index * regionBlock]; }
  /// Evaluates the first `count` elements; the results stay valid until the
  /// next call.
  const Scalar *run(int64_t count);

private:
  void apply(const RegionOp &op, Scalar *out, int64_t count);

  const Region &region;
  DType truncType;
  std::vector<Scalar> values;
};

extern template class RegionEvaluator<double>;
extern template class RegionEvaluator<float>;

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_REGIONEVALUATOR_H
