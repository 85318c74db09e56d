//===- MultistageAttention.cpp - Attention on mma and cp.async ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/MultistageAttention.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <numeric>

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

MultistageAttention::MultistageAttention(const AttentionKernel &spec,
                                         OpBuilder &builder)
    : AttentionTile(spec, builder, /*maps=*/{}) {
  MLIRContext *context = builder.getContext();
  mma = MmaSyncAttr::get(context, 16, shape.operandType);
  aLayout = LayoutAttr::get(context, mma.getLayoutA());
  bLayout = LayoutAttr::get(context, mma.getLayoutB());
  accLayout = LayoutAttr::get(context, mma.getLayoutC());
  depthSteps = llvm::divideCeil(shape.d, kPiece);
  resultPieces = llvm::divideCeil(shape.dv, kPiece);
}

//===----------------------------------------------------------------------===//
// The pipeline
//===----------------------------------------------------------------------===//

int64_t MultistageAttention::addStream(int64_t pointer, int64_t features,
                                       int64_t rowWidth,
                                       CopyAtomInterface atom) {
  int64_t first = tiles.size();
  // As many tiles as are needed of 64 features, and a last one that is no
  // wider than it must be. Warps that divide features have 16 columns of each.
  for (int64_t col = 0; col < features; col += kTileCols) {
    int64_t rest = features - col;
    int64_t width = rest <= 16 ? 16 : rest <= 32 ? 32 : kTileCols;
    if (schedule.getFeatureWarps() > 1)
      width = kTileCols;
    tiles.append(keysPerStage / keysOfPiece(), tile(keysOfPiece(), width));
  }
  streams.push_back({pointer, features, rowWidth, atom, first});
  return first;
}

void MultistageAttention::addKeysAndValues() {
  firstValueTile = addStream(1, shape.d, shape.d, spec.copyKeys);
  if (!shape.sharesKeys)
    firstValueTile = addStream(2, shape.dv, shape.valueWidth, spec.copyValues);
}

void MultistageAttention::openRing() {
  ring = RingOp::create(
      builder, loc,
      RingType::get(builder.getContext(), schedule.getStages(), tiles),
      IntegerAttr(), IntegerAttr());
}

void MultistageAttention::fill(Value position) {
  auto slot = AcquireOp::create(builder, loc, ring, position);
  Value inside = less(position, stageCount);
  Value rowsInside = length;
  if (firstKey)
    rowsInside = b.add(firstKey, length);
  OpBuilder::InsertionGuard guard(builder);
  UnitAttr whole;
  // Pages of planes are whole; full values beside them need not be.
  if (wholeStages() && !shape.keyPlanes && !shape.page) {
    whole = builder.getUnitAttr();
    auto branch = scf::IfOp::create(builder, loc, inside);
    builder.setInsertionPointAfter(branch);
    CommitOp::create(builder, loc, ring, position);
    builder.setInsertionPointToStart(branch.thenBlock());
  } else {
    rowsInside =
        arith::SelectOp::create(builder, loc, inside, rowsInside, b.index(0));
  }
  Value key = b.add(startKey, b.mul(position, keysPerStage));
  if (firstKey)
    key = b.add(firstKey, key);
  if (shape.page)
    copyPages(slot.getSlots(), key, rowsInside);
  else
    for (const Stream &stream : streams)
      copyStream(stream, slot.getSlots(), b.toI64(key), rowsInside, whole);
  if (!whole)
    CommitOp::create(builder, loc, ring, position);
}

void MultistageAttention::copyStream(const Stream &stream, ValueRange slots,
                                     Value key, Value rowsInside,
                                     UnitAttr whole) {
  Value view = headView(b.pointer(stream.pointer), shape.operandType, keyHead,
                        index(kKeys), shape.keyHeads, stream.width, rowsInside,
                        /*packed=*/false, keyEntry());
  copyTiles(stream, view, key, whole,
            [&](int64_t chunk) { return slots[stream.firstTile + chunk]; });
}

void MultistageAttention::copyTiles(const Stream &stream, Value view, Value row,
                                    UnitAttr whole,
                                    function_ref<Value(int64_t)> slotOf) {
  for (int64_t col = 0; col < stream.features; col += kTileCols) {
    Value slot = slotOf(col / kTileCols);
    int64_t width = cast<SlotType>(slot.getType()).getShape()[1];
    UnitAttr wholeRows =
        col + width <= stream.width ? builder.getUnitAttr() : UnitAttr();
    CopyOp::create(builder, loc, view, row, b.i64(col), slot,
                   /*rows=*/Value(), stream.atom, IntegerAttr(), whole,
                   wholeRows);
  }
}

int64_t MultistageAttention::keysOfPiece() const {
  return shape.page ? std::gcd(shape.page, keysPerStage) : keysPerStage;
}

void MultistageAttention::copyPages(ValueRange slots, Value key, Value end) {
  int64_t pieces = keysPerStage / keysOfPiece();
  for (int64_t piece = 0; piece < pieces; ++piece) {
    KeyPlace place = placeOfKeys(b.add(key, piece * keysOfPiece()), end);
    for (const Stream &stream : streams)
      copyTiles(stream, pageView(place, stream.pointer, stream.width),
                b.toI64(place.row), UnitAttr(), [&](int64_t chunk) {
                  return slots[stream.firstTile + chunk * pieces + piece];
                });
  }
}

std::pair<Value, Value> MultistageAttention::placeOf(ValueRange stage,
                                                     int64_t first, int64_t key,
                                                     int64_t feature) {
  int64_t rows = keysOfPiece();
  int64_t chunk = feature / kTileCols * (keysPerStage / rows);
  return {stage[first + chunk + key / rows], b.index(key % rows)};
}

SmallVector<Value> MultistageAttention::waitFor(Value position) {
  auto ready = WaitOp::create(builder, loc,
                              SmallVector<Type>(tiles.begin(), tiles.end()),
                              ring, position);
  return llvm::to_vector_of<Value>(ready.getTiles());
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

SmallVector<Value> MultistageAttention::prepared(Softmax &softmax,
                                                 SmallVector<Value> scores,
                                                 Value stage) {
  if (shape.score)
    scores = applyScore(softmax, scores, kPiece,
                        b.add(startKey, b.mul(stage, keysPerStage)));
  else if (shape.scale <= 0.0f)
    scores = softmax.scaled(scores);
  if (hasMasks())
    scores = applyMasks(softmax, scores, stage);
  return scores;
}

Value MultistageAttention::isMasked(Value stage) {
  Value needed = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                       stage, maskedFrom);
  if (maskedBefore)
    needed =
        arith::OrIOp::create(builder, loc, needed, less(stage, maskedBefore));
  return needed;
}

/// Only stages that hold a key which some query of the block may not attend to
/// run the code of the masks.
SmallVector<Value> MultistageAttention::applyMasks(Softmax &softmax,
                                                   ArrayRef<Value> scores,
                                                   Value stage) {
  SmallVector<Type> types(scores.size(), scores.front().getType());
  auto branch = scf::IfOp::create(builder, loc, types, isMasked(stage), true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, mask(softmax, scores, kPiece, stage));
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, scores);
  return llvm::to_vector_of<Value>(branch.getResults());
}

//===----------------------------------------------------------------------===//
// The loop over stages
//===----------------------------------------------------------------------===//

SoftmaxState MultistageAttention::loopOverStages(
    int64_t fragments, function_ref<SmallVector<Value>(ValueRange)> scoresOf,
    FeaturePlaces placeOfResult) {
  for (int64_t position = 0; position < schedule.getStages() - 1; ++position)
    fill(b.index(position));
  Softmax softmax(b, shape, accLayout, rows);
  SoftmaxState start = softmax.start(fragments, kPiece);
  auto loop = scf::ForOp::create(builder, loc, b.index(0), stageCount,
                                 b.index(1), start.values());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value position = loop.getInductionVar();
  SmallVector<Value> stage = waitFor(position);
  fill(b.add(position, schedule.getStages() - 1));
  SoftmaxState state(loop.getRegionIterArgs());
  SmallVector<Value> scores = prepared(softmax, scoresOf(stage), position);
  SmallVector<Value> weights = softmax.update(state, scores);
  multiplyValues(stage, weights, state, placeOfResult);
  ReleaseOp::create(builder, loc, ring, position);
  scf::YieldOp::create(builder, loc, state.values());
  return SoftmaxState(loop.getResults());
}

SmallVector<Value>
MultistageAttention::multiplyKeys(ValueRange stage, int64_t steps,
                                  function_ref<Value(int64_t)> queryOf,
                                  FeaturePlaces placeOfStep) {
  auto ldmatrix = LdMatrixAttr::get(builder.getContext());
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0.0f));
  FragType accType = b.frag({rows, kPiece}, f32, accLayout);
  FragType keyType = b.frag({kPiece, kPiece}, shape.operandType, bLayout);
  Value none = BroadcastOp::create(builder, loc, accType, zero);
  SmallVector<Value> scores(keysPerStage / kPiece, none);
  for (int64_t step = 0; step < steps; ++step) {
    Value query = queryOf(step);
    FeaturePlace place = placeOfStep(step);
    for (auto [piece, sum] : llvm::enumerate(scores)) {
      auto [tile, row] =
          placeOf(stage, /*first=*/0, piece * kPiece, place.first);
      Value keys = LoadOp::create(builder, loc, keyType, tile, row,
                                  place.column, ldmatrix);
      sum = MmaOp::create(builder, loc, accType, query, keys, sum, Value(),
                          IntegerAttr(), mma);
    }
  }
  return scores;
}

void MultistageAttention::multiplyValues(ValueRange stage,
                                         ArrayRef<Value> weights,
                                         SoftmaxState &state,
                                         FeaturePlaces placeOfResult) {
  auto ldmatrix = LdMatrixAttr::get(builder.getContext());
  FragType aType = b.frag({rows, kPiece}, shape.operandType, aLayout);
  FragType valueType = b.frag({kPiece, kPiece}, shape.operandType, bLayout);
  for (auto [piece, weight] : llvm::enumerate(weights)) {
    Value a = ConvertLayoutOp::create(builder, loc, aType, weight);
    for (auto [number, sum] : llvm::enumerate(state.accumulators)) {
      FeaturePlace place = placeOfResult(number);
      auto [tile, row] =
          placeOf(stage, firstValueTile, piece * kPiece, place.first);
      Value values = LoadOp::create(builder, loc, valueType, tile, row,
                                    place.column, Access::Transposed, ldmatrix);
      sum = MmaOp::create(builder, loc, sum.getType(), a, values, sum, Value(),
                          IntegerAttr(), mma);
    }
  }
}

//===----------------------------------------------------------------------===//
// Warps that divide the keys
//===----------------------------------------------------------------------===//

Value MultistageAttention::keyWarp() {
  if (schedule.getKeyWarps() == 1)
    return b.index(0);
  return WarpIdOp::create(builder, loc, builder.getIndexType());
}

SmallVector<Value> MultistageAttention::combineKeyWarps(SoftmaxState &state) {
  int64_t warps = schedule.getKeyWarps(), count = state.accumulators.size();
  SmallVector<Value> pieces;
  if (warps == 1) {
    for (int64_t piece = 0; piece < count; ++piece)
      pieces.push_back(b.index(piece));
    return pieces;
  }
  // Rows of registers: of all accumulators of a warp, then those of the next;
  // behind them row max and row sum.
  auto registers = [](Value frag) {
    return cast<FragType>(frag.getType()).getRegistersPerLane();
  };
  auto type = cast<FragType>(state.accumulators.front().getType());
  int64_t perSum = type.getRegistersPerLane(), sumRows = warps * count * perSum;
  int64_t perMax = registers(state.rowMax);
  int64_t perWarp = perMax + registers(state.rowSum);
  Value shared = SharedOp::create(builder, loc,
                                  TileType::get(builder.getContext(),
                                                {sumRows + warps * perWarp, 32},
                                                f32, Order::RowMajor),
                                  warps, /*sharers=*/warps);
  Value none = b.index(0), warp = keyWarp();
  auto put = [&](Value frag, Value row) {
    StoreOp::create(builder, loc, frag, shared, row, none, Access::Registers);
  };
  auto take = [&](Type found, Value row) -> Value {
    return LoadOp::create(builder, loc, found, shared, row, none,
                          Access::Registers);
  };
  for (auto [piece, sum] : llvm::enumerate(state.accumulators))
    put(sum, b.mul(b.add(b.mul(warp, count), int64_t(piece)), perSum));
  Value own = b.add(b.mul(warp, perWarp), sumRows);
  put(state.rowMax, own);
  put(state.rowSum, b.add(own, perMax));
  gpu::BarrierOp::create(builder, loc);
  SmallVector<Value> rowMaxes, rowSums;
  for (int64_t other = 0; other < warps; ++other) {
    Value row = b.index(sumRows + other * perWarp);
    rowMaxes.push_back(take(state.rowMax.getType(), row));
    rowSums.push_back(take(state.rowSum.getType(), b.add(row, perMax)));
  }
  SmallVector<Value> factors =
      Softmax(b, shape, accLayout, rows).combine(state, rowMaxes, rowSums);
  state.accumulators.clear();
  for (int64_t first = 0; first < count; first += warps) {
    Value piece = b.add(warp, first);
    Value inside = b.min(piece, b.index(count - 1));
    Value sum;
    for (auto [other, factor] : llvm::enumerate(factors)) {
      Value found =
          take(type, b.mul(b.add(inside, int64_t(other) * count), perSum));
      SmallVector<Value> inputs = {
          found, BroadcastOp::create(builder, loc, type, factor)};
      if (sum)
        inputs.push_back(sum);
      sum = b.map(type, inputs, [&](OpBuilder &inner, ValueRange in) -> Value {
        if (in.size() == 2)
          return arith::MulFOp::create(inner, loc, in[0], in[1]);
        return math::FmaOp::create(inner, loc, in[0], in[1], in[2]);
      });
    }
    pieces.push_back(piece);
    state.accumulators.push_back(sum);
  }
  return pieces;
}
