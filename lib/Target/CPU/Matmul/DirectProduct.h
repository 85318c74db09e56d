//===- DirectProduct.h - Products that read weights in place ----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Few rows cost what reading the weight costs, so these kernels read it where
// it lies and in the type it has, and widen it in registers. Two forms: b [n,
// k] is read along k, whose sums stand side by side in a vector until the end,
// for any number of rows; b [k, n] is read along n, in the order of sums that
// the kernel for packed panels has. In both a row's sums do not depend on other
// rows.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_TARGET_CPU_MATMUL_DIRECTPRODUCT_H
#define SPARSEFLOW_LIB_TARGET_CPU_MATMUL_DIRECTPRODUCT_H

#include "Target/CPU/Transforms/IndexBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::sparseflow::cpu {

/// A kernel for `rows` rows of a, which meet `together` rows of b (or vectors
/// of columns) at a time, and a weight of `element`.
struct DirectShape {
  int64_t rows, together, lanes;
  Type element;
  /// b is stored [k, n].
  bool bIsTransposed;
  /// Weights that are zero contribute nothing.
  bool skipZeroWeights;
  /// How far ahead of what it reads a kernel asks for memory; 0: not at all.
  int64_t prefetchBytes;

  /// Columns of c of one call.
  int64_t columns() const;
  std::string symbol() const;
};

/// The kernel of `shape` in `module`, created at first use:
///
///   kernel(a: memref<? x ? x f32>, b: memref<? x ? x element>,
///          c: memref<? x ? x f32>, m, n, k0, k1)
///
/// with rows of any pitch, whose elements are neighbours. Adds the product over
/// k0 <= k < k1 to rows m .. m + rows - 1 of c, all of which exist, and to its
/// columns from n on, as many as a call has and c has left.
func::FuncOp getOrCreateDirectKernel(ModuleOp module, const DirectShape &shape);

} // namespace mlir::sparseflow::cpu

#endif // SPARSEFLOW_LIB_TARGET_CPU_MATMUL_DIRECTPRODUCT_H
