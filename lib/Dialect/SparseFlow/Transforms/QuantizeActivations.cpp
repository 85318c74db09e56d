//===- QuantizeActivations.cpp - 8-bit activations for ternary weights ----===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h"
#include "SparseFlow/Support/Remarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::sparseflow {
#define GEN_PASS_DEF_SPARSEFLOWQUANTIZEACTIVATIONS
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h.inc"
} // namespace mlir::sparseflow

using namespace mlir;
using namespace mlir::sparseflow;

/// The quantized form of `x`, made where `x` is.
static QuantizeOp quantize(OpBuilder &b, Location loc, Value x) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfterValue(x);
  return QuantizeOp::create(b, loc, x);
}

/// matmul(x, w) { epilogue(acc, ..) }  ->
///   matmul(q, w) { epilogue(acc * s, ..) }, s the last operand
static void rewrite(RewriterBase &rewriter, MatmulOp op,
                    QuantizeOp activations) {
  SmallVector<Value> operands(op.getEpilogueOperands());
  SmallVector<Broadcast> broadcasts = op.getBroadcastList();
  operands.push_back(activations.getScale());
  broadcasts.push_back(Broadcast::PerToken);
  rewriter.setInsertionPoint(op);
  auto result = MatmulOp::create(
      rewriter, op.getLoc(), op.getResultType(), activations.getQuantized(),
      op.getW(), operands, broadcasts,
      [&](OpBuilder &b, Location loc, ValueRange arguments) {
        IRMapping map;
        map.map(op.getEpilogue().getArguments(), arguments.drop_back());
        Value scaled =
            arith::MulFOp::create(b, loc, arguments.front(), arguments.back());
        map.map(op.getAccumulator(), scaled);
        for (Operation &inner : op.getEpilogue().front())
          b.clone(inner, map);
      });
  explain(op, "quantize") << "8-bit activations of [.., " << op.getK()
                          << "], a scale for each token";
  rewriter.replaceOp(op, result);
}

namespace {
struct QuantizeActivations
    : sparseflow::impl::SparseFlowQuantizeActivationsBase<QuantizeActivations> {
  void runOnOperation() override {
    SmallVector<MatmulOp> products;
    getOperation().walk([&](MatmulOp op) {
      TernaryAttr weight = op.getTernary();
      if (!weight || op.getXType().getElementType().isInteger())
        return;
      if (weight.isTernary())
        products.push_back(op);
      else
        explain(op, "quantize")
            << "activations stay as they are: expected a ternary weight, found "
            << weight;
    });
    IRRewriter rewriter(&getContext());
    llvm::DenseMap<Value, QuantizeOp> known;
    for (MatmulOp op : products) {
      // K bounds the sums of 8-bit activations.
      if (op.getK() >= (1 << 24)) {
        explain(op, "quantize") << "activations stay as they are: expected K "
                                   "below 2^24, found "
                                << op.getK();
        continue;
      }
      QuantizeOp &activations = known[op.getX()];
      if (!activations)
        activations = quantize(rewriter, op.getLoc(), op.getX());
      rewrite(rewriter, op, activations);
    }
  }
};
} // namespace
