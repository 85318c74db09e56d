//===- GatedWarpgroupMma.cpp - wgmma of both weights of a gated product ---===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Mainloop/WarpgroupMma.h"

using namespace mlir;
using namespace mlir::sparseflow;

void GatedWarpgroupMma::start(const MatmulStage &stage, int64_t part,
                              const WarpgroupRows &rows,
                              MutableArrayRef<Value> sums,
                              SmallVectorImpl<Value> &held) {
  size_t count = rows.ofGroup.size();
  for (auto [number, mma] : llvm::enumerate(mmas)) {
    MatmulStage own = stage;
    own.a = llvm::to_vector(GatedOperandA::partOf(stage.a, number));
    mma->start(own, part, rows, sums.slice(number * count, count), held);
  }
}
