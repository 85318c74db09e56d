//===- EpilogueLoad.cpp - Epilogue operands by TMA ------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Epilogue/EpilogueLoad.h"
#include "Kernels/Matmul/MatmulPipeline.h"
#include "SparseFlow/Target/NVPTX/Resources.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Features of a box: the 128 bytes that the swizzle spans.
static constexpr int64_t kBoxFeatures = 64;
static constexpr int64_t kGroupWarps = 4, kWarpFeatures = 16, kAlignment = 1024;
// Shared memory that is left for barriers.
static constexpr int64_t kBarriersBytes = 512;
// More stages than this are ahead of what TMA delivers meanwhile.
static constexpr int64_t kMostStages = 4, kLeastSteps = 8;

EpilogueLoad::Plan EpilogueLoad::plan(const MatmulProblem &problem) {
  ScheduleAttr schedule = problem.schedule;
  Plan plan;
  bool copied = true;
  for (auto [index, operand] : llvm::enumerate(problem.operands)) {
    if (operand.broadcast != Broadcast::Full)
      continue;
    if (!operand.isTransposed && operand.width == 16 &&
        operand.elementType.getIntOrFloatBitWidth() == 16)
      plan.operands.push_back(index);
    else
      copied = false;
  }
  // Others would need memory to change their layout, and a short K gives no
  // time in which operands could arrive.
  int64_t steps =
      llvm::divideCeil(problem.k, schedule.getK()) / schedule.getSplitK();
  bool staged = schedule.getProducerWarps() && !problem.isArgmax() &&
                !problem.gatedOperand && schedule.getKWarps() == 1 &&
                problem.resultType.getIntOrFloatBitWidth() == 16;
  if (!staged || plan.operands.empty() || !copied || steps < kLeastSteps)
    return {};
  std::unique_ptr<OperandB> activations = OperandB::ofProducers(problem);
  auto ring = RingType::get(
      schedule.getContext(), schedule.getStages(),
      MatmulPipeline::stageTiles(*OperandA::create(problem), *activations));
  int64_t box = llvm::alignTo(schedule.getStoreTokens() * 128, kAlignment);
  int64_t groups = schedule.getNumConsumerWarps() / kGroupWarps;
  int64_t left = SMLimits::ofLargest().sharedBytesPerBlock - kBarriersBytes -
                 ring.getStages() * ring.getStageBytes() -
                 activations->heldBytes() -
                 groups * schedule.getStoreBuffers() * box;
  int64_t operands = plan.operands.size();
  int64_t fit = left / (operands * groups * box);
  plan.stages = std::min(fit, kMostStages);
  if (schedule.getSplitK() == 1)
    return plan.stages < 2 ? Plan() : plan;
  // Blocks add partial sums between barriers of the cluster, to which the
  // producer comes when it has copied everything: it must not wait for a box
  // that the epilogue, which is behind these barriers, has yet to read.
  int64_t all = schedule.getBlock()[0] / (groups * kBoxFeatures) *
                (schedule.getStoredTokens() / schedule.getStoreTokens());
  plan.stages = all;
  return fit < all ? Plan() : plan;
}

TensorMap EpilogueLoad::boxMap(const MatmulProblem &problem, Type elementType) {
  return {elementType,
          {problem.n, ShapedType::kDynamic},
          {kBoxFeatures, problem.schedule.getStoreTokens()}};
}

TensorMap EpilogueLoad::loadedMap(const MatmulProblem &problem,
                                  Type elementType) {
  TensorMap map = boxMap(problem, elementType);
  map.tiles = TokenTiles{problem.schedule.getStoreTokens()};
  return map;
}

EpilogueLoad::EpilogueLoad(const MatmulProblem &problem, const Plan &plan,
                           KernelBuilder &b, ArrayRef<TokenBoxes> sources)
    : problem(problem), chosen(plan), b(b), sources(sources) {
  const ScheduleAttr &schedule = problem.schedule;
  groups = schedule.getNumConsumerWarps() / kGroupWarps;
  accumulators = schedule.getBlock()[0] / (groups * kBoxFeatures);
  boxes = schedule.getStoredTokens() / schedule.getStoreTokens();
  if (plan.stages)
    pipeline.emplace(b, plan.stages, stageTiles());
}

SmallVector<TileType> EpilogueLoad::stageTiles() const {
  SmallVector<TileType> tiles;
  for (size_t index : chosen.operands)
    tiles.append(
        groups,
        TileType::get(b.builder.getContext(),
                      {problem.schedule.getStoreTokens(), kBoxFeatures},
                      problem.operands[index].elementType, Order::Swizzled));
  return tiles;
}

Value EpilogueLoad::position(Value tile, Value number) {
  return b.add(b.mul(tile, accumulators * boxes), number);
}

Value EpilogueLoad::hasElements(Value row, Value col) {
  auto less = [&](Value value, Value end) -> Value {
    return arith::CmpIOp::create(b.builder, b.loc, arith::CmpIPredicate::ult,
                                 value, end);
  };
  Value has = less(row, b.count());
  const ScheduleAttr &schedule = problem.schedule;
  if (problem.n % (schedule.getBlock()[0] * schedule.getCluster()) == 0)
    return has;
  return arith::AndIOp::create(b.builder, b.loc, has,
                               less(col, b.i64(problem.n)));
}

void EpilogueLoad::copyTile(Value feature, Value token, Value tile) {
  if (!pipeline)
    return;
  OpBuilder &builder = b.builder;
  auto loop = scf::ForOp::create(builder, b.loc, b.index(0),
                                 b.index(accumulators * boxes), b.index(1));
  b.keepRolled(loop);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value number = loop.getInductionVar();
  Value at = position(tile, number);
  Value row = b.add(token, b.toI64(b.mul(b.rem(number, boxes),
                                         problem.schedule.getStoreTokens())));
  Value inGroup = b.toI64(b.mul(b.div(number, boxes), kBoxFeatures));
  struct Copy {
    TokenBoxes::Box box;
    Value col, needed;
  };
  SmallVector<Copy> copies;
  for (const TokenBoxes &source : sources)
    for (int64_t group = 0; group < groups; ++group) {
      Copy copy{
          source.at(b, row),
          b.add(b.add(feature, inGroup), group * accumulators * kBoxFeatures),
          {}};
      copy.needed = hasElements(row, copy.col);
      copy.box.rows = arith::SelectOp::create(builder, b.loc, copy.needed,
                                              copy.box.rows, b.i64(0));
      copies.push_back(copy);
    }
  for (auto [copy, slot] : llvm::zip_equal(copies, pipeline->acquire(at))) {
    auto branch = scf::IfOp::create(builder, b.loc, copy.needed);
    OpBuilder::InsertionGuard inBranch(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    CopyOp::create(builder, b.loc, copy.box.view, row, copy.col, slot,
                   copy.box.rows, TmaAttr::get(builder.getContext()),
                   IntegerAttr(), UnitAttr(), UnitAttr());
  }
  pipeline->commit(at);
}

void EpilogueLoad::openBox(Value tile, int64_t number) {
  openTiles.clear();
  if (!pipeline)
    return;
  OpBuilder &builder = b.builder;
  openPosition = position(tile, b.index(number));
  SmallVector<Value> tiles = pipeline->wait(openPosition);
  Value group = b.div(WarpIdOp::create(builder, b.loc, builder.getIndexType()),
                      kGroupWarps);
  for (size_t place = 0; place < chosen.operands.size(); ++place) {
    Value mine = tiles[place * groups];
    for (int64_t other = 1; other < groups; ++other) {
      Value isOther = arith::CmpIOp::create(
          builder, b.loc, arith::CmpIPredicate::eq, group, b.index(other));
      mine = arith::SelectOp::create(builder, b.loc, isOther,
                                     tiles[place * groups + other], mine);
    }
    openTiles.push_back(mine);
  }
}

SmallVector<Value> EpilogueLoad::take(int64_t first, int64_t tokens,
                                      Value feature, LayoutAttr layout) {
  SmallVector<Value> taken(problem.operands.size());
  for (auto [index, tile] : llvm::zip(chosen.operands, openTiles)) {
    FragType type = b.frag({kWarpFeatures, tokens},
                           problem.operands[index].elementType, layout);
    taken[index] = LoadOp::create(b.builder, b.loc, type, tile, b.index(first),
                                  feature, Access::Transposed,
                                  LdMatrixAttr::get(b.builder.getContext()));
  }
  return taken;
}

void EpilogueLoad::closeBox() {
  if (pipeline)
    pipeline->release(openPosition);
}
