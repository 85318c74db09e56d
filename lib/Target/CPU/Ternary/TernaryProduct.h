//===- TernaryProduct.h - Marks on generics that read trits -----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// sparseflow-cpu-lower-ternary writes some ops that read packed bytes as
// linalg.generic whose bodies read them one by one, and marks them:
// sparseflow-cpu-ternary-product rewrites marked ops on buffers to vector
// loops. Without that pass they are slow and mean the same.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_TARGET_CPU_TERNARY_TERNARYPRODUCT_H
#define SPARSEFLOW_LIB_TARGET_CPU_TERNARY_TERNARYPRODUCT_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace mlir::sparseflow::cpu {

/// On the sums x[.., t, k] * trit[n, k] in i32 of one plane: the storage.
inline constexpr llvm::StringLiteral kTernarySums = "sparseflow.ternary_sums";
/// On the scales of the rows of one plane, f32: the storage.
inline constexpr llvm::StringLiteral kTernaryScales =
    "sparseflow.ternary_scales";
/// Beside either: the number of the plane.
inline constexpr llvm::StringLiteral kTernaryPlane = "sparseflow.ternary_plane";

/// Sums are kept four times as large, and have 32 bits: 4 * 2 * 128 * K.
inline constexpr int64_t kMaxTernaryDepth = int64_t(1) << 20;

} // namespace mlir::sparseflow::cpu

#endif // SPARSEFLOW_LIB_TARGET_CPU_TERNARY_TERNARYPRODUCT_H
