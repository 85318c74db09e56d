//===- RaiseScoreMask.cpp - Masks of score regions as attributes ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   score { select(j <= i, x, -inf) }  ->  score { x } {causal}
//
// in two steps, of which each holds alone. A key that the region leaves out may
// be left out by an attribute, too, as long as no other is; and a comparison
// that has one value for all keys that the attributes leave is that value. What
// only looks like such a mask loses nothing.
//
//===----------------------------------------------------------------------===//

#include "RaiseScoreMask.h"

#include "SparseFlow/Dialect/SparseFlow/IR/ScoreMask.h"
#include "SparseFlow/Support/Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::sparseflow;

namespace {
struct RaiseScoreMask : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasScore())
      return rewriter.notifyMatchFailure(op, "no score region");
    std::optional<int64_t> shift = getPositionShift(op);
    if (!shift)
      return rewriter.notifyMatchFailure(op, "positions are not known");
    PairRanges seen = getSeenPairs(op);
    // A region that sees nothing stays what it is.
    if (seen.empty())
      return rewriter.notifyMatchFailure(op, "no key is seen");
    PairRange masks = getPairsOfMasks(op), all = seen.front();
    for (const PairRange &range : seen)
      all = all | range;
    // A region that leaves fewer keys bounds them itself.
    bool causal = all.mostOffset == *shift && masks.mostOffset > *shift;
    // Keys behind p - w; before p + w all are left.
    int64_t window = *shift - all.leastOffset + 1;
    bool hasWindow =
        PairRange::isBound(all.leastOffset) &&
        all.leastOffset > masks.leastOffset && window >= 1 &&
        all.mostOffset < *shift + window &&
        (!op.getWindow() || static_cast<uint64_t>(window) < *op.getWindow());
    if (causal || hasWindow) {
      Remark remark = explain(op, "mask");
      remark << "the score region is -inf ";
      if (causal)
        remark << "behind a query's own key: causal";
      if (causal && hasWindow)
        remark << ", and ";
      if (hasWindow)
        remark << window
               << " or more keys before a query's own: window = " << window;
      rewriter.modifyOpInPlace(op, [&] {
        if (causal)
          op.setCausal(true);
        if (hasWindow)
          op.setWindow(window);
      });
    }
    bool isKnown = simplifyComparisons(op, rewriter);
    return success(causal || hasWindow || isKnown);
  }

  static bool simplifyComparisons(AttentionOp op, PatternRewriter &rewriter) {
    SmallVector<Value> comparisons(
        op.getScore().front().getOps<arith::CmpIOp>());
    SmallVector<std::pair<Value, bool>> known = getKnownTruths(op, comparisons);
    for (auto [compare, truth] : known) {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPoint(compare.getDefiningOp());
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(
          compare.getDefiningOp(), rewriter.getBoolAttr(truth));
    }
    return !known.empty();
  }
};
} // namespace

void mlir::sparseflow::populateScoreMaskPatterns(RewritePatternSet &patterns) {
  patterns.add<RaiseScoreMask>(patterns.getContext());
}
