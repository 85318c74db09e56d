//===- MappedKv.cpp - Keys and values by tensor maps ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/Warpgroup/MappedKv.h"
#include "Kernels/Support/HostIntegers.h"
#include "SparseFlow/Target/NVPTX/Resources.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Features of a tile in shared memory.
static constexpr int64_t kTileCols = 64;
// Up to that many features the numbers of two pages of a stage are loaded a
// stage ahead, otherwise that of one.
static constexpr int64_t kFewFeatures = 128;
// Shared memory that is left for barriers.
static constexpr int64_t kBarriersBytes = 2048;

/// Bytes of `height` rows of `features` as tiles of shared memory.
static int64_t tileBytes(int64_t height, int64_t features) {
  return height * int64_t(llvm::alignTo(features, kTileCols)) * 2;
}

/// Shared memory that is left beside the barriers, one stage of queries, and
/// those of keys and values.
static int64_t bytesLeft(const AttentionKernel &spec) {
  const AttentionShape &shape = spec.shape;
  int64_t keys = spec.schedule.getKeys();
  int64_t values = spec.dividesValues() ? 0 : tileBytes(keys, shape.dv);
  int64_t stages =
      spec.schedule.getStages() * (tileBytes(keys, shape.d) + values);
  int64_t blocks = spec.schedule.getBlocksPerSM();
  return SMLimits::ofLargest().sharedBytesOfEach(blocks) -
         kBarriersBytes / blocks - stages -
         tileBytes(spec.schedule.getQueries(), shape.d);
}

int64_t AttentionKernel::storeBoxes() const {
  if (!isWarpSpecialized() || partial() || schedule.getPacked() ||
      dividesValues() || shape.resultType.getIntOrFloatBitWidth() != 16)
    return 0;
  int64_t wanted = llvm::divideCeil(shape.dv, kTileCols);
  int64_t fit = bytesLeft(*this) / tileBytes(schedule.getQueries(), kTileCols);
  int64_t boxes = std::clamp<int64_t>(fit, 0, wanted);
  // The next tile begins with the first box again, which must be the one that
  // was stored the longest ago.
  while (boxes > 1 && wanted % boxes)
    --boxes;
  return boxes;
}

SmallVector<int64_t> AttentionKernel::mapped() const {
  SmallVector<int64_t> numbers = {0};
  if (!shape.keyPlanes)
    numbers.push_back(1);
  if (!shape.valuePlanes && !dividesValues())
    numbers.push_back(2);
  return numbers;
}

/// The parameters of `spec` that are tensor maps.
static SmallVector<int64_t> mapsOf(const AttentionKernel &spec) {
  SmallVector<int64_t> numbers = spec.mapped();
  if (spec.storesByTma())
    numbers.push_back(spec.firstOutput());
  return numbers;
}

Value AttentionKernel::gridSize(OpBuilder &builder, Location loc,
                                Value tiles) const {
  if (!schedule.getGrid())
    return HostIntegers{builder, loc}.mul(tiles, schedule.getKeyBlocks());
  return HostIntegers{builder, loc}.min(tiles, schedule.getGrid());
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

MappedKv::MappedKv(const AttentionKernel &spec, OpBuilder &builder)
    : DequantizedKv(spec, builder, mapsOf(spec)),
      cluster(spec.schedule.getCluster()),
      tma(TmaAttr::get(builder.getContext())) {}

void MappedKv::openRings() {
  queryRing = makeRing(queryStages(), schedule.getQueries(), shape.d);
  SmallVector<int64_t> parts = {shape.d};
  if (spec.alternatesScores()) {
    int64_t values = llvm::divideCeil(shape.dv, kTileCols);
    int64_t left = llvm::divideCeil(values, 2);
    int64_t all = llvm::divideCeil(shape.d, kTileCols);
    parts = {left * kTileCols, (values - left) * kTileCols,
             std::max<int64_t>(all - values, 1) * kTileCols};
  }
  for (int64_t features : parts)
    keyRings.push_back(makeRing(schedule.getStages(), keysPerStage, features));
  keyRing = keyRings.front();
  if (!spec.dividesValues())
    valueRing = makeRing(schedule.getStages(), keysPerStage, shape.dv);
}

int64_t MappedKv::queryStages() const {
  // Blocks that divide keys have one tile.
  if (spec.dividesValues() || schedule.getKeyBlocks() > 1)
    return 1;
  int64_t queries = schedule.getQueries();
  int64_t needed = tileBytes(queries, shape.d) +
                   spec.storeBoxes() * tileBytes(queries, kTileCols);
  return needed <= bytesLeft(spec) ? 2 : 1;
}

RingOp MappedKv::makeRing(int64_t stages, int64_t height, int64_t features) {
  SmallVector<TileType> tiles(llvm::divideCeil(features, kTileCols),
                              tile(height, kTileCols));
  return RingOp::create(builder, loc,
                        RingType::get(builder.getContext(), stages, tiles),
                        IntegerAttr(), IntegerAttr());
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

Value MappedKv::mapView(int64_t pointer, Value h, Value at) {
  Type view =
      ViewType::get(builder.getContext(), shape.operandType, Order::TensorMap);
  return ViewOp::create(builder, loc, view, b.pointer(pointer),
                        ValueRange{b.toI64(h), b.toI64(at)});
}

void MappedKv::copyTile(Value queryPosition, Value keyPosition) {
  OpBuilder::InsertionGuard guard(builder);
  if (spec.planned() && !spec.storesBoth())
    builder.setInsertionPointToStart(
        scf::IfOp::create(builder, loc, seesKeys()).thenBlock());
  copyQueries(queryPosition);
  placePlanes();
  if (mayBeEmpty())
    builder.setInsertionPointToStart(
        scf::IfOp::create(builder, loc, hasKeys()).thenBlock());
  if (spec.dequantizesKv() && shape.isQuantized())
    fillStages(keyPosition);
  else if (shape.page)
    copyPagedStages(keyPosition, [] {});
  else
    copyStages(keyPosition, [] {});
}

void MappedKv::copyQueries(Value queryPosition) {
  if (spec.packsQueries()) {
    copyRows(queryRing, queryPosition, mapView(0, firstQuery, batch), head);
    return;
  }
  // Packed heads are the tensor map's positions. Behind them come those of
  // the next key head, whose rows are computed and not stored.
  bool packed = schedule.getPacked();
  Value queries = mapView(0, packed ? b.index(0) : head, batch);
  copyRows(queryRing, queryPosition, queries,
           packed ? b.add(head, firstRow) : firstRow);
}

Value MappedKv::firstKeyOf(Value visit) {
  return b.add(startKey, b.mul(stageOf(visit), keysPerStage));
}

void MappedKv::copyStages(Value keyPosition, function_ref<void()> copyNext) {
  Value keys = keyPages ? Value() : mapView(1, keyHead, keyEntry());
  Value values =
      valuePages || !valueRing ? Value() : mapView(2, keyHead, keyEntry());
  // In the order in which they are used: the keys of a stage before the
  // values of the one before it. In another a copy would wait for a stage
  // that is freed later than its own.
  auto copyVisit = [&](ArrayRef<RingOp> rings, Value view, Value visit) {
    if (rings.empty())
      return;
    Value position = b.add(keyPosition, visit);
    if (!view)
      return expandStage(rings.front() == keyRing, rings.front(), position,
                         visit);
    Value row = firstKeyOf(visit);
    if (firstKey)
      row = b.add(firstKey, row);
    int64_t firstTile = 0;
    for (RingOp ring : rings) {
      copyRows(ring, position, view, row, firstTile);
      firstTile += ring.getRing().getType().getTiles().size();
    }
  };
  ArrayRef<RingOp> valueRings(&valueRing, valueRing ? 1 : 0);
  copyVisit(keyRings, keys, b.index(0));
  copyNext();
  Value last = b.add(stageCount, -1);
  auto loop = scf::ForOp::create(builder, loc, b.index(0), last, b.index(1));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value visit = loop.getInductionVar();
    // Beside keys that are dequantized, values would start only when these
    // are there, and be late.
    bool valuesFirst = keyPages && !valuePages;
    if (valuesFirst)
      copyVisit(valueRings, values, visit);
    copyVisit(keyRings, keys, b.add(visit, 1));
    if (!valuesFirst)
      copyVisit(valueRings, values, visit);
  }
  copyVisit(valueRings, values, last);
}

/// In the order of copyStages. What fills the next stage is on its way while
/// one is filled; an entry of the page table is loaded a stage before that.
/// Beside two warpgroups that take turns words of 8 bits are loaded piece by
/// piece, as what is filled leaves registers for them.
void MappedKv::fillStages(Value keyPosition) {
  bool isPaged = shape.page > 0;
  NumberTiles keys = numberTiles(/*isKeys=*/true, keyRing);
  NumberTiles values = numberTiles(/*isKeys=*/false, valueRing);
  bool inPieces = schedule.getTurns() &&
                  std::max(keyNumbers.bits(), valueNumbers.bits()) == 8;
  // What starts loading a piece of the keys, or the values, of a stage.
  auto loading = [&](bool isKeys, Value visit, Value entry,
                     SmallVector<Value> &loaded) {
    const NumberTiles &tiles = isKeys ? keys : values;
    Value page = pageOfWarp(tiles, isKeys, visit, entry);
    return [&tiles, &loaded, page](int64_t piece) {
      llvm::append_range(loaded, tiles.load(page, piece));
    };
  };
  auto loadAll = [&](function_ref<void(int64_t)> loadPiece) {
    for (int64_t piece = 0; piece < keys.pieces(); ++piece)
      loadPiece(piece);
  };
  auto load = [&](bool isKeys, Value visit, Value entry) {
    SmallVector<Value> loaded;
    loadAll(loading(isKeys, visit, entry, loaded));
    return loaded;
  };
  auto nothing = [](int64_t) {};
  auto fill = [&](const NumberTiles &tiles, ValueRange loaded, Value visit,
                  Value entry, function_ref<void(int64_t)> loadNext) {
    if (!inPieces)
      loadAll(loadNext);
    tiles.fill(b.add(keyPosition, visit), loaded,
               entry ? isPage(entry) : Value(), inPieces ? loadNext : nothing);
  };
  // Of this stage, and the two that are visited next.
  SmallVector<Value> entries(3);
  if (isPaged)
    for (int64_t ahead = 0; ahead < 3; ++ahead)
      entries[ahead] = loadEntryOfWarp(keys, b.index(ahead));
  SmallVector<Value> first = load(/*isKeys=*/true, b.index(0), entries[0]);
  SmallVector<Value> carried;
  fill(keys, first, b.index(0), entries[0],
       loading(/*isKeys=*/true, b.index(1), entries[1], carried));
  size_t count = carried.size();
  if (isPaged)
    llvm::append_range(carried, entries);
  Value last = b.add(stageCount, -1);
  auto loop =
      scf::ForOp::create(builder, loc, b.index(0), last, b.index(1), carried);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value visit = loop.getInductionVar();
    ValueRange inside = loop.getRegionIterArgs();
    SmallVector<Value> now(3), loaded;
    if (isPaged)
      now.assign(inside.begin() + count, inside.end());
    fill(keys, inside.take_front(count), b.add(visit, 1), now[1],
         loading(/*isKeys=*/false, visit, now[0], loaded));
    carried.clear();
    fill(values, loaded, visit, now[0],
         loading(/*isKeys=*/true, b.add(visit, 2), now[2], carried));
    if (isPaged)
      carried.append({now[1], now[2], loadEntryOfWarp(keys, b.add(visit, 3))});
    scf::YieldOp::create(builder, loc, carried);
  }
  Value entry = isPaged ? loop.getResult(count) : Value();
  fill(values, load(/*isKeys=*/false, last, entry), last, entry, nothing);
}

/// Copies are issued by one thread: the role's only one, or the first where
/// all of them dequantize planes.
void MappedKv::copyRows(RingOp ring, Value position, Value view, Value row,
                        int64_t firstTile) {
  OpBuilder::InsertionGuard guard(builder);
  if (spec.dequantizesKv()) {
    Value thread = gpu::ThreadIdOp::create(builder, loc, builder.getIndexType(),
                                           gpu::Dimension::x);
    Value first = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        thread, b.index(0));
    auto branch = scf::IfOp::create(builder, loc, first);
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  auto acquired = AcquireOp::create(builder, loc, ring, position);
  IntegerAttr sharers;
  if (cluster > 1 && ring != queryRing)
    sharers = builder.getI64IntegerAttr(cluster);
  UnitAttr once;
  if (ring != queryRing && spec.readsKeysOnce())
    once = builder.getUnitAttr();
  int64_t pieces = 1, pieceRows = spec.boxRows()[1];
  if (ring != queryRing && spec.copiesPieces())
    pieces = keysPerStage / pieceRows;
  for (int64_t piece = 0; piece < pieces; ++piece) {
    Value first = row;
    IntegerAttr which, count;
    if (pieces > 1) {
      first = b.add(row, piece * pieceRows);
      // Outside the map nothing is read, zeros come, and their bytes count.
      first = arith::SelectOp::create(builder, loc, less(first, length), first,
                                      index(kKeys));
      which = builder.getI64IntegerAttr(piece);
      count = builder.getI64IntegerAttr(pieces);
    }
    // Rows behind the last whole query hold anything, and are not stored.
    Value some;
    if (int64_t packed = spec.rowsOfTile() * spec.queriesOfTile();
        ring == queryRing && spec.packsQueries() &&
        packed < schedule.getQueries())
      some = b.i64(packed);
    for (auto [number, slot] : llvm::enumerate(acquired.getSlots()))
      CopyOp::create(builder, loc, view, b.toI64(first),
                     b.i64((firstTile + number) * kTileCols), slot,
                     /*rows=*/some, tma, sharers, UnitAttr(), UnitAttr(), which,
                     count, once);
  }
  CommitOp::create(builder, loc, ring, position);
}

//===----------------------------------------------------------------------===//
// Pages
//===----------------------------------------------------------------------===//

Value MappedKv::loadEntry(Value key, Value wanted) {
  Value inside = less(key, length);
  if (wanted)
    inside = arith::AndIOp::create(builder, loc, wanted, inside);
  return loadPageNumber(key, inside);
}

SmallVector<Value> MappedKv::loadEntries(Value visit) {
  Value wanted = less(visit, stageCount);
  Value firstKey = firstKeyOf(visit);
  SmallVector<Value> entries;
  for (int64_t from = 0; from < keysPerStage; from += spec.boxRows()[1])
    entries.push_back(loadEntry(b.add(firstKey, from), wanted));
  return entries;
}

void MappedKv::copyPieces(ArrayRef<RingOp> rings, int64_t pointer,
                          Value keyPosition, Value visit, ValueRange entries) {
  int64_t rows = spec.boxRows()[1];
  Value firstKey = firstKeyOf(visit);
  Value position = b.add(keyPosition, visit);
  Value count = b.toI32(b.size(kPageCount));
  int64_t pieces = keysPerStage / rows, firstTile = 0;
  UnitAttr once;
  if (spec.readsKeysOnce())
    once = builder.getUnitAttr();
  for (RingOp ring : rings) {
    auto acquired = AcquireOp::create(builder, loc, ring, position);
    for (int64_t number = 0; number < pieces; ++number) {
      Value key = b.add(firstKey, number * rows);
      Value entry = entries.empty() ? loadEntry(key, /*wanted=*/Value())
                                    : entries[number];
      // A negative number is a large one.
      Value page = arith::ExtUIOp::create(
          builder, loc, builder.getI64Type(),
          arith::MinUIOp::create(builder, loc, entry, count));
      Value row = rows == shape.page ? b.index(0) : b.rem(key, shape.page);
      Value view = mapView(pointer, keyHead, page);
      for (auto [chunk, slot] : llvm::enumerate(acquired.getSlots()))
        CopyOp::create(builder, loc, view, b.toI64(row),
                       b.i64((firstTile + chunk) * kTileCols), slot,
                       /*rows=*/Value(), tma, IntegerAttr(), UnitAttr(),
                       UnitAttr(), builder.getI64IntegerAttr(number),
                       builder.getI64IntegerAttr(pieces), once);
    }
    CommitOp::create(builder, loc, ring, position);
    firstTile += acquired.getSlots().size();
  }
}

/// In the order of copyStages. The keys of a stage and its values have the same
/// entries; those of the stage after it are loaded before either is copied,
/// which waits until one is free. Many entries would take registers that
/// producers do not have: each is loaded where it is used then.
void MappedKv::copyPagedStages(Value keyPosition,
                               function_ref<void()> copyNext) {
  int64_t most = std::max(shape.d, shape.dv) <= kFewFeatures ? 2 : 1;
  bool isAhead = keysPerStage / spec.boxRows()[1] <= most;
  ArrayRef<RingOp> valueRings(&valueRing, valueRing ? 1 : 0);
  SmallVector<Value> carried;
  if (isAhead)
    carried = loadEntries(b.index(0));
  size_t pieces = carried.size();
  if (isAhead)
    llvm::append_range(carried, loadEntries(b.index(1)));
  copyPieces(keyRings, 1, keyPosition, b.index(0),
             ValueRange(carried).take_front(pieces));
  copyNext();
  Value last = b.add(stageCount, -1);
  auto loop =
      scf::ForOp::create(builder, loc, b.index(0), last, b.index(1), carried);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value visit = loop.getInductionVar();
    ValueRange entries = loop.getRegionIterArgs();
    if (isAhead) {
      carried.assign(entries.begin() + pieces, entries.end());
      llvm::append_range(carried, loadEntries(b.add(visit, 2)));
    }
    copyPieces(keyRings, 1, keyPosition, b.add(visit, 1),
               entries.drop_front(pieces));
    copyPieces(valueRings, 2, keyPosition, visit, entries.take_front(pieces));
    // A loop that carries nothing has its terminator.
    if (isAhead)
      scf::YieldOp::create(builder, loc, carried);
  }
  copyPieces(valueRings, 2, keyPosition, last,
             loop.getResults().take_front(pieces));
}
