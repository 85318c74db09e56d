//===- RowsOfMatmuls.h - Rows that matmuls compute --------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel of rows, a norm's, of one token takes as long as a launch does.
// Where matmuls of 16-bit activations alone read the rows, each of their blocks
// may compute them. These functions say which do, by the schedules of the
// matmuls; all who ask get one answer. What quantizations compute is in
// QuantizeGroup.h.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_LAUNCH_ROWS_ROWSOFMATMULS_H
#define SPARSEFLOW_LIB_LAUNCH_ROWS_ROWSOFMATMULS_H

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

namespace mlir::sparseflow {

/// Whether the rows that `op` reads may be computed by matmuls, if their
/// schedules say so.
bool readsComputableRows(MatmulOp op);

/// Whether `schedule` is one by which blocks compute the rows that they
/// multiply.
bool computesRows(sftile::ScheduleAttr schedule);

/// The matmuls that compute the rows of `root` for one token, by the first of
/// their schedules; none if one of them does not, and `onStored` hears why.
SmallVector<MatmulOp> matmulsThatCompute(
    Operation *root, function_ref<void(const std::string &)> onStored =
                         [](const std::string &) {});

/// The root of the kernel of rows that `op` computes so, or null.
Operation *rowsComputedBy(MatmulOp op);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_LAUNCH_ROWS_ROWSOFMATMULS_H
