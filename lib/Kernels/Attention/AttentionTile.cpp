//===- AttentionTile.cpp - The tile of attention that a block computes ----===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/AttentionTile.h"
#include "Kernels/Attention/Plan/TilePlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

AttentionTile::AttentionTile(const AttentionKernel &spec, OpBuilder &builder,
                             ArrayRef<int64_t> maps)
    : spec(spec), shape(spec.shape), schedule(spec.schedule), builder(builder),
      loc(spec.loc),
      b(builder, spec.loc, spec.name, spec.pointerCount(),
        kSizeCount + (shape.page > 0), schedule.getNumWarps(), schedule, maps),
      f32(builder.getF32Type()), rows(schedule.getWarp()),
      keysPerStage(schedule.getKeys()) {}

TileType AttentionTile::tile(int64_t height, int64_t width) {
  return TileType::get(builder.getContext(), {height, width}, shape.operandType,
                       Order::Swizzled);
}

//===----------------------------------------------------------------------===//
// Which part of the result, and which keys
//===----------------------------------------------------------------------===//

Value AttentionTile::index(AttentionSize which) {
  if (Value size = sizesOfTile[which])
    return size;
  if (which < kSplits && ShapedType::isStatic(shape.sizes[which]))
    return b.index(shape.sizes[which]);
  return narrowed(b.toIndex(b.size(which)));
}

Value AttentionTile::narrowed(Value value) {
  if (!isShortOfRegisters() || getConstantIntValue(value))
    return value;
  return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                      toI32(value));
}

bool AttentionTile::wholeStages() const {
  // Pages of a cache are whole.
  if (shape.keyPlanes && TernaryAttr::kPageTokens % keysPerStage == 0)
    return !shape.hasLengths;
  return !shape.hasLengths && !shape.varlen &&
         ShapedType::isStatic(shape.sizes[kKeys]) &&
         shape.sizes[kKeys] % schedule.getKeys() == 0;
}

bool AttentionTile::hasMasks() const {
  return !wholeStages() || spec.masksCausally() || shape.window;
}

Value AttentionTile::unitFactor() const {
  return shape.score || shape.scale <= 0.0f ? Value() : scoreFactor;
}

Value AttentionTile::sub(Value x, Value y) {
  return builder.createOrFold<arith::SubIOp>(loc, x, y);
}

Value AttentionTile::product(Value x, Value y) {
  return builder.createOrFold<arith::MulIOp>(loc, x, y);
}

Value AttentionTile::max(Value x, Value y) {
  return builder.createOrFold<arith::MaxSIOp>(loc, x, y);
}

Value AttentionTile::less(Value x, Value y) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, x, y);
}

Value AttentionTile::toI32(Value value) {
  return builder.createOrFold<arith::IndexCastOp>(loc, builder.getI32Type(),
                                                  value);
}

Value AttentionTile::tilesOfHead() {
  if (schedule.getPacked() && !spec.packsQueries())
    return b.index(
        llvm::divideCeil(shape.heads / shape.keyHeads, schedule.getQueries()));
  int64_t queries = spec.rowsOfCluster();
  return b.div(b.add(index(kQueries), queries - 1), queries);
}

int64_t AttentionTile::headsTogether() const {
  if (!seesMoreLater() || schedule.getPacked())
    return 1;
  // Planes are small.
  if (!schedule.getGroupBytes() || shape.keyPlanes ||
      ShapedType::isDynamic(shape.sizes[kKeys]))
    return schedule.getGroup();
  int64_t bytes = shape.operandType.getIntOrFloatBitWidth() / 8;
  int64_t keyHead = shape.sizes[kKeys] * (shape.d + shape.dv) * bytes;
  int64_t fit = std::max<int64_t>(
      schedule.getGroupBytes() / std::max<int64_t>(keyHead, 1), 1);
  return std::min(fit * (shape.heads / shape.keyHeads), schedule.getGroup());
}

Value AttentionTile::planWord(Value tile, int64_t word) {
  Type i32 = builder.getI32Type();
  Value at = advance(b.pointer(spec.planPointer()),
                     b.add(b.mul(tile, kPlanWords), word), i32);
  return LLVM::LoadOp::create(builder, loc, i32, at, /*alignment=*/4);
}

Value AttentionTile::toIndex(Value word) {
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    uniform(word));
}

Value AttentionTile::plannedTiles(bool seeing) {
  Value count = planWord(b.index(0), seeing ? kPlanSeeingTiles : kPlanTiles);
  return b.mul(toIndex(count), spec.tileHeads());
}

SmallVector<Value> AttentionTile::loadPlanned(Value id) {
  Value tile = b.add(b.div(id, spec.tileHeads()), 1);
  SmallVector<Value> words;
  for (int64_t word = 0; word <= kPlanSequenceRow; ++word)
    words.push_back(planWord(tile, word));
  return words;
}

void AttentionTile::placePlanned(Value id, ValueRange words) {
  split = b.index(0);
  head = b.mul(b.rem(id, spec.tileHeads()), spec.headsOfTile());
  keyHead = b.div(head, shape.heads / shape.keyHeads);
  firstRow = clusterRow = toIndex(words[kPlanFirstRow]);
  rowCount = toIndex(words[kPlanEndRow]);
  shift = toIndex(words[kPlanShift]);
  length = toIndex(words[kPlanKeys]);
  batch = b.index(0);
  sequence = toIndex(words[kPlanSequence]);
  if (!shape.varlen) {
    batch = sequence;
    return;
  }
  if (shape.hasKeyOffsets())
    firstKey = toIndex(words[kPlanFirstKey]);
  if (shape.score)
    sequenceRow = toIndex(words[kPlanSequenceRow]);
}

void AttentionTile::placeBlock(Value id) {
  if (spec.planned())
    return placePlanned(id);
  if (!spec.streamsKeys())
    split = b.index(0);
  if (spec.partial() && !spec.streamsKeys()) {
    split = b.rem(id, index(kSplits));
    id = b.div(id, index(kSplits));
  }
  int64_t ratio = shape.heads / shape.keyHeads;
  Value all = narrowed(b.mul(index(kBatch), spec.tileHeads()));
  Value tileCount = tilesOfHead();
  int64_t group = headsTogether();
  Value perGroup = narrowed(b.mul(tileCount, group));
  Value firstHead = b.mul(b.div(id, perGroup), group);
  Value inGroup = b.rem(id, perGroup);
  Value width = b.min(sub(all, firstHead), b.index(group));
  // Where the groups divide the heads no division is left.
  if (ShapedType::isStatic(shape.sizes[kBatch]) &&
      shape.sizes[kBatch] * spec.tileHeads() % group == 0)
    width = b.index(group);
  Value number = b.div(inGroup, width);
  if (seesMoreLater() && schedule.getGrid()) {
    // A swizzle group begins where the one before it ended, so that persistent
    // blocks get nearly equal numbers of keys in all. The last group ends with
    // its shortest tiles.
    Value last = b.div(b.add(all, -1), group);
    Value backwards = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq,
        b.rem(sub(last, b.div(id, perGroup)), 2), b.index(0));
    number = arith::SelectOp::create(builder, loc, backwards,
                                     sub(b.add(tileCount, -1), number), number);
  } else if (seesMoreLater()) {
    number = sub(b.add(tileCount, -1), number);
  }
  Value headAndBatch = b.add(firstHead, b.rem(inGroup, width));
  batch = b.div(headAndBatch, spec.tileHeads());
  Value tileHead = b.rem(headAndBatch, spec.tileHeads());
  firstRow = b.mul(number, spec.rowsOfCluster());
  clusterRow = firstRow;
  int64_t together = spec.headsOfCluster();
  if (together > 1)
    tileHead = b.add(b.mul(tileHead, together), rank);
  else if (rank)
    firstRow = b.add(firstRow, b.mul(rank, schedule.getQueries()));
  if (schedule.getPacked()) {
    keyHead = tileHead;
    head = b.mul(keyHead, ratio);
    rowCount = b.index(ratio);
    if (spec.packsQueries()) {
      firstQuery = firstRow;
      Value behind =
          b.min(b.add(firstQuery, spec.queriesOfTile()), index(kQueries));
      firstRow = b.mul(firstQuery, ratio);
      rowCount = b.mul(behind, ratio);
    }
  } else {
    head = tileHead;
    keyHead = b.div(head, ratio);
    rowCount = index(kQueries);
  }
}

Value AttentionTile::keyEntry() {
  return shape.hasOwnCaches() ? sequence : batch;
}

/// The number of the first element of (batch entry, head) in a tensor of
/// `length` positions of `heads` heads of `width` features.
Value AttentionTile::elementOf(Value h, Value length, int64_t heads,
                               int64_t width, Value entry) {
  Value start = b.mul(product(entry ? entry : batch, length), heads);
  Value inside = shape.bhsd ? product(h, length) : h;
  return b.mul(b.add(start, inside), width);
}

Value AttentionTile::advance(Value pointer, Value elements, Type type) {
  return LLVM::GEPOp::create(builder, loc, pointer.getType(), type, pointer,
                             b.toI64(elements));
}

Value AttentionTile::headView(Value pointer, Type type, Value h, Value length,
                              int64_t heads, int64_t width, Value rowsInside,
                              bool packed, Value entry) {
  Value start =
      advance(pointer, elementOf(h, length, heads, width, entry), type);
  int64_t query = shape.bhsd ? width : heads * width;
  if (packed && spec.packsQueries())
    return packedView(start, type, rowsInside, width,
                      shape.bhsd ? b.toI64(b.mul(length, width)) : b.i64(width),
                      b.i64(query));
  // Packed heads of the one query follow one another in both layouts.
  return b.view(start, type, b.toI64(rowsInside), width,
                packed ? width : query);
}

Value AttentionTile::packedView(Value start, Type type, Value rowsInside,
                                int64_t width, Value head, Value query) {
  return ViewOp::create(
      builder, loc,
      ViewType::get(builder.getContext(), type, Order::GroupedRows), start,
      b.toI64(rowsInside), b.i64(width), head,
      builder.getI64IntegerAttr(spec.rowsOfTile()), query, ValueRange());
}

Value AttentionTile::loadPageNumber(Value key, Value inside) {
  Type i32 = builder.getI32Type();
  auto entry = scf::IfOp::create(builder, loc, i32, inside, true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(entry.thenBlock());
  Value before = product(keyEntry(), b.div(index(kKeys), shape.page));
  Value at = advance(b.pointer(spec.tablePointer()),
                     b.add(before, b.div(key, shape.page)), i32);
  Value loaded = LLVM::LoadOp::create(builder, loc, i32, at, /*alignment=*/4);
  scf::YieldOp::create(builder, loc, loaded);
  builder.setInsertionPointToStart(entry.elseBlock());
  scf::YieldOp::create(builder, loc, b.i32(-1));
  return entry.getResult(0);
}

AttentionTile::KeyPlace AttentionTile::placeOfKeys(Value first, Value end) {
  // A negative number is a large one.
  Value number = loadPageNumber(first, less(first, end));
  Value isPage = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                       number, b.toI32(b.size(kPageCount)));
  Value page = arith::SelectOp::create(builder, loc, isPage, number, b.i32(0));
  Value row = b.rem(first, shape.page);
  Value rowsInside = arith::SelectOp::create(
      builder, loc, isPage, b.add(row, sub(end, first)), b.index(0));
  return {
      arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), page),
      row, rowsInside};
}

Value AttentionTile::pageView(const KeyPlace &place, int64_t pointer,
                              int64_t width) {
  int64_t heads = shape.keyHeads;
  Value head = shape.bhsd ? b.mul(keyHead, shape.page) : keyHead;
  int64_t pitch = pointer == 2 ? shape.valuePitch : shape.keyPitch;
  Value before = b.add(b.mul(place.page, pitch * shape.page * heads), head);
  return b.view(
      advance(b.pointer(pointer), b.mul(before, width), shape.operandType),
      shape.operandType, b.toI64(place.rowsInside), width,
      shape.bhsd ? width : heads * width);
}

Value AttentionTile::keysOfEntry() {
  Value keys = index(kKeys);
  if (!shape.hasLengths)
    return keys;
  Value at = advance(b.pointer(3), batch, builder.getI32Type());
  Value given = LLVM::LoadOp::create(builder, loc, builder.getI32Type(), at,
                                     /*alignment=*/4);
  given = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                     uniform(given));
  return b.min(max(given, b.index(0)), keys);
}

void AttentionTile::placeWarp() {
  // Warps that split the keys, or the features, have the same rows.
  int64_t sharers = schedule.getWarpsOfRow();
  warpRow = b.index(0);
  if (schedule.getNumConsumerWarps() > sharers || sharers == 1) {
    Value warp = WarpIdOp::create(builder, loc, builder.getIndexType());
    warpRow = b.mul(sharers > 1 ? b.div(warp, sharers) : warp, rows);
  }
  warpTileRow = warpRow;
  tileHead = head;
  if (spec.headsOfTile() > 1) {
    head = b.add(head, b.div(warpTileRow, spec.queriesOfTile()));
    warpRow = b.rem(warpTileRow, spec.queriesOfTile());
  }
  Value position = spec.sharesPositions() ? b.add(firstQuery, shift)
                   : schedule.getPacked() && !spec.packsQueries()
                       ? b.add(length, -1)
                       : b.add(b.add(firstRow, warpRow), shift);
  relativeLength = toI32(sub(length, startKey));
  relativePosition = toI32(sub(position, startKey));
}

SmallVector<Value *> AttentionTile::place() {
  SmallVector<Value *> members;
  for (Value *member :
       {&split,         &batch,        &head,           &keyHead,
        &firstRow,      &rowCount,     &firstQuery,     &warpRow,
        &warpTileRow,   &tileHead,     &sequence,       &sequenceRow,
        &firstKey,      &clusterRow,   &length,         &shift,
        &firstPosition, &lastPosition, &startKey,       &stageCount,
        &maskedFrom,    &maskedBefore, &relativeLength, &relativePosition})
    if (*member)
      members.push_back(member);
  return members;
}

SmallVector<Value> AttentionTile::placed() {
  SmallVector<Value> values;
  for (Value *member : place())
    values.push_back(*member);
  return values;
}

void AttentionTile::restore(ValueRange values) {
  for (auto [member, value] : llvm::zip_equal(place(), values))
    *member = value;
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

ScorePlace AttentionTile::scorePlace(Value firstKey) {
  Value row = b.add(firstRow, warpRow);
  ScorePlace place;
  place.key = firstKey;
  place.row = sequenceRow ? sub(row, sequenceRow) : row;
  place.batch = sequence ? sequence : batch;
  place.head = head;
  place.packed = schedule.getPacked();
  place.severalQueries = spec.packsQueries();
  place.batchCount = index(kBatch);
  place.queryCount = index(kQueries);
  place.keyCount = index(kKeys);
  place.firstPointer = spec.firstOperand();
  place.operandKeys = spec.operandKeys;
  return place;
}

SmallVector<Value> AttentionTile::applyScore(Softmax &softmax,
                                             ArrayRef<Value> scores,
                                             int64_t columns, Value firstKey) {
  SmallVector<Value> results;
  for (auto [piece, score] : llvm::enumerate(scores)) {
    ScorePlace place = scorePlace(b.add(firstKey, piece * columns));
    SmallVector<Value> operands = softmax.loadOperands(columns, place);
    results.push_back(softmax.applyRegion(score, columns, place, operands));
  }
  return results;
}

SmallVector<Value> AttentionTile::mask(Softmax &softmax, ArrayRef<Value> scores,
                                       int64_t columns, Value stage) {
  MaskPlace place;
  Value passed = toI32(b.mul(stage, keysPerStage));
  place.length = sub(relativeLength, passed);
  place.position = sub(relativePosition, passed);
  if (spec.sharesPositions()) {
    place.rowsOfPosition = spec.rowsOfTile();
    place.row = toI32(warpRow);
  }
  place.onePosition = schedule.getPacked() && !spec.packsQueries();
  place.counted =
      spec.dequantizesKv() || spec.dividesValues() || !shape.operands.empty();
  return softmax.mask(scores, columns, place);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Of the result [B][H][S_q]; or of partial ones: [splits][B][H][S_q], and
/// [2 * splits][rowsOfTile()] of a kernel that streamsKeys().
Value AttentionTile::firstStatistic(bool partial) {
  if (partial && spec.streamsKeys())
    return b.mul(split, spec.rowsOfTile());
  Value entry = b.add(b.mul(batch, shape.heads), head);
  if (partial)
    entry = b.add(entry, product(split, b.mul(index(kBatch), shape.heads)));
  return product(entry, index(kQueries));
}

Value AttentionTile::rowsOfHeads(Value start, int64_t width) {
  if (spec.packsQueries())
    return packedView(start, f32, rowCount, width,
                      b.toI64(b.mul(index(kQueries), width)), b.i64(width));
  return b.view(start, f32, b.toI64(rowCount), width, width);
}

void AttentionTile::store(const SoftmaxState &state, ArrayRef<Value> places) {
  Softmax softmax(b, shape, accLayout, rows, unitFactor());
  auto [sums, lse] = softmax.finish(state);
  if (!spec.streamsKeys()) {
    if (!spec.partial())
      addSinks(sums, lse);
    storeRows(sums, lse, spec.partial(), places);
    return;
  }
  auto branch = scf::IfOp::create(builder, loc, whole, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.elseBlock());
  storeRows(sums, lse, /*partial=*/true, places);
  builder.setInsertionPointToStart(branch.thenBlock());
  addSinks(sums, lse);
  storeRows(sums, lse, /*partial=*/false, places);
}

void AttentionTile::storeRows(ArrayRef<Value> sums, Value lse, bool partial,
                              ArrayRef<Value> places) {
  Softmax softmax(b, shape, accLayout, rows, unitFactor());
  Value row = b.toI64(b.add(firstRow, warpRow));
  Type type = partial ? f32 : shape.resultType;
  Value view;
  if (partial) {
    Value start = advance(b.pointer(spec.firstPartial()),
                          b.mul(firstStatistic(partial), shape.dv), f32);
    view = rowsOfHeads(start, shape.dv);
  } else {
    view =
        headView(b.pointer(spec.resultPointer()), type, head, index(kQueries),
                 shape.heads, shape.dv, rowCount, schedule.getPacked());
  }
  int64_t width = partial ? widthFor(shape.dv, f32) : spec.storeWidth;
  int64_t col = 0;
  for (auto [piece, sum] : llvm::enumerate(sums)) {
    int64_t columns = cast<FragType>(sum.getType()).getShape()[1];
    Value rounded = softmax.rounded(sum, type, columns);
    Value place = places.empty() ? b.i64(col) : b.toI64(places[piece]);
    StoreOp::create(builder, loc, rounded, view, row, place,
                    partial && spec.interleavesPartials() ? Access::Interleaved
                                                          : Access::Direct,
                    width);
    col += columns;
  }
  if (lse)
    storeStatistics(lse, partial);
}

void AttentionTile::storeStatistics(Value lse) {
  storeStatistics(lse, spec.partial());
}

void AttentionTile::storeStatistics(Value lse, bool partial) {
  if (!partial && !shape.hasLse)
    return;
  OpBuilder::InsertionGuard guard(builder);
  // Warps that have the same rows have the same row max and row sum.
  if (int64_t sharers = schedule.getWarpsOfRow(); sharers > 1) {
    Value warp = WarpIdOp::create(builder, loc, builder.getIndexType());
    if (schedule.getNumConsumerWarps() > sharers)
      warp = b.rem(warp, sharers);
    auto first = scf::IfOp::create(builder, loc, less(warp, b.index(1)));
    builder.setInsertionPointToStart(first.thenBlock());
  }
  // All blocks of a cluster have the same.
  if (keyRank) {
    auto first = scf::IfOp::create(builder, loc, less(keyRank, b.index(1)));
    builder.setInsertionPointToStart(first.thenBlock());
  }
  Value row = b.toI64(b.add(firstRow, warpRow));
  int64_t parameter = (partial ? spec.firstPartial() : spec.firstOutput()) + 1;
  Value start = advance(b.pointer(parameter), firstStatistic(partial), f32);
  Value column = rowsOfHeads(start, /*width=*/1);
  StoreOp::create(builder, loc, lse, column, row, b.i64(0), Access::Direct, 4);
}
