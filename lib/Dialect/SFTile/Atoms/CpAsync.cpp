//===- CpAsync.cpp - cp.async: copies that arrive later -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::sftile;

LogicalResult
CpAsyncAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                    int64_t width) {
  if (width != 4 && width != 8 && width != 16)
    return emitError() << "expected 4, 8 or 16 bytes for cp_async, found "
                       << width;
  return success();
}

std::string CpAsyncAttr::getInstruction() const {
  return getWidth() == 16 ? "cp.async.cg.shared.global"
                          : "cp.async.ca.shared.global";
}

unsigned CpAsyncAttr::getMinComputeCapability() const { return 80; }
int64_t CpAsyncAttr::getBytes() const { return getWidth(); }

void CpAsyncAttr::emit(OpBuilder &builder, Location loc,
                       const CopyOperands &operands) const {
  // Only the 16-byte form may bypass the L1 cache.
  auto cache = getWidth() == 16 ? NVVM::LoadCacheModifierKind::CG
                                : NVVM::LoadCacheModifierKind::CA;
  NVVM::CpAsyncOp::create(
      builder, loc, operands.destination, operands.source,
      builder.getI32IntegerAttr(getWidth()),
      NVVM::LoadCacheModifierKindAttr::get(builder.getContext(), cache),
      operands.valid);
}

void CpAsyncAttr::emitCommit(OpBuilder &builder, Location loc) const {
  NVVM::CpAsyncCommitGroupOp::create(builder, loc);
}

void CpAsyncAttr::emitWait(OpBuilder &builder, Location loc,
                           int64_t pending) const {
  NVVM::CpAsyncWaitGroupOp::create(builder, loc,
                                   builder.getI32IntegerAttr(pending));
}
