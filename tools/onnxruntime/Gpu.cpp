//===- Gpu.cpp - Calls from host memory on a GPU --------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gpu.h"

#include "device/driver.h"
#include "sparseflow/runtime.h"

using namespace sparseflow;
using namespace sparseflow::ort;
using tools::CudaMemory;
using tools::Expected;
using tools::Status;

static Status runtimeStatus(sf_status code) {
  return code == SF_OK ? Status::success() : Status(code, sf_last_error());
}

// What kernels want of packed weights and of the workspace.
static size_t aligned(size_t bytes) { return (bytes + 255) / 256 * 256; }

Expected<Gpu *> Gpu::get(int ordinal) {
  // Never destroyed: the driver may be gone before static objects are.
  static auto *open = new std::map<int, std::unique_ptr<Gpu>>;
  static auto *lock = new std::mutex;
  std::lock_guard<std::mutex> guard(*lock);
  std::unique_ptr<Gpu> &gpu = (*open)[ordinal];
  if (gpu)
    return gpu.get();
  std::unique_ptr<Gpu> made(new Gpu);
  Expected<const sf_driver_table *> table = rt::driverTable();
  if (!table)
    return table.status();
  made->driver = *table;
  if (sf_status code = sf_context_create(ordinal, &made->context))
    return runtimeStatus(code);
  gpu = std::move(made);
  return gpu.get();
}

Status Gpu::check(sfcu_result result, const char *what) {
  return runtimeStatus(sf_context_report(context, result, what));
}

/// Runs `body` under the lock, with the context current on this thread.
template <typename Body>
auto Gpu::withContext(Body &&body) -> decltype(body()) {
  std::lock_guard<std::mutex> guard(mutex);
  if (Status status =
          check(driver->ctx_push_current(sf_context_native(context)),
                "making the context current");
      !status)
    return status;
  auto result = body();
  sfcu_context popped = nullptr;
  (void)driver->ctx_pop_current(&popped);
  return result;
}

Expected<CudaMemory> Gpu::allocate(size_t bytes) {
  sfcu_deviceptr address = 0;
  if (Status status =
          check(driver->mem_alloc(&address, bytes), "allocating memory");
      !status)
    return status;
  return CudaMemory(*driver, address);
}

Expected<std::unique_ptr<Gpu::Function>>
Gpu::load(const std::string &directory, const std::string &name,
          const std::vector<tools::Argument> &arguments) {
  std::unique_ptr<Function> made(new Function(*this));
  Status status = withContext([&]() -> Status {
    std::weak_ptr<sf_bundle> &known = bundles[directory];
    made->bundle = known.lock();
    if (!made->bundle) {
      sf_bundle *bundle = nullptr;
      if (sf_status code = sf_bundle_load(context, directory.c_str(), &bundle))
        return runtimeStatus(code);
      made->bundle.reset(bundle, sf_bundle_destroy);
      known = made->bundle;
    }
    if (sf_status code = sf_bundle_function(made->bundle.get(), name.c_str(),
                                            &made->function))
      return runtimeStatus(code);
    if (sf_status code = sf_function_prepare(made->function))
      return runtimeStatus(code);
    for (const tools::Argument &argument : arguments) {
      Function::Weight &weight = made->weights.emplace_back();
      if (!argument.packed.size())
        continue;
      Expected<CudaMemory> memory = allocate(argument.packed.size());
      if (!memory)
        return memory.status();
      weight.memory = std::move(*memory);
      weight.bytes = argument.packed.size();
      if (Status copied =
              check(driver->memcpy_htod(weight.memory.get(),
                                        argument.packed.data(), weight.bytes),
                    "uploading a weight");
          !copied)
        return copied;
    }
    return Status::success();
  });
  if (!status)
    return status;
  return made;
}

Gpu::Function::~Function() {
  (void)gpu.withContext([&]() -> Status {
    weights.clear();
    bundle.reset();
    return Status::success();
  });
}

// Everything is on the default stream: copies and kernels follow one another.
Status Gpu::Function::call(const tools::Function &spec,
                           const std::vector<int64_t> &symbols,
                           const std::vector<const tools::HostTensor *> &inputs,
                           void *result, size_t resultBytes) {
  return gpu.withContext([&]() -> Status {
    uint64_t workspaceBytes = 0;
    if (sf_status code = sf_function_workspace_size(
            function, symbols.data(), symbols.size(), &workspaceBytes))
      return runtimeStatus(code);
    size_t bytes = aligned(resultBytes) + workspaceBytes;
    for (const tools::HostTensor *input : inputs)
      bytes += input ? aligned(input->data.size()) : 0;
    if (bytes > gpu.scratchBytes) {
      gpu.scratch = CudaMemory();
      gpu.scratchBytes = 0;
      Expected<CudaMemory> memory = gpu.allocate(bytes);
      if (!memory)
        return memory.status();
      gpu.scratch = std::move(*memory);
      gpu.scratchBytes = bytes;
    }
    uint64_t next = gpu.scratch.get();
    std::vector<sf_tensor> arguments;
    std::vector<std::vector<int64_t>> shapes;
    auto describe = [&](const tools::TensorSpec &tensor, uint64_t address,
                        size_t size) {
      shapes.emplace_back();
      for (const tools::Dim &dim : tensor.shape)
        shapes.back().push_back(dim.value(symbols.data()));
      return sf_tensor{address, shapes.back().data(),
                       static_cast<int32_t>(shapes.back().size()),
                       static_cast<sf_dtype>(tensor.dtype), size};
    };
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (!inputs[i]) {
        arguments.push_back(describe(spec.arguments[i], weights[i].memory.get(),
                                     weights[i].bytes));
        continue;
      }
      size_t size = inputs[i]->data.size();
      arguments.push_back(describe(spec.arguments[i], next, size));
      if (size)
        if (Status status = gpu.check(
                gpu.driver->memcpy_htod(next, inputs[i]->data.data(), size),
                "uploading an input");
            !status)
          return status;
      next += aligned(size);
    }
    sf_tensor output = describe(spec.results[0], next, resultBytes);
    if (sf_status code = sf_function_launch(
            function, arguments.data(), arguments.size(), &output, 1,
            next + aligned(resultBytes), workspaceBytes, nullptr))
      return runtimeStatus(code);
    if (!resultBytes)
      return Status::success();
    return gpu.check(gpu.driver->memcpy_dtoh(result, output.data, resultBytes),
                     "copying a result back");
  });
}
