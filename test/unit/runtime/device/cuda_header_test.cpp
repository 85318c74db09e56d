//===- cuda_header_test.cpp - Our driver numbers against cuda.h -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sparseflow/driver.h"

#include <cuda.h>
#include <gtest/gtest.h>
#include <type_traits>

// cuda.h spells types as pointers to its own structures; as parameters they
// must have our sizes and kinds.
template <typename Ours, typename Theirs>
constexpr bool sameKind =
    sizeof(Ours) == sizeof(Theirs) &&
    (std::is_pointer_v<Ours> == std::is_pointer_v<Theirs> ||
     std::is_integral_v<Ours> == std::is_integral_v<Theirs>);

template <typename Ours, typename Theirs>
struct SameSignature : std::false_type {};
template <typename R1, typename... Ours, typename R2, typename... Theirs>
struct SameSignature<R1 (*)(Ours...), R2(Theirs...)> {
  static constexpr bool check() {
    if constexpr (sizeof...(Ours) == sizeof...(Theirs))
      return sizeof(R1) == sizeof(R2) && (sameKind<Ours, Theirs> && ...);
    return false;
  }
  static constexpr bool value = check();
};

// The macro names of cuda.h hide the versions; the declarations of the
// versions that the macros do not reach are looked up by the macro's name.
#define CHECK(field, name)                                                     \
  static_assert(                                                               \
      SameSignature<decltype(sf_driver_table::field), decltype(name)>::value,  \
      #name)
CHECK(init, cuInit);
CHECK(driver_get_version, cuDriverGetVersion);
CHECK(get_error_name, cuGetErrorName);
CHECK(get_error_string, cuGetErrorString);
CHECK(device_get_count, cuDeviceGetCount);
CHECK(device_get, cuDeviceGet);
CHECK(device_get_name, cuDeviceGetName);
CHECK(device_get_attribute, cuDeviceGetAttribute);
CHECK(primary_ctx_retain, cuDevicePrimaryCtxRetain);
CHECK(primary_ctx_release, cuDevicePrimaryCtxRelease);
CHECK(ctx_get_current, cuCtxGetCurrent);
CHECK(ctx_get_device, cuCtxGetDevice);
CHECK(ctx_push_current, cuCtxPushCurrent);
CHECK(ctx_pop_current, cuCtxPopCurrent);
CHECK(module_load_data_ex, cuModuleLoadDataEx);
CHECK(module_unload, cuModuleUnload);
CHECK(module_get_function, cuModuleGetFunction);
CHECK(func_set_attribute, cuFuncSetAttribute);
CHECK(launch_kernel, cuLaunchKernel);
CHECK(pointer_get_attribute, cuPointerGetAttribute);
CHECK(thread_exchange_capture_mode, cuThreadExchangeStreamCaptureMode);
CHECK(mem_get_info, cuMemGetInfo);
CHECK(mem_alloc, cuMemAlloc);
CHECK(mem_free, cuMemFree);
CHECK(memcpy_htod, cuMemcpyHtoD);
CHECK(memcpy_dtoh, cuMemcpyDtoH);
CHECK(memset_d8_async, cuMemsetD8Async);
CHECK(stream_create, cuStreamCreate);
CHECK(stream_destroy, cuStreamDestroy);
CHECK(stream_synchronize, cuStreamSynchronize);
CHECK(stream_begin_capture, cuStreamBeginCapture);
CHECK(stream_end_capture, cuStreamEndCapture);
CHECK(graph_instantiate, cuGraphInstantiateWithFlags);
CHECK(graph_launch, cuGraphLaunch);
CHECK(graph_exec_destroy, cuGraphExecDestroy);
CHECK(launch_kernel_ex, cuLaunchKernelEx);
CHECK(tensor_map_encode_tiled, cuTensorMapEncodeTiled);
CHECK(graph_destroy, cuGraphDestroy);
CHECK(graph_exec_update, cuGraphExecUpdate);
CHECK(event_create, cuEventCreate);
CHECK(event_destroy, cuEventDestroy);
CHECK(event_record, cuEventRecord);
CHECK(event_synchronize, cuEventSynchronize);
CHECK(event_elapsed_time, cuEventElapsedTime);

#define SAME(ours, theirs)                                                     \
  static_assert(static_cast<int>(ours) == static_cast<int>(theirs), #theirs)
SAME(SFCU_SUCCESS, CUDA_SUCCESS);
SAME(SFCU_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_VALUE);
SAME(SFCU_ERROR_OUT_OF_MEMORY, CUDA_ERROR_OUT_OF_MEMORY);
SAME(SFCU_ERROR_NOT_INITIALIZED, CUDA_ERROR_NOT_INITIALIZED);
SAME(SFCU_ERROR_DEINITIALIZED, CUDA_ERROR_DEINITIALIZED);
SAME(SFCU_ERROR_STUB_LIBRARY, CUDA_ERROR_STUB_LIBRARY);
SAME(SFCU_ERROR_DEVICE_UNAVAILABLE, CUDA_ERROR_DEVICE_UNAVAILABLE);
SAME(SFCU_ERROR_NO_DEVICE, CUDA_ERROR_NO_DEVICE);
SAME(SFCU_ERROR_INVALID_DEVICE, CUDA_ERROR_INVALID_DEVICE);
SAME(SFCU_ERROR_INVALID_IMAGE, CUDA_ERROR_INVALID_IMAGE);
SAME(SFCU_ERROR_INVALID_CONTEXT, CUDA_ERROR_INVALID_CONTEXT);
SAME(SFCU_ERROR_NO_BINARY_FOR_GPU, CUDA_ERROR_NO_BINARY_FOR_GPU);
SAME(SFCU_ERROR_ECC_UNCORRECTABLE, CUDA_ERROR_ECC_UNCORRECTABLE);
SAME(SFCU_ERROR_INVALID_PTX, CUDA_ERROR_INVALID_PTX);
SAME(SFCU_ERROR_NVLINK_UNCORRECTABLE, CUDA_ERROR_NVLINK_UNCORRECTABLE);
SAME(SFCU_ERROR_UNSUPPORTED_PTX_VERSION, CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
SAME(SFCU_ERROR_NOT_FOUND, CUDA_ERROR_NOT_FOUND);
SAME(SFCU_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_ILLEGAL_ADDRESS);
SAME(SFCU_ERROR_LAUNCH_OUT_OF_RESOURCES, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
SAME(SFCU_ERROR_LAUNCH_TIMEOUT, CUDA_ERROR_LAUNCH_TIMEOUT);
SAME(SFCU_ERROR_CONTEXT_IS_DESTROYED, CUDA_ERROR_CONTEXT_IS_DESTROYED);
SAME(SFCU_ERROR_ASSERT, CUDA_ERROR_ASSERT);
SAME(SFCU_ERROR_HARDWARE_STACK_ERROR, CUDA_ERROR_HARDWARE_STACK_ERROR);
SAME(SFCU_ERROR_ILLEGAL_INSTRUCTION, CUDA_ERROR_ILLEGAL_INSTRUCTION);
SAME(SFCU_ERROR_MISALIGNED_ADDRESS, CUDA_ERROR_MISALIGNED_ADDRESS);
SAME(SFCU_ERROR_INVALID_ADDRESS_SPACE, CUDA_ERROR_INVALID_ADDRESS_SPACE);
SAME(SFCU_ERROR_INVALID_PC, CUDA_ERROR_INVALID_PC);
SAME(SFCU_ERROR_LAUNCH_FAILED, CUDA_ERROR_LAUNCH_FAILED);
SAME(SFCU_ERROR_SYSTEM_DRIVER_MISMATCH, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH);
SAME(SFCU_ERROR_GRAPH_EXEC_UPDATE_FAILURE,
     CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
SAME(SFCU_ERROR_UNKNOWN, CUDA_ERROR_UNKNOWN);
SAME(SFCU_DEVICE_ATTRIBUTE_CLOCK_RATE, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
SAME(SFCU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
     CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
SAME(SFCU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
SAME(SFCU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
     CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
SAME(SFCU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
     CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
SAME(SFCU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
     CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
SAME(SFCU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
     CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
SAME(SFCU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER);
SAME(SFCU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
SAME(SFCU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_MEMORY_TYPE);
SAME(SFCU_MEMORYTYPE_HOST, CU_MEMORYTYPE_HOST);
SAME(SFCU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_DEVICE);
SAME(SFCU_MEMORYTYPE_UNIFIED, CU_MEMORYTYPE_UNIFIED);
SAME(SFCU_STREAM_NON_BLOCKING, CU_STREAM_NON_BLOCKING);
SAME(SFCU_EVENT_DEFAULT, CU_EVENT_DEFAULT);
SAME(SFCU_STREAM_CAPTURE_MODE_THREAD_LOCAL,
     CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
SAME(SFCU_STREAM_CAPTURE_MODE_RELAXED, CU_STREAM_CAPTURE_MODE_RELAXED);
SAME(SFCU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
     CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
SAME(SFCU_TENSOR_MAP_UINT8, CU_TENSOR_MAP_DATA_TYPE_UINT8);
SAME(SFCU_TENSOR_MAP_FLOAT16, CU_TENSOR_MAP_DATA_TYPE_FLOAT16);
SAME(SFCU_TENSOR_MAP_FLOAT32, CU_TENSOR_MAP_DATA_TYPE_FLOAT32);
SAME(SFCU_TENSOR_MAP_BFLOAT16, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16);
SAME(SFCU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_INTERLEAVE_NONE);
SAME(SFCU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE);
SAME(SFCU_TENSOR_MAP_SWIZZLE_32B, CU_TENSOR_MAP_SWIZZLE_32B);
SAME(SFCU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_SWIZZLE_64B);
SAME(SFCU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_SWIZZLE_128B);
SAME(SFCU_TENSOR_MAP_L2_PROMOTION_256B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B);
SAME(SFCU_TENSOR_MAP_OOB_FILL_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);

// Structures that the driver reads.
static_assert(sizeof(sfcu_tensor_map) == sizeof(CUtensorMap));
static_assert(sizeof(sfcu_launch_attribute) == sizeof(CUlaunchAttribute));
static_assert(offsetof(sfcu_launch_attribute, value) ==
              offsetof(CUlaunchAttribute, value));
static_assert(sizeof(sfcu_launch_config) == sizeof(CUlaunchConfig));
#define SAME_PLACE(ours, theirs)                                               \
  static_assert(offsetof(sfcu_launch_config, ours) ==                          \
                    offsetof(CUlaunchConfig, theirs),                          \
                #theirs)
SAME_PLACE(grid_x, gridDimX);
SAME_PLACE(block_x, blockDimX);
SAME_PLACE(shared_bytes, sharedMemBytes);
SAME_PLACE(stream, hStream);
SAME_PLACE(attributes, attrs);
SAME_PLACE(attribute_count, numAttrs);

// The checks above happen at compile time; this names them in the test list.
TEST(CudaHeader, NumbersAndPrototypesAgree) { SUCCEED(); }
