//===- LowerAttention.h - Attention, caches, ... as linalg ------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SPARSEFLOW_TRANSFORMS_LOWERATTENTION_H
#define SPARSEFLOW_DIALECT_SPARSEFLOW_TRANSFORMS_LOWERATTENTION_H

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::sparseflow {

/// Replaces `op` by linalg ops on f32 tensors of all scores. `k` and `v`, where
/// they are given, are read in place of the operands: tensors of f32 of the
/// same shapes, such as the values of ternary caches.
void lowerAttention(RewriterBase &rewriter, AttentionOp op, Value k = Value(),
                    Value v = Value());

/// Replaces `op` by linalg ops on f32 tensors, one for each step.
void lowerHadamard(RewriterBase &rewriter, HadamardOp op);

/// Replaces `op` by a linalg op over its rows.
void lowerSample(RewriterBase &rewriter, SampleOp op);

/// The cache that `op` makes of a dense one, as a linalg op over all of its
/// elements.
linalg::GenericOp createAppended(OpBuilder &builder, CacheAppendOp op);
/// The same of a dense cache in pages, as loops over the tokens.
Value createAppendedToPages(OpBuilder &builder, CacheAppendOp op);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_DIALECT_SPARSEFLOW_TRANSFORMS_LOWERATTENTION_H
