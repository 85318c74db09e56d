//===- AttentionPlanes.h - Checks of ternary keys and values ----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_IR_ATTENTIONPLANES_H
#define SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_IR_ATTENTIONPLANES_H

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

namespace mlir::sparseflow {

/// Checks the encodings of keys and values of `op`, and its plane mask.
LogicalResult verifyPlanes(AttentionOp op);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_IR_ATTENTIONPLANES_H
