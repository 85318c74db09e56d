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
#include "dispatch/store.h"
#include "sparseflow/runtime.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <sys/types.h>
#include <tuple>

namespace sparseflow::rt {

/// One driver context. Thread-safe: all but the health is constant after
/// creation.
/// A kernel of an image. Lives as long as the context.
struct KernelIdentity {
  std::string image, kernel;
  bool operator<(const KernelIdentity &other) const {
    return std::tie(image, kernel) < std::tie(other.image, other.kernel);
  }
};

class DeviceContext : public std::enable_shared_from_this<DeviceContext> {
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
  /// What measurements and failures of kernels hold for.
  const DeviceKey &key() const { return deviceKey; }

  void checkPointers(bool enabled) { pointerChecks = enabled; }
  bool checksPointers() const { return pointerChecks; }

  /// Success, or why no call can be made: the context died, or this process
  /// is a fork of the one that made it.
  Status usable() const;
  /// The status of a driver result; a sticky one kills the context.
  Status report(sfcu_result result, const std::string &what);

  /// The identity of a kernel, for noteLaunch.
  const KernelIdentity *identify(const std::string &image,
                                 const std::string &kernel);
  /// Remembers that a kernel was put on a stream. If the context dies by a
  /// kernel's fault, the last ones are to blame.
  void noteLaunch(const KernelIdentity *kernel) {
    uint32_t at = launchCount.fetch_add(1, std::memory_order_relaxed);
    lastLaunches[at % lastLaunches.size()].store(kernel,
                                                 std::memory_order_relaxed);
  }

private:
  /// Quarantines the kernels that may have killed the context.
  void recordDeath(const std::string &error);
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
  DeviceKey deviceKey;
  std::array<std::atomic<const KernelIdentity *>, 32> lastLaunches{};
  std::atomic<uint32_t> launchCount{0};
  std::mutex identityMutex;
  std::set<KernelIdentity> identities;
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
