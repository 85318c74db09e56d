//===- ClampIndices.h - Indices that data decide stay inside ----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_TRANSFORMS_IMPORT_CLAMPINDICES_H
#define SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_TRANSFORMS_IMPORT_CLAMPINDICES_H

#include "SizeAlgebra.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::sparseflow {

/// Clamps the indices of tensor.extract and the offsets of
/// tensor.extract_slice that may be outside of what they read, and marks the
/// clamps (IndexClamp.h).
void clampIndices(func::FuncOp function, SizeAlgebra &sizes);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_TRANSFORMS_IMPORT_CLAMPINDICES_H
