//===- driver.cpp - Opens libcuda and names its errors --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/driver.h"

#include <cstdlib>
#include <dlfcn.h>
#include <mutex>

using namespace sparseflow::rt;

namespace {
struct DriverState {
  std::mutex mutex;
  const sf_driver_table *replacement = nullptr;
  bool opened = false;
  sf_driver_table table = {};
};
} // namespace

// Never destroyed: contexts in other static objects may outlive any order of
// destruction, and libcuda stays loaded anyway.
static DriverState &driverState() {
  static DriverState *state = new DriverState;
  return *state;
}

static Status noDevice(std::string text) {
  return {SF_ERROR_NO_DEVICE, std::move(text)};
}

static Status openLibcuda(sf_driver_table &table) {
  // Only the soname or an absolute path: a relative one would let the working
  // directory choose the code that runs.
  const char *path = std::getenv("SPARSEFLOW_LIBCUDA");
  if (path && path[0] != '/')
    return noDevice("SPARSEFLOW_LIBCUDA must be an absolute path, found '" +
                    printable(path) + "'; unset it to use libcuda.so.1");
  if (!path)
    path = "libcuda.so.1";
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    return noDevice(std::string("no NVIDIA driver: cannot open ") +
                    printable(path) + " (" +
                    printable(reason ? reason : "no reason given", 400) +
                    "); install the NVIDIA driver: this library launches on "
                    "GPUs only (the sparseflow command can run on the CPU)");
  }
  sf_driver_table found = {};
  const char *missing = nullptr;
#define SFCU_LOOKUP(field, symbol, parameters)                                 \
  found.field =                                                                \
      reinterpret_cast<sfcu_result(*) parameters>(dlsym(library, #symbol));    \
  if (!found.field && !missing)                                                \
    missing = #symbol;
  SFCU_FUNCTIONS(SFCU_LOOKUP)
#undef SFCU_LOOKUP
#define SFCU_LOOKUP(field, symbol, parameters)                                 \
  found.field =                                                                \
      reinterpret_cast<sfcu_result(*) parameters>(dlsym(library, #symbol));
  SFCU_OPTIONAL_FUNCTIONS(SFCU_LOOKUP)
#undef SFCU_LOOKUP
  if (missing) {
    dlclose(library);
    return noDevice(std::string("the NVIDIA driver ") + printable(path) +
                    " lacks " + missing +
                    "; a driver for CUDA 11.4 or newer is needed");
  }
  table = found;
  return Status::success();
}

Expected<const sf_driver_table *> sparseflow::rt::driverTable() {
  DriverState &state = driverState();
  std::lock_guard<std::mutex> lock(state.mutex);
  if (state.replacement)
    return state.replacement;
  if (!state.opened) {
    if (Status status = openLibcuda(state.table); !status)
      return status;
    state.opened = true;
  }
  return const_cast<const sf_driver_table *>(&state.table);
}

extern "C" void sf_set_driver_table(const sf_driver_table *table) {
  DriverState &state = driverState();
  std::lock_guard<std::mutex> lock(state.mutex);
  state.replacement = table;
}

extern "C" sf_status sf_get_driver_table(const sf_driver_table **table) {
  return guard([&]() -> Status {
    if (!table)
      return invalidArgument("sf_get_driver_table: 'table' is null");
    Expected<const sf_driver_table *> found = driverTable();
    *table = found ? *found : nullptr;
    return found.status();
  });
}

/// What a kernel that runs can do to its context.
static bool isTrap(sfcu_result result) {
  switch (result) {
  case SFCU_ERROR_ILLEGAL_ADDRESS:
  case SFCU_ERROR_LAUNCH_TIMEOUT:
  case SFCU_ERROR_ASSERT:
  case SFCU_ERROR_HARDWARE_STACK_ERROR:
  case SFCU_ERROR_ILLEGAL_INSTRUCTION:
  case SFCU_ERROR_MISALIGNED_ADDRESS:
  case SFCU_ERROR_INVALID_ADDRESS_SPACE:
  case SFCU_ERROR_INVALID_PC:
  case SFCU_ERROR_LAUNCH_FAILED:
    return true;
  default:
    return false;
  }
}

bool sparseflow::rt::isSticky(sfcu_result result) {
  switch (result) {
  case SFCU_ERROR_ECC_UNCORRECTABLE:
  case SFCU_ERROR_NVLINK_UNCORRECTABLE:
  case SFCU_ERROR_CONTEXT_IS_DESTROYED:
    return true;
  default:
    return isTrap(result);
  }
}

bool sparseflow::rt::isKernelFault(sfcu_result result) {
  switch (result) {
  case SFCU_ERROR_INVALID_VALUE:
  case SFCU_ERROR_INVALID_IMAGE:
  case SFCU_ERROR_NO_BINARY_FOR_GPU:
  case SFCU_ERROR_INVALID_PTX:
  case SFCU_ERROR_UNSUPPORTED_PTX_VERSION:
  case SFCU_ERROR_NOT_FOUND:
  case SFCU_ERROR_LAUNCH_OUT_OF_RESOURCES:
    return true;
  default:
    return isTrap(result);
  }
}

static sf_status statusCode(sfcu_result result) {
  if (isSticky(result))
    return SF_ERROR_DEVICE_LOST;
  switch (result) {
  case SFCU_ERROR_OUT_OF_MEMORY:
    return SF_ERROR_OUT_OF_MEMORY;
  case SFCU_ERROR_NO_DEVICE:
  case SFCU_ERROR_INVALID_DEVICE:
  case SFCU_ERROR_DEVICE_UNAVAILABLE:
  case SFCU_ERROR_STUB_LIBRARY:
  case SFCU_ERROR_SYSTEM_DRIVER_MISMATCH:
    return SF_ERROR_NO_DEVICE;
  case SFCU_ERROR_INVALID_IMAGE:
  case SFCU_ERROR_NO_BINARY_FOR_GPU:
  case SFCU_ERROR_INVALID_PTX:
  case SFCU_ERROR_UNSUPPORTED_PTX_VERSION:
    return SF_ERROR_UNSUPPORTED;
  default:
    return SF_ERROR_DRIVER;
  }
}

static const char *advice(sfcu_result result) {
  switch (result) {
  case SFCU_ERROR_OUT_OF_MEMORY:
    return "; free device memory and call again";
  case SFCU_ERROR_NO_DEVICE:
    return "; no GPU is visible: look at nvidia-smi and CUDA_VISIBLE_DEVICES";
  case SFCU_ERROR_DEVICE_UNAVAILABLE:
    return "; another process holds the GPU exclusively";
  case SFCU_ERROR_STUB_LIBRARY:
    return "; the toolkit's stub was opened instead of the driver: remove its "
           "folder from LD_LIBRARY_PATH";
  case SFCU_ERROR_SYSTEM_DRIVER_MISMATCH:
    return "; the driver was updated: reboot or reload its kernel module";
  default:
    return isSticky(result) ? "; the GPU context is lost: restart the process"
                            : "";
  }
}

Status sparseflow::rt::driverStatus(const sf_driver_table &driver,
                                    sfcu_result result,
                                    const std::string &what) {
  if (result == SFCU_SUCCESS)
    return Status::success();
  const char *name = nullptr;
  const char *text = nullptr;
  driver.get_error_name(result, &name);
  driver.get_error_string(result, &text);
  return {statusCode(result),
          what + ": the driver returned " +
              (name ? name : "error " + std::to_string(result)) +
              (text ? std::string(" (") + text + ")" : std::string()) +
              advice(result)};
}

std::string sparseflow::rt::driverVersionText(int version) {
  return std::to_string(version / 1000) + "." +
         std::to_string(version % 1000 / 10);
}
