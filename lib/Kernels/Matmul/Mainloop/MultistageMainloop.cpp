//===- MultistageMainloop.cpp - Every warp copies and multiplies ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Mainloop/MultistageMainloop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

MultistageMainloop::MultistageMainloop(
    const MatmulProblem &problem, KernelBuilder &b, const OperandA &operandA,
    const MultistageOperandB &operandB, ArrayRef<Value> views,
    MatmulPipeline &pipeline, TileScheduler::Tile tile, Value split, bool pdl,
    bool copiesWeightsEarly)
    : problem(problem), b(b), operandA(operandA), operandB(operandB),
      views(views), pipeline(pipeline), tile(tile), pdl(pdl),
      copiesWeightsEarly(copiesWeightsEarly) {
  chooseSteps(split);
}

/// The K steps of this block.
void MultistageMainloop::chooseSteps(Value split) {
  int64_t steps = llvm::divideCeil(problem.k, problem.schedule.getK());
  if (!split) {
    firstStep = b.index(0);
    stepCount = b.index(steps);
    return;
  }
  int64_t perSplit = llvm::divideCeil(steps, problem.schedule.getSplitK());
  firstStep = b.mul(split, perSplit);
  Value rest =
      arith::SubIOp::create(b.builder, b.loc, b.index(steps), firstStep);
  stepCount = arith::MaxSIOp::create(b.builder, b.loc, b.index(0),
                                     b.min(rest, b.index(perSplit)));
}

/// Whether a position is one of this block's part of K.
Value MultistageMainloop::isInside(Value position) {
  return arith::CmpIOp::create(b.builder, b.loc, arith::CmpIPredicate::slt,
                               position, stepCount);
}

Value MultistageMainloop::stepAt(Value position) {
  return b.toI64(b.add(firstStep, position));
}

/// Fills position `position` of the pipeline. Past the end of K there are no
/// weights to copy and the activations have no rows. That the rows depend on
/// the position keeps the tests of single rows out of the registers that live
/// through the loop.
void MultistageMainloop::fill(Value position) {
  MatmulStage slots = pipeline.acquire(position);
  fillA(position, slots.a);
  fillB(position, slots.b);
  pipeline.commit(position);
}

/// Without a split K there is a last step, and a branch would be in the way of
/// MMAs: behind it the last step is copied once more.
void MultistageMainloop::fillA(Value position, ArrayRef<Value> slots) {
  if (repeatsLast) {
    Value last = arith::SubIOp::create(b.builder, b.loc, stepCount, b.index(1));
    operandA.copyStage(b, views, tile.feature, stepAt(b.min(position, last)),
                       slots);
    return;
  }
  Value inside = isInside(position);
  Value step = stepAt(position);
  auto branch = scf::IfOp::create(b.builder, b.loc, inside);
  OpBuilder::InsertionGuard guard(b.builder);
  b.builder.setInsertionPointToStart(branch.thenBlock());
  operandA.copyStage(b, views, tile.feature, step, slots);
}

void MultistageMainloop::fillB(Value position, ArrayRef<Value> slots) {
  Value count = arith::SelectOp::create(b.builder, b.loc, isInside(position),
                                        b.count(), b.i64(0));
  operandB.copyStage(b, count, tile.token, stepAt(position), slots);
}

void MultistageMainloop::start(const StageMma &mma) {
  repeatsLast = mma.overlapsStages() && problem.schedule.getSplitK() == 1;
  int64_t ahead = problem.schedule.getStages() - 1;
  if (!copiesWeightsEarly) {
    if (pdl)
      b.griddepWait();
    for (int64_t position = 0; position < ahead; ++position)
      fill(b.index(position));
    held = operandB.hold(b);
    return;
  }
  SmallVector<MatmulStage> slots;
  for (int64_t position = 0; position < ahead; ++position) {
    slots.push_back(pipeline.acquire(b.index(position)));
    fillA(b.index(position), slots.back().a);
  }
  b.griddepWait();
  for (int64_t position = 0; position < ahead; ++position) {
    fillB(b.index(position), slots[position].b);
    pipeline.commit(b.index(position));
  }
  held = operandB.hold(b);
}

SmallVector<Value> MultistageMainloop::zeroSums(const StageMma &mma) {
  OpBuilder &builder = b.builder;
  ScheduleAttr schedule = problem.schedule;
  Type sumType = problem.accumulatorType();
  Value zero = arith::ConstantOp::create(builder, b.loc, sumType,
                                         builder.getZeroAttr(sumType));
  FragType accType = b.frag({schedule.getWarp()[0], mma.fragmentTokens()},
                            sumType, mma.accumulatorLayout());
  size_t fragments = mma.weights() * llvm::divideCeil(schedule.getWarp()[1],
                                                      mma.fragmentTokens());
  return SmallVector<Value>(fragments,
                            BroadcastOp::create(builder, b.loc, accType, zero));
}

SmallVector<Value> MultistageMainloop::run(StageMma &mma) {
  if (mma.overlapsStages())
    return runOverlapped(mma);
  OpBuilder &builder = b.builder;
  ScheduleAttr schedule = problem.schedule;
  SmallVector<Value> carried = zeroSums(mma);
  size_t fragments = carried.size();
  llvm::append_range(carried, mma.loadAhead(firstStep));
  auto loop = scf::ForOp::create(builder, b.loc, b.index(0), stepCount,
                                 b.index(1), carried);
  // The gate counts MMAs; a short body would be repeated.
  b.keepRolled(loop);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value position = loop.getInductionVar();
  MatmulStage stage = pipeline.wait(position);
  operandB.addTo(b, held, stepAt(position), stage);
  fill(b.add(position, schedule.getStages() - 1));
  ValueRange arguments(loop.getRegionIterArgs());
  SmallVector<Value> acc = llvm::to_vector(arguments.take_front(fragments));
  SmallVector<Value> ahead =
      mma.loadAhead(b.add(firstStep, b.add(position, 1)));
  mma.multiply(stage, acc, arguments.drop_front(fragments));
  pipeline.release(position);
  llvm::append_range(acc, ahead);
  scf::YieldOp::create(builder, b.loc, acc);
  return llvm::to_vector(ValueRange(loop.getResults()).take_front(fragments));
}

/// Between the loads of a stage's last operands and their MMAs the next stage
/// is waited for, so that its first operands arrive while these MMAs run;
/// behind them in the queue of loads are the copies that fill the stage which
/// everybody has read. The last turn waits for a stage behind the end, which
/// has been filled like any other, and reads it for nothing.
SmallVector<Value> MultistageMainloop::runOverlapped(StageMma &mma) {
  OpBuilder &builder = b.builder;
  MatmulStage stage;
  auto enter = [&](Value position) {
    stage = pipeline.wait(position);
    SmallVector<Value> first = mma.loadFirst(stage);
    fill(b.add(position, problem.schedule.getStages() - 1));
    return first;
  };
  SmallVector<Value> sums = zeroSums(mma), first = enter(b.index(0));
  size_t ofA = stage.a.size(), ofB = stage.b.size();
  auto carry = [&](ArrayRef<Value> sums, ArrayRef<Value> first) {
    return llvm::to_vector(
        llvm::concat<const Value>(sums, stage.a, stage.b, first));
  };
  auto loop = scf::ForOp::create(builder, b.loc, b.index(0), stepCount,
                                 b.index(1), carry(sums, first));
  b.keepRolled(loop);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value position = loop.getInductionVar();
  SmallVector<Value> arguments =
      llvm::to_vector_of<Value>(loop.getRegionIterArgs());
  ArrayRef<Value> rest = arguments;
  auto take = [&](size_t count) {
    auto taken = llvm::to_vector(rest.take_front(count));
    rest = rest.drop_front(count);
    return taken;
  };
  sums = take(sums.size());
  MatmulStage current = {take(ofA), take(ofB)};
  first = mma.multiplyOverlapped(current, sums, rest, [&] {
    pipeline.release(position);
    return enter(b.add(position, 1));
  });
  scf::YieldOp::create(builder, b.loc, carry(sums, first));
  return llvm::to_vector(ValueRange(loop.getResults()).take_front(sums.size()));
}
