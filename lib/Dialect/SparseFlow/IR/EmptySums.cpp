//===- EmptySums.cpp - Ops that have nothing to add up --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmptySums.h"

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::sparseflow;

/// The dimensions of a result [..., T, N] of `rank` that an operand has.
static AffineMap mapOf(Broadcast broadcast, unsigned rank, MLIRContext *c) {
  AffineMap all = AffineMap::getMultiDimIdentityMap(rank, c);
  switch (broadcast) {
  case Broadcast::PerFeature:
    return all.getSliceMap(rank - 1, 1);
  case Broadcast::PerToken:
    return all.getSliceMap(0, rank - 1);
  case Broadcast::Full:
    return all;
  case Broadcast::Scalar:
    return AffineMap::get(rank, 0, c);
  }
  llvm_unreachable("unknown broadcast");
}

namespace {
/// matmul(x : [..., T, 0], w : [N, 0]) { epilogue }
///   ->  linalg.generic { epilogue of 0 }
struct MatmulOfNothing : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getK() != 0)
      return rewriter.notifyMatchFailure(op, "there are products to add up");
    Location loc = op.getLoc();
    ReifiedRankedShapedTypeDims shapes;
    if (failed(op.reifyResultShapes(rewriter, shapes)))
      return rewriter.notifyMatchFailure(op, "the shape is unknown");
    RankedTensorType type = op.getResultType();
    Value init = tensor::EmptyOp::create(rewriter, loc, shapes.front(),
                                         type.getElementType());
    unsigned rank = type.getRank();
    SmallVector<AffineMap> maps =
        llvm::map_to_vector(op.getBroadcastList(), [&](Broadcast broadcast) {
          return mapOf(broadcast, rank, op.getContext());
        });
    maps.push_back(rewriter.getMultiDimIdentityMap(rank));
    SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, TypeRange(type), op.getEpilogueOperands(), ValueRange(init), maps,
        loops, [&](OpBuilder &b, Location inner, ValueRange elements) {
          Block &block = op.getEpilogue().front();
          IRMapping mapping;
          mapping.map(
              block.getArgument(0),
              arith::ConstantOp::create(b, inner, b.getF32FloatAttr(0.0f)));
          mapping.map(block.getArguments().drop_front(), elements.drop_back());
          for (Operation &scalar : block.without_terminator())
            b.clone(scalar, mapping);
          linalg::YieldOp::create(b, inner,
                                  mapping.lookup(op.getYieldedValue()));
        });
    return success();
  }
};

/// Attention without keys gives zeros and an lse of -inf; without queries the
/// same ops say that the results are empty.
struct AttentionOfNothing : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    unsigned position = op.getSequenceDim();
    if (op.getKeyCount() != 0 && op.getQType().getDimSize(position) != 0)
      return rewriter.notifyMatchFailure(op, "there are queries and keys");
    if (op.getSinkLogits() && op.getLse())
      return rewriter.notifyMatchFailure(op, "the sinks are the log-sum-exp");
    ReifiedRankedShapedTypeDims shapes;
    if (failed(op.reifyResultShapes(rewriter, shapes)))
      return rewriter.notifyMatchFailure(op, "the shapes are unknown");
    SmallVector<Value> results;
    for (auto [result, shape, value] : llvm::zip(
             op.getResults(), shapes, std::array<double, 2>{0.0, -INFINITY})) {
      Type element = getElementTypeOrSelf(result.getType());
      Value scalar = arith::ConstantOp::create(
          rewriter, op.getLoc(), rewriter.getFloatAttr(element, value));
      Value init =
          tensor::EmptyOp::create(rewriter, op.getLoc(), shape, element);
      results.push_back(
          linalg::FillOp::create(rewriter, op.getLoc(), scalar, init)
              .getResult(0));
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};
} // namespace

void mlir::sparseflow::populateEmptyMatmulPatterns(
    RewritePatternSet &patterns) {
  patterns.add<MatmulOfNothing>(patterns.getContext());
}

void mlir::sparseflow::populateEmptyAttentionPatterns(
    RewritePatternSet &patterns) {
  patterns.add<AttentionOfNothing>(patterns.getContext());
}
