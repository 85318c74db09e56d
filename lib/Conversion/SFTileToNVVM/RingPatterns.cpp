//===- RingPatterns.cpp - Places, rings and copies ------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sftile;

/// The block's shared memory: one external array whose size is given at launch.
static constexpr StringLiteral kSharedName = "sftile_shared";

/// A pointer to byte `offset` of the block's shared memory.
Value mlir::sftile::emitShared(OpBuilder &builder, Location loc, Operation *op,
                               int64_t offset) {
  auto module = op->getParentOfType<gpu::GPUModuleOp>();
  auto array = LLVM::LLVMArrayType::get(builder.getI8Type(), 0);
  auto global = module.lookupSymbol<LLVM::GlobalOp>(kSharedName);
  if (!global) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    global = LLVM::GlobalOp::create(
        builder, module.getLoc(), array, /*isConstant=*/false,
        LLVM::Linkage::External, kSharedName, Attribute(), /*alignment=*/1024,
        kSharedSpace);
  }
  Value base = LLVM::AddressOfOp::create(builder, loc, global);
  return Integers(builder, loc).advance(base, offset);
}

FailureOr<Value> mlir::sftile::emitPlace(OpBuilder &builder, Operation *op,
                                         std::optional<uint64_t> offset) {
  if (!offset)
    return op->emitOpError("expected an offset; run "
                           "sftile-assign-resources first");
  return emitShared(builder, op->getLoc(), op, *offset);
}

void mlir::sftile::emitRoleBarrier(OpBuilder &builder, Location loc,
                                   Operation *op, RoleInfo role) {
  auto kernel = op->getParentOfType<gpu::GPUFuncOp>();
  std::optional<ArrayRef<int32_t>> size = kernel.getKnownBlockSize();
  if (role.threads() == 0 || (size && (*size)[0] == role.threads())) {
    gpu::BarrierOp::create(builder, loc);
    return;
  }
  emitNamedBarrier(builder, loc, Integers(builder, loc).i32(role.number + 1),
                   role.threads());
}

void mlir::sftile::emitNamedBarrier(OpBuilder &builder, Location loc,
                                    Value number, int64_t threads) {
  NVVM::BarrierOp::create(builder, loc, TypeRange(), number,
                          Integers(builder, loc).i32(threads),
                          NVVM::BarrierReductionAttr(), Value());
}

void mlir::sftile::emitProxyFence(OpBuilder &builder, Location loc) {
  NVVM::FenceProxyOp::create(
      builder, loc, NVVM::ProxyKind::async_shared,
      NVVM::SharedSpaceAttr::get(builder.getContext(),
                                 NVVM::SharedSpace::shared_cta));
}

void mlir::sftile::emitIf(OpBuilder &builder, Location loc, Value condition,
                          function_ref<void(OpBuilder &)> body) {
  scf::IfOp::create(builder, loc, condition,
                    [&](OpBuilder &inner, Location innerLoc) {
                      body(inner);
                      scf::YieldOp::create(inner, innerLoc);
                    });
}

SmallVector<Value> mlir::sftile::emitStage(OpBuilder &builder, Location loc,
                                           RingType ring, Value base,
                                           Value position) {
  Integers ints(builder, loc);
  Value stage = ints.rem(ints.toI32(position), ring.getStages());
  Value start = ints.advance(base, ints.mul(stage, ring.getStageBytes()));
  SmallVector<Value> tiles;
  for (unsigned index = 0; index < ring.getTiles().size(); ++index)
    tiles.push_back(ints.advance(start, ring.getTileOffset(index)));
  return tiles;
}

namespace {

struct RingLowering : public KernelPattern<RingOp> {
  using KernelPattern::KernelPattern;
  LogicalResult
  matchAndRewrite(RingOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (info.ringOf(op.getRing()).betweenRoles)
      return rewriter.notifyMatchFailure(op, "two roles share the ring");
    FailureOr<Value> place = emitPlace(rewriter, op, op.getOffset());
    if (failed(place))
      return failure();
    rewriter.replaceOp(op, *place);
    return success();
  }
};

/// A stage that the reading side has finished with may be filled at once: in a
/// role that both fills and reads, the barrier of `wait` has already ordered
/// the last reads before this fill.
struct AcquireLowering : public KernelPattern<AcquireOp> {
  using KernelPattern::KernelPattern;
  LogicalResult
  matchAndRewrite(AcquireOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (info.ringOf(op.getRing()).betweenRoles)
      return rewriter.notifyMatchFailure(op, "two roles share the ring");
    rewriter.replaceOp(op,
                       emitStage(rewriter, op.getLoc(), op.getRing().getType(),
                                 adaptor.getRing(), adaptor.getPosition()));
    return success();
  }
};

struct CommitLowering : public KernelPattern<CommitOp> {
  using KernelPattern::KernelPattern;
  LogicalResult
  matchAndRewrite(CommitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (info.ringOf(op.getRing()).fillerWarps)
      return rewriter.notifyMatchFailure(op, "warps fill the ring");
    // Bulk copies signal by themselves.
    if (CopyAtomInterface atom = info.ringOf(op.getRing()).atom)
      atom.emitCommit(rewriter, op.getLoc());
    rewriter.eraseOp(op);
    return success();
  }
};

/// Position p is committed stages - 1 positions ahead of its wait, so that
/// stages - 2 younger groups may still be on their way. The barrier makes the
/// copies of all threads visible, and orders the reads of the stage before.
struct WaitLowering : public KernelPattern<WaitOp> {
  using KernelPattern::KernelPattern;
  LogicalResult
  matchAndRewrite(WaitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RingType ring = op.getRing().getType();
    RingInfo ringInfo = info.ringOf(op.getRing());
    if (ringInfo.betweenRoles)
      return rewriter.notifyMatchFailure(op, "two roles share the ring");
    if (ringInfo.atom)
      ringInfo.atom.emitWait(rewriter, loc, ring.getStages() - 2);
    if (ringInfo.asyncReaders)
      emitProxyFence(rewriter, loc);
    emitRoleBarrier(rewriter, loc, op, info.roleOf(op));
    rewriter.replaceOp(op, emitStage(rewriter, loc, ring, adaptor.getRing(),
                                     adaptor.getPosition()));
    return success();
  }
};

struct ReleaseLowering : public KernelPattern<ReleaseOp> {
  using KernelPattern::KernelPattern;
  LogicalResult
  matchAndRewrite(ReleaseOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (info.ringOf(op.getRing()).betweenRoles)
      return rewriter.notifyMatchFailure(op, "two roles share the ring");
    // The next wait's barrier says it to everyone.
    rewriter.eraseOp(op);
    return success();
  }
};

/// Deals the chunks of a tile out to the threads of the role, in turn.
struct CopyLowering : public KernelPattern<CopyOp> {
  using KernelPattern::KernelPattern;

  static CopyAtomInterface atomOf(CopyOp op) {
    return cast<CopyAtomInterface>(op.getAtom());
  }

  LogicalResult
  matchAndRewrite(CopyOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (atomOf(op).isBulk())
      return rewriter.notifyMatchFailure(op, "one thread copies in bulk");
    ViewParts view(adaptor.getView());
    Value row = adaptor.getRow().front(), col = adaptor.getCol().front();
    Value slot = adaptor.getSlot().front();
    TileType tile = op.getSlot().getType().getTile();
    bool packed = op.getView().getType().getOrder() != Order::RowMajor;
    RoleInfo role = info.roleOf(op);
    Location loc = op.getLoc();
    Integers ints(rewriter, loc);
    int64_t chunks = tile.getBytes() / atomOf(op).getBytes();
    Value thread = emitRoleThread(rewriter, loc, role);
    // A synchronous copy would hold one register for each chunk in flight.
    if (!atomOf(op).isAsynchronous() && chunks % role.threads() == 0) {
      auto loop =
          scf::ForOp::create(rewriter, loc, ints.i32(0), ints.i32(chunks),
                             ints.i32(role.threads()));
      OpBuilder body = OpBuilder::atBlockTerminator(loop.getBody());
      emitRowChunk(body, op, view, row, col, slot,
                   Integers(body, loc).add(thread, loop.getInductionVar()), 0,
                   role);
      rewriter.eraseOp(op);
      return success();
    }
    if (std::optional<RowChunks> rows =
            packed
                ? std::nullopt
                : startRows(rewriter, op, view, row, col, slot, thread, role)) {
      for (int64_t first = 0; first < chunks; first += role.threads())
        emitRowChunkAt(rewriter, op, *rows, first);
      rewriter.eraseOp(op);
      return success();
    }
    for (int64_t first = 0; first < chunks; first += role.threads()) {
      auto emitChunk = [&](OpBuilder &builder) {
        if (packed)
          emitPackedChunk(builder, op, view, row, col, slot, thread, first);
        else
          emitRowChunk(builder, op, view, row, col, slot, thread, first, role);
      };
      if (first + role.threads() <= chunks) {
        emitChunk(rewriter);
        continue;
      }
      Value mine = ints.less(thread, ints.i32(chunks - first));
      scf::IfOp::create(rewriter, loc, mine,
                        [&](OpBuilder &builder, Location l) {
                          emitChunk(builder);
                          scf::YieldOp::create(builder, l);
                        });
    }
    rewriter.eraseOp(op);
    return success();
  }

  /// Chunk `thread + first` of a packed tile: units are contiguous both in
  /// global and in shared memory.
  static void emitPackedChunk(OpBuilder &builder, CopyOp op,
                              const ViewParts &view, Value row, Value col,
                              Value slot, Value thread, int64_t first) {
    Location loc = op.getLoc();
    Integers ints(builder, loc);
    TileType tile = op.getSlot().getType().getTile();
    int64_t unitBytes = tile.getUnit().bytes;
    int64_t unitsPerRow = tile.getShape()[1] / tile.getUnit().cols;
    Value byte = ints.mul(ints.add(thread, first), atomOf(op).getBytes());
    Value unit = ints.div(byte, unitBytes);
    Value inside = ints.rem(byte, unitBytes);
    Value unitRow = ints.add(row, ints.toI64(ints.div(unit, unitsPerRow)));
    Value unitCol = ints.add(col, ints.toI64(ints.rem(unit, unitsPerRow)));
    if (!op.getRowsInBounds())
      unitRow = ints.min(unitRow, ints.add(view.rows, -1));
    if (!op.getColsInBounds())
      unitCol = ints.min(unitCol, ints.add(view.cols, -1));
    Value index = ints.add(ints.mul(unitRow, view.cols), unitCol);
    Value source = ints.advance(
        view.pointer, ints.add(ints.mul(index, unitBytes), ints.toI64(inside)));
    CopyOperands chunk;
    chunk.destination = ints.advance(slot, byte);
    chunk.source = source;
    atomOf(op).emit(builder, loc, chunk);
  }

  /// What the chunks of one thread have in common when they lie in one column,
  /// a constant number of rows apart: all that is left to a chunk is a
  /// constant. Without this every chunk would keep addresses of its own in
  /// registers for the whole loop over K.
  struct RowChunks {
    Value source, destination, rowsLeft, valid;
    int64_t rowsApart, sourceApart, destinationApart;
  };

  static std::optional<RowChunks> startRows(OpBuilder &builder, CopyOp op,
                                            const ViewParts &view, Value row,
                                            Value col, Value slot, Value thread,
                                            RoleInfo role) {
    TileType tile = op.getSlot().getType().getTile();
    int64_t width = atomOf(op).getBytes();
    int64_t bytes = tile.getElementType().getIntOrFloatBitWidth() / 8;
    int64_t perRow = tile.getPitch() / width;
    std::optional<int64_t> pitch = getConstantIntValue(view.pitch);
    // Swizzling repeats after eight rows.
    int64_t rowsApart = role.threads() / perRow;
    if (!pitch || role.threads() % perRow || rowsApart % 8 ||
        tile.getShape()[0] % rowsApart)
      return std::nullopt;
    Location loc = op.getLoc();
    Integers ints(builder, loc);
    Value tileRow = ints.div(thread, perRow);
    Value tileCol = ints.mul(ints.rem(thread, perRow), width / bytes);
    Value viewRow = ints.add(row, ints.toI64(tileRow));
    Value viewCol = ints.add(col, ints.toI64(tileCol));
    RowChunks chunks;
    Value element = ints.add(ints.mul(viewRow, *pitch), viewCol);
    chunks.source = ints.advance(view.pointer, ints.mul(element, bytes));
    chunks.destination = ints.advance(
        slot, emitTileOffset(builder, loc, tile, tileRow, tileCol));
    chunks.rowsApart = rowsApart;
    chunks.sourceApart = rowsApart * *pitch * bytes;
    chunks.destinationApart = rowsApart * tile.getPitch();
    if (!op.getColsInBounds())
      chunks.valid = validBytes(ints, view, viewCol, bytes, width);
    if (!op.getRowsInBounds())
      chunks.rowsLeft = ints.toI32(
          ints.min(ints.sub(view.rows, viewRow), ints.i64(tile.getShape()[0])));
    return chunks;
  }

  /// Bytes of a chunk at column `viewCol` that lie inside the view.
  static Value validBytes(Integers &ints, const ViewParts &view, Value viewCol,
                          int64_t bytes, int64_t width) {
    Value left = ints.mul(ints.sub(view.cols, viewCol), bytes);
    return ints.toI32(ints.min(ints.max(left, ints.i64(0)), ints.i64(width)));
  }

  /// Chunk number `first` / threads of the thread.
  void emitRowChunkAt(OpBuilder &builder, CopyOp op, const RowChunks &chunks,
                      int64_t first) const {
    Location loc = op.getLoc();
    Integers ints(builder, loc);
    int64_t number = first / info.roleOf(op).threads();
    Value valid = chunks.valid;
    if (chunks.rowsLeft) {
      Value inside =
          ints.less(ints.i32(number * chunks.rowsApart), chunks.rowsLeft);
      Value whole = valid ? valid : ints.i32(atomOf(op).getBytes());
      valid = ints.select(inside, whole, ints.i32(0));
    }
    CopyOperands chunk;
    chunk.destination =
        ints.advance(chunks.destination, number * chunks.destinationApart);
    chunk.source = ints.advance(chunks.source, number * chunks.sourceApart);
    chunk.valid = valid;
    atomOf(op).emit(builder, loc, chunk);
  }

  /// Chunk `thread + first` of a row-major matrix.
  static void emitRowChunk(OpBuilder &builder, CopyOp op, const ViewParts &view,
                           Value row, Value col, Value slot, Value thread,
                           int64_t first, RoleInfo role) {
    Location loc = op.getLoc();
    Integers ints(builder, loc);
    TileType tile = op.getSlot().getType().getTile();
    int64_t width = atomOf(op).getBytes();
    int64_t bytes = tile.getElementType().getIntOrFloatBitWidth() / 8;
    int64_t perRow = tile.getPitch() / width;
    Value tileRow, chunk;
    if (role.threads() % perRow == 0) {
      // Every thread stays in its column of chunks.
      tileRow = ints.add(ints.div(thread, perRow), first / perRow);
      chunk = ints.rem(thread, perRow);
    } else {
      Value number = ints.add(thread, first);
      tileRow = ints.div(number, perRow);
      chunk = ints.rem(number, perRow);
    }
    Value tileCol = ints.mul(chunk, width / bytes);
    Value viewRow = ints.add(row, ints.toI64(tileRow));
    Value viewCol = ints.add(col, ints.toI64(tileCol));
    Value element = ints.add(ints.mul(viewRow, view.pitch), viewCol);
    Value source = ints.advance(view.pointer, ints.mul(element, bytes));
    Value destination = ints.advance(
        slot, emitTileOffset(builder, loc, tile, tileRow, tileCol));

    Value valid;
    if (!op.getColsInBounds())
      valid = validBytes(ints, view, viewCol, bytes, width);
    if (!op.getRowsInBounds()) {
      Value inside = ints.less(viewRow, view.rows);
      valid = ints.select(inside, valid ? valid : ints.i32(width), ints.i32(0));
    }
    CopyOperands operands;
    operands.destination = destination;
    operands.source = source;
    operands.valid = valid;
    atomOf(op).emit(builder, loc, operands);
  }
};

} // namespace

void mlir::sftile::populateRingPatterns(const SFTileTypeConverter &converter,
                                        const KernelInfo &info,
                                        RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<RingLowering, AcquireLowering, ReleaseLowering, CommitLowering,
               WaitLowering, CopyLowering>(converter, info, context);
}
