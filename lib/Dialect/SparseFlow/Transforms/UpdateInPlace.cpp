//===- UpdateInPlace.cpp - Results in the memory of donated arguments -----===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/IR/Donation.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/KernelForm.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Signature.h"
#include "SparseFlow/Support/Remarks.h"

namespace mlir::sparseflow {
#define GEN_PASS_DEF_SPARSEFLOWUPDATEINPLACE
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h.inc"
} // namespace mlir::sparseflow

using namespace mlir;
using namespace mlir::sparseflow;

/// Why the op that makes `result` cannot write into `argument`, which it reads;
/// an empty string where it can.
static std::string whyNotInPlace(Value result, BlockArgument argument) {
  auto op = result.getDefiningOp<linalg::LinalgOp>();
  if (!op)
    return "is made by '" +
           result.getDefiningOp()->getName().getStringRef().str() +
           "', not by an elementwise op";
  if (op.getNumReductionLoops() || op->getNumResults() != 1)
    return "is made by a reduction, or with other results";
  AffineMap to = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  bool readsOthers = false;
  for (OpOperand &operand : op->getOpOperands())
    if (operand.get() == argument && op.payloadUsesValueFromOperand(&operand))
      readsOthers |=
          op.getMatchingIndexingMap(&operand) != to || !to.isPermutation();
  // By another shape, or at indices that the body computes.
  op->walk([&](Operation *inner) {
    for (Value value : inner->getOperands())
      if (isa<RankedTensorType>(value.getType()))
        readsOthers |= skipReshapes(value) == argument &&
                       (inner != op || value != argument);
  });
  if (readsOthers)
    return "reads other elements of it than those that it writes";
  return "";
}

/// Finds the result that has the memory of `argument`, and says so at the op
/// that makes it.
static LogicalResult place(func::FuncOp function, BlockArgument argument) {
  unsigned number = argument.getArgNumber();
  std::string why;
  for (Value result : function.front().getTerminator()->getOperands()) {
    Operation *op = result.getDefiningOp();
    if (getUpdatedArgument(result) == int64_t(number))
      return success();
    if (!op || op->hasAttr(kInPlaceAttr) ||
        result.getType() != argument.getType() ||
        !llvm::is_contained(op->getOperands(), argument))
      continue;
    std::string refusal = whyNotInPlace(result, argument);
    if (refusal.empty()) {
      op->setAttr(kInPlaceAttr,
                  Builder(function.getContext()).getI64IntegerAttr(number));
      explain(op, "import") << "argument " << number
                            << " is donated: this result is written in place";
      return success();
    }
    why = "found one that " + refusal;
  }
  return emitError(argument.getLoc())
         << "argument " << number
         << " is donated: expected a result of its type that an elementwise op "
            "makes of it, so that it can be written in place, "
         << (why.empty() ? "found none that reads it" : why)
         << "; take the donation away, or write the update as a select of new "
            "and old elements";
}

namespace {
struct UpdateInPlace
    : sparseflow::impl::SparseFlowUpdateInPlaceBase<UpdateInPlace> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    for (BlockArgument argument : function.getArguments())
      if (function.getArgAttr(argument.getArgNumber(), kDonatedAttr) &&
          failed(place(function, argument)))
        return signalPassFailure();
  }
};
} // namespace
