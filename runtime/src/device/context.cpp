//===- context.cpp - A device context with its state of health ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/context.h"

#include <fstream>
#include <unistd.h>

using namespace sparseflow::rt;

/// " (570.86.15)", or nothing where the driver's module does not say: the
/// driver knows only the version of CUDA that it serves.
static std::string kernelModuleVersion() {
  std::ifstream file("/sys/module/nvidia/version");
  std::string text;
  std::getline(file, text);
  return text.empty() ? "" : " (" + printable(text, 40) + ")";
}

Status DeviceContext::describe(sfcu_device ordinal) {
  device = ordinal;
  char text[256] = {};
  if (Status status = driverStatus(
          table, table.device_get_name(text, sizeof(text) - 1, device),
          "reading the device's name");
      !status)
    return status;
  deviceName = text;
  if (Status status = driverStatus(table, table.driver_get_version(&version),
                                   "reading the driver's version");
      !status)
    return status;
  const std::pair<int, int *> attributes[] = {
      {SFCU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &capabilityMajor},
      {SFCU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &capabilityMinor},
      {SFCU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
       &sharedBytesLimit}};
  for (auto [attribute, value] : attributes)
    if (Status status = driverStatus(
            table, table.device_get_attribute(value, attribute, device),
            "reading device attribute " + std::to_string(attribute));
        !status)
      return status;
  deviceKey = {deviceName + " sm_" + std::to_string(capabilityMajor) +
                   std::to_string(capabilityMinor),
               driverVersionText(version) + kernelModuleVersion()};
  return Status::success();
}

Expected<std::shared_ptr<DeviceContext>> DeviceContext::create(int ordinal) {
  Expected<const sf_driver_table *> table = driverTable();
  if (!table)
    return table.status();
  const sf_driver_table &driver = **table;
  if (Status status =
          driverStatus(driver, driver.init(0), "initialising the GPU driver");
      !status)
    return status;
  int count = 0;
  if (Status status = driverStatus(driver, driver.device_get_count(&count),
                                   "counting GPUs");
      !status)
    return status;
  if (ordinal < 0 || ordinal >= count)
    return Status(SF_ERROR_NO_DEVICE, "device " + std::to_string(ordinal) +
                                          " does not exist: the driver shows " +
                                          std::to_string(count) +
                                          " (look at CUDA_VISIBLE_DEVICES)");
  std::shared_ptr<DeviceContext> made(new DeviceContext(driver));
  made->owner = getpid();
  sfcu_device device = 0;
  if (Status status = driverStatus(driver, driver.device_get(&device, ordinal),
                                   "opening device " + std::to_string(ordinal));
      !status)
    return status;
  if (Status status = made->describe(device); !status)
    return status;
  if (Status status = driverStatus(
          driver, driver.primary_ctx_retain(&made->context, device),
          "retaining the primary context of device " + std::to_string(ordinal));
      !status)
    return status;
  made->retained = true;
  return made;
}

Expected<std::shared_ptr<DeviceContext>> DeviceContext::adoptCurrent() {
  Expected<const sf_driver_table *> table = driverTable();
  if (!table)
    return table.status();
  const sf_driver_table &driver = **table;
  std::shared_ptr<DeviceContext> made(new DeviceContext(driver));
  made->owner = getpid();
  if (Status status =
          driverStatus(driver, driver.ctx_get_current(&made->context),
                       "reading the current context");
      !status)
    return status;
  if (!made->context)
    return invalidArgument("no GPU context is current on this thread; make one "
                           "current or use sf_context_create");
  sfcu_device device = 0;
  if (Status status = driverStatus(driver, driver.ctx_get_device(&device),
                                   "reading the current context's device");
      !status)
    return status;
  if (Status status = made->describe(device); !status)
    return status;
  return made;
}

DeviceContext::~DeviceContext() {
  // In a forked child the driver must not be called at all.
  if (retained && owner == getpid())
    table.primary_ctx_release(device);
}

Status DeviceContext::usable() const {
  if (dead.load(std::memory_order_acquire)) {
    std::lock_guard<std::mutex> lock(deathMutex);
    return {SF_ERROR_DEVICE_LOST,
            "the GPU context died earlier (" + causeOfDeath +
                "); only a new process can use the GPU again"};
  }
  if (owner != getpid())
    return {SF_ERROR_DEVICE_LOST,
            "this process was forked from process " + std::to_string(owner) +
                " after the GPU was opened there, which the driver does not "
                "support; open it after the fork, or exec"};
  return Status::success();
}

Status DeviceContext::report(sfcu_result result, const std::string &what) {
  if (result == SFCU_SUCCESS)
    return Status::success();
  Status status = driverStatus(table, result, what);
  if (isSticky(result)) {
    bool first = false;
    {
      std::lock_guard<std::mutex> lock(deathMutex);
      first = !dead.load(std::memory_order_relaxed);
      if (first)
        causeOfDeath = status.text();
      dead.store(true, std::memory_order_release);
    }
    if (first && isKernelFault(result))
      recordDeath(status.text());
  }
  return status;
}

const KernelIdentity *DeviceContext::identify(const std::string &image,
                                              const std::string &kernel) {
  std::lock_guard<std::mutex> lock(identityMutex);
  return &*identities.insert({image, kernel}).first;
}

// The error is seen some launches after the one that caused it, so that every
// kernel among the last ones may be the one. This process cannot go on; those
// after it prefer other kernels.
void DeviceContext::recordDeath(const std::string &error) {
  std::set<const KernelIdentity *> kernels;
  for (const auto &last : lastLaunches)
    kernels.insert(last.load(std::memory_order_relaxed));
  kernels.erase(nullptr);
  for (const KernelIdentity *kernel : kernels)
    (void)DispatchStore::current().quarantine(QuarantinedKernel::now(
        deviceKey, kernel->image, kernel->kernel,
        kernels.size() == 1
            ? error
            : error + " (one of the last " + std::to_string(kernels.size()) +
                  " kernels)"));
}

CurrentContext::CurrentContext(DeviceContext &context) : context(context) {
  const sf_driver_table &driver = context.driver();
  sfcu_context current = nullptr;
  // The text is built only on failure: this is the launch path.
  if (sfcu_result error = driver.ctx_get_current(&current)) {
    result = context.report(error, "reading the current context");
    return;
  }
  if (current == context.native())
    return;
  if (sfcu_result error = driver.ctx_push_current(context.native())) {
    result = context.report(error, "making the context current");
    return;
  }
  pushed = true;
}

CurrentContext::~CurrentContext() {
  sfcu_context popped = nullptr;
  if (pushed)
    context.driver().ctx_pop_current(&popped);
}
