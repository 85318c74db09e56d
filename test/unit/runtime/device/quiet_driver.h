//===- quiet_driver.h - Launches that allocate nothing -----------*- C++
//-*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TEST_UNIT_RUNTIME_DEVICE_QUIET_DRIVER_H
#define SPARSEFLOW_TEST_UNIT_RUNTIME_DEVICE_QUIET_DRIVER_H

#include "sparseflow/driver.h"

namespace sparseflow::test {

/// Allocations of this thread, counted while `countAllocations` is set; see
/// embedded_test.cpp.
extern thread_local bool countAllocations;
extern thread_local int allocations;

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
