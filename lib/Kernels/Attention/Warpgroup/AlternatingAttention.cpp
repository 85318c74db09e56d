//===- AlternatingAttention.cpp - Warpgroups that score in turn -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Latent attention as LatentAttention.cpp has it, for more heads of a key head
// than a tile has rows, where MMAs bound and not bytes: two warpgroups have
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

#include "Kernels/Attention/Warpgroup/LatentHalves.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

namespace {

/// One of the two warpgroups.
enum Group : int64_t { kEven, kOdd };

class AlternatingAttention : LatentHalves {
public:
  AlternatingAttention(const AttentionKernel &spec, OpBuilder &builder)
      : LatentHalves(spec, builder) {}

  gpu::GPUFuncOp run() {
    open([&] { openExchange(); });
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
    for (RingOp &ring : exchange)
      ring = openNumbers();
  }

  /// Sends `numbers`, and P before, if there is one, in a tile of keys.
  void send(Value place, Value numbers, Value rounded = {}, Value tile = {}) {
    RingOp ring = exchange[group];
    storeNumbers(numbers, acquireOne(ring, place));
    if (rounded)
      StoreOp::create(builder, loc, rounded, tile, warpRow, b.index(0),
                      Access::Direct, StMatrixAttr::get(builder.getContext()));
    CommitOp::create(builder, loc, ring, place);
  }

  /// The other's numbers, of the type of `like`.
  Value receive(Value place, Value like) {
    return receiveNumbers(exchange[1 - group], place,
                          cast<FragType>(like.getType()));
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
      storeShare(sums.front(), lse, b.index(0), /*storesLse=*/true, queryRing);
    else
      storeShare(sums.front(), lse, b.index(left), /*storesLse=*/false,
                 largestPart());
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
    SmallVector<Value> operands = loadOperands(softmax, visit, keysPerStage);
    Value scores = waitGroup(pending, /*younger=*/0);
    release(1 - group, visit);
    scores = prepare(softmax, scores, operands, visit, /*masked=*/false);
    scores = masked(softmax, scores, visit);
    Value pendingSums;
    if (before)
      pendingSums = startOther(softmax, state, before, place);
    Value oldMax = state.rowMax;
    auto [weights, factor] = softmax.exponentiate(state, scores, /*lazy=*/true);
    Value rounded =
        softmax.rounded(weights.front(), shape.operandType, keysPerStage);
    Value grown = anyLess(oldMax, state.rowMax);
    // All four warps have read the keys that P takes the place of.
    sftile::BarrierOp::create(builder, loc, BarrierScope::Role);
    send(place, state.rowMax, rounded, tiles[kBehind].front());
    release(kBehind, visit);
    if (before) {
      // Behind P, which the other waits for.
      rounded = schedBarrier(rounded);
      finishOther(state, pendingSums, before);
    }
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

  /// Zero times what lies behind a length need not be zero. The other
  /// warpgroup reads these tiles when it has got P.
  void zeroValuesBehindLength(Value visit) {
    ifBehindLength(visit, [&](Value valid) {
      for (int64_t half : {kEven, kOdd})
        zeroRows(wait(keyRings[half], visit), valid, kGroupWarps,
                 group * kGroupWarps);
    });
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
    return startSharedValues(weights, values, state.accumulators.front());
  }

  void finishOther(SoftmaxState &state, Value pending, Value visit) {
    state.accumulators.front() = waitGroup(pending, /*younger=*/0);
    release(group, visit);
    release(kBehind, visit);
  }

  // The part of keys behind those that are the values' halves.
  static constexpr int64_t kBehind = 2;
  // The warpgroup whose role is being built.
  Group group = kEven;
  RingOp exchange[2];
};

} // namespace

gpu::GPUFuncOp AttentionKernel::generateAlternating(OpBuilder &builder) const {
  return AlternatingAttention(*this, builder).run();
}
