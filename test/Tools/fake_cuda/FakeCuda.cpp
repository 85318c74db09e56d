//===- FakeCuda.cpp - A libcuda whose kernels do nothing ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One device, "Fake GPU" or what FAKE_CUDA_NAME says, of compute
// capability 9.0; its memory is host memory. A launch prints itself, and aborts
// when FAKE_CUDA_ABORT is set. The kernel that FAKE_CUDA_ZEROES names makes
// zeros of what was set to a pattern since the stream was waited for: a kernel
// that is right where zeros are.
//
//===----------------------------------------------------------------------===//

#include "sparseflow/driver.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

// The header's list gives every function its declared signature.
#define SFCU_DECLARE(field, symbol, parameters)                                \
  extern "C" sfcu_result symbol parameters;
SFCU_FUNCTIONS(SFCU_DECLARE)
SFCU_OPTIONAL_FUNCTIONS(SFCU_DECLARE)
#undef SFCU_DECLARE

static sfcu_context current;
static std::vector<std::pair<sfcu_deviceptr, size_t>> patterned;
static void *handle(int value) {
  return reinterpret_cast<void *>(static_cast<intptr_t>(value));
}

extern "C" {
sfcu_result cuInit(unsigned) { return SFCU_SUCCESS; }
sfcu_result cuDriverGetVersion(int *version) {
  *version = 13000;
  return SFCU_SUCCESS;
}
sfcu_result cuGetErrorName(sfcu_result, const char **text) {
  *text = "CUDA_ERROR_FAKE";
  return SFCU_SUCCESS;
}
sfcu_result cuGetErrorString(sfcu_result, const char **text) {
  *text = "made up";
  return SFCU_SUCCESS;
}
sfcu_result cuDeviceGetCount(int *count) {
  *count = 1;
  return SFCU_SUCCESS;
}
sfcu_result cuDeviceGet(sfcu_device *device, int ordinal) {
  *device = ordinal;
  return SFCU_SUCCESS;
}
sfcu_result cuDeviceGetName(char *name, int length, sfcu_device) {
  const char *claimed = std::getenv("FAKE_CUDA_NAME");
  std::snprintf(name, length, "%s", claimed ? claimed : "Fake GPU");
  return SFCU_SUCCESS;
}
sfcu_result cuDeviceGetAttribute(int *value, int attribute, sfcu_device) {
  switch (attribute) {
  case SFCU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
    *value = 9;
    break;
  case SFCU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
    *value = 0;
    break;
  case SFCU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
    *value = 227 << 10;
    break;
  default:
    *value = 100;
  }
  return SFCU_SUCCESS;
}
sfcu_result cuDevicePrimaryCtxRetain(sfcu_context *context, sfcu_device) {
  *context = handle(1);
  return SFCU_SUCCESS;
}
sfcu_result cuDevicePrimaryCtxRelease_v2(sfcu_device) { return SFCU_SUCCESS; }
sfcu_result cuCtxGetCurrent(sfcu_context *context) {
  *context = current;
  return SFCU_SUCCESS;
}
sfcu_result cuCtxGetDevice(sfcu_device *device) {
  *device = 0;
  return SFCU_SUCCESS;
}
sfcu_result cuCtxPushCurrent_v2(sfcu_context context) {
  current = context;
  return SFCU_SUCCESS;
}
sfcu_result cuCtxPopCurrent_v2(sfcu_context *context) {
  if (context)
    *context = current;
  current = nullptr;
  return SFCU_SUCCESS;
}
sfcu_result cuModuleLoadDataEx(sfcu_module *module, const void *, unsigned,
                               int *, void **) {
  *module = handle(2);
  return SFCU_SUCCESS;
}
sfcu_result cuModuleUnload(sfcu_module) { return SFCU_SUCCESS; }
sfcu_result cuModuleGetFunction(sfcu_function *function, sfcu_module,
                                const char *name) {
  const char *zeroes = std::getenv("FAKE_CUDA_ZEROES");
  *function = handle(zeroes && !std::strcmp(name, zeroes) ? 8 : 3);
  return SFCU_SUCCESS;
}
sfcu_result cuFuncSetAttribute(sfcu_function, int, int) { return SFCU_SUCCESS; }
static void compute(sfcu_function function) {
  if (std::getenv("FAKE_CUDA_ABORT"))
    std::abort();
  if (function != handle(8))
    return;
  for (auto [address, bytes] : patterned)
    std::memset(reinterpret_cast<void *>(address), 0, bytes);
}
sfcu_result cuLaunchKernel(sfcu_function function, unsigned gridX, unsigned,
                           unsigned, unsigned blockX, unsigned, unsigned,
                           unsigned, sfcu_stream, void **, void **) {
  std::fprintf(stderr, "fake launch: %u blocks of %u threads\n", gridX, blockX);
  compute(function);
  return SFCU_SUCCESS;
}
sfcu_result cuLaunchKernelEx(const sfcu_launch_config *config,
                             sfcu_function function, void **, void **) {
  std::fprintf(stderr, "fake launch: %u blocks of %u threads, programmatic\n",
               config->grid_x, config->block_x);
  compute(function);
  return SFCU_SUCCESS;
}
sfcu_result cuTensorMapEncodeTiled(sfcu_tensor_map *map, int, uint32_t, void *,
                                   const uint64_t *, const uint64_t *,
                                   const uint32_t *, const uint32_t *, int, int,
                                   int, int) {
  *map = {};
  return SFCU_SUCCESS;
}
sfcu_result cuPointerGetAttribute(void *data, int, sfcu_deviceptr) {
  int device = SFCU_MEMORYTYPE_DEVICE;
  std::memcpy(data, &device, sizeof(device));
  return SFCU_SUCCESS;
}
sfcu_result cuThreadExchangeStreamCaptureMode(int *) { return SFCU_SUCCESS; }
sfcu_result cuMemGetInfo_v2(size_t *available, size_t *total) {
  *available = *total = size_t(16) << 30;
  return SFCU_SUCCESS;
}
sfcu_result cuMemAlloc_v2(sfcu_deviceptr *pointer, size_t bytes) {
  void *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  *pointer = reinterpret_cast<sfcu_deviceptr>(memory);
  return memory ? SFCU_SUCCESS : SFCU_ERROR_OUT_OF_MEMORY;
}
sfcu_result cuMemFree_v2(sfcu_deviceptr pointer) {
  std::free(reinterpret_cast<void *>(pointer));
  return SFCU_SUCCESS;
}
sfcu_result cuMemcpyHtoD_v2(sfcu_deviceptr to, const void *from, size_t bytes) {
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return SFCU_SUCCESS;
}
sfcu_result cuMemcpyDtoH_v2(void *to, sfcu_deviceptr from, size_t bytes) {
  std::memcpy(to, reinterpret_cast<const void *>(from), bytes);
  return SFCU_SUCCESS;
}
// Not the runtime's but the Python package's.
sfcu_result cuMemcpyDtoDAsync_v2(sfcu_deviceptr to, sfcu_deviceptr from,
                                 size_t bytes, sfcu_stream) {
  std::memcpy(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from),
              bytes);
  return SFCU_SUCCESS;
}
sfcu_result cuMemsetD8Async(sfcu_deviceptr to, unsigned char value,
                            size_t bytes, sfcu_stream) {
  std::memset(reinterpret_cast<void *>(to), value, bytes);
  patterned.emplace_back(to, bytes);
  return SFCU_SUCCESS;
}
sfcu_result cuStreamCreate(sfcu_stream *stream, unsigned) {
  *stream = handle(4);
  return SFCU_SUCCESS;
}
sfcu_result cuStreamDestroy_v2(sfcu_stream) { return SFCU_SUCCESS; }
sfcu_result cuStreamSynchronize(sfcu_stream) {
  patterned.clear();
  return SFCU_SUCCESS;
}
sfcu_result cuStreamBeginCapture_v2(sfcu_stream, int) { return SFCU_SUCCESS; }
sfcu_result cuStreamEndCapture(sfcu_stream, sfcu_graph *graph) {
  *graph = handle(5);
  return SFCU_SUCCESS;
}
sfcu_result cuGraphInstantiateWithFlags(sfcu_graph_exec *exec, sfcu_graph,
                                        unsigned long long) {
  *exec = handle(6);
  return SFCU_SUCCESS;
}
sfcu_result cuGraphExecUpdate_v2(sfcu_graph_exec, sfcu_graph,
                                 sfcu_graph_update_info *info) {
  *info = {};
  return SFCU_SUCCESS;
}
sfcu_result cuGraphLaunch(sfcu_graph_exec, sfcu_stream) { return SFCU_SUCCESS; }
sfcu_result cuGraphExecDestroy(sfcu_graph_exec) { return SFCU_SUCCESS; }
sfcu_result cuGraphDestroy(sfcu_graph) { return SFCU_SUCCESS; }
sfcu_result cuEventCreate(sfcu_event *event, unsigned) {
  *event = handle(7);
  return SFCU_SUCCESS;
}
sfcu_result cuEventDestroy_v2(sfcu_event) { return SFCU_SUCCESS; }
sfcu_result cuEventRecord(sfcu_event, sfcu_stream) { return SFCU_SUCCESS; }
sfcu_result cuEventSynchronize(sfcu_event) { return SFCU_SUCCESS; }
sfcu_result cuEventElapsedTime(float *milliseconds, sfcu_event, sfcu_event) {
  *milliseconds = 1;
  return SFCU_SUCCESS;
}
}
