//===- WarpSpecializedAttention.cpp - Attention on TMA and wgmma ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The producer warpgroup copies queries, keys and values into pipelines of
// their own; each consumer warpgroup computes 64 rows of the result. Q K^T has
// both operands in shared memory; P, the exponentials, is operand A of P V in
// the registers where it is. While a warpgroup computes the exponentials of a
// stage, its MMAs with the values of the stage before run; with `turns`
// (ping-pong) another warpgroup runs its MMAs meanwhile.
//
// Where the query heads of one key head are the rows (packed), few of the
// tile's rows are used, and reading keys and values takes longer than computing
// rows that are not stored.
//
// Stages are visited from the last to the first: those that need masks come
// first then, and the loop over the others has no code for masks. Blocks are
// persistent, so that the copies for a tile run while the one before ends, and
// results are staged in shared memory and stored by TMA.
//
// Two blocks of a cluster may share keys and values: each copies half of every
// stage to both by multicast. They compute neighbouring queries of one head and
// visit the same stages; the consumers of both arrive at the empty barriers.
//
// Entries of a batch may end at lengths of their own, and what lies behind one
// may be no numbers. Scores of such keys are masked, but zero times them is not
// zero in P V: in the stage that a length cuts, which is the first to be
// visited, the consumers overwrite these rows of the values with zeros.
//
// Planes of keys, or of keys and values, come through the same pipelines: all
// threads of the four producer warps dequantize them into the tiles that TMA
// would copy (PlaneTiles.cpp), and nothing changes for the consumers.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/SplitKv/StreamKv.h"
#include "Kernels/Attention/Warpgroup/ClusterRows.h"
#include "Kernels/Attention/Warpgroup/TileStages.h"
#include "SparseFlow/Target/NVPTX/LaunchAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <limits>

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

static constexpr int64_t kLanes = 32;
// A tile whose stages are all a block's own.
static constexpr int64_t kToTheEnd = std::numeric_limits<int32_t>::max();
// Up to that many features of a value, rescaling in every stage costs less than
// finding out whether it is needed.
static constexpr int64_t kFewFeatures = 64;

namespace {

class Generator : TileStages {
public:
  Generator(const AttentionKernel &spec, OpBuilder &builder)
      : TileStages(spec, builder) {}

  gpu::GPUFuncOp run() {
    if (int64_t together = std::max(cluster, schedule.getKeyBlocks());
        together > 1)
      setClusterBlocks(b.kernel, together);
    if (spec.storesZerosBeside())
      openDraws();
    openRings();
    b.griddepWait();
    if (spec.streamsKeys())
      findShare();
    int64_t consumers = schedule.getNumConsumerWarps();
    RoleOp copying = b.openRole("copy", schedule.getProducerWarps());
    copying.setLeader(!spec.dequantizesKv());
    copying.setRegisters(schedule.getProducerRegisters());
    if (spec.overlapsTiles() && queryStages() > 1)
      copyAhead();
    else
      forEachTile([&](Value queryPosition, Value keyPosition) {
        copyTile(queryPosition, keyPosition);
      });
    if (spec.storesZerosBeside()) {
      b.openBeside(copying);
      storeUnseenBeside();
    }
    b.openRole("multiply", consumers);
    inWholeWarps = true;
    // Again: kept from there on, what was found takes registers that spill, and
    // the first keys are still on their way.
    if (spec.streamsKeys())
      findShare(/*recordsPartials=*/true);
    if (schedule.getTurns())
      OrderedBarrierOp::create(builder, loc, OrderedAction::ArriveFirst);
    if (spec.storesByTma())
      for (int64_t box = 0; box < spec.storeBoxes(); ++box)
        boxes.push_back(SharedOp::create(
            builder, loc,
            TileType::get(builder.getContext(), {kStoreRows, kTileCols},
                          shape.resultType, Order::Swizzled),
            consumers, kGroupWarps));
    std::optional<ClusterRows> sharedRows;
    if (schedule.getKeyBlocks() > 1)
      sharedRows.emplace(spec, b);
    auto compute = [&](Value queryPosition, Value keyPosition) {
      placePlanes();
      SoftmaxState state = computeTile(queryPosition, keyPosition);
      applyValueScales(state);
      if (sharedRows)
        storeShare(*sharedRows, state);
      else
        storeTile(state);
    };
    if (spec.overlapsTiles())
      computeOverlapped();
    else
      forEachTile(compute);
    if (spec.storesBoth())
      storeUnseen();
    // The staged boxes must stay until their TMA stores have read them.
    if (spec.storesByTma())
      WaitGroupOp::create(builder, loc, /*pending=*/0, tma, boxes.front());
    return b.finish();
  }

private:
  //===--------------------------------------------------------------------===//
  // The tile scheduler
  //===--------------------------------------------------------------------===//

  /// Builds `body` in a loop over the tiles of this block, with the positions
  /// of its queries and its first keys in their pipelines.
  void forEachTile(function_ref<void(Value, Value)> body) {
    if (spec.streamsKeys()) {
      forEachTileOfShare(body);
      return;
    }
    forEachTileInWaves(body);
  }

  /// The block's share, for whole warps: before there are roles, or in the
  /// consumers', whose first thread may write down what there is to combine.
  void findShare(bool recordsPartials = false) {
    StreamKv shares(b, shape, schedule, b.pointer(3), index(kBatch),
                    index(kKeys), gridSize());
    Value block = b.toI32(b.blockId());
    Value end = shares.firstUnit(b.add(block, 1));
    SmallVector<StreamKv::Place> ends =
        shares.find({shares.firstUnit(block), b.add(end, -1)});
    share.firstTile = ends[0].tile;
    share.firstStage = shares.stagesBefore(ends[0].unit);
    Value behind = shares.stagesBefore(b.add(ends[1].unit, 1));
    // It may end before the first stage of a tile: then with the one before.
    auto isStage = [&](Value none, Value some) -> Value {
      return arith::SelectOp::create(builder, loc, less(b.i32(0), behind), some,
                                     none);
    };
    share.behindLastStage = isStage(b.i32(kToTheEnd), behind);
    Value last = isStage(ends[1].tile, b.add(ends[1].tile, 1));
    share.behindLastTile = arith::SelectOp::create(
        builder, loc, less(block, shares.blocks), last, share.firstTile);
    for (Value *value : {&share.firstTile, &share.firstStage,
                         &share.behindLastTile, &share.behindLastStage})
      *value = uniform(*value);
    if (!recordsPartials)
      return;
    StreamKv::Partials partials = shares.partialsOf(block, ends[0]);
    Value isFirst = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq,
        gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x),
        b.index(kLanes * schedule.getProducerWarps()));
    auto branch = scf::IfOp::create(builder, loc, isFirst);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    StreamKv::storePartials(b, b.pointer(spec.firstPartial() + 2), b.blockId(),
                            partials);
  }

  /// The same where blocks divide all stages equally: a tile for each that the
  /// block's share touches.
  void forEachTileOfShare(function_ref<void(Value, Value)> body) {
    auto equal = [&](Value x, Value y) -> Value {
      return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, x,
                                   y);
    };
    auto select = [&](Value condition, Value yes, Value no) -> Value {
      return arith::SelectOp::create(builder, loc, condition, yes, no);
    };
    auto toIndex = [&](Value value) -> Value {
      return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                          value);
    };
    auto loop =
        scf::ForOp::create(builder, loc, share.firstTile, share.behindLastTile,
                           b.i32(1), ValueRange{b.index(0)});
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value tile = loop.getInductionVar(), keyPosition = loop.getRegionIterArg(0);
    Value begins = equal(tile, share.firstTile);
    Value ends = equal(b.add(tile, 1), share.behindLastTile);
    shareFirst = toIndex(select(begins, share.firstStage, b.i32(0)));
    shareEnd = toIndex(select(ends, share.behindLastStage, b.i32(kToTheEnd)));
    placeBlock(toIndex(tile));
    boundKeys();
    share.tile = tile;
    body(/*queryPosition=*/toIndex(sub(tile, share.firstTile)), keyPosition);
    scf::YieldOp::create(builder, loc,
                         ValueRange{b.add(keyPosition, stageCount)});
  }

  /// Partials of a tile go to the first of the block's two places if its share
  /// begins there. Right before it is needed: until then it takes registers.
  void placePartials() {
    Value later = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                        share.tile, share.firstTile);
    Value second =
        arith::ExtUIOp::create(builder, loc, builder.getI32Type(), later);
    split = arith::IndexCastUIOp::create(
        builder, loc, builder.getIndexType(),
        b.add(b.mul(b.toI32(b.blockId()), 2), second));
  }

  /// Copies all tiles of a plan, and the queries of each behind the first keys
  /// of the one before it: their place is free as early as that, and behind
  /// its last values they would come late. So a tile's words are loaded a tile
  /// ahead.
  void copyAhead() {
    TileScheduler::Waves waves = wavesOfTiles();
    auto any = scf::IfOp::create(builder, loc, less(b.index(0), waves.count));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(any.thenBlock());
    Value first = b.index(0);
    SmallVector<Value> words = loadPlanned(waves.tileIn(b, first));
    placePlanned(waves.tileIn(b, first), words);
    copyQueries(first);
    SmallVector<Value> start = {first};
    llvm::append_range(start, words);
    waves.forEach(b, start, [&](Value wave, ValueRange carried) {
      Value next = b.add(wave, 1);
      Value nextTile = waves.tileIn(b, b.min(next, b.add(waves.count, -1)));
      SmallVector<Value> yielded = loadPlanned(nextTile);
      placePlanned(waves.tileIn(b, wave), carried.drop_front());
      boundKeys();
      auto copyNext = [&] {
        auto more = scf::IfOp::create(builder, loc, less(next, waves.count));
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointToStart(more.thenBlock());
        SmallVector<Value> here = placed();
        placePlanned(nextTile, yielded);
        copyQueries(next);
        restore(here);
      };
      if (shape.page)
        copyPagedStages(carried.front(), copyNext);
      else
        copyStages(carried.front(), copyNext);
      yielded.insert(yielded.begin(), b.add(carried.front(), stageCount));
      return yielded;
    });
  }

  //===--------------------------------------------------------------------===//
  // Consumer warps
  //===--------------------------------------------------------------------===//

  /// The position of a tile's first stage in its pipeline, hidden from ptxas
  /// but for its being uniform. If ptxas knew in which stages every tile begins
  /// and ends, it would keep their descriptors in uniform registers all the
  /// time, and have none left for those of the loop between.
  Value opaque(Value position) {
    // It knows where all tiles have as many stages; with few features there are
    // few descriptors.
    if (!getConstantIntValue(stageCount) || shape.dv <= kFewFeatures)
      return position;
    return shuffled(position);
  }

  SoftmaxState computeTile(Value queryPosition, Value keyPosition) {
    placeWarp();
    keyPosition = opaque(keyPosition);
    Softmax softmax(b, shape, accLayout, rows, unitFactor());
    SoftmaxState state = softmax.start(/*pieces=*/1, shape.dv);
    placeGroup();
    auto withQueries = [&] {
      ValueRange queries = wait(queryRing, queryPosition);
      auto compute = [&] {
        return computeStages(softmax, state, queries, queryPosition,
                             keyPosition);
      };
      if (!mayBeEmpty())
        return compute();
      return either(hasKeys(), state, compute, [&] {
        ReleaseOp::create(builder, loc, queryRing, queryPosition);
      });
    };
    return spec.planned() && !spec.storesBoth()
               ? either(seesKeys(), state, withQueries, [] {})
               : withQueries();
  }

  /// What `compute` makes if `condition` holds; `none`, behind `otherwise`, if
  /// not.
  SoftmaxState either(Value condition, const SoftmaxState &none,
                      function_ref<SoftmaxState()> compute,
                      function_ref<void()> otherwise) {
    OpBuilder::InsertionGuard guard(builder);
    SmallVector<Value> start = none.values();
    auto branch =
        scf::IfOp::create(builder, loc, ValueRange(start).getTypes(), condition,
                          /*withElseRegion=*/true);
    builder.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(builder, loc, compute().values());
    builder.setInsertionPointToStart(branch.elseBlock());
    otherwise();
    scf::YieldOp::create(builder, loc, start);
    return SoftmaxState(branch.getResults());
  }

  /// The tile's sums over its stages, of which there is one at least.
  SoftmaxState computeStages(Softmax &softmax, SoftmaxState state,
                             ValueRange queries, Value queryPosition,
                             Value keyPosition) {
    // The first stage has no P V to run beside it.
    ValueRange keys = wait(keyRing, keyPosition);
    Value rounded = visitFirst(softmax, state, queries, keys, keyPosition);
    if (mayBeEmpty())
      zeroValuesBehindLength(keyPosition);
    visitRest(softmax, state, rounded, queries, keyPosition);
    ReleaseOp::create(builder, loc, queryRing, queryPosition);
    multiplyLast(state, rounded, b.add(keyPosition, b.add(stageCount, -1)));
    return state;
  }

  /// All tiles of the block, where the first stage of one is visited beside P V
  /// of the last stage of the one before it.
  void computeOverlapped() {
    TileScheduler::Waves waves = wavesOfTiles();
    auto any = scf::IfOp::create(builder, loc, less(b.index(0), waves.count));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(any.thenBlock());
    auto place = [&](Value wave) {
      placeTile(waves.tileIn(b, wave));
      placeWarp();
    };
    Softmax softmax(b, shape, accLayout, rows, unitFactor());
    SoftmaxState none = softmax.start(/*pieces=*/1, shape.dv);
    SoftmaxState state = none;
    // If ptxas knew the addresses of the first stage, it would keep the rings'
    // in ordinary registers, and all descriptors with them.
    Value first = shuffled(b.index(0));
    place(b.index(0));
    placeGroup();
    Value rounded = visitFirst(softmax, state, wait(queryRing, first),
                               wait(keyRing, first), first);
    if (mayBeEmpty())
      zeroValuesBehindLength(first);
    SmallVector<Value> start = {first, state.rowMax, state.rowSum, rounded};
    llvm::append_range(start, placed());
    waves.forEach(b, start, [&](Value wave, ValueRange carried) {
      restore(carried.drop_front(4));
      // What came from a plan is known to be uniform behind a shuffle only.
      for (Value *value : {&stageCount, &maskedFrom, &firstRow, &rowCount})
        *value = shuffled(*value);
      placeGroup();
      Value keyPosition = shuffled(carried[0]);
      state = none;
      state.rowMax = carried[1];
      state.rowSum = carried[2];
      Value rounded = carried[3];
      visitRest(softmax, state, rounded, wait(queryRing, wave), keyPosition);
      ReleaseOp::create(builder, loc, queryRing, wave);
      Value behind = b.add(keyPosition, stageCount);
      Value last = b.add(behind, -1), next = b.add(wave, 1);
      SmallVector<Value> found = {state.accumulators.front(), state.rowMax,
                                  state.rowSum, rounded};
      SmallVector<Value> here = placed();
      llvm::append_range(found, here);
      auto branch = scf::IfOp::create(
          builder, loc, ValueRange(found).getTypes(), less(next, waves.count),
          /*withElseRegion=*/true);
      {
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointToStart(branch.thenBlock());
        SmallVector<Value> both =
            visitLastAndFirst(state, rounded, last, next, [&] { place(next); });
        llvm::append_range(both, placed());
        scf::YieldOp::create(builder, loc, both);
        restore(here);
        builder.setInsertionPointToStart(branch.elseBlock());
        multiplyLast(state, rounded, last);
        found.front() = state.accumulators.front();
        scf::YieldOp::create(builder, loc, found);
      }
      state.accumulators.front() = branch.getResult(0);
      storeTile(state);
      SmallVector<Value> yielded = {behind};
      llvm::append_range(yielded, branch.getResults().drop_front());
      return yielded;
    });
  }

  /// Divides the accumulators by the row sums and stores them by TMA, box by
  /// box; where there are fewer boxes than the features need, each is written
  /// again once it has been read.
  void storeByTma(const SoftmaxState &state) {
    Softmax softmax(b, shape, accLayout, rows, unitFactor());
    auto [sums, lse] = softmax.finish(state);
    addSinks(sums, lse);
    Type type =
        ViewType::get(builder.getContext(), shape.resultType, Order::TensorMap);
    // The box of a warpgroup begins with a head, or inside the only one.
    Value boxHead = head, boxRow = groupRow;
    if (spec.headsOfTile() > 1) {
      boxHead = b.add(tileHead, b.div(groupRow, spec.queriesOfTile()));
      boxRow = b.rem(groupRow, spec.queriesOfTile());
    }
    Value view =
        ViewOp::create(builder, loc, type, b.pointer(spec.firstOutput()),
                       ValueRange{b.toI64(boxHead), b.toI64(batch)});
    Value row = b.toI64(b.add(firstRow, boxRow));
    Value inside = b.rem(warpTileRow, kGroupRows);
    int64_t each = cast<FragType>(sums.front().getType()).getShape()[1];
    for (int64_t col = 0; col < shape.dv; col += kTileCols) {
      Value box = boxes[col / kTileCols % boxes.size()];
      WaitGroupOp::create(builder, loc, boxes.size() - 1, tma, box);
      for (int64_t from = col; from < std::min(col + kTileCols, shape.dv);) {
        int64_t columns = std::min({kTileCols, each, shape.dv - from});
        Value piece = SliceOp::create(builder, loc,
                                      b.frag({rows, columns}, f32, accLayout),
                                      sums[from / each], 0, from % each);
        StoreOp::create(builder, loc,
                        softmax.rounded(piece, shape.resultType, columns), box,
                        inside, b.index(from - col));
        from += columns;
      }
      TmaStoreOp::create(builder, loc, box, view, row, b.i64(col), tma);
    }
    storeStatistics(lse);
  }

  void storeTile(const SoftmaxState &state) {
    if (spec.storesBoth())
      return storePlanned(state);
    if (spec.storesByTma())
      return storeByTma(state);
    if (spec.streamsKeys())
      placePartials();
    store(state);
  }

  /// Stores the block's share of the features, over the keys of all blocks of
  /// the cluster.
  void storeShare(ClusterRows &shared, const SoftmaxState &state) {
    Softmax softmax(b, shape, accLayout, rows, unitFactor());
    auto [sums, lse] = softmax.finish(state);
    shared.put(sums.front(), lse);
    Value first = firstStatistic(/*partial=*/false);
    int64_t output = spec.firstOutput();
    shared.storeShare(
        keyRank,
        advance(b.pointer(output), b.mul(first, shape.dv), shape.resultType),
        shape.hasLse ? advance(b.pointer(output + 1), first, f32) : Value(),
        shape.hasSinks ? advance(b.pointer(spec.sinkPointer()), head, f32)
                       : Value());
  }

  /// Boxes are 64 rows of the tensor, or fewer of several heads: a tile that
  /// ends in front of rows of another one stores its own from registers.
  void storePlanned(const SoftmaxState &state) {
    Value behind = b.add(firstRow, spec.queriesOfTile());
    Value isWhole = arith::OrIOp::create(
        builder, loc,
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, behind,
                              rowCount),
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rowCount,
                              index(kQueries)));
    auto branch =
        scf::IfOp::create(builder, loc, isWhole, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    storeByTma(state);
    builder.setInsertionPointToStart(branch.elseBlock());
    store(state);
  }

  SmallVector<Value> boxes;
  // Of a kernel that streamsKeys(): where the block's share begins and ends,
  // and the tile of it that is being computed; i32, since they live in
  // registers.
  struct {
    Value firstTile, firstStage, behindLastTile, behindLastStage, tile;
  } share;
};

} // namespace

gpu::GPUFuncOp
AttentionKernel::generateWarpSpecialized(OpBuilder &builder) const {
  return Generator(*this, builder).run();
}
