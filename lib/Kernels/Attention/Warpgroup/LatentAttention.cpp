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

#include "Kernels/Attention/Warpgroup/LatentHalves.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

namespace {

class LatentAttention : LatentHalves {
public:
  LatentAttention(const AttentionKernel &spec, OpBuilder &builder)
      : LatentHalves(spec, builder) {}

  gpu::GPUFuncOp run() {
    open([&] { openExchange(); });
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
    factorRing = openNumbers();
  }

  void sendFactor(Value position, Value factor) {
    Value slot = acquireOne(factorRing, position);
    storeNumbers(factor, slot);
    CommitOp::create(builder, loc, factorRing, position);
  }

  Value receiveFactor(Value position, FragType column) {
    return receiveNumbers(factorRing, position, column);
  }

  void sendWeights(Value position, Value rounded) {
    Value slot = acquireOne(weightRing, position);
    StoreOp::create(builder, loc, rounded, slot, warpRow, b.index(0),
                    Access::Direct, StMatrixAttr::get(builder.getContext()));
    CommitOp::create(builder, loc, weightRing, position);
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

  void visitLeft(Softmax &softmax, SoftmaxState &state, ValueRange queries,
                 Value position, Value visit, Value factorPlace) {
    ValueRange keys = wait(keyRing, position);
    if (mayBeEmpty())
      zeroValuesBehindLength(keys, visit);
    // Descriptors of queries, which no stage changes, would take registers.
    Value pending =
        multiplyKeys(queries, shuffled(b.index(0)), keys, keysPerStage);
    SmallVector<Value> operands = loadOperands(softmax, visit, keysPerStage);
    Value scores = waitGroup(pending, /*younger=*/0);
    scores = prepare(softmax, scores, operands, visit, /*masked=*/false);
    scores = masked(softmax, scores, visit);
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

  /// Zero times what lies behind a length need not be zero. The other
  /// warpgroup reads these tiles when it has got P.
  void zeroValuesBehindLength(ValueRange keys, Value visit) {
    ifBehindLength(visit, [&](Value valid) {
      zeroRows(keys.take_front(llvm::divideCeil(shape.dv, kTileCols)), valid,
               kGroupWarps);
    });
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
    state.accumulators.front() = waitGroup(
        startSharedValues(weights, values, state.accumulators.front()),
        /*younger=*/0);
    ReleaseOp::create(builder, loc, weightRing, position);
    ReleaseOp::create(builder, loc, keyRing, position);
  }

  RingOp weightRing, factorRing;
};

} // namespace

gpu::GPUFuncOp AttentionKernel::generateLatent(OpBuilder &builder) const {
  return LatentAttention(*this, builder).run();
}
