//===- PlaneTiles.cpp - Tiles of keys and values from planes --------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/Planes/PlaneTiles.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Words of a lane in a chunk, and what a word holds: rows and their K.
static constexpr int64_t kWords = 4, kWordRows = 8, kWordDepth = 64;

PlaneTiles::PlaneTiles(KernelBuilder &b, const PlanePages &pages, RingOp ring,
                       bool isTransposed)
    : b(b), pages(pages), ring(ring), isTransposed(isTransposed) {
  assert(pages.chunks() % 2 == 0 && pages.wordsOfKey() <= 2 &&
         "expected at most 128 features");
}

Value PlaneTiles::parity(int64_t bit) const {
  Value warp = WarpIdOp::create(b.builder, b.loc, b.builder.getIndexType());
  return b.rem(b.div(warp, int64_t(1) << bit), 2);
}

SmallVector<Value> PlaneTiles::load(Value first) const {
  Value page = pages.page(b.add(first, parity(0)));
  SmallVector<Value> words;
  for (int64_t chunk = 0; chunk < pages.chunks(); chunk += 2)
    words.push_back(pages.loadChunk(page, b.add(parity(1), chunk)));
  return words;
}

void PlaneTiles::fill(Value position, ArrayRef<Value> words, Value flip) const {
  OpBuilder &builder = b.builder;
  MLIRContext *context = builder.getContext();
  auto acquired = AcquireOp::create(builder, b.loc, ring, position);
  Value firstKey = b.mul(parity(0), TernaryAttr::kPageTokens);
  Type element = ring.getRing().getType().getTiles().front().getElementType();
  FragType numbersType =
      b.frag({kWordRows, kWordDepth}, element,
             LayoutAttr::get(
                 context, MmaSyncAttr::get(context, 16, element).getLayoutB()));
  for (auto [number, chunk] : llvm::enumerate(words))
    for (int64_t word = 0; word < kWords; ++word) {
      // Rows of the planes, without those of the odd chunk.
      int64_t perRow = isTransposed ? 1 : pages.wordsOfKey();
      int64_t before = kWords * 2 * number + word;
      int64_t row = before / perRow * kWordRows;
      Value odd = b.mul(parity(1), kWords / perRow * kWordRows);
      int64_t tile = isTransposed ? row / kTileCols : before % perRow;
      Value key = firstKey, feature = b.index(0);
      if (isTransposed)
        feature = b.add(odd, row % kTileCols);
      else
        key = b.add(b.add(key, odd), row);
      Value numbers =
          decodePlanes(b, numbersType, chunk, word, /*col=*/0, flip);
      StoreOp::create(builder, b.loc, numbers, acquired.getSlots()[tile], key,
                      feature,
                      isTransposed ? Access::Transposed : Access::Direct,
                      StMatrixAttr::get(context));
    }
  CommitOp::create(builder, b.loc, ring, position);
}
