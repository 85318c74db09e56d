//===- VerifyProgram.cpp - What has no GPU kernel -------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Views.h"

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

/// What a GPU lacks for a contraction that was not raised.
static LogicalResult refuseContraction(linalg::LinalgOp op) {
  return op->emitOpError("is a product without a GPU kernel: ")
         << explainContraction(op) << kRemedy;
}

static LogicalResult refuseReduction(linalg::LinalgOp op) {
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  InFlightDiagnostic error = op->emitOpError("reduces over ");
  error << (loops.size() == 1 ? "dimension " : "dimensions ");
  llvm::interleaveComma(loops, error);
  error << ": reductions, such as those of a softmax or a norm, have no GPU "
           "kernel"
        << kRemedy;
  return error;
}

/// Elementwise ops have kernels where operands meet the result in one of the
/// four ways of an epilogue.
static LogicalResult verifyElementwise(linalg::LinalgOp op) {
  if (op->getNumResults() != 1 || !op.hasPureTensorSemantics())
    return op->emitOpError("expected one result that is a tensor, found ")
           << op->getNumResults() << kRemedy;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  OpOperand *init = op.getDpsInitOperand(0);
  if (!op.getMatchingIndexingMap(init).isIdentity() || type.getRank() == 0)
    return op->emitOpError("writes its result in another order than that of "
                           "its loops, or has rank 0, and has no GPU kernel")
           << kRemedy;
  if (type.isDynamicDim(type.getRank() - 1))
    return op->emitOpError("expected a static last dimension, found ")
           << type << kRemedy;
  if (op.payloadUsesValueFromOperand(init))
    return op->emitOpError("reads the old value of its output, and has no GPU "
                           "kernel; pass it as an input");
  std::optional<SmallVector<int64_t>> result =
      getLoops(op.getMatchingIndexingMap(init));
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    std::optional<SmallVector<int64_t>> loops = getLoops(map);
    bool isMatrixTransposed =
        result->size() == 2 && loops && *loops == SmallVector<int64_t>{1, 0};
    if (!loops || (!isMatrixTransposed && !classifyBroadcast(*loops, *result)))
      return op->emitOpError("reads input ")
             << input->getOperandNumber() << " by " << AffineMapAttr::get(map)
             << ", transposed or repeated along an inner dimension, and has no "
                "GPU kernel"
             << kRemedy;
    Operation *source = input->get().getDefiningOp();
    if (isa_and_nonnull<arith::ConstantOp>(source))
      return op->emitOpError("reads a constant tensor as input ")
             << input->getOperandNumber()
             << "; pass it as an argument of the function" << kExtract;
    Type element = getElementTypeOrSelf(input->get().getType());
    if (!isa<Float16Type, BFloat16Type, Float32Type>(element))
      return op->emitOpError("expected inputs of f16, bf16 or f32, found ")
             << input->get().getType() << " as input "
             << input->getOperandNumber() << kRemedy;
  }
  if (!isa<Float16Type, BFloat16Type, Float32Type>(type.getElementType()))
    return op->emitOpError("expected a result of f16, bf16 or f32, found ")
           << type << kRemedy;
  return success();
}

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
  if (isa<AttentionOp, CacheAppendOp>(op)) {
    for (OpOperand &operand : op->getOpOperands())
      if (isa_and_nonnull<arith::ConstantOp>(operand.get().getDefiningOp()))
        return op->emitOpError("has a constant tensor as operand ")
               << operand.getOperandNumber()
               << "; pass it as an argument of the function" << kExtract;
    return success();
  }
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (linalgOp && isContraction(linalgOp))
    return refuseContraction(linalgOp);
  if (linalgOp && linalgOp.getNumReductionLoops())
    return refuseReduction(linalgOp);
  if (linalgOp)
    return verifyElementwise(linalgOp);
  // Reshapes move no data, and the rest computes sizes and scalars.
  if (isa<tensor::EmptyOp, tensor::DimOp, tensor::CollapseShapeOp,
          tensor::ExpandShapeOp, tensor::CastOp, arith::ConstantOp, UnpackOp,
          PackOp, PruneOp, QuantizeOp>(op))
    return success();
  auto isScalar = [](Type type) { return type.isIntOrIndex(); };
  if (op->getNumResults() && llvm::all_of(op->getResultTypes(), isScalar) &&
      isMemoryEffectFree(op))
    return success();
  return op->emitOpError("expected sparseflow.matmul, sparseflow.attention or "
                         "elementwise linalg, the operations that have GPU "
                         "kernels")
         << kRemedy;
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
