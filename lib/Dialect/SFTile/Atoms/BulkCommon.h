//===- BulkCommon.h - What the bulk copy atoms share -*- C++ -*- --------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_DIALECT_SFTILE_ATOMS_BULKCOMMON_H
#define SPARSEFLOW_LIB_DIALECT_SFTILE_ATOMS_BULKCOMMON_H

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mlir::sftile {

/// A shared address of this block as an address of the cluster, which is what
/// bulk copies take: the two windows coincide for the block's own memory.
inline Value emitClusterAddress(OpBuilder &builder, Location loc,
                                Value address) {
  auto type = LLVM::LLVMPointerType::get(
      builder.getContext(),
      static_cast<unsigned>(NVVM::NVVMMemorySpace::SharedCluster));
  return LLVM::AddrSpaceCastOp::create(builder, loc, type, address);
}

} // namespace mlir::sftile

#endif // SPARSEFLOW_LIB_DIALECT_SFTILE_ATOMS_BULKCOMMON_H
