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

/// The slices that `result` is `argument` with, the first one first; none where
/// that is not how it is made, or where the function returns what it is without
/// the last ones, too.
static SmallVector<tensor::InsertSliceOp> slicesOf(Value result,
                                                   BlockArgument argument) {
  SmallVector<tensor::InsertSliceOp> slices;
  while (auto insert = result.getDefiningOp<tensor::InsertSliceOp>()) {
    if (!slices.empty() &&
        llvm::any_of(insert->getUsers(), llvm::IsaPred<func::ReturnOp>))
      return {};
    slices.push_back(insert);
    result = insert.getDest();
  }
  if (result != argument)
    return {};
  std::reverse(slices.begin(), slices.end());
  return slices;
}

/// Whether elements of `argument`, or of what it is with slices, decide
/// `value`.
static bool isElementOf(Value value, BlockArgument argument) {
  Operation *op = value.getDefiningOp();
  if (!op || !isFromData(value))
    return false;
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    Value tensor = skipReshapes(extract.getTensor());
    while (auto insert = tensor.getDefiningOp<tensor::InsertSliceOp>())
      tensor = skipReshapes(insert.getDest());
    if (tensor == argument)
      return true;
  }
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return isElementOf(operand, argument);
  });
}

/// Why the slices cannot be written into `argument`.
static std::string whyNotInPlace(ArrayRef<tensor::InsertSliceOp> slices,
                                 BlockArgument argument) {
  for (tensor::InsertSliceOp insert : slices) {
    if (!insert.hasUnitStride())
      return "inserts a slice with strides";
    bool isPlacedByIt = llvm::any_of(insert.getOffsets(), [&](Value offset) {
      return isElementOf(offset, argument);
    });
    if (skipReshapes(insert.getSource()) == argument || isPlacedByIt)
      return "reads other elements of it than those that it writes";
  }
  return "";
}

/// Why the op that makes `result` cannot write into `argument`, which it reads;
/// an empty string where it can.
static std::string whyNotInPlace(Value result, BlockArgument argument) {
  auto op = result.getDefiningOp<linalg::LinalgOp>();
  if (!op)
    return "is made by '" +
           result.getDefiningOp()->getName().getStringRef().str() +
           "', not by an elementwise op or by insertions of slices";
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
      else
        readsOthers |= value.getParentBlock() == op->getBlock() &&
                       isElementOf(value, argument);
  });
  if (readsOthers)
    return "reads other elements of it than those that it writes";
  return "";
}

/// Finds the result that has the memory of `argument`, and says so at the ops
/// that make it.
static LogicalResult place(func::FuncOp function, BlockArgument argument) {
  unsigned number = argument.getArgNumber();
  std::string why;
  for (Value result : function.front().getTerminator()->getOperands()) {
    Operation *op = result.getDefiningOp();
    if (getUpdatedArgument(result) == int64_t(number))
      return success();
    if (!op || op->hasAttr(kInPlaceAttr) ||
        result.getType() != argument.getType())
      continue;
    SmallVector<tensor::InsertSliceOp> slices = slicesOf(result, argument);
    if (slices.empty() && !llvm::is_contained(op->getOperands(), argument))
      continue;
    std::string refusal = slices.empty() ? whyNotInPlace(result, argument)
                                         : whyNotInPlace(slices, argument);
    if (!refusal.empty()) {
      why = "found one that " + refusal;
      continue;
    }
    auto attribute = Builder(function.getContext()).getI64IntegerAttr(number);
    if (slices.empty())
      op->setAttr(kInPlaceAttr, attribute);
    for (tensor::InsertSliceOp insert : slices)
      insert->setAttr(kInPlaceAttr, attribute);
    Remark remark = explain(op, "import");
    remark << "argument " << number << " is donated: ";
    if (slices.empty())
      remark << "this result is written in place";
    else if (slices.size() == 1)
      remark << "this slice is written in place, and nothing else of it";
    else
      remark << slices.size()
             << " slices are written in place, and nothing else of it";
    return success();
  }
  return emitError(argument.getLoc())
         << "argument " << number
         << " is donated: expected a result of its type that an elementwise "
            "op, "
            "or insertions of slices, make of it, so that it can be written in "
            "place, "
         << (why.empty() ? "found none that reads it" : why)
         << "; take the donation away, or write the update as a select of new "
            "and old elements or as slices without strides";
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
