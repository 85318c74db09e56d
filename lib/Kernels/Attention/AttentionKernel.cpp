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
                 shape.heads, shape.d, queryRows(), schedule.getPacked());
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

  SoftmaxState mainLoop() {
    auto placeOfPiece = [&](int64_t number) -> FeaturePlace {
      int64_t feature = number * kPiece;
      return {feature, b.index(feature % kTileCols)};
    };
    auto scoresOf = [&](ValueRange stage) {
      return multiplyKeys(
          stage, depthSteps, [&](int64_t step) { return query(step); },
          placeOfPiece);
    };
    return loopOverStages(resultPieces, scoresOf, placeOfPiece);
  }

  Value queryTile;
  SmallVector<Value> queries;
};

} // namespace

/// The schedule of `kernel` without its name, what it is used for, and what
/// only counts where a plan lists the tiles.
static AttentionScheduleAttr codeOf(const AttentionKernel &kernel) {
  AttentionTileFields tile = kernel.schedule.getTile();
  tile.minBlocks = tile.maxBlocks = tile.minSmallTiles = 0;
  tile.minTiles = tile.maxTiles = tile.minKeys = tile.maxKeys = 0;
  tile.minKeyRatio = 0;
  // Partials have a place for so many queries.
  if (!tile.splitBlocks && !tile.packed)
    tile.maxQueries = 0;
  tile.plan = false; // planned() says where it counts.
  tile.heads = kernel.headsOfTile();
  return AttentionScheduleAttr::get(kernel.schedule.getContext(), /*name=*/"",
                                    tile, kernel.schedule.getPipeline());
}

bool AttentionKernel::isSameCode(const AttentionKernel &other) const {
  return codeOf(*this) == codeOf(other) && copyKeys == other.copyKeys &&
         copyValues == other.copyValues && queryWidth == other.queryWidth &&
         storeWidth == other.storeWidth && operandKeys == other.operandKeys &&
         programmatic == other.programmatic && oneEntry == other.oneEntry &&
         convertsFloats == other.convertsFloats && planned() == other.planned();
}

gpu::GPUFuncOp AttentionKernel::generate(OpBuilder &builder) const {
  OpBuilder::InsertionGuard guard(builder);
  gpu::GPUFuncOp kernel =
      alternatesScores()               ? generateAlternating(builder)
      : dividesValues()                ? generateLatent(builder)
      : isWarpSpecialized()            ? generateWarpSpecialized(builder)
      : schedule.getBytes()            ? generateInt8(builder)
      : shape.isQuantized()            ? generateQuantized(builder)
      : shape.keyPlanes                ? generateTernary(builder)
      : schedule.getFeatureWarps() > 1 ? generateWide(builder)
                                       : Generator(*this, builder).run();
  // Otherwise ptxas may take few registers, for more blocks than there
  // is shared memory for, and spill.
  setMinBlocksPerSM(kernel, schedule.getBlocksPerSM());
  return kernel;
}
