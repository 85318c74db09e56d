//===- WarpgroupMainloop.cpp - The mainloop of consumer warps -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Mainloop/WarpgroupMainloop.h"
#include "Kernels/Matmul/Mainloop/DequantizedMma.h"
#include "Kernels/Matmul/Mainloop/GroupScaledMainloop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Columns of bytes that an MMA of dense weights reads.
static constexpr int64_t kMmaBytes = 32;
// Rows of an MMA, of a warp in it, and its warps.
static constexpr int64_t kRows = 64, kWarpRows = 16, kGroupWarps = 4;

WarpgroupMainloop::WarpgroupMainloop(const MatmulProblem &problem,
                                     KernelBuilder &b, MatmulPipeline &pipeline)
    : problem(problem), b(b), builder(b.builder), loc(problem.loc),
      pipeline(pipeline),
      accumulators(problem.schedule.getWarp()[0] / kWarpRows),
      steps(stepsOfTile(problem)), sharers(problem.schedule.getKWarps()) {
  Value warp = WarpIdOp::create(builder, loc, builder.getIndexType());
  Value group = b.div(warp, kGroupWarps);
  if (sharers > 1) {
    int64_t groups =
        problem.schedule.getNumConsumerWarps() / (kGroupWarps * sharers);
    kPart = b.div(group, groups);
    group = b.rem(group, groups);
  }
  groupRow = b.mul(group, accumulators * kRows);
  warpRow = b.mul(b.rem(warp, kGroupWarps), kWarpRows);
}

WarpgroupRows WarpgroupMainloop::rows() const {
  WarpgroupRows rows;
  for (int64_t number = 0; number < accumulators; ++number) {
    rows.ofGroup.push_back(b.add(groupRow, number * kRows));
    rows.ofWarp.push_back(b.add(rows.ofGroup.back(), warpRow));
  }
  return rows;
}

int64_t WarpgroupMainloop::stepsOfTile(const MatmulProblem &problem) {
  int64_t steps = llvm::divideCeil(problem.k, problem.schedule.getK());
  int64_t sharers = problem.schedule.getKWarps();
  return llvm::alignTo(llvm::divideCeil(steps, problem.schedule.getSplitK()),
                       sharers);
}

int64_t WarpgroupMainloop::wholeParts(const MatmulProblem &problem) {
  int64_t splits = problem.schedule.getSplitK();
  int64_t longer =
      llvm::divideCeil(problem.k, problem.schedule.getK()) % splits;
  return problem.weights == WeightKind::Quantized || !longer ? splits : longer;
}

Value WarpgroupMainloop::isWholePart(const MatmulProblem &problem,
                                     KernelBuilder &b, Value rank) {
  int64_t whole = wholeParts(problem);
  if (whole == problem.schedule.getSplitK())
    return {};
  return arith::CmpIOp::create(b.builder, b.loc, arith::CmpIPredicate::ult,
                               b.toI32(rank), b.i32(whole));
}

int64_t WarpgroupMainloop::firstColumns(const MatmulProblem &problem) {
  int64_t columns = problem.schedule.getK();
  if (!problem.isInteger() || problem.scales ||
      problem.schedule.getSplitK() > 1 || problem.schedule.getKWarps() > 1 ||
      problem.k % columns == 0)
    return columns;
  return llvm::alignTo(problem.k % columns,
                       problem.hasSparseCodes() ? 2 * kMmaBytes : kMmaBytes);
}

Value WarpgroupMainloop::stepOfStage(const MatmulProblem &problem,
                                     KernelBuilder &b, Value number) {
  int64_t steps = stepsOfTile(problem);
  if (steps == 1 || firstColumns(problem) == problem.schedule.getK())
    return number;
  return b.rem(b.add(number, steps - 1), steps);
}

SmallVector<Value> WarpgroupMainloop::multiplyPairs(Value, Value) {
  llvm_unreachable("expected a mainloop whose tiles stream-K divides");
}

namespace {

/// Runs the MMAs of a WarpgroupMma over the stages of a tile.
class MmaLoop : public WarpgroupMainloop {
public:
  MmaLoop(const MatmulProblem &problem, KernelBuilder &b,
          MatmulPipeline &pipeline, std::unique_ptr<WarpgroupMma> mma)
      : WarpgroupMainloop(problem, b, pipeline), mma(std::move(mma)) {}

  LayoutAttr accumulatorLayout() const override {
    return mma->accumulatorLayout();
  }

protected:
  /// MMAs under way: their accumulators and the registers that they read, of
  /// metadata or of dequantized weights.
  struct Running {
    SmallVector<Value> sums, held;
  };

  FragType accumulatorType() const {
    return b.frag({kWarpRows, problem.schedule.getBlock()[1]},
                  problem.accumulatorType(), mma->accumulatorLayout());
  }

  Running zeros() {
    Type type = problem.accumulatorType();
    Value zero = arith::ConstantOp::create(builder, loc, type,
                                           builder.getZeroAttr(type));
    Value sum = BroadcastOp::create(builder, loc, accumulatorType(), zero);
    return {SmallVector<Value>(sums(), sum), {}};
  }

  /// Accumulators of all weights.
  int64_t sums() const { return accumulators * mma->weights(); }

  /// Starts the MMAs of a part of `stage`, a group.
  void start(const MatmulStage &stage, int64_t part, Running &state) {
    state.held.clear();
    mma->start(stage, part, rows(), state.sums, state.held);
    state.sums = CommitGroupOp::create(builder, loc, state.sums, mma->atom())
                     .getResults();
  }

  /// The stage of this warpgroup at `position`, those of all its tile counted
  /// as if it were alone, when it is there.
  MatmulStage waitFor(Value position) {
    if (sharers == 1)
      return pipeline.wait(position);
    return pipeline.wait(b.add(firstOfTurn(position), b.toI32(kPart)));
  }

  /// Releases it. The ring counts every warpgroup's release of every stage: one
  /// that another multiplies is released as soon as it is there.
  void release(Value position) {
    if (sharers == 1)
      return pipeline.release(position);
    Value first = firstOfTurn(position);
    for (int64_t number = 0; number < sharers; ++number) {
      Value part = b.toI32(b.rem(b.add(kPart, number), sharers));
      Value other = b.add(first, part);
      if (number)
        pipeline.wait(other);
      pipeline.release(other);
    }
  }

  /// Waits for all MMAs; returns the accumulators.
  SmallVector<Value> finish(Running &state) {
    SmallVector<Type> types(state.sums.size(), accumulatorType());
    return WaitGroupOp::create(builder, loc, types, state.sums, state.held,
                               /*pending=*/0, mma->atom())
        .getResults();
  }

  /// The sums of a tile, whose MMAs have ended.
  SmallVector<Value> sumsOf(ArrayRef<Value> accumulators) {
    return llvm::map_to_vector(accumulators, [&](Value accumulator) {
      return mma->sumsOf(accumulator);
    });
  }

  std::unique_ptr<WarpgroupMma> mma;
  /// The tile's first position, i32.
  Value tile;

private:
  /// The first of the stages that the warpgroups have in turn `position`.
  Value firstOfTurn(Value position) {
    Value turn = builder.createOrFold<arith::SubIOp>(loc, position, tile);
    return b.add(tile, b.mul(turn, sharers));
  }
};

/// While the MMAs of a stage, or of a part of it, run, those of the next are
/// started; then the stage before is released. Metadata and dequantized weights
/// must stay in their registers as long as the MMAs that read them run, so that
/// a turn of the loop is two stages or an even number of parts, each with
/// registers of its own.
class OverlappedLoop : public MmaLoop {
public:
  OverlappedLoop(const MatmulProblem &problem, KernelBuilder &b,
                 MatmulPipeline &pipeline, std::unique_ptr<WarpgroupMma> mma,
                 AddHeld addHeld = {})
      : MmaLoop(problem, b, pipeline, std::move(mma)),
        addHeld(std::move(addHeld)) {}

  SmallVector<Value> multiplyTile(Value position, int64_t tileStages) override {
    int64_t ownSteps = tileStages / sharers;
    tile = position;
    Running state = zeros();
    MatmulStage first = stageAt(position);
    if (int64_t columns = firstColumns(problem);
        columns < problem.schedule.getK() && mma->parts() == 1)
      first.columns = columns;
    start(first, 0, state);
    leaveOne(state, {});
    startOthers(first, state);
    int64_t stages = stagesOfTurn();
    bool odd = (ownSteps - 1) % stages,
         before = odd && mma->multipliesOddStageFirst();
    if (before)
      advance(position, 1, state);
    advanceInTurns(position, before ? 1 : 0, b.i32((ownSteps - 1) / stages),
                   state);
    if (odd && !before)
      advance(position, ownSteps - 1, state);
    SmallVector<Value> sums = finish(state);
    release(b.add(position, ownSteps - 1));
    return sumsOf(sums);
  }

  SmallVector<Value> multiplyPairs(Value position, Value pairs) override {
    tile = position;
    Running state = zeros();
    MatmulStage first = stageAt(position);
    start(first, 0, state);
    leaveOne(state, {});
    startOthers(first, state);
    advance(position, 1, state);
    Value turns = b.mul(b.add(pairs, -1), stagesOfTurn() == 1 ? 2 : 1);
    advanceInTurns(position, 1, turns, state);
    SmallVector<Value> sums = finish(state);
    release(b.add(b.add(position, b.mul(pairs, 2)), -1));
    return sumsOf(sums);
  }

private:
  int64_t stagesOfTurn() const { return mma->parts() == 1 ? 2 : 1; }

  /// `turns` (i32) of the loop, behind the stage at `position` and `others`.
  void advanceInTurns(Value position, int64_t others, Value turns,
                      Running &state) {
    int64_t stages = stagesOfTurn();
    SmallVector<Value> carried = state.sums;
    llvm::append_range(carried, state.held);
    auto loop =
        scf::ForOp::create(builder, loc, b.i32(0), turns, b.i32(1), carried);
    auto assign = [&](ValueRange values) {
      state.sums = llvm::to_vector(values.take_front(sums()));
      state.held = llvm::to_vector(values.drop_front(sums()));
    };
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      Value stage =
          b.add(b.add(position, others), b.mul(loop.getInductionVar(), stages));
      assign(loop.getRegionIterArgs());
      for (int64_t offset = 1; offset <= stages; ++offset)
        advance(stage, offset, state);
      carried = state.sums;
      llvm::append_range(carried, state.held);
      scf::YieldOp::create(builder, loc, carried);
    }
    assign(loop.getResults());
  }

  /// The stage at `position` when it is there, with what is held.
  MatmulStage stageAt(Value position) {
    MatmulStage stage = waitFor(position);
    if (addHeld)
      addHeld(builder.createOrFold<arith::SubIOp>(loc, position, tile), stage);
    return stage;
  }

  /// Waits for all groups of MMAs but the youngest; they have read `held`.
  void leaveOne(Running &state, ValueRange held) {
    state.sums =
        WaitGroupOp::create(builder, loc, TypeRange(ValueRange(state.sums)),
                            state.sums, held, /*pending=*/1, mma->atom())
            .getResults();
  }

  /// The parts of `stage` behind the first.
  void startOthers(const MatmulStage &stage, Running &state) {
    for (int64_t part = 1; part < mma->parts(); ++part) {
      SmallVector<Value> held = state.held;
      start(stage, part, state);
      leaveOne(state, held);
    }
  }

  /// Starts the MMAs of stage `position` + `offset`, waits for those of the
  /// stage before and releases it.
  void advance(Value position, int64_t offset, Running &state) {
    SmallVector<Value> held = state.held;
    MatmulStage stage = stageAt(b.add(position, offset));
    start(stage, 0, state);
    leaveOne(state, held);
    release(b.add(position, offset - 1));
    startOthers(stage, state);
  }

  AddHeld addHeld;
};

/// The MMAs of a stage end before the next is started, while other warpgroups
/// multiply: accumulators and weights of many tokens leave no registers for
/// more.
class StageByStageLoop : public MmaLoop {
public:
  using MmaLoop::MmaLoop;

  SmallVector<Value> multiplyTile(Value position, int64_t stages) override {
    tile = position;
    Running state = zeros();
    multiplyStage(position, state);
    return sumsOf(multiplyOthers(position, b.i32(stages / sharers), state));
  }

  SmallVector<Value> multiplyPairs(Value position, Value pairs) override {
    tile = position;
    Running state = zeros();
    multiplyStage(position, state);
    return sumsOf(multiplyOthers(position, b.mul(pairs, 2), state));
  }

private:
  /// The stages behind the first, of `count` (i32).
  SmallVector<Value> multiplyOthers(Value position, Value count,
                                    Running &state) {
    auto loop =
        scf::ForOp::create(builder, loc, b.i32(1), count, b.i32(1), state.sums);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    state.sums = llvm::to_vector(ValueRange(loop.getRegionIterArgs()));
    multiplyStage(b.add(position, loop.getInductionVar()), state);
    scf::YieldOp::create(builder, loc, state.sums);
    return loop.getResults();
  }

  void multiplyStage(Value position, Running &state) {
    start(waitFor(position), 0, state);
    state.sums = finish(state);
    release(position);
  }
};

} // namespace

std::unique_ptr<WarpgroupMainloop>
WarpgroupMainloop::create(MmaKind kind, const MatmulProblem &problem,
                          const OperandA &operandA, KernelBuilder &b,
                          MatmulPipeline &pipeline, ArrayRef<Value> views,
                          AddHeld addHeld) {
  const OperandA &weight =
      problem.gatedOperand
          ? static_cast<const GatedOperandA &>(operandA).ofOne()
          : operandA;
  // Of the kinds that dequantize.
  auto quantized = [&]() -> const QuantizedOperandA & {
    return static_cast<const QuantizedOperandA &>(weight);
  };
  auto ofWeights = [&](auto ofOne) -> std::unique_ptr<WarpgroupMma> {
    if (!problem.gatedOperand)
      return ofOne();
    return std::make_unique<GatedWarpgroupMma>(ofOne(), ofOne());
  };
  auto dequantized = [&] {
    return ofWeights([&] {
      return std::make_unique<DequantizedMma>(problem, quantized(), b);
    });
  };
  switch (kind) {
  case MmaKind::Warpgroup:
    return std::make_unique<OverlappedLoop>(
        problem, b, pipeline, ofWeights([&] {
          return std::make_unique<SharedMma>(
              problem, static_cast<const SharedOperandA &>(weight), b);
        }));
  case MmaKind::WarpgroupDequantized:
    return std::make_unique<OverlappedLoop>(problem, b, pipeline, dequantized(),
                                            std::move(addHeld));
  case MmaKind::WarpgroupDequantizedByStage:
    return std::make_unique<StageByStageLoop>(problem, b, pipeline,
                                              dequantized());
  case MmaKind::WarpgroupGroupScaled:
    return std::make_unique<GroupScaledMainloop>(
        problem, quantized(), b, pipeline, QuantizedOperandA::scalesOf(views));
  default:
    llvm_unreachable("expected MMAs of a warp-specialized mainloop");
  }
}
