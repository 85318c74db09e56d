//===- ResultsToDestinations.cpp - Results as destination buffers ---------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/CPU/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::sparseflow::cpu {
#define GEN_PASS_DEF_RESULTSTODESTINATIONS
#include "SparseFlow/Target/CPU/Passes.h.inc"
} // namespace mlir::sparseflow::cpu

using namespace mlir;

/// Null where a caller can pass `type` as a host buffer; else what is wrong.
static const char *whyNotBindable(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return "expected a ranked tensor (a scalar is a tensor of rank 0)";
  if (tensor.getEncoding())
    return "expected a tensor without an encoding: lower the sparseflow "
           "dialect "
           "to linalg first (sparseflow-lower-to-linalg)";
  Type element = tensor.getElementType();
  if (!element.isF16() && !element.isBF16() && !element.isF32() &&
      !element.isF64() && !element.isSignlessInteger(1) &&
      !element.isSignlessInteger(8) && !element.isSignlessInteger(16) &&
      !element.isSignlessInteger(32) && !element.isSignlessInteger(64))
    return "expected elements of f16, bf16, f32, f64, i1, i8, i16, i32 or i64";
  return nullptr;
}

namespace {
struct ResultsToDestinationsPass
    : public sparseflow::cpu::impl::ResultsToDestinationsBase<
          ResultsToDestinationsPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!function.isPublic() || function.isExternal())
      return;
    if (failed(check(function)))
      return signalPassFailure();

    separateInits(function);
    FunctionType type = function.getFunctionType();
    // Bufferization may otherwise compute in the memory of an argument.
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      function.setArgAttr(
          i, bufferization::BufferizationDialect::kWritableAttrName,
          BoolAttr::get(&getContext(), false));
    SmallVector<BlockArgument> destinations;
    for (Type result : type.getResults()) {
      auto tensor = cast<RankedTensorType>(result);
      auto memref = MemRefType::get(tensor.getShape(), tensor.getElementType());
      if (failed(function.insertArgument(function.getNumArguments(), memref,
                                         nullptr, function.getLoc())))
        return signalPassFailure();
      destinations.push_back(
          function.getArgument(function.getNumArguments() - 1));
    }
    function.walk([&](func::ReturnOp op) {
      OpBuilder b(op);
      for (auto [value, destination] :
           llvm::zip(op.getOperands(), destinations))
        bufferization::MaterializeInDestinationOp::create(
            b, op.getLoc(), /*result=*/Type(), value, destination,
            /*restrict=*/true, /*writable=*/true);
      op->setOperands({});
    });
    while (function.getNumResults())
      if (failed(function.eraseResult(0)))
        return signalPassFailure();
  }

private:
  /// Gives each op that overwrites an empty or filled tensor one of its own.
  /// CSE makes equal ones the same value; if it then became the memory of one
  /// result, another result would be computed there too.
  static void separateInits(func::FuncOp function) {
    auto isInit = [](OpOperand &use) {
      auto op = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
      return op && op.isDpsInit(&use);
    };
    SmallVector<Operation *> inits;
    function.walk([&](Operation *op) {
      auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
      bool isFilled = linalgOp && op->getNumResults() == 1 &&
                      llvm::none_of(linalgOp.getDpsInputs(), [](Value input) {
                        return isa<RankedTensorType>(input.getType());
                      });
      if (isFilled || isa<tensor::EmptyOp>(op))
        inits.push_back(op);
    });
    // Users first: a copied fill needs an empty tensor of its own.
    for (Operation *op : llvm::reverse(inits)) {
      OpBuilder b(op);
      bool isTaken = false;
      for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
        if (!isInit(use))
          continue;
        if (isTaken)
          use.set(b.clone(*op)->getResult(0));
        isTaken = true;
      }
    }
  }

  static LogicalResult check(func::FuncOp function) {
    FunctionType type = function.getFunctionType();
    for (auto [index, input] : llvm::enumerate(type.getInputs()))
      if (const char *why = whyNotBindable(input))
        return function.emitError()
               << "argument " << index << " of '" << function.getName()
               << "': " << why << ", found " << input;
    for (auto [index, result] : llvm::enumerate(type.getResults()))
      if (const char *why = whyNotBindable(result))
        return function.emitError()
               << "result " << index << " of '" << function.getName()
               << "': " << why << ", found " << result;
    return success();
  }
};
} // namespace
