//===- DequantizedKv.cpp - Planes of keys and values for wgmma ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/Warpgroup/DequantizedKv.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// The sign bits of two elements of 16 bits.
static constexpr int64_t kSignBits = 0x80008000;

Value DequantizedKv::constant(float value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getF32FloatAttr(value));
}

Value DequantizedKv::stageOf(Value visit) {
  return sub(b.add(stageCount, -1), visit);
}

void DequantizedKv::placePlanes() {
  if (!keyPages)
    return;
  // With a table pages are placed one by one.
  if (shape.page)
    return;
  Value pages = b.div(index(kKeys), TernaryAttr::kPageTokens);
  Value number = b.add(b.mul(batch, shape.keyHeads), keyHead);
  keyPages.place(b.pointer(1), number, pages);
  if (shape.isQuantized()) {
    valuePages.place(b.pointer(2), number, pages);
    return;
  }
  Value first = keyPages.page(b.index(0));
  keyScale = keyPages.scale(first, 0);
  // Zero times a masked score of -inf would be NaN; the smallest normal number
  // gives the same zeros for all other scores.
  scoreFactor = arith::MaxNumFOp::create(
      builder, loc, math::AbsFOp::create(builder, loc, keyScale),
      constant(std::numeric_limits<float>::min()));
  if (valuePages)
    valuePages.place(b.pointer(2), number, pages);
}

void DequantizedKv::expandStage(bool isKeys, RingOp ring, Value position,
                                Value visit) {
  const PlanePages &pages = isKeys ? keyPages : valuePages;
  Value firstPage = b.div(startKey, TernaryAttr::kPageTokens);
  PlaneTiles tiles(b, pages, ring, /*isTransposed=*/!isKeys);
  SmallVector<Value> words =
      tiles.load(b.add(firstPage, b.mul(stageOf(visit), PlaneTiles::kPages)));
  Value flip;
  if (isKeys) {
    Value bits =
        arith::BitcastOp::create(builder, loc, builder.getI32Type(), keyScale);
    flip = arith::AndIOp::create(
        builder, loc, arith::ShRSIOp::create(builder, loc, bits, b.i32(31)),
        b.i32(static_cast<int32_t>(kSignBits)));
  }
  tiles.fill(position, words, flip);
}

Value DequantizedKv::loadEntryOfWarp(const NumberTiles &tiles, Value visit) {
  Value key = b.add(startKey, b.mul(stageOf(visit), keysPerStage));
  key = b.add(key, b.mul(tiles.pageOfWarp(), TernaryAttr::kPageTokens));
  Value inside = arith::AndIOp::create(builder, loc, less(visit, stageCount),
                                       less(key, length));
  return loadPageNumber(key, inside);
}

NumberTiles DequantizedKv::numberTiles(bool isKeys, RingOp ring) {
  const CacheNumbers &numbers = isKeys ? keyNumbers : valueNumbers;
  // Integers of a block by itself take no longer if not, and a page table takes
  // the registers.
  bool scalesLate = schedule.getCluster() > 1 ||
                    (numbers.encoding.isFloatCache() && !shape.page);
  return NumberTiles(b, numbers, ring, schedule.getCluster(), rank, scalesLate);
}

Value DequantizedKv::isPage(Value entry) {
  // A negative number is a large one.
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, entry,
                               b.toI32(b.size(kPageCount)));
}

Value DequantizedKv::pageOfWarp(const NumberTiles &tiles, bool isKeys,
                                Value visit, Value entry) {
  constexpr int64_t kTokens = TernaryAttr::kPageTokens;
  Value first = b.add(startKey, b.mul(stageOf(visit), keysPerStage));
  Value number = b.add(b.div(first, kTokens), tiles.pageOfWarp());
  if (!entry)
    return (isKeys ? keyPages : valuePages).page(number);
  Value page =
      arith::SelectOp::create(builder, loc, isPage(entry), entry, b.i32(0));
  page =
      arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), page);
  int64_t inside = shape.page / kTokens;
  page = b.mul(b.add(b.mul(page, shape.keyHeads), keyHead), inside);
  TernaryAttr encoding = isKeys ? shape.keyPlanes : shape.valuePlanes;
  page = b.mul(b.add(page, b.rem(number, inside)),
               encoding.getPageBytes(isKeys ? shape.d : shape.dv));
  return advance(b.pointer(isKeys ? 1 : 2), page, builder.getI8Type());
}

Value DequantizedKv::withoutFactor(Value scores) {
  return scoreFactor && !unitFactor() ? scaled(scores, scoreFactor) : scores;
}

void DequantizedKv::applyValueScales(SoftmaxState &state) {
  if (!valuePages || shape.isQuantized())
    return;
  Value first = valuePages.page(b.index(0));
  Value sum = state.accumulators.front();
  state.accumulators.clear();
  int64_t group = std::min<int64_t>(valuePages.group(), PlaneTiles::kTileCols);
  for (int64_t col = 0; col < shape.dv; col += group) {
    int64_t columns = std::min(group, shape.dv - col);
    FragType type = b.frag({rows, columns}, f32, accLayout);
    Value piece = SliceOp::create(builder, loc, type, sum, 0, col);
    Value factor = arith::MulFOp::create(
        builder, loc, valuePages.scale(first, col / valuePages.group()),
        constant(0.5f));
    state.accumulators.push_back(scaled(piece, factor));
  }
}

/// `frag` times `factor` (f32).
Value DequantizedKv::scaled(Value frag, Value factor) {
  return b.map(cast<FragType>(frag.getType()), frag,
               [&](OpBuilder &inner, ValueRange in) -> Value {
                 return arith::MulFOp::create(inner, loc, in[0], factor);
               });
}
