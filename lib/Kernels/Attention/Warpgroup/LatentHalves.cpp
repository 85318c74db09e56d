//===- LatentHalves.cpp - Two warpgroups with half of the values each -----===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/Warpgroup/LatentHalves.h"
#include "Kernels/Attention/Warpgroup/ClusterSums.h"
#include "SparseFlow/Target/NVPTX/LaunchAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

static constexpr int64_t kLanes = 32;

LatentHalves::LatentHalves(const AttentionKernel &spec, OpBuilder &builder)
    : WarpgroupAttention(spec, builder),
      leftTiles(llvm::divideCeil(shape.dv, 2 * kTileCols)),
      left(std::min(leftTiles * kTileCols, shape.dv)) {}

void LatentHalves::open(function_ref<void()> exchange) {
  if (schedule.getKeyBlocks() > 1)
    setClusterBlocks(b.kernel, schedule.getKeyBlocks());
  openRings();
  exchange();
  b.griddepWait();
  RoleOp copying = b.openRole("copy", schedule.getProducerWarps());
  copying.setLeader(true);
  copying.setRegisters(schedule.getProducerRegisters());
  forEachTileInWaves([&](Value queryPosition, Value keyPosition) {
    copyTile(queryPosition, keyPosition);
  });
  inWholeWarps = true;
}

RingOp LatentHalves::openNumbers() {
  MLIRContext *context = builder.getContext();
  FragType column = Softmax(b, shape, accLayout, rows).getColumnType();
  TileType registers = TileType::get(
      context, {kGroupWarps * column.getRegistersPerLane(), kLanes},
      builder.getF32Type(), Order::RowMajor);
  return RingOp::create(builder, loc,
                        RingType::get(context, /*stages=*/1, registers),
                        IntegerAttr(), IntegerAttr());
}

Value LatentHalves::acquireOne(RingOp ring, Value position) {
  return AcquireOp::create(builder, loc, ring, position).getSlots()[0];
}

/// The warp's registers in a tile of numbers.
static Value firstRegister(KernelBuilder &b, OpBuilder &builder, Location loc,
                           FragType column) {
  Value warp = WarpIdOp::create(builder, loc, builder.getIndexType());
  return b.mul(warp, column.getRegistersPerLane());
}

void LatentHalves::storeNumbers(Value numbers, Value slot) {
  StoreOp::create(
      builder, loc, numbers, slot,
      firstRegister(b, builder, loc, cast<FragType>(numbers.getType())),
      b.index(0), Access::Registers);
}

Value LatentHalves::receiveNumbers(RingOp ring, Value position,
                                   FragType column) {
  Value tile = wait(ring, position).front();
  Value numbers = LoadOp::create(builder, loc, column, tile,
                                 firstRegister(b, builder, loc, column),
                                 b.index(0), Access::Registers);
  ReleaseOp::create(builder, loc, ring, position);
  return numbers;
}

Value LatentHalves::masked(Softmax &softmax, Value scores, Value visit) {
  if (!hasMasks() && !spec.partial() && !keyRank)
    return scores;
  Value stage = stageOf(visit);
  Value needed = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                       stage, maskedFrom);
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

void LatentHalves::ifBehindLength(Value visit, function_ref<void(Value)> body) {
  Value passed = b.mul(stageOf(visit), keysPerStage);
  Value valid = sub(sub(length, startKey), passed);
  auto cut =
      scf::IfOp::create(builder, loc, less(valid, b.index(keysPerStage)));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(cut.thenBlock());
  body(valid);
}

Value LatentHalves::startSharedValues(Value weights, Value values, Value sums) {
  Value sum = schedBarrier(sums);
  Type pending =
      PendingType::get(builder.getContext(), cast<FragType>(sum.getType()));
  for (int64_t key = 0; key < keysPerStage; key += kDepth)
    sum = MmaAsyncOp::create(builder, loc, pending, weights, b.index(0),
                             b.index(key), values, b.index(key), b.index(0),
                             sum, /*metadata=*/Value(), IntegerAttr(), wgmma,
                             /*transposed=*/true);
  return CommitGroupOp::create(builder, loc, sum, wgmma).getResult(0);
}

void LatentHalves::storeShare(Value sums, Value lse, Value first,
                              bool storesLse, RingOp ring) {
  if (!keyRank)
    return storeRows(sums, storesLse ? lse : Value(), spec.partial(), first);
  ClusterSums shared{sums, lse, Value()};
  shared.addUp(b, schedule.getKeyBlocks(), keyRank, ring);
  storeRows(shared.means, storesLse ? shared.lse : Value(), spec.partial(),
            b.add(first, shared.column));
}
