//===- StagingPatterns.cpp - Staging buffers, and sums over DSMEM ---------===//
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

/// The warps that share a staging buffer: the barrier at which they meet, and
/// the thread's number among them.
struct Sharers {
  Sharers(OpBuilder &builder, Location loc, RoleInfo role, Value tile)
      : ints(builder, loc) {
    int64_t sharers = *tile.getDefiningOp<SharedOp>().getSharers();
    threads = sharers * kLanesPerWarp;
    Value group = ints.div(emitRoleWarp(builder, loc, role), sharers);
    thread = ints.rem(emitRoleThread(builder, loc, role), threads);
    barrier = ints.add(group, role.freeBarrier);
  }
  Value isFirst(OpBuilder &builder, Location loc) {
    return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq,
                                               thread, ints.i32(0));
  }
  Integers ints;
  int64_t threads;
  Value thread, barrier;
};

/// One thread has started the copies, so it waits for the others.
struct WaitForTileLowering : public KernelPattern<WaitGroupOp> {
  using KernelPattern::KernelPattern;
  LogicalResult
  matchAndRewrite(WaitGroupOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getTile())
      return rewriter.notifyMatchFailure(op, "no copies from a tile");
    Location loc = op.getLoc();
    Sharers sharers(rewriter, loc, info.roleOf(op), op.getTile());
    emitIf(rewriter, loc, sharers.isFirst(rewriter, loc),
           [&](OpBuilder &builder) {
             cast<CopyAtomInterface>(op.getAtom())
                 .emitWait(builder, loc, op.getPending());
           });
    emitNamedBarrier(rewriter, loc, sharers.barrier, sharers.threads);
    rewriter.eraseOp(op);
    return success();
  }
};

struct TmaStoreLowering : public KernelPattern<TmaStoreOp> {
  using KernelPattern::KernelPattern;
  LogicalResult
  matchAndRewrite(TmaStoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Sharers sharers(rewriter, loc, info.roleOf(op), op.getTile());
    emitProxyFence(rewriter, loc);
    emitNamedBarrier(rewriter, loc, sharers.barrier, sharers.threads);
    emitIf(rewriter, loc, sharers.isFirst(rewriter, loc),
           [&](OpBuilder &builder) {
             Integers ints(builder, loc);
             SmallVector<Value> place = {ints.toI32(adaptor.getCol()),
                                         ints.toI32(adaptor.getRow())};
             llvm::append_range(place,
                                emitMatrixIndices(builder, loc, op.getView()));
             op.getAtom().emitStore(builder, loc, adaptor.getTile(),
                                    adaptor.getView(), place);
             op.getAtom().emitCommit(builder, loc);
           });
    rewriter.eraseOp(op);
    return success();
  }
};

/// Threads of equal number meet: a register of all of them lies together, so
/// that every access of a warp is to adjacent words, four registers at once.
struct DsmemReduceLowering : public KernelPattern<DsmemReduceOp> {
  using KernelPattern::KernelPattern;
  LogicalResult
  matchAndRewrite(DsmemReduceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Integers ints(rewriter, loc);
    RoleInfo role = info.roleOf(op);
    ValueRange given = adaptor.getGiven();
    Value base = adaptor.getRing().front();
    Value thread = emitRoleThread(rewriter, loc, role);
    Value own = ints.advance(base, ints.mul(thread, kVectorBytes));
    auto cluster = LLVM::LLVMPointerType::get(
        rewriter.getContext(),
        static_cast<unsigned>(NVVM::NVVMMemorySpace::SharedCluster));
    Value partner = ints.toI32(adaptor.getPartner().front());
    Value theirs = NVVM::MapaOp::create(rewriter, loc, cluster, own, partner);
    // Nobody may still read what is overwritten, or be read before it is there.
    meet(rewriter, loc);
    forEachVector(given.size(), [&](int64_t first, int64_t count) {
      Value vector =
          joinVector(rewriter, loc, llvm::to_vector(given.slice(first, count)));
      LLVM::StoreOp::create(rewriter, loc, vector,
                            ints.advance(theirs, first * 4 * role.threads()),
                            count * 4);
    });
    meet(rewriter, loc);
    SmallVector<Value> received;
    forEachVector(given.size(), [&](int64_t first, int64_t count) {
      Type type = given[first].getType();
      if (count > 1)
        type = VectorType::get({count}, type);
      Value vector = LLVM::LoadOp::create(
          rewriter, loc, type, ints.advance(own, first * 4 * role.threads()),
          count * 4);
      llvm::append_range(received, splitVector(rewriter, loc, vector));
    });
    SmallVector<Value> sums;
    for (auto [kept, theirs] : llvm::zip(adaptor.getKept(), received))
      sums.push_back(sum(rewriter, loc, kept, theirs));
    rewriter.replaceOpWithMultiple(op, {sums});
    return success();
  }

  static Value sum(OpBuilder &builder, Location loc, Value a, Value b) {
    if (isa<FloatType>(a.getType()))
      return arith::AddFOp::create(builder, loc, a, b);
    return arith::AddIOp::create(builder, loc, a, b);
  }

  static constexpr int64_t kVectorBytes = 16;

  static void meet(OpBuilder &builder, Location loc) {
    NVVM::ClusterArriveOp::create(builder, loc, UnitAttr());
    NVVM::ClusterWaitOp::create(builder, loc, UnitAttr());
  }

  static void forEachVector(int64_t registers,
                            function_ref<void(int64_t, int64_t)> visit) {
    for (int64_t first = 0; first < registers; first += 4)
      visit(first, registers - first < 4 ? 1 : 4);
  }
};

} // namespace

void mlir::sftile::populateStagingPatterns(const SFTileTypeConverter &converter,
                                           const KernelInfo &info,
                                           RewritePatternSet &patterns) {
  patterns.add<DsmemReduceLowering, TmaStoreLowering, WaitForTileLowering>(
      converter, info, patterns.getContext());
}
