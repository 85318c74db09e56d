//===- Reference.h - What a function's results should be --------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Evaluates the manifest's reference graph on the CPU, in two ways:
//  * exactly, in double: the truth a device's results are measured against;
//  * plainly, in float with every stored value rounded to its type: what simple
//    code on the same inputs gives, whose error is the measure of tolerance.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_REFERENCE_H
#define SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_REFERENCE_H

#include "arguments/Tensor.h"
#include "reference/Compare.h"

#include <functional>

namespace sparseflow::tools {

/// The inputs of an evaluation.
/// What is added to tensors on the way, in units of the root mean square of
/// each (Compare.h says why).
struct Nudge {
  /// To floating-point sums of matmuls, before their epilogues.
  double sums = 0;
  /// To what steps quantize, before it is rounded to its type.
  double quantized = 0;
};

struct ReferenceCall {
  const Function &function;
  const Reference &reference;
  /// A value for each symbol of the function.
  const std::vector<int64_t> &symbols;
  /// Dense, also for encoded arguments, shaped as the function says.
  std::vector<const HostTensor *> arguments;
  /// Only these token rows (flattened leading indices of every result, each
  /// below tokenCount) if not empty.
  std::vector<int64_t> rows;
  int threads = 0;
  /// Called now and then with the share of the work that is done, from the
  /// calling thread; may be empty.
  std::function<void(double)> progress = {};
  /// The bytes of each argument that has a layout of its own, or null; may be
  /// empty where no step appends to a cache.
  std::vector<const Buffer *> packed = {};
  Nudge nudge = {};
};

/// A result; with `rows`, its shape is [rows, last dimension].
template <typename Scalar>
struct ReferenceResult {
  std::vector<int64_t> shape;
  std::vector<Scalar> data;
  /// Of an attention's exact result: how far off each element may be for the
  /// rounding of its weights (Compare.h). Else empty.
  std::vector<double> rounding = {};
};

Expected<std::vector<ReferenceResult<double>>>
evaluateExactly(const ReferenceCall &call);
Expected<std::vector<ReferenceResult<float>>>
evaluatePlainly(const ReferenceCall &call);

/// The number of token rows all results share, if rows can be evaluated apart:
/// every result has rank 2 or more and the same leading size, and each step
/// maps a row to a row.
Expected<int64_t> tokenCount(const Function &function,
                             const Reference &reference,
                             const std::vector<int64_t> &symbols);

/// Which elements of a result share errors: the features of an attention's row
/// those of its probabilities.
Expected<SharedErrors> sharedErrors(const Function &function,
                                    const Reference &reference,
                                    const std::vector<int64_t> &symbols,
                                    size_t result);

/// The work of all matmuls as if dense: 2 * T * N * K each; and the longest K.
struct WorkEstimate {
  double flops = 0;
  int64_t longestK = 0;
};
Expected<WorkEstimate> estimateWork(const Function &function,
                                    const Reference &reference,
                                    const std::vector<int64_t> &symbols);

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_REFERENCE_H
