//===- ScheduleTestSupport.h - What the schedule tests share ---*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TEST_UNIT_SCHEDULE_SCHEDULETESTSUPPORT_H
#define SPARSEFLOW_TEST_UNIT_SCHEDULE_SCHEDULETESTSUPPORT_H

#include "SparseFlow/Schedule/ScheduleTable.h"

namespace mlir::sparseflow::test {

/// A matmul of N features and a depth of K on sm_90a; `weights` is the name
/// of its kind in the table of schedules.
inline ScheduleQuery matmulQuery(StringRef weights, int64_t n, int64_t k) {
  ScheduleQuery result;
  result.op = "matmul";
  result.weights = weights;
  result.target = "sm_90a";
  result.n = n;
  result.k = k;
  result.integer = weights.ends_with("_i8");
  return result;
}

} // namespace mlir::sparseflow::test

#endif // SPARSEFLOW_TEST_UNIT_SCHEDULE_SCHEDULETESTSUPPORT_H
