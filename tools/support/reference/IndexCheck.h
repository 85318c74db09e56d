//===- IndexCheck.h - Indices that data decide ------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_INDEXCHECK_H
#define SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_INDEXCHECK_H

#include "reference/Reference.h"
#include "reference/ReferenceShapes.h"
#include "reference/RegionEvaluator.h"

#include <mutex>
#include <type_traits>

namespace sparseflow::tools {

/// Finds the first index of a step, in the order of its result's elements, that
/// is outside of what it reads, and the argument that holds it. Kernels clamp
/// such an index; a checked run refuses it. Of the exact evaluation, without
/// rows: integers of up to 53 bits are themselves there. References outlive
/// it.
class IndexCheck {
public:
  using Values = std::vector<ReferenceResult<double>>;
  using Sources = std::vector<LoadSource<double>>;

  IndexCheck(const ReferenceCall &call, const GraphShapes &graph,
             const Values &values, const Sources &sources)
      : call(call), graph(graph), values(values), sources(sources) {}

  /// Looks at elements [first, first + count) of the result of `step`, which
  /// `region` has just evaluated for position `fold` of the reduced loops.
  /// Threads may call it at once.
  void look(const ReferenceStep &step, const RegionEvaluator<double> &region,
            int64_t first, int64_t count, int64_t fold);
  /// An error where look() found something.
  Status result() const;

private:
  /// An element of a value, and whether what was asked for is that element.
  struct Element {
    int value = -1;
    std::vector<int64_t> at;
    bool isCopied = true;
  };
  struct Found {
    const ReferenceStep *step = nullptr;
    CheckedIndex index;
    int64_t element = 0, fold = 0;
  };
  /// Evaluates one element.
  RegionEvaluator<double> evaluate(const ReferenceStep &step, int64_t element,
                                   int64_t fold,
                                   std::vector<int64_t> &loops) const;
  /// The one element that value `wanted` of an evaluated region comes from; no
  /// value where there are several, or none.
  Element sourceOf(const ReferenceStep &step,
                   const RegionEvaluator<double> &region,
                   const std::vector<int64_t> &loops, int wanted) const;
  /// The same in terms of the function's arguments.
  Element followToArgument(Element element) const;

  const ReferenceCall &call;
  const GraphShapes &graph;
  const Values &values;
  const Sources &sources;
  std::mutex mutex;
  Found first;
};

/// The plain evaluation, whose integers are rounded, checks none.
struct NoIndexCheck {
  template <typename... Parts>
  explicit NoIndexCheck(const Parts &...) {}
  template <typename... Parts>
  void look(const Parts &...) {}
  Status result() const { return Status::success(); }
};

template <typename Scalar>
using IndexCheckOf = std::conditional_t<std::is_same_v<Scalar, double>,
                                        IndexCheck, NoIndexCheck>;

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_INDEXCHECK_H
