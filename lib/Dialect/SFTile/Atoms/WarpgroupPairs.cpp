//===- WarpgroupPairs.cpp - Sparse products of bytes by wgmma -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/IR/WarpgroupPairs.h"
#include "WgmmaCommon.h"

using namespace mlir;
using namespace mlir::sftile;

void mlir::sftile::emitWarpgroupVisible(OpBuilder &builder, Location loc) {
  NVVM::FenceProxyOp::create(
      builder, loc, NVVM::ProxyKind::async_shared,
      NVVM::SharedSpaceAttr::get(builder.getContext(),
                                 NVVM::SharedSpace::shared_cta));
}

void mlir::sftile::emitWarpgroupFence(OpBuilder &builder, Location loc) {
  emitWgmmaFence(builder, loc);
}

SmallVector<Value> mlir::sftile::emitPairsProduct(OpBuilder &builder,
                                                  Location loc, ValueRange a,
                                                  Value metadata, Value b,
                                                  ValueRange sums,
                                                  int64_t columns) {
  // The selector is an immediate; all threads contribute metadata.
  return emitWgmmaRegisters(
      builder, loc,
      "wgmma.mma_async.sp.sync.aligned.m64n" + Twine(columns) + "k64.s32.s8.s8",
      builder.getI32Type(), sums, columns, a,
      emitSwizzledDescriptor(builder, loc, b), /*tail=*/"", metadata);
}

SmallVector<Value> mlir::sftile::emitPairsAwait(OpBuilder &builder,
                                                Location loc, ValueRange sums,
                                                ValueRange held) {
  emitWgmmaCommit(builder, loc);
  return emitWgmmaAwait(builder, loc, sums, held, /*leaving=*/0);
}
