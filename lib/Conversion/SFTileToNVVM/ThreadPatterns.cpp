//===- ThreadPatterns.cpp - Operations on registers -----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadPatterns.h"
#include "SparseFlow/Dialect/SFTile/Atoms/BitInstructions.h"
#include "SparseFlow/Dialect/SFTile/Codecs/Ternary.h"
#include "SparseFlow/Dialect/SFTile/IR/ThreadOps.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::sftile;

namespace {

//===----------------------------------------------------------------------===//
// Copies and matrix loads
//===----------------------------------------------------------------------===//

struct CopyLowering : public OpConversionPattern<ThreadCopyOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ThreadCopyOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (op.getStored()) {
      op.getAtom().emitStoreBytes(rewriter, op.getLoc(), adaptor.getShared(),
                                  adaptor.getGlobal(), adaptor.getBytes());
      rewriter.eraseOp(op);
      return success();
    }
    CopyOperands operands;
    operands.destination = adaptor.getShared();
    operands.source = adaptor.getGlobal();
    operands.valid = adaptor.getBytes();
    op.getAtom().emit(rewriter, op.getLoc(), operands);
    rewriter.eraseOp(op);
    return success();
  }
};

struct LoadMatricesLowering : public OpConversionPattern<ThreadLoadMatricesOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ThreadLoadMatricesOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, op.getAtom().emitLoad(rewriter, op.getLoc(),
                                                 adaptor.getRow(),
                                                 op.getNumResults(),
                                                 /*transposed=*/false));
    return success();
  }
};

/// Of global memory to the L2 cache. NVPTX drops the op of the llvm dialect.
struct PrefetchLowering : public OpConversionPattern<LLVM::Prefetch> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(LLVM::Prefetch op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto level = NVVM::PrefetchCacheLevelAttr::get(
        op.getContext(), NVVM::PrefetchCacheLevel::L2);
    rewriter.replaceOpWithNewOp<NVVM::PrefetchOp>(
        op, level, NVVM::CacheEvictionPriorityAttr(), adaptor.getAddr(),
        /*predicate=*/Value(), /*tensormap=*/UnitAttr(), /*uniform=*/UnitAttr(),
        /*in_param_space=*/UnitAttr());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Operands and MMAs
//===----------------------------------------------------------------------===//

struct UnpackLowering : public OpConversionPattern<ThreadUnpackOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ThreadUnpackOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, unpack(op, adaptor.getWord(), rewriter));
    return success();
  }

  static SmallVector<Value> unpack(ThreadUnpackOp op, Value word,
                                   OpBuilder &builder) {
    Location loc = op.getLoc();
    Type element = op.getElement();
    bool isBytes = element.isInteger(8);
    int64_t part = op.getPart();
    switch (op.getCodec()) {
    case Codec::TernV1:
      if (op.getRaw())
        return isBytes ? tern_v1::unpackRawBytes(builder, loc, word)
                       : tern_v1::unpackRawHalves(builder, loc, word, part);
      return isBytes ? tern_v1::unpackBytes(builder, loc, word)
                     : tern_v1::unpackFloats(builder, loc, word, element, part);
    case Codec::Tern24V1:
      return isBytes ? tern24::unpackSigns(builder, loc, word, part)
                     : tern24::unpackSignsAsFloats(builder, loc, word, element,
                                                   part);
    case Codec::Tern24zV1:
      return isBytes ? tern24::unpackBytes(builder, loc, word)
                     : tern24::unpackFloats(builder, loc, word, element, part);
    }
    llvm_unreachable("a codec of ternary weights");
  }
};

struct MmaLowering : public OpConversionPattern<ThreadMmaOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ThreadMmaOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op,
                       op.getAtom().emit(rewriter, op.getLoc(), adaptor.getA(),
                                         adaptor.getB(), adaptor.getC(),
                                         adaptor.getMetadata(),
                                         op.getSelector().value_or(0)));
    return success();
  }
};

struct BytesLowering : public OpConversionPattern<ThreadBytesOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ThreadBytesOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(
        op, emit(rewriter, op.getLoc(), op.getKind(), adaptor.getOperands()));
    return success();
  }

  static Value emit(OpBuilder &builder, Location loc, BytesKind kind,
                    ValueRange operands) {
    switch (kind) {
    case BytesKind::Permute:
      return emitPermuteBytes(builder, loc, operands[0], operands[1],
                              operands[2]);
    case BytesKind::Round:
      return emitRoundBytes(builder, loc, operands);
    case BytesKind::Sum:
      return emitSumBytes(builder, loc, operands[0], operands[1]);
    }
    llvm_unreachable("what happens to bytes");
  }
};

} // namespace

void mlir::sftile::populateThreadPatterns(RewritePatternSet &patterns) {
  patterns.add<CopyLowering, LoadMatricesLowering, PrefetchLowering,
               UnpackLowering, MmaLowering, BytesLowering>(
      patterns.getContext());
}
