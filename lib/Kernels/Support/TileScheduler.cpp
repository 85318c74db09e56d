//===- TileScheduler.cpp - Which tile of the result a block computes ------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Support/TileScheduler.h"
#include "Kernels/Support/HostIntegers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;

TileScheduler::TileScheduler(sftile::ScheduleAttr schedule, int64_t features)
    : tileFeatures(schedule.getBlock()[0]), tileTokens(schedule.getBlock()[1]),
      cluster(schedule.getCluster()), splits(schedule.getSplitK()),
      group(schedule.getGroup()), maxBlocks(schedule.getGrid()),
      holdsActivations(schedule.getHeld() && schedule.getProducerWarps()),
      dividesLastWave(schedule.getStreamK()),
      featureTiles(llvm::divideCeil(features, tileFeatures * cluster)) {}

Value TileScheduler::splitRank(KernelBuilder &b) const {
  return b.rem(b.blockId(), splits);
}

Value TileScheduler::tokenTiles(KernelBuilder &b) const {
  return b.builder.createOrFold<arith::CeilDivUIOp>(b.loc, b.count(),
                                                    b.i64(tileTokens));
}

TileScheduler::Tile TileScheduler::tileOfCluster(KernelBuilder &b, Value number,
                                                 Value tokenTiles) const {
  Value groupNumber = b.div(number, group * featureTiles);
  Value inGroup = b.rem(number, group * featureTiles);
  Value firstToken = b.mul(groupNumber, group);
  Value left = arith::SubIOp::create(b.builder, b.loc, tokenTiles, firstToken);
  Value width = b.min(left, b.constant(left.getType(), group));
  Value token = b.mul(b.add(firstToken, b.rem(inGroup, width)), tileTokens);
  Value feature = b.mul(b.div(inGroup, width), tileFeatures * cluster);
  return {feature, token};
}

TileScheduler::Tile TileScheduler::tileAt(KernelBuilder &b, Value number,
                                          Value tokenTiles) const {
  auto [feature, token] = tileOfCluster(b, number, tokenTiles);
  if (cluster > 1)
    feature = b.add(feature,
                    b.mul(b.toI32(b.rem(b.blockId(), cluster)), tileFeatures));
  return {b.toI64(feature), b.toI64(token)};
}

TileScheduler::Tile TileScheduler::tileOfBlock(KernelBuilder &b) const {
  Value number = b.blockId();
  if (splits > 1)
    number = b.div(number, splits);
  return tileAt(b, number, b.toIndex(tokenTiles(b)));
}

// Blocks beside each other have other tokens and the same features, of which
// they take every so many tiles as there are blocks for their tokens.
TileScheduler::Tile TileScheduler::heldTile(KernelBuilder &b,
                                            Value number) const {
  Value token = b.rem(b.toI32(b.blockId()), b.toI32(tokenTiles(b)));
  return {b.toI64(b.mul(number, tileFeatures)),
          b.toI64(b.mul(token, tileTokens))};
}

TileScheduler::Tile TileScheduler::firstTile(KernelBuilder &b) const {
  Value tiles = b.toI32(tokenTiles(b));
  if (holdsActivations)
    return heldTile(b, b.div(b.toI32(b.blockId()), tiles));
  return tileAt(b, b.toI32(b.div(b.blockId(), cluster * splits)), tiles);
}

Value TileScheduler::allTiles(KernelBuilder &b) const {
  return b.mul(b.toI32(tokenTiles(b)), featureTiles);
}

Value TileScheduler::allTiles(OpBuilder &builder, Location loc,
                              Value tokens) const {
  return gridSize(builder, loc, tokens, tileTokens, featureTiles);
}

Value TileScheduler::forEachTile(KernelBuilder &b, int64_t steps,
                                 function_ref<void(Tile, Value)> body,
                                 Value tiles) const {
  OpBuilder &builder = b.builder;
  Value blocks = gpu::GridDimOp::create(builder, b.loc, builder.getIndexType(),
                                        gpu::Dimension::x);
  Value ofTokens = b.toI32(tokenTiles(b));
  if (!tiles)
    tiles = b.mul(ofTokens, featureTiles);
  Value first = b.toI32(b.div(b.blockId(), cluster * splits));
  Value step = b.toI32(b.div(blocks, cluster * splits));
  if (holdsActivations) {
    tiles = b.i32(featureTiles);
    first = b.div(first, ofTokens);
    step = b.div(step, ofTokens);
  }
  auto loop = scf::ForOp::create(builder, b.loc, first, tiles, step,
                                 ValueRange{b.i32(0)});
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Tile tile = holdsActivations ? heldTile(b, loop.getInductionVar())
                               : tileAt(b, loop.getInductionVar(), ofTokens);
  Value position = loop.getRegionIterArg(0);
  body(tile, position);
  scf::YieldOp::create(builder, b.loc, ValueRange{b.add(position, steps)});
  return loop.getResult(0);
}

TileScheduler::Waves TileScheduler::wavesOf(KernelBuilder &b, Value tiles,
                                            Value block, Value blocks) {
  OpBuilder &builder = b.builder;
  Location loc = b.loc;
  Value full = b.div(tiles, blocks);
  Waves waves{
      full, block, blocks,
      builder.createOrFold<arith::SubIOp>(loc, b.add(blocks, -1), block)};
  Value rest =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                            waves.placeIn(b, full), b.rem(tiles, blocks));
  waves.count =
      arith::SelectOp::create(builder, loc, rest, b.add(full, 1), full);
  return waves;
}

Value TileScheduler::Waves::placeIn(KernelBuilder &b, Value wave) const {
  Value odd = arith::CmpIOp::create(b.builder, b.loc, arith::CmpIPredicate::ne,
                                    b.rem(wave, 2), b.index(0));
  return arith::SelectOp::create(b.builder, b.loc, odd, backwards, block);
}

Value TileScheduler::Waves::tileIn(KernelBuilder &b, Value wave) const {
  Value before = b.builder.createOrFold<arith::MulIOp>(b.loc, wave, blocks);
  return b.add(before, placeIn(b, wave));
}

ValueRange TileScheduler::Waves::forEach(
    KernelBuilder &b, ValueRange start,
    function_ref<SmallVector<Value>(Value, ValueRange)> body) const {
  OpBuilder &builder = b.builder;
  Type type = count.getType();
  auto loop = scf::ForOp::create(builder, b.loc, b.constant(type, 0), count,
                                 b.constant(type, 1), start);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  scf::YieldOp::create(builder, b.loc, next);
  return loop.getResults();
}

Value TileScheduler::gridSize(OpBuilder &builder, Location loc, Value tokens,
                              int64_t tileTokens, int64_t blocksOfTile) {
  HostIntegers host{builder, loc};
  return host.mul(host.ceilDiv(tokens, tileTokens), blocksOfTile);
}

Value TileScheduler::gridSize(OpBuilder &builder, Location loc,
                              Value tokens) const {
  return gridSize(builder, loc, tokens, tileTokens,
                  featureTiles * cluster * splits);
}

Value TileScheduler::persistentGridSize(OpBuilder &builder, Location loc,
                                        Value tokens) const {
  HostIntegers host{builder, loc};
  if (holdsActivations) {
    Value ofTokens = host.ceilDiv(tokens, tileTokens);
    Value some = host.max(ofTokens, 1);
    Value most = host.max(host.div(host.constant(maxBlocks), some), 1);
    // No more blocks than make the longest one shorter.
    Value all = host.constant(featureTiles);
    return host.mul(ofTokens, host.ceilDiv(all, host.ceilDiv(all, most)));
  }
  if (dividesLastWave)
    return host.constant(maxBlocks);
  Value blocks = gridSize(builder, loc, tokens);
  return maxBlocks ? host.min(blocks, maxBlocks) : blocks;
}
