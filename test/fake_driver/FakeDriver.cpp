//===- FakeDriver.cpp - A GPU driver that fails on command ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeDriver.h"
#include "sparseflow/dispatch.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

using namespace sparseflow::test;

namespace {
struct FakeGraph {
  std::vector<std::function<void()>> actions;
};
struct FakeEvent {
  double microseconds = 0;
};
// Executable graphs, which the context owns: one that died takes them with it.
std::map<void *, std::unique_ptr<FakeGraph>> executables;
int primaryContext, moduleObject;
thread_local std::vector<sfcu_context> currentContexts;
double clockMicroseconds = 0;
// The first word of an encoded tensor map: no address has these bits.
constexpr uint64_t tensorMapMark = 0xfeed5f7e4503a9c1;
} // namespace

namespace sparseflow::test {
/// The functions of the table, one static member for each.
struct FakeFunctions {
  static FakeDriver &fake() { return FakeDriver::get(); }

// Every function counts itself, and returns at once when told to fail.
#define ENTER(name)                                                            \
  std::lock_guard<std::recursive_mutex> lock(fake().mutex);                    \
  if (sfcu_result failure = fake().enter(#name))                               \
    return failure;

  static sfcu_result init(unsigned) {
    ENTER(init);
    return fake().deviceCount ? SFCU_SUCCESS : SFCU_ERROR_NO_DEVICE;
  }
  static sfcu_result driver_get_version(int *version) {
    ENTER(driver_get_version);
    *version = 13000;
    return SFCU_SUCCESS;
  }
  // These two describe errors and so work after any of them.
  static sfcu_result get_error_name(sfcu_result error, const char **text) {
    static thread_local char buffer[32];
    std::snprintf(buffer, sizeof(buffer), "FAKE_ERROR_%d", error);
    *text = buffer;
    return SFCU_SUCCESS;
  }
  static sfcu_result get_error_string(sfcu_result, const char **text) {
    *text = "as commanded";
    return SFCU_SUCCESS;
  }
  static sfcu_result device_get_count(int *count) {
    ENTER(device_get_count);
    *count = fake().deviceCount;
    return SFCU_SUCCESS;
  }
  static sfcu_result device_get(sfcu_device *device, int ordinal) {
    ENTER(device_get);
    *device = ordinal;
    return SFCU_SUCCESS;
  }
  static sfcu_result device_get_name(char *name, int length, sfcu_device) {
    ENTER(device_get_name);
    std::snprintf(name, static_cast<size_t>(length), "Fake GPU");
    return SFCU_SUCCESS;
  }
  static sfcu_result device_get_attribute(int *value, int attribute,
                                          sfcu_device) {
    ENTER(device_get_attribute);
    switch (attribute) {
    case SFCU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      *value = fake().major;
      return SFCU_SUCCESS;
    case SFCU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
      *value = fake().minor;
      return SFCU_SUCCESS;
    case SFCU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
      *value = fake().sharedLimit;
      return SFCU_SUCCESS;
    case SFCU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
      *value = fake().l2Bytes;
      return SFCU_SUCCESS;
    default:
      return SFCU_ERROR_INVALID_VALUE;
    }
  }
  static sfcu_result primary_ctx_retain(sfcu_context *context, sfcu_device) {
    ENTER(primary_ctx_retain);
    *context = &primaryContext;
    ++fake().objects;
    return SFCU_SUCCESS;
  }
  static sfcu_result primary_ctx_release(sfcu_device) {
    ENTER(primary_ctx_release);
    --fake().objects;
    return SFCU_SUCCESS;
  }
  static sfcu_result ctx_get_current(sfcu_context *context) {
    ENTER(ctx_get_current);
    *context = currentContexts.empty() ? nullptr : currentContexts.back();
    return SFCU_SUCCESS;
  }
  static sfcu_result ctx_get_device(sfcu_device *device) {
    ENTER(ctx_get_device);
    *device = 0;
    return SFCU_SUCCESS;
  }
  static sfcu_result ctx_push_current(sfcu_context context) {
    ENTER(ctx_push_current);
    currentContexts.push_back(context);
    return SFCU_SUCCESS;
  }
  static sfcu_result ctx_pop_current(sfcu_context *context) {
    // A real driver pops even when the context is dead.
    if (currentContexts.empty())
      return SFCU_ERROR_INVALID_CONTEXT;
    *context = currentContexts.back();
    currentContexts.pop_back();
    return SFCU_SUCCESS;
  }
  static sfcu_result module_load_data_ex(sfcu_module *module, const void *,
                                         unsigned count, int *options,
                                         void **values) {
    std::lock_guard<std::recursive_mutex> lock(fake().mutex);
    if (sfcu_result failure = fake().enter("module_load_data_ex")) {
      for (unsigned i = 0; i < count; ++i)
        if (options[i] == SFCU_JIT_ERROR_LOG_BUFFER)
          std::strcpy(static_cast<char *>(values[i]), fake().jitLog.c_str());
      return failure;
    }
    *module = &moduleObject;
    ++fake().objects;
    return SFCU_SUCCESS;
  }
  static sfcu_result module_unload(sfcu_module) {
    ENTER(module_unload);
    --fake().objects;
    return SFCU_SUCCESS;
  }
  static sfcu_result module_get_function(sfcu_function *function, sfcu_module,
                                         const char *name) {
    ENTER(module_get_function);
    auto kernel = fake().kernels.find(name);
    if (kernel == fake().kernels.end())
      return SFCU_ERROR_NOT_FOUND;
    *function = &kernel->second;
    return SFCU_SUCCESS;
  }
  static sfcu_result func_set_attribute(sfcu_function function, int attribute,
                                        int value) {
    ENTER(func_set_attribute);
    if (attribute != SFCU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ||
        value > fake().sharedLimit)
      return SFCU_ERROR_INVALID_VALUE;
    static_cast<FakeKernel *>(function)->maxDynamicShared = value;
    return SFCU_SUCCESS;
  }
  static sfcu_result launch_kernel(sfcu_function function, unsigned gridX,
                                   unsigned gridY, unsigned gridZ,
                                   unsigned blockX, unsigned blockY,
                                   unsigned blockZ, unsigned sharedBytes,
                                   sfcu_stream stream, void **parameters,
                                   void **) {
    ENTER(launch_kernel);
    if (gridY != 1 || gridZ != 1 || blockY != 1 || blockZ != 1)
      return SFCU_ERROR_INVALID_VALUE;
    return fake().start({{}, gridX, blockX, sharedBytes, stream, {}, {}, false},
                        *static_cast<FakeKernel *>(function), parameters);
  }
  static sfcu_result launch_kernel_ex(const sfcu_launch_config *config,
                                      sfcu_function function, void **parameters,
                                      void **) {
    ENTER(launch_kernel_ex);
    bool programmatic = false;
    for (unsigned i = 0; i < config->attribute_count; ++i) {
      if (config->attributes[i].id !=
          SFCU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)
        return SFCU_ERROR_INVALID_VALUE;
      programmatic |= config->attributes[i].value.number != 0;
    }
    if (config->grid_y != 1 || config->grid_z != 1 || config->block_y != 1 ||
        config->block_z != 1)
      return SFCU_ERROR_INVALID_VALUE;
    return fake().start({{},
                         config->grid_x,
                         config->block_x,
                         config->shared_bytes,
                         config->stream,
                         {},
                         {},
                         programmatic},
                        *static_cast<FakeKernel *>(function), parameters);
  }
  // The rules of the documentation of cuTensorMapEncodeTiled.
  static sfcu_result
  tensor_map_encode_tiled(sfcu_tensor_map *map, int elementType, uint32_t rank,
                          void *address, const uint64_t *sizes,
                          const uint64_t *strides, const uint32_t *box,
                          const uint32_t *elementStrides, int interleave,
                          int swizzle, int l2Promotion, int fill) {
    ENTER(tensor_map_encode_tiled);
    auto base = reinterpret_cast<uint64_t>(address);
    uint64_t bytes = elementType == SFCU_TENSOR_MAP_UINT8      ? 1
                     : elementType == SFCU_TENSOR_MAP_FLOAT16  ? 2
                     : elementType == SFCU_TENSOR_MAP_BFLOAT16 ? 2
                     : elementType == SFCU_TENSOR_MAP_FLOAT32  ? 4
                                                               : 0;
    if (reinterpret_cast<uint64_t>(map) % 64 != 0 || bytes == 0 || rank < 1 ||
        rank > 5 || base % 16 != 0 ||
        interleave != SFCU_TENSOR_MAP_INTERLEAVE_NONE || swizzle < 0 ||
        swizzle > SFCU_TENSOR_MAP_SWIZZLE_128B || l2Promotion < 0 ||
        l2Promotion > SFCU_TENSOR_MAP_L2_PROMOTION_256B ||
        fill != SFCU_TENSOR_MAP_OOB_FILL_NONE)
      return SFCU_ERROR_INVALID_VALUE;
    for (uint32_t i = 0; i < rank; ++i)
      if (sizes[i] == 0 || sizes[i] > uint64_t(1) << 32 || box[i] == 0 ||
          box[i] > 256 || elementStrides[i] == 0 || elementStrides[i] > 8 ||
          (i > 0 &&
           (strides[i - 1] % 16 != 0 || strides[i - 1] >= uint64_t(1) << 40)))
        return SFCU_ERROR_INVALID_VALUE;
    uint64_t inner = box[0] * bytes;
    if (inner % 16 != 0 || (swizzle != SFCU_TENSOR_MAP_SWIZZLE_NONE &&
                            inner > uint64_t(16) << swizzle))
      return SFCU_ERROR_INVALID_VALUE;
    *map = {};
    map->opaque[0] = tensorMapMark;
    map->opaque[1] = fake().tensorMaps.size();
    fake().tensorMaps.push_back({elementType,
                                 swizzle,
                                 rank,
                                 base,
                                 {sizes, sizes + rank},
                                 {strides, strides + rank - 1},
                                 {box, box + rank}});
    return SFCU_SUCCESS;
  }
  static sfcu_result pointer_get_attribute(void *data, int,
                                           sfcu_deviceptr pointer) {
    ENTER(pointer_get_attribute);
    auto next = fake().allocations.upper_bound(pointer);
    if (next == fake().allocations.begin())
      return SFCU_ERROR_INVALID_VALUE;
    --next;
    if (pointer >= next->first + next->second)
      return SFCU_ERROR_INVALID_VALUE;
    *static_cast<int *>(data) = SFCU_MEMORYTYPE_DEVICE;
    return SFCU_SUCCESS;
  }
  static sfcu_result thread_exchange_capture_mode(int *mode) {
    ENTER(thread_exchange_capture_mode);
    static thread_local int current = 0;
    std::swap(current, *mode);
    return SFCU_SUCCESS;
  }
  static sfcu_result mem_get_info(size_t *available, size_t *total) {
    ENTER(mem_get_info);
    *total = fake().memoryBytes;
    *available = fake().memoryBytes - fake().allocatedBytes();
    return SFCU_SUCCESS;
  }
  static sfcu_result mem_alloc(sfcu_deviceptr *pointer, size_t bytes) {
    ENTER(mem_alloc);
    if (bytes == 0)
      return SFCU_ERROR_INVALID_VALUE;
    if (bytes > fake().memoryBytes - fake().allocatedBytes())
      return SFCU_ERROR_OUT_OF_MEMORY;
    void *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    *pointer = reinterpret_cast<sfcu_deviceptr>(memory);
    fake().allocations[*pointer] = bytes;
    return SFCU_SUCCESS;
  }
  static sfcu_result mem_free(sfcu_deviceptr pointer) {
    // Frees even after a sticky error, so that tests can count leaks.
    std::lock_guard<std::recursive_mutex> lock(fake().mutex);
    sfcu_result failure = fake().enter("mem_free");
    fake().arrive(); // A free waits for what is under way.
    if (fake().allocations.erase(pointer))
      std::free(reinterpret_cast<void *>(pointer));
    return failure;
  }
  static sfcu_result memcpy_htod(sfcu_deviceptr to, const void *from,
                                 size_t bytes) {
    ENTER(memcpy_htod);
    // As late as hardware may: the bytes are staged, and arrive when somebody
    // waits for the default stream.
    std::string staged(static_cast<const char *>(from), bytes);
    fake().staged.push_back([to, staged = std::move(staged)] {
      std::memcpy(reinterpret_cast<void *>(to), staged.data(), staged.size());
    });
    return SFCU_SUCCESS;
  }
  static sfcu_result memcpy_dtoh(void *to, sfcu_deviceptr from, size_t bytes) {
    ENTER(memcpy_dtoh);
    fake().arrive();
    std::memcpy(to, reinterpret_cast<void *>(from), bytes);
    return SFCU_SUCCESS;
  }
  static sfcu_result memset_d8_async(sfcu_deviceptr to, unsigned char value,
                                     size_t bytes, sfcu_stream stream) {
    ENTER(memset_d8_async);
    fake().perform(stream, [=] {
      std::memset(reinterpret_cast<void *>(to), value, bytes);
    });
    return SFCU_SUCCESS;
  }

// Makes and destroys an object of a fake type.
#define OBJECT(create, destroy, Type, Handle, ...)                             \
  static sfcu_result create(Handle *handle __VA_ARGS__) {                      \
    ENTER(create);                                                             \
    *handle = new Type;                                                        \
    ++fake().objects;                                                          \
    return SFCU_SUCCESS;                                                       \
  }                                                                            \
  DESTROY(destroy, Type, Handle)
#define DESTROY(destroy, Type, Handle)                                         \
  static sfcu_result destroy(Handle handle) {                                  \
    std::lock_guard<std::recursive_mutex> lock(fake().mutex);                  \
    sfcu_result failure = fake().enter(#destroy);                              \
    delete static_cast<Type *>(handle);                                        \
    --fake().objects;                                                          \
    return failure;                                                            \
  }
#define COMMA ,
  OBJECT(stream_create, stream_destroy, FakeDriver::Stream, sfcu_stream,
         COMMA unsigned)
  OBJECT(event_create, event_destroy, FakeEvent, sfcu_event, COMMA unsigned)
  DESTROY(graph_destroy, FakeGraph, sfcu_graph)
  static sfcu_result graph_exec_destroy(sfcu_graph_exec exec) {
    std::lock_guard<std::recursive_mutex> lock(fake().mutex);
    sfcu_result failure = fake().enter("graph_exec_destroy");
    executables.erase(exec);
    --fake().objects;
    return failure;
  }

  static sfcu_result stream_synchronize(sfcu_stream stream) {
    ENTER(stream_synchronize);
    if (!stream)
      fake().arrive();
    return SFCU_SUCCESS;
  }
  static sfcu_result stream_begin_capture(sfcu_stream stream, int) {
    ENTER(stream_begin_capture);
    static_cast<FakeDriver::Stream *>(stream)->capturing = true;
    return SFCU_SUCCESS;
  }
  static sfcu_result stream_end_capture(sfcu_stream stream, sfcu_graph *graph) {
    ENTER(stream_end_capture);
    auto *source = static_cast<FakeDriver::Stream *>(stream);
    source->capturing = false;
    *graph = new FakeGraph{std::move(source->recorded)};
    source->recorded.clear();
    ++fake().objects;
    return SFCU_SUCCESS;
  }
  static sfcu_result graph_instantiate(sfcu_graph_exec *exec, sfcu_graph graph,
                                       unsigned long long) {
    ENTER(graph_instantiate);
    auto made = std::make_unique<FakeGraph>(*static_cast<FakeGraph *>(graph));
    *exec = made.get();
    executables[*exec] = std::move(made);
    ++fake().objects;
    return SFCU_SUCCESS;
  }
  static sfcu_result graph_exec_update(sfcu_graph_exec exec, sfcu_graph graph,
                                       sfcu_graph_update_info *info) {
    ENTER(graph_exec_update);
    auto *to = static_cast<FakeGraph *>(exec);
    auto *from = static_cast<FakeGraph *>(graph);
    // CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED.
    info->result = to->actions.size() == from->actions.size() ? 0 : 2;
    if (info->result)
      return SFCU_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
    to->actions = from->actions;
    return SFCU_SUCCESS;
  }
  static sfcu_result graph_launch(sfcu_graph_exec exec, sfcu_stream) {
    ENTER(graph_launch);
    for (const auto &action : static_cast<FakeGraph *>(exec)->actions)
      action();
    return SFCU_SUCCESS;
  }
  static sfcu_result event_record(sfcu_event event, sfcu_stream) {
    ENTER(event_record);
    static_cast<FakeEvent *>(event)->microseconds = clockMicroseconds;
    return SFCU_SUCCESS;
  }
  static sfcu_result event_synchronize(sfcu_event) {
    ENTER(event_synchronize);
    return SFCU_SUCCESS;
  }
  static sfcu_result event_elapsed_time(float *milliseconds, sfcu_event from,
                                        sfcu_event to) {
    ENTER(event_elapsed_time);
    *milliseconds =
        static_cast<float>((static_cast<FakeEvent *>(to)->microseconds -
                            static_cast<FakeEvent *>(from)->microseconds) /
                           1000);
    return SFCU_SUCCESS;
  }
};
} // namespace sparseflow::test

FakeDriver &FakeDriver::get() {
  static FakeDriver *driver = new FakeDriver;
  return *driver;
}

static sf_driver_table table;

void FakeDriver::removeOptionalFunctions() {
#define CLEAR(field, symbol, parameters) table.field = nullptr;
  SFCU_OPTIONAL_FUNCTIONS(CLEAR)
#undef CLEAR
}

void FakeDriver::reset() {
  table = {
#define FIELD(field, symbol, parameters) FakeFunctions::field,
      SFCU_FUNCTIONS(FIELD) SFCU_OPTIONAL_FUNCTIONS(FIELD)
#undef FIELD
  };
  // What one test learns is no other's business.
  sf_dispatch_set_store("");
  std::lock_guard<std::recursive_mutex> lock(mutex);
  deviceCount = 1;
  major = 9;
  minor = 0;
  sharedLimit = 232448;
  l2Bytes = 1 << 20;
  memoryBytes = size_t(1) << 30;
  jitLog.clear();
  staged.clear();
  counts.clear();
  order.clear();
  failures.clear();
  sticky = SFCU_SUCCESS;
  kernels.clear();
  records.clear();
  tensorMaps.clear();
  for (const auto &[pointer, bytes] : allocations)
    std::free(reinterpret_cast<void *>(pointer));
  allocations.clear();
  objects = 0;
  executables.clear();
  currentContexts.clear();
  sf_set_driver_table(&table);
}

void FakeDriver::addKernel(const std::string &name, size_t argumentCount,
                           std::function<void(const FakeLaunch &)> body,
                           unsigned cluster) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  kernels[name] = {name, argumentCount, 48 * 1024, cluster, std::move(body)};
}

void FakeDriver::spend(double microseconds) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  clockMicroseconds += microseconds;
}

void FakeDriver::failCall(const std::string &function, int nth,
                          sfcu_result result) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  failures[function][counts[function] + nth] = result;
}

int FakeDriver::calls(const std::string &function) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  return counts[function];
}

std::vector<std::string> FakeDriver::trace() {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  return order;
}

std::vector<FakeLaunch> FakeDriver::launches() {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  return records;
}

size_t FakeDriver::allocatedBytes() {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  size_t total = 0;
  for (const auto &[pointer, bytes] : allocations)
    total += bytes;
  return total;
}

int FakeDriver::liveObjects() {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  return objects;
}

sfcu_result FakeDriver::enter(const char *function) {
  int number = ++counts[function];
  order.push_back(function);
  if (sticky != SFCU_SUCCESS)
    return sticky;
  auto planned = failures.find(function);
  if (planned == failures.end())
    return SFCU_SUCCESS;
  auto failure = planned->second.find(number);
  if (failure == planned->second.end())
    return SFCU_SUCCESS;
  if (failure->second >= SFCU_ERROR_ILLEGAL_ADDRESS &&
      failure->second <= SFCU_ERROR_LAUNCH_FAILED &&
      failure->second != SFCU_ERROR_LAUNCH_OUT_OF_RESOURCES)
    sticky = failure->second;
  return failure->second;
}

sfcu_result FakeDriver::start(FakeLaunch launch, const FakeKernel &kernel,
                              void **parameters) {
  if (currentContexts.empty() || currentContexts.back() != &primaryContext)
    return SFCU_ERROR_INVALID_CONTEXT;
  if (launch.grid == 0 || launch.grid % kernel.cluster != 0 ||
      launch.threads > 1024 ||
      launch.sharedBytes > static_cast<unsigned>(kernel.maxDynamicShared))
    return SFCU_ERROR_INVALID_VALUE;
  launch.kernel = kernel.name;
  for (size_t i = 0; i < kernel.argumentCount; ++i) {
    uint64_t value;
    std::memcpy(&value, parameters[i], sizeof(value));
    if (value == tensorMapMark) {
      auto *map = static_cast<const sfcu_tensor_map *>(parameters[i]);
      if (map->opaque[1] >= tensorMaps.size())
        return SFCU_ERROR_INVALID_VALUE;
      launch.tensorMaps[i] = tensorMaps[map->opaque[1]];
      value = launch.tensorMaps[i].address;
    }
    launch.arguments.push_back(value);
  }
  perform(launch.stream, [this, launch, &kernel] {
    records.push_back(launch);
    clockMicroseconds += 10;
    if (kernel.body)
      kernel.body(launch);
  });
  return SFCU_SUCCESS;
}

void FakeDriver::arrive() {
  for (const std::function<void()> &copy : staged)
    copy();
  staged.clear();
}

void FakeDriver::perform(sfcu_stream stream, std::function<void()> action) {
  auto *target = static_cast<Stream *>(stream);
  if (target && target->capturing)
    target->recorded.push_back(std::move(action));
  else
    action();
}
