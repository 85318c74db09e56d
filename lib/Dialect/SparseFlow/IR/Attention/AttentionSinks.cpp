//===- AttentionSinks.cpp - Entries of the softmax without values ---------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionSinks.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::sparseflow;

LogicalResult mlir::sparseflow::verifySinks(AttentionOp op) {
  Value sinks = op.getSinkLogits();
  if (!sinks)
    return success();
  auto type = cast<RankedTensorType>(sinks.getType());
  auto expected = RankedTensorType::get({op.getQueryHeads()},
                                        Float32Type::get(op.getContext()));
  if (type != expected)
    return op.emitOpError("expected sink_logits to be one f32 for each query "
                          "head, a ")
           << expected << ", found " << type << "; convert or cast it";
  return success();
}

namespace {
/// Sinks of -inf add nothing to any sum.
struct DropIdleSinks : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    SplatElementsAttr splat;
    if (!op.getSinkLogits() ||
        !matchPattern(op.getSinkLogits(), m_Constant(&splat)))
      return rewriter.notifyMatchFailure(op, "no constant sinks");
    APFloat logit = splat.getSplatValue<APFloat>();
    if (!logit.isInfinity() || !logit.isNegative())
      return rewriter.notifyMatchFailure(op, "the sinks count");
    rewriter.modifyOpInPlace(op, [&] { op.getSinkLogitsMutable().clear(); });
    return success();
  }
};
} // namespace

void mlir::sparseflow::populateSinkPatterns(RewritePatternSet &patterns) {
  patterns.add<DropIdleSinks>(patterns.getContext());
}
