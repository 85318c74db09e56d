//===- StreamKSum.cpp - Adds the parts of a divided wave ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/StreamK/StreamKSum.h"
#include "Kernels/Support/HostIntegers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

int64_t StreamKSum::partsOfTile(const StreamK &streamK) const {
  return streamK.features / schedule.getWarp()[0] *
         (streamK.tokens / schedule.getWarp()[1]);
}

Value StreamKSum::gridSize(OpBuilder &builder, Location loc,
                           Value tokens) const {
  StreamK streamK(problem);
  HostIntegers host{builder, loc};
  TileScheduler scheduler(problem.schedule, problem.n);
  Value tiles =
      host.min(scheduler.allTiles(builder, loc, tokens), streamK.mostTiles);
  return host.ceilDiv(host.mul(tiles, partsOfTile(streamK)),
                      schedule.getNumWarps());
}

gpu::GPUFuncOp StreamKSum::generate(OpBuilder &builder) const {
  OpBuilder::InsertionGuard guard(builder);
  Location loc = problem.loc;
  KernelBuilder b(builder, loc, problem.name + "_reduce",
                  SmallVector<KernelParameter>(problem.operands.size() + 2),
                  schedule);
  StreamK streamK(problem);
  TileScheduler scheduler(problem.schedule, problem.n);
  SmallVector<int64_t> shape(schedule.getWarp());
  auto layout = LayoutAttr::get(builder.getContext(),
                                *vectorLayout(shape[0], shape[1], 4));
  Value sums = streamK.view(b, b.pointer(0));
  SmallVector<Value> views;
  for (auto [index, operand] : llvm::enumerate(problem.operands))
    views.push_back(b.operandView(operand, b.pointer(index + 1), problem.n));
  Value result = b.view(b.pointer(problem.operands.size() + 1),
                        problem.resultType, b.count(), problem.n);

  b.openRole("main", schedule.getNumWarps());
  if (programmatic)
    b.griddepWait();
  StreamK::Wave wave = streamK.lastWave(b);
  Value warp = WarpIdOp::create(builder, loc, builder.getIndexType());
  Value part = b.toI32(b.add(b.mul(b.blockId(), schedule.getNumWarps()), warp));
  Value number = b.div(part, partsOfTile(streamK));
  Value inTile = b.rem(part, partsOfTile(streamK));
  int64_t columns = streamK.features / shape[0];
  Value feature = b.toI64(b.mul(b.rem(inTile, columns), shape[0]));
  Value token = b.toI64(b.mul(b.div(inTile, columns), shape[1]));
  Value isDivided = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::ult, number, wave.tiles);
  auto divided = scf::IfOp::create(builder, loc, isDivided, /*else=*/false);
  builder.setInsertionPointToStart(divided.thenBlock());

  auto [first, last] = streamK.sharersOf(b, wave, number);
  ElementOperand partial{streamK.sumType, Broadcast::Full, /*width=*/16};
  auto load = [&](Value sharer) -> Value {
    Value row = b.mul(b.toI64(b.add(sharer, number)), streamK.tokens);
    return b.loadOperand(partial, sums, feature, b.add(row, token), shape,
                         layout, /*featuresInBounds=*/true);
  };
  // Two at a time are on their way; of an odd number the last one comes twice,
  // and counts once.
  auto loop = scf::ForOp::create(builder, loc, b.add(first, 1), b.add(last, 1),
                                 b.i32(2), load(first));
  {
    OpBuilder::InsertionGuard inside(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value sharer = loop.getInductionVar(), next = b.add(sharer, 1);
    Value one = load(sharer), other = load(b.min(next, last));
    Value isOther = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ule, next, last);
    Value sum = b.sum(loop.getRegionIterArg(0), one);
    sum =
        arith::SelectOp::create(builder, loc, isOther, b.sum(sum, other), sum);
    scf::YieldOp::create(builder, loc, sum);
  }
  TileScheduler::Tile tile =
      scheduler.tileOfCluster(b, b.add(wave.first, number));
  Value row = b.add(tile.feature, feature), col = b.add(tile.token, token);
  bool whole = problem.n % streamK.features == 0;
  SmallVector<Value> inputs = {loop.getResult(0)};
  for (auto [operand, view] : llvm::zip(problem.operands, views))
    inputs.push_back(
        b.loadOperand(operand, view, row, col, shape, layout, whole));
  Value value = b.map(problem.body, inputs, shape, problem.resultType, layout);
  StoreOp::create(builder, loc, value, result, col, row, Access::Transposed,
                  problem.storeWidth, /*rowsInBounds=*/false, whole);
  return b.finish();
}
