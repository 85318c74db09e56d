//===- CudaHandles.h - Owners for driver objects ----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_RUN_CUDAHANDLES_H
#define SPARSEFLOW_TOOLS_SUPPORT_RUN_CUDAHANDLES_H

#include "sparseflow/driver.h"

#include <utility>

namespace sparseflow::tools {

/// Owns one driver object and destroys it with a function of the table.
/// The context it belongs to must be current then.
template <typename Handle, sfcu_result (*sf_driver_table::*Destroy)(Handle)>
class CudaHandle {
public:
  CudaHandle() = default;
  CudaHandle(const sf_driver_table &driver, Handle handle)
      : driver(&driver), handle(handle) {}
  CudaHandle(CudaHandle &&other) noexcept
      : driver(other.driver), handle(std::exchange(other.handle, Handle())) {}
  CudaHandle &operator=(CudaHandle &&other) noexcept {
    std::swap(driver, other.driver);
    std::swap(handle, other.handle);
    return *this;
  }
  ~CudaHandle() {
    if (handle)
      (driver->*Destroy)(handle);
  }
  Handle get() const { return handle; }

private:
  const sf_driver_table *driver = nullptr;
  Handle handle = Handle();
};

using CudaMemory = CudaHandle<sfcu_deviceptr, &sf_driver_table::mem_free>;
using CudaEvent = CudaHandle<sfcu_event, &sf_driver_table::event_destroy>;
using CudaStream = CudaHandle<sfcu_stream, &sf_driver_table::stream_destroy>;
using CudaGraph = CudaHandle<sfcu_graph, &sf_driver_table::graph_destroy>;
using CudaGraphExec =
    CudaHandle<sfcu_graph_exec, &sf_driver_table::graph_exec_destroy>;

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_RUN_CUDAHANDLES_H
