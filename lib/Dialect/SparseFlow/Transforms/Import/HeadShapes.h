//===- HeadShapes.h - Batches and heads in one dimension or two -*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_TRANSFORMS_IMPORT_HEADSHAPES_H
#define SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_TRANSFORMS_IMPORT_HEADSHAPES_H

#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/Builders.h"

namespace mlir::sparseflow {

/// Dimensions of [1, 1, S, D] or [B, 1, S, D] that are one of a tensor of
/// `rank` dimensions, 2 or 3, with one head.
SmallVector<ReassociationIndices> unitGroups(int64_t rank);

/// `value` with four dimensions: [S, D] and [B, S, D] have one head.
Value toRank4(OpBuilder &b, Value value);

/// [B, S, H, D] as [B, H, S, D].
Value transposeHeads(OpBuilder &b, Value value);

/// `value` as `type`, by a tensor.cast where they differ.
Value castTo(OpBuilder &b, Value value, Type type);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_TRANSFORMS_IMPORT_HEADSHAPES_H
