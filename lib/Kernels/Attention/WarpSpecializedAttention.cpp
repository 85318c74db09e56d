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

#include "Kernels/Attention/DequantizedKv.h"
#include "Kernels/Support/TileScheduler.h"
#include "SparseFlow/Target/NVPTX/LaunchAttributes.h"
#include "SparseFlow/Target/NVPTX/Resources.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// K of an MMA.
static constexpr int64_t kDepth = 16;
// Features of a tile in shared memory: rows of 128 bytes.
static constexpr int64_t kTileCols = 64;
static constexpr int64_t kGroupWarps = 4, kGroupRows = 64;
// Up to that many features of a value, rescaling in every stage costs less than
// finding out whether it is needed.
static constexpr int64_t kFewFeatures = 64;
// Up to that many features of a query, the registers of an accumulator suffice
// for the queries' descriptors, too.
static constexpr int64_t kMostDescriptors = 128;
// Shared memory that is left for barriers.
static constexpr int64_t kBarriersBytes = 2048;

/// Bytes of `height` rows of `features` as tiles of shared memory.
static int64_t tileBytes(int64_t height, int64_t features) {
  return height * int64_t(llvm::alignTo(features, kTileCols)) * 2;
}

/// Shared memory that is left beside the barriers, one stage of queries, and
/// those of keys and values.
static int64_t bytesLeft(const AttentionKernel &spec) {
  const AttentionShape &shape = spec.shape;
  int64_t keys = spec.schedule.getKeys();
  int64_t stages = spec.schedule.getStages() *
                   (tileBytes(keys, shape.d) + tileBytes(keys, shape.dv));
  return SMLimits::ofLargest().sharedBytesPerBlock - kBarriersBytes - stages -
         tileBytes(spec.schedule.getQueries(), shape.d);
}

int64_t AttentionKernel::storeBoxes() const {
  if (!isWarpSpecialized() || partial() || schedule.getPacked() ||
      shape.resultType.getIntOrFloatBitWidth() != 16)
    return 0;
  int64_t wanted = llvm::divideCeil(shape.dv, kTileCols);
  int64_t fit = bytesLeft(*this) / tileBytes(schedule.getQueries(), kTileCols);
  int64_t boxes = std::clamp<int64_t>(fit, 0, wanted);
  // The next tile begins with the first box again, which must be the one that
  // was stored the longest ago.
  while (boxes > 1 && wanted % boxes)
    --boxes;
  return boxes;
}

SmallVector<int64_t> AttentionKernel::mapped() const {
  SmallVector<int64_t> numbers = {0};
  if (!shape.keyPlanes)
    numbers.push_back(1);
  if (!shape.valuePlanes)
    numbers.push_back(2);
  return numbers;
}

/// The parameters of `spec` that are tensor maps.
static SmallVector<int64_t> mapsOf(const AttentionKernel &spec) {
  SmallVector<int64_t> numbers = spec.mapped();
  if (spec.storesByTma())
    numbers.push_back(3 + spec.shape.hasLengths + (spec.shape.page > 0) +
                      spec.shape.operands.size());
  return numbers;
}

Value AttentionKernel::gridSize(OpBuilder &builder, Location loc,
                                Value tiles) const {
  if (!schedule.getGrid())
    return tiles;
  Value blocks = arith::ConstantOp::create(
      builder, loc, builder.getI64IntegerAttr(schedule.getGrid()));
  return builder.createOrFold<arith::MinUIOp>(loc, tiles, blocks);
}

namespace {

class WarpSpecializedMatmul : DequantizedKv {
public:
  WarpSpecializedMatmul(const AttentionKernel &spec, OpBuilder &builder)
      : DequantizedKv(spec, builder, mapsOf(spec)),
        cluster(spec.schedule.getCluster()) {
    MLIRContext *context = builder.getContext();
    wgmma = WgmmaAttr::get(context, shape.operandType, /*sparse=*/false);
    tma = TmaAttr::get(context);
    accLayout = LayoutAttr::get(context, wgmma.getLayoutC());
    aLayout = LayoutAttr::get(context, wgmma.getLayoutA());
  }

  gpu::GPUFuncOp run() {
    if (cluster > 1)
      setClusterBlocks(b.kernel, cluster);
    queryRing = makeRing(queryStages(), schedule.getQueries(), shape.d);
    keyRing = makeRing(schedule.getStages(), keysPerStage, shape.d);
    valueRing = makeRing(schedule.getStages(), keysPerStage, shape.dv);
    b.griddepWait();
    int64_t consumers = schedule.getNumConsumerWarps();
    RoleOp copying = b.openRole("copy", schedule.getProducerWarps());
    copying.setLeader(!spec.dequantizesKv());
    copying.setRegisters(schedule.getProducerRegisters());
    forEachTile([&](Value queryPosition, Value keyPosition) {
      copyTile(queryPosition, keyPosition);
    });
    b.openRole("multiply", consumers);
    inWholeWarps = true;
    if (schedule.getTurns())
      OrderedBarrierOp::create(builder, loc, OrderedAction::ArriveFirst);
    if (spec.storesByTma())
      for (int64_t box = 0; box < spec.storeBoxes(); ++box)
        boxes.push_back(SharedOp::create(
            builder, loc,
            TileType::get(builder.getContext(), {kStoreRows, kTileCols},
                          shape.resultType, Order::Swizzled),
            consumers, kGroupWarps));
    forEachTile([&](Value queryPosition, Value keyPosition) {
      placePlanes();
      SoftmaxState state = computeTile(queryPosition, keyPosition);
      applyValueScales(state);
      if (spec.storesByTma())
        storeByTma(state);
      else
        store(state);
    });
    // The staged boxes must stay until their TMA stores have read them.
    if (spec.storesByTma())
      TmaStoreWaitOp::create(builder, loc, boxes.front(), /*pending=*/0, tma);
    return b.finish();
  }

private:
  /// Two, so that the queries of a tile are copied while the one before is
  /// computed, where shared memory suffices.
  int64_t queryStages() const {
    int64_t queries = schedule.getQueries();
    int64_t needed = tileBytes(queries, shape.d) +
                     spec.storeBoxes() * tileBytes(queries, kTileCols);
    return needed <= bytesLeft(spec) ? 2 : 1;
  }

  RingOp makeRing(int64_t stages, int64_t height, int64_t features) {
    SmallVector<TileType> tiles(llvm::divideCeil(features, kTileCols),
                                tile(height, kTileCols));
    return RingOp::create(builder, loc,
                          RingType::get(builder.getContext(), stages, tiles),
                          IntegerAttr(), IntegerAttr());
  }

  //===--------------------------------------------------------------------===//
  // The tile scheduler
  //===--------------------------------------------------------------------===//

  /// Builds `body` in a loop over the tiles of this block, with the positions
  /// of its queries and its first keys in their pipelines.
  void forEachTile(function_ref<void(Value, Value)> body) {
    Value block = b.blockId();
    Value blocks = gpu::GridDimOp::create(builder, loc, builder.getIndexType(),
                                          gpu::Dimension::x);
    Value tiles =
        product(tilesOfHead(), b.mul(index(kBatch), spec.tileHeads()));
    if (spec.partial())
      tiles = product(tiles, index(kSplits));
    // As gridSize() has it.
    if (std::optional<int64_t> count = getConstantIntValue(tiles);
        count && schedule.getGrid())
      blocks = b.index(std::min(*count, schedule.getGrid() / cluster));
    else if (cluster > 1)
      blocks = b.div(blocks, cluster);
    // Blocks of a cluster have rows of one tile in the same wave.
    if (cluster > 1) {
      rank = b.rem(block, cluster);
      block = b.div(block, cluster);
    }
    TileScheduler::forEachTileInWaves(
        b, tiles, block, blocks,
        [&](Value tile, Value wave, Value keyPosition) -> Value {
          placeBlock(tile);
          boundKeys();
          // A tile without keys takes one stage, which is masked as a whole,
          // where such tiles are few.
          if (!mayBeEmpty())
            stageCount = max(stageCount, b.index(1));
          body(/*queryPosition=*/wave, keyPosition);
          return b.add(keyPosition, stageCount);
        });
  }

  /// True if tiles without keys are no exception: those of short entries, and
  /// parts that the keys of an entry do not reach. They copy no keys then.
  bool mayBeEmpty() const { return shape.hasLengths && !spec.dequantizesKv(); }
  Value hasKeys() { return less(b.index(0), stageCount); }

  /// What depends on a length that was loaded may live in uniform registers
  /// only behind a shuffle. (The producer's one thread has nobody to shuffle
  /// with, and keeps nothing there.)
  Value uniform(Value value) override {
    return inWholeWarps && !spec.dequantizesKv() ? shuffledWord(value) : value;
  }

  //===--------------------------------------------------------------------===//
  // Producer warps
  //===--------------------------------------------------------------------===//

  void copyTile(Value queryPosition, Value keyPosition) {
    Type view = ViewType::get(builder.getContext(), shape.operandType,
                              Order::TensorMap);
    auto matrix = [&](int64_t pointer, Value h) -> Value {
      return ViewOp::create(builder, loc, view, b.pointer(pointer),
                            ValueRange{b.toI64(h), b.toI64(batch)});
    };
    // Packed heads are the tensor map's positions. Behind them come those of
    // the next key head, whose rows are computed and not stored.
    bool packed = schedule.getPacked();
    Value queries = matrix(0, packed ? b.index(0) : head);
    Value keys = keyPages ? Value() : matrix(1, keyHead);
    Value values = valuePages ? Value() : matrix(2, keyHead);
    copyRows(queryRing, queryPosition, queries,
             packed ? b.add(head, firstRow) : firstRow);
    placePlanes();
    OpBuilder::InsertionGuard guard(builder);
    if (mayBeEmpty())
      builder.setInsertionPointToStart(
          scf::IfOp::create(builder, loc, hasKeys()).thenBlock());
    // In the order in which they are used: the keys of a stage before the
    // values of the one before it. In another a copy would wait for a stage
    // that is freed later than its own.
    auto copyVisit = [&](RingOp ring, Value view, Value visit) {
      Value position = b.add(keyPosition, visit);
      if (!view)
        return expandStage(ring == keyRing, ring, position, visit);
      copyRows(ring, position, view,
               b.add(startKey, b.mul(stageOf(visit), keysPerStage)));
    };
    copyVisit(keyRing, keys, b.index(0));
    Value last = b.add(stageCount, -1);
    auto loop = scf::ForOp::create(builder, loc, b.index(0), last, b.index(1));
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      Value visit = loop.getInductionVar();
      // Beside keys that are dequantized, values would start only when these
      // are there, and be late.
      bool valuesFirst = keyPages && !valuePages;
      if (valuesFirst)
        copyVisit(valueRing, values, visit);
      copyVisit(keyRing, keys, b.add(visit, 1));
      if (!valuesFirst)
        copyVisit(valueRing, values, visit);
    }
    copyVisit(valueRing, values, last);
  }

  /// Copies are issued by one thread: the role's only one, or the first where
  /// all of them dequantize planes.
  void copyRows(RingOp ring, Value position, Value view, Value row) {
    OpBuilder::InsertionGuard guard(builder);
    if (spec.dequantizesKv()) {
      Value thread = gpu::ThreadIdOp::create(
          builder, loc, builder.getIndexType(), gpu::Dimension::x);
      Value first = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::eq, thread, b.index(0));
      auto branch = scf::IfOp::create(builder, loc, first);
      builder.setInsertionPointToStart(branch.thenBlock());
    }
    SmallVector<Type> slots;
    for (TileType type : ring.getRing().getType().getTiles())
      slots.push_back(SlotType::get(builder.getContext(), type.getShape(),
                                    type.getElementType(), type.getOrder()));
    auto acquired = AcquireOp::create(builder, loc, slots, ring, position);
    IntegerAttr sharers;
    if (cluster > 1 && ring != queryRing)
      sharers = builder.getI64IntegerAttr(cluster);
    for (auto [number, slot] : llvm::enumerate(acquired.getSlots()))
      CopyOp::create(builder, loc, view, b.toI64(row),
                     b.i64(number * kTileCols), slot, /*rows=*/Value(), tma,
                     sharers, UnitAttr(), UnitAttr());
    CommitOp::create(builder, loc, ring, position);
  }

  //===--------------------------------------------------------------------===//
  // Consumer warps
  //===--------------------------------------------------------------------===//

  ValueRange wait(RingOp ring, Value position) {
    ArrayRef<TileType> tiles = ring.getRing().getType().getTiles();
    return WaitOp::create(builder, loc,
                          SmallVector<Type>(tiles.begin(), tiles.end()), ring,
                          position)
        .getTiles();
  }

  Value schedBarrier(Value frag) {
    return SchedBarrierOp::create(builder, loc, frag);
  }
  Value waitGroup(Value pending, int64_t younger) {
    Type type = cast<PendingType>(pending.getType()).getFrag();
    return WaitGroupOp::create(builder, loc, type, pending, ValueRange(),
                               younger, wgmma)
        .getResult(0);
  }

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

  /// `value`, which is the same in all lanes, hidden from ptxas.
  Value shuffled(Value value) {
    return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                        shuffledWord(b.toI32(value)));
  }
  Value shuffledWord(Value value) {
    return gpu::ShuffleOp::create(builder, loc, value, b.i32(0), b.i32(32),
                                  gpu::ShuffleMode::IDX)
        .getShuffleResult();
  }

  SoftmaxState computeTile(Value queryPosition, Value keyPosition) {
    placeWarp();
    keyPosition = opaque(keyPosition);
    Softmax softmax(b, shape, accLayout, rows, unitFactor());
    SoftmaxState state = softmax.start(/*pieces=*/1, shape.dv);
    ValueRange queries = wait(queryRing, queryPosition);
    groupRow =
        b.mul(b.div(WarpIdOp::create(builder, loc, builder.getIndexType()),
                    kGroupWarps),
              kGroupRows);
    if (!mayBeEmpty())
      return computeStages(softmax, state, queries, queryPosition, keyPosition);
    OpBuilder::InsertionGuard guard(builder);
    SmallVector<Value> none = state.values();
    auto branch = scf::IfOp::create(builder, loc, ValueRange(none).getTypes(),
                                    hasKeys(), /*withElseRegion=*/true);
    builder.setInsertionPointToStart(branch.thenBlock());
    state = computeStages(softmax, state, queries, queryPosition, keyPosition);
    scf::YieldOp::create(builder, loc, state.values());
    builder.setInsertionPointToStart(branch.elseBlock());
    ReleaseOp::create(builder, loc, queryRing, queryPosition);
    scf::YieldOp::create(builder, loc, none);
    return SoftmaxState(branch.getResults());
  }

  /// The tile's sums over its stages, of which there is one at least.
  SoftmaxState computeStages(Softmax &softmax, SoftmaxState state,
                             ValueRange queries, Value queryPosition,
                             Value keyPosition) {
    // The first stage has no P V to run beside it.
    ValueRange keys = wait(keyRing, keyPosition);
    orderedWait();
    Value pending = multiplyKeys(queries, groupRow, keys);
    orderedArrive();
    Value scores = waitGroup(pending, /*younger=*/0);
    ReleaseOp::create(builder, loc, keyRing, keyPosition);
    // A split may have no keys.
    scores = prepare(softmax, scores, b.index(0), hasMasks() || spec.partial());
    auto [weights, factor] = softmax.exponentiate(state, scores);
    Value rounded =
        softmax.rounded(weights.front(), shape.operandType, keysPerStage);
    if (mayBeEmpty())
      zeroValuesBehindLength(keyPosition);

    // The rest: stages that the causal mask or the last key cuts, then whole
    // ones, then those that the window cuts.
    Value done = b.index(1);
    auto visitUpTo = [&](Value end, bool masked) {
      SmallVector<Value> carried = state.values();
      carried.push_back(rounded);
      auto loop =
          scf::ForOp::create(builder, loc, done, end, b.index(1), carried);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      state = SoftmaxState(loop.getRegionIterArgs().drop_back());
      rounded = loop.getRegionIterArgs().back();
      visitStage(softmax, state, rounded, queries, keyPosition,
                 loop.getInductionVar(), masked);
      carried = state.values();
      carried.push_back(rounded);
      scf::YieldOp::create(builder, loc, carried);
      state = SoftmaxState(loop.getResults().drop_back());
      rounded = loop.getResults().back();
      done = end;
    };
    auto within = [&](Value visit) {
      return b.min(max(visit, b.index(1)), stageCount);
    };
    Value cut = within(sub(stageCount, maskedFrom));
    // Where the last key alone cuts a stage it was the first one.
    if (shape.causal || shape.window)
      visitUpTo(cut, /*masked=*/true);
    if (shape.window) {
      visitUpTo(max(cut, within(sub(stageCount, maskedBefore))), false);
      visitUpTo(stageCount, true);
    } else {
      visitUpTo(stageCount, false);
    }
    ReleaseOp::create(builder, loc, queryRing, queryPosition);

    Value last = b.add(keyPosition, b.add(stageCount, -1));
    Value sums = schedBarrier(state.accumulators.front());
    rounded = schedBarrier(rounded);
    ValueRange values = wait(valueRing, last);
    state.accumulators.front() =
        waitGroup(multiplyValues(rounded, values, sums), 0);
    ReleaseOp::create(builder, loc, valueRing, last);
    return state;
  }

  /// Of the first stage that is visited, whose position is `position`.
  void zeroValuesBehindLength(Value position) {
    Value passed = b.mul(b.add(stageCount, -1), keysPerStage);
    Value valid = sub(sub(length, startKey), passed);
    auto cut =
        scf::IfOp::create(builder, loc, less(valid, b.index(keysPerStage)));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(cut.thenBlock());
    ZeroRowsOp::create(builder, loc, wait(valueRing, position), valid);
  }

  /// Starts Q K^T of the stage that is visited as number `visit`, and P V of
  /// the one before, whose P is `rounded`; computes the new P while the latter
  /// runs.
  void visitStage(Softmax &softmax, SoftmaxState &state, Value &rounded,
                  ValueRange queries, Value keyPosition, Value visit,
                  bool masked) {
    Value position = b.add(keyPosition, visit);
    Value before = b.add(position, -1);
    // Else the descriptors of all queries, which no stage changes, are kept in
    // registers: two for each 16 features.
    Value row = shape.d > kMostDescriptors ? shuffled(groupRow) : groupRow;
    ValueRange keys = wait(keyRing, position);
    orderedWait();
    // Registers that the MMAs use are written before the first of them.
    Value sums = schedBarrier(state.accumulators.front());
    Value left = schedBarrier(rounded);
    Value pendingScores = multiplyKeys(queries, row, keys);
    ValueRange values = wait(valueRing, before);
    Value pendingSums = multiplyValues(left, values, sums);
    orderedArrive();
    Value scores = waitGroup(pendingScores, /*younger=*/1);
    ReleaseOp::create(builder, loc, keyRing, position);
    scores = prepare(softmax, scores, visit, masked);
    Value oldMax = state.rowMax;
    bool lazy = shape.dv > kFewFeatures;
    auto [weights, factor] = softmax.exponentiate(state, scores, lazy);
    // The rounded P takes registers that the MMAs may still read, so rounding
    // waits for them.
    Value weight = schedBarrier(weights.front());
    Value grown;
    if (lazy) {
      SchedBarrierOp::create(builder, loc, state.rowSum, /*in_sass=*/true);
      grown = AnyLessOp::create(builder, loc, builder.getI1Type(), oldMax,
                                state.rowMax);
    }
    state.accumulators.front() = waitGroup(pendingSums, /*younger=*/0);
    ReleaseOp::create(builder, loc, valueRing, before);
    rounded =
        softmax.rounded(schedBarrier(weight), shape.operandType, keysPerStage);
    if (lazy)
      softmax.rescaleIf(state, factor, grown);
    else
      softmax.rescale(state, factor);
  }

  /// Divides the accumulators by the row sums and stores them by TMA, box by
  /// box; where there are fewer boxes than the features need, each is written
  /// again once it has been read.
  void storeByTma(const SoftmaxState &state) {
    Softmax softmax(b, shape, accLayout, rows, unitFactor());
    auto [sums, lse] = softmax.finish(state);
    Type type =
        ViewType::get(builder.getContext(), shape.resultType, Order::TensorMap);
    Value view = ViewOp::create(builder, loc, type, b.pointer(firstOutput()),
                                ValueRange{b.toI64(head), b.toI64(batch)});
    Value row = b.toI64(b.add(firstRow, groupRow));
    Value inside = b.rem(warpRow, kGroupRows);
    int64_t each = cast<FragType>(sums.front().getType()).getShape()[1];
    for (int64_t col = 0; col < shape.dv; col += kTileCols) {
      Value box = boxes[col / kTileCols % boxes.size()];
      TmaStoreWaitOp::create(builder, loc, box, boxes.size() - 1, tma);
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

  void orderedWait() {
    if (schedule.getTurns())
      OrderedBarrierOp::create(builder, loc, OrderedAction::Wait);
  }
  void orderedArrive() {
    if (schedule.getTurns())
      OrderedBarrierOp::create(builder, loc, OrderedAction::Arrive);
  }

  /// Starts q k^T as a wgmma group, for the queries from `row` on.
  Value multiplyKeys(ValueRange queries, Value row, ValueRange keys) {
    FragType type = b.frag({rows, keysPerStage}, f32, accLayout);
    Type pending = PendingType::get(builder.getContext(), type);
    Value sum = BroadcastOp::create(builder, loc, type, constant(0.0f));
    for (int64_t feature = 0; feature < shape.d; feature += kDepth) {
      Value col = b.index(feature % kTileCols);
      sum = MmaAsyncOp::create(builder, loc, pending,
                               queries[feature / kTileCols], row, col,
                               keys[feature / kTileCols], b.index(0), col, sum,
                               Value(), IntegerAttr(), wgmma);
    }
    return CommitGroupOp::create(builder, loc, sum, wgmma).getResult(0);
  }

  /// Starts P V as a wgmma group.
  Value multiplyValues(Value rounded, ValueRange values, Value sum) {
    Type pending =
        PendingType::get(builder.getContext(), cast<FragType>(sum.getType()));
    FragType step = b.frag({rows, kDepth}, shape.operandType, aLayout);
    Value left = ConvertLayoutOp::create(
        builder, loc, b.frag({rows, keysPerStage}, shape.operandType, aLayout),
        rounded);
    for (int64_t key = 0; key < keysPerStage; key += kDepth) {
      Value a = SliceOp::create(builder, loc, step, left, 0, key);
      sum = MmaAsyncOp::create(builder, loc, pending, a, /*aRow=*/Value(),
                               /*aCol=*/Value(), values.front(), b.index(key),
                               b.index(0), sum, /*metadata=*/Value(),
                               IntegerAttr(), wgmma, /*transposed=*/true);
    }
    return CommitGroupOp::create(builder, loc, sum, wgmma).getResult(0);
  }

  /// Scores after the score region, the scale and the masks.
  Value prepare(Softmax &softmax, Value scores, Value visit, bool masked) {
    Value stage = stageOf(visit);
    SmallVector<Value> prepared = {withoutFactor(scores)};
    if (shape.score)
      prepared = applyScore(softmax, prepared, keysPerStage,
                            b.add(startKey, b.mul(stage, keysPerStage)));
    else if (shape.scale <= 0.0f)
      prepared = softmax.scaled(prepared);
    if (masked)
      prepared = mask(softmax, prepared, keysPerStage, stage);
    return prepared.front();
  }

  /// Blocks that share the copies of keys and values.
  int64_t cluster;
  WgmmaAttr wgmma;
  TmaAttr tma;
  LayoutAttr aLayout;
  // All lanes run the role that is being built.
  bool inWholeWarps = false;
  RingOp queryRing, keyRing, valueRing;
  SmallVector<Value> boxes;
  // index: the first of the warpgroup's rows of the block.
  Value groupRow;
};

} // namespace

gpu::GPUFuncOp
AttentionKernel::generateWarpSpecialized(OpBuilder &builder) const {
  return WarpSpecializedMatmul(*this, builder).run();
}
