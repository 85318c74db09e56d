//===- SampleStep.cpp - Sampling in a launch list -------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/SparseFlowToSFTile/Steps.h"
#include "Kernels/Sample/SampleKernel.h"
#include "SparseFlow/Support/Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sparseflow;

LogicalResult mlir::sparseflow::convertSample(SampleOp op,
                                              const StepContext &context) {
  HostProgramBuilder &program = context.program;
  SmallVector<Value> pointers;
  for (Value operand : op->getOperands())
    pointers.push_back(program.bufferOf(operand));
  if (llvm::is_contained(pointers, Value()))
    return op.emitOpError("expected logits and parameters to be arguments or "
                          "computed tensors; pass constants as arguments");
  pointers.push_back(program.bufferOf(op.getIds()));
  // Targets that have PDL have clusters.
  SampleKernel any{context.prefix + "_sample", op.getLoc(), op.getVocabulary(),
                   getElementTypeOrSelf(op.getLogits().getType()),
                   /*programmatic=*/context.programmatic()};
  Value rows = program.rowsOf(op.getLogits());
  SmallVector<Variant> variants;
  for (const SampleKernel &kernel : any.forRows()) {
    explain(op, "sample") << kernel.describe();
    gpu::GPUFuncOp function = kernel.generate(context.kernels);
    Value blocks = program.builder.createOrFold<arith::MulIOp>(
        op.getLoc(), rows, program.constant(kernel.blocks));
    variants.emplace_back().maxRows = kernel.maxRows;
    variants.back().launches = [=, early = kernel.programmatic](OpBuilder &) {
      return SmallVector<Launch>{{function, blocks, pointers, {rows}, early}};
    };
  }
  program.addStep(op.getLoc(), "sample", rows, variants);
  return success();
}
