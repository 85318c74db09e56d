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
bool TmaAttr::usesTensorMap() const { return true; }

void TmaAttr::emitLoad(OpBuilder &builder, Location loc, Value destination,
                       Value source, ValueRange place, int64_t bytes,
                       Value barrier, Value multicast) const {
  NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
      builder, loc, emitClusterAddress(builder, loc, destination), source,
      place, barrier, /*im2colOffsets=*/ValueRange(), multicast,
      /*l2CacheHint=*/Value(), NVVM::TMALoadMode::TILE, /*isCTAOnly=*/false,
      /*group=*/NVVM::CTAGroupKindAttr(), /*predicate=*/Value());
}

void TmaAttr::emitStore(OpBuilder &builder, Location loc, Value source,
                        Value map, ValueRange place) const {
  NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(
      builder, loc, map, source, place, /*l2CacheHint=*/Value(),
      NVVM::TMAStoreMode::TILE, /*predicate=*/Value());
  NVVM::CpAsyncBulkCommitGroupOp::create(builder, loc);
}

void TmaAttr::emitWaitRead(OpBuilder &builder, Location loc,
                           int64_t pending) const {
  NVVM::CpAsyncBulkWaitGroupOp::create(
      builder, loc, builder.getI32IntegerAttr(pending), builder.getUnitAttr());
}
