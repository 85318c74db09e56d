//===- RaiseOps.cpp - What passes that raise linalg share -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RaiseOps.h"

#include "mlir/IR/Iterators.h"

using namespace mlir;
using namespace mlir::sparseflow;

void mlir::sparseflow::eraseDeadOps(RewriterBase &rewriter, Operation *root) {
  root->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (isOpTriviallyDead(op))
      rewriter.eraseOp(op);
  });
}

void mlir::sparseflow::raiseLinalgOps(
    Operation *root,
    function_ref<void(RewriterBase &, linalg::LinalgOp)> raise) {
  IRRewriter rewriter(root->getContext());
  SmallVector<linalg::LinalgOp> ops;
  root->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  for (linalg::LinalgOp op : ops)
    raise(rewriter, op);
  eraseDeadOps(rewriter, root);
}
