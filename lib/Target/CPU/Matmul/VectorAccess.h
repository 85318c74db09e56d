//===- VectorAccess.h - Vectors of rows that may end ------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a row that ends inside a vector, only the elements that exist are touched.
// `left` says how many of the row's exist from the vector's first on (an index,
// below zero if none does); null: all do.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_TARGET_CPU_MATMUL_VECTORACCESS_H
#define SPARSEFLOW_LIB_TARGET_CPU_MATMUL_VECTORACCESS_H

#include "Target/CPU/Transforms/IndexBuilder.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::sparseflow::cpu {

/// A vector of `type` from `source` at the indices `at`; elements that do not
/// exist are zero.
Value loadVector(IndexBuilder &ib, VectorType type, Value source, ValueRange at,
                 Value left);

/// Adds `sum` (f32) to the vector of `target` at the indices `at`.
void addToVector(IndexBuilder &ib, Value sum, Value target, ValueRange at,
                 Value left);

} // namespace mlir::sparseflow::cpu

#endif // SPARSEFLOW_LIB_TARGET_CPU_MATMUL_VECTORACCESS_H
