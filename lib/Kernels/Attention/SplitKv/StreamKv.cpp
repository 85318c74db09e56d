//===- StreamKv.cpp - Equal shares of keys of several lengths -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/SplitKv/StreamKv.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr int64_t kLanes = 32;
static constexpr int64_t kUnitsOfStage = 2;
// What an SM reads in the time that a tile takes beside its keys, in keys; and
// in that of storing and combining partial sums.
static constexpr int64_t kTileKeys = 128, kCombiningBytes = 96 << 10;

static Value less(KernelBuilder &b, Value x, Value y) {
  return arith::CmpIOp::create(b.builder, b.loc, arith::CmpIPredicate::slt, x,
                               y);
}

static Value select(KernelBuilder &b, Value condition, Value yes, Value no) {
  return arith::SelectOp::create(b.builder, b.loc, condition, yes, no);
}

static Value product(KernelBuilder &b, Value x, Value y) {
  return b.builder.createOrFold<arith::MulIOp>(b.loc, x, y);
}

static Value difference(KernelBuilder &b, Value x, Value y) {
  return b.builder.createOrFold<arith::SubIOp>(b.loc, x, y);
}

static Value max(KernelBuilder &b, Value x, Value y) {
  return b.builder.createOrFold<arith::MaxSIOp>(b.loc, x, y);
}

StreamKv::StreamKv(KernelBuilder &b, const AttentionShape &shape,
                   sftile::AttentionScheduleAttr schedule, Value lengths,
                   Value entries, Value keys, Value grid)
    : b(b), shape(shape), keysPerStage(schedule.getKeys()), lengths(lengths),
      entries(b.toI32(entries)), keys(b.toI32(keys)) {
  tileUnits = kTileKeys * kUnitsOfStage / keysPerStage;
  lane = b.rem(
      b.toI32(gpu::ThreadIdOp::create(b.builder, b.loc, gpu::Dimension::x)),
      kLanes);
  // And the most units of a tile, of the lane's entries.
  SmallVector<Value> found = forEachTurn(
      {b.i32(0), b.i32(1)},
      [&](Value, Value units, Value, Value behind,
          ValueRange carried) -> SmallVector<Value> {
        return {b.add(carried.front(), fromLane(behind, b.i32(kLanes - 1))),
                max(b, carried.back(), units)};
      });
  total = found.front();
  Value most = found.back();
  for (int64_t step = 1; step < kLanes; step *= 2)
    most = max(b, most,
               gpu::ShuffleOp::create(b.builder, b.loc, most, b.i32(step),
                                      b.i32(kLanes), gpu::ShuffleMode::XOR)
                   .getShuffleResult());
  int64_t least =
      kUnitsOfStage *
      std::max<int64_t>(
          1, llvm::divideCeil(schedule.getSplitMinKeys(), keysPerStage));
  blocks = max(b, b.min(b.toI32(grid), b.div(total, least)), b.i32(1));
  divide(most);
}

/// Units, or whole tiles if all have `most` units and they cost the block with
/// the most of them no more than combining would. What both ways
/// need is computed side by side, since a block's first keys wait for it.
void StreamKv::divide(Value most) {
  Value tiles = b.mul(entries, shape.keyHeads);
  auto roundedUp = [&](Value quotient, Value remainder) -> Value {
    return b.add(quotient,
                 select(b, less(b, b.i32(0), remainder), b.i32(1), b.i32(0)));
  };
  Value eachUnits = b.div(total, blocks), longerUnits = b.rem(total, blocks);
  Value eachTiles = b.div(tiles, blocks), longerTiles = b.rem(tiles, blocks);
  Value equal =
      arith::CmpIOp::create(b.builder, b.loc, arith::CmpIPredicate::eq,
                            product(b, tiles, most), total);
  // In stages; what tiles cost beside them is left out on both sides.
  int64_t stageBytes = keysPerStage * (shape.d + shape.dv) *
                       shape.operandType.getIntOrFloatBitWidth() / 8;
  Value stages = stagesBefore(most);
  Value eachStages =
      b.div(b.add(product(b, tiles, stages), b.add(blocks, -1)), blocks);
  Value cheap = less(b, product(b, roundedUp(eachTiles, longerTiles), stages),
                     b.add(eachStages, kCombiningBytes / stageBytes + 1));
  Value whole = arith::AndIOp::create(b.builder, b.loc, equal, cheap);
  // Fewer tiles than blocks are one each.
  Value few = less(b, tiles, blocks);
  longerTiles = select(b, few, b.i32(0), longerTiles);
  grain = select(b, whole, most, b.i32(1));
  each = select(b, whole, max(b, eachTiles, b.i32(1)), eachUnits);
  longer = select(b, whole, longerTiles, longerUnits);
  blocks = select(b, whole, b.min(blocks, tiles), blocks);
}

/// As AttentionTile::boundKeys() has it for the one query at the last key; 0
/// behind the last entry.
Value StreamKv::unitsOf(Value entry) {
  OpBuilder &builder = b.builder;
  Type i32 = builder.getI32Type();
  Value exists = less(b, entry, entries);
  Value at =
      LLVM::GEPOp::create(builder, b.loc, lengths.getType(), i32, lengths,
                          b.toI64(b.min(entry, b.add(entries, -1))));
  Value length = LLVM::LoadOp::create(builder, b.loc, i32, at, /*alignment=*/4);
  length = b.min(max(b, length, b.i32(0)), keys);
  Value units = b.div(b.add(length, keysPerStage - 1), keysPerStage);
  if (shape.window) {
    Value first = max(b, b.add(length, -shape.window), b.i32(0));
    units = difference(b, units, b.div(first, keysPerStage));
  }
  units = b.add(b.mul(max(b, units, b.i32(1)), kUnitsOfStage), tileUnits);
  return select(b, exists, units, b.i32(0));
}

Value StreamKv::stagesBefore(Value unit) {
  return b.div(max(b, b.add(unit, -tileUnits), b.i32(0)), kUnitsOfStage);
}

Value StreamKv::fromLane(Value value, Value lane) {
  return gpu::ShuffleOp::create(b.builder, b.loc, value, lane, b.i32(kLanes),
                                gpu::ShuffleMode::IDX)
      .getShuffleResult();
}

SmallVector<Value> StreamKv::forEachTurn(
    ArrayRef<Value> start,
    function_ref<SmallVector<Value>(Value, Value, Value, Value, ValueRange)>
        body) {
  OpBuilder &builder = b.builder;
  auto loop = scf::ForOp::create(builder, b.loc, b.i32(0), entries,
                                 b.i32(kLanes), start);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value entry = b.add(loop.getInductionVar(), lane);
  Value units = unitsOf(entry);
  Value mine = b.mul(units, shape.keyHeads), behind = mine;
  for (int64_t step = 1; step < kLanes; step *= 2) {
    Value left = fromLane(behind, b.add(lane, -step));
    Value none = less(b, lane, b.i32(step));
    behind = b.add(behind, select(b, none, b.i32(0), left));
  }
  SmallVector<Value> carried = body(entry, units, difference(b, behind, mine),
                                    behind, loop.getRegionIterArgs());
  scf::YieldOp::create(builder, b.loc, carried);
  return llvm::to_vector(ValueRange(loop.getResults()));
}

SmallVector<StreamKv::Place> StreamKv::find(ArrayRef<Value> wanted) {
  assert(wanted.size() <= 2 && "counts of lanes share a register");
  constexpr int64_t kCountBits = 16;
  // Units of the turns before; for each wanted unit its entry, the units before
  // that and of a tile of it.
  SmallVector<Value> start(1 + 3 * wanted.size(), b.i32(0));
  SmallVector<Value> found = forEachTurn(
      start,
      [&](Value entry, Value units, Value before, Value behind,
          ValueRange carried) -> SmallVector<Value> {
        Value passed = carried.front(), count = b.i32(0);
        before = b.add(passed, before);
        Value exists = less(b, b.i32(0), units);
        // How many lanes' entries begin at the unit or before it.
        for (auto [number, unit] : llvm::enumerate(wanted)) {
          Value begins = arith::AndIOp::create(b.builder, b.loc, exists,
                                               less(b, before, b.add(unit, 1)));
          count =
              b.add(count, select(b, begins,
                                  b.i32(int64_t(1) << (number * kCountBits)),
                                  b.i32(0)));
        }
        for (int64_t step = 1; step < kLanes; step *= 2)
          count =
              b.add(count,
                    gpu::ShuffleOp::create(b.builder, b.loc, count, b.i32(step),
                                           b.i32(kLanes), gpu::ShuffleMode::XOR)
                        .getShuffleResult());
        SmallVector<Value> next = {
            b.add(passed, fromLane(behind, b.i32(kLanes - 1)))};
        for (size_t number = 0; number < wanted.size(); ++number) {
          Value lanes = b.rem(b.div(count, int64_t(1) << (number * kCountBits)),
                              int64_t(1) << kCountBits);
          Value any = less(b, b.i32(0), lanes);
          Value last = b.add(lanes, -1);
          for (auto [place, value] :
               llvm::enumerate(std::array<Value, 3>{entry, before, units}))
            next.push_back(select(b, any, fromLane(value, last),
                                  carried[1 + 3 * number + place]));
        }
        return next;
      });
  SmallVector<Place> places;
  for (auto [number, unit] : llvm::enumerate(wanted)) {
    Value units = found[3 + 3 * number];
    Value inEntry = difference(b, unit, found[2 + 3 * number]);
    Value head = b.div(inEntry, units);
    places.push_back({b.add(b.mul(found[1 + 3 * number], shape.keyHeads), head),
                      difference(b, inEntry, product(b, head, units)), units});
  }
  return places;
}

Value StreamKv::firstUnit(Value block) {
  block = b.min(block, blocks);
  return product(b, grain,
                 b.add(product(b, block, each), b.min(block, longer)));
}

Value StreamKv::blockOf(Value unit) {
  unit = b.div(unit, grain);
  Value split = product(b, longer, b.add(each, 1));
  Value behind = b.add(longer, b.div(difference(b, unit, split), each));
  return select(b, less(b, unit, split), b.div(unit, b.add(each, 1)), behind);
}

StreamKv::Partials StreamKv::partialsOf(Value block, const Place &begin) {
  auto both = [&](Value x, Value y) -> Value {
    return arith::AndIOp::create(b.builder, b.loc, x, y);
  };
  Value before = max(b, b.add(block, -1), b.i32(0));
  Value earlier = firstUnit(before);
  Value start = difference(b, firstUnit(block), begin.unit);
  Value exists = less(b, block, blocks);
  // Units with which the tile's first stage ends.
  int64_t first = tileUnits + kUnitsOfStage;
  Value reaches = less(b, difference(b, earlier, start), b.i32(first));
  Value cut =
      both(exists, both(less(b, b.i32(first - 1), begin.unit), reaches));
  Value end = blockOf(b.add(b.add(start, begin.units), -1));
  Value count = b.add(difference(b, end, before), 1);
  Value second = select(b, less(b, earlier, start), b.i32(1), b.i32(0));
  return {begin.tile, select(b, cut, count, b.i32(0)),
          b.add(b.mul(before, 2), second)};
}

/// Where number `number` of the partials of `block` lies.
static Value partialsAt(KernelBuilder &b, Value pointer, Value block,
                        int64_t number) {
  constexpr int64_t kWords = StreamKv::kPartialsBytes / 4;
  return LLVM::GEPOp::create(b.builder, b.loc, pointer.getType(),
                             b.builder.getI32Type(), pointer,
                             b.toI64(b.add(b.mul(block, kWords), number)));
}

void StreamKv::storePartials(KernelBuilder &b, Value pointer, Value block,
                             const Partials &partials) {
  for (auto [number, value] : llvm::enumerate(std::array<Value, 3>{
           partials.tile, partials.count, partials.firstPlace}))
    LLVM::StoreOp::create(b.builder, b.loc, value,
                          partialsAt(b, pointer, block, number),
                          /*alignment=*/4);
}

StreamKv::Partials StreamKv::loadPartials(KernelBuilder &b, Value pointer,
                                          Value block) {
  auto load = [&](int64_t number) -> Value {
    return LLVM::LoadOp::create(b.builder, b.loc, b.builder.getI32Type(),
                                partialsAt(b, pointer, block, number),
                                /*alignment=*/4);
  };
  return {load(0), load(1), load(2)};
}
