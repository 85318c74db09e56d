//===- Softmax.h - Softmaxes as front ends write them -----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_TRANSFORMS_IMPORT_SOFTMAX_H
#define SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_TRANSFORMS_IMPORT_SOFTMAX_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::sparseflow {

/// The op that makes `value` if it is elementwise: all loops parallel, one
/// result that is written in order and not read; else null.
linalg::LinalgOp getElementwise(Value value);

/// The tensor behind elementwise ops that only round or extend.
Value skipCast(Value value);

/// True for a tensor filled with a float that `test` accepts.
bool isFilled(Value value, function_ref<bool(const APFloat &)> test);

/// The tensor whose softmax over the last dimension `value` is, in any rank
/// from 2 on; null if it is none. Understood are linalg.softmax and its five
/// steps: maximum (alone or with its position), difference and exponential (in
/// one op or two), sum, quotient. A row's maximum and sum meet the row by their
/// indexing maps, as a dimension of size 1, or repeated by an op of their own.
Value matchSoftmax(Value value);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_TRANSFORMS_IMPORT_SOFTMAX_H
