//===- AttentionValues.cpp - Values that are part of their rows -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionValues.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

/// Values that are the first features of the rows of a tensor need no tensor of
/// their own. What is left out would be read, but has no influence.
struct ReadValuesInPlace : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    auto slice = op.getV().getDefiningOp<tensor::ExtractSliceOp>();
    if (!slice || slice.getSourceType().getRank() != 4 ||
        slice.getSourceType().getEncoding() || !slice.hasUnitStride())
      return rewriter.notifyMatchFailure(op, "values are no slice of rows");
    RankedTensorType source = slice.getSourceType();
    if (source.isDynamicDim(3) || slice.getDroppedDims().any() ||
        !llvm::all_of(slice.getMixedOffsets(), isZeroInteger))
      return rewriter.notifyMatchFailure(op, "the slice begins elsewhere");
    SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
    for (auto [dim, size] : llvm::enumerate(ArrayRef(sizes).drop_back())) {
      std::optional<int64_t> known = getConstantIntValue(size);
      bool isWhole = known && *known == source.getDimSize(dim);
      if (auto value = dyn_cast<Value>(size))
        if (auto of = value.getDefiningOp<tensor::DimOp>())
          isWhole |= of.getSource() == slice.getSource() &&
                     of.getConstantIndex() == static_cast<int64_t>(dim);
      if (!isWhole)
        return rewriter.notifyMatchFailure(op, "the slice leaves rows out");
    }
    int64_t features = op.getDv();
    rewriter.modifyOpInPlace(op, [&] {
      op.getVMutable().assign(slice.getSource());
      op.setValueFeatures(features);
    });
    return success();
  }
};

/// All features of v are what counts without the attribute.
struct DropIdleValueFeatures : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getValueFeatures() || op.getDv() != op.getVType().getDimSize(3))
      return rewriter.notifyMatchFailure(op, "the attribute matters");
    rewriter.modifyOpInPlace(op, [&] { op.removeValueFeaturesAttr(); });
    return success();
  }
};

} // namespace

void mlir::sparseflow::populateValuePatterns(RewritePatternSet &patterns) {
  patterns.add<ReadValuesInPlace, DropIdleValueFeatures>(patterns.getContext());
}
