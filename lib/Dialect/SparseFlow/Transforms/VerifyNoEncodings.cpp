//===- VerifyNoEncodings.cpp - No encoding may pass this point ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::sparseflow {
#define GEN_PASS_DEF_SPARSEFLOWVERIFYNOENCODINGS
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h.inc"
} // namespace mlir::sparseflow

using namespace mlir;
using namespace mlir::sparseflow;

/// Ternary caches keep their encoding: attention reads their pages as they are.
static bool hasEncoding(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.getEncoding())
    return false;
  TernaryAttr ternary = getTernaryEncoding(type);
  return !ternary || !ternary.isCache();
}

/// "found 'tensor<...>'" and what to do, after the start of a sentence.
static LogicalResult refuse(InFlightDiagnostic &&diagnostic, Type type) {
  return std::move(diagnostic)
         << " to have no encoding at this point, found " << type
         << "; sparseflow-materialize-storage turns the weights of "
            "sparseflow.matmul into bytes, anything else needs "
            "sparseflow.unpack";
}

LogicalResult mlir::sparseflow::verifyNoEncodings(func::FuncOp function) {
  // A declaration has types and no body.
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    if (hasEncoding(type))
      return refuse(function.emitOpError("expected argument ") << i, type);
  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    if (hasEncoding(type))
      return refuse(function.emitOpError("expected result ") << i, type);
  WalkResult walk = function.walk([](Operation *op) -> WalkResult {
    for (Type type : op->getResultTypes())
      if (hasEncoding(type))
        return refuse(op->emitOpError("expected its result"), type);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          if (hasEncoding(type))
            return refuse(op->emitOpError("expected its block arguments"),
                          type);
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

namespace {
struct VerifyNoEncodings
    : sparseflow::impl::SparseFlowVerifyNoEncodingsBase<VerifyNoEncodings> {
  void runOnOperation() override {
    if (failed(verifyNoEncodings(getOperation())))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
