//===- CacheAppendStep.cpp - Cache appends in a launch list ---------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/SparseFlowToSFTile/Steps.h"
#include "Kernels/Cache/CacheAppendKernel.h"
#include "SparseFlow/Support/Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sparseflow;

LogicalResult mlir::sparseflow::convertAppend(CacheAppendOp op,
                                              const StepContext &context) {
  HostProgramBuilder &program = context.program;
  Value tokens = program.bufferOf(op.getTokens());
  Value lengths = program.bufferOf(op.getLengths());
  Value table = op.getPages() ? program.bufferOf(op.getPages()) : Value();
  if (!tokens || !lengths || (op.getPages() && !table))
    return op.emitOpError("expected tokens, lengths and pages to be arguments "
                          "or computed tensors; pass constants as arguments");
  auto type = cast<RankedTensorType>(op.getCache().getType());
  CacheAppendKernel kernel{context.prefix + "_append",
                           op.getLoc(),
                           getTernaryEncoding(type),
                           op.getMethod().value_or(TernaryMethod::Absmean),
                           type.getElementType(),
                           type.getDimSize(1),
                           type.getDimSize(3),
                           context.programmatic(),
                           op.getPageSize()};
  gpu::GPUFuncOp function = kernel.generate(context.kernels);
  Value batch = program.dimOf(op.getTokens(), 0);
  Value count = program.dimOf(op.getTokens(), 2);
  SmallVector<Value> pointers = {program.bufferOf(op.getCache()), tokens,
                                 lengths};
  Value positions = program.dimOf(op.getCache(), 2);
  SmallVector<Value> sizes = {count, positions};
  if (!kernel.encoding.isTernary()) {
    if (table) {
      pointers.push_back(table);
      positions = program.builder.createOrFold<arith::MulIOp>(
          op.getLoc(), program.dimOf(op.getPages(), 1),
          program.constant(op.getPageSize()));
    }
    sizes = {batch, count, positions, program.dimOf(op.getCache(), 0)};
    explain(op, "append") << "a warp rounds each token of a head to "
                          << kernel.encoding.getCacheBits() << " bits in place"
                          << (table ? ", in the page that the table names"
                                    : "");
  }
  Variant variant;
  variant.launches = [=](OpBuilder &builder) {
    Value grid = kernel.gridSize(builder, kernel.loc, batch, count);
    return SmallVector<Launch>{
        {function, grid, pointers, sizes, kernel.programmatic}};
  };
  program.addStep(op.getLoc(), "cache_append", count, variant);
  return success();
}
