//===- GroupScaledMainloop.cpp - Partial sums with scales -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Mainloop/GroupScaledMainloop.h"
#include "SparseFlow/Dialect/SFTile/IR/RowLayouts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Rows of a warp in an MMA, and the inverse of the factor that dequantized
// weights have.
static constexpr int64_t kRows = 16;
static constexpr float kShift = -1.0f / 64;
// Tokens of a slice, and registers of accumulators beside which weights of 16
// bits leave room for so many.
static constexpr int64_t kTokens = 64, kFewTokens = 32, kFewSums = 128;
// Sets of registers for partial sums.
static constexpr int64_t kSets = 2;

/// `stages` (i32). One or two are a number that neither LLVM nor ptxas knows,
/// so that the loop over them stays one that is like any other. Of a single
/// stage, where partial sums of two groups in the same registers are added to
/// the constant 0, ptxas 12.9 to 13.5 takes both additions for one and drops
/// the MMAs of the first (docs/Rationale/ptxas.md). Of two, LLVM copies partial
/// sums between the fence and the wgmma that takes them.
static Value emitStageCount(KernelBuilder &b, int64_t stages) {
  if (stages > 2)
    return b.i32(stages);
  Value blocks = gpu::GridDimOp::create(
      b.builder, b.loc, b.builder.getIndexType(), gpu::Dimension::x);
  Value never = arith::CmpIOp::create(
      b.builder, b.loc, arith::CmpIPredicate::uge, b.blockId(), blocks);
  return b.add(
      b.i32(stages),
      arith::ExtUIOp::create(b.builder, b.loc, b.builder.getI32Type(), never));
}

/// Tokens whose partial sums are under way together.
static int64_t tokensTogether(const MatmulProblem &problem) {
  int64_t blockT = problem.schedule.getBlock()[1];
  int64_t sums = problem.schedule.getWarp()[0] / kRows * blockT;
  // MMAs of fewer tokens take longer than they need.
  bool many =
      problem.isInteger() || (sums <= kFewSums && problem.planes() == 1);
  return many && blockT % kTokens == 0 ? kTokens : kFewTokens;
}

GroupScaledMainloop::GroupScaledMainloop(const MatmulProblem &problem,
                                         const QuantizedOperandA &operandA,
                                         KernelBuilder &b,
                                         MatmulPipeline &pipeline, Value scales)
    : WarpgroupMainloop(problem, b, pipeline), mma(problem, operandA, b),
      warpRows(rows().ofWarp), tokens(tokensTogether(problem)),
      slices(problem.schedule.getBlock()[1] / tokens),
      stageK(problem.schedule.getK()),
      columns(std::min(problem.scales->columns, stageK)) {
  LinearLayout layout = mma.wgmma.getLayoutC();
  auto acc = LayoutAttr::get(builder.getContext(), layout);
  partType = b.frag({kRows, tokens}, mma.wgmma.getAccumulatorType(), acc);
  sumType = b.frag({kRows, tokens}, builder.getF32Type(), acc);
  scaleType =
      b.frag({kRows, 1}, builder.getF32Type(),
             LayoutAttr::get(builder.getContext(), getRowLayout(layout)));
  if (problem.scales->perRow)
    return;
  Type type = problem.scales->type;
  for (int32_t plane = 0; plane < problem.planes(); ++plane) {
    Value place = LLVM::GEPOp::create(builder, loc, scales.getType(), type,
                                      scales, ArrayRef<LLVM::GEPArg>{plane});
    Value scale = LLVM::LoadOp::create(builder, loc, type, place);
    if (!type.isF32())
      scale = arith::ExtFOp::create(builder, loc, builder.getF32Type(), scale);
    scalars.push_back(BroadcastOp::create(builder, loc, scaleType, scale));
  }
}

SmallVector<Value> GroupScaledMainloop::multiplyTile(Value position,
                                                     int64_t stages) {
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0.0f));
  SmallVector<Value> state(warpRows.size() * slices,
                           BroadcastOp::create(builder, loc, sumType, zero));
  Value none =
      BroadcastOp::create(builder, loc, partType,
                          arith::ConstantOp::create(
                              builder, loc, partType.getElementType(),
                              builder.getZeroAttr(partType.getElementType())));
  state.append(kSets, none);
  auto loop = scf::ForOp::create(builder, loc, b.i32(0),
                                 emitStageCount(b, stages), b.i32(1), state);
  // Unrolled, a short one would take registers of sums for weights.
  b.keepRolled(loop);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    scf::YieldOp::create(builder, loc,
                         multiplyStage(b.add(position, loop.getInductionVar()),
                                       loop.getRegionIterArgs()));
  }
  SmallVector<Value> all;
  FragType type = b.frag({kRows, tokens * slices}, builder.getF32Type(),
                         sumType.getLayout());
  for (size_t accumulator = 0; accumulator < warpRows.size(); ++accumulator)
    all.push_back(ConcatOp::create(
        builder, loc, type,
        loop.getResults().slice(accumulator * slices, slices)));
  return all;
}

SmallVector<Value> GroupScaledMainloop::multiplyStage(Value position,
                                                      ValueRange values) {
  Running state;
  state.sums = llvm::to_vector(values.drop_back(kSets));
  state.spare = llvm::to_vector(values.take_back(kSets));
  MatmulStage stage = pipeline.wait(position);
  int64_t unitColumns = mma.unitColumns(), step = mma.wgmma.getK();
  int64_t inUnit = std::min(unitColumns, columns);
  SmallVector<DequantizedMma::Words> words(warpRows.size() * problem.planes());
  // Groups, planes, accumulators and slices, the last fastest.
  for (int64_t k = 0; k < stageK; k += inUnit)
    for (int64_t plane = 0; plane < problem.planes(); ++plane)
      for (auto [accumulator, row] : llvm::enumerate(warpRows)) {
        DequantizedMma::Words &own =
            words[accumulator * problem.planes() + plane];
        if (k % unitColumns == 0)
          own = mma.loadUnit(stage.a.front(), row, k / unitColumns, plane);
        Value scale = scaleOf(stage, plane, k / columns, row);
        SmallVector<Value> weights;
        for (int64_t at = k; at < k + inUnit; at += step)
          weights.push_back(mma.dequantize(own, at));
        for (int64_t slice = 0; slice < slices; ++slice) {
          Value sum = state.spare[state.set];
          for (auto [number, values] : llvm::enumerate(weights))
            sum = mma.multiply(values, own, k + number * step, stage,
                               slice * tokens, sum, number == 0);
          sum =
              CommitGroupOp::create(builder, loc, sum, mma.atom()).getResult(0);
          if (state.pending)
            waitGroup(state, /*younger=*/1);
          state.pending = sum;
          state.pendingSet = state.set;
          state.set = (state.set + 1) % kSets;
          state.scale = scale;
          state.slice = accumulator * slices + slice;
          state.held = weights;
          if (own.metadata)
            state.held.push_back(own.metadata);
        }
      }
  // ptxas does not follow accumulators of MMAs under way around a loop.
  waitGroup(state, /*younger=*/0);
  // Sunk below the branch of a release, an addition would keep partial sums
  // alive whose registers a later MMA of this stage takes: these would be
  // copied, between the fence and the wgmma. Of integers the conversions stay
  // where they are, and only additions of what they give sink.
  if (!problem.isInteger() && state.sums.size() > kSets)
    for (Value &sum : MutableArrayRef(state.sums).drop_back(kSets))
      sum = SchedBarrierOp::create(builder, loc, sum);
  pipeline.release(position);
  SmallVector<Value> results = state.sums;
  llvm::append_range(results, state.spare);
  return results;
}

/// acc + part * scale, element by element: fused, so that a partial sum costs a
/// conversion and an FMA.
void GroupScaledMainloop::waitGroup(Running &state, int64_t younger) {
  Value part = WaitGroupOp::create(builder, loc, partType, state.pending,
                                   state.held, younger, mma.atom())
                   .getResult(0);
  // Its registers are those of the MMAs after the next ones.
  state.spare[state.pendingSet] = part;
  // Converted behind the MMA that takes the registers, integers would be
  // copied, between the fence and the wgmma.
  if (problem.isInteger()) {
    part =
        b.map(sumType, {part}, [&](OpBuilder &inner, ValueRange in) -> Value {
          return arith::SIToFPOp::create(inner, loc, inner.getF32Type(), in[0]);
        });
    part = SchedBarrierOp::create(builder, loc, part);
  }
  Value scale = BroadcastOp::create(builder, loc, sumType, state.scale);
  Value &sum = state.sums[state.slice];
  sum = b.map(sumType, {sum, part, scale},
              [&](OpBuilder &inner, ValueRange in) -> Value {
                return math::FmaOp::create(inner, loc, in[1], in[2], in[0]);
              });
}

/// The scales of the warp's rows for one group and plane, divided by the factor
/// that dequantized weights have.
Value GroupScaledMainloop::scaleOf(const MatmulStage &stage, int64_t plane,
                                   int64_t group, Value row) {
  Value scale =
      problem.scales->perRow
          ? LoadOp::create(builder, loc, scaleType, stage.a[1 + plane],
                           b.index(group), row, Access::Row)
                .getResult()
          : scalars[plane];
  if (!mma.shifted)
    return scale;
  return b.map(scaleType, {scale},
               [&](OpBuilder &inner, ValueRange in) -> Value {
                 Value factor = arith::ConstantOp::create(
                     inner, loc, inner.getF32FloatAttr(kShift));
                 return arith::MulFOp::create(inner, loc, in[0], factor);
               });
}
