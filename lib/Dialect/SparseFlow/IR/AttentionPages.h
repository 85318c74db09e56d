//===- AttentionPages.h - Keys and values in pages --------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_IR_ATTENTIONPAGES_H
#define SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_IR_ATTENTIONPAGES_H

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

namespace mlir::sparseflow {

/// Checks the page table, where there is one, and the pages themselves.
LogicalResult verifyPages(AttentionOp op);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_IR_ATTENTIONPAGES_H
