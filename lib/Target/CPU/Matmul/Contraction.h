//===- Contraction.h - Recognise x * w^T on buffers -------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_TARGET_CPU_MATMUL_CONTRACTION_H
#define SPARSEFLOW_LIB_TARGET_CPU_MATMUL_CONTRACTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::sparseflow::cpu {

/// A linalg.generic on memrefs that computes
///   c[m.., n] += sum_k f32(a[m.., k]) * f32(b[n, k])
/// with c of f32 whose rows are contiguous.
struct Contraction {
  linalg::GenericOp op;
  /// Operands of `op`; either input can play either part.
  Value a, b, c;
  /// True where `b` is stored [k, n].
  bool bIsTransposed = false;
  /// True where a weight of zero contributes nothing, whatever `a` holds there
  /// (0 * inf is not NaN then): the meaning of an N:M sparse weight.
  bool skipZeroWeights = false;

  /// The contraction that `op` computes, or nothing where it is another op or
  /// its buffers cannot be tiled: more than one m needs contiguous a and c.
  static std::optional<Contraction> match(linalg::GenericOp op);
};

} // namespace mlir::sparseflow::cpu

#endif // SPARSEFLOW_LIB_TARGET_CPU_MATMUL_CONTRACTION_H
