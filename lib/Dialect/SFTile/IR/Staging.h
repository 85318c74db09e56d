//===- Staging.h - Tiles that TMA stores -----------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_DIALECT_SFTILE_IR_STAGING_H
#define SPARSEFLOW_LIB_DIALECT_SFTILE_IR_STAGING_H

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"

namespace mlir::sftile {

/// Checks that `atom` copies from shared memory by tensor maps, and that `tile`
/// is a staging tile, whose sharers are known.
LogicalResult verifyStaging(Operation *op, Value tile, Attribute atom);

} // namespace mlir::sftile

#endif // SPARSEFLOW_LIB_DIALECT_SFTILE_IR_STAGING_H
