//===- ReferenceShapes.h - Shapes and row slices ----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_REFERENCESHAPES_H
#define SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_REFERENCESHAPES_H

#include "reference/Reference.h"

namespace sparseflow::tools {

/// How much of a value an evaluation of single token rows needs.
enum class Demand : uint8_t {
  None,
  /// The whole value.
  All,
  /// [..., T, X] -> [rows, X].
  Rows,
  /// [..., T] -> [rows].
  Tokens
};

struct GraphShapes {
  /// By value; empty vectors for values no step defines.
  std::vector<std::vector<int64_t>> shapes;
  /// Type each value is stored in.
  std::vector<DType> types;
};

/// Shapes of all values, with every step's operands checked against them.
Expected<GraphShapes> inferShapes(const Function &function,
                                  const Reference &reference,
                                  const std::vector<int64_t> &symbols);

/// What each value must hold when only rows of the results are wanted, or an
/// error when a step mixes rows.
Expected<std::vector<Demand>> inferDemands(const Reference &reference,
                                           const GraphShapes &shapes);

/// Product of all sizes but the last; 1 for rank 0 and 1.
int64_t leadingSize(const std::vector<int64_t> &shape);
/// The last size; 1 for rank 0.
int64_t lastSize(const std::vector<int64_t> &shape);
int64_t totalSize(const std::vector<int64_t> &shape);

/// About the operations of a step for each row of its result.
double workOfRow(const ReferenceStep &step, const GraphShapes &graph,
                 const std::vector<int64_t> &symbols);

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_REFERENCESHAPES_H
