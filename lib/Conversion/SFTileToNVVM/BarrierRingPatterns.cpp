//===- BarrierRingPatterns.cpp - Rings between roles ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A ring that one role fills and another reads has two barriers in memory for
// each stage. `full` completes when the bytes of the stage have arrived, which
// TMA counts, or all warps of the filling role have written their
// part of it; `empty` when every group of readers has released it.
// Each use of a stage is one phase of its barriers: a wait names the parity of
// the phase, and the first round finds every stage empty.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::sftile;

// Bytes of a barrier, and elements of a row that are copied together where not
// all of them may be there.
static constexpr int64_t kBarrierBytes = 8, kRowElements = 64;

/// Waits until the phase of `parity` (i32, 0 or 1) of a barrier has completed.
/// No access to memory moves across it, which the operation of the nvvm dialect
/// does not promise.
static void emitWait(OpBuilder &builder, Location loc, Value barrier,
                     Value parity) {
  static constexpr StringLiteral text =
      "{ .reg .pred p; WAIT: mbarrier.try_wait.parity.shared::cta.b64 p, [$0], "
      "$1; @p bra DONE; bra WAIT; DONE: }";
  LLVM::InlineAsmOp::create(builder, loc, TypeRange(),
                            ValueRange{barrier, parity}, text, "r,r,~{memory}",
                            /*has_side_effects=*/true, /*is_align_stack=*/false,
                            LLVM::TailCallKind::None, LLVM::AsmDialectAttr(),
                            ArrayAttr());
}

namespace {

/// The barriers of the stage on which a position falls.
struct Stage {
  Stage(OpBuilder &builder, RingOp ring, Location loc, Value position)
      : builder(builder), loc(loc), ints(builder, loc), position(position) {
    int64_t stages = ring.getRing().getType().getStages();
    Value number = ints.toI32(position);
    Value index = ints.rem(number, stages);
    Value round = ints.div(number, stages);
    parity = ints.rem(round, 2);
    Value first = emitShared(builder, loc, ring, *ring.getBarriers());
    full = ints.advance(first, ints.mul(index, kBarrierBytes));
    empty = ints.advance(full, stages * kBarrierBytes);
  }

  OpBuilder &builder;
  Location loc;
  Integers ints;
  Value position, full, empty, parity;
};

/// The copy of some rows into `slot`, if it is one.
static CopyOp copyOfRows(Value slot) {
  for (Operation *user : slot.getUsers())
    if (auto copy = dyn_cast<CopyOp>(user); copy && copy.getRows())
      return copy;
  return {};
}

/// Bytes (i32) that arrive in the stage that `acquire` gives.
static Value emitExpectedBytes(ConversionPatternRewriter &rewriter,
                               AcquireOp acquire, Integers &ints) {
  int64_t always = 0;
  Value some;
  for (Value slot : acquire.getSlots()) {
    TileType tile = cast<SlotType>(slot.getType()).getTile();
    CopyOp copy = copyOfRows(slot);
    if (!copy) {
      always += tile.getBytes();
      continue;
    }
    Value rows = ints.toI32(rewriter.getRemappedValue(copy.getRows()));
    Value bytes =
        ints.mul(rows, tile.getPitch() * copy.getSharedBy().value_or(1));
    some = some ? ints.add(some, bytes) : bytes;
  }
  return some ? ints.add(some, always) : ints.i32(always);
}

struct RingLowering : public KernelPattern<RingOp> {
  using KernelPattern::KernelPattern;
  LogicalResult
  matchAndRewrite(RingOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RingInfo ring = info.ringOf(op.getRing());
    if (!ring.betweenRoles)
      return rewriter.notifyMatchFailure(op, "one role fills and reads");
    if (!op.getOffset() || !op.getBarriers())
      return op.emitOpError("expected an offset and barriers; run "
                            "sftile-assign-resources first");
    Location loc = op.getLoc();
    Integers ints(rewriter, loc);
    int64_t stages = op.getRing().getType().getStages();
    Value barriers = emitShared(rewriter, loc, op, *op.getBarriers());
    Value thread =
        NVVM::ThreadIdXOp::create(rewriter, loc, rewriter.getI32Type());
    Value first = rewriter.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::eq, thread, ints.i32(0));
    emitIf(rewriter, loc, first, [&](OpBuilder &builder) {
      Integers inner(builder, loc);
      for (int64_t index = 0; index < 2 * stages; ++index) {
        // One thread fills a stage, or each warp a part; the readers of all
        // blocks release it.
        int64_t arrivals = index < stages
                               ? std::max<int64_t>(ring.fillerWarps, 1)
                               : ring.releaserGroups * ring.sharedBy;
        NVVM::MBarrierInitOp::create(
            builder, loc, inner.advance(barriers, index * kBarrierBytes),
            inner.i32(arrivals), /*predicate=*/Value());
      }
      NVVM::FenceMbarrierInitOp::create(builder, loc);
    });
    // Blocks that share copies signal each other's barriers. The fence orders
    // what there is to order: an arrival that releases all else would wait for
    // the whole device's memory.
    if (ring.sharedBy > 1) {
      NVVM::ClusterArriveRelaxedOp::create(rewriter, loc, UnitAttr());
      NVVM::ClusterWaitOp::create(rewriter, loc, UnitAttr());
    } else {
      gpu::BarrierOp::create(rewriter, loc);
    }
    rewriter.replaceOp(op, emitShared(rewriter, loc, op, *op.getOffset()));
    return success();
  }
};

struct AcquireLowering : public KernelPattern<AcquireOp> {
  using KernelPattern::KernelPattern;
  LogicalResult
  matchAndRewrite(AcquireOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!info.ringOf(op.getRing()).betweenRoles)
      return rewriter.notifyMatchFailure(op, "one role fills and reads");
    Location loc = op.getLoc();
    RingType ring = op.getRing().getType();
    Stage stage(rewriter, op.getRing().getDefiningOp<RingOp>(), loc,
                adaptor.getPosition());
    emitWait(rewriter, loc, stage.empty, stage.ints.bitXor(stage.parity, 1));
    if (!info.ringOf(op.getRing()).fillerWarps)
      NVVM::MBarrierArriveExpectTxOp::create(
          rewriter, loc, TypeRange(), stage.full,
          emitExpectedBytes(rewriter, op, stage.ints), NVVM::MemScopeKind::CTA,
          /*relaxed=*/false, /*predicate=*/Value());
    rewriter.replaceOp(op, emitStage(rewriter, loc, ring, adaptor.getRing(),
                                     adaptor.getPosition()));
    return success();
  }
};

/// Sends what warp number `warp` of the `warps` that fill a stage has stored to
/// the same place of the `sharers` - 1 other blocks of the cluster, and arrives
/// at the own barrier, which waits for what the same warps of these send.
static void emitShare(OpBuilder &builder, Location loc, RingType ring,
                      Value base, const Stage &stage, int64_t sharers,
                      int64_t warps, Value warp) {
  static constexpr StringLiteral text =
      "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
      "[$0], [$1], $2, [$3];";
  Integers ints(builder, loc);
  auto cluster = LLVM::LLVMPointerType::get(
      builder.getContext(),
      static_cast<unsigned>(NVVM::NVVMMemorySpace::SharedCluster));
  Value rank = NVVM::ClusterId::create(builder, loc, builder.getI32Type());
  Value part = ints.add(ints.mul(rank, warps), warp);
  int64_t sent = 0;
  SmallVector<std::pair<Value, int64_t>> parts;
  SmallVector<Value> tiles =
      emitStage(builder, loc, ring, base, stage.position);
  for (auto [tile, type] : llvm::zip(tiles, ring.getTiles())) {
    int64_t bytes = type.getBytes() / (sharers * warps);
    parts.push_back({ints.advance(tile, ints.mul(part, bytes)), bytes});
    sent += bytes;
  }
  NVVM::MBarrierArriveExpectTxOp::create(
      builder, loc, TypeRange(), stage.full, ints.i32(sent * (sharers - 1)),
      NVVM::MemScopeKind::CTA, /*relaxed=*/false, /*predicate=*/Value());
  for (int64_t next = 1; next < sharers; ++next) {
    Value other = ints.rem(ints.add(rank, next), sharers);
    auto theirs = [&](Value own) -> Value {
      return NVVM::MapaOp::create(builder, loc, cluster, own, other);
    };
    Value full = theirs(stage.full);
    for (auto [place, bytes] : parts)
      LLVM::InlineAsmOp::create(
          builder, loc, TypeRange(),
          ValueRange{theirs(place), place, ints.i32(bytes), full}, text,
          "r,r,r,r,~{memory}", /*has_side_effects=*/true,
          /*is_align_stack=*/false, LLVM::TailCallKind::None,
          LLVM::AsmDialectAttr(), ArrayAttr());
  }
}

/// What threads have written becomes visible to the MMAs of others, which
/// read through the asynchronous proxy; then a thread of each warp arrives.
struct CommitLowering : public KernelPattern<CommitOp> {
  using KernelPattern::KernelPattern;
  LogicalResult
  matchAndRewrite(CommitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RingInfo ring = info.ringOf(op.getRing());
    if (!ring.fillerWarps)
      return rewriter.notifyMatchFailure(op, "copies fill the ring");
    Location loc = op.getLoc();
    Stage stage(rewriter, op.getRing().getDefiningOp<RingOp>(), loc,
                adaptor.getPosition());
    // All lanes agree on the warp's number.
    Value warp;
    if (ring.sharedBy > 1)
      warp = emitRoleWarp(rewriter, loc, info.roleOf(op));
    emitProxyFence(rewriter, loc);
    NVVM::SyncWarpOp::create(rewriter, loc, stage.ints.i32(-1));
    Value arrives =
        stage.ints.less(emitLaneId(rewriter, loc), stage.ints.i32(1));
    emitIf(rewriter, loc, arrives, [&](OpBuilder &builder) {
      if (ring.sharedBy > 1)
        emitShare(builder, loc, op.getRing().getType(), adaptor.getRing(),
                  stage, ring.sharedBy, ring.fillerWarps, warp);
      else
        NVVM::MBarrierArriveOp::create(builder, loc, TypeRange(), stage.full,
                                       /*count=*/Value(),
                                       NVVM::MemScopeKind::CTA,
                                       /*relaxed=*/false);
    });
    rewriter.eraseOp(op);
    return success();
  }
};

struct WaitLowering : public KernelPattern<WaitOp> {
  using KernelPattern::KernelPattern;
  LogicalResult
  matchAndRewrite(WaitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!info.ringOf(op.getRing()).betweenRoles)
      return rewriter.notifyMatchFailure(op, "one role fills and reads");
    Location loc = op.getLoc();
    Stage stage(rewriter, op.getRing().getDefiningOp<RingOp>(), loc,
                adaptor.getPosition());
    emitWait(rewriter, loc, stage.full, stage.parity);
    rewriter.replaceOp(op, emitStage(rewriter, loc, op.getRing().getType(),
                                     adaptor.getRing(), adaptor.getPosition()));
    return success();
  }
};

/// One thread of a group of readers arrives for all; where blocks share copies,
/// one for each block, at that block's barrier.
struct ReleaseLowering : public KernelPattern<ReleaseOp> {
  using KernelPattern::KernelPattern;
  LogicalResult
  matchAndRewrite(ReleaseOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RingInfo ring = info.ringOf(op.getRing());
    if (!ring.betweenRoles)
      return rewriter.notifyMatchFailure(op, "one role fills and reads");
    Location loc = op.getLoc();
    Stage stage(rewriter, op.getRing().getDefiningOp<RingOp>(), loc,
                adaptor.getPosition());
    Integers &ints = stage.ints;
    if (!ring.asyncReaders)
      NVVM::SyncWarpOp::create(rewriter, loc, ints.i32(-1));
    Value thread = ints.rem(emitRoleThread(rewriter, loc, info.roleOf(op)),
                            ring.releasers);
    Value arrives = ints.less(thread, ints.i32(ring.sharedBy));
    emitIf(rewriter, loc, arrives, [&](OpBuilder &builder) {
      Value barrier = stage.empty;
      if (ring.sharedBy > 1) {
        auto type = LLVM::LLVMPointerType::get(
            builder.getContext(),
            static_cast<unsigned>(NVVM::NVVMMemorySpace::SharedCluster));
        barrier = NVVM::MapaOp::create(builder, loc, type, barrier, thread);
      }
      NVVM::MBarrierArriveOp::create(builder, loc, TypeRange(), barrier,
                                     /*count=*/Value(), NVVM::MemScopeKind::CTA,
                                     /*relaxed=*/false);
    });
    rewriter.eraseOp(op);
    return success();
  }
};

/// Copies that one thread starts: a box, or the adjacent bytes of units.
struct BulkCopyLowering : public KernelPattern<CopyOp> {
  using KernelPattern::KernelPattern;
  LogicalResult
  matchAndRewrite(CopyOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto atom = cast<CopyAtomInterface>(op.getAtom());
    if (!atom.isBulk())
      return rewriter.notifyMatchFailure(op, "every thread copies");
    Location loc = op.getLoc();
    auto acquire = op.getSlot().getDefiningOp<AcquireOp>();
    Stage stage(rewriter, acquire.getRing().getDefiningOp<RingOp>(), loc,
                acquire.getPosition());
    ViewParts view(adaptor.getView());
    Value row = adaptor.getRow().front(), col = adaptor.getCol().front();
    Value slot = adaptor.getSlot().front();
    if (atom.usesTensorMap())
      copyBox(rewriter, op, atom, view, adaptor, stage);
    else if (op.getView().getType().getOrder() == Order::RowMajor)
      copyRows(rewriter, op, atom, view, row, col, slot, stage);
    else
      copyUnits(rewriter, op, atom, view, row, col, slot, stage);
    rewriter.eraseOp(op);
    return success();
  }

  static void copyBox(OpBuilder &builder, CopyOp op, CopyAtomInterface atom,
                      const ViewParts &view, OneToNOpAdaptor adaptor,
                      Stage &stage) {
    Location loc = op.getLoc();
    Integers &ints = stage.ints;
    TileType tile = op.getSlot().getType().getTile();
    int64_t sharers = op.getSharedBy().value_or(1);
    Value slot = adaptor.getSlot().front(), col = adaptor.getCol().front();
    Value firstRow = ints.toI32(adaptor.getRow().front());
    int64_t parts = sharers;
    if (op.getPieces()) {
      parts = *op.getPieces();
      slot = ints.advance(slot, *op.getPiece() * tile.getBytes() / parts);
    }
    Value mask;
    if (sharers > 1) {
      Value rows = op.getRows() ? ints.toI32(adaptor.getRows().front())
                                : ints.i32(tile.getShape()[0] / sharers);
      Value rank = NVVM::ClusterId::create(builder, loc, builder.getI32Type());
      Value before = ints.mul(rank, rows);
      firstRow = ints.add(firstRow, before);
      slot = ints.advance(slot, ints.mul(before, tile.getPitch()));
      mask = LLVM::ConstantOp::create(
          builder, loc, builder.getI16Type(),
          builder.getI16IntegerAttr((1 << sharers) - 1));
    }
    SmallVector<Value> place = {ints.toI32(col), firstRow};
    // Two dimensions are inside a unit.
    if (tile.getOrder() != Order::Swizzled)
      place.insert(place.begin(), 2, ints.i32(0));
    llvm::append_range(place, emitMatrixIndices(builder, loc, op.getView()));
    atom.emit(builder, loc,
              {slot, view.pointer, /*valid=*/Value(), place,
               tile.getBytes() / parts, stage.full, mask, op.getReadOnce()});
  }

  /// Rows as they are; where they may reach beyond a row of the view, 64
  /// elements at a time.
  static void copyRows(OpBuilder &builder, CopyOp op, CopyAtomInterface atom,
                       const ViewParts &view, Value row, Value col, Value slot,
                       Stage &stage) {
    Location loc = op.getLoc();
    Integers &ints = stage.ints;
    TileType tile = op.getSlot().getType().getTile();
    int64_t rows = tile.getShape()[0], cols = tile.getShape()[1];
    int64_t together = op.getColsInBounds() ? cols : kRowElements;
    int64_t bytes = tile.getElementType().getIntOrFloatBitWidth() / 8;
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < cols; c += together) {
        Value fromRow = ints.add(row, r), fromCol = ints.add(col, c);
        if (!op.getRowsInBounds())
          fromRow = ints.min(fromRow, ints.add(view.rows, -1));
        if (!op.getColsInBounds())
          fromCol = ints.min(fromCol, ints.add(view.cols, -together));
        Value index = ints.add(ints.mul(fromRow, view.pitch), fromCol);
        atom.emit(builder, loc,
                  {ints.advance(slot, (r * cols + c) * bytes),
                   ints.advance(view.pointer, ints.mul(index, bytes)),
                   /*valid=*/Value(), /*place=*/ValueRange(), together * bytes,
                   stage.full, /*multicast=*/Value()});
      }
  }

  static void copyUnits(OpBuilder &builder, CopyOp op, CopyAtomInterface atom,
                        const ViewParts &view, Value row, Value col, Value slot,
                        Stage &stage) {
    Location loc = op.getLoc();
    Integers &ints = stage.ints;
    TileType tile = op.getSlot().getType().getTile();
    int64_t unitBytes = tile.getUnit().bytes;
    int64_t unitRows = tile.getShape()[0] / tile.getUnit().rows;
    int64_t unitCols = tile.getShape()[1] / tile.getUnit().cols;
    // Units of one row follow one another, unless the last ones repeat.
    int64_t together = op.getColsInBounds() ? unitCols : 1;
    for (int64_t r = 0; r < unitRows; ++r)
      for (int64_t c = 0; c < unitCols; c += together) {
        Value unitRow = ints.add(row, r), unitCol = ints.add(col, c);
        if (!op.getRowsInBounds())
          unitRow = ints.min(unitRow, ints.add(view.rows, -1));
        if (!op.getColsInBounds())
          unitCol = ints.min(unitCol, ints.add(view.cols, -1));
        Value index = ints.add(ints.mul(unitRow, view.cols), unitCol);
        atom.emit(builder, loc,
                  {ints.advance(slot, (r * unitCols + c) * unitBytes),
                   ints.advance(view.pointer, ints.mul(index, unitBytes)),
                   /*valid=*/Value(), /*place=*/ValueRange(),
                   together * unitBytes, stage.full, /*multicast=*/Value()});
      }
  }
};

} // namespace

void mlir::sftile::populateBarrierRingPatterns(
    const SFTileTypeConverter &converter, const KernelInfo &info,
    RewritePatternSet &patterns) {
  patterns.add<RingLowering, AcquireLowering, CommitLowering, WaitLowering,
               ReleaseLowering, BulkCopyLowering>(converter, info,
                                                  patterns.getContext());
}
