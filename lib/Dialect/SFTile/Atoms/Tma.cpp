//===- Tma.cpp - cp.async.bulk.tensor: boxes of a matrix ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BulkCommon.h"

using namespace mlir;
using namespace mlir::sftile;

std::string TmaAttr::getInstruction() const { return "cp.async.bulk.tensor"; }

unsigned TmaAttr::getMinComputeCapability() const { return 90; }
bool TmaAttr::isBulk() const { return true; }
bool TmaAttr::usesTensorMap() const { return true; }

// The cache policy L2::evict_first, as createpolicy.fractional makes it.
static constexpr int64_t kEvictFirst = 0x12F0000000000000;

void TmaAttr::emit(OpBuilder &builder, Location loc,
                   const CopyOperands &operands) const {
  Value hint;
  if (operands.readOnce)
    hint = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                    kEvictFirst);
  NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
      builder, loc, emitClusterAddress(builder, loc, operands.destination),
      operands.source, operands.place, operands.barrier,
      /*im2colOffsets=*/ValueRange(), operands.multicast, hint,
      NVVM::TMALoadMode::TILE, /*isCTAOnly=*/false,
      /*group=*/NVVM::CTAGroupKindAttr(), /*predicate=*/Value());
}

void TmaAttr::emitStore(OpBuilder &builder, Location loc, Value source,
                        Value map, ValueRange place) const {
  NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(
      builder, loc, map, source, place, /*l2CacheHint=*/Value(),
      NVVM::TMAStoreMode::TILE, /*predicate=*/Value());
}

void TmaAttr::emitCommit(OpBuilder &builder, Location loc) const {
  NVVM::CpAsyncBulkCommitGroupOp::create(builder, loc);
}

void TmaAttr::emitWait(OpBuilder &builder, Location loc,
                       int64_t pending) const {
  NVVM::CpAsyncBulkWaitGroupOp::create(
      builder, loc, builder.getI32IntegerAttr(pending), builder.getUnitAttr());
}
