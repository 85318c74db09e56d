//===- Passes.h - Passes of the sparseflow dialect --------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One pass a file in lib/Dialect/SparseFlow/Transforms; Passes.td documents
// each.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SPARSEFLOW_TRANSFORMS_PASSES_H
#define SPARSEFLOW_DIALECT_SPARSEFLOW_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace mlir::sparseflow {

#define GEN_PASS_DECL
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h.inc"

/// Fails, with an error at the first op or argument, when a type in `function`
/// has a tensor encoding.
LogicalResult verifyNoEncodings(func::FuncOp function);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_DIALECT_SPARSEFLOW_TRANSFORMS_PASSES_H
