//===- context.h - A device context with its state of health ----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_DEVICE_CONTEXT_H
#define SPARSEFLOW_RT_DEVICE_CONTEXT_H

#include "device/driver.h"
#include "sparseflow/runtime.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <sys/types.h>

namespace sparseflow::rt {

/// One driver context. Thread-safe: all but the health is constant after
/// creation.
class DeviceContext {
public:
  /// Retains the primary context of device `ordinal`.
  static Expected<std::shared_ptr<DeviceContext>> create(int ordinal);
  /// Uses the context current on this thread.
  static Expected<std::shared_ptr<DeviceContext>> adoptCurrent();
  ~DeviceContext();
  DeviceContext(const DeviceContext &) = delete;

  const sf_driver_table &driver() const { return table; }
  sfcu_context native() const { return context; }
  int major() const { return capabilityMajor; }
  int minor() const { return capabilityMinor; }
  int maxSharedBytes() const { return sharedBytesLimit; }
  int driverVersion() const { return version; }
  const std::string &name() const { return deviceName; }

  void checkPointers(bool enabled) { pointerChecks = enabled; }
  bool checksPointers() const { return pointerChecks; }

  /// Success, or why no call can be made: the context died, or this process
  /// is a fork of the one that made it.
  Status usable() const;
  /// The status of a driver result; a sticky one kills the context.
  Status report(sfcu_result result, const std::string &what);

private:
  explicit DeviceContext(const sf_driver_table &table) : table(table) {}
  Status describe(sfcu_device ordinal);

  const sf_driver_table &table;
  sfcu_context context = nullptr;
  sfcu_device device = 0;
  bool retained = false;
  pid_t owner = 0;
  int capabilityMajor = 0, capabilityMinor = 0, sharedBytesLimit = 0;
  int version = 0;
  std::string deviceName;
  std::atomic<bool> pointerChecks{false};
  std::atomic<bool> dead{false};
  mutable std::mutex deathMutex;
  std::string causeOfDeath;
};

/// Makes a context current on this thread for a scope, and the one before it
/// current again afterwards.
class CurrentContext {
public:
  explicit CurrentContext(DeviceContext &context);
  ~CurrentContext();
  CurrentContext(const CurrentContext &) = delete;
  const Status &status() const { return result; }

private:
  DeviceContext &context;
  bool pushed = false;
  Status result;
};

} // namespace sparseflow::rt

/// The C object is a reference to the shared context.
struct sf_context {
  std::shared_ptr<sparseflow::rt::DeviceContext> context;
};

#endif // SPARSEFLOW_RT_DEVICE_CONTEXT_H
