//===- NormalizeLinalg.cpp - One form for what front ends write -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SizeAlgebra.h"

#include "Dialect/SparseFlow/Transforms/Views.h"

#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::sparseflow {
#define GEN_PASS_DEF_SPARSEFLOWNORMALIZELINALG
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h.inc"
} // namespace mlir::sparseflow

using namespace mlir;
using namespace mlir::sparseflow;

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

/// Whether the last dimension of a reshape stays what it is.
template <typename Reshape>
static bool keepsLastDimension(Reshape op) {
  SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
  return groups.size() >= 2 && groups.back().size() == 1;
}

static bool isAllParallel(linalg::LinalgOp op) {
  return op.getNumParallelLoops() == op.getNumLoops();
}

/// Whether a reshape drops dimensions of size 1 and joins nothing else.
static bool dropsUnits(tensor::CollapseShapeOp op) {
  ArrayRef<int64_t> shape = op.getSrcType().getShape();
  return llvm::all_of(op.getReassociationIndices(), [&](auto &group) {
    return llvm::count_if(group, [&](int64_t dim) { return shape[dim] != 1; }) <
           2;
  });
}

// [batch, heads, tokens, features]: reshapes of units would add up.
static constexpr int64_t kMostDimensions = 4;

/// True where `operand`, a reshape between a linalg op and its producer or
/// consumer, can be had by giving the linalg op more loops: tokens that were
/// folded into one dimension become [batch, tokens] again. Features and weights
/// stay matrices.
static bool canExpand(OpOperand *operand) {
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(operand->getOwner())) {
    auto producer = operand->get().getDefiningOp<linalg::LinalgOp>();
    return producer && !isa<linalg::FillOp>(producer) &&
           operand->get().hasOneUse() && keepsLastDimension(expand) &&
           expand.getResultType().getRank() <= kMostDimensions &&
           (isAllParallel(producer) ||
            (isContraction(producer) && hasMatrixWeight(producer)));
  }
  auto collapse = operand->get().getDefiningOp<tensor::CollapseShapeOp>();
  auto consumer = dyn_cast<linalg::LinalgOp>(operand->getOwner());
  if (!collapse || !consumer || !keepsLastDimension(collapse) ||
      collapse.getSrcType().getRank() > kMostDimensions)
    return false;
  if (isAllParallel(consumer))
    // What is repeated, such as positions [1, tokens, features], would bring a
    // loop of size 1 into everything around it.
    return !dropsUnits(collapse) ||
           collapse.getResultType().getRank() == consumer.getNumLoops();
  if (!isContraction(consumer) || !consumer.isDpsInput(operand) ||
      !hasMatrixWeight(consumer))
    return false;
  std::optional<SmallVector<int64_t>> loops =
      getLoops(consumer.getMatchingIndexingMap(operand));
  std::optional<SmallVector<int64_t>> result =
      getLoops(consumer.getMatchingIndexingMap(consumer.getDpsInitOperand(0)));
  return loops && result && !llvm::is_contained(*loops, result->back());
}

/// Tokens and features that one reshape joins are joined one after the other,
/// so that the tokens can be split again:
///
///   collapse_shape %x [[0, 1], [2, 3]]
///   ->  collapse_shape (collapse_shape %x [[0], [1], [2, 3]]) [[0, 1], [2]]
static void joinFeaturesFirst(func::FuncOp function) {
  SmallVector<tensor::CollapseShapeOp> both;
  function.walk([&](tensor::CollapseShapeOp op) {
    SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
    if (groups.size() >= 2 && groups.back().size() > 1 &&
        llvm::any_of(ArrayRef(groups).drop_back(),
                     [](auto &group) { return group.size() > 1; }))
      both.push_back(op);
  });
  for (tensor::CollapseShapeOp op : both) {
    OpBuilder b(op);
    SmallVector<ReassociationIndices> tokens = op.getReassociationIndices(),
                                      features;
    for (int64_t dim = 0; dim < tokens.back().front(); ++dim)
      features.push_back({dim});
    features.push_back(tokens.back());
    tokens.back() = {tokens.back().front()};
    Value joined =
        tensor::CollapseShapeOp::create(b, op.getLoc(), op.getSrc(), features);
    op.replaceAllUsesWith(
        tensor::CollapseShapeOp::create(b, op.getLoc(), joined, tokens)
            .getResult());
    op.erase();
  }
}

/// Sizes of what was reshaped are those of arguments again.
static void readSizesFromArguments(func::FuncOp function) {
  SmallVector<tensor::DimOp> dims;
  function.walk([&](tensor::DimOp op) { dims.push_back(op); });
  SizeAlgebra sizes;
  for (tensor::DimOp op : dims) {
    auto source = sizes.getDimension(sizes.get(op.getResult()));
    auto argument = source ? dyn_cast<BlockArgument>(source->first) : Value();
    if (!argument || argument.getParentBlock() != &function.front() ||
        argument == op.getSource())
      continue;
    OpBuilder b(op);
    op.replaceAllUsesWith(
        tensor::DimOp::create(b, op.getLoc(), source->first, source->second)
            .getResult());
  }
}

namespace {
/// Unit dimensions that a generic reads or writes at index 0 leave it:
///
///   generic(%bias : tensor<1x512xf16>) with (d0, d1) -> (0, d1)
///   ->  generic(collapse_shape %bias : tensor<512xf16>) with (d1)
struct DropUnitIndices : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "works on buffers");
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<Value> operands = op->getOperands();
    SmallVector<std::optional<SmallVector<ReassociationIndices>>> groups(
        operands.size());
    bool changed = false;
    for (OpOperand &operand : op->getOpOperands()) {
      unsigned i = operand.getOperandNumber();
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      std::optional<SmallVector<int64_t>> loops = getLoops(maps[i]);
      if (!type || !loops || !llvm::is_contained(*loops, kUnitIndex))
        continue;
      for (auto [loop, size] : llvm::zip(*loops, type.getShape()))
        if (loop == kUnitIndex && size != 1)
          return rewriter.notifyMatchFailure(op, "reads a part of an operand");
      groups[i] = foldUnits(*loops);
      SmallVector<AffineExpr> kept;
      for (AffineExpr expr : maps[i].getResults())
        if (isa<AffineDimExpr>(expr))
          kept.push_back(expr);
      maps[i] = AffineMap::get(maps[i].getNumDims(), 0, kept, op.getContext());
      SmallVector<int64_t> shape;
      for (auto [loop, size] : llvm::zip(*loops, type.getShape()))
        if (loop != kUnitIndex)
          shape.push_back(size);
      operands[i] = tensor::CollapseShapeOp::create(
          rewriter, op.getLoc(),
          RankedTensorType::get(shape, type.getElementType()), operand.get(),
          *groups[i]);
      changed = true;
    }
    if (!changed)
      return rewriter.notifyMatchFailure(op, "no operand has a unit index");
    unsigned inputs = op.getNumDpsInputs();
    auto outs = ArrayRef(operands).drop_front(inputs);
    auto replacement = linalg::GenericOp::create(
        rewriter, op.getLoc(), TypeRange(ValueRange(outs)),
        ArrayRef(operands).take_front(inputs), outs, maps,
        op.getIteratorTypesArray());
    rewriter.inlineRegionBefore(op.getRegion(), replacement.getRegion(),
                                replacement.getRegion().begin());
    SmallVector<Value> results;
    for (auto [i, result] : llvm::enumerate(op->getResults())) {
      Value value = replacement->getResult(i);
      if (groups[inputs + i])
        value = tensor::ExpandShapeOp::create(rewriter, op.getLoc(),
                                              result.getType(), value,
                                              *groups[inputs + i]);
      results.push_back(value);
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// Dimensions that are joined and split again were never joined, also where
/// several of them are dynamic:
///
///   expand_shape (collapse_shape %x [[0, 1], [2]]) [[0, 1], [2, 3]]
///   ->  expand_shape %x [[0], [1], [2, 3]]
struct SplitWhatWasJoined : OpRewritePattern<tensor::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override {
    auto collapse = op.getSrc().getDefiningOp<tensor::CollapseShapeOp>();
    if (!collapse)
      return rewriter.notifyMatchFailure(op, "splits what was not joined");
    SizeAlgebra sizes;
    SmallVector<OpFoldResult> shape = op.getMixedOutputShape();
    ArrayRef<int64_t> from = collapse.getSrcType().getShape(),
                      to = op.getResultType().getShape();
    SmallVector<ReassociationIndices> joined, split;
    for (auto [before, after] :
         llvm::zip_equal(collapse.getReassociationIndices(),
                         op.getReassociationIndices())) {
      bool isSame = before.size() > 1 && before.size() == after.size() &&
                    llvm::all_of(llvm::zip(before, after), [&](auto pair) {
                      auto [i, j] = pair;
                      return from[i] == to[j] &&
                             sizes.getDim(collapse.getSrc(), i) ==
                                 sizes.get(shape[static_cast<size_t>(j)]);
                    });
      if (!isSame) {
        joined.push_back(before);
        split.push_back(after);
        continue;
      }
      for (auto [i, j] : llvm::zip(before, after)) {
        joined.push_back({i});
        split.push_back({j});
      }
    }
    if (joined.size() == collapse.getReassociationIndices().size())
      return rewriter.notifyMatchFailure(op, "splits in other places");
    auto isTrivial = [](ArrayRef<ReassociationIndices> groups) {
      return llvm::all_of(groups,
                          [](auto &group) { return group.size() == 1; });
    };
    Value value = collapse.getSrc();
    if (!isTrivial(joined))
      value =
          tensor::CollapseShapeOp::create(rewriter, op.getLoc(), value, joined);
    if (!isTrivial(split))
      value = tensor::ExpandShapeOp::create(
          rewriter, op.getLoc(), op.getResultType(), value, split, shape);
    rewriter.replaceOp(op, value);
    return success();
  }
};

using JoinOfSplit =
    ComposeCollapseOfExpandOp<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                              tensor::CastOp, tensor::DimOp, RankedTensorType>;

/// The position of a maximum says where a NaN is, the first of several, as it
/// does in PyTorch and NumPy:
///
///   ogt(%in, %best)  ->  ugt(%in, %best) and ord(%best, %best)
///
/// So written it does not depend on the order in which elements are compared.
struct OrderNans : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    Block *block = op.getBody();
    if (op.getNumReductionLoops() == 0 || op->getNumResults() != 2)
      return rewriter.notifyMatchFailure(op, "is no reduction of two results");
    ArrayRef<BlockArgument> all = op.getRegionOutputArgs();
    Value best = all.front();
    Operation *end = block->getTerminator();
    auto largest = end->getOperand(0).getDefiningOp<arith::MaximumFOp>();
    auto select = end->getOperand(1).getDefiningOp<arith::SelectOp>();
    auto above = select ? select.getCondition().getDefiningOp<arith::CmpFOp>()
                        : arith::CmpFOp();
    if (!largest || !above ||
        above.getPredicate() != arith::CmpFPredicate::OGT ||
        above.getRhs() != best || select.getFalseValue() != all[1] ||
        !llvm::is_contained(largest->getOperands(), best) ||
        !llvm::is_contained(largest->getOperands(), above.getLhs()))
      return rewriter.notifyMatchFailure(op, "is no position of a maximum");
    rewriter.setInsertionPoint(above);
    Location loc = above.getLoc();
    Value isAbove = arith::CmpFOp::create(
        rewriter, loc, arith::CmpFPredicate::UGT, above.getLhs(), best);
    Value isNumber = arith::CmpFOp::create(
        rewriter, loc, arith::CmpFPredicate::ORD, best, best);
    rewriter.replaceOpWithNewOp<arith::AndIOp>(above, isAbove, isNumber);
    return success();
  }
};

struct NormalizeLinalg
    : sparseflow::impl::SparseFlowNormalizeLinalgBase<NormalizeLinalg> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    MLIRContext *context = &getContext();

    RewritePatternSet units(context);
    units.add<DropUnitIndices, OrderNans>(context);
    // A result that nobody reads, such as the index of a maximum.
    linalg::populateEraseUnusedOperandsAndResultsPatterns(units);
    linalg::FillOp::getCanonicalizationPatterns(units, context);
    tensor::CollapseShapeOp::getCanonicalizationPatterns(units, context);
    tensor::ExpandShapeOp::getCanonicalizationPatterns(units, context);
    tensor::EmptyOp::getCanonicalizationPatterns(units, context);
    tensor::populateFoldTensorEmptyPatterns(units);
    tensor::DimOp::getCanonicalizationPatterns(units, context);
    tensor::CastOp::getCanonicalizationPatterns(units, context);
    if (failed(applyPatternsGreedily(function, std::move(units))))
      return signalPassFailure();

    joinFeaturesFirst(function);
    RewritePatternSet reshapes(context);
    reshapes.add<SplitWhatWasJoined, JoinOfSplit>(context);
    linalg::populateFoldReshapeOpsByExpansionPatterns(reshapes, canExpand);
    tensor::populateFoldTensorEmptyPatterns(reshapes);
    tensor::ExpandShapeOp::getCanonicalizationPatterns(reshapes, context);
    if (failed(applyPatternsGreedily(function, std::move(reshapes))))
      return signalPassFailure();
    readSizesFromArguments(function);
  }
};
} // namespace
