//===- WarpgroupAttention.cpp - What kernels on wgmma share ---------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/Warpgroup/WarpgroupAttention.h"
#include "Kernels/Support/ThreadCode.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// A tile of so few features leaves registers for the columns of a mask.
static constexpr int64_t kFewMaskedFeatures = 64;

WarpgroupAttention::WarpgroupAttention(const AttentionKernel &spec,
                                       OpBuilder &builder)
    : MappedKv(spec, builder) {
  MLIRContext *context = builder.getContext();
  wgmma = WgmmaAttr::get(context, shape.operandType, /*sparse=*/false);
  accLayout = LayoutAttr::get(context, wgmma.getLayoutC());
  aLayout = LayoutAttr::get(context, wgmma.getLayoutA());
}

//===----------------------------------------------------------------------===//
// The tile scheduler
//===----------------------------------------------------------------------===//

Value WarpgroupAttention::gridSize() {
  return gpu::GridDimOp::create(builder, loc, builder.getIndexType(),
                                gpu::Dimension::x);
}

TileScheduler::Waves WarpgroupAttention::wavesOfTiles() {
  Value block = b.blockId();
  Value blocks = gridSize();
  Value tiles =
      spec.planned()
          ? plannedTiles(/*seeing=*/spec.storesBoth())
          : product(tilesOfHead(), b.mul(index(kBatch), spec.tileHeads()));
  if (spec.partial())
    tiles = product(tiles, index(kSplits));
  tiles = narrowed(tiles);
  // As gridSize() has it.
  if (std::optional<int64_t> count = getConstantIntValue(tiles);
      count && schedule.getGrid())
    blocks = b.index(std::min(*count, schedule.getGrid() / cluster));
  else if (schedule.getGrid() && isShortOfRegisters())
    blocks = b.min(tiles, b.index(schedule.getGrid() / cluster));
  else if (cluster > 1)
    blocks = b.div(blocks, cluster);
  // Blocks of a cluster have rows of one tile in the same wave.
  if (cluster > 1) {
    rank = b.rem(block, cluster);
    block = b.div(block, cluster);
  }
  // Blocks of a cluster divide the keys of a tile, or of a split of it.
  if (int64_t sharers = schedule.getKeyBlocks(); sharers > 1) {
    keyRank = b.rem(block, sharers);
    block = b.div(block, sharers);
  }
  if (schedule.getGrid() || cluster > 1 || spec.planned())
    return TileScheduler::wavesOf(b, tiles, block, blocks);
  return {/*count=*/Value(), block, Value(), Value()};
}

void WarpgroupAttention::placeTile(Value tile) {
  placeBlock(tile);
  boundKeys();
  // A tile without keys takes one stage, which is masked as a whole, where
  // such tiles are few.
  if (!mayBeEmpty())
    stageCount = max(stageCount, b.index(1));
}

void WarpgroupAttention::forEachTileInWaves(
    function_ref<void(Value, Value)> body) {
  TileScheduler::Waves waves = wavesOfTiles();
  if (!waves.count) {
    placeTile(waves.block);
    body(/*queryPosition=*/b.index(0), /*keyPosition=*/b.index(0));
    return;
  }
  if (isShortOfRegisters())
    return forEachTileInFewRegisters(waves, body);
  waves.forEach(b, {b.index(0)}, [&](Value wave, ValueRange carried) {
    placeTile(waves.tileIn(b, wave));
    body(/*queryPosition=*/wave, carried.front());
    return SmallVector<Value>{b.add(carried.front(), stageCount)};
  });
}

/// What the sizes decide would be computed once for all tiles, also for both
/// roles in front of them, and kept in registers that spill. From sizes that
/// are hidden in each tile it is computed anew. Known ones are hidden where the
/// columns that a mask compares, known with the stage that it cuts, would be
/// too many.
void WarpgroupAttention::forEachTileInFewRegisters(
    TileScheduler::Waves waves, function_ref<void(Value, Value)> body) {
  auto wide = [&](Value value) {
    return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                        value);
  };
  // There are no more blocks than tiles. What the last one leaves behind the
  // loop is then known in front of it, too.
  waves.count = max(toI32(waves.count), b.i32(1));
  bool hidesAll =
      schedule.getTurns() && hasMasks() && shape.d > kFewMaskedFeatures;
  waves.forEach(b, {b.i32(0)}, [&](Value wave, ValueRange carried) {
    for (AttentionSize which : {kBatch, kQueries, kKeys})
      if (Value size = index(which); hidesAll || !getConstantIntValue(size))
        sizesOfTile[which] = shuffled(size);
    Value queryPosition = wide(wave);
    placeTile(wavesOfTiles().tileIn(b, queryPosition));
    body(queryPosition, wide(carried.front()));
    sizesOfTile = {};
    return SmallVector<Value>{b.add(carried.front(), toI32(stageCount))};
  });
}

//===----------------------------------------------------------------------===//
// Warps that agree
//===----------------------------------------------------------------------===//

Value WarpgroupAttention::shuffled(Value value) {
  return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                      shuffledWord(b.toI32(value)));
}
Value WarpgroupAttention::shuffledWord(Value value) {
  return gpu::ShuffleOp::create(builder, loc, value, b.i32(0), b.i32(32),
                                gpu::ShuffleMode::IDX)
      .getShuffleResult();
}

//===----------------------------------------------------------------------===//
// MMAs
//===----------------------------------------------------------------------===//

ValueRange WarpgroupAttention::wait(RingOp ring, Value position) {
  ArrayRef<TileType> tiles = ring.getRing().getType().getTiles();
  return WaitOp::create(builder, loc,
                        SmallVector<Type>(tiles.begin(), tiles.end()), ring,
                        position)
      .getTiles();
}

Value WarpgroupAttention::schedBarrier(Value frag) {
  return SchedBarrierOp::create(builder, loc, frag);
}
Value WarpgroupAttention::anyLess(Value first, Value second) {
  auto type = cast<FragType>(first.getType());
  Type i1 = builder.getI1Type();
  Value less =
      b.map(b.frag(type.getShape(), i1, type.getLayout()), {first, second},
            [&](OpBuilder &inner, ValueRange in) -> Value {
              return arith::CmpFOp::create(
                  inner, loc, arith::CmpFPredicate::OLT, in[0], in[1]);
            });
  return ReduceOp::create(builder, loc, i1, Reduction::Or, less);
}
Value WarpgroupAttention::waitGroup(Value pending, int64_t younger) {
  Type type = cast<PendingType>(pending.getType()).getFrag();
  return WaitGroupOp::create(builder, loc, type, pending, ValueRange(), younger,
                             wgmma)
      .getResult(0);
}

/// Rows lie one behind the other, swizzled or not, so the bytes from `row` on
/// are dealt out to the role's threads, 16 to each in turn.
void WarpgroupAttention::zeroRows(ValueRange tiles, Value row, int64_t warps,
                                  int64_t firstWarp) {
  constexpr int64_t kBytes = 16, kLanes = 32;
  ThreadCode code(builder, loc);
  auto type = cast<TileType>(tiles.front().getType());
  Value thread = code.add(code.threadId(),
                          -kLanes * (schedule.getProducerWarps() + firstWarp));
  Value first = code.add(code.mul(b.toI32(row), type.getPitch()),
                         code.mul(thread, kBytes));
  auto words = VectorType::get({kBytes / 4}, code.i32);
  code.forLoop(
      first, code.integer(type.getBytes()),
      code.integer(kBytes * kLanes * warps), {},
      [&](Value byte, ValueRange) -> SmallVector<Value> {
        Value zeros = arith::ConstantOp::create(builder, loc, words,
                                                builder.getZeroAttr(words));
        for (Value tile : tiles)
          code.store(zeros,
                     code.at(AddressOp::create(builder, loc, tile), byte),
                     kBytes);
        return {};
      });
  sftile::BarrierOp::create(builder, loc, BarrierScope::Role);
}

Value WarpgroupAttention::multiplyKeys(ValueRange queries, Value row,
                                       ValueRange keys, int64_t count) {
  FragType type = b.frag({rows, count}, f32, accLayout);
  Type pending = PendingType::get(builder.getContext(), type);
  Value sum = BroadcastOp::create(builder, loc, type, constant(0.0f));
  for (int64_t feature = 0; feature < shape.d; feature += kDepth) {
    Value col = b.index(feature % kTileCols);
    sum =
        MmaAsyncOp::create(builder, loc, pending, queries[feature / kTileCols],
                           row, col, keys[feature / kTileCols], b.index(0), col,
                           sum, Value(), IntegerAttr(), wgmma);
  }
  return CommitGroupOp::create(builder, loc, sum, wgmma).getResult(0);
}

Value WarpgroupAttention::multiplyValues(Value rounded, Value values,
                                         Value sum) {
  Type pending =
      PendingType::get(builder.getContext(), cast<FragType>(sum.getType()));
  FragType step = b.frag({rows, kDepth}, shape.operandType, aLayout);
  Value left = ConvertLayoutOp::create(
      builder, loc, b.frag({rows, keysPerStage}, shape.operandType, aLayout),
      rounded);
  for (int64_t key = 0; key < keysPerStage; key += kDepth) {
    Value a = SliceOp::create(builder, loc, step, left, 0, key);
    sum = MmaAsyncOp::create(builder, loc, pending, a, /*aRow=*/Value(),
                             /*aCol=*/Value(), values, b.index(key), b.index(0),
                             sum, /*metadata=*/Value(), IntegerAttr(), wgmma,
                             /*transposed=*/true);
  }
  return CommitGroupOp::create(builder, loc, sum, wgmma).getResult(0);
}

ScorePlace WarpgroupAttention::placeOfScores(Value stage) {
  return scorePlace(b.add(startKey, b.mul(stage, keysPerStage)));
}

SmallVector<Value>
WarpgroupAttention::loadOperands(Softmax &softmax, Value visit, int64_t count) {
  if (!shape.score)
    return {};
  return softmax.loadOperands(count, placeOfScores(stageOf(visit)));
}

Value WarpgroupAttention::prepare(Softmax &softmax, Value scores,
                                  ValueRange operands, Value visit,
                                  bool masked) {
  Value stage = stageOf(visit);
  int64_t columns = cast<FragType>(scores.getType()).getShape()[1];
  Value prepared = withoutFactor(scores);
  if (shape.score)
    prepared =
        softmax.applyRegion(prepared, columns, placeOfScores(stage), operands);
  else if (shape.scale <= 0.0f)
    prepared = softmax.scaled(prepared).front();
  if (masked)
    prepared = mask(softmax, prepared, columns, stage).front();
  return prepared;
}
