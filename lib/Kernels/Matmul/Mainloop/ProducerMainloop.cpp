//===- ProducerMainloop.cpp - The mainloop of producer warps --------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Mainloop/ProducerMainloop.h"
#include "Kernels/Matmul/Mainloop/WarpgroupMainloop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

Value ProducerMainloop::stepOfPart(Value step) {
  if (problem.schedule.getSplitK() == 1)
    return WarpgroupMainloop::stepOfStage(problem, b, step);
  Value rank = b.toI32(scheduler.splitRank(b));
  int64_t whole = WarpgroupMainloop::wholeParts(problem);
  if (whole == problem.schedule.getSplitK())
    return b.add(step, b.mul(rank, steps));
  return b.add(step, b.add(b.mul(rank, steps - 1), b.min(rank, b.i32(whole))));
}

Value ProducerMainloop::stepsOfPart() {
  Value isWhole =
      WarpgroupMainloop::isWholePart(problem, b, scheduler.splitRank(b));
  if (!isWhole)
    return b.i32(steps);
  return arith::SelectOp::create(b.builder, b.loc, isWhole, b.i32(steps),
                                 b.i32(steps - 1));
}

std::optional<TokenBoxes::Box> ProducerMainloop::boxAt(Value token) {
  if (!boxesOfB)
    return std::nullopt;
  return boxesOfB->at(b, token);
}

void ProducerMainloop::copyB(const std::optional<TokenBoxes::Box> &box,
                             Value token, Value step, ArrayRef<Value> slots) {
  if (box)
    static_cast<const TmaOperandB &>(operandB).copyStage(b, *box, token, step,
                                                         slots);
}

void ProducerMainloop::copyFirstStages() {
  bool equal =
      WarpgroupMainloop::wholeParts(problem) == problem.schedule.getSplitK();
  firstStages =
      std::min(problem.schedule.getStages(), equal ? steps : steps - 1);
  TileScheduler::Tile tile = scheduler.firstTile(b);
  std::optional<TokenBoxes::Box> box = boxAt(tile.token);
  SmallVector<MatmulStage> slots;
  for (int64_t stage = 0; stage < firstStages; ++stage) {
    slots.push_back(pipeline.acquire(b.index(stage)));
    operandA.copyStage(b, viewsOfA, tile.feature, stepOfPart(b.i32(stage)),
                       slots.back().a);
  }
  b.griddepWait();
  for (int64_t stage = 0; stage < firstStages; ++stage) {
    copyB(box, tile.token, stepOfPart(b.i32(stage)), slots[stage].b);
    pipeline.commit(b.index(stage));
  }
}

void ProducerMainloop::copyTile(TileScheduler::Tile tile, Value position) {
  OpBuilder &builder = b.builder;
  Value first = b.i32(0);
  if (firstStages) {
    Value isFirst = arith::CmpIOp::create(
        builder, b.loc, arith::CmpIPredicate::eq, position, b.i32(0));
    first = arith::SelectOp::create(builder, b.loc, isFirst, b.i32(firstStages),
                                    first);
  }
  std::optional<TokenBoxes::Box> box = boxAt(tile.token);
  auto loop =
      scf::ForOp::create(builder, b.loc, first, stepsOfPart(), b.i32(1));
  // Unrolled, the addresses of all stages would not fit the few registers.
  b.keepRolled(loop);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  copyStage(tile, box, stepOfPart(loop.getInductionVar()),
            b.add(position, loop.getInductionVar()));
}

void ProducerMainloop::copyPart(TileScheduler::Tile tile, Value first,
                                Value count, Value position) {
  OpBuilder &builder = b.builder;
  std::optional<TokenBoxes::Box> box = boxAt(tile.token);
  auto loop = scf::ForOp::create(builder, b.loc, b.i32(0), count, b.i32(1));
  b.keepRolled(loop);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value number = loop.getInductionVar();
  copyStage(tile, box, b.add(first, number), b.add(position, number));
}

void ProducerMainloop::copyStage(TileScheduler::Tile tile,
                                 const std::optional<TokenBoxes::Box> &box,
                                 Value step, Value position) {
  Value at = b.toIndex(position);
  MatmulStage slots = pipeline.acquire(at);
  copyB(box, tile.token, step, slots.b);
  operandA.copyStage(b, viewsOfA, tile.feature, step, slots.a);
  pipeline.commit(at);
}
