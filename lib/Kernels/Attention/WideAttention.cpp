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
                 shape.heads, shape.d, queryRows(), schedule.getPacked());
    FragType type = b.frag({rows, kPiece}, shape.operandType, aLayout);
    Value row = b.toI64(b.add(firstRow, warpRow));
    for (int64_t first = 0; first < shape.d; first += kTileCols)
      queries.push_back(LoadOp::create(builder, loc, type, view, row,
                                       b.toI64(b.add(column, first)),
                                       Access::Direct, spec.queryWidth));
  }

  SoftmaxState mainLoop() {
    auto placeOfChunk = [&](int64_t chunk) -> FeaturePlace {
      return {chunk * kTileCols, column};
    };
    // All warps have waited for the stage together, so nobody still reads the
    // parts of the one before when these are written.
    auto scoresOf = [&](ValueRange stage) {
      return addedUp(multiplyKeys(
          stage, queries.size(), [&](int64_t step) { return queries[step]; },
          placeOfChunk));
    };
    return loopOverStages(llvm::divideCeil(shape.dv, kTileCols), scoresOf,
                          placeOfChunk);
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

  FragType accType;
  Value column, ownPart, firstPart, parts;
  SmallVector<Value> queries;
};

} // namespace

gpu::GPUFuncOp AttentionKernel::generateWide(OpBuilder &builder) const {
  return WideGenerator(*this, builder).run();
}
