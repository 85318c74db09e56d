//===- driver.h - Driver errors as statuses ---------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_DEVICE_DRIVER_H
#define SPARSEFLOW_RT_DEVICE_DRIVER_H

#include "common/status.h"
#include "sparseflow/driver.h"

namespace sparseflow::rt {

/// The table in use; see sf_get_driver_table.
Expected<const sf_driver_table *> driverTable();

/// True for results after which every call on the context fails the same way
/// until the process ends.
bool isSticky(sfcu_result result);

/// True for results that say that a kernel, or how it is launched, is at fault:
/// not memory, not a stream, not the machine.
bool isKernelFault(sfcu_result result);

/// Success for SFCU_SUCCESS, else a status whose text holds `what` and the
/// driver's name and description of the result.
Status driverStatus(const sf_driver_table &driver, sfcu_result result,
                    const std::string &what);

/// "13.0" for 13000.
std::string driverVersionText(int version);

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_DEVICE_DRIVER_H
