//===- CacheAppendStep.cpp - Cache appends in a launch list ---------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionStep.h"
#include "Kernels/Cache/CacheAppendKernel.h"

using namespace mlir;
using namespace mlir::sparseflow;

LogicalResult mlir::sparseflow::convertAppend(CacheAppendOp op,
                                              HostProgram &program,
                                              OpBuilder &kernelBuilder,
                                              const std::string &prefix,
                                              unsigned computeCapability) {
  Value tokens = program.bufferOf(op.getTokens());
  Value lengths = program.bufferOf(op.getLengths());
  if (!tokens || !lengths)
    return op.emitOpError("expected tokens and lengths to be arguments or "
                          "computed tensors; pass constants as arguments");
  auto type = cast<RankedTensorType>(op.getCache().getType());
  CacheAppendKernel kernel{prefix + "_append",
                           op.getLoc(),
                           getTernaryEncoding(type),
                           *op.getMethod(),
                           type.getElementType(),
                           type.getDimSize(1),
                           type.getDimSize(3),
                           /*programmatic=*/computeCapability >= 90};
  gpu::GPUFuncOp function = kernel.generate(kernelBuilder);
  Value batch = program.dimOf(op.getCache(), 0);
  Value count = program.dimOf(op.getTokens(), 2);
  SmallVector<Value> pointers = {program.bufferOf(op.getCache()), tokens,
                                 lengths};
  SmallVector<Value> sizes = {count, program.dimOf(op.getCache(), 2)};
  Variant variant;
  variant.launches = [=](OpBuilder &builder) {
    Value grid = kernel.gridSize(builder, kernel.loc, batch, count);
    return SmallVector<Launch>{
        {function, grid, pointers, sizes, kernel.programmatic}};
  };
  program.addStep(op.getLoc(), "cache_append", count, variant);
  return success();
}
