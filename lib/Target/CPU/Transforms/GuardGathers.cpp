//===- GuardGathers.cpp - Nothing is read of an empty tensor --------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/CPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::sparseflow::cpu {
#define GEN_PASS_DEF_GUARDGATHERS
#include "SparseFlow/Target/CPU/Passes.h.inc"
} // namespace mlir::sparseflow::cpu

using namespace mlir;

/// True where a dynamic dimension may be empty although `op` is executed: its
/// index is no loop.
static bool mayReadNothing(tensor::ExtractOp op) {
  RankedTensorType type = op.getTensor().getType();
  for (auto [dim, index] : llvm::enumerate(op.getIndices()))
    if (type.isDynamicDim(dim) && !index.getDefiningOp<linalg::IndexOp>())
      return true;
  return false;
}

static void guard(IRRewriter &rewriter, tensor::ExtractOp op) {
  Location loc = op.getLoc();
  // Sizes are the same for all elements.
  auto body = op->getParentOfType<linalg::LinalgOp>();
  bool isInside =
      body && !body->isAncestor(op.getTensor().getParentBlock()->getParentOp());
  rewriter.setInsertionPoint(isInside ? body.getOperation()
                                      : op.getOperation());
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value isSome;
  for (int64_t dim = 0, e = op.getTensor().getType().getRank(); dim < e;
       ++dim) {
    if (!op.getTensor().getType().isDynamicDim(dim))
      continue;
    Value size = tensor::DimOp::create(rewriter, loc, op.getTensor(), dim);
    Value here = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ne,
                                       size, zero);
    isSome = isSome ? arith::AndIOp::create(rewriter, loc, isSome, here) : here;
  }
  rewriter.setInsertionPoint(op);
  auto choice = scf::IfOp::create(
      rewriter, loc, isSome,
      [&](OpBuilder &b, Location loc) {
        Value element =
            tensor::ExtractOp::create(b, loc, op.getTensor(), op.getIndices());
        scf::YieldOp::create(b, loc, element);
      },
      [&](OpBuilder &b, Location loc) {
        Value none =
            arith::ConstantOp::create(b, loc, b.getZeroAttr(op.getType()));
        scf::YieldOp::create(b, loc, none);
      });
  rewriter.replaceOp(op, choice);
}

namespace {
struct GuardGathersPass
    : sparseflow::cpu::impl::GuardGathersBase<GuardGathersPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<tensor::ExtractOp> gathers;
    getOperation().walk([&](tensor::ExtractOp op) {
      if (mayReadNothing(op))
        gathers.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (tensor::ExtractOp op : gathers)
      guard(rewriter, op);
  }
};
} // namespace
