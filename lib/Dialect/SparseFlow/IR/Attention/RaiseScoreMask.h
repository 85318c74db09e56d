//===- RaiseScoreMask.h - Masks of score regions as attributes --*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_IR_RAISESCOREMASK_H
#define SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_IR_RAISESCOREMASK_H

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

namespace mlir::sparseflow {

/// What a score region masks becomes `causal` and `window`, where it is that,
/// and what these imply is not compared again.
void populateScoreMaskPatterns(RewritePatternSet &patterns);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_IR_RAISESCOREMASK_H
