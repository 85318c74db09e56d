//===- TmaStore.cpp - Results by TMA --------------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Epilogue/ResultStore.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Features of a box, and the warps whose results it holds.
static constexpr int64_t kBoxFeatures = 64, kGroupWarps = 4;

TmaStore::TmaStore(const MatmulProblem &problem, KernelBuilder &b,
                   Epilogue &epilogue, EpilogueLoad &load, Value result,
                   Value warpRow, LayoutAttr accLayout)
    : problem(problem), b(b), epilogue(epilogue), load(load), result(result),
      warpRow(warpRow), accLayout(accLayout) {
  ScheduleAttr schedule = problem.schedule;
  auto tile = TileType::get(b.builder.getContext(),
                            {schedule.getStoreTokens(), kBoxFeatures},
                            problem.resultType, Order::Swizzled);
  for (int64_t i = 0; i < schedule.getStoreBuffers(); ++i)
    boxes.push_back(SharedOp::create(
        b.builder, b.loc, tile, schedule.getNumConsumerWarps(), kGroupWarps));
}

void TmaStore::store(ArrayRef<AccumulatorTile> accumulators, Value tileNumber) {
  ScheduleAttr schedule = problem.schedule;
  auto tma = TmaAttr::get(b.builder.getContext());
  auto stmatrix = dyn_cast_or_null<MatrixAtomInterface>(
      epilogue.matrixAtom(problem.resultType, /*store=*/true));
  int64_t buffers = schedule.getStoreBuffers(), number = 0;
  int64_t tokens = schedule.getStoredTokens();
  int64_t sliceTokens = epilogue.tokensOfSlice();
  int64_t slices = tokens / sliceTokens;
  auto placeOf = [&](int64_t slice) {
    const AccumulatorTile &tile = accumulators[slice / slices];
    return std::pair(tile.feature,
                     b.add(tile.token, slice % slices * sliceTokens));
  };
  OperandsAhead ahead(epilogue, slices * accumulators.size(), placeOf);
  for (const AccumulatorTile &tile : accumulators)
    for (int64_t box = 0; box < tokens; box += schedule.getStoreTokens()) {
      Value place = boxes[number % buffers];
      load.openBox(tileNumber, number++);
      WaitGroupOp::create(b.builder, b.loc, buffers - 1, tma, place);
      int64_t inBox = schedule.getStoreTokens();
      for (int64_t first = 0; first < inBox; first += sliceTokens) {
        SmallVector<Value> taken =
            load.take(first, sliceTokens, warpRow, accLayout);
        if (first + sliceTokens == inBox)
          load.closeBox();
        Value value = slice(b, tile.sums, box + first, sliceTokens);
        StoreOp::create(b.builder, b.loc, ahead.applyNext(value, taken), place,
                        b.index(first), warpRow, Access::Transposed, stmatrix);
      }
      TmaStoreOp::create(b.builder, b.loc, place, result,
                         b.add(tile.token, box), tile.boxFeature, tma);
    }
}

void TmaStore::finish() {
  WaitGroupOp::create(b.builder, b.loc, /*pending=*/0,
                      TmaAttr::get(b.builder.getContext()), boxes.front());
}
