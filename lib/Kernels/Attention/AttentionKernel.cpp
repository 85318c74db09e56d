//===- AttentionKernel.cpp - Online softmax on mma and cp.async -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each warp owns rows of the result and holds their scores, row max, row sum
// and accumulators in registers. Keys and values come through a pipeline. For a
// stage of keys: Q K^T, masks where the stage needs them, the new row max,
// exponentials relative to it, the accumulators rescaled, and P V, whose
// operand A is the exponentials in the registers where they are.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/MultistageAttention.h"
#include "SparseFlow/Target/NVPTX/LaunchAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

namespace {

class Generator : MultistageAttention {
public:
  Generator(const AttentionKernel &spec, OpBuilder &builder)
      : MultistageAttention(spec, builder) {}

  gpu::GPUFuncOp run() {
    addKeysAndValues();
    openRing();
    if (spec.programmatic)
      b.griddepWait();
    b.openRole("main", schedule.getNumWarps());
    placeBlock(b.blockId());
    boundKeys();
    placeWarp();
    loadQueries();
    SoftmaxState state = mainLoop();
    store(state);
    return b.finish();
  }

private:
  //===--------------------------------------------------------------------===//
  // Queries
  //===--------------------------------------------------------------------===//

  /// Brings the warp's queries into its scratch tile, which holds 64 features
  /// beside the next 64: row r and feature d at (d / 64 * rows + r, d % 64).
  void loadQueries() {
    Value view =
        headView(b.pointer(0), shape.operandType, head, index(kQueries),
                 shape.heads, shape.d, rowCount, schedule.getPacked());
    int64_t width = std::min(llvm::alignTo(shape.d, kPiece), uint64_t(64));
    width = llvm::PowerOf2Ceil(width);
    int64_t chunks = llvm::divideCeil(shape.d, kTileCols);
    queryTile = SharedOp::create(builder, loc, tile(chunks * rows, width),
                                 schedule.getNumWarps(), /*sharers=*/1,
                                 /*overlaid=*/true);
    FragType type = b.frag({rows, kPiece}, shape.operandType, aLayout);
    Value row = b.toI64(b.add(firstRow, warpRow));
    for (int64_t step = 0; step < depthSteps; ++step) {
      // All loads are issued before the first is waited for.
      queries.push_back(LoadOp::create(builder, loc, type, view, row,
                                       b.i64(step * kPiece), Access::Direct,
                                       spec.queryWidth));
    }
    if (schedule.getHeld())
      return;
    // Nobody may still be reading what the tile held before.
    sftile::BarrierOp::create(builder, loc, BarrierScope::Warp);
    for (int64_t step = 0; step < depthSteps; ++step) {
      auto [r, c] = queryPlace(step);
      StoreOp::create(builder, loc, queries[step], queryTile, b.index(r),
                      b.index(c));
    }
    sftile::BarrierOp::create(builder, loc, BarrierScope::Warp);
    queries.clear();
  }

  std::pair<int64_t, int64_t> queryPlace(int64_t step) const {
    int64_t feature = step * kPiece;
    return {feature / kTileCols * rows, feature % kTileCols};
  }

  Value query(int64_t step) {
    if (schedule.getHeld())
      return queries[step];
    auto [r, c] = queryPlace(step);
    return LoadOp::create(builder, loc,
                          b.frag({rows, kPiece}, shape.operandType, aLayout),
                          queryTile, b.index(r), b.index(c),
                          LdMatrixAttr::get(builder.getContext()));
  }

  //===--------------------------------------------------------------------===//
  // The loop over stages
  //===--------------------------------------------------------------------===//

  SoftmaxState mainLoop() {
    for (int64_t position = 0; position < schedule.getStages() - 1; ++position)
      fill(b.index(position));
    Softmax softmax(b, shape, accLayout, rows);
    SoftmaxState start = softmax.start(resultPieces, kPiece);
    auto loop = scf::ForOp::create(builder, loc, b.index(0), stageCount,
                                   b.index(1), start.values());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value position = loop.getInductionVar();
    SmallVector<Value> stage = waitFor(position);
    fill(b.add(position, schedule.getStages() - 1));
    SoftmaxState state(loop.getRegionIterArgs());
    SmallVector<Value> scores =
        prepared(softmax, multiplyKeys(stage), position);
    SmallVector<Value> weights = softmax.update(state, scores);
    multiplyValues(stage, weights, state);
    ReleaseOp::create(builder, loc, ring, position);
    scf::YieldOp::create(builder, loc, state.values());
    return SoftmaxState(loop.getResults());
  }

  /// q k^T for the keys of a stage, a fragment for every 16 keys.
  SmallVector<Value> multiplyKeys(ValueRange stage) {
    auto ldmatrix = LdMatrixAttr::get(builder.getContext());
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0.0f));
    FragType accType = b.frag({rows, kPiece}, f32, accLayout);
    FragType keyType = b.frag({kPiece, kPiece}, shape.operandType, bLayout);
    Value none = BroadcastOp::create(builder, loc, accType, zero);
    SmallVector<Value> scores(keysPerStage / kPiece, none);
    for (int64_t step = 0; step < depthSteps; ++step) {
      Value a = query(step);
      int64_t feature = step * kPiece;
      for (auto [piece, sum] : llvm::enumerate(scores)) {
        auto [tile, row] = placeOf(stage, /*first=*/0, piece * kPiece, feature);
        Value keys = LoadOp::create(builder, loc, keyType, tile, row,
                                    b.index(feature % kTileCols), ldmatrix);
        sum = MmaOp::create(builder, loc, accType, a, keys, sum, Value(),
                            IntegerAttr(), mma);
      }
    }
    return scores;
  }

  /// Adds P V of a stage to the accumulators.
  void multiplyValues(ValueRange stage, ArrayRef<Value> weights,
                      SoftmaxState &state) {
    auto ldmatrix = LdMatrixAttr::get(builder.getContext());
    FragType aType = b.frag({rows, kPiece}, shape.operandType, aLayout);
    FragType valueType = b.frag({kPiece, kPiece}, shape.operandType, bLayout);
    for (auto [piece, weight] : llvm::enumerate(weights)) {
      Value a = ConvertLayoutOp::create(builder, loc, aType, weight);
      for (auto [number, sum] : llvm::enumerate(state.accumulators)) {
        int64_t feature = number * kPiece;
        auto [tile, row] =
            placeOf(stage, firstValueTile, piece * kPiece, feature);
        Value values = LoadOp::create(builder, loc, valueType, tile, row,
                                      b.index(feature % kTileCols),
                                      Access::Transposed, ldmatrix);
        sum = MmaOp::create(builder, loc, sum.getType(), a, values, sum,
                            Value(), IntegerAttr(), mma);
      }
    }
  }

  Value queryTile;
  SmallVector<Value> queries;
};

} // namespace

gpu::GPUFuncOp AttentionKernel::generate(OpBuilder &builder) const {
  OpBuilder::InsertionGuard guard(builder);
  gpu::GPUFuncOp kernel = isWarpSpecialized() ? generateWarpSpecialized(builder)
                          : schedule.getBytes() ? generateInt8(builder)
                          : shape.isQuantized() ? generateQuantized(builder)
                          : shape.keyPlanes     ? generateTernary(builder)
                          : schedule.getFeatureWarps() > 1
                              ? generateWide(builder)
                              : Generator(*this, builder).run();
  // Otherwise ptxas may take few registers, for more blocks than there
  // is shared memory for, and spill.
  setMinBlocksPerSM(kernel, schedule.getBlocksPerSM());
  return kernel;
}
