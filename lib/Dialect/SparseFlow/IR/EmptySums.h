//===- EmptySums.h - Ops that have nothing to add up ------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Canonicalizations of ops whose sums have no terms by their static sizes. No
// kernel, device or reference has to know of K = 0 behind them.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_IR_EMPTYSUMS_H
#define SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_IR_EMPTYSUMS_H

namespace mlir {
class RewritePatternSet;
}

namespace mlir::sparseflow {

/// A matmul with K = 0 becomes its epilogue of zero, a linalg.generic.
void populateEmptyMatmulPatterns(RewritePatternSet &patterns);
/// Attention with no keys, or no queries, becomes linalg.fill.
void populateEmptyAttentionPatterns(RewritePatternSet &patterns);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_IR_EMPTYSUMS_H
