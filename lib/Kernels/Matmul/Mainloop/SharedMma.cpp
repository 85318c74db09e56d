//===- SharedMma.cpp - wgmma of operand A in shared memory ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Mainloop/WarpgroupMma.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Rows of a warp in an MMA of its warpgroup.
static constexpr int64_t kWarpRows = 16;

LayoutAttr SharedMma::accumulatorLayout() const {
  return LayoutAttr::get(b.builder.getContext(), wgmma.getLayoutC());
}

void SharedMma::start(const MatmulStage &stage, int64_t /*part*/,
                      const WarpgroupRows &rows, MutableArrayRef<Value> sums,
                      SmallVectorImpl<Value> &held) {
  int64_t step = wgmma.getK(), stageK = problem.schedule.getK();
  int64_t columns = cast<TileType>(stage.b[0].getType()).getShape()[1];
  // Of a tile's columns and all rows, then of the next tile's.
  SmallVector<Value> metadata;
  for (int64_t k = 0; k < stageK; k += columns)
    for (Value row : rows.ofWarp)
      metadata.push_back(operandA.loadMetadata(b, stage.a, row, kWarpRows, k));
  for (int64_t k = 0; k < stageK; k += step) {
    int64_t tile = k / columns;
    for (auto [sum, row, words] :
         llvm::zip(sums, rows.ofGroup,
                   ArrayRef(metadata).drop_front(tile * sums.size()))) {
      Type frag = sum.getType();
      if (auto pending = dyn_cast<PendingType>(frag))
        frag = pending.getFrag();
      sum = MmaAsyncOp::create(
          b.builder, b.loc,
          PendingType::get(b.builder.getContext(), cast<FragType>(frag)),
          stage.a[0], row, b.index(operandA.columnInTile(k)), stage.b[tile],
          b.index(0), b.index(k % columns), sum, words,
          operandA.selector(k, step), wgmma);
    }
  }
  llvm::append_range(held, llvm::make_filter_range(metadata, [](Value words) {
                       return bool(words);
                     }));
}
