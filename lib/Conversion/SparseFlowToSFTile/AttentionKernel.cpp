//===- AttentionKernel.cpp - Online softmax on mma and cp.async -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each warp owns rows of the result and holds their scores, statistics and sums
// in registers. Keys and values come through a ring. For a stage of keys: the
// products with the queries, masks where the stage needs them, the new maximum
// of each row, exponentials relative to it, the old sums corrected, and the
// second product, whose left operand is the exponentials where they are.
//
//===----------------------------------------------------------------------===//

#include "AttentionKernel.h"
#include "AttentionSoftmax.h"
#include "SparseFlow/Dialect/SFTile/IR/RowLayouts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Keys, and features of the result, of one accumulator fragment: what one
// matrix load brings for a step of depth 16.
static constexpr int64_t kPiece = 16;
// Features of a tile in shared memory: rows of 128 bytes.
static constexpr int64_t kTileCols = 64;

namespace {

class Generator {
public:
  Generator(const AttentionKernel &spec, OpBuilder &builder)
      : spec(spec), shape(spec.shape), schedule(spec.schedule),
        builder(builder), loc(spec.loc),
        b(builder, spec.loc, spec.name, pointerCount(spec), kSizeCount,
          schedule.getNumWarps(), schedule),
        rows(schedule.getWarp()), keysPerStage(schedule.getKeys()) {
    MLIRContext *context = builder.getContext();
    mma = MmaSyncAttr::get(context, 16, shape.operandType);
    f32 = builder.getF32Type();
    aLayout = LayoutAttr::get(context, mma.getLayoutA());
    bLayout = LayoutAttr::get(context, mma.getLayoutB());
    accLayout = LayoutAttr::get(context, mma.getLayoutC());
    depthSteps = llvm::divideCeil(shape.d, kPiece);
    resultPieces = llvm::divideCeil(shape.dv, kPiece);
  }

  gpu::GPUFuncOp run() {
    makeRing();
    b.openRole("main", schedule.getNumWarps());
    placeBlock();
    boundKeys();
    loadQueries();
    SoftmaxState state = mainLoop();
    store(state);
    return b.finish();
  }

private:
  static int64_t pointerCount(const AttentionKernel &spec) {
    int64_t outputs = spec.partial() || spec.shape.hasLse ? 2 : 1;
    return 3 + spec.shape.hasLengths + spec.shape.operands.size() + outputs;
  }
  int64_t firstOperand() const { return 3 + shape.hasLengths; }
  int64_t firstOutput() const { return firstOperand() + shape.operands.size(); }

  //===--------------------------------------------------------------------===//
  // Shared memory
  //===--------------------------------------------------------------------===//

  /// Widths of the tiles that hold `features` features of a row: as many as are
  /// needed of 64, and a last one that is no wider than it must be.
  static SmallVector<int64_t> tileWidths(int64_t features) {
    SmallVector<int64_t> widths(features / kTileCols, kTileCols);
    if (int64_t rest = features % kTileCols)
      widths.push_back(rest <= 16 ? 16 : rest <= 32 ? 32 : kTileCols);
    return widths;
  }

  TileType tile(int64_t height, int64_t width) {
    return TileType::get(builder.getContext(), {height, width},
                         shape.operandType, Order::Swizzled);
  }

  void makeRing() {
    for (int64_t width : tileWidths(shape.d))
      tiles.push_back(tile(keysPerStage, width));
    keyTiles = tiles.size();
    for (int64_t width : tileWidths(shape.dv))
      tiles.push_back(tile(keysPerStage, width));
    ring = RingOp::create(
        builder, loc,
        RingType::get(builder.getContext(), schedule.getStages(), tiles),
        IntegerAttr(), IntegerAttr());
  }

  //===--------------------------------------------------------------------===//
  // Which part of the result, and which keys
  //===--------------------------------------------------------------------===//

  /// A size that is known needs no register.
  Value index(AttentionSize which) {
    if (which < kParts && ShapedType::isStatic(shape.sizes[which]))
      return b.index(shape.sizes[which]);
    return b.toIndex(b.size(which));
  }
  /// True if no stage reaches past the last key.
  bool wholeStages() const {
    return !shape.hasLengths && ShapedType::isStatic(shape.sizes[kKeys]) &&
           shape.sizes[kKeys] % schedule.getKeys() == 0;
  }
  bool hasMasks() const {
    bool hasCausal = shape.causal && !schedule.getPacked();
    return !wholeStages() || hasCausal || shape.window;
  }
  Value sub(Value x, Value y) {
    return builder.createOrFold<arith::SubIOp>(loc, x, y);
  }
  Value product(Value x, Value y) {
    return builder.createOrFold<arith::MulIOp>(loc, x, y);
  }
  Value max(Value x, Value y) {
    return builder.createOrFold<arith::MaxSIOp>(loc, x, y);
  }
  Value less(Value x, Value y) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, x, y);
  }
  Value toI32(Value value) {
    return builder.createOrFold<arith::IndexCastOp>(loc, builder.getI32Type(),
                                                    value);
  }

  /// Tiles with the most keys come first under a causal mask, so that no long
  /// one is left for the end; `group` heads at a time, so that what they read
  /// stays in the L2 cache.
  void placeBlock() {
    Value id = b.blockId();
    part = b.index(0);
    if (spec.partial()) {
      part = b.rem(id, index(kParts));
      id = b.div(id, index(kParts));
    }
    int64_t ratio = shape.heads / shape.keyHeads;
    Value all = b.mul(index(kBatch), spec.tileHeads());
    Value tileCount;
    if (schedule.getPacked())
      tileCount = b.index(llvm::divideCeil(ratio, schedule.getQueries()));
    else
      tileCount = b.div(b.add(index(kQueries), schedule.getQueries() - 1),
                        schedule.getQueries());
    int64_t group =
        shape.causal && !schedule.getPacked() ? schedule.getGroup() : 1;
    Value perGroup = b.mul(tileCount, group);
    Value firstHead = b.mul(b.div(id, perGroup), group);
    Value inGroup = b.rem(id, perGroup);
    Value width = b.min(sub(all, firstHead), b.index(group));
    Value number = b.div(inGroup, width);
    if (shape.causal)
      number = sub(b.add(tileCount, -1), number);
    Value headAndBatch = b.add(firstHead, b.rem(inGroup, width));
    batch = b.div(headAndBatch, spec.tileHeads());
    Value tileHead = b.rem(headAndBatch, spec.tileHeads());
    firstRow = b.mul(number, schedule.getQueries());
    if (schedule.getPacked()) {
      keyHead = tileHead;
      head = b.mul(keyHead, ratio);
      rowCount = b.index(ratio);
    } else {
      head = tileHead;
      keyHead = b.div(head, ratio);
      rowCount = index(kQueries);
    }
    warpRow =
        b.mul(WarpIdOp::create(builder, loc, builder.getIndexType()), rows);
  }

  /// The number of the first element of (batch entry, head) in a tensor of
  /// `length` positions of `heads` heads of `width` features.
  Value elementOf(Value h, Value length, int64_t heads, int64_t width) {
    Value start = b.mul(product(batch, length), heads);
    Value inside = shape.bhsd ? product(h, length) : h;
    return b.mul(b.add(start, inside), width);
  }

  Value advance(Value pointer, Value elements, Type type) {
    return LLVM::GEPOp::create(builder, loc, pointer.getType(), type, pointer,
                               b.toI64(elements));
  }

  /// A view of one head's rows.
  Value headView(Value pointer, Type type, Value h, Value length, int64_t heads,
                 int64_t width, Value rowsInside, bool packed) {
    Value start = advance(pointer, elementOf(h, length, heads, width), type);
    // Packed heads of the one query follow one another in both layouts.
    int64_t pitch = shape.bhsd || packed ? width : heads * width;
    return ViewOp::create(
        builder, loc,
        ViewType::get(builder.getContext(), type, Order::RowMajor), start,
        b.toI64(rowsInside), b.i64(width), b.i64(pitch));
  }

  /// The keys that any query of this block may attend to, as stages of the
  /// ring, and what decides which of them need masks.
  void boundKeys() {
    length = index(kKeys);
    if (shape.hasLengths) {
      Value pointer = b.pointer(3);
      Value at = advance(pointer, batch, builder.getI32Type());
      Value given = LLVM::LoadOp::create(builder, loc, builder.getI32Type(), at,
                                         /*alignment=*/4);
      given = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                         given);
      length = b.min(max(given, b.index(0)), length);
    }
    shift = sub(length, index(kQueries));
    // Positions of the first and the last query of the block.
    if (schedule.getPacked()) {
      firstPosition = lastPosition = b.add(length, -1);
    } else {
      Value lastRow = b.min(b.add(firstRow, schedule.getQueries()), rowCount);
      firstPosition = b.add(firstRow, shift);
      lastPosition = b.add(b.add(lastRow, shift), -1);
    }
    Value first = b.index(0), end = length;
    if (shape.causal)
      end = b.min(end, b.add(lastPosition, 1));
    if (shape.window) {
      end = b.min(end, b.add(lastPosition, shape.window));
      first = max(first, b.add(firstPosition, 1 - shape.window));
    }
    end = max(end, b.index(0));
    Value firstStage = b.div(first, keysPerStage);
    Value endStage = b.div(b.add(end, keysPerStage - 1), keysPerStage);
    stageCount = max(sub(endStage, firstStage), b.index(0));
    if (spec.partial()) {
      Value parts = index(kParts);
      Value each = b.div(b.add(b.add(stageCount, parts), -1), parts);
      Value skipped = product(part, each);
      firstStage = b.add(firstStage, skipped);
      stageCount = max(b.min(sub(stageCount, skipped), each), b.index(0));
    }
    startKey = b.mul(firstStage, keysPerStage);
    boundMasks();
  }

  /// Stages from `maskedFrom` on, and those before `maskedBefore`, hold a key
  /// which some query of the block may not attend to; what masks compare with,
  /// seen from the first key. All of it is computed before the loop.
  void boundMasks() {
    Value whole = length;
    if (shape.causal && !schedule.getPacked())
      whole = b.min(whole, b.add(firstPosition, 1));
    if (shape.window && !shape.causal)
      whole = b.min(whole, b.add(firstPosition, shape.window));
    maskedFrom = b.div(max(sub(whole, startKey), b.index(0)), keysPerStage);
    if (shape.window) {
      Value seen = b.add(lastPosition, 1 - shape.window);
      Value before = max(sub(seen, startKey), b.index(0));
      maskedBefore = b.div(b.add(before, keysPerStage - 1), keysPerStage);
    }
    Value position = schedule.getPacked()
                         ? b.add(length, -1)
                         : b.add(b.add(firstRow, warpRow), shift);
    relativeLength = toI32(sub(length, startKey));
    relativePosition = toI32(sub(position, startKey));
  }

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
    queryTile =
        ScratchOp::create(builder, loc, tile(chunks * rows, width),
                          schedule.getNumWarps(), IntegerAttr(), IntegerAttr());
    FragType type = b.frag({rows, kPiece}, shape.operandType, aLayout);
    Value row = b.toI64(b.add(firstRow, warpRow));
    for (int64_t step = 0; step < depthSteps; ++step) {
      // All loads are on their way before the first is waited for.
      queries.push_back(LoadDirectOp::create(builder, loc, type, view, row,
                                             b.i64(step * kPiece),
                                             spec.queryWidth));
    }
    if (schedule.getHeld())
      return;
    for (int64_t step = 0; step < depthSteps; ++step) {
      auto [r, c] = queryPlace(step);
      PutRowsOp::create(builder, loc, queries[step], queryTile, b.index(r),
                    b.index(c));
    }
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
  // Keys and values
  //===--------------------------------------------------------------------===//

  /// Fills position `position` of the ring; past the end with zeros, or, where
  /// all stages are whole, not at all.
  void fill(Value position) {
    SmallVector<Type> slots;
    for (TileType type : tiles)
      slots.push_back(SlotType::get(builder.getContext(), type.getShape(),
                                    type.getElementType(), type.getOrder()));
    auto slot = AcquireOp::create(builder, loc, slots, ring, position);
    Value inside = less(position, stageCount);
    Value rowsInside = length;
    OpBuilder::InsertionGuard guard(builder);
    UnitAttr whole;
    if (wholeStages()) {
      whole = builder.getUnitAttr();
      auto branch = scf::IfOp::create(builder, loc, inside);
      builder.setInsertionPointAfter(branch);
      CommitOp::create(builder, loc, ring, position);
      builder.setInsertionPointToStart(branch.thenBlock());
    } else {
      rowsInside =
          arith::SelectOp::create(builder, loc, inside, length, b.index(0));
    }
    Value key = b.toI64(b.add(startKey, b.mul(position, keysPerStage)));
    auto copy = [&](int64_t pointer, int64_t features, int64_t first,
                    int64_t count, CopyAtomInterface atom) {
      Value view = headView(b.pointer(pointer), shape.operandType, keyHead,
                            index(kKeys), shape.keyHeads, features, rowsInside,
                            /*packed=*/false);
      int64_t col = 0;
      for (int64_t number = first; number < first + count; ++number) {
        int64_t width = tiles[number].getShape()[1];
        CopyOp::create(builder, loc, view, key, b.i64(col),
                       slot.getSlots()[number], atom, IntegerAttr(), whole,
                       col + width <= features ? builder.getUnitAttr()
                                               : UnitAttr());
        col += width;
      }
    };
    copy(1, shape.d, 0, keyTiles, spec.copyKeys);
    copy(2, shape.dv, keyTiles, tiles.size() - keyTiles, spec.copyValues);
    if (!whole)
      CommitOp::create(builder, loc, ring, position);
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
    auto ready = WaitOp::create(builder, loc,
                                SmallVector<Type>(tiles.begin(), tiles.end()),
                                ring, position);
    fill(b.add(position, schedule.getStages() - 1));
    SoftmaxState state(loop.getRegionIterArgs());
    SmallVector<Value> scores = multiplyKeys(ready.getTiles());
    if (shape.score)
      scores = applyScore(softmax, scores,
                          b.add(startKey, b.mul(position, keysPerStage)));
    else if (shape.scale <= 0.0f)
      scores = softmax.scaled(scores);
    if (hasMasks())
      scores = applyMasks(softmax, scores, position);
    SmallVector<Value> weights = softmax.update(state, scores);
    multiplyValues(ready.getTiles(), weights, state);
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
    Value none = SplatOp::create(builder, loc, accType, zero);
    SmallVector<Value> scores(keysPerStage / kPiece, none);
    for (int64_t step = 0; step < depthSteps; ++step) {
      Value a = query(step);
      int64_t feature = step * kPiece;
      for (auto [piece, sum] : llvm::enumerate(scores)) {
        Value keys = LoadOp::create(
            builder, loc, keyType, stage[feature / kTileCols],
            b.index(piece * kPiece), b.index(feature % kTileCols), ldmatrix);
        sum = MmaOp::create(builder, loc, accType, a, keys, sum, Value(),
                            IntegerAttr(), mma);
      }
    }
    return scores;
  }

  /// Adds the weighted values of a stage to the sums.
  void multiplyValues(ValueRange stage, ArrayRef<Value> weights,
                      SoftmaxState &state) {
    auto ldmatrix = LdMatrixAttr::get(builder.getContext());
    FragType aType = b.frag({rows, kPiece}, shape.operandType, aLayout);
    FragType valueType = b.frag({kPiece, kPiece}, shape.operandType, bLayout);
    for (auto [piece, weight] : llvm::enumerate(weights)) {
      Value a = ReinterpretOp::create(builder, loc, aType, weight);
      for (auto [number, sum] : llvm::enumerate(state.sums)) {
        int64_t feature = number * kPiece;
        Value values = LoadTransposedOp::create(
            builder, loc, valueType, stage[keyTiles + feature / kTileCols],
            b.index(piece * kPiece), b.index(feature % kTileCols), ldmatrix);
        sum = MmaOp::create(builder, loc, sum.getType(), a, values, sum,
                            Value(), IntegerAttr(), mma);
      }
    }
  }

  //===--------------------------------------------------------------------===//
  // Scores
  //===--------------------------------------------------------------------===//

  /// Applies the score region; the scores are in natural units then.
  SmallVector<Value> applyScore(Softmax &softmax, ArrayRef<Value> scores,
                                Value firstKey) {
    Value row = b.add(firstRow, warpRow);
    SmallVector<Value> results;
    for (auto [piece, score] : llvm::enumerate(scores)) {
      ScorePlace place;
      place.key = b.add(firstKey, piece * kPiece);
      place.row = row;
      place.batch = batch;
      place.head = head;
      place.packed = schedule.getPacked();
      place.batchCount = index(kBatch);
      place.queryCount = index(kQueries);
      place.keyCount = index(kKeys);
      place.firstPointer = firstOperand();
      results.push_back(softmax.applyRegion(score, kPiece, place));
    }
    return results;
  }

  /// Only stages that hold a key which some query of the block may not attend
  /// to run the code of the masks.
  SmallVector<Value> applyMasks(Softmax &softmax, SmallVector<Value> scores,
                                Value stage) {
    Value needed = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::sge, stage, maskedFrom);
    if (maskedBefore)
      needed =
          arith::OrIOp::create(builder, loc, needed, less(stage, maskedBefore));
    SmallVector<Type> types(scores.size(), scores.front().getType());
    auto branch = scf::IfOp::create(builder, loc, types, needed, true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    MaskPlace place;
    Value passed = toI32(b.mul(stage, keysPerStage));
    place.length = sub(relativeLength, passed);
    place.position = sub(relativePosition, passed);
    place.onePosition = schedule.getPacked();
    scf::YieldOp::create(builder, loc, softmax.mask(scores, kPiece, place));
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, scores);
    return llvm::to_vector_of<Value>(branch.getResults());
  }

  //===--------------------------------------------------------------------===//
  // Results
  //===--------------------------------------------------------------------===//

  void store(const SoftmaxState &state) {
    Softmax softmax(b, shape, accLayout, rows);
    auto [sums, lse] = softmax.finish(state);
    Value row = b.toI64(b.add(firstRow, warpRow));
    Type type = spec.partial() ? f32 : shape.resultType;
    Value pointer = b.pointer(firstOutput());
    Value h = head;
    Value view;
    Value lsePointer, statistics;
    if (spec.partial() || shape.hasLse) {
      // [parts][B][H][S_q]; without parts the first index is 0.
      Value entry = b.add(b.mul(batch, shape.heads), h);
      if (spec.partial())
        entry = b.add(entry, product(part, b.mul(index(kBatch), shape.heads)));
      statistics = product(entry, index(kQueries));
    }
    if (spec.partial()) {
      Value start = advance(pointer, b.mul(statistics, shape.dv), f32);
      view = ViewOp::create(
          builder, loc,
          ViewType::get(builder.getContext(), f32, Order::RowMajor), start,
          b.toI64(rowCount), b.i64(shape.dv), b.i64(shape.dv));
    } else {
      view = headView(pointer, type, h, index(kQueries), shape.heads, shape.dv,
                      rowCount, schedule.getPacked());
    }
    int64_t width = spec.partial() ? widthFor(shape.dv, f32) : spec.storeWidth;
    for (auto [number, sum] : llvm::enumerate(sums)) {
      Value rounded = softmax.rounded(sum, type, kPiece);
      StoreDirectOp::create(builder, loc, rounded, view, row,
                            b.i64(number * kPiece), width);
    }
    if (!statistics)
      return;
    Value start = advance(b.pointer(firstOutput() + 1), statistics, f32);
    Value column = ViewOp::create(
        builder, loc, ViewType::get(builder.getContext(), f32, Order::RowMajor),
        start, b.toI64(rowCount), b.i64(1), b.i64(1));
    StoreDirectOp::create(builder, loc, lse, column, row, b.i64(0), 4);
  }

  const AttentionKernel &spec;
  const AttentionShape &shape;
  AttentionScheduleAttr schedule;
  OpBuilder &builder;
  Location loc;
  KernelBuilder b;

  MmaAtomInterface mma;
  Type f32;
  LayoutAttr aLayout, bLayout, accLayout;
  int64_t rows, keysPerStage, depthSteps, resultPieces, keyTiles = 0;
  SmallVector<TileType> tiles;
  Value ring, queryTile;
  SmallVector<Value> queries;
  // i32.
  Value relativeLength, relativePosition;
  // All of them index.
  Value part, batch, head, keyHead, firstRow, rowCount, warpRow;
  Value length, shift, firstPosition, lastPosition, startKey, stageCount;
  Value maskedFrom, maskedBefore;
};

} // namespace

gpu::GPUFuncOp AttentionKernel::generate(OpBuilder &builder) const {
  OpBuilder::InsertionGuard guard(builder);
  gpu::GPUFuncOp kernel = Generator(*this, builder).run();
  // Otherwise the assembler may take few registers, for more blocks than there
  // is shared memory for, and spill.
  kernel->setAttr("nvvm.minctasm", builder.getI32IntegerAttr(1));
  return kernel;
}
