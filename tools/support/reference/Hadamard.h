//===- Hadamard.h - Rotations by Hadamard matrices -----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_HADAMARD_H
#define SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_HADAMARD_H

#include <cstdint>
#include <vector>

namespace sparseflow::tools {

/// Rotates `data`, rows of `width` elements, in place, by the rule of a
/// manifest's "hadamard" step (docs/formats/bundle.md) in the arithmetic of
/// Scalar, float or double: every `block` elements, a power of two that divides
/// `width`. `signs`: null, or one for each element of a row.
template <typename Scalar>
void rotateRows(std::vector<Scalar> &data, const std::vector<Scalar> *signs,
                int64_t width, int64_t block, int threads);

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_HADAMARD_H
