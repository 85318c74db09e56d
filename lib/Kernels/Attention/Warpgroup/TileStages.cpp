//===- TileStages.cpp - The stages of keys that a tile visits
//-------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/Warpgroup/TileStages.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Up to that many features of a value, rescaling in every stage costs less than
// finding out whether it is needed.
static constexpr int64_t kFewFeatures = 64;
// Up to that many features of a query, the registers of an accumulator suffice
// for the queries' descriptors, too.
static constexpr int64_t kMostDescriptors = 128;
// Up to that many features half of the first stage may be left out, of stages
// whose halves are whole steps of the MMAs with values.
static constexpr int64_t kMostHalved = 64, kHalved = 32;

bool AttentionKernel::overlapsTiles() const {
  int64_t features = std::max(shape.d, shape.dv);
  return schedule.getTurns() && schedule.getGrid() &&
         schedule.getCluster() == 1 && schedule.getKeyBlocks() == 1 &&
         !schedule.getPacked() && !partial() && !dequantizesKv() &&
         storesByTma() && !shape.window && !shape.score &&
         features > kFewFeatures && features <= kMostDescriptors &&
         shape.varlen;
}

void TileStages::placeGroup() {
  groupRow = b.mul(b.div(WarpIdOp::create(builder, loc, builder.getIndexType()),
                         kGroupWarps),
                   kGroupRows);
}

void TileStages::visitRest(Softmax &softmax, SoftmaxState &state,
                           Value &rounded, ValueRange queries,
                           Value keyPosition) {
  // Stages that the causal mask or the last key cuts, then whole
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
}

void TileStages::multiplyLast(SoftmaxState &state, Value rounded, Value last) {
  Value sums = schedBarrier(state.accumulators.front());
  rounded = schedBarrier(rounded);
  ValueRange values = wait(valueRing, last);
  state.accumulators.front() =
      waitGroup(multiplyValues(rounded, values.front(), sums), 0);
  ReleaseOp::create(builder, loc, valueRing, last);
}

bool TileStages::mayHalveFirst() const {
  return shape.causal && !shape.window && !shape.score && !spec.partial() &&
         !schedule.getPacked() && cluster == 1 && !spec.dequantizesKv() &&
         std::max(shape.d, shape.dv) <= kMostHalved &&
         keysPerStage % kHalved == 0;
}

Value TileStages::visitFirst(Softmax &softmax, SoftmaxState &state,
                             ValueRange queries, ValueRange keys,
                             Value keyPosition) {
  auto compute = [&](int64_t count) {
    SoftmaxState found = state;
    orderedWait();
    Value pending = multiplyKeys(queries, groupRow, keys, count);
    orderedArrive();
    SmallVector<Value> operands = loadOperands(softmax, b.index(0), count);
    Value scores = waitGroup(pending, /*younger=*/0);
    ReleaseOp::create(builder, loc, keyRing, keyPosition);
    // A split may have no keys.
    scores = prepare(softmax, scores, operands, b.index(0),
                     hasMasks() || spec.partial() || keyRank);
    Value weights = softmax.exponentiate(found, scores).first.front();
    Value rounded = softmax.rounded(weights, shape.operandType, count);
    if (count < keysPerStage) {
      Value zero = arith::ConstantOp::create(
          builder, loc, builder.getZeroAttr(shape.operandType));
      Value zeros = BroadcastOp::create(builder, loc, rounded.getType(), zero);
      rounded = ConcatOp::create(
          builder, loc,
          b.frag({rows, keysPerStage}, shape.operandType, accLayout),
          ValueRange{rounded, zeros});
    }
    return SmallVector<Value>{found.rowMax, found.rowSum, rounded};
  };
  SmallVector<Value> results;
  if (!mayHalveFirst()) {
    results = compute(keysPerStage);
  } else {
    // Keys of the stage up to the position of the warpgroup's last query.
    Value last = b.add(firstRow, b.rem(groupRow, spec.queriesOfTile()));
    int64_t each = std::min(kGroupRows, spec.queriesOfTile());
    Value behind = b.min(length, b.add(b.add(last, shift), each));
    Value passed = b.mul(b.add(stageCount, -1), keysPerStage);
    Value seen = sub(sub(behind, startKey), passed);
    Type p = b.frag({rows, keysPerStage}, shape.operandType, accLayout);
    auto branch = scf::IfOp::create(
        builder, loc,
        TypeRange{state.rowMax.getType(), state.rowSum.getType(), p},
        less(seen, b.index(keysPerStage / 2 + 1)), /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(builder, loc, compute(keysPerStage / 2));
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, compute(keysPerStage));
    results.assign(branch.getResults().begin(), branch.getResults().end());
  }
  state.rowMax = results[0];
  state.rowSum = results[1];
  return results[2];
}

void TileStages::zeroValuesBehindLength(Value position) {
  Value passed = b.mul(b.add(stageCount, -1), keysPerStage);
  Value valid = sub(sub(length, startKey), passed);
  auto cut =
      scf::IfOp::create(builder, loc, less(valid, b.index(keysPerStage)));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(cut.thenBlock());
  zeroRows(wait(valueRing, position), valid, schedule.getNumConsumerWarps());
}

void TileStages::visitStage(Softmax &softmax, SoftmaxState &state,
                            Value &rounded, ValueRange queries,
                            Value keyPosition, Value visit, bool masked) {
  Value position = b.add(keyPosition, visit);
  Value before = b.add(position, -1);
  // Else the descriptors of all queries, which no stage changes, are kept in
  // registers: two for each 16 features.
  Value row = shape.d > kMostDescriptors || spec.overlapsTiles()
                  ? shuffled(groupRow)
                  : groupRow;
  ValueRange keys = wait(keyRing, position);
  orderedWait();
  // Registers that the MMAs use are written before the first of them.
  Value sums = schedBarrier(state.accumulators.front());
  Value left = schedBarrier(rounded);
  Value pendingScores = multiplyKeys(queries, row, keys, keysPerStage);
  ValueRange values = wait(valueRing, before);
  Value pendingSums = multiplyValues(left, values.front(), sums);
  orderedArrive();
  SmallVector<Value> operands = loadOperands(softmax, visit, keysPerStage);
  Value scores = waitGroup(pendingScores, /*younger=*/1);
  ReleaseOp::create(builder, loc, keyRing, position);
  scores = prepare(softmax, scores, operands, visit, masked);
  Value oldMax = state.rowMax;
  bool lazy = shape.dv > kFewFeatures;
  auto [weights, factor] = softmax.exponentiate(state, scores, lazy);
  // The rounded P takes registers that the MMAs may still read, so rounding
  // waits for them.
  Value weight = schedBarrier(weights.front());
  Value grown;
  if (lazy) {
    SchedBarrierOp::create(builder, loc, state.rowSum, /*in_sass=*/true);
    grown = anyLess(oldMax, state.rowMax);
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

SmallVector<Value> TileStages::visitLastAndFirst(const SoftmaxState &state,
                                                 Value rounded, Value last,
                                                 Value queryPosition,
                                                 function_ref<void()> place) {
  Value position = b.add(last, 1);
  ValueRange queries = wait(queryRing, queryPosition);
  ValueRange keys = wait(keyRing, position);
  orderedWait();
  Value sums = schedBarrier(state.accumulators.front());
  Value left = schedBarrier(rounded);
  Value pendingScores =
      multiplyKeys(queries, shuffled(groupRow), keys, keysPerStage);
  ValueRange values = wait(valueRing, last);
  Value pendingSums = multiplyValues(left, values.front(), sums);
  orderedArrive();
  place();
  Softmax softmax(b, shape, accLayout, rows, unitFactor());
  SoftmaxState next = softmax.start(/*pieces=*/1, shape.dv);
  SmallVector<Value> operands = loadOperands(softmax, b.index(0), keysPerStage);
  Value scores = waitGroup(pendingScores, /*younger=*/1);
  ReleaseOp::create(builder, loc, keyRing, position);
  scores = prepare(softmax, scores, operands, b.index(0), hasMasks());
  Value weight = schedBarrier(softmax.exponentiate(next, scores).first.front());
  sums = waitGroup(pendingSums, /*younger=*/0);
  ReleaseOp::create(builder, loc, valueRing, last);
  rounded =
      softmax.rounded(schedBarrier(weight), shape.operandType, keysPerStage);
  if (mayBeEmpty())
    zeroValuesBehindLength(position);
  return {sums, next.rowMax, next.rowSum, rounded};
}

void TileStages::orderedWait() {
  if (schedule.getTurns())
    OrderedBarrierOp::create(builder, loc, OrderedAction::Wait);
}
void TileStages::orderedArrive() {
  if (schedule.getTurns())
    OrderedBarrierOp::create(builder, loc, OrderedAction::Arrive);
}
