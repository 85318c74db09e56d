//===- Cases.h - Which sizes of a row an op gets ----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_SCHEDULE_CASES_H
#define SPARSEFLOW_LIB_SCHEDULE_CASES_H

#include "SparseFlow/Schedule/ScheduleTable.h"

namespace mlir::sparseflow {

/// The sizes of the first case of `row` that holds, which `taken` hears of, or
/// those of the row. `k` is that of its stages.
template <typename Row>
const auto &sizesFor(const Row &row, const ScheduleFacts &facts, int64_t k,
                     CaseListener taken) {
  for (const auto &one : row.cases)
    if (one.when.holds(facts, k)) {
      taken(row.name, one.because);
      return one.sizes;
    }
  return row.sizes;
}

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_SCHEDULE_CASES_H
