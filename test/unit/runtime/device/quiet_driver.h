//===- quiet_driver.h - Launches that allocate nothing ----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TEST_UNIT_RUNTIME_DEVICE_QUIET_DRIVER_H
#define SPARSEFLOW_TEST_UNIT_RUNTIME_DEVICE_QUIET_DRIVER_H

#include "sparseflow/driver.h"

#include <chrono>
#include <gtest/gtest.h>

namespace sparseflow::test {

/// Allocations of this thread, counted while `countAllocations` is set; see
/// embedded_test.cpp.
extern thread_local bool countAllocations;
extern thread_local int allocations;

/// The time of one `call` of many, none of which may allocate.
template <typename Call>
double nanosecondsWithoutAllocation(const Call &call) {
  constexpr int calls = 100000;
  allocations = 0;
  countAllocations = true;
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i)
    call();
  std::chrono::duration<double, std::nano> spent =
      std::chrono::steady_clock::now() - start;
  countAllocations = false;
  EXPECT_EQ(allocations, 0);
  return spent.count() / calls;
}

/// The fake driver keeps records. Until this is destroyed its launches are only
/// counted.
class QuietDriver {
public:
  QuietDriver();
  ~QuietDriver();
  /// The context that launches find current.
  void setCurrent(sfcu_context context);
  int launches() const;

private:
  sf_driver_table table;
  const sf_driver_table *fake = nullptr;
};

} // namespace sparseflow::test

#endif // SPARSEFLOW_TEST_UNIT_RUNTIME_DEVICE_QUIET_DRIVER_H
