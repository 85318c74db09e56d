//===- LatentAttention.cpp - Values that are features of keys, on wgmma ---===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Latent attention: up to 576 features meet the queries, and the first of them,
// up to 512, are the value. TMA brings a stage of keys once, and both matmuls
// read it. The sums of 64 rows and 512 features are too many for a warpgroup,
// so two have the same rows and half of the features each:
//
//   scores   Q K^T, softmax; P goes to its registers, rounded, and to shared
//            memory, the factor of the old sums beside it; sums += P V, left
//   values   the factor; sums += P V, right, with P in shared memory
//
// P and factors pass through pipelines as keys do. A stage of keys is given
// back when both have multiplied it. While the tensor cores multiply values the
// copies of the stage behind the next are on their way, and the softmax of a
// stage waits for nothing else: with two stages of 64 keys a tile of 64 rows
// has all of shared memory, and overlapping more would need a third. Blocks of
// a cluster that divide the keys add up what they found in the end, in the
// memory of queries and keys (ClusterSums.h).
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

class LatentAttention : WarpgroupAttention {
public:
  LatentAttention(const AttentionKernel &spec, OpBuilder &builder)
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
    b.openRole("scores", kGroupWarps);
    forEachTileInWaves([&](Value queryPosition, Value keyPosition) {
      computeLeft(queryPosition, keyPosition);
    });
    b.openRole("values", kGroupWarps);
    forEachTileInWaves([&](Value queryPosition, Value keyPosition) {
      computeRight(queryPosition, keyPosition);
    });
    return b.finish();
  }

private:
  //===--------------------------------------------------------------------===//
  // What the warpgroups exchange
  //===--------------------------------------------------------------------===//

  /// P of a stage; and for each row a factor of the sums, as registers.
  void openExchange() {
    MLIRContext *context = builder.getContext();
    weightRing =
        RingOp::create(builder, loc,
                       RingType::get(context, /*stages=*/1,
                                     {tile(schedule.getQueries(), kTileCols)}),
                       IntegerAttr(), IntegerAttr());
    FragType column = Softmax(b, shape, accLayout, rows).getColumnType();
    TileType registers = TileType::get(
        context, {kGroupWarps * column.getRegistersPerLane(), kLanes}, f32,
        Order::RowMajor);
    factorRing = RingOp::create(builder, loc,
                                RingType::get(context, /*stages=*/1, registers),
                                IntegerAttr(), IntegerAttr());
  }

  /// The warp's registers in a tile of factors.
  Value firstRegister(FragType column) {
    Value warp = WarpIdOp::create(builder, loc, builder.getIndexType());
    return b.mul(warp, column.getRegistersPerLane());
  }

  void sendFactor(Value position, Value factor) {
    Value slot = acquireOne(factorRing, position);
    StoreOp::create(builder, loc, factor, slot,
                    firstRegister(cast<FragType>(factor.getType())), b.index(0),
                    Access::Registers);
    CommitOp::create(builder, loc, factorRing, position);
  }

  Value receiveFactor(Value position, FragType column) {
    Value tile = wait(factorRing, position).front();
    Value factor =
        LoadOp::create(builder, loc, column, tile, firstRegister(column),
                       b.index(0), Access::Registers);
    ReleaseOp::create(builder, loc, factorRing, position);
    return factor;
  }

  void sendWeights(Value position, Value rounded) {
    Value slot = acquireOne(weightRing, position);
    StoreOp::create(builder, loc, rounded, slot, warpRow, b.index(0),
                    Access::Direct, StMatrixAttr::get(builder.getContext()));
    CommitOp::create(builder, loc, weightRing, position);
  }

  Value acquireOne(RingOp ring, Value position) {
    TileType type = ring.getRing().getType().getTiles().front();
    Type slot = SlotType::get(builder.getContext(), type.getShape(),
                              type.getElementType(), type.getOrder());
    return AcquireOp::create(builder, loc, slot, ring, position).getSlots()[0];
  }

  /// Where a tile has its factors: one for each stage, and the last behind.
  Value factorPosition(Value queryPosition, Value keyPosition, Value visit) {
    return b.add(b.add(queryPosition, keyPosition), visit);
  }

  //===--------------------------------------------------------------------===//
  // Scores, and the left half of the features
  //===--------------------------------------------------------------------===//

  void computeLeft(Value queryPosition, Value keyPosition) {
    placeWarp();
    Softmax softmax(b, shape, accLayout, rows, unitFactor());
    SoftmaxState state = softmax.start(/*pieces=*/1, left);
    ValueRange queries = wait(queryRing, queryPosition);
    auto loop = scf::ForOp::create(builder, loc, b.index(0), stageCount,
                                   b.index(1), state.values());
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      state = SoftmaxState(loop.getRegionIterArgs());
      Value visit = loop.getInductionVar();
      visitLeft(softmax, state, queries, b.add(keyPosition, visit), visit,
                factorPosition(queryPosition, keyPosition, visit));
      scf::YieldOp::create(builder, loc, state.values());
    }
    state = SoftmaxState(loop.getResults());
    ReleaseOp::create(builder, loc, queryRing, queryPosition);
    sendFactor(factorPosition(queryPosition, keyPosition, stageCount),
               softmax.inverseSums(state));
    auto [sums, lse] = softmax.finish(state);
    if (keyRank)
      sendFactor(
          factorPosition(queryPosition, keyPosition, b.add(stageCount, 1)),
          lse);
    storeShare(sums.front(), lse, b.index(0), /*storesLse=*/true, queryRing);
  }

  /// Stores the features from `first` on, or the block's share of them in a
  /// cluster that divides the keys, whose blocks meet in `ring`; log-sum-exps,
  /// too, if `storesLse`. Each warpgroup needs a ring of its own.
  void storeShare(Value sums, Value lse, Value first, bool storesLse,
                  RingOp ring) {
    if (!keyRank)
      return storeRows(sums, storesLse ? lse : Value(), spec.partial(), first);
    ClusterSums shared{sums, lse, Value()};
    shared.addUp(b, schedule.getKeyBlocks(), keyRank, ring);
    storeRows(shared.means, storesLse ? shared.lse : Value(), spec.partial(),
              b.add(first, shared.column));
  }

  void visitLeft(Softmax &softmax, SoftmaxState &state, ValueRange queries,
                 Value position, Value visit, Value factorPlace) {
    ValueRange keys = wait(keyRing, position);
    if (mayBeEmpty())
      zeroValuesBehindLength(keys, visit);
    // Descriptors of queries, which no stage changes, would take registers.
    Value scores = waitGroup(
        multiplyKeys(queries, shuffled(b.index(0)), keys, keysPerStage),
        /*younger=*/0);
    scores = masked(softmax, prepare(softmax, scores, visit, /*masked=*/false),
                    visit);
    Value oldMax = state.rowMax;
    auto [weights, factor] = softmax.exponentiate(state, scores, /*lazy=*/true);
    Value rounded =
        softmax.rounded(weights.front(), shape.operandType, keysPerStage);
    sendFactor(factorPlace, factor);
    sendWeights(position, rounded);
    Value grown = anyLess(oldMax, state.rowMax);
    softmax.rescaleIf(state, factor, grown);
    Value sums = schedBarrier(state.accumulators.front());
    state.accumulators.front() =
        waitGroup(multiplyValues(rounded, keys.front(), sums), /*younger=*/0);
    ReleaseOp::create(builder, loc, keyRing, position);
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
  void zeroValuesBehindLength(ValueRange keys, Value visit) {
    Value passed = b.mul(stageOf(visit), keysPerStage);
    Value valid = sub(sub(length, startKey), passed);
    auto cut =
        scf::IfOp::create(builder, loc, less(valid, b.index(keysPerStage)));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(cut.thenBlock());
    zeroRows(keys.take_front(llvm::divideCeil(shape.dv, kTileCols)), valid,
             kGroupWarps);
  }

  //===--------------------------------------------------------------------===//
  // The right half of the features
  //===--------------------------------------------------------------------===//

  void computeRight(Value queryPosition, Value keyPosition) {
    placeWarp();
    Softmax softmax(b, shape, accLayout, rows, unitFactor());
    SoftmaxState state = softmax.start(/*pieces=*/1, shape.dv - left);
    FragType column = softmax.getColumnType();
    auto loop = scf::ForOp::create(builder, loc, b.index(0), stageCount,
                                   b.index(1), state.accumulators);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      state.accumulators.front() = loop.getRegionIterArg(0);
      Value visit = loop.getInductionVar();
      visitRight(
          softmax, state, b.add(keyPosition, visit),
          receiveFactor(factorPosition(queryPosition, keyPosition, visit),
                        column));
      scf::YieldOp::create(builder, loc, state.accumulators);
    }
    state.accumulators.front() = loop.getResult(0);
    softmax.rescale(
        state,
        receiveFactor(factorPosition(queryPosition, keyPosition, stageCount),
                      column));
    Value lse;
    if (keyRank)
      lse = receiveFactor(
          factorPosition(queryPosition, keyPosition, b.add(stageCount, 1)),
          column);
    storeShare(state.accumulators.front(), lse, b.index(left),
               /*storesLse=*/false, keyRing);
  }

  void visitRight(Softmax &softmax, SoftmaxState &state, Value position,
                  Value factor) {
    Value one =
        BroadcastOp::create(builder, loc, factor.getType(), constant(1.0f));
    Value grown = anyLess(factor, one);
    softmax.rescaleIf(state, factor, grown);
    Value weights = wait(weightRing, position).front();
    Value values = wait(keyRing, position)[leftTiles];
    Value sum = schedBarrier(state.accumulators.front());
    Type pending =
        PendingType::get(builder.getContext(), cast<FragType>(sum.getType()));
    for (int64_t key = 0; key < keysPerStage; key += kDepth)
      sum = MmaAsyncOp::create(builder, loc, pending, weights, b.index(0),
                               b.index(key), values, b.index(key), b.index(0),
                               sum, /*metadata=*/Value(), IntegerAttr(), wgmma,
                               /*transposed=*/true);
    sum = CommitGroupOp::create(builder, loc, sum, wgmma).getResult(0);
    state.accumulators.front() = waitGroup(sum, /*younger=*/0);
    ReleaseOp::create(builder, loc, weightRing, position);
    ReleaseOp::create(builder, loc, keyRing, position);
  }

  static constexpr int64_t kLanes = 32;
  // Tiles and features of the left half.
  int64_t leftTiles, left;
  RingOp weightRing, factorRing;
};

} // namespace

gpu::GPUFuncOp AttentionKernel::generateLatent(OpBuilder &builder) const {
  return LatentAttention(*this, builder).run();
}
