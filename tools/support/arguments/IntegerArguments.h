//===- IntegerArguments.h - What random integers may be -----------*- C++
//-*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_INTEGERARGUMENTS_H
#define SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_INTEGERARGUMENTS_H

#include "run/Manifest.h"

namespace sparseflow::tools {

/// Shapes by value, as far as they are known; others are empty.
using ValueShapes = std::vector<std::vector<int64_t>>;

/// A dimension of a value; -1 where it is not known.
int64_t sizeOf(const ValueShapes &shapes, int value, size_t dim);

/// The largest number that makes sense in the argument `index`, of integers:
/// 1 where nothing says more, as in masks.
int64_t largestInteger(const Function &function, const Reference &reference,
                       const ValueShapes &shapes, size_t index);

/// Whether attention takes the argument as cumulative lengths.
bool isCumulative(const Reference &reference, size_t index);

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_INTEGERARGUMENTS_H
