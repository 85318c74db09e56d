//===- StagingPatterns.cpp - Staging buffers, and fragments over DSMEM ----===//
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

void meetCluster(OpBuilder &builder, Location loc) {
  NVVM::ClusterArriveOp::create(builder, loc, UnitAttr());
  NVVM::ClusterWaitOp::create(builder, loc, UnitAttr());
}

/// What threads of equal number exchange between blocks of a cluster: a
/// register of all of them lies together, so that every access of a warp is to
/// adjacent words, four registers at once.
struct ExchangedMemory {
  ExchangedMemory(OpBuilder &builder, Location loc, RoleInfo role, Value base,
                  Value partner)
      : builder(builder), loc(loc), role(role) {
    Integers ints(builder, loc);
    Value thread = emitRoleThread(builder, loc, role);
    own = ints.advance(base, ints.mul(thread, kVector * kWord));
    auto cluster = LLVM::LLVMPointerType::get(
        builder.getContext(),
        static_cast<unsigned>(NVVM::NVVMMemorySpace::SharedCluster));
    theirs =
        NVVM::MapaOp::create(builder, loc, cluster, own, ints.toI32(partner));
  }
  /// Writes registers behind `before` others, a multiple of four.
  void give(ValueRange registers, int64_t before) {
    forEachVector(registers.size(), [&](int64_t first, int64_t count) {
      Value vector = joinVector(builder, loc,
                                llvm::to_vector(registers.slice(first, count)));
      LLVM::StoreOp::create(builder, loc, vector, place(theirs, before + first),
                            count * 4);
    });
  }
  SmallVector<Value> take(TypeRange types, int64_t before) {
    SmallVector<Value> taken;
    forEachVector(types.size(), [&](int64_t first, int64_t count) {
      Type type = types[first];
      if (count > 1)
        type = VectorType::get({count}, type);
      Value vector = LLVM::LoadOp::create(
          builder, loc, type, place(own, before + first), count * 4);
      llvm::append_range(taken, splitVector(builder, loc, vector));
    });
    return taken;
  }
  /// Registers for which `registers` take memory.
  static int64_t padded(int64_t registers) {
    return llvm::alignTo(registers, kVector);
  }

private:
  static constexpr int64_t kVector = 4, kWord = 4;

  Value place(Value pointer, int64_t number) {
    int64_t bytes = number / kVector * kVector * kWord * role.threads() +
                    number % kVector * kWord;
    return Integers(builder, loc).advance(pointer, bytes);
  }
  /// Vectors of four, two and one, each in its place among four.
  static void forEachVector(int64_t registers,
                            function_ref<void(int64_t, int64_t)> visit) {
    for (int64_t first = 0, count; first < registers; first += count) {
      count = llvm::bit_floor(
          static_cast<uint64_t>(std::min(registers - first, kVector)));
      visit(first, count);
    }
  }

  OpBuilder &builder;
  Location loc;
  RoleInfo role;
  Value own, theirs;
};

struct DsmemExchangeLowering : public KernelPattern<DsmemExchangeOp> {
  using KernelPattern::KernelPattern;
  LogicalResult
  matchAndRewrite(DsmemExchangeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RoleInfo role = info.roleOf(op);
    Value base = Integers(rewriter, loc)
                     .advance(adaptor.getRing().front(),
                              static_cast<int64_t>(op.getOffset()));
    ExchangedMemory memory(rewriter, loc, role, base,
                           adaptor.getPartner().front());
    // Nobody may still read what is overwritten, or be read before it is there.
    if (op.getOffset() == 0)
      meetCluster(rewriter, loc);
    int64_t before = 0;
    for (ValueRange given : adaptor.getGiven()) {
      memory.give(given, before);
      before += ExchangedMemory::padded(given.size());
    }
    meetCluster(rewriter, loc);
    before = 0;
    SmallVector<SmallVector<Value>> taken;
    for (ValueRange given : adaptor.getGiven()) {
      taken.push_back(memory.take(given.getTypes(), before));
      before += ExchangedMemory::padded(given.size());
    }
    rewriter.replaceOpWithMultiple(op, taken);
    return success();
  }
};

} // namespace

void mlir::sftile::populateStagingPatterns(const SFTileTypeConverter &converter,
                                           const KernelInfo &info,
                                           RewritePatternSet &patterns) {
  patterns.add<DsmemExchangeLowering, TmaStoreLowering, WaitForTileLowering>(
      converter, info, patterns.getContext());
}
