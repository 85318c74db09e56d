//===- VerifyProgram.cpp - What has no GPU kernel -------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/KernelForm.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Signature.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::sparseflow {
#define GEN_PASS_DEF_SPARSEFLOWVERIFYPROGRAM
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h.inc"
} // namespace mlir::sparseflow

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr StringLiteral kRemedy =
    "; run it on the CPU (--device cpu, --target cpu), or end the compiled "
    "function before it and compute it outside";

static constexpr StringLiteral kExtract =
    "; 'sparseflow extract' makes arguments of constants and writes them to a "
    "file";

/// "argument 0", or "the result of 'linalg.generic'".
static std::string describeSource(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return "argument " + std::to_string(argument.getArgNumber());
  return "the result of '" +
         value.getDefiningOp()->getName().getStringRef().str() + "'";
}

static LogicalResult verifyOp(Operation *op) {
  if (auto matmul = dyn_cast<MatmulOp>(op)) {
    TernaryAttr ternary = matmul.getTernary();
    if (ternary && !ternary.hasKernels())
      return op->emitOpError("multiplies with a weight of ")
             << ternary
             << ", which has no GPU kernel: expected codes (`sparseflow pack "
                "--format ternary`)"
             << kRemedy;
    if (getElementTypeOrSelf(matmul.getX().getType()).isInteger(8) &&
        !matmul.getX().getDefiningOp<QuantizeOp>())
      return op->emitOpError("expected 8-bit activations of a "
                             "sparseflow.quantize, whose order on a GPU is "
                             "private, found ")
             << describeSource(matmul.getX())
             << "; pass the activations in 16 or 32 bits and quantize them "
                "here";
    if (isa_and_nonnull<arith::ConstantOp>(matmul.getW().getDefiningOp()))
      return op->emitOpError("has a constant weight: pass it as an argument, "
                             "so that it can be packed")
             << kExtract;
    for (auto [i, operand] : llvm::enumerate(matmul.getEpilogueOperands()))
      if (isa_and_nonnull<arith::ConstantOp>(operand.getDefiningOp()))
        return op->emitOpError("has a constant tensor as epilogue operand ")
               << i << "; pass it as an argument of the function" << kExtract;
    return success();
  }
  if (isa<AttentionOp, CacheAppendOp, HadamardOp, SampleOp>(op)) {
    for (OpOperand &operand : op->getOpOperands())
      if (isa_and_nonnull<arith::ConstantOp>(operand.get().getDefiningOp()))
        return op->emitOpError("has a constant tensor as operand ")
               << operand.getOperandNumber()
               << "; pass it as an argument of the function" << kExtract;
    return success();
  }
  if (isa<arith::ConstantOp, tensor::DimOp, tensor::EmptyOp,
          tensor::FromElementsOp, UnpackOp, PackOp, PruneOp, QuantizeOp>(op))
    return success();
  // What computes sizes and scalars, on the host.
  auto isScalar = [](Type type) { return type.isIntOrIndex(); };
  if (op->getNumResults() && llvm::all_of(op->getResultTypes(), isScalar) &&
      isMemoryEffectFree(op))
    return success();
  std::string why = explainNoKernel(op);
  if (why.empty())
    return success();
  return op->emitOpError("has no GPU kernel: ") << why << kRemedy;
}

namespace {
struct VerifyProgram
    : sparseflow::impl::SparseFlowVerifyProgramBase<VerifyProgram> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    func::FuncOp function = getOperation();
    // What has its signature recorded is past this level.
    if (function.isExternal() ||
        function->hasAttr(SparseFlowDialect::kArgumentTypesAttr))
      return;
    // All of them, so that one compilation shows what a program needs.
    bool hasError = false;
    for (Operation &op : function.front().without_terminator())
      hasError |= failed(verifyOp(&op));
    hasError |= failed(verifyUpdates(function));
    if (hasError)
      signalPassFailure();
  }
};
} // namespace
