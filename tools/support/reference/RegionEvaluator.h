//===- RegionEvaluator.h - Scalar regions over blocks -----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_REGIONEVALUATOR_H
#define SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_REGIONEVALUATOR_H

#include "run/Manifest.h"

#include <array>

namespace sparseflow::tools {

/// Elements a region is evaluated on at once.
constexpr int64_t regionBlock = 256;

/// A tensor that a region reads by indices it computes; not owned.
template <typename Scalar>
struct LoadSource {
  const Scalar *data = nullptr;
  const std::vector<int64_t> *shape = nullptr;
};

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

  /// What regions with loads, sizes or indices need: values by number, and the
  /// function's symbols. Both outlive the evaluator.
  void setContext(const std::vector<LoadSource<Scalar>> &values,
                  const std::vector<int64_t> &sizes) {
    sources = &values;
    symbols = &sizes;
  }
  /// Loop `loop` has the value `index` for the whole next block, or, where it
  /// is the loop that runs along the block, for its first element.
  void setLoop(size_t loop, int64_t index) { loops[loop] = index; }
  /// The loop that runs along a block, or -1.
  void setInnerLoop(int loop) { inner = loop; }

  /// Where the caller puts regionBlock values of input `index`.
  Scalar *input(int index) { return &values[index * regionBlock]; }
  /// Evaluates the first `count` elements; the results stay valid until the
  /// next call.
  const Scalar *run(int64_t count);
  /// After run(): what value `index` of the region is.
  const Scalar *value(int index) const { return &values[index * regionBlock]; }

private:
  void apply(const RegionOp &op, Scalar *out, int64_t count);
  void load(const RegionOp &op, Scalar *out, int64_t count);

  const Region &region;
  DType truncType;
  std::vector<Scalar> values;
  const std::vector<LoadSource<Scalar>> *sources = nullptr;
  const std::vector<int64_t> *symbols = nullptr;
  /// Those of a result and of a reduction.
  std::array<int64_t, 2 * rt::ManifestLimits::rank> loops = {};
  int inner = -1;
};

extern template class RegionEvaluator<double>;
extern template class RegionEvaluator<float>;

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_REGIONEVALUATOR_H
