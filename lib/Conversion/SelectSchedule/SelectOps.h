//===- SelectOps.h - Schedules of one op ------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_CONVERSION_SELECTSCHEDULE_SELECTOPS_H
#define SPARSEFLOW_LIB_CONVERSION_SELECTSCHEDULE_SELECTOPS_H

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "SparseFlow/Schedule/ScheduleTable.h"

namespace mlir::sparseflow {

/// The names of the rows that `op` must not get.
SmallVector<std::string> avoidedRows(Operation *op);

/// Says that a case of a row was taken.
void explainCase(Operation *op, StringRef row, StringRef because);

/// Attaches the schedules that `table` has for `op` on `target`, and says why
/// these; those that are pinned stay. An error where there are none.
LogicalResult selectSchedules(AttentionOp op, const ScheduleTable &table,
                              StringRef target);

/// Gives `op` its schedule if it is the root of a kernel of the form product
/// and has none. Tables are about matmuls: one without such a row takes that of
/// the compiler's. Fails where the row makes no schedule, which is reported.
LogicalResult selectProductSchedule(Operation *op, const ScheduleTable &table,
                                    StringRef target);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_CONVERSION_SELECTSCHEDULE_SELECTOPS_H
