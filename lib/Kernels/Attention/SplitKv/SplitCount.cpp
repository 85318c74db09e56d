//===- SplitCount.cpp - How many splits of the keys there are -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expressions on the host, of the sizes of a launch: its tiles, the splits of
// their keys that take the least time, and the room that these need.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/AttentionKernel.h"
#include "Kernels/Support/HostIntegers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sparseflow;

// Splits that the warps of a block combine with one round of loads.
static constexpr int64_t kOneRound = 64;
// Keys in a few bits that a split has at least, where there are few splits.
static constexpr int64_t kFewKeys = 32;
// Warps of an SM up to which they get as few where rows are many.
static constexpr int64_t kFewWarps = 2;

Value AttentionKernel::tileCount(OpBuilder &builder, Location loc, Value batch,
                                 Value queries) const {
  HostIntegers host{builder, loc};
  Value heads = host.mul(batch, tileHeads());
  if (schedule.getPacked() && !packsQueries())
    return host.mul(heads, llvm::divideCeil(shape.heads / shape.keyHeads,
                                            schedule.getQueries()));
  Value tiles = host.ceilDiv(queries, rowsOfCluster());
  return host.mul(host.mul(tiles, schedule.getCluster()), heads);
}

// What a tile costs beside its keys, and what combining splits does, in bytes
// that an SM reads in as much time: 1 us and 2 us on an H200. What splits leave
// for an SM takes that many times as long as a read of keys.
static constexpr int64_t kTileBytes = 32 << 10, kCombineBytes = 64 << 10;
static constexpr int64_t kSplitCost = 4;
// Halves of a wave that the splits of a launch fill at most.
static constexpr int64_t kMostHalves = 8;
// What combining a row costs where a launch has several queries: 1.6 ns.
static constexpr int64_t kRowBytes = 50;

/// The splits, `limit` at most, with which `tiles` tiles take persistent blocks
/// the least time: none, or as many as fill half a wave, one, two or four, and
/// three or five of latent attention that MMAs bound, where others than one
/// have to save a ninth. A wave takes as long as the keys of a split; beside it
/// all SMs together write and read what the splits leave, and combine it. The
/// number of splits rides in the low bits of its cost: what runs on the host
/// has a minimum, and no choice.
static Value splitsByCost(const AttentionKernel &kernel, HostIntegers host,
                          Value tiles, Value allRows, Value keys, Value limit) {
  constexpr int64_t kBits = 1 << 16, kOne = 8, kEven = 2;
  const AttentionShape &shape = kernel.shape;
  // Blocks of a cluster have a split together.
  int64_t sharers = kernel.schedule.getKeyBlocks();
  int64_t blocks = std::max<int64_t>(kernel.schedule.getSplit() / sharers, 1);
  int64_t features = shape.d + (kernel.dividesValues() ? 0 : shape.dv);
  int64_t keyBytes = features * shape.operandType.getIntOrFloatBitWidth() / 8;
  int64_t rows = kernel.schedule.getQueries();
  if (kernel.schedule.getPacked())
    rows = std::min(rows, kernel.rowsOfTile() * kernel.mostQueries());
  int64_t splitBytes = kSplitCost * 4 * rows * shape.dv *
                       kernel.schedule.getBlocksPerSM() /
                       kernel.schedule.getSplit();
  limit = host.max(limit, 1);
  int64_t together = kernel.schedule.getBlocksPerSM(), sms = blocks / together;
  auto costOf = [&](Value splits, int64_t more) {
    Value all = host.mul(tiles, splits);
    Value waves = host.ceilDiv(all, sms);
    Value bytes = host.add(
        host.mul(host.ceilDiv(keys, host.mul(splits, sharers)), keyBytes),
        kTileBytes);
    if (together == 1)
      return host.mul(host.mul(waves, bytes), more);
    // In eighths: an SM with more blocks than others reads a little faster.
    Value even =
        host.max(host.div(host.mul(all, kEven), host.constant(sms)), kEven);
    waves = host.add(host.mul(waves, kOne - kEven), even);
    return host.div(host.mul(host.mul(waves, bytes), more),
                    host.constant(kOne));
  };
  // What combining costs all the others is taken from the cost of one.
  Value combining = host.constant(kCombineBytes * kOne);
  if (kernel.schedule.getMaxQueries() != 1)
    combining = host.add(combining, host.mul(allRows, kRowBytes * kOne));
  Value one = host.constant(1);
  Value whole = host.max(costOf(one, kOne), combining);
  whole = host.builder.createOrFold<arith::SubIOp>(host.loc, whole, combining);
  Value best = host.add(host.mul(whole, kBits), one);
  // In halves of a wave.
  SmallVector<int64_t> choices = {1, 2, 4, kMostHalves};
  if (kernel.alternatesScores())
    choices = {1, 2, 4, 6, 8, 10};
  for (int64_t halves : choices) {
    Value splits = host.min(
        host.max(host.div(host.constant(halves * blocks / 2), tiles), 1),
        limit);
    Value behind = host.mul(host.mul(tiles, splits), splitBytes * kOne);
    Value cost =
        host.add(costOf(splits, halves == 2 ? kOne : kOne + 1), behind);
    best = host.min(best, host.add(host.mul(cost, kBits), splits));
  }
  // Whole stages of keys may leave the last of them without any.
  Value splits = host.rem(best, kBits);
  int64_t stageKeys = kernel.schedule.getKeys();
  Value stages = host.max(host.ceilDiv(keys, stageKeys), 1);
  Value each = host.ceilDiv(stages, host.mul(splits, sharers));
  return host.ceilDiv(stages, host.mul(each, sharers));
}

Value AttentionKernel::splitRoom(OpBuilder &builder, Location loc, Value batch,
                                 Value queries, Value keys,
                                 Value splits) const {
  if (getConstantIntValue(splits) || !isWarpSpecialized() || streamsKeys() ||
      schedule.getMaxQueries() == 1 || alternatesScores())
    return splits;
  HostIntegers host{builder, loc};
  Value tiles = host.max(tileCount(builder, loc, batch, queries), 1);
  Value most =
      host.div(host.constant(kMostHalves * schedule.getSplit() / 2), tiles);
  return host.min(host.max(most, 1),
                  host.max(host.ceilDiv(keys, schedule.getSplitMinKeys()), 1));
}

Value AttentionKernel::splitCount(OpBuilder &builder, Location loc, Value batch,
                                  Value queries, Value keys) const {
  HostIntegers host{builder, loc};
  if (!partial())
    return host.constant(1);
  // An empty result has no tiles; nothing is launched then.
  Value tiles = host.max(tileCount(builder, loc, batch, queries), 1);
  // A window leaves out what is further away from all queries of a tile.
  if (shape.window && !streamsKeys())
    keys = host.min(keys, 2 * std::min<int64_t>(shape.window, INT32_MAX) +
                              queriesOfTile());
  Value limit =
      host.ceilDiv(keys, schedule.getSplitMinKeys() * schedule.getKeyBlocks());
  if (streamsKeys())
    return gridSize(builder, loc, host.mul(tiles, limit));
  if (isWarpSpecialized())
    return splitsByCost(*this, host, tiles,
                        host.mul(host.mul(batch, shape.heads), queries), keys,
                        limit);
  // Short splits are worth it as long as one round of loads combines them: of
  // keys in a few bits a block has few warps, whose reads wait for one another.
  // Rows of several queries are many: two warps an SM have to do.
  if (shape.isQuantized()) {
    Value few = host.ceilDiv(keys, kFewKeys * schedule.getKeyWarps());
    few = host.min(few, kOneRound);
    if (packsQueries())
      few = host.min(
          few, host.ceilDiv(host.constant(kFewWarps * schedule.getSplit() /
                                          schedule.getBlocksPerSM()),
                            tiles));
    limit = host.max(limit, few);
  }
  // Persistent blocks must not be one tile too few; nor may blocks that just
  // fit the GPU together be one too many.
  Value blocks = host.constant(schedule.getSplit());
  Value wanted = shape.keyPlanes ? host.max(host.div(blocks, tiles), 1)
                                 : host.ceilDiv(blocks, tiles);
  return host.min(wanted, limit);
}
