//===- MatmulKernel.cpp - Multistage matmul on mma and mma.sp ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Epilogue.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Packed weights come in units of 64 x 64.
static constexpr int64_t kUnit = 64;
// Tokens that an epilogue treats at once: enough for full vectors, few enough
// that operands and results need few registers and little scratch.
static constexpr int64_t kEpilogueTokens = 8;
// Tokens of an accumulator fragment: two instructions, whose activations one
// ldmatrix loads for half a depth step.
static constexpr int64_t kPieceTokens = 16;

Value MatmulKernel::gridSize(OpBuilder &builder, Location loc,
                             Value tokens) const {
  if (specialised())
    return persistentGridSize(builder, loc, tokens);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  };
  Value tiles = arith::CeilDivUIOp::create(builder, loc, tokens,
                                           constant(schedule.getBlock()[1]));
  int64_t perTokenTile =
      llvm::divideCeil(n, schedule.getBlock()[0]) * schedule.getSplitK();
  return arith::MulIOp::create(builder, loc, tiles, constant(perTokenTile));
}

namespace {

/// Writes one matmul kernel.
class Generator {
public:
  Generator(const MatmulKernel &spec, OpBuilder &builder)
      : spec(spec), schedule(spec.schedule), builder(builder), loc(spec.loc),
        b(builder, spec.loc, spec.name,
          SmallVector<bool>(pointerCount(spec), false), schedule) {
    MLIRContext *context = builder.getContext();
    mma =
        spec.sparse
            ? MmaAtomInterface(
                  MmaSpSyncAttr::get(context, 32, spec.operandType))
            : MmaAtomInterface(MmaSyncAttr::get(context, 16, spec.operandType));
    accLayout = LayoutAttr::get(context, mma.getLayoutC());
    if (schedule.getWarpgroup()) {
      wgmma = spec.sparse ? AsyncMmaAtomInterface(
                                WgmmaSpAttr::get(context, spec.operandType))
                          : AsyncMmaAtomInterface(
                                WgmmaAttr::get(context, spec.operandType));
      accLayout = LayoutAttr::get(context, wgmma.getLayoutC());
    }
    stages = schedule.getStages();
    blockF = schedule.getBlock()[0];
    blockT = schedule.getBlock()[1];
    warpF = schedule.getWarp()[0];
    warpT = schedule.getWarp()[1];
    depth = schedule.getK();
  }

  gpu::GPUFuncOp run() {
    makeViews();
    makeShared();
    b.openRole("main", schedule.getNumWarps());
    placeBlock();
    placeWarp();
    SmallVector<Value> acc = mainLoop();
    if (spec.partial())
      storePartial(acc);
    else
      storeResults(acc);
    return b.finish();
  }

private:
  static int64_t pointerCount(const MatmulKernel &spec) {
    int64_t operands = spec.partial() ? 0 : spec.operands.size();
    return 2 + (spec.sparse ? 1 : 0) + operands + 1;
  }

  void makeViews() {
    MLIRContext *context = builder.getContext();
    int64_t next = 0;
    ++next; // Activations: a view for every step.
    if (spec.sparse) {
      Value unitRows = b.i64(llvm::divideCeil(spec.n, kUnit));
      Value unitCols = b.i64(llvm::divideCeil(spec.k, kUnit));
      wView = ViewOp::create(
          builder, loc,
          ViewType::get(context, spec.operandType, Order::Values24),
          b.pointer(next++), unitRows, unitCols, Value());
      metaView = ViewOp::create(
          builder, loc,
          ViewType::get(context, builder.getI32Type(), Order::Metadata24),
          b.pointer(next++), unitRows, unitCols, Value());
    } else {
      wView =
          b.view(b.pointer(next++), spec.operandType, b.i64(spec.n), spec.k);
    }
    if (spec.partial())
      return; // The view of this block's partial sums needs the block's place.
    for (const ElementOperand &operand : spec.operands)
      operandViews.push_back(b.operandView(operand, b.pointer(next++), spec.n));
    yView = b.view(b.pointer(next), spec.resultType, b.count(), spec.n);
  }

  TileType tile(int64_t rows, int64_t cols, Type type, Order order) {
    return TileType::get(builder.getContext(), {rows, cols}, type, order);
  }

  void makeShared() {
    if (spec.sparse) {
      tiles = {tile(blockF, depth / 2, spec.operandType, Order::Values24),
               tile(blockF / 16, depth / 2, builder.getI32Type(),
                    Order::Metadata24)};
    } else {
      tiles = {tile(blockF, depth, spec.operandType, Order::Swizzled)};
    }
    tiles.push_back(tile(blockT, depth, spec.operandType, Order::Swizzled));
    ringType = RingType::get(builder.getContext(), stages, tiles);
    ring = RingOp::create(builder, loc, ringType, IntegerAttr(), IntegerAttr());
  }

  /// Which part of the result, and of the depth, this block computes. Tiles of
  /// one group of token tiles are visited feature tile by feature tile, so that
  /// the group's activations and the current weights stay in the L2 cache.
  void placeBlock() {
    Value id = b.blockId();
    Value split;
    if (schedule.getSplitK() > 1) {
      split = b.rem(id, schedule.getSplitK());
      id = b.div(id, schedule.getSplitK());
    }
    int64_t featureTiles = llvm::divideCeil(spec.n, blockF);
    Value tokenTiles = b.toIndex(builder.createOrFold<arith::CeilDivUIOp>(
        loc, b.count(), b.i64(blockT)));
    int64_t group = schedule.getGroup();
    Value groupNumber = b.div(id, group * featureTiles);
    Value inGroup = b.rem(id, group * featureTiles);
    Value firstToken = b.mul(groupNumber, group);
    Value left = arith::SubIOp::create(builder, loc, tokenTiles, firstToken);
    Value width = b.min(left, b.index(group));
    tokenBase =
        b.toI64(b.mul(b.add(firstToken, b.rem(inGroup, width)), blockT));
    featureBase = b.toI64(b.mul(b.div(inGroup, width), blockF));

    int64_t steps = llvm::divideCeil(spec.k, depth);
    int64_t perSplit = llvm::divideCeil(steps, schedule.getSplitK());
    if (!split) {
      firstStep = b.index(0);
      stepCount = b.index(steps);
      return;
    }
    partialRow = arith::MulIOp::create(builder, loc, b.toI64(split), b.count());
    firstStep = b.mul(split, perSplit);
    Value rest = arith::SubIOp::create(builder, loc, b.index(steps), firstStep);
    stepCount = arith::MaxSIOp::create(builder, loc, b.index(0),
                                       b.min(rest, b.index(perSplit)));
  }

  void placeWarp() {
    int64_t along = blockF / warpF;
    Value warp = WarpIdOp::create(builder, loc, builder.getIndexType());
    warpFeature = b.mul(b.rem(warp, along), warpF);
    warpToken = b.mul(b.div(warp, along), warpT);
  }

  /// Fills position `position` of the ring. Past the end of the depth there are
  /// no weights to copy and the activations have no rows. That the rows depend
  /// on the position keeps the tests of single rows out of the registers that
  /// live through the loop.
  void fill(Value position) {
    Value inside = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::slt, position, stepCount);
    SmallVector<Type> slots;
    for (TileType type : tiles)
      slots.push_back(SlotType::get(builder.getContext(), type.getShape(),
                                    type.getElementType(), type.getOrder()));
    auto slot = AcquireOp::create(builder, loc, slots, ring, position);
    Value step = b.toI64(b.add(firstStep, position));
    Value k = b.mul(step, depth);
    UnitAttr yes = builder.getUnitAttr();
    UnitAttr wholeDepth = spec.k % depth == 0 ? yes : UnitAttr();
    auto branch = scf::IfOp::create(builder, loc, inside);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(branch.thenBlock());
      if (spec.sparse)
        fillPacked(slot.getSlots(), step);
      else
        CopyOp::create(builder, loc, wView, featureBase, k, slot.getSlots()[0],
                       spec.copy, IntegerAttr(),
                       wholeFeatures() ? yes : UnitAttr(), wholeDepth);
    }
    Value rows =
        arith::SelectOp::create(builder, loc, inside, b.count(), b.i64(0));
    Value x = b.view(b.pointer(0), spec.operandType, rows, spec.k);
    CopyOp::create(builder, loc, x, tokenBase, k, slot.getSlots().back(),
                   spec.copy, IntegerAttr(), UnitAttr(), wholeDepth);
    CommitOp::create(builder, loc, ring, position);
  }

  /// Values and metadata of one step.
  void fillPacked(ValueRange slots, Value step) {
    UnitAttr yes = builder.getUnitAttr();
    auto wide = CpAsyncAttr::get(builder.getContext(), 16);
    Value unitRow = b.div(featureBase, kUnit);
    Value unitCol = b.mul(step, depth / kUnit);
    bool rowsFit = llvm::divideCeil(spec.n, kUnit) % (blockF / kUnit) == 0;
    bool colsFit = llvm::divideCeil(spec.k, kUnit) % (depth / kUnit) == 0;
    std::array<Value, 2> views = {wView, metaView};
    for (auto [packed, slot] : llvm::zip(views, slots))
      CopyOp::create(builder, loc, packed, unitRow, unitCol, slot, wide,
                     IntegerAttr(), rowsFit ? yes : UnitAttr(),
                     colsFit ? yes : UnitAttr());
  }

  /// Tokens of one accumulator fragment. A warp holds several, so that the
  /// products on one of them need the activations of its tokens only: few
  /// registers, and loads that interleave with products.
  /// A product of a warpgroup has one accumulator for all of its tokens.
  int64_t pieceTokens() const {
    if (wgmma)
      return warpT;
    return warpT % kPieceTokens ? mma.getN() : kPieceTokens;
  }

  SmallVector<Value> mainLoop() {
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0.0f));
    FragType accType =
        b.frag({warpF, pieceTokens()}, builder.getF32Type(), accLayout);
    Value none = SplatOp::create(builder, loc, accType, zero);
    SmallVector<Value> acc(llvm::divideCeil(warpT, pieceTokens()), none);
    for (int64_t position = 0; position < stages - 1; ++position)
      fill(b.index(position));
    auto loop = scf::ForOp::create(builder, loc, b.index(0), stepCount,
                                   b.index(1), acc);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value position = loop.getInductionVar();
    auto ready = WaitOp::create(builder, loc,
                                SmallVector<Type>(tiles.begin(), tiles.end()),
                                ring, position);
    fill(b.add(position, stages - 1));
    SmallVector<Value> sums(loop.getRegionIterArgs());
    if (wgmma)
      sums[0] = multiplyTogether(ready.getTiles(), sums[0]);
    else
      multiply(ready.getTiles(), sums);
    ReleaseOp::create(builder, loc, ring, position);
    scf::YieldOp::create(builder, loc, sums);
    return loop.getResults();
  }

  /// The products of one stage.
  void multiply(ValueRange stage, MutableArrayRef<Value> acc) {
    MLIRContext *context = builder.getContext();
    auto ldmatrix = LdMatrixAttr::get(context);
    int64_t step = mma.getK();
    int64_t kept = spec.sparse ? step / 2 : step;
    FragType aType = b.frag({warpF, kept}, spec.operandType,
                            LayoutAttr::get(context, mma.getLayoutA()));
    FragType bType = b.frag({pieceTokens(), step}, spec.operandType,
                            LayoutAttr::get(context, mma.getLayoutB()));
    FragType metaType = b.frag({warpF / 16, 32}, builder.getI32Type(),
                               LayoutAttr::get(context, getMetadataLayout()));
    Value meta;
    for (int64_t k = 0; k < depth; k += step) {
      if (spec.sparse && k % kUnit == 0)
        meta = LoadOp::create(builder, loc, metaType, stage[1],
                              b.div(warpFeature, 16), b.index(k / 2),
                              MatrixLoadAtomInterface());
      Value a = LoadOp::create(builder, loc, aType, stage[0], warpFeature,
                               b.index(spec.sparse ? k / 2 : k), ldmatrix);
      IntegerAttr selector;
      if (spec.sparse)
        selector = builder.getI64IntegerAttr(k % kUnit / step);
      for (auto [index, sum] : llvm::enumerate(acc)) {
        Value token = b.add(warpToken, index * pieceTokens());
        Value x = LoadOp::create(builder, loc, bType, stage.back(), token,
                                 b.index(k), ldmatrix);
        sum = MmaOp::create(builder, loc, sum.getType(), a, x, sum, meta,
                            selector, mma);
      }
    }
  }

  /// The products of one stage, of four warps together: each step is started
  /// behind the one before, and all are waited for at the end of the stage,
  /// because the next wait gives the stage's memory back.
  Value multiplyTogether(ValueRange stage, Value acc) {
    MLIRContext *context = builder.getContext();
    int64_t step = wgmma.getK();
    Value groupFeature = b.mul(b.div(warpFeature, wgmma.getM()), wgmma.getM());
    Value meta;
    if (spec.sparse) {
      FragType metaType = b.frag({1, 32}, builder.getI32Type(),
                                 LayoutAttr::get(context, getMetadataLayout()));
      meta = LoadOp::create(builder, loc, metaType, stage[1],
                            b.div(warpFeature, 16), b.index(0),
                            MatrixLoadAtomInterface());
    }
    auto type = PendingType::get(context, cast<FragType>(acc.getType()));
    Value pending = acc;
    for (int64_t k = 0; k < depth; k += step) {
      IntegerAttr selector;
      if (spec.sparse)
        selector = builder.getI64IntegerAttr(k / step);
      pending = MmaAsyncOp::create(builder, loc, type, stage[0], groupFeature,
                                   b.index(spec.sparse ? k / 2 : k),
                                   stage.back(), warpToken, b.index(k), pending,
                                   meta, selector, wgmma);
    }
    return AwaitOp::create(builder, loc, acc.getType(), pending,
                           meta ? ValueRange(meta) : ValueRange(),
                           /*leaving=*/0, wgmma)
        .getResult(0);
  }

  /// True if no block reaches past the last feature.
  bool wholeFeatures() const { return spec.n % blockF == 0; }

  int64_t sliceTokens() const {
    // Few features want more tokens to make full vectors of.
    return std::min(warpF >= 32 ? kEpilogueTokens : 2 * kEpilogueTokens, warpT);
  }

  /// The accumulators of the slice of tokens from `first` on.
  Value slice(ArrayRef<Value> acc, int64_t first) {
    return SliceOp::create(
        builder, loc,
        b.frag({warpF, sliceTokens()}, builder.getF32Type(), accLayout),
        acc[first / pieceTokens()], 0, first % pieceTokens());
  }

  /// Applies the body and stores, a slice of tokens at a time.
  void storeResults(ArrayRef<Value> acc) {
    Value row = b.add(featureBase, b.toI64(warpFeature));
    Epilogue epilogue = makeEpilogue();
    for (int64_t first = 0; first < warpT; first += sliceTokens()) {
      Value col = b.add(b.add(tokenBase, b.toI64(warpToken)), first);
      Value result = epilogue.apply(slice(acc, first), row, col);
      epilogue.store(result, yView, row, col, spec.storeWidth);
    }
  }

  void storePartial(ArrayRef<Value> acc) {
    // The partial sums of a part are a matrix of their own, behind those of the
    // part before, so that rows past the last token are left out.
    Value row = b.add(featureBase, b.toI64(warpFeature));
    Value base = b.add(tokenBase, b.toI64(warpToken));
    Value pointer = b.pointer(pointerCount(spec) - 1);
    Value offset = b.mul(partialRow, spec.n);
    Value moved = LLVM::GEPOp::create(builder, loc, pointer.getType(),
                                      builder.getF32Type(), pointer, offset);
    yView = b.view(moved, builder.getF32Type(), b.count(), spec.n);
    Epilogue epilogue = makeEpilogue();
    for (int64_t first = 0; first < warpT; first += sliceTokens())
      epilogue.store(slice(acc, first), yView, row, b.add(base, first),
                     widthFor(spec.n, builder.getF32Type()));
  }

  Epilogue makeEpilogue() {
    return Epilogue(spec, b, accLayout, warpF, sliceTokens(),
                    schedule.getNumWarps(), operandViews,
                    warpFeature.getParentBlock());
  }

  const MatmulKernel &spec;
  ScheduleAttr schedule;
  OpBuilder &builder;
  Location loc;
  KernelBuilder b;

  MmaAtomInterface mma;
  AsyncMmaAtomInterface wgmma; // null unless four warps multiply together
  LayoutAttr accLayout;
  int64_t stages, blockF, blockT, warpF, warpT, depth;
  SmallVector<TileType> tiles;
  RingType ringType;
  Value ring, wView, metaView, yView;
  SmallVector<Value> operandViews;
  Value tokenBase, featureBase, partialRow;           // i64
  Value firstStep, stepCount, warpFeature, warpToken; // index
};

} // namespace

gpu::GPUFuncOp MatmulKernel::generate(OpBuilder &builder) const {
  OpBuilder::InsertionGuard guard(builder);
  if (specialised())
    return generateSpecialised(builder);
  return Generator(*this, builder).run();
}
