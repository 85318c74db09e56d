//===- RaiseOps.h - What passes that raise linalg share ---------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_TRANSFORMS_IMPORT_RAISEOPS_H
#define SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_TRANSFORMS_IMPORT_RAISEOPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::sparseflow {

/// Erases what has neither users nor effects, users before what they use.
void eraseDeadOps(RewriterBase &rewriter, Operation *root);

/// Calls `raise` for each linalg op that `root` has now, in order; then erases
/// what only fed those that were replaced. `raise` may replace the op and erase
/// none.
void raiseLinalgOps(
    Operation *root,
    function_ref<void(RewriterBase &rewriter, linalg::LinalgOp op)> raise);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_TRANSFORMS_IMPORT_RAISEOPS_H
