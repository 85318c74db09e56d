//===- FakeDriver.h - A GPU driver that fails on command --------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Stands in for libcuda in tests: device memory is host memory, a kernel is a
// C++ function, streams run at once, captures record and replay, every call is
// counted, and any call can be told to fail. A sticky error makes all later
// calls fail the same way, as on a GPU.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TEST_FAKE_DRIVER_FAKEDRIVER_H
#define SPARSEFLOW_TEST_FAKE_DRIVER_FAKEDRIVER_H

#include "sparseflow/driver.h"

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace sparseflow::test {

/// What cuTensorMapEncodeTiled was told; elementType and swizzle as cuda.h
/// numbers them, dimensions innermost first.
struct FakeTensorMap {
  int elementType = 0, swizzle = 0;
  uint32_t rank = 0;
  uint64_t address = 0;
  std::vector<uint64_t> sizes, strides;
  std::vector<uint32_t> box;
};

struct FakeLaunch {
  std::string kernel;
  unsigned grid = 0, threads = 0, sharedBytes = 0;
  sfcu_stream stream = nullptr;
  /// Eight bytes each; of a tensor map, the address.
  std::vector<uint64_t> arguments;
  /// By number of the argument.
  std::map<size_t, FakeTensorMap> tensorMaps;
  /// Launched with programmatic stream serialisation.
  bool programmatic = false;
};

/// What the driver keeps of a kernel that a module "contains".
struct FakeKernel {
  std::string name;
  size_t argumentCount = 0;
  int maxDynamicShared = 48 * 1024;
  /// Blocks of the cluster it was compiled for.
  unsigned cluster = 1;
  std::function<void(const FakeLaunch &)> body;
};

class FakeDriver {
public:
  /// The one driver of the process, installed by sf_set_driver_table.
  static FakeDriver &get();

  /// Back to one sm_90 device without kernels, failures or records, and
  /// installed. Objects made before must be gone.
  void reset();

  /// Every module has this kernel; `body` runs on each launch.
  void addKernel(const std::string &name, size_t argumentCount,
                 std::function<void(const FakeLaunch &)> body = {},
                 unsigned cluster = 1);
  /// Makes the device's clock advance; a launch takes 10 microseconds, and what
  /// its body spends besides.
  void spend(double microseconds);
  /// An old driver: the functions of SFCU_OPTIONAL_FUNCTIONS are null.
  void removeOptionalFunctions();
  /// Call number `nth` (from 1, counted from now) of `function`, a field of
  /// sf_driver_table such as "mem_alloc", returns `result`.
  void failCall(const std::string &function, int nth, sfcu_result result);
  /// Calls of `function` since reset.
  int calls(const std::string &function);
  /// Names of all functions called since reset, in order.
  std::vector<std::string> trace();
  std::vector<FakeLaunch> launches();
  /// Bytes of device memory that are allocated, and other objects that exist.
  size_t allocatedBytes();
  int liveObjects();

  int deviceCount = 1, major = 9, minor = 0, sharedLimit = 232448;
  int l2Bytes = 1 << 20;
  size_t memoryBytes = size_t(1) << 30;
  /// Error log of a failing module load.
  std::string jitLog;

private:
  friend struct FakeFunctions;
  struct Stream {
    bool capturing = false;
    std::vector<std::function<void()>> recorded;
  };

  /// Counts a call and says what it returns.
  sfcu_result enter(const char *function);
  /// What both ways to launch do.
  sfcu_result start(FakeLaunch launch, const FakeKernel &kernel,
                    void **parameters);
  void perform(sfcu_stream stream, std::function<void()> action);
  /// Lets every copy to the device that is under way arrive.
  void arrive();

  std::recursive_mutex mutex;
  std::map<std::string, int> counts;
  std::vector<std::string> order;
  std::map<std::string, std::map<int, sfcu_result>> failures;
  sfcu_result sticky = SFCU_SUCCESS;
  std::map<std::string, FakeKernel> kernels;
  std::vector<FakeLaunch> records;
  /// By the number that the encoded map holds.
  std::vector<FakeTensorMap> tensorMaps;
  std::map<sfcu_deviceptr, size_t> allocations;
  std::vector<std::function<void()>> staged;
  int objects = 0;
};

} // namespace sparseflow::test

#endif // SPARSEFLOW_TEST_FAKE_DRIVER_FAKEDRIVER_H
