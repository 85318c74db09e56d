//===- ProductStep.h - Products of activations, and launches ----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_PRODUCTSTEP_H
#define SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_PRODUCTSTEP_H

#include "HostProgramBuilder.h"
#include "SparseFlow/Schedule/ScheduleTable.h"

namespace mlir::sparseflow {

/// Gives `op` its schedule if it is the root of a kernel of the form product
/// and has none. Tables are about matmuls: one without such a row takes that of
/// the compiler's. Fails where the row makes no schedule, which is reported.
LogicalResult selectProductSchedule(Operation *op, const ScheduleTable &table,
                                    StringRef target);

/// Generates the kernels of `root`, a contraction of the form product with a
/// schedule, whose names begin with `prefix`, and appends the step that
/// launches them.
LogicalResult convertProduct(linalg::LinalgOp root, HostProgramBuilder &program,
                             OpBuilder &kernels, const std::string &prefix,
                             unsigned computeCapability);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_PRODUCTSTEP_H
