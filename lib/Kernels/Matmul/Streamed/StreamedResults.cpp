//===- StreamedResults.cpp - Sums of warps that share K, and results ------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Streamed/StreamedParts.h"
#include "SparseFlow/Dialect/SFTile/Codecs/Ternary.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Words behind a token's sums: four tokens, two apart, of eight rows that
// follow each other are stored at once, in 32 banks then.
static constexpr int64_t kSumPadding = 4;
// Results that a thread computes at a time, at most.
static constexpr int64_t kResults = 8;

/// From one token's sums to the next one's, and from one warp's.
static int64_t wordsOfToken(const StreamedResults::Form &form) {
  return form.features + kSumPadding;
}
static int64_t bytesOfWarp(const StreamedResults::Form &form) {
  return form.tokenTiles * 8 * wordsOfToken(form) * 4;
}

int64_t StreamedResults::bytes(const Form &form) {
  return form.along * bytesOfWarp(form);
}

void StreamedResults::putSums(ArrayRef<Value> sums, Value lane,
                              Value warpAcross, Value warpAlong, Value tokens) {
  Value row = add(mul(warpAcross, form.tiles * 16), div(lane, 4));
  Value start = at(shared, add(mul(warpAlong, bytesOfWarp(form)), mul(row, 4)));
  for (int64_t tokenTile = 0; tokenTile < form.tokenTiles; ++tokenTile)
    for (int64_t column = 0; column < 2; ++column) {
      Value token = add(mul(rem(lane, 4), 2), tokenTile * 8 + column);
      ifTrue(less(token, tokens), [&] {
        Value ofToken = at(start, mul(token, wordsOfToken(form) * 4));
        for (int64_t tile = 0; tile < form.tiles; ++tile)
          for (int64_t upper = 0; upper < 2; ++upper) {
            Value sum = sums[(tile * form.tokenTiles + tokenTile) * 4 +
                             upper * 2 + column];
            if (form.raw && upper)
              sum = arith::ShRSIOp::create(builder, loc, sum,
                                           integer(tern_v1::kRawUpperShift));
            ThreadCode::store(sum, at(ofToken, (tile * 16 + upper * 8) * 4), 4);
          }
      });
    }
}

/// One result alone waits for what its epilogue reads.
void StreamedResults::store(StreamedMembers &members,
                            function_ref<StreamedMembers::Known(Value)> known,
                            const Place &place) {
  SmallVector<Value> blocks;
  for (int64_t block = 0; block < form.splits; ++block)
    blocks.push_back(form.splits == 1 ? shared
                                      : AddressOp::create(builder, loc, shared,
                                                          integer(block)));
  int64_t step = form.splits * form.threads, together = resultsTogether();
  Value end = mul(place.tokens, ofResult());
  auto store = [&](Value first, ValueRange) {
    Value feature = add(place.feature, rem(first, ofResult()));
    auto body = [&] {
      SmallVector<std::pair<Value, Value>> results; // and their tokens
      for (int64_t i = 0; i < together; ++i) {
        // Where there are no more it is the first one again.
        Value element = add(first, i * step);
        if (i)
          element = select(less(element, end), element, first);
        Value token = div(element, ofResult());
        SmallVector<Value> sums = sumsOf(blocks, element, token);
        StreamedMembers::Known ofToken = known(token);
        if (place.token)
          token = add(token, place.token);
        results.emplace_back(members.compute(sums, feature, token, ofToken),
                             token);
      }
      for (auto [result, token] : results)
        members.store(result, feature, token);
    };
    if (members.fillBlocks(1))
      body();
    else
      ifTrue(less(feature, members.features), body);
    return SmallVector<Value>();
  };
  forLoop(place.thread, end, integer(step * together), {}, store);
}

/// How many of one feature a thread computes before it stores them.
int64_t StreamedResults::resultsTogether() const {
  int64_t step = form.splits * form.threads;
  if (step % ofResult())
    return 1;
  // Half of all: with as few tokens none is computed twice.
  return std::clamp<int64_t>(
      llvm::divideCeil(form.tokens * ofResult(), 2 * step), 1, kResults);
}

/// The sums of an element, of each weight.
SmallVector<Value> StreamedResults::sumsOf(ArrayRef<Value> blocks,
                                           Value element, Value token) {
  auto sumAt = [&](Value word) {
    SmallVector<Value> places;
    for (Value block : blocks)
      places.push_back(at(block, mul(word, 4)));
    return addUp(form.sumType, places, form.along, bytesOfWarp(form));
  };
  Value row = rem(element, ofResult()), start = mul(token, wordsOfToken(form));
  if (!form.gatedRows)
    return {sumAt(add(start, row))};
  // A warp has rows of one weight and then of the other.
  row = add(mul(div(row, form.gatedRows), 2 * form.gatedRows),
            rem(row, form.gatedRows));
  return {sumAt(add(start, row)), sumAt(add(start, add(row, form.gatedRows)))};
}
