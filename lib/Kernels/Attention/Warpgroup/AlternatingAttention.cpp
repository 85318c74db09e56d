//===- AlternatingAttention.cpp - Warpgroups that score in turn -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Latent attention as LatentAttention.cpp has it, for more heads of a key head
// than a tile has rows, where products bound and not bytes: two warpgroups have
// the same rows, and sums of half of the values' features each. Here each
// computes the scores of every other stage, so that one is at its softmax while
// the other multiplies:
//
//   even   scores 2i; softmax; values 2i, left; values 2i + 1, left
//   odd    scores 2i + 1; values 2i, right, beside the softmax; values 2i + 1,
//          right
//
// The one that has the scores keeps P in registers for its half, and writes it
// for the other over the last tile of the stage's keys, which are no values and
// have been read. A pipeline says that it is there and carries the row max,
// that both continue with; each has row sums of its own stages, added up in the
// end. The halves of the values and what is behind them are pipelines of their
// own: two stages of 64 keys have all of shared memory, and a part of a stage
// is copied as soon as nobody needs what was there. Blocks of a cluster that
// divide the keys add up what they found in the end, in the memory of queries
// and keys (ClusterSums.h).
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/Warpgroup/ClusterSums.h"
#include "Kernels/Attention/Warpgroup/WarpgroupAttention.h"
#include "SparseFlow/Target/NVPTX/LaunchAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

namespace {

/// One of the two warpgroups.
enum Group : int64_t { kEven, kOdd };

class AlternatingAttention : WarpgroupAttention {
public:
  AlternatingAttention(const AttentionKernel &spec, OpBuilder &builder)
      : WarpgroupAttention(spec, builder),
        leftTiles(llvm::divideCeil(shape.dv, 2 * kTileCols)),
        left(std::min(leftTiles * kTileCols, shape.dv)) {}

  gpu::GPUFuncOp run() {
    if (schedule.getKeyBlocks() > 1)
      setClusterBlocks(b.kernel, schedule.getKeyBlocks());
    openRings();
    openExchange();
    b.griddepWait();
    RoleOp copying = b.openRole("copy", schedule.getProducerWarps());
    copying.setLeader(true);
    copying.setRegisters(schedule.getProducerRegisters());
    forEachTileInWaves([&](Value queryPosition, Value keyPosition) {
      copyTile(queryPosition, keyPosition);
    });
    inWholeWarps = true;
    for (Group which : {kEven, kOdd}) {
      b.openRole(which == kEven ? "even" : "odd", kGroupWarps);
      group = which;
      // A block has one tile: its positions begin with 0.
      forEachTileInWaves([&](Value, Value) { compute(); });
    }
    return b.finish();
  }

private:
  //===--------------------------------------------------------------------===//
  // What the warpgroups exchange
  //===--------------------------------------------------------------------===//

  /// Of each warpgroup a number for each row, as registers: the row max of a
  /// stage, whose P is there then; and its row sums in the end.
  void openExchange() {
    MLIRContext *context = builder.getContext();
    FragType column = Softmax(b, shape, accLayout, rows).getColumnType();
    TileType registers = TileType::get(
        context, {kGroupWarps * column.getRegistersPerLane(), kLanes}, f32,
        Order::RowMajor);
    for (RingOp &ring : exchange)
      ring = RingOp::create(builder, loc,
                            RingType::get(context, /*stages=*/1, registers),
                            IntegerAttr(), IntegerAttr());
  }

  /// The warp's registers in a tile of numbers.
  Value firstRegister(Value numbers) {
    Value warp = WarpIdOp::create(builder, loc, builder.getIndexType());
    return b.mul(warp, cast<FragType>(numbers.getType()).getRegistersPerLane());
  }

  /// Sends `numbers`, and P before, if there is one, in a tile of keys.
  void send(Value place, Value numbers, Value rounded = {}, Value tile = {}) {
    RingOp ring = exchange[group];
    TileType type = ring.getRing().getType().getTiles().front();
    Type slotType = SlotType::get(builder.getContext(), type.getShape(),
                                  type.getElementType(), type.getOrder());
    Value slot =
        AcquireOp::create(builder, loc, slotType, ring, place).getSlots()[0];
    StoreOp::create(builder, loc, numbers, slot, firstRegister(numbers),
                    b.index(0), Access::Registers);
    if (rounded)
      StoreOp::create(builder, loc, rounded, tile, warpRow, b.index(0),
                      Access::Direct, StMatrixAttr::get(builder.getContext()));
    CommitOp::create(builder, loc, ring, place);
  }

  /// The other's numbers, of the type of `like`.
  Value receive(Value place, Value like) {
    RingOp ring = exchange[1 - group];
    Value tile = wait(ring, place).front();
    Value numbers =
        LoadOp::create(builder, loc, like.getType(), tile, firstRegister(like),
                       b.index(0), Access::Registers);
    ReleaseOp::create(builder, loc, ring, place);
    return numbers;
  }

  void release(int64_t part, Value stage) {
    ReleaseOp::create(builder, loc, keyRings[part], stage);
  }

  //===--------------------------------------------------------------------===//
  // The loop over keys
  //===--------------------------------------------------------------------===//

  void compute() {
    placeWarp();
    Softmax softmax(b, shape, accLayout, rows, unitFactor());
    SoftmaxState state =
        softmax.start(/*pieces=*/1, group == kEven ? left : shape.dv - left);
    ValueRange queries = wait(queryRing, b.index(0));
    // Where the number is known and odd, ptxas would spill.
    Value stages = shuffled(stageCount);
    Value pairs = b.div(stages, 2);
    Value paired = b.mul(pairs, 2);
    loop(b.index(0), pairs, state, [&](Value pair) {
      Value even = b.mul(pair, 2), odd = b.add(even, 1);
      if (group == kEven) {
        visitOwn(softmax, state, queries, even, pair);
        finishOther(state, startOther(softmax, state, odd, pair), odd);
      } else {
        visitOwn(softmax, state, queries, odd, pair, even);
      }
    });
    loop(paired, stages, state, [&](Value last) {
      if (group == kEven)
        visitOwn(softmax, state, queries, last, pairs);
      else
        finishOther(state, startOther(softmax, state, last, pairs), last);
    });
    ReleaseOp::create(builder, loc, queryRing, b.index(0));
    Value evenEnd = b.add(pairs, sub(stages, paired)), oddEnd = pairs;
    send(group == kEven ? evenEnd : oddEnd, state.rowSum);
    Value theirs = receive(group == kEven ? oddEnd : evenEnd, state.rowSum);
    state.rowSum =
        b.map(cast<FragType>(theirs.getType()), {state.rowSum, theirs},
              [&](OpBuilder &inner, ValueRange in) -> Value {
                return arith::AddFOp::create(inner, loc, in[0], in[1]);
              });
    auto [sums, lse] = softmax.finish(state);
    if (group == kEven)
      storeShare(sums.front(), lse, b.index(0), queryRing);
    else
      storeShare(sums.front(), lse, b.index(left), largestPart());
  }

  /// Builds `body`, which changes `state`, for the numbers from `first` to
  /// before `end`.
  void loop(Value first, Value end, SoftmaxState &state,
            function_ref<void(Value)> body) {
    auto loop = scf::ForOp::create(builder, loc, first, end, b.index(1),
                                   state.values());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    state = SoftmaxState(loop.getRegionIterArgs());
    body(loop.getInductionVar());
    scf::YieldOp::create(builder, loc, state.values());
    state = SoftmaxState(loop.getResults());
  }

  /// Stores the features from `first` on, or the block's share of them in a
  /// cluster that divides the keys, whose blocks meet in `ring`; of the left
  /// half log-sum-exps, too. Each warpgroup needs a ring of its own.
  void storeShare(Value sums, Value lse, Value first, RingOp ring) {
    bool storesLse = group == kEven;
    if (!keyRank)
      return storeRows(sums, storesLse ? lse : Value(), spec.partial(), first);
    ClusterSums shared{sums, lse, Value()};
    shared.addUp(b, schedule.getKeyBlocks(), keyRank, ring);
    storeRows(shared.means, storesLse ? shared.lse : Value(), spec.partial(),
              b.add(first, shared.column));
  }

  RingOp largestPart() {
    return *llvm::max_element(keyRings, [](RingOp one, RingOp other) {
      return one.getRing().getType().getStageBytes() <
             other.getRing().getType().getStageBytes();
    });
  }

  //===--------------------------------------------------------------------===//
  // A stage whose scores are this warpgroup's
  //===--------------------------------------------------------------------===//

  /// The stage `visit`; `place` counts those of this warpgroup. The values of
  /// `before`, the other's, are multiplied beside the softmax.
  void visitOwn(Softmax &softmax, SoftmaxState &state, ValueRange queries,
                Value visit, Value place, Value before = {}) {
    auto [pending, tiles] = startScores(queries, visit);
    Value scores = waitGroup(pending, /*younger=*/0);
    release(1 - group, visit);
    scores = masked(softmax, prepare(softmax, scores, visit, /*masked=*/false),
                    visit);
    Value pendingSums;
    if (before)
      pendingSums = startOther(softmax, state, before, place);
    Value oldMax = state.rowMax;
    auto [weights, factor] = softmax.exponentiate(state, scores, /*lazy=*/true);
    Value weight = weights.front();
    if (before) {
      // The rounded P may take registers that the MMAs read.
      weight = schedBarrier(weight);
      SchedBarrierOp::create(builder, loc, state.rowSum, /*in_sass=*/true);
      finishOther(state, pendingSums, before);
      weight = schedBarrier(weight);
    }
    Value rounded = softmax.rounded(weight, shape.operandType, keysPerStage);
    Value grown = anyLess(oldMax, state.rowMax);
    // All four warps have read the keys that P takes the place of.
    sftile::BarrierOp::create(builder, loc, BarrierScope::Role);
    send(place, state.rowMax, rounded, tiles[kBehind].front());
    release(kBehind, visit);
    softmax.rescaleIf(state, factor, grown);
    Value sums = schedBarrier(state.accumulators.front());
    state.accumulators.front() = waitGroup(
        multiplyValues(rounded, tiles[group].front(), sums), /*younger=*/0);
    release(group, visit);
  }

  /// Starts Q K^T, each part of the features when it is there. Returns the
  /// parts, too.
  std::pair<Value, SmallVector<ValueRange>> startScores(ValueRange queries,
                                                        Value visit) {
    if (mayBeEmpty())
      zeroValuesBehindLength(visit);
    SmallVector<ValueRange> parts;
    FragType type = b.frag({rows, keysPerStage}, f32, accLayout);
    Type pending = PendingType::get(builder.getContext(), type);
    Value sum = BroadcastOp::create(builder, loc, type, constant(0.0f));
    // Descriptors of queries, which no stage changes, would take registers.
    Value row = shuffled(b.index(0));
    int64_t feature = 0;
    for (RingOp ring : keyRings) {
      parts.push_back(wait(ring, visit));
      for (Value keys : parts.back())
        for (int64_t col = 0; col < kTileCols && feature < shape.d;
             col += kDepth, feature += kDepth)
          sum = MmaAsyncOp::create(
              builder, loc, pending, queries[feature / kTileCols], row,
              b.index(col), keys, b.index(0), b.index(col), sum,
              /*metadata=*/Value(), IntegerAttr(), wgmma);
      // A part may have nothing but P.
      if (sum.getDefiningOp<MmaAsyncOp>())
        sum = CommitGroupOp::create(builder, loc, sum, wgmma).getResult(0);
    }
    return {sum, parts};
  }

  /// Only stages that hold a key which some query may not attend to run the
  /// code of masks.
  Value masked(Softmax &softmax, Value scores, Value visit) {
    if (!hasMasks() && !spec.partial() && !keyRank)
      return scores;
    Value stage = stageOf(visit);
    Value needed = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::sge, stage, maskedFrom);
    if (maskedBefore)
      needed =
          arith::OrIOp::create(builder, loc, needed, less(stage, maskedBefore));
    auto branch = scf::IfOp::create(builder, loc, scores.getType(), needed,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(builder, loc,
                         mask(softmax, scores, keysPerStage, stage));
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, scores);
    return branch.getResult(0);
  }

  /// Zero times what lies behind a length need not be zero. The other
  /// warpgroup reads these tiles when it has got P.
  void zeroValuesBehindLength(Value visit) {
    Value passed = b.mul(stageOf(visit), keysPerStage);
    Value valid = sub(sub(length, startKey), passed);
    auto cut =
        scf::IfOp::create(builder, loc, less(valid, b.index(keysPerStage)));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(cut.thenBlock());
    for (int64_t half : {kEven, kOdd})
      zeroRows(wait(keyRings[half], visit), valid, kGroupWarps,
               group * kGroupWarps);
  }

  //===--------------------------------------------------------------------===//
  // A stage whose scores are the other's
  //===--------------------------------------------------------------------===//

  /// Starts P V of the stage `visit`, number `place` of those that the other
  /// has the scores of.
  Value startOther(Softmax &softmax, SoftmaxState &state, Value visit,
                   Value place) {
    Value rowMax = receive(place, state.rowMax);
    release(1 - group, visit);
    Value grown = anyLess(state.rowMax, rowMax);
    softmax.rescaleIf(state, softmax.adopt(state, rowMax), grown);
    Value weights = wait(keyRings[kBehind], visit).front();
    Value values = wait(keyRings[group], visit).front();
    Value sum = schedBarrier(state.accumulators.front());
    Type pending =
        PendingType::get(builder.getContext(), cast<FragType>(sum.getType()));
    for (int64_t key = 0; key < keysPerStage; key += kDepth)
      sum = MmaAsyncOp::create(builder, loc, pending, weights, b.index(0),
                               b.index(key), values, b.index(key), b.index(0),
                               sum, /*metadata=*/Value(), IntegerAttr(), wgmma,
                               /*transposed=*/true);
    return CommitGroupOp::create(builder, loc, sum, wgmma).getResult(0);
  }

  void finishOther(SoftmaxState &state, Value pending, Value visit) {
    state.accumulators.front() = waitGroup(pending, /*younger=*/0);
    release(group, visit);
    release(kBehind, visit);
  }

  static constexpr int64_t kLanes = 32;
  // The part of keys behind those that are the values' halves.
  static constexpr int64_t kBehind = 2;
  // Tiles and features of the left half.
  int64_t leftTiles, left;
  // The warpgroup whose role is being built.
  Group group = kEven;
  RingOp exchange[2];
};

} // namespace

gpu::GPUFuncOp AttentionKernel::generateAlternating(OpBuilder &builder) const {
  return AlternatingAttention(*this, builder).run();
}
