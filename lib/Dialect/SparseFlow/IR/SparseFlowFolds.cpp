//===- SparseFlowFolds.cpp - Folders and canonicalization patterns --------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmptySums.h"

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::sparseflow;

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

/// prune(w : T) : T               ->  w
/// prune(unpack(w : T)) : T       ->  w
OpFoldResult PruneOp::fold(FoldAdaptor) {
  Type type = getResult().getType();
  if (getSource().getType() == type)
    return getSource();
  auto unpack = getSource().getDefiningOp<UnpackOp>();
  if (unpack && !unpack.getStorageAttr() &&
      unpack.getSource().getType() == type)
    return unpack.getSource();
  return {};
}

/// pack(unpack(bytes from s) : encoded) as s  ->  bytes
OpFoldResult PackOp::fold(FoldAdaptor) {
  auto unpack = getSource().getDefiningOp<UnpackOp>();
  if (unpack && unpack.getStorageAttr() == getStorageAttr())
    return unpack.getSource();
  return {};
}

/// unpack(pack(w : T) as s from s) : T  ->  w
OpFoldResult UnpackOp::fold(FoldAdaptor) {
  auto pack = getSource().getDefiningOp<PackOp>();
  if (pack && pack.getSource().getType() == getResult().getType() &&
      pack.getStorageAttr() == getStorageAttr())
    return pack.getSource();
  return {};
}

namespace {
/// unpack(pack(w) from s) : dense              ->  unpack(w) : dense
/// unpack(unpack(b from s) : encoded) : dense  ->  unpack(b from s) : dense
struct UnpackThroughEncoding : OpRewritePattern<UnpackOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(UnpackOp op,
                                PatternRewriter &rewriter) const override {
    Type dense = op.getResult().getType();
    if (cast<RankedTensorType>(dense).getEncoding())
      return rewriter.notifyMatchFailure(op, "the result is not dense");
    if (auto pack = op.getSource().getDefiningOp<PackOp>();
        pack && pack.getStorageAttr() == op.getStorageAttr()) {
      rewriter.replaceOpWithNewOp<UnpackOp>(op, dense, pack.getSource(),
                                            StorageAttr());
      return success();
    }
    if (auto inner = op.getSource().getDefiningOp<UnpackOp>()) {
      rewriter.replaceOpWithNewOp<UnpackOp>(op, dense, inner.getSource(),
                                            inner.getStorageAttr());
      return success();
    }
    return rewriter.notifyMatchFailure(op, "the source is not packed here");
  }
};

//===----------------------------------------------------------------------===//
// matmul
//===----------------------------------------------------------------------===//

/// matmul(x, unpack(w))  ->  matmul(x, w): the product skips the zeros.
struct MultiplySparseWeight : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op,
                                PatternRewriter &rewriter) const override {
    auto unpack = op.getW().getDefiningOp<UnpackOp>();
    if (!unpack)
      return rewriter.notifyMatchFailure(op, "the weight is not unpacked");
    // Quantized weights are rounded when they are unpacked, unless each is -1,
    // 0 or 1 times one scale of the element type. Packed ones have to be
    // unpacked first.
    Type source = unpack.getSource().getType();
    StorageAttr storage = unpack.getStorageAttr();
    TernaryAttr ternary = getTernaryEncoding(source);
    if ((storage && storage.getTernary()) ||
        (ternary && (!ternary.isTernary() || ternary.getPlanes() != 1 ||
                     ternary.getScaleType() != getElementTypeOrSelf(source))))
      return rewriter.notifyMatchFailure(op, "the weight would not be rounded");
    NmAttr encoding = getNmEncoding(source);
    if (encoding && !encoding.isAlongLastAxis())
      return rewriter.notifyMatchFailure(op, "the weight is not grouped on K");
    rewriter.modifyOpInPlace(op, [&] {
      op.getWMutable().assign(unpack.getSource());
      if (unpack.getStorageAttr())
        op.setStorageAttr(unpack.getStorageAttr());
    });
    return success();
  }
};

/// Simplifies the operands of an epilogue: one that the region does not read is
/// dropped, two that are the same value with the same broadcast become one, and
/// a splat constant moves into the region.
struct SimplifyEpilogueOperands : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op,
                                PatternRewriter &rewriter) const override {
    Block &block = op.getEpilogue().front();
    OperandRange operands = op.getEpilogueOperands();
    SmallVector<Value> kept;
    SmallVector<Attribute> broadcasts;
    llvm::BitVector dropped(block.getNumArguments());
    llvm::SmallDenseMap<std::pair<Value, Attribute>, BlockArgument> seen;

    for (auto [i, operand] : llvm::enumerate(operands)) {
      BlockArgument argument = block.getArgument(i + 1);
      Attribute broadcast = op.getBroadcasts()[i];
      auto [known, isNew] = seen.try_emplace({operand, broadcast}, argument);
      SplatElementsAttr splat;
      if (argument.use_empty()) {
        dropped.set(i + 1);
        if (isNew)
          seen.erase(known);
      } else if (!isNew) {
        rewriter.replaceAllUsesWith(argument, known->second);
        dropped.set(i + 1);
      } else if (matchPattern(operand, m_Constant(&splat))) {
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPointToStart(&block);
        Value constant = arith::ConstantOp::create(
            rewriter, op.getLoc(), splat.getSplatValue<TypedAttr>());
        rewriter.replaceAllUsesWith(argument, constant);
        dropped.set(i + 1);
        seen.erase(known);
      } else {
        kept.push_back(operand);
        broadcasts.push_back(broadcast);
      }
    }
    if (dropped.none())
      return rewriter.notifyMatchFailure(op, "every operand is needed");
    rewriter.modifyOpInPlace(op, [&] {
      block.eraseArguments(dropped);
      op.getEpilogueOperandsMutable().assign(kept);
      op.setBroadcastsAttr(rewriter.getArrayAttr(broadcasts));
    });
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Quantized activations
//===----------------------------------------------------------------------===//

namespace {
/// dim(quantize(x), i)  ->  dim(x, i)
///
/// Only matmuls may read quantized activations on a GPU; what asks for their
/// size alone must not count as another reader.
struct DimOfQuantized : OpRewritePattern<tensor::DimOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::DimOp op,
                                PatternRewriter &rewriter) const override {
    auto quantize = op.getSource().getDefiningOp<QuantizeOp>();
    if (!quantize)
      return rewriter.notifyMatchFailure(op, "not of a quantize op's result");
    rewriter.modifyOpInPlace(
        op, [&] { op.getSourceMutable().assign(quantize.getX()); });
    return success();
  }
};
} // namespace

void QuantizeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                             MLIRContext *context) {
  patterns.add<DimOfQuantized>(context);
}

void UnpackOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<UnpackThroughEncoding>(context);
}

void MatmulOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<MultiplySparseWeight, SimplifyEpilogueOperands>(context);
  populateEmptyMatmulPatterns(patterns);
}
