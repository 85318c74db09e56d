//===- Bulk.cpp - cp.async.bulk: adjacent bytes -------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BulkCommon.h"

using namespace mlir;
using namespace mlir::sftile;

std::string BulkAttr::getInstruction() const {
  return "cp.async.bulk.shared::cluster.global";
}

unsigned BulkAttr::getMinComputeCapability() const { return 90; }
bool BulkAttr::isBulk() const { return true; }

void BulkAttr::emit(OpBuilder &builder, Location loc,
                    const CopyOperands &operands) const {
  Value size =
      LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                               builder.getI32IntegerAttr(operands.bytes));
  NVVM::CpAsyncBulkGlobalToSharedClusterOp::create(
      builder, loc, emitClusterAddress(builder, loc, operands.destination),
      operands.source, operands.barrier, size, operands.multicast,
      /*l2CacheHint=*/Value());
}

void BulkAttr::emitStoreBytes(OpBuilder &builder, Location loc, Value source,
                              Value destination, Value bytes) const {
  NVVM::CpAsyncBulkSharedCTAToGlobalOp::create(
      builder, loc, destination, source, bytes, /*l2CacheHint=*/Value(),
      /*byteMask=*/Value());
}

void BulkAttr::emitCommit(OpBuilder &builder, Location loc) const {
  NVVM::CpAsyncBulkCommitGroupOp::create(builder, loc);
}

void BulkAttr::emitWait(OpBuilder &builder, Location loc,
                        int64_t pending) const {
  NVVM::CpAsyncBulkWaitGroupOp::create(
      builder, loc, builder.getI32IntegerAttr(pending), /*read=*/UnitAttr());
}
