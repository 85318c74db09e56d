//===- AttentionVarlen.h - Sequences one behind the other -------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_IR_ATTENTIONVARLEN_H
#define SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_IR_ATTENTIONVARLEN_H

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

namespace mlir::sparseflow {

/// Checks the cumulative lengths, where there are any, and what stands beside
/// them.
LogicalResult verifyVarlen(AttentionOp op);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_IR_ATTENTIONVARLEN_H
