/*===- driver.h - The part of the CUDA driver that is used -----*- C -*-===*\
|*
|* Part of the SparseFlow project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*
|*
|* The driver is opened at run time (libcuda.so.1), never linked, so nothing
|* here needs a CUDA header. Types and numbers repeat cuda.h; a unit test
|* compares them where cuda.h is installed. Names carry sfcu_ / SFCU_ so that a
|* program may include both.
|*
|* sf_driver_table is the whole surface between SparseFlow and the driver. A
|* test (or a tracer) fills one and installs it with sf_set_driver_table.
|*
\*===----------------------------------------------------------------------===*/

#ifndef SPARSEFLOW_DRIVER_H
#define SPARSEFLOW_DRIVER_H

#include "sparseflow/status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int sfcu_result;
typedef int sfcu_device;
typedef uint64_t sfcu_deviceptr;
typedef void *sfcu_context;
typedef void *sfcu_module;
typedef void *sfcu_function;
typedef void *sfcu_stream;
typedef void *sfcu_event;
typedef void *sfcu_graph;
typedef void *sfcu_graph_exec;

/** What a kernel's tensor copies read: opaque, 128 bytes, passed by value. The
 * driver may want it aligned to 128 bytes while it is encoded. */
typedef struct sfcu_tensor_map {
  uint64_t opaque[16];
} sfcu_tensor_map;

/** cuda.h's CUlaunchAttribute; `number` is all that is used of its union. */
typedef struct sfcu_launch_attribute {
  int id;
  char pad[4];
  union {
    char pad[64];
    int number;
  } value;
} sfcu_launch_attribute;

/** cuda.h's CUlaunchConfig. */
typedef struct sfcu_launch_config {
  unsigned grid_x, grid_y, grid_z;
  unsigned block_x, block_y, block_z;
  unsigned shared_bytes;
  sfcu_stream stream;
  sfcu_launch_attribute *attributes;
  unsigned attribute_count;
} sfcu_launch_config;

/** cuda.h's CUgraphExecUpdateResultInfo; nodes are pointers. */
typedef struct sfcu_graph_update_info {
  int result;
  void *error_node;
  void *error_from_node;
} sfcu_graph_update_info;

/** Driver results that SparseFlow treats specially (CUDA_ERROR_... in cuda.h).
 */
enum {
  SFCU_SUCCESS = 0,
  SFCU_ERROR_INVALID_VALUE = 1,
  SFCU_ERROR_OUT_OF_MEMORY = 2,
  SFCU_ERROR_NOT_INITIALIZED = 3,
  SFCU_ERROR_DEINITIALIZED = 4,
  SFCU_ERROR_STUB_LIBRARY = 34,
  SFCU_ERROR_DEVICE_UNAVAILABLE = 46,
  SFCU_ERROR_NO_DEVICE = 100,
  SFCU_ERROR_INVALID_DEVICE = 101,
  SFCU_ERROR_INVALID_IMAGE = 200,
  SFCU_ERROR_INVALID_CONTEXT = 201,
  SFCU_ERROR_NO_BINARY_FOR_GPU = 209,
  SFCU_ERROR_ECC_UNCORRECTABLE = 214,
  SFCU_ERROR_INVALID_PTX = 218,
  SFCU_ERROR_NVLINK_UNCORRECTABLE = 220,
  SFCU_ERROR_UNSUPPORTED_PTX_VERSION = 222,
  SFCU_ERROR_NOT_FOUND = 500,
  SFCU_ERROR_ILLEGAL_ADDRESS = 700,
  SFCU_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
  SFCU_ERROR_LAUNCH_TIMEOUT = 702,
  SFCU_ERROR_CONTEXT_IS_DESTROYED = 709,
  SFCU_ERROR_ASSERT = 710,
  SFCU_ERROR_HARDWARE_STACK_ERROR = 714,
  SFCU_ERROR_ILLEGAL_INSTRUCTION = 715,
  SFCU_ERROR_MISALIGNED_ADDRESS = 716,
  SFCU_ERROR_INVALID_ADDRESS_SPACE = 717,
  SFCU_ERROR_INVALID_PC = 718,
  SFCU_ERROR_LAUNCH_FAILED = 719,
  SFCU_ERROR_SYSTEM_DRIVER_MISMATCH = 803,
  SFCU_ERROR_GRAPH_EXEC_UPDATE_FAILURE = 910,
  SFCU_ERROR_UNKNOWN = 999
};

/** Attributes, options and flags, with cuda.h's numbers. */
enum {
  SFCU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
  SFCU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  SFCU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
  SFCU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  SFCU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  SFCU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
  SFCU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
  SFCU_JIT_ERROR_LOG_BUFFER = 5,
  SFCU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
  SFCU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
  SFCU_MEMORYTYPE_HOST = 1,
  SFCU_MEMORYTYPE_DEVICE = 2,
  SFCU_MEMORYTYPE_UNIFIED = 4,
  SFCU_STREAM_NON_BLOCKING = 1,
  SFCU_EVENT_DEFAULT = 0,
  SFCU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1,
  SFCU_STREAM_CAPTURE_MODE_RELAXED = 2,
  SFCU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6,
  SFCU_TENSOR_MAP_UINT8 = 0,
  SFCU_TENSOR_MAP_FLOAT16 = 6,
  SFCU_TENSOR_MAP_FLOAT32 = 7,
  SFCU_TENSOR_MAP_BFLOAT16 = 9,
  SFCU_TENSOR_MAP_INTERLEAVE_NONE = 0,
  SFCU_TENSOR_MAP_SWIZZLE_NONE = 0,
  SFCU_TENSOR_MAP_SWIZZLE_32B = 1,
  SFCU_TENSOR_MAP_SWIZZLE_64B = 2,
  SFCU_TENSOR_MAP_SWIZZLE_128B = 3,
  SFCU_TENSOR_MAP_L2_PROMOTION_64B = 1,
  SFCU_TENSOR_MAP_L2_PROMOTION_128B = 2,
  SFCU_TENSOR_MAP_L2_PROMOTION_256B = 3,
  SFCU_TENSOR_MAP_OOB_FILL_NONE = 0
};

/**
 * SFCU_FUNCTIONS(X) calls X(field, exported symbol, parameter list) for each
 * function. The symbols are the versions the driver exports (`_v2`), not the
 * macro names of cuda.h.
 */
#define SFCU_FUNCTIONS(X)                                                      \
  X(init, cuInit, (unsigned flags))                                            \
  X(driver_get_version, cuDriverGetVersion, (int *version))                    \
  X(get_error_name, cuGetErrorName, (sfcu_result error, const char **text))    \
  X(get_error_string, cuGetErrorString,                                        \
    (sfcu_result error, const char **text))                                    \
  X(device_get_count, cuDeviceGetCount, (int *count))                          \
  X(device_get, cuDeviceGet, (sfcu_device * device, int ordinal))              \
  X(device_get_name, cuDeviceGetName,                                          \
    (char *name, int length, sfcu_device device))                              \
  X(device_get_attribute, cuDeviceGetAttribute,                                \
    (int *value, int attribute, sfcu_device device))                           \
  X(primary_ctx_retain, cuDevicePrimaryCtxRetain,                              \
    (sfcu_context * context, sfcu_device device))                              \
  X(primary_ctx_release, cuDevicePrimaryCtxRelease_v2, (sfcu_device device))   \
  X(ctx_get_current, cuCtxGetCurrent, (sfcu_context * context))                \
  X(ctx_get_device, cuCtxGetDevice, (sfcu_device * device))                    \
  X(ctx_push_current, cuCtxPushCurrent_v2, (sfcu_context context))             \
  X(ctx_pop_current, cuCtxPopCurrent_v2, (sfcu_context * context))             \
  X(module_load_data_ex, cuModuleLoadDataEx,                                   \
    (sfcu_module * module, const void *image, unsigned count, int *options,    \
     void **values))                                                           \
  X(module_unload, cuModuleUnload, (sfcu_module module))                       \
  X(module_get_function, cuModuleGetFunction,                                  \
    (sfcu_function * function, sfcu_module module, const char *name))          \
  X(func_set_attribute, cuFuncSetAttribute,                                    \
    (sfcu_function function, int attribute, int value))                        \
  X(launch_kernel, cuLaunchKernel,                                             \
    (sfcu_function function, unsigned grid_x, unsigned grid_y,                 \
     unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,    \
     unsigned shared_bytes, sfcu_stream stream, void **parameters,             \
     void **extra))                                                            \
  X(pointer_get_attribute, cuPointerGetAttribute,                              \
    (void *data, int attribute, sfcu_deviceptr pointer))                       \
  X(thread_exchange_capture_mode, cuThreadExchangeStreamCaptureMode,           \
    (int *mode))                                                               \
  X(mem_get_info, cuMemGetInfo_v2, (size_t *available, size_t *total))         \
  X(mem_alloc, cuMemAlloc_v2, (sfcu_deviceptr * pointer, size_t bytes))        \
  X(mem_free, cuMemFree_v2, (sfcu_deviceptr pointer))                          \
  X(memcpy_htod, cuMemcpyHtoD_v2,                                              \
    (sfcu_deviceptr to, const void *from, size_t bytes))                       \
  X(memcpy_dtoh, cuMemcpyDtoH_v2,                                              \
    (void *to, sfcu_deviceptr from, size_t bytes))                             \
  X(memset_d8_async, cuMemsetD8Async,                                          \
    (sfcu_deviceptr to, unsigned char value, size_t bytes,                     \
     sfcu_stream stream))                                                      \
  X(stream_create, cuStreamCreate, (sfcu_stream * stream, unsigned flags))     \
  X(stream_destroy, cuStreamDestroy_v2, (sfcu_stream stream))                  \
  X(stream_synchronize, cuStreamSynchronize, (sfcu_stream stream))             \
  X(stream_begin_capture, cuStreamBeginCapture_v2,                             \
    (sfcu_stream stream, int mode))                                            \
  X(stream_end_capture, cuStreamEndCapture,                                    \
    (sfcu_stream stream, sfcu_graph * graph))                                  \
  X(graph_instantiate, cuGraphInstantiateWithFlags,                            \
    (sfcu_graph_exec * exec, sfcu_graph graph, unsigned long long flags))      \
  X(graph_launch, cuGraphLaunch, (sfcu_graph_exec exec, sfcu_stream stream))   \
  X(graph_exec_destroy, cuGraphExecDestroy, (sfcu_graph_exec exec))            \
  X(graph_destroy, cuGraphDestroy, (sfcu_graph graph))                         \
  X(event_create, cuEventCreate, (sfcu_event * event, unsigned flags))         \
  X(event_destroy, cuEventDestroy_v2, (sfcu_event event))                      \
  X(event_record, cuEventRecord, (sfcu_event event, sfcu_stream stream))       \
  X(event_synchronize, cuEventSynchronize, (sfcu_event event))                 \
  X(event_elapsed_time, cuEventElapsedTime,                                    \
    (float *milliseconds, sfcu_event from, sfcu_event to))

/**
 * The functions that older drivers lack; a bundle or a call that needs one is
 * refused there with an error that names it.
 */
#define SFCU_OPTIONAL_FUNCTIONS(X)                                             \
  X(launch_kernel_ex, cuLaunchKernelEx,                                        \
    (const sfcu_launch_config *config, sfcu_function function,                 \
     void **parameters, void **extra))                                         \
  X(tensor_map_encode_tiled, cuTensorMapEncodeTiled,                           \
    (sfcu_tensor_map * map, int element_type, uint32_t rank, void *address,    \
     const uint64_t *sizes, const uint64_t *strides, const uint32_t *box,      \
     const uint32_t *element_strides, int interleave, int swizzle,             \
     int l2_promotion, int out_of_bounds_fill))                                \
  X(graph_exec_update, cuGraphExecUpdate_v2,                                   \
    (sfcu_graph_exec exec, sfcu_graph graph, sfcu_graph_update_info * info))

typedef struct sf_driver_table {
#define SFCU_FIELD(field, symbol, parameters) sfcu_result(*field) parameters;
  SFCU_FUNCTIONS(SFCU_FIELD)
  SFCU_OPTIONAL_FUNCTIONS(SFCU_FIELD)
#undef SFCU_FIELD
} sf_driver_table;

/**
 * Replaces the driver by `table` for every context created afterwards; null
 * returns to libcuda. The table is not copied and must outlive its contexts.
 * Every field of SFCU_FUNCTIONS must be set; the others may be null.
 * Thread-safe, but meant for the start of a process.
 */
SF_API void sf_set_driver_table(const sf_driver_table *table);

/**
 * Gives the table in use, opening libcuda.so.1 at the first call (the
 * environment variable SPARSEFLOW_LIBCUDA, an absolute path, names another
 * file). SF_ERROR_NO_DEVICE when it cannot be opened or lacks a function; that
 * answer is not cached. cuInit is not called. Thread-safe.
 */
SF_API sf_status sf_get_driver_table(const sf_driver_table **table);

#ifdef __cplusplus
}
#endif

#endif /* SPARSEFLOW_DRIVER_H */
