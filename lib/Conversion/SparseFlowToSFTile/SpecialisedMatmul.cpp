//===- SpecialisedMatmul.cpp - Matmul with warps that only copy ---------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// One warpgroup of the block copies: one of its threads starts bulk copies into
// a ring, as far ahead as the ring is long. The others multiply what has
// arrived, each warpgroup 64 features, or several times 64, by all tokens of the block.
// Blocks are persistent: copies for a tile run while the results of the one
// before leave. Blocks of a cluster compute neighbouring features of the same
// tokens, and each fetches its part of the activations for all.
//
//===----------------------------------------------------------------------===//

#include "Epilogue.h"
#include "FetchedOperands.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Packed weights come in units of 64 x 64, ternary ones in units of 64 x 128.
static constexpr int64_t kUnit = 64, kTernaryUnit = 128;
// Rows of a swizzled tile in bytes.
static constexpr int64_t kSwizzle = 128;
static constexpr int64_t kGroupWarps = 4;
// Features of a warp in an instruction, and tokens that an epilogue treats at
// once: the four matrices of one stmatrix.
static constexpr int64_t kWarpFeatures = 16, kSliceTokens = 16;

namespace {

class SpecialisedGenerator {
public:
  SpecialisedGenerator(const MatmulKernel &spec, OpBuilder &builder)
      : spec(spec), schedule(spec.schedule), builder(builder), loc(spec.loc),
        b(builder, spec.loc, spec.name, isMap(spec), schedule),
        fetched(spec, b, operandViews) {
    MLIRContext *context = builder.getContext();
    if (spec.isTernary()) {
      fromRegisters = WgmmaRegistersAttr::get(context, spec.operandType);
      accLayout = LayoutAttr::get(context, fromRegisters.getLayoutC());
    } else {
      wgmma = spec.isTwoFour() ? AsyncMmaAtomInterface(WgmmaSpAttr::get(
                                     context, spec.operandType))
                               : AsyncMmaAtomInterface(
                                     WgmmaAttr::get(context, spec.operandType));
      accLayout = LayoutAttr::get(context, wgmma.getLayoutC());
    }
    boxCols = kSwizzle * 8 / spec.operandType.getIntOrFloatBitWidth();
    blockF = schedule.getBlock()[0];
    blockT = schedule.getBlock()[1];
    depth = schedule.getK();
    cluster = schedule.getCluster();
    pieces = schedule.getWarp()[0] / kWarpFeatures;
    splits = schedule.getSplitK();
    // The last part of a ternary weight's depth may be shorter.
    int64_t stages = llvm::divideCeil(spec.k, depth);
    steps = llvm::divideCeil(stages, splits);
    lastSteps = stages - (splits - 1) * steps;
    if (cluster * splits > 1)
      b.kernel->setAttr("nvvm.cluster_dim",
                        builder.getDenseI32ArrayAttr(
                            {static_cast<int32_t>(cluster * splits), 1, 1}));
    b.kernel->setAttr("nvvm.minctasm", builder.getI32IntegerAttr(1));
  }

  gpu::GPUFuncOp run() {
    makeViews();
    makeRing();
    GridDependencyOp::create(builder, loc);
    // The register file is dealt out anew: what a thread that copies does not
    // need goes to those that hold accumulators.
    int64_t threads = schedule.getNumWarps() * 32;
    int64_t pool = 65536 / threads / 8 * 8 * (threads / 128);
    int64_t groups = schedule.getNumConsumerWarps() / kGroupWarps;
    int64_t few = groups > 2 ? 32 : 40;
    RoleOp copying = b.openRole("copy", schedule.getProducerWarps());
    copying.setLeader(true);
    copying.setRegisters(few);
    forEachTile([&](Value feature, Value token, Value position) {
      copyTile(feature, token, position);
      fetched.copyTile(feature, tokenOfPart(token),
                       at(b.div(position, partSteps())));
    });
    RoleOp multiplying = b.openRole("multiply", schedule.getNumConsumerWarps());
    multiplying.setRegisters(
        std::min<int64_t>((pool - few) / groups / 8 * 8, 240));
    consume();
    return b.finish();
  }

private:
  /// A position as operations take it. Tiles, stages and positions are counted
  /// in 32 bits: that saves registers in the loop over the depth.
  Value at(Value position) { return b.toIndex(position); }

  static SmallVector<bool> isMap(const MatmulKernel &spec) {
    return llvm::map_to_vector(spec.mapsOf(),
                               [](const auto &map) { return map.has_value(); });
  }

  Value mapped(int64_t pointer, Type elementType) {
    return MappedViewOp::create(
        builder, loc,
        ViewType::get(builder.getContext(), elementType, Order::TensorMap),
        b.pointer(pointer));
  }

  Value packed(int64_t pointer, Type elementType, Order order,
               int64_t unitDepth = kUnit) {
    return ViewOp::create(
        builder, loc, ViewType::get(builder.getContext(), elementType, order),
        b.pointer(pointer), b.i64(llvm::divideCeil(spec.n, kUnit)),
        b.i64(llvm::divideCeil(spec.k, unitDepth)), Value());
  }

  void makeViews() {
    int64_t next = 0;
    xView = mapped(next++, spec.operandType);
    auto units = [&](Type type, Order order) {
      return spec.boxesWeights() ? mapped(next++, type)
                                 : packed(next++, type, order);
    };
    if (spec.isTwoFour()) {
      wView = units(spec.operandType, Order::Values24);
      metaView = units(builder.getI32Type(), Order::Metadata24);
    } else if (spec.isTernary()) {
      wView =
          packed(next++, builder.getI32Type(), Order::Ternary, kTernaryUnit);
    } else {
      wView = mapped(next++, spec.operandType);
    }
    for (const ElementOperand &operand : spec.operands) {
      operandViews.push_back(
          spec.isFetched(operand)
              ? mapped(next, operand.elementType)
              : b.operandView(operand, b.pointer(next), spec.n));
      ++next;
    }
    yView = spec.sendsResults()
                ? mapped(next, spec.resultType)
                : b.view(b.pointer(next), spec.resultType, b.count(), spec.n);
  }

  TileType tile(int64_t rows, int64_t cols, Type type, Order order) {
    return TileType::get(builder.getContext(), {rows, cols}, type, order);
  }

  void makeRing() {
    tiles = spec.stageTiles();
    firstActivations = spec.isTwoFour() ? 2 : 1;
    auto type =
        RingType::get(builder.getContext(), schedule.getStages(), tiles);
    ring = RingOp::create(builder, loc, type, IntegerAttr(), IntegerAttr());
    fetched.makeRing();
  }

  /// Builds `body` in a loop over the tiles of this block, with the first
  /// feature and token of the tile (i64) and the position in the ring of its
  /// first stage (i32).
  void forEachTile(function_ref<void(Value, Value, Value)> body) {
    Value blocks = gpu::GridDimOp::create(builder, loc, builder.getIndexType(),
                                          gpu::Dimension::x);
    Value tokenTiles = b.toI32(builder.createOrFold<arith::CeilDivUIOp>(
        loc, b.count(), b.i64(blockT)));
    Value tiles = b.mul(tokenTiles, llvm::divideCeil(spec.n, blockF * cluster));
    auto loop = scf::ForOp::create(
        builder, loc, b.toI32(b.div(b.blockId(), cluster * splits)), tiles,
        b.toI32(b.div(blocks, cluster * splits)), ValueRange{b.i32(0)});
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    auto [feature, token] = placeOf(loop.getInductionVar(), tokenTiles);
    Value position = loop.getRegionIterArg(0);
    body(feature, token, position);
    scf::YieldOp::create(builder, loc,
                         ValueRange{b.add(position, partSteps())});
  }

  /// The first feature and token (i64) of tile `number`. Tiles of one group of
  /// token tiles are visited feature tile by feature tile, so that the group's
  /// activations and the current weights stay in the L2 cache.
  std::pair<Value, Value> placeOf(Value number, Value tokenTiles) {
    int64_t featureTiles = llvm::divideCeil(spec.n, blockF * cluster);
    int64_t group = schedule.getGroup();
    Value groupNumber = b.div(number, group * featureTiles);
    Value inGroup = b.rem(number, group * featureTiles);
    Value firstToken = b.mul(groupNumber, group);
    Value left = arith::SubIOp::create(builder, loc, tokenTiles, firstToken);
    Value width = b.min(left, b.i32(group));
    Value token = b.mul(b.add(firstToken, b.rem(inGroup, width)), blockT);
    Value feature = b.mul(b.div(inGroup, width), blockF * cluster);
    if (cluster > 1)
      feature =
          b.add(feature, b.mul(b.toI32(b.rem(b.blockId(), cluster)), blockF));
    return {b.toI64(feature), b.toI64(token)};
  }

  //===--------------------------------------------------------------------===//
  // The warps that copy
  //===--------------------------------------------------------------------===//

  void copyTile(Value feature, Value token, Value position) {
    auto loop =
        scf::ForOp::create(builder, loc, b.i32(0), partSteps(), b.i32(1));
    // Unrolled, the places of all stages would not fit the few registers.
    b.keepRolled(loop);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value stage = at(b.add(position, loop.getInductionVar()));
    Value step = loop.getInductionVar();
    if (splits > 1)
      step = b.add(step, b.mul(b.toI32(rankInSplit()), steps));
    SmallVector<Type> types;
    for (TileType type : tiles)
      types.push_back(SlotType::get(builder.getContext(), type.getShape(),
                                    type.getElementType(), type.getOrder()));
    SmallVector<Value> slots =
        AcquireOp::create(builder, loc, types, ring, stage).getSlots();
    copyActivations(token, step, slots);
    auto tma = TmaAttr::get(builder.getContext());
    if (spec.isTwoFour())
      copyPacked({wView, metaView}, kUnit, feature, step, slots);
    else if (spec.isTernary())
      copyPacked(wView, kTernaryUnit, feature, step, slots);
    else
      CopyOp::create(builder, loc, wView, feature, b.toI64(b.mul(step, depth)),
                     slots[0], tma, IntegerAttr(), UnitAttr(), UnitAttr());
    CommitOp::create(builder, loc, ring, stage);
  }

  /// Stages of this block's part.
  Value partSteps() {
    if (lastSteps == steps)
      return b.i32(steps);
    Value last = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                       rankInSplit(), b.index(splits - 1));
    return arith::SelectOp::create(builder, loc, last, b.i32(lastSteps),
                                   b.i32(steps));
  }

  void copyActivations(Value token, Value step, ArrayRef<Value> slots) {
    Value k = b.toI64(b.mul(step, depth));
    auto tma = TmaAttr::get(builder.getContext());
    IntegerAttr sharers;
    if (cluster > 1)
      sharers = builder.getI64IntegerAttr(cluster);
    for (auto [number, slot] :
         llvm::enumerate(slots.drop_front(firstActivations)))
      CopyOp::create(builder, loc, xView, token, b.add(k, number * boxCols),
                     slot, tma, sharers, UnitAttr(), UnitAttr());
  }

  void copyPacked(ArrayRef<Value> views, int64_t unitDepth, Value feature,
                  Value step, ValueRange slots) {
    AtomInterface atom = BulkAttr::get(builder.getContext());
    if (spec.boxesWeights())
      atom = TmaAttr::get(builder.getContext());
    UnitAttr yes = builder.getUnitAttr();
    Value unitRow = b.div(feature, kUnit);
    Value unitCol = b.toI64(b.mul(step, depth / unitDepth));
    bool fits =
        llvm::divideCeil(spec.n, kUnit) % (blockF * cluster / kUnit) == 0;
    for (auto [view, slot] : llvm::zip(views, slots))
      CopyOp::create(builder, loc, view, unitRow, unitCol, slot, atom,
                     IntegerAttr(), fits ? yes : UnitAttr(), yes);
  }

  //===--------------------------------------------------------------------===//
  // The warps that multiply
  //===--------------------------------------------------------------------===//

  void consume() {
    Block *role = builder.getInsertionBlock();
    Value warp = WarpIdOp::create(builder, loc, builder.getIndexType());
    groupFeature = b.mul(b.div(warp, kGroupWarps), pieces * kUnit);
    warpFeature = b.mul(b.rem(warp, kGroupWarps), kWarpFeatures);
    if (spec.sendsResults())
      for (int64_t i = 0; i < schedule.getStoreBuffers(); ++i)
        boxes.push_back(OutboxOp::create(builder, loc,
                                         tile(schedule.getStoreTokens(), kUnit,
                                              spec.resultType, Order::Swizzled),
                                         schedule.getNumConsumerWarps(),
                                         kGroupWarps, IntegerAttr()));
    Epilogue epilogue(spec, b, accLayout, kWarpFeatures, kSliceTokens,
                      schedule.getNumConsumerWarps(), operandViews, role);
    forEachTile([&](Value feature, Value token, Value position) {
      SmallVector<Value> acc = spec.isTernary() ? multiplyTernaryTile(position)
                                                : multiplyTile(position);
      if (splits > 1)
        addParts(acc);
      token = tokenOfPart(token);
      if (spec.sendsResults())
        sendResults(epilogue, acc, feature, token,
                    at(b.div(position, partSteps())));
      else
        storeResults(epilogue, acc, feature, token);
    });
    // The memory of the last boxes must outlive their way.
    if (spec.sendsResults())
      ReclaimOp::create(builder, loc, boxes.front(), /*leaving=*/0,
                        TmaAttr::get(builder.getContext()));
  }

  /// The sums of a tile. While the products of a stage run those of the next
  /// are started; then the stage before is given back. Metadata must stay in
  /// its registers as long as the products that read it run, so that a turn of
  /// the loop is two stages, each with registers of its own.
  SmallVector<Value> multiplyTile(Value position) {
    auto type =
        b.frag({kWarpFeatures, blockT}, builder.getF32Type(), accLayout);
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0.0f));
    Running state{
        SmallVector<Value>(pieces, SplatOp::create(builder, loc, type, zero)),
        {}};
    start(position, state);
    int64_t pairs = (steps - 1) / 2;
    SmallVector<Value> carried = state.sums;
    llvm::append_range(carried, state.metadata);
    auto loop = scf::ForOp::create(builder, loc, b.i32(0), b.i32(pairs),
                                   b.i32(1), carried);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      Value stage = b.add(position, b.mul(loop.getInductionVar(), 2));
      state.assign(loop.getRegionIterArgs(), pieces);
      advance(stage, 1, state);
      advance(stage, 2, state);
      carried = state.sums;
      llvm::append_range(carried, state.metadata);
      scf::YieldOp::create(builder, loc, carried);
    }
    state.assign(loop.getResults(), pieces);
    if ((steps - 1) % 2)
      advance(position, steps - 1, state);
    SmallVector<Value> sums =
        AwaitOp::create(builder, loc, SmallVector<Type>(pieces, type),
                        state.sums, state.metadata, /*leaving=*/0, wgmma)
            .getResults();
    ReleaseOp::create(builder, loc, ring, at(b.add(position, steps - 1)));
    return sums;
  }

  /// The sums of a tile whose weights are decoded in registers. A product reads
  /// them while it runs, so that a warpgroup waits before it decodes the next
  /// stage; the others multiply meanwhile.
  SmallVector<Value> multiplyTernaryTile(Value position) {
    Type sumType = spec.accumulatorType();
    auto type = b.frag({kWarpFeatures, blockT}, sumType, accLayout);
    Value zero = arith::ConstantOp::create(builder, loc, sumType,
                                           builder.getZeroAttr(sumType));
    SmallVector<Value> sums(pieces, SplatOp::create(builder, loc, type, zero));
    multiplyTernary(position, sums);
    auto loop =
        scf::ForOp::create(builder, loc, b.i32(1), partSteps(), b.i32(1), sums);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    sums = llvm::to_vector(ValueRange(loop.getRegionIterArgs()));
    multiplyTernary(b.add(position, loop.getInductionVar()), sums);
    scf::YieldOp::create(builder, loc, sums);
    return loop.getResults();
  }

  /// Adds the products of stage `position` and gives it back.
  void multiplyTernary(Value position, MutableArrayRef<Value> sums) {
    MLIRContext *context = builder.getContext();
    auto ready = WaitOp::create(builder, loc, stageTypes(), ring, at(position));
    ValueRange stage = ready.getTiles();
    int64_t step = fromRegisters.getK();
    FragType codesType = b.frag({1, kTernaryUnit}, builder.getI32Type(),
                                LayoutAttr::get(context, getCodesLayout()));
    FragType aType =
        b.frag({kWarpFeatures, step}, spec.operandType,
               LayoutAttr::get(context, fromRegisters.getLayoutA()));
    SmallVector<Value> weights, pending;
    for (int64_t piece = 0; piece < pieces; ++piece) {
      Value row = b.div(b.add(pieceFeature(piece), warpFeature), 16);
      Value codes = LoadOp::create(builder, loc, codesType, stage[0], row,
                                   b.index(0), MatrixLoadAtomInterface());
      for (int64_t k = 0; k < depth; k += step)
        weights.push_back(DecodeOp::create(builder, loc, aType, codes, k));
    }
    auto type =
        PendingType::get(context, cast<FragType>(sums.front().getType()));
    for (int64_t piece = 0; piece < pieces; ++piece) {
      Value sum = sums[piece];
      for (int64_t k = 0; k < depth; k += step)
        sum = MmaAsyncRegistersOp::create(
            builder, loc, type, weights[(piece * depth + k) / step],
            stage[firstActivations + k / boxCols], b.index(0),
            b.index(k % boxCols), sum, fromRegisters);
      pending.push_back(sum);
    }
    auto finished = AwaitOp::create(
        builder, loc, TypeRange(ValueRange(sums)), pending, weights,
        /*leaving=*/0, cast<AsyncGroupAtomInterface>(Attribute(fromRegisters)));
    llvm::copy(finished.getResults(), sums.begin());
    ReleaseOp::create(builder, loc, ring, at(position));
  }

  SmallVector<Type> stageTypes() { return llvm::to_vector_of<Type>(tiles); }
  Value rankInSplit() { return b.rem(b.blockId(), splits); }

  /// The first of the tokens that this block finishes, of a tile at `token`.
  Value tokenOfPart(Value token) {
    int64_t part = blockT;
    for (int64_t round = 1; round < splits; round *= 2) {
      part /= 2;
      Value bit = b.rem(b.div(rankInSplit(), round), 2);
      token = b.add(token, b.mul(b.toI64(bit), part));
    }
    return token;
  }

  /// Adds the parts of a split depth. In each round two blocks share the work:
  /// one gives away the sums of the later half of its tokens, the other those
  /// of the earlier, so that in the end every block has few tokens and whole
  /// sums. Sums are added in one order everywhere.
  void addParts(SmallVector<Value> &sums) {
    int64_t part = blockT;
    for (int64_t round = 1; round < splits; round *= 2) {
      part /= 2;
      Value bit = b.rem(b.div(rankInSplit(), round), 2);
      Value partner =
          arith::XOrIOp::create(builder, loc, rankInSplit(), b.index(round));
      Value later = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::ne, bit, b.index(0));
      FragType half =
          b.frag({kWarpFeatures, part}, spec.accumulatorType(), accLayout);
      for (Value &sum : sums) {
        auto partOf = [&](int64_t first) -> Value {
          return SliceOp::create(builder, loc, half, sum, 0, first);
        };
        Value early = partOf(0), late = partOf(part);
        Value kept = arith::SelectOp::create(builder, loc, later, late, early);
        Value given = arith::SelectOp::create(builder, loc, later, early, late);
        Value theirs =
            ExchangeOp::create(builder, loc, half, given, partner, ring);
        sum = b.sum(kept, theirs);
      }
    }
  }

  /// Products under way: their accumulators and the metadata that they read.
  struct Running {
    SmallVector<Value> sums, metadata;
    void assign(ValueRange values, int64_t pieces) {
      sums = llvm::to_vector(values.take_front(pieces));
      metadata = llvm::to_vector(values.drop_front(pieces));
    }
  };

  /// Starts the products of stage `position` + `offset`, waits for those of the
  /// stage before and gives it back.
  void advance(Value position, int64_t offset, Running &state) {
    SmallVector<Value> held = state.metadata;
    start(b.add(position, offset), state, held);
    ReleaseOp::create(builder, loc, ring, at(b.add(position, offset - 1)));
  }

  /// Starts the products of one stage, a group of their own; `held` is what the
  /// products before have read.
  void start(Value position, Running &state, ValueRange held = {}) {
    MLIRContext *context = builder.getContext();
    auto ready = WaitOp::create(builder, loc, stageTypes(), ring, at(position));
    ValueRange stage = ready.getTiles();
    int64_t step = wgmma.getK();
    state.metadata.clear();
    if (spec.isTwoFour())
      for (int64_t piece = 0; piece < pieces; ++piece) {
        Value row = b.div(b.add(pieceFeature(piece), warpFeature), 16);
        FragType type = b.frag({1, 32}, builder.getI32Type(),
                               LayoutAttr::get(context, getMetadataLayout()));
        state.metadata.push_back(LoadOp::create(builder, loc, type, stage[1],
                                                row, b.index(0),
                                                MatrixLoadAtomInterface()));
      }
    for (int64_t k = 0; k < depth; k += step) {
      IntegerAttr selector;
      if (spec.isTwoFour())
        selector = builder.getI64IntegerAttr(k / step);
      for (auto [piece, sum] : llvm::enumerate(state.sums)) {
        Type frag = sum.getType();
        if (auto pending = dyn_cast<PendingType>(frag))
          frag = pending.getFrag();
        sum = MmaAsyncOp::create(
            builder, loc, PendingType::get(context, cast<FragType>(frag)),
            stage[0], pieceFeature(piece),
            b.index(spec.isTwoFour() ? k / 2 : k), stage.back(), b.index(0),
            b.index(k), sum, spec.isTwoFour() ? state.metadata[piece] : Value(),
            selector, wgmma);
      }
    }
    state.sums =
        AwaitOp::create(builder, loc, TypeRange(ValueRange(state.sums)),
                        state.sums, held, /*leaving=*/1, wgmma)
            .getResults();
  }

  /// The first of the 64 features of the warpgroup's accumulator `piece`.
  Value pieceFeature(int64_t piece) {
    return b.add(groupFeature, piece * kUnit);
  }

  Value slice(Value sum, int64_t first) {
    return SliceOp::create(builder, loc,
                           b.frag({kWarpFeatures, kSliceTokens},
                                  spec.accumulatorType(), accLayout),
                           sum, 0, first);
  }

  void sendResults(Epilogue &epilogue, ArrayRef<Value> sums, Value feature,
                   Value token, Value tileNumber) {
    auto tma = TmaAttr::get(builder.getContext());
    auto stmatrix = dyn_cast_or_null<MatrixStoreAtomInterface>(
        epilogue.matrixAtom(spec.resultType, /*store=*/true));
    int64_t buffers = schedule.getStoreBuffers(), number = 0;
    int64_t perPiece = blockT / splits / kSliceTokens;
    SmallVector<Value> firsts, rows;
    for (size_t piece = 0; piece < sums.size(); ++piece) {
      firsts.push_back(b.add(feature, b.toI64(pieceFeature(piece))));
      rows.push_back(b.add(firsts.back(), b.toI64(warpFeature)));
    }
    auto placeOf = [&](int64_t number) {
      return std::pair(rows[number / perPiece],
                       b.add(token, number % perPiece * kSliceTokens));
    };
    OperandsAhead ahead(epilogue, perPiece * sums.size(), placeOf);
    for (auto [piece, sum] : llvm::enumerate(sums)) {
      for (int64_t box = 0; box < blockT / splits;
           box += schedule.getStoreTokens()) {
        Value place = boxes[number % buffers];
        fetched.openBox(tileNumber, number++);
        ReclaimOp::create(builder, loc, place, buffers - 1, tma);
        int64_t inBox = schedule.getStoreTokens();
        for (int64_t inside = 0; inside < inBox; inside += kSliceTokens) {
          SmallVector<Value> taken =
              fetched.take(inside, kSliceTokens, warpFeature, accLayout);
          if (inside + kSliceTokens == inBox)
            fetched.closeBox();
          PutOp::create(builder, loc,
                        ahead.applyNext(slice(sum, box + inside), taken), place,
                        b.index(inside), warpFeature, stmatrix);
        }
        SendOp::create(builder, loc, place, yView, b.add(token, box),
                       firsts[piece], tma);
      }
    }
  }

  void storeResults(Epilogue &epilogue, ArrayRef<Value> sums, Value feature,
                    Value token) {
    for (auto [piece, sum] : llvm::enumerate(sums)) {
      Value row =
          b.add(feature, b.toI64(b.add(pieceFeature(piece), warpFeature)));
      for (int64_t first = 0; first < blockT / splits; first += kSliceTokens) {
        Value col = b.add(token, first);
        epilogue.store(epilogue.apply(slice(sum, first), row, col), yView, row,
                       col, spec.storeWidth);
      }
    }
  }

  const MatmulKernel &spec;
  ScheduleAttr schedule;
  OpBuilder &builder;
  Location loc;
  KernelBuilder b;

  AsyncMmaAtomInterface wgmma;
  RegisterMmaAtomInterface fromRegisters; // of ternary weights, in its place
  LayoutAttr accLayout;
  int64_t blockF, blockT, depth, cluster;
  /// Blocks of a cluster that share a tile, each over its part of the depth,
  /// and stages of a part and of the last one.
  int64_t splits, steps, lastSteps;
  /// Accumulators of a warp.
  int64_t pieces;
  /// Columns of a swizzled tile, and the first tile of a stage with
  /// activations.
  int64_t boxCols, firstActivations;
  SmallVector<TileType> tiles;
  Value ring, xView, wView, metaView, yView;
  SmallVector<Value> operandViews, boxes;
  FetchedOperands fetched;
  Value groupFeature, warpFeature; // index
};

} // namespace

gpu::GPUFuncOp MatmulKernel::generateSpecialised(OpBuilder &builder) const {
  return SpecialisedGenerator(*this, builder).run();
}
