//===- CacheAppendStep.cpp - Cache appends in a launch list ---------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch/Cache/CacheAppendStep.h"
#include "Kernels/Cache/CacheAppendKernel.h"
#include "SparseFlow/Support/Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::sparseflow;

/// Whether one kernel rounds the new tokens of both: as many of as many heads,
/// of quantized caches that are two.
static bool areAlike(CacheAppendOp a, CacheAppendOp b,
                     HostProgramBuilder &program) {
  auto quantized = [](CacheAppendOp op) {
    TernaryAttr encoding = getTernaryEncoding(op.getCache().getType());
    return encoding && !encoding.isTernary();
  };
  auto one = cast<RankedTensorType>(a.getCache().getType()),
       other = cast<RankedTensorType>(b.getCache().getType());
  return quantized(a) && quantized(b) && a.getLengths() == b.getLengths() &&
         a.getPages() == b.getPages() && a.getPageSize() == b.getPageSize() &&
         one.getDimSize(1) == other.getDimSize(1) &&
         one.getElementType() == other.getElementType() &&
         a.getCache() != b.getCache() && a.getResult() != b.getCache() &&
         llvm::all_of(ArrayRef<unsigned>{0, 2}, [&](unsigned dim) {
           return isEqualConstantIntOrValue(program.dimOf(a.getTokens(), dim),
                                            program.dimOf(b.getTokens(), dim));
         });
}

FailureOr<bool> mlir::sparseflow::convertAppend(CacheAppendOp op,
                                                CacheAppendOp second,
                                                const StepContext &context) {
  HostProgramBuilder &program = context.program;
  Value tokens = program.bufferOf(op.getTokens());
  Value lengths = program.bufferOf(op.getLengths());
  Value table = op.getPages() ? program.bufferOf(op.getPages()) : Value();
  if (!tokens || !lengths || (op.getPages() && !table)) {
    op.emitOpError("expected tokens, lengths and pages to be arguments "
                   "or computed tensors; pass constants as arguments");
    return failure();
  }
  bool both = second && program.bufferOf(second.getTokens()) &&
              areAlike(op, second, program);
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
  if (both) {
    auto other = cast<RankedTensorType>(second.getCache().getType());
    kernel.second = {getTernaryEncoding(other), other.getDimSize(3)};
  }
  gpu::GPUFuncOp function = kernel.generate(context.kernels);
  Value batch = program.dimOf(op.getTokens(), 0);
  Value count = program.dimOf(op.getTokens(), 2);
  SmallVector<Value> pointers = {program.bufferOf(op.getCache()), tokens,
                                 lengths};
  SmallVector<Value> sizes = {count, program.dimOf(op.getCache(), 2)};
  auto addPlaces = [&](CacheAppendOp of) {
    Value positions = table ? program.builder.createOrFold<arith::MulIOp>(
                                  of.getLoc(), program.dimOf(of.getPages(), 1),
                                  program.constant(of.getPageSize()))
                            : program.dimOf(of.getCache(), 2);
    sizes.append({positions, program.dimOf(of.getCache(), 0)});
  };
  if (!kernel.encoding.isTernary()) {
    sizes = {batch, count};
    addPlaces(op);
    if (table)
      pointers.push_back(table);
    explain(op, "append") << "a warp rounds each token of a head to "
                          << kernel.encoding.getCacheBits() << " bits in place"
                          << (table ? ", in the page that the table names"
                                    : "");
  }
  if (both) {
    addPlaces(second);
    pointers.append({program.bufferOf(second.getCache()),
                     program.bufferOf(second.getTokens())});
    explain(second, "append")
        << "a warp rounds each token of a head to "
        << kernel.second->encoding.getCacheBits()
        << " bits in place, in the launch of the append before it";
  }
  Variant variant;
  variant.launches = [=](OpBuilder &builder) {
    Value grid = kernel.gridSize(builder, kernel.loc, batch, count);
    return SmallVector<Launch>{
        {function, grid, pointers, sizes, kernel.programmatic}};
  };
  program.addStep(op.getLoc(), "cache_append", count, variant);
  return both;
}
