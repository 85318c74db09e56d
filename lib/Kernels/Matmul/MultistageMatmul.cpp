//===- MultistageMatmul.cpp - Multistage matmul on mma and mma.sp ---------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Epilogue.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Packed 2:4 weights come in units of 64 x 64, ternary ones in units of 64 x
// 128.
static constexpr int64_t kUnit = 64, kTernaryUnit = 128;
// Tokens that an epilogue treats at once: enough for full vectors, few enough
// that operands and results need few registers and little scratch.
static constexpr int64_t kEpilogueTokens = 8;
// Tokens of an accumulator fragment: two instructions, whose activations one
// ldmatrix loads for half a depth step.
static constexpr int64_t kPieceTokens = 16;
// The bits of 1.5 * 2^23, a number of f32 whose mantissa counts ones.
static constexpr int64_t kFloatStart = 0x4B400000;

namespace {

/// Writes one matmul kernel.
class Generator {
public:
  Generator(const MatmulKernel &spec, OpBuilder &builder)
      : spec(spec), schedule(spec.schedule), builder(builder), loc(spec.loc),
        b(builder, spec.loc, spec.name,
          SmallVector<bool>(pointerCount(spec), false), schedule) {
    MLIRContext *context = builder.getContext();
    // Partial sums of the depth are multiplied by scales of their own, so that
    // nothing can be taken away behind the loop: weights have their sign.
    weightType = spec.operandType;
    if (spec.isInteger() && spec.scales)
      weightType = IntegerType::get(context, 8, IntegerType::Signed);
    if (spec.isInteger())
      mma = MmaInt8SyncAttr::get(context, 32, weightType);
    else
      mma = spec.isTwoFour()
                ? MmaAtomInterface(
                      MmaSpSyncAttr::get(context, 32, spec.operandType))
                : MmaAtomInterface(
                      MmaSyncAttr::get(context, 16, spec.operandType));
    accLayout = LayoutAttr::get(context, mma.getLayoutC());
    if (schedule.getWarpgroup()) {
      wgmma = WgmmaAttr::get(context, spec.operandType, spec.isTwoFour());
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
    return 2 + (spec.isTwoFour() ? 1 : 0) + (spec.scales ? 1 : 0) + operands +
           1;
  }

  void makeViews() {
    MLIRContext *context = builder.getContext();
    int64_t next = 0;
    ++next; // Activations: a view for every step.
    if (spec.isTwoFour()) {
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
    } else if (spec.isTernary()) {
      wView = ViewOp::create(
          builder, loc,
          ViewType::get(context, builder.getI32Type(), Order::Ternary),
          b.pointer(next++), b.i64(llvm::divideCeil(spec.n, kUnit)),
          b.i64(llvm::divideCeil(spec.k, kTernaryUnit) * planes()), Value());
      if (spec.scales)
        scales = b.pointer(next++);
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
    if (spec.isTwoFour()) {
      tiles = {tile(blockF, depth / 2, spec.operandType, Order::Values24),
               tile(blockF / 16, depth / 2, builder.getI32Type(),
                    Order::Metadata24)};
    } else if (spec.isTernary()) {
      tiles = {tile(blockF / 16, depth * planes(), builder.getI32Type(),
                    Order::Ternary)};
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
    SmallVector<Value> slots = acquire(position);
    Value inside = isInside(position);
    fillWeights(position, slots, inside);
    fillActivations(position, slots, inside);
    CommitOp::create(builder, loc, ring, position);
  }

  /// Fills the ring as far as it may run ahead. A kernel that waits by itself
  /// for those before it starts with the weights of all these positions: they
  /// are what takes time, and no kernel computes them.
  void startFilling() {
    if (!spec.programmatic()) {
      for (int64_t position = 0; position < stages - 1; ++position)
        fill(b.index(position));
      return;
    }
    SmallVector<SmallVector<Value>> slots;
    for (int64_t position = 0; position < stages - 1; ++position) {
      slots.push_back(acquire(b.index(position)));
      fillWeights(b.index(position), slots.back(), isInside(b.index(position)));
    }
    GriddepWaitOp::create(builder, loc);
    for (int64_t position = 0; position < stages - 1; ++position) {
      fillActivations(b.index(position), slots[position],
                      isInside(b.index(position)));
      CommitOp::create(builder, loc, ring, b.index(position));
    }
  }

  SmallVector<Value> acquire(Value position) {
    SmallVector<Type> slots;
    for (TileType type : tiles)
      slots.push_back(SlotType::get(builder.getContext(), type.getShape(),
                                    type.getElementType(), type.getOrder()));
    auto slot = AcquireOp::create(builder, loc, slots, ring, position);
    return SmallVector<Value>(slot.getSlots());
  }

  /// Whether a position is one of this block's part of the depth.
  Value isInside(Value position) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                 position, stepCount);
  }

  Value stepAt(Value position) { return b.toI64(b.add(firstStep, position)); }

  void fillWeights(Value position, ValueRange slots, Value inside) {
    Value step = stepAt(position);
    UnitAttr yes = builder.getUnitAttr();
    auto branch = scf::IfOp::create(builder, loc, inside);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    if (spec.isTwoFour())
      fillPacked({wView, metaView}, kUnit, slots, step);
    else if (spec.isTernary())
      fillPacked(wView, kTernaryUnit, slots, step);
    else
      CopyOp::create(builder, loc, wView, featureBase, b.mul(step, depth),
                     slots[0], spec.copy, IntegerAttr(),
                     wholeFeatures() ? yes : UnitAttr(), wholeDepth());
  }

  void fillActivations(Value position, ValueRange slots, Value inside) {
    Value rows =
        arith::SelectOp::create(builder, loc, inside, b.count(), b.i64(0));
    Value x = b.view(b.pointer(0), spec.operandType, rows, spec.pitch());
    CopyOp::create(builder, loc, x, tokenBase, b.mul(stepAt(position), depth),
                   slots.back(), spec.copy, IntegerAttr(), UnitAttr(),
                   wholeDepth());
  }

  UnitAttr wholeDepth() {
    return spec.pitch() % depth == 0 ? builder.getUnitAttr() : UnitAttr();
  }

  /// The packed weights of one step, in `views` of units that are `unitDepth`
  /// columns wide.
  void fillPacked(ArrayRef<Value> views, int64_t unitDepth, ValueRange slots,
                  Value step) {
    UnitAttr yes = builder.getUnitAttr();
    auto wide = CpAsyncAttr::get(builder.getContext(), 16);
    Value unitRow = b.div(featureBase, kUnit);
    // Planes of a unit follow one another.
    Value unitCol = b.mul(step, depth / unitDepth * planes());
    bool rowsFit = llvm::divideCeil(spec.n, kUnit) % (blockF / kUnit) == 0;
    bool colsFit =
        llvm::divideCeil(spec.k, unitDepth) % (depth / unitDepth) == 0;
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
    Type sumType = spec.accumulatorType();
    Value zero = arith::ConstantOp::create(builder, loc, sumType,
                                           builder.getZeroAttr(sumType));
    FragType accType = b.frag({warpF, pieceTokens()}, sumType, accLayout);
    Value none = SplatOp::create(builder, loc, accType, zero);
    SmallVector<Value> acc(llvm::divideCeil(warpT, pieceTokens()), none);
    startFilling();
    SmallVector<Value> carried = acc;
    if (spec.scales)
      llvm::append_range(carried, loadScales(b.index(0)));
    auto loop = scf::ForOp::create(builder, loc, b.index(0), stepCount,
                                   b.index(1), carried);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value position = loop.getInductionVar();
    auto ready = WaitOp::create(builder, loc,
                                SmallVector<Type>(tiles.begin(), tiles.end()),
                                ring, position);
    fill(b.add(position, stages - 1));
    ValueRange arguments(loop.getRegionIterArgs());
    SmallVector<Value> sums = llvm::to_vector(arguments.take_front(acc.size()));
    SmallVector<Value> next;
    // Scales of the next stage are on their way while this one is multiplied.
    if (spec.scales)
      next = loadScales(b.add(position, 1));
    if (wgmma)
      sums[0] = multiplyTogether(ready.getTiles(), sums[0]);
    else if (spec.isTernary())
      multiplyTernary(ready.getTiles(), sums, arguments.drop_front(acc.size()));
    else
      multiply(ready.getTiles(), sums);
    ReleaseOp::create(builder, loc, ring, position);
    llvm::append_range(sums, next);
    scf::YieldOp::create(builder, loc, sums);
    return llvm::to_vector(
        ValueRange(loop.getResults()).take_front(acc.size()));
  }

  /// The products of one stage.
  void multiply(ValueRange stage, MutableArrayRef<Value> acc) {
    MLIRContext *context = builder.getContext();
    auto ldmatrix = LdMatrixAttr::get(context);
    int64_t step = mma.getK();
    int64_t kept = spec.isTwoFour() ? step / 2 : step;
    FragType aType = b.frag({warpF, kept}, spec.operandType,
                            LayoutAttr::get(context, mma.getLayoutA()));
    FragType bType = b.frag({pieceTokens(), step}, spec.operandType,
                            LayoutAttr::get(context, mma.getLayoutB()));
    FragType metaType = b.frag({warpF / 16, 32}, builder.getI32Type(),
                               LayoutAttr::get(context, getMetadataLayout()));
    Value meta;
    for (int64_t k = 0; k < depth; k += step) {
      if (spec.isTwoFour() && k % kUnit == 0)
        meta = LoadOp::create(builder, loc, metaType, stage[1],
                              b.div(warpFeature, 16), b.index(k / 2),
                              MatrixLoadAtomInterface());
      Value a = LoadOp::create(builder, loc, aType, stage[0], warpFeature,
                               b.index(spec.isTwoFour() ? k / 2 : k), ldmatrix);
      IntegerAttr selector;
      if (spec.isTwoFour())
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

  int64_t planes() const { return spec.scales ? spec.scales->planes : 1; }

  /// Columns whose products are multiplied by one scale in the loop.
  int64_t scaledColumns() const {
    return spec.scales ? std::min(spec.scales->columns, kTernaryUnit)
                       : kTernaryUnit;
  }

  /// The scales of stage `position`, a fragment for each unit, its planes, and
  /// the groups inside of them.
  SmallVector<Value> loadScales(Value position) {
    const LoopScales &info = *spec.scales;
    int64_t rows = info.perRow ? llvm::alignTo(spec.n, kUnit) : 1;
    FragType type = b.frag({warpF, pieceTokens()}, info.type, accLayout);
    Value first = b.mul(b.add(firstStep, position), depth);
    int64_t bytes = info.type.getIntOrFloatBitWidth() / 8;
    SmallVector<Value> loaded;
    for (int64_t unit = 0; unit < depth; unit += kTernaryUnit)
      for (int64_t plane = 0; plane < info.planes; ++plane)
        for (int64_t col = 0; col < kTernaryUnit; col += scaledColumns()) {
          // Behind the last column there are no weights, and no scales.
          Value group = b.min(b.div(b.add(first, unit + col), info.columns),
                              b.index(info.groups - 1));
          Value offset =
              b.toI64(b.mul(b.add(group, plane * info.groups), rows));
          Value pointer =
              LLVM::GEPOp::create(builder, loc, scales.getType(), info.type,
                                  scales, ValueRange{offset});
          Value view = b.view(pointer, info.type, b.i64(1), rows);
          loaded.push_back(LoadGlobalOp::create(
              builder, loc, type, info.perRow ? Access::Row : Access::Scalar,
              view, b.add(featureBase, b.toI64(warpFeature)), b.i64(0), bytes,
              /*features_in_bounds=*/false));
        }
    return loaded;
  }

  /// What sums of products that share a scale start from. Integers count from
  /// the bits of 1.5 * 2^23: as f32 they are that number plus the sum, which is
  /// below 2^22 for 128 columns.
  Value startOfPart() {
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0.0f));
    Value start = spec.isInteger() ? b.i32(kFloatStart) : zero;
    FragType type = b.frag({warpF, pieceTokens()}, start.getType(), accLayout);
    return SplatOp::create(builder, loc, type, start);
  }

  /// acc + part * scale, element by element.
  Value addScaled(Value acc, Value part, Value scale) {
    auto map = MapOp::create(builder, loc, acc.getType(),
                             ValueRange{acc, part, scale});
    OpBuilder::InsertionGuard guard(builder);
    Type f32 = builder.getF32Type();
    Type partType = cast<FragType>(part.getType()).getElementType();
    Block &block = map.getBody().emplaceBlock();
    block.addArguments({f32, partType, spec.scales->type}, {loc, loc, loc});
    builder.setInsertionPointToStart(&block);
    Value factor = block.getArgument(2), added = block.getArgument(1);
    if (!factor.getType().isF32())
      factor = arith::ExtFOp::create(builder, loc, f32, factor);
    auto asFloat = [&](Value bits) -> Value {
      return arith::BitcastOp::create(builder, loc, f32, bits);
    };
    if (spec.isInteger())
      added = arith::SubFOp::create(builder, loc, asFloat(added),
                                    asFloat(b.i32(kFloatStart)));
    Value product = arith::MulFOp::create(builder, loc, added, factor);
    Value sum =
        arith::AddFOp::create(builder, loc, block.getArgument(0), product);
    sftile::YieldOp::create(builder, loc, sum);
    return map;
  }

  /// The products of one stage with weights that are decoded in registers.
  void multiplyTernary(ValueRange stage, MutableArrayRef<Value> acc,
                       ValueRange stageScales) {
    MLIRContext *context = builder.getContext();
    auto ldmatrix = LdMatrixAttr::get(context);
    int64_t step = mma.getK();
    FragType codesType =
        b.frag({warpF / 16, kTernaryUnit}, builder.getI32Type(),
               LayoutAttr::get(context, getCodesLayout()));
    FragType aType = b.frag({warpF, step}, weightType,
                            LayoutAttr::get(context, mma.getLayoutA()));
    FragType bType = b.frag({pieceTokens(), step}, spec.operandType,
                            LayoutAttr::get(context, mma.getLayoutB()));
    // Planes alternate, so that activations of few columns serve both.
    int64_t groups = kTernaryUnit / scaledColumns();
    for (int64_t unit = 0; unit < depth; unit += kTernaryUnit) {
      SmallVector<Value> codes;
      for (int64_t plane = 0; plane < planes(); ++plane)
        codes.push_back(LoadOp::create(
            builder, loc, codesType, stage[0], b.div(warpFeature, 16),
            b.index(unit * planes() + plane * kTernaryUnit),
            MatrixLoadAtomInterface()));
      for (int64_t number = 0; number < groups * planes(); ++number) {
        int64_t group = number / planes(), plane = number % planes();
        SmallVector<Value> parts(acc);
        if (spec.scales)
          parts.assign(acc.size(), startOfPart());
        int64_t first = group * scaledColumns();
        for (int64_t k = first; k < first + scaledColumns(); k += step) {
          Value a = DecodeOp::create(builder, loc, aType, codes[plane], k,
                                     /*shifted=*/false, Value());
          for (auto [index, sum] : llvm::enumerate(parts)) {
            Value token = b.add(warpToken, index * pieceTokens());
            Value x = LoadOp::create(builder, loc, bType, stage.back(), token,
                                     b.index(unit + k), ldmatrix);
            sum = MmaOp::create(builder, loc, sum.getType(), a, x, sum, Value(),
                                IntegerAttr(), mma);
          }
        }
        int64_t at = (unit / kTernaryUnit * planes() + plane) * groups + group;
        for (auto [sum, part] : llvm::zip(acc, parts))
          sum = spec.scales ? addScaled(sum, part, stageScales[at]) : part;
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
    if (spec.isTwoFour()) {
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
      if (spec.isTwoFour())
        selector = builder.getI64IntegerAttr(k / step);
      pending = MmaAsyncOp::create(builder, loc, type, stage[0], groupFeature,
                                   b.index(spec.isTwoFour() ? k / 2 : k),
                                   stage.back(), warpToken, b.index(k), pending,
                                   meta, selector, wgmma);
    }
    auto group = MmaCommitOp::create(builder, loc, pending, wgmma);
    return MmaWaitOp::create(builder, loc, acc.getType(), group.getResults(),
                             meta ? ValueRange(meta) : ValueRange(),
                             /*pending=*/0, wgmma)
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
        b.frag({warpF, sliceTokens()}, spec.accumulatorType(), accLayout),
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
                                      spec.accumulatorType(), pointer, offset);
    yView = b.view(moved, spec.accumulatorType(), b.count(), spec.n);
    Epilogue epilogue = makeEpilogue();
    for (int64_t first = 0; first < warpT; first += sliceTokens())
      epilogue.store(slice(acc, first), yView, row, b.add(base, first),
                     widthFor(spec.n, spec.accumulatorType()));
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
  Type weightType;
  AsyncMmaAtomInterface wgmma; // null unless four warps multiply together
  LayoutAttr accLayout;
  int64_t stages, blockF, blockT, warpF, warpT, depth;
  SmallVector<TileType> tiles;
  RingType ringType;
  Value ring, wView, metaView, yView, scales;
  SmallVector<Value> operandViews;
  Value tokenBase, featureBase, partialRow;           // i64
  Value firstStep, stepCount, warpFeature, warpToken; // index
};

} // namespace

gpu::GPUFuncOp MatmulKernel::generate(OpBuilder &builder) const {
  OpBuilder::InsertionGuard guard(builder);
  if (isWarpSpecialized())
    return generateWarpSpecialized(builder);
  if (streamed())
    return generateStreamed(builder);
  return Generator(*this, builder).run();
}
