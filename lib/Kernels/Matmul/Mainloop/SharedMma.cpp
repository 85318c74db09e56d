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

void SharedMma::start(const MatmulStage &stage, const WarpgroupRows &rows,
                      MutableArrayRef<Value> sums,
                      SmallVectorImpl<Value> &held) {
  SmallVector<Value> metadata;
  for (Value row : rows.ofWarp)
    metadata.push_back(
        operandA.loadMetadata(b, stage.a, row, kWarpRows, /*k=*/0));
  int64_t step = wgmma.getK();
  for (int64_t k = 0; k < problem.schedule.getK(); k += step)
    for (auto [sum, row, words] : llvm::zip(sums, rows.ofGroup, metadata)) {
      Type frag = sum.getType();
      if (auto pending = dyn_cast<PendingType>(frag))
        frag = pending.getFrag();
      sum = MmaAsyncOp::create(
          b.builder, b.loc,
          PendingType::get(b.builder.getContext(), cast<FragType>(frag)),
          stage.a[0], row, b.index(operandA.columnInTile(k)), stage.b[0],
          b.index(0), b.index(k), sum, words, operandA.selector(k, step),
          wgmma);
    }
  llvm::append_range(held, llvm::make_filter_range(metadata, [](Value words) {
                       return bool(words);
                     }));
}
