//===- BlockPatterns.cpp - Warps, views and memory of a block ------------===//
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

namespace {

/// Of a tensor map nothing but its address is left.
struct ViewLowering : public OpConversionPattern<ViewOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ViewOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts = {adaptor.getPointer()};
    for (Value part :
         {adaptor.getRows(), adaptor.getCols(), adaptor.getPitch()})
      if (part)
        parts.push_back(part);
    if (std::optional<int64_t> group = op.getGroup())
      parts.append({Integers(rewriter, op.getLoc()).i64(*group),
                    adaptor.getGroupPitch()});
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

struct WarpIdLowering : public KernelPattern<WarpIdOp> {
  using KernelPattern::KernelPattern;
  LogicalResult
  matchAndRewrite(WarpIdOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value warp = emitRoleWarp(rewriter, op.getLoc(), info.roleOf(op));
    rewriter.replaceOpWithNewOp<arith::IndexCastOp>(op, rewriter.getIndexType(),
                                                    warp);
    return success();
  }
};

struct SharedLowering : public KernelPattern<SharedOp> {
  using KernelPattern::KernelPattern;
  LogicalResult
  matchAndRewrite(SharedOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    FailureOr<Value> place = emitPlace(rewriter, op, op.getOffset());
    if (failed(place))
      return failure();
    if (op.getBytes()) {
      rewriter.replaceOp(op, *place);
      return success();
    }
    if (!op.getStride())
      return op.emitOpError("expected a stride; run "
                            "sftile-assign-resources first");
    if (op.getSharers() == op.getWarps()) {
      rewriter.replaceOp(op, *place);
      return success();
    }
    Location loc = op.getLoc();
    Integers ints(rewriter, loc);
    Value group = ints.div(emitRoleWarp(rewriter, loc, info.roleOf(op)),
                           *op.getSharers());
    rewriter.replaceOp(op,
                       ints.advance(*place, ints.mul(group, *op.getStride())));
    return success();
  }
};

struct GriddepLowering : public OpConversionPattern<GriddepOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(GriddepOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    using Kind = NVVM::GridDepActionKind;
    rewriter.replaceOpWithNewOp<NVVM::GriddepcontrolOp>(
        op, op.getAction() == GriddepAction::Wait ? Kind::wait
                                                  : Kind::launch_dependents);
    return success();
  }
};

struct BarrierLowering : public KernelPattern<sftile::BarrierOp> {
  using KernelPattern::KernelPattern;
  LogicalResult
  matchAndRewrite(sftile::BarrierOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Integers ints(rewriter, loc);
    switch (op.getScope()) {
    case BarrierScope::Warp:
      NVVM::SyncWarpOp::create(rewriter, loc, ints.i32(-1));
      break;
    case BarrierScope::Threads:
      emitNamedBarrier(rewriter, loc, adaptor.getNumber(), *op.getThreads());
      break;
    case BarrierScope::Cluster:
      NVVM::ClusterArriveOp::create(rewriter, loc, UnitAttr());
      NVVM::ClusterWaitOp::create(rewriter, loc, UnitAttr());
      break;
    case BarrierScope::Role:
      emitProxyFence(rewriter, loc);
      // What stands beside a role's body one warp executes.
      if (auto role = op->getParentOfType<RoleOp>();
          role && role.getBeside().isAncestor(op->getParentRegion()))
        NVVM::SyncWarpOp::create(rewriter, loc, ints.i32(-1));
      else
        emitRoleBarrier(rewriter, loc, op, info.roleOf(op));
      break;
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct AddressLowering : public OpConversionPattern<AddressOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AddressOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value place = adaptor.getMemory();
    if (Value rank = adaptor.getRank())
      place = NVVM::MapaOp::create(rewriter, op.getLoc(), op.getType(), place,
                                   rank);
    rewriter.replaceOp(op, place);
    return success();
  }
};

} // namespace

void mlir::sftile::populateBlockPatterns(const SFTileTypeConverter &converter,
                                         const KernelInfo &info,
                                         RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ViewLowering, AddressLowering, GriddepLowering>(converter,
                                                               context);
  patterns.add<WarpIdLowering, SharedLowering, BarrierLowering>(converter, info,
                                                                context);
}
