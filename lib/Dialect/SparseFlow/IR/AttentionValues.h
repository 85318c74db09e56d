//===- AttentionValues.h - Values that are part of their rows ---*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_IR_ATTENTIONVALUES_H
#define SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_IR_ATTENTIONVALUES_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::sparseflow {

/// Canonical forms of which features of v are values.
void populateValuePatterns(RewritePatternSet &patterns);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_IR_ATTENTIONVALUES_H
