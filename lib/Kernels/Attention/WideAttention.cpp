//===- WideAttention.cpp - Attention whose warps divide features ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For more features than a warp has registers for. Four warps share 16 rows. Of
// every 64 features each has 16: it multiplies them of queries and keys, and
// sums them of values. What the four found of a score is added up through
// shared memory, always in the same order, so that all of them hold the same
// scores, maxima and sums, and nothing else has to be exchanged. Columns of a
// tile and not whole tiles, because a warp finds columns by its number, and
// tiles are known to the compiler only. Where values are the first features of
// keys, both matmuls read one tile.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/MultistageAttention.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

namespace {

class WideGenerator : MultistageAttention {
public:
  WideGenerator(const AttentionKernel &spec, OpBuilder &builder)
      : MultistageAttention(spec, builder),
        accType(b.frag({rows, kPiece}, f32, accLayout)) {}

  gpu::GPUFuncOp run() {
    addKeysAndValues();
    openRing();
    if (spec.programmatic)
      b.griddepWait();
    b.openRole("main", schedule.getNumWarps());
    placeBlock(b.blockId());
    boundKeys();
    placeWarp();
    placeFeatures();
    loadQueries();
    SoftmaxState state = mainLoop();
    SmallVector<Value> places;
    for (size_t chunk = 0; chunk < state.accumulators.size(); ++chunk)
      places.push_back(b.add(column, chunk * kTileCols));
    store(state, places);
    return b.finish();
  }

private:
  /// Which 16 of 64 features are the warp's, and where it exchanges scores.
  void placeFeatures() {
    int64_t warps = schedule.getFeatureWarps();
    Value warp = WarpIdOp::create(builder, loc, builder.getIndexType());
    column = b.mul(b.rem(warp, warps), kPiece);
    int64_t pieces = keysPerStage / kPiece;
    int64_t rowsOfWarp = pieces * accType.getRegistersPerLane();
    ownPart = b.mul(warp, rowsOfWarp);
    firstPart = b.mul(b.div(warp, warps), warps * rowsOfWarp);
    parts = SharedOp::create(
        builder, loc,
        TileType::get(builder.getContext(),
                      {schedule.getNumWarps() * rowsOfWarp, 32}, f32,
                      Order::RowMajor),
        schedule.getNumWarps(), /*sharers=*/schedule.getNumWarps());
  }

  /// The warp's features of its queries, which stay in registers.
  void loadQueries() {
    Value view =
        headView(b.pointer(0), shape.operandType, head, index(kQueries),
                 shape.heads, shape.d, rowCount, schedule.getPacked());
    FragType type = b.frag({rows, kPiece}, shape.operandType, aLayout);
    Value row = b.toI64(b.add(firstRow, warpRow));
    for (int64_t first = 0; first < shape.d; first += kTileCols)
      queries.push_back(LoadOp::create(builder, loc, type, view, row,
                                       b.toI64(b.add(column, first)),
                                       Access::Direct, spec.queryWidth));
  }

  SoftmaxState mainLoop() {
    for (int64_t position = 0; position < schedule.getStages() - 1; ++position)
      fill(b.index(position));
    Softmax softmax(b, shape, accLayout, rows);
    SoftmaxState start =
        softmax.start(llvm::divideCeil(shape.dv, kTileCols), kPiece);
    auto loop = scf::ForOp::create(builder, loc, b.index(0), stageCount,
                                   b.index(1), start.values());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value position = loop.getInductionVar();
    // All warps wait here together, so nobody still reads the parts of the
    // stage before when these are written below.
    SmallVector<Value> stage = waitFor(position);
    fill(b.add(position, schedule.getStages() - 1));
    SoftmaxState state(loop.getRegionIterArgs());
    SmallVector<Value> scores =
        prepared(softmax, addedUp(multiplyKeys(stage)), position);
    SmallVector<Value> weights = softmax.update(state, scores);
    multiplyValues(stage, weights, state);
    ReleaseOp::create(builder, loc, ring, position);
    scf::YieldOp::create(builder, loc, state.values());
    return SoftmaxState(loop.getResults());
  }

  /// q k^T over the warp's features, a fragment for every 16 keys.
  SmallVector<Value> multiplyKeys(ValueRange stage) {
    auto ldmatrix = LdMatrixAttr::get(builder.getContext());
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0.0f));
    FragType keyType = b.frag({kPiece, kPiece}, shape.operandType, bLayout);
    Value none = BroadcastOp::create(builder, loc, accType, zero);
    SmallVector<Value> scores(keysPerStage / kPiece, none);
    for (auto [chunk, query] : llvm::enumerate(queries))
      for (auto [piece, sum] : llvm::enumerate(scores)) {
        auto [tile, row] =
            placeOf(stage, /*first=*/0, piece * kPiece, chunk * kTileCols);
        Value keys =
            LoadOp::create(builder, loc, keyType, tile, row, column, ldmatrix);
        sum = MmaOp::create(builder, loc, accType, query, keys, sum, Value(),
                            IntegerAttr(), mma);
      }
    return scores;
  }

  /// The scores over all features.
  SmallVector<Value> addedUp(ArrayRef<Value> own) {
    int64_t perSum = accType.getRegistersPerLane(), pieces = own.size();
    Value none = b.index(0);
    for (auto [piece, part] : llvm::enumerate(own))
      StoreOp::create(builder, loc, part, parts, b.add(ownPart, piece * perSum),
                      none, Access::Registers);
    gpu::BarrierOp::create(builder, loc);
    SmallVector<Value> sums;
    for (int64_t piece = 0; piece < pieces; ++piece) {
      SmallVector<Value> found;
      for (int64_t warp = 0; warp < schedule.getFeatureWarps(); ++warp)
        found.push_back(
            LoadOp::create(builder, loc, accType, parts,
                           b.add(firstPart, (warp * pieces + piece) * perSum),
                           none, Access::Registers));
      sums.push_back(
          b.map(accType, found, [&](OpBuilder &inner, ValueRange in) -> Value {
            Value sum = in.front();
            for (Value part : in.drop_front())
              sum = arith::AddFOp::create(inner, loc, sum, part);
            return sum;
          }));
    }
    return sums;
  }

  /// Adds P V of a stage to the accumulators of the warp's features.
  void multiplyValues(ValueRange stage, ArrayRef<Value> weights,
                      SoftmaxState &state) {
    auto ldmatrix = LdMatrixAttr::get(builder.getContext());
    FragType aType = b.frag({rows, kPiece}, shape.operandType, aLayout);
    FragType valueType = b.frag({kPiece, kPiece}, shape.operandType, bLayout);
    for (auto [piece, weight] : llvm::enumerate(weights)) {
      Value a = ConvertLayoutOp::create(builder, loc, aType, weight);
      for (auto [chunk, sum] : llvm::enumerate(state.accumulators)) {
        auto [tile, row] =
            placeOf(stage, firstValueTile, piece * kPiece, chunk * kTileCols);
        Value values = LoadOp::create(builder, loc, valueType, tile, row,
                                      column, Access::Transposed, ldmatrix);
        sum = MmaOp::create(builder, loc, sum.getType(), a, values, sum,
                            Value(), IntegerAttr(), mma);
      }
    }
  }

  FragType accType;
  Value column, ownPart, firstPart, parts;
  SmallVector<Value> queries;
};

} // namespace

gpu::GPUFuncOp AttentionKernel::generateWide(OpBuilder &builder) const {
  return WideGenerator(*this, builder).run();
}
