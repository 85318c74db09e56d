//===- TokenSums.cpp - Sums of activations for raw codes ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Streamed/StreamedParts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sparseflow;

// Loads of four matrices that have 128 columns of f16, and 1.0 twice.
static constexpr int64_t kLoadsOfUnit = 4, kOnes = 0x3C003C00;
// The bits of infinity, the least magnitude that is no number.
static constexpr int64_t kInfinityBits = 0x7F800000;

TokenSums::TokenSums(OpBuilder &builder, Location loc, int64_t tokenTiles,
                     int64_t across, Value warpAcross, Value firstWarp,
                     Value lane, Value place)
    : ThreadCode(builder, loc), tokenTiles(tokenTiles), across(across),
      count(llvm::divideCeil(kLoadsOfUnit, across)), warpAcross(warpAcross),
      firstWarp(firstWarp), lane(lane), place(place) {
  Value next = mul(warpAcross, count);
  Value has = less(next, integer(kLoadsOfUnit));
  first = select(has, next, integer(0));
  ones = select(has, integer(kOnes), integer(0));
}

Value TokenSums::tokenOf(int64_t tokenTile, int64_t column) {
  return add(mul(rem(lane, 4), 2), tokenTile * 8 + column);
}

Value TokenSums::wordOf(Value warp, int64_t tokenTile, int64_t column) {
  return at(place,
            mul(add(mul(warp, tokenTiles * 8), tokenOf(tokenTile, column)), 4));
}

void TokenSums::storePartialSums(ArrayRef<Value> sums) {
  // All rows of the MMA are the same: the first lanes have them all.
  ifTrue(less(lane, integer(4)), [&] {
    for (int64_t tokenTile = 0; tokenTile < tokenTiles; ++tokenTile)
      for (int64_t column = 0; column < 2; ++column)
        store(sums[tokenTile * 4 + column],
              wordOf(add(firstWarp, warpAcross), tokenTile, column), 4);
  });
}

SmallVector<Value> TokenSums::loadSums() {
  SmallVector<Value> sums(tokenTiles * 4);
  for (int64_t tokenTile = 0; tokenTile < tokenTiles; ++tokenTile)
    for (int64_t column = 0; column < 2; ++column) {
      SmallVector<Value> places = {wordOf(firstWarp, tokenTile, column)};
      // The same for the lower and the upper rows.
      sums[tokenTile * 4 + column] = sums[tokenTile * 4 + 2 + column] =
          addUp(f32, places, across, tokenTiles * 8 * 4);
    }
  return sums;
}

Value TokenSums::anyNotFinite(ArrayRef<Value> sums, Value tokens) {
  Value largest = integer(0);
  for (int64_t tokenTile = 0; tokenTile < tokenTiles; ++tokenTile)
    for (int64_t column = 0; column < 2; ++column) {
      Value bits = bitAnd(bitsOf(sums[tokenTile * 4 + column]), 0x7FFFFFFF);
      // Where there is no token shared memory is as it was.
      Value present = less(tokenOf(tokenTile, column), tokens);
      largest = arith::MaxUIOp::create(builder, loc, largest,
                                       select(present, bits, integer(0)));
    }
  largest = warpMax(largest);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, largest,
                               integer(kInfinityBits));
}
