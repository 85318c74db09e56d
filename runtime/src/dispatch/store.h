//===- store.h - Measured times and quarantined kernels ---------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A small file that the processes of a user share (docs/formats/dispatch.md).
// Nothing depends on it: where it cannot be read or written, calls go on
// with what the compiler predicted, and only lose what was learned. It is read
// when a function is loaded, and written by tuning and by a failure; never by a
// launch. Every function may be called by any thread of any process; each opens
// a connection of its own.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_DISPATCH_STORE_H
#define SPARSEFLOW_RT_DISPATCH_STORE_H

#include "common/status.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sparseflow::rt {

/// What a record holds for: one GPU model under one driver.
struct DeviceKey {
  std::string gpu, driver;
};

/// What measured times hold for, on a device.
struct FunctionKey {
  DeviceKey device;
  /// Identities of the manifest and of the image (contentIdentity).
  std::string bundle, image;
  std::string function;
};

/// A variant of a step at these sizes.
struct MeasuredTime {
  /// Values of the function's symbols, in order.
  std::vector<int64_t> sizes;
  size_t step = 0, variant = 0;
  double microseconds = 0;
};

/// A kernel that failed.
struct QuarantinedKernel {
  DeviceKey device;
  std::string image, kernel;
  /// What happened, and the version of this library that saw it.
  std::string error, runtime;
  /// Seconds since 1970.
  int64_t time = 0;

  /// A record of this library and this second.
  static QuarantinedKernel now(DeviceKey device, std::string image,
                               std::string kernel, std::string error);
};

/// "3c1a90f2-18834": CRC-32C and size.
std::string contentIdentity(const std::string &bytes);

class DispatchStore {
public:
  /// The file; "" keeps nothing.
  explicit DispatchStore(std::string path) : path(std::move(path)) {}
  /// The one in use: what setPath said, else the environment variable
  /// SPARSEFLOW_DISPATCH_STORE, else below the user's cache folder.
  static DispatchStore current();
  /// Null returns to the default.
  static void setPath(const char *path);

  const std::string &file() const { return path; }

  Expected<std::vector<MeasuredTime>> times(const FunctionKey &key) const;
  /// Adds these, and replaces those of the same sizes, step and variant.
  Status keep(const FunctionKey &key,
              const std::vector<MeasuredTime> &times) const;

  /// The kernels of `device`, or of every one.
  Expected<std::vector<QuarantinedKernel>>
  quarantined(const DeviceKey *device = nullptr) const;
  Status quarantine(const QuarantinedKernel &kernel) const;
  /// Forgets the quarantined kernels; says how many there were.
  Expected<int64_t> clear() const;

private:
  class Session;
  /// Runs `body` on the open file, which is made anew where it is damaged or
  /// of another version.
  template <typename Body>
  Status use(bool create, Body body) const;

  std::string path;
};

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_DISPATCH_STORE_H
