//===- WarpgroupPatterns.cpp - Products that overlap ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::sftile;

// Warps of a warpgroup.
static constexpr int64_t kGroupWarps = 4;

SmallVector<Value> mlir::sftile::emitMatrixIndices(OpBuilder &builder,
                                                   Location loc, Value view) {
  Integers ints(builder, loc);
  SmallVector<Value> indices;
  if (auto mapped = view.getDefiningOp<MappedViewOp>())
    for (Value index : mapped.getAt())
      indices.push_back(ints.toI32(index));
  return indices;
}

/// An empty text through which registers pass: what computes them stands before
/// it and what uses them behind, for LLVM and in the PTX that it writes.
static SmallVector<Value> emitPin(OpBuilder &builder, Location loc,
                                  ValueRange values) {
  if (values.empty())
    return {};
  std::string outputs, ties;
  SmallVector<Type> types;
  for (auto [index, value] : llvm::enumerate(values)) {
    types.push_back(value.getType());
    outputs += index ? "," : "";
    outputs += value.getType().isF32() ? "=f" : "=r";
    ties += "," + std::to_string(index);
  }
  Type result =
      types.size() == 1
          ? types.front()
          : Type(LLVM::LLVMStructType::getLiteral(builder.getContext(), types));
  auto assembly = LLVM::InlineAsmOp::create(
      builder, loc, result, values, "", outputs + ties,
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  if (types.size() == 1)
    return {assembly.getRes()};
  SmallVector<Value> results;
  for (size_t index = 0; index < types.size(); ++index)
    results.push_back(
        LLVM::ExtractValueOp::create(builder, loc, assembly.getRes(), index));
  return results;
}

namespace {

struct MmaAsyncFragLowering : public OpConversionPattern<MmaAsyncFragOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MmaAsyncFragOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Integers ints(rewriter, loc);
    auto tile = cast<TileType>(op.getB().front().getType());
    Value offset =
        emitTileOffset(rewriter, loc, tile,
                       ints.toI32(adaptor.getBRow().front()), ints.i32(0));
    // A constant distance stays one, so that steps share a descriptor.
    Value b = adaptor.getB().front().front();
    std::optional<int64_t> distance = getConstantIntValue(offset);
    b = distance ? ints.advance(b, *distance) : ints.advance(b, offset);
    if (!op.getAcc().getDefiningOp<MmaAsyncFragOp>())
      cast<AsyncMmaAtomInterface>(op.getAtomAttr()).emitFence(rewriter, loc);
    SmallVector<Value> results = op.getAtom().emitFragment(
        rewriter, loc, adaptor.getA(), b, adaptor.getAcc(),
        op.getResult().getType().getFrag().getShape()[1], tile.getBytes());
    rewriter.replaceOpWithMultiple(op, {results});
    return success();
  }
};

struct CommitProductsLowering : public OpConversionPattern<CommitProductsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(CommitProductsOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    op.getAtom().emitCommit(rewriter, op.getLoc());
    rewriter.replaceOpWithMultiple(op,
                                   {SmallVector<Value>(adaptor.getPending())});
    return success();
  }
};

struct CollectLowering : public OpConversionPattern<CollectOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(CollectOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(
        op,
        {op.getAtom().emitAwait(rewriter, op.getLoc(), adaptor.getPending(),
                                flatten(adaptor.getHeld()), op.getYounger())});
    return success();
  }
};

struct PinLowering : public OpConversionPattern<PinOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(PinOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(
        op, {emitPin(rewriter, op.getLoc(), adaptor.getSource())});
    return success();
  }
};

/// A store that depends on the elements and never happens.
struct SettleLowering : public OpConversionPattern<SettleOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(SettleOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value sum;
    for (Value element : adaptor.getFrag())
      sum = sum ? LLVM::FAddOp::create(rewriter, loc, sum, element).getResult()
                : element;
    Value place = emitShared(rewriter, loc, op, 0);
    LLVM::InlineAsmOp::create(
        rewriter, loc, TypeRange(), ValueRange{place, sum},
        "{ .reg .pred p; setp.lt.f32 p, $1, 0f00000000; "
        "@p st.shared.b32 [$0], $1; }",
        "r,f,~{memory}", /*has_side_effects=*/true, /*is_align_stack=*/false,
        LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
    rewriter.eraseOp(op);
    return success();
  }
};

struct AnyLessLowering : public OpConversionPattern<AnyLessOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AnyLessOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value any;
    for (auto [a, b] : llvm::zip(adaptor.getA(), adaptor.getB())) {
      Value less =
          LLVM::FCmpOp::create(rewriter, loc, LLVM::FCmpPredicate::olt, a, b);
      any =
          any ? LLVM::OrOp::create(rewriter, loc, any, less).getResult() : less;
    }
    Integers ints(rewriter, loc);
    rewriter.replaceOpWithNewOp<NVVM::VoteSyncOp>(
        op, rewriter.getI1Type(), ints.i32(-1), any, NVVM::VoteSyncKind::any);
    return success();
  }
};

/// Each warpgroup has a barrier of the block for its turn, behind those of
/// outboxes. Its own threads wait there, and those of the one before arrive.
struct Turns {
  Turns(OpBuilder &builder, Location loc, RoleInfo role)
      : ints(builder, loc), groups(role.warps / kGroupWarps),
        first(role.freeBarrier + groups) {
    group = ints.div(emitRoleThread(builder, loc, role),
                     kGroupWarps * kLanesPerWarp);
  }
  Value next() { return ints.add(ints.rem(ints.add(group, 1), groups), first); }
  Integers ints;
  int64_t groups, first;
  Value group;
  static constexpr int64_t kThreads = 2 * kGroupWarps * kLanesPerWarp;
};

struct TakeTurnLowering : public KernelPattern<TakeTurnOp> {
  using KernelPattern::KernelPattern;
  LogicalResult
  matchAndRewrite(TakeTurnOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Turns turns(rewriter, op.getLoc(), info.roleOf(op));
    if (turns.groups > 1)
      emitNamedBarrier(rewriter, op.getLoc(),
                       turns.ints.add(turns.group, turns.first),
                       Turns::kThreads);
    rewriter.eraseOp(op);
    return success();
  }
};

struct PassTurnLowering : public KernelPattern<PassTurnOp> {
  using KernelPattern::KernelPattern;
  LogicalResult
  matchAndRewrite(PassTurnOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Turns turns(rewriter, loc, info.roleOf(op));
    auto arrive = [&](OpBuilder &builder) {
      LLVM::InlineAsmOp::create(
          builder, loc, TypeRange(), ValueRange{turns.next()},
          "bar.arrive $0, " + std::to_string(Turns::kThreads) + ";",
          "r,~{memory}", /*has_side_effects=*/true, /*is_align_stack=*/false,
          LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
    };
    if (turns.groups > 1 && op.getFirst()) {
      Value last = rewriter.createOrFold<arith::CmpIOp>(
          loc, arith::CmpIPredicate::eq, turns.group,
          turns.ints.i32(turns.groups - 1));
      emitIf(rewriter, loc, last, arrive);
    } else if (turns.groups > 1) {
      arrive(rewriter);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mlir::sftile::populateWarpgroupPatterns(
    const SFTileTypeConverter &converter, const KernelInfo &info,
    RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<MmaAsyncFragLowering, CommitProductsLowering, CollectLowering,
               PinLowering, SettleLowering, AnyLessLowering>(converter,
                                                             context);
  patterns.add<TakeTurnLowering, PassTurnLowering>(converter, info, context);
}
