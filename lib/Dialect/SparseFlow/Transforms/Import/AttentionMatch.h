//===- AttentionMatch.h - What of a program is an attention -----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// softmax(scores) v, as loops: every tensor on the way is read by the loops of
// the matmul with the values, whatever transposes, reshapes and conversions
// stand between. That names each of its dimensions: batch entry, head, query,
// key, feature.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_TRANSFORMS_IMPORT_ATTENTIONMATCH_H
#define SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_TRANSFORMS_IMPORT_ATTENTIONMATCH_H

#include "Dialect/SparseFlow/Transforms/Views.h"

namespace mlir::sparseflow {

/// An elementwise op on the scores.
struct ScoreStep {
  linalg::LinalgOp op;
  /// The operand through which the scores come in.
  OpOperand *through;
  /// What each loop of the op is.
  SmallVector<int64_t> loops;
};

/// What an attention reads: four dimensions, or less where batch entries or
/// heads are one; `value` collapsed by `groups`, where there are any.
struct AttentionSource {
  Value value;
  SmallVector<ReassociationIndices> groups;
};

struct AttentionMatch {
  AttentionSource q, k, v;
  AttentionLayout layout = AttentionLayout::Bhsd;
  /// Factors that were found on queries and keys.
  double scale = 1;
  /// The last one first.
  SmallVector<ScoreStep> steps;
  /// The loops of batch entries and heads (kUnitIndex where there is one), of
  /// queries, keys, and the values' features.
  int64_t batch = kUnitIndex, head = kUnitIndex, query = 0, key = 0,
          feature = 0;
  LoopSplits splits;
  /// What the result of the matmul is read by.
  SmallVector<int64_t> result;

  /// The letter of "bhqk" for a loop; 0 for another one.
  char getLetter(int64_t loop) const;
  /// The loops of the attention's result, in its layout.
  SmallVector<int64_t> getResultLoops() const;
};

/// The attention that ends with the matmul `op`. `reason` says why there is
/// none where it looks like one.
std::optional<AttentionMatch> matchAttention(linalg::LinalgOp op,
                                             std::string &reason);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_TRANSFORMS_IMPORT_ATTENTIONMATCH_H
