//===- WarpPipeline.cpp - Stages of warps that copy for themselves --------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Streamed/WarpPipeline.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

/// cp.async is counted alike whatever its copies' size.
static CpAsyncAttr copyAtom(OpBuilder &builder) {
  return CpAsyncAttr::get(builder.getContext(), 16);
}

WarpPipeline::WarpPipeline(OpBuilder &builder, Location loc, const Form &form,
                           Value shared, Value group)
    : ThreadCode(builder, loc), form(form), group(group) {
  start = at(shared, mul(group, form.stages * form.stageBytes));
}

void WarpPipeline::commit() {
  CommitGroupOp::create(builder, loc, copyAtom(builder));
}

void WarpPipeline::waitForGroups(int64_t pending) {
  WaitGroupOp::create(builder, loc, pending, copyAtom(builder));
}

void WarpPipeline::wait() {
  waitForGroups(form.stages - 1);
  meet();
}

void WarpPipeline::drain() { waitForGroups(0); }

void WarpPipeline::meet() {
  if (form.readers == Readers::Lane)
    return;
  if (form.readers == Readers::Warp) {
    sftile::BarrierOp::create(builder, loc, BarrierScope::Warp);
    return;
  }
  // Barrier 0 is the block's.
  sftile::BarrierOp::create(builder, loc, BarrierScope::Threads, add(group, 1),
                            builder.getI64IntegerAttr(form.groupThreads));
}

Value WarpPipeline::next(Value stage) {
  Value next = add(stage, form.stageBytes);
  return select(equal(next, form.stages * form.stageBytes), integer(0), next);
}
