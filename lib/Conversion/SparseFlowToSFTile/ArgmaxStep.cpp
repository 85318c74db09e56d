//===- ArgmaxStep.cpp - The argmax of a matmul and its launch -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/SparseFlowToSFTile/Steps.h"
#include "Kernels/Elementwise/MaximaKernel.h"
#include "SparseFlow/Support/Remarks.h"

using namespace mlir;
using namespace mlir::sparseflow;

LogicalResult mlir::sparseflow::convertArgmax(linalg::LinalgOp op,
                                              MatmulOp matmul,
                                              const StepContext &context) {
  HostProgramBuilder &program = context.program;
  Value result = op->getResult(1);
  MaximaKernel kernel{context.prefix + "_argmax", op.getLoc(),
                      MaximaKernel::partsOf(matmul.getN()),
                      getElementTypeOrSelf(result.getType()),
                      context.programmatic()};
  explain(op, "argmax") << "the matmul's kernels store " << kernel.parts
                        << " partial maxima for each token in place of "
                        << matmul.getN() << " results";
  gpu::GPUFuncOp function = kernel.generate(context.kernels);
  SmallVector<Value> pointers = {program.bufferOf(matmul.getResult()),
                                 program.bufferOf(result)};
  Value rows = program.rowsOf(matmul.getResult());
  Variant variant;
  variant.launches = [=](OpBuilder &) {
    return SmallVector<Launch>{
        {function, rows, pointers, {rows}, kernel.programmatic}};
  };
  program.addStep(op.getLoc(), "argmax", rows, variant);
  return success();
}
