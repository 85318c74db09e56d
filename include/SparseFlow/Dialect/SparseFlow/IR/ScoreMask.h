//===- ScoreMask.h - Which keys a score region leaves out -------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A score region may yield -inf for keys that a query does not see: a causal
// mask, a window, a prefix, written as comparisons of the query's and the key's
// index. Here is which pairs of a query and a key may have another score, so
// that the others need not be visited. The sets are never too small: what is
// not understood leaves nothing out, nor does a large negative number, which a
// row of nothing else does not forget.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SPARSEFLOW_IR_SCOREMASK_H
#define SPARSEFLOW_DIALECT_SPARSEFLOW_IR_SCOREMASK_H

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

namespace mlir::sparseflow {

/// The pairs of a query i and a key j, counted as a score region counts them,
/// that all of these bounds hold, each inclusive.
struct PairRange {
  /// Beyond every index, and every difference of two: no bound.
  static constexpr int64_t kFar = int64_t(1) << 40;

  int64_t firstQuery = 0, lastQuery = kFar;
  int64_t firstKey = 0, lastKey = kFar;
  /// Of j - i.
  int64_t leastOffset = -kFar, mostOffset = kFar;

  static bool isBound(int64_t bound) { return std::abs(bound) < kFar / 2; }
  bool isEmpty() const {
    return firstQuery > lastQuery || firstKey > lastKey ||
           leastOffset > mostOffset;
  }
  bool contains(const PairRange &other) const;
  /// The pairs of both, with bounds that no other bound implies to be less.
  PairRange operator&(const PairRange &other) const;
  /// The least range that holds both.
  PairRange operator|(const PairRange &other) const;
};

/// The pairs of any of a few ranges; none of them: no pair.
using PairRanges = SmallVector<PairRange, 4>;

/// By how many keys a query's position is behind its index, where that is known
/// and the same for all sequences.
std::optional<int64_t> getPositionShift(AttentionOp op);

/// The pairs that sizes and masks of the op leave, as far as these are known.
PairRange getPairsOfMasks(AttentionOp op);

/// Of these the pairs whose score may be something other than -inf.
PairRanges getSeenPairs(AttentionOp op);

/// Of `conditions` (i1) in the op's score region those that have one value for
/// all pairs that its masks leave, and that value.
SmallVector<std::pair<Value, bool>> getKnownTruths(AttentionOp op,
                                                   ValueRange conditions);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_DIALECT_SPARSEFLOW_IR_SCOREMASK_H
