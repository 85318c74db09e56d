//===- GatedWarpMma.cpp - mma.sync of both weights of a gated product -----===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Mainloop/WarpMma.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

void GatedWarpMma::multiply(const MatmulStage &stage,
                            MutableArrayRef<Value> acc, ValueRange) {
  size_t count = acc.size() / GatedOperandA::kWeights;
  OperandA::Fragment a[GatedOperandA::kWeights];
  for (int64_t k = 0; k < warpColumns(); k += mma.getK()) {
    for (auto [number, fragment] : llvm::enumerate(a))
      fragment = operandA.loadFragment(
          b, GatedOperandA::partOf(stage.a, number), warp.feature, warpFeatures,
          {warp.column, k}, fragment);
    for (size_t tile = 0; tile < count; ++tile) {
      Value x = loadActivations(stage, tile, k);
      for (auto [number, fragment] : llvm::enumerate(a)) {
        Value &sum = acc[number * count + tile];
        sum = multiplyTile(fragment, x, sum);
      }
    }
  }
}
