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
  bool isLatest = context.programmatic();
  int64_t vocabulary = op.getVocabulary();
  SampleKernel kernel{context.prefix + "_sample",
                      op.getLoc(),
                      vocabulary,
                      getElementTypeOrSelf(op.getLogits().getType()),
                      SampleKernel::blocksOf(vocabulary, isLatest),
                      /*programmatic=*/isLatest};
  explain(op, "sample") << kernel.blocks
                        << (kernel.blocks == 1 ? " block" : " blocks") << " of "
                        << kernel.threads() << " threads "
                        << (kernel.blocks == 1 ? "has" : "share")
                        << " a row of " << vocabulary << " logits"
                        << (isLatest ? "" : "; this target has no clusters");
  gpu::GPUFuncOp function = kernel.generate(context.kernels);
  Value rows = program.rowsOf(op.getLogits());
  Value blocks = program.builder.createOrFold<arith::MulIOp>(
      op.getLoc(), rows, program.constant(kernel.blocks));
  Variant variant;
  variant.launches = [=](OpBuilder &) {
    return SmallVector<Launch>{
        {function, blocks, pointers, {rows}, kernel.programmatic}};
  };
  program.addStep(op.getLoc(), "sample", rows, variant);
  return success();
}
