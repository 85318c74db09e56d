//===- TernaryLookup.h - Sums of trits out of tables ------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_TARGET_CPU_TERNARY_TERNARYLOOKUP_H
#define SPARSEFLOW_LIB_TARGET_CPU_TERNARY_TERNARYLOOKUP_H

#include "Target/CPU/Matmul/DotProduct.h"
#include "Target/CPU/Transforms/IndexBuilder.h"

namespace mlir::sparseflow::cpu {

/// A product of 8-bit activations and one plane of tern.v1.
struct TernaryOperands {
  /// memref<?xi8>: the packed bytes of the weight.
  Value bytes;
  /// memref<?xi8>: the activations of each token in the order of the trits,
  /// whole units of 128 columns, zeros behind the last column.
  Value ordered;
  /// memref<?xi32>: the sum of each token's activations.
  Value sums;
  /// memref<T x N x i32>: what the sums are added to.
  Value y;
  int64_t n, k, planes, plane;
};

/// Tokens of a group: lookups are made for whole groups.
inline constexpr int64_t kLookupGroup = 8;

/// Adds the sums of the first `tokens` tokens, a multiple of kLookupGroup, to
/// y. Exact for any 8-bit activations.
void emitLookups(const IndexBuilder &ib, const TernaryOperands &operands,
                 DotKind dot, Value tokens);

} // namespace mlir::sparseflow::cpu

#endif // SPARSEFLOW_LIB_TARGET_CPU_TERNARY_TERNARYLOOKUP_H
