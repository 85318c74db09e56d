//===- FuseElementwise.cpp - Fuse chains of elementwise ops ---------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/CPU/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::sparseflow::cpu {
#define GEN_PASS_DEF_FUSEELEMENTWISE
#include "SparseFlow/Target/CPU/Passes.h.inc"
} // namespace mlir::sparseflow::cpu

using namespace mlir;

static bool isAllParallel(linalg::LinalgOp op) {
  return op && op.getNumParallelLoops() == op.getNumLoops();
}

/// A producer over fewer loops would be computed again for every broadcast
/// element; a second user would compute it twice.
static bool shouldFuse(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::LinalgOp>();
  auto consumer = dyn_cast<linalg::LinalgOp>(operand->getOwner());
  return isAllParallel(producer) && isAllParallel(consumer) &&
         producer->hasOneUse() &&
         producer.getNumLoops() == consumer.getNumLoops();
}

namespace {
struct FuseElementwisePass
    : public sparseflow::cpu::impl::FuseElementwiseBase<FuseElementwisePass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseOpsFusionPatterns(patterns, shouldFuse);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
