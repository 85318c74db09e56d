//===- CudaRunner.cpp - A bundle's function on a GPU ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "run/CudaRunner.h"

#include "arguments/CacheArguments.h"
#include "device/driver.h"
#include "sparseflow/dispatch.h"

#include <algorithm>
#include <chrono>

using namespace sparseflow;
using namespace sparseflow::tools;

static Status runtimeStatus(sf_status code) {
  return code == SF_OK ? Status::success() : Status(code, sf_last_error());
}

Status CudaRunner::check(sfcu_result result, const char *what) {
  return runtimeStatus(sf_context_report(context, result, what));
}

Expected<std::unique_ptr<CudaRunner>>
CudaRunner::create(const std::string &directory, const std::string &entry,
                   int ordinal) {
  Expected<const sf_driver_table *> table = rt::driverTable();
  if (!table)
    return table.status();
  std::unique_ptr<CudaRunner> runner(new CudaRunner);
  runner->driver = *table;
  if (sf_status code = sf_context_create(ordinal, &runner->context))
    return runtimeStatus(code);
  char text[256];
  if (sf_status code =
          sf_context_device_name(runner->context, text, sizeof(text)))
    return runtimeStatus(code);
  runner->name = text;
  if (Status status = runner->check(
          runner->driver->ctx_push_current(sf_context_native(runner->context)),
          "making the context current");
      !status)
    return status;
  runner->pushed = true;
  if (Status status =
          runner->check(runner->driver->device_get(&runner->device, ordinal),
                        "opening the device");
      !status)
    return status;
  // Host pointers and wrong sizes are worth one driver call a tensor here.
  (void)sf_context_check_pointers(runner->context, 1);
  if (sf_status code =
          sf_bundle_load(runner->context, directory.c_str(), &runner->bundle))
    return runtimeStatus(code);
  if (sf_status code = sf_bundle_function(
          runner->bundle, entry.empty() ? nullptr : entry.c_str(),
          &runner->function))
    return runtimeStatus(code);
  const char *target = nullptr;
  if (sf_status code = sf_function_target(runner->function, &target))
    return runtimeStatus(code);
  runner->targetName = target;
  if (sf_status code = sf_function_prepare(runner->function))
    return runtimeStatus(code);
  sfcu_stream stream = nullptr;
  if (Status status = runner->check(
          runner->driver->stream_create(&stream, SFCU_STREAM_NON_BLOCKING),
          "creating a stream");
      !status)
    return status;
  runner->stream = CudaStream(*runner->driver, stream);
  return runner;
}

CudaRunner::~CudaRunner() {
  // Buffers and the stream go while their context is current.
  firstGraph = CudaGraphExec();
  first.clear();
  {
    CudaStream last = std::move(stream);
  }
  sf_bundle_destroy(bundle);
  sfcu_context popped = nullptr;
  if (pushed)
    driver->ctx_pop_current(&popped);
  sf_context_destroy(context);
}

std::string CudaRunner::driverText() const {
  int version = 0;
  if (driver->driver_get_version(&version) != SFCU_SUCCESS)
    return "";
  return "driver for CUDA " + rt::driverVersionText(version);
}

Expected<CudaMemory> CudaRunner::allocate(uint64_t bytes, const char *what) {
  if (bytes == 0)
    return CudaMemory();
  sfcu_deviceptr pointer = 0;
  if (Status status = check(driver->mem_alloc(&pointer, bytes), what); !status)
    return status.withContext(std::to_string(bytes) + " bytes");
  return CudaMemory(*driver, pointer);
}

Expected<CudaRunner::DeviceSet>
CudaRunner::upload(const ArgumentSet &arguments) {
  DeviceSet set;
  for (const Argument &argument : arguments.arguments) {
    const Buffer &storage = argument.storage();
    Expected<CudaMemory> memory =
        allocate(storage.size(), "allocating an argument");
    if (!memory)
      return memory.status();
    if (storage.size())
      if (Status status =
              check(driver->memcpy_htod(memory->get(), storage.data(),
                                        storage.size()),
                    "uploading an argument");
          !status)
        return status;
    set.totalBytes += storage.size();
    set.arguments.push_back(std::move(*memory));
  }
  // A copy from ordinary host memory returns when the bytes are staged, not
  // when they have arrived, and our stream does not wait for the default one.
  if (Status status = check(driver->stream_synchronize(nullptr),
                            "waiting for the arguments to arrive");
      !status)
    return status;
  if (Status status = rebuildDense(arguments, set); !status)
    return status;
  for (const TensorSpec &spec : arguments.function->results) {
    if (spec.updates >= 0) {
      set.results.emplace_back();
      continue;
    }
    std::vector<int64_t> shape = arguments.shapeOf(spec);
    Expected<uint64_t> bytes = rt::storageBytes(spec, shape.data());
    if (!bytes)
      return bytes.status();
    Expected<CudaMemory> memory = allocate(*bytes, "allocating a result");
    if (!memory)
      return memory.status();
    set.totalBytes += *bytes;
    set.results.push_back(std::move(*memory));
  }
  if (sf_status code = sf_function_workspace_size(
          function, arguments.symbols.data(), arguments.symbols.size(),
          &set.workspaceBytes))
    return runtimeStatus(code);
  Expected<CudaMemory> memory =
      allocate(set.workspaceBytes, "allocating the workspace");
  if (!memory)
    return memory.status();
  set.workspace = std::move(*memory);
  set.totalBytes += set.workspaceBytes;
  return set;
}

std::vector<sf_tensor> CudaRunner::inputsOf(const ArgumentSet &arguments,
                                            const DeviceSet &set) {
  std::vector<sf_tensor> inputs;
  const Function &spec = *arguments.function;
  for (size_t i = 0; i < spec.arguments.size(); ++i) {
    const Argument &argument = arguments.arguments[i];
    inputs.push_back({set.arguments[i].get(), argument.dense.shape.data(),
                      static_cast<int32_t>(argument.dense.shape.size()),
                      static_cast<sf_dtype>(spec.arguments[i].dtype),
                      argument.storage().size()});
  }
  return inputs;
}

// What a bundle takes from its callers, too, is rebuilt here: there is nothing
// else to give.
Status CudaRunner::rebuildDense(const ArgumentSet &arguments, DeviceSet &set) {
  if (arguments.function->denseSource == rt::DenseSource::None)
    return Status::success();
  uint64_t before = 0, after = 0;
  sf_function_dense_bytes(function, nullptr, &before);
  std::vector<sf_tensor> inputs = inputsOf(arguments, set);
  Status status = runtimeStatus(sf_function_rebuild_dense_weights(
      function, inputs.data(), inputs.size(), stream.get()));
  sf_function_dense_bytes(function, nullptr, &after);
  set.totalBytes += after > before ? after - before : 0;
  if (status.code() != SF_ERROR_UNSUPPORTED)
    return status;
  std::fprintf(stderr, "note: no dense form: %s\n", status.text().c_str());
  return Status::success();
}

Expected<CudaRunner::Tensors>
CudaRunner::tensorsOf(const ArgumentSet &arguments, const DeviceSet &set) {
  const Function &spec = *arguments.function;
  Tensors call;
  call.inputs = inputsOf(arguments, set);
  for (const TensorSpec &result : spec.results)
    call.shapes.push_back(arguments.shapeOf(result));
  for (size_t i = 0; i < spec.results.size(); ++i) {
    Expected<uint64_t> bytes =
        rt::storageBytes(spec.results[i], call.shapes[i].data());
    if (!bytes)
      return bytes.status();
    int updates = spec.results[i].updates;
    sfcu_deviceptr address =
        updates < 0 ? set.results[i].get() : set.arguments[updates].get();
    call.outputs.push_back({address, call.shapes[i].data(),
                            static_cast<int32_t>(call.shapes[i].size()),
                            static_cast<sf_dtype>(spec.results[i].dtype),
                            *bytes});
  }
  return call;
}

Status CudaRunner::launch(const ArgumentSet &arguments, const DeviceSet &set) {
  Expected<Tensors> call = tensorsOf(arguments, set);
  if (!call)
    return call.status();
  return runtimeStatus(sf_function_launch(
      function, call->inputs.data(), call->inputs.size(), call->outputs.data(),
      call->outputs.size(), set.workspace.get(), set.workspaceBytes,
      stream.get()));
}

Status CudaRunner::quarantine(const ArgumentSet &arguments,
                              std::vector<HostTensor> &results,
                              const Judge &judge, std::string &note) {
  if (Status status = uploadOnce(arguments); !status)
    return status;
  const DeviceSet &set = first.front();
  Expected<Tensors> call = tensorsOf(arguments, set);
  if (!call)
    return call.status();
  // What went wrong in a verdict, and the first and the last one.
  Status failed;
  std::string firstError, error;
  std::function<std::string()> ask = [&]() -> std::string {
    for (size_t r = 0; r < results.size() && failed; ++r)
      failed = download(arguments, set, r, results[r]);
    Expected<std::string> text =
        failed ? judge(results) : Expected<std::string>(failed);
    failed = text.status();
    error = text ? *text : failed.text();
    if (firstError.empty())
      firstError = error;
    return error;
  };
  auto verdict = [](void *user, char *to, size_t bytes) {
    std::string text = (*static_cast<std::function<std::string()> *>(user))();
    std::snprintf(to, bytes, "%s", text.c_str());
  };
  Status status = runtimeStatus(sf_function_check(
      function, call->inputs.data(), call->inputs.size(), call->outputs.data(),
      call->outputs.size(), set.workspace.get(), set.workspaceBytes,
      stream.get(), verdict, &ask));
  if (!failed)
    return failed;
  // Who checks reports wrong results itself.
  if (!status && error.empty())
    return status;
  if (!status)
    note = "no other variant is right, and no kernel is quarantined";
  else if (!firstError.empty())
    note = "kernels are quarantined, and another variant runs: " + firstError;
  return Status::success();
}

Expected<CudaGraphExec> CudaRunner::capture(const ArgumentSet &arguments,
                                            const std::vector<DeviceSet> &sets,
                                            int launches) {
  if (Status status =
          check(driver->stream_begin_capture(
                    stream.get(), SFCU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
                "starting a capture");
      !status)
    return status;
  Status launched;
  for (int i = 0; i < launches && launched; ++i)
    launched = launch(arguments, sets[i % sets.size()]);
  // The capture ends in any case: the stream must not stay in it.
  sfcu_graph raw = nullptr;
  Status ended =
      check(driver->stream_end_capture(stream.get(), &raw), "ending a capture");
  CudaGraph graph(*driver, raw);
  if (!launched)
    return launched;
  if (!ended)
    return ended;
  sfcu_graph_exec exec = nullptr;
  if (Status status = check(driver->graph_instantiate(&exec, graph.get(), 0),
                            "instantiating a graph");
      !status)
    return status;
  return CudaGraphExec(*driver, exec);
}

// 0xFF bytes are NaNs: an element no kernel writes cannot pass for a result,
// nor can a value a kernel reads from workspace without writing it first.
Status CudaRunner::prepare(const ArgumentSet &arguments,
                           const std::vector<HostTensor> &results,
                           DeviceSet &set) {
  for (size_t r = 0; r < results.size(); ++r) {
    int updates = arguments.function->results[r].updates;
    Status status;
    if (updates >= 0) {
      const Buffer &storage = arguments.arguments[updates].storage();
      if (storage.size())
        status = check(driver->memcpy_htod(set.arguments[updates].get(),
                                           storage.data(), storage.size()),
                       "uploading an argument");
      if (status)
        status = check(driver->stream_synchronize(nullptr),
                       "waiting for an argument to arrive");
    } else if (size_t bytes = results[r].data.size()) {
      status = check(driver->memset_d8_async(set.results[r].get(), 0xff, bytes,
                                             stream.get()),
                     "poisoning a result");
    }
    if (!status)
      return status;
  }
  if (set.workspaceBytes)
    return check(driver->memset_d8_async(set.workspace.get(), 0xff,
                                         set.workspaceBytes, stream.get()),
                 "poisoning the workspace");
  return Status::success();
}

Status CudaRunner::download(const ArgumentSet &arguments, const DeviceSet &set,
                            size_t index, HostTensor &result) {
  const TensorSpec &spec = arguments.function->results[index];
  size_t bytes = result.data.size();
  if (!bytes)
    return Status::success();
  if (spec.updates < 0)
    return check(driver->memcpy_dtoh(result.data.data(),
                                     set.results[index].get(), bytes),
                 "downloading a result");
  Buffer stored(arguments.arguments[spec.updates].storage().size());
  if (Status status = check(
          driver->memcpy_dtoh(stored.data(), set.arguments[spec.updates].get(),
                              stored.size()),
          "downloading an argument");
      !status)
    return status;
  return readUpdated(spec, result.shape, stored, result);
}

Status CudaRunner::uploadOnce(const ArgumentSet &arguments) {
  if (uploaded == &arguments)
    return Status::success();
  firstGraph = CudaGraphExec();
  first.clear();
  Expected<DeviceSet> set = upload(arguments);
  if (!set)
    return set.status();
  first.push_back(std::move(*set));
  uploaded = &arguments;
  return Status::success();
}

Expected<std::string> CudaRunner::tuneDispatch(const ArgumentSet &arguments,
                                               int replays, std::string &note) {
  if (Status status = uploadOnce(arguments); !status)
    return status;
  Expected<std::vector<DeviceSet>> sets = uploadInTurns(arguments);
  if (!sets)
    return sets.status();
  std::vector<Tensors> tensors;
  std::vector<sf_call> calls;
  for (const DeviceSet &set : *sets) {
    Expected<Tensors> call = tensorsOf(arguments, set);
    if (!call)
      return call.status();
    tensors.push_back(std::move(*call));
    calls.push_back({tensors.back().inputs.data(),
                     tensors.back().outputs.data(), set.workspace.get(),
                     set.workspaceBytes});
  }
  std::string before = sf_last_error();
  if (sf_status code = sf_function_tune_calls(
          function, calls.data(), calls.size(), tensors[0].inputs.size(),
          tensors[0].outputs.size(), stream.get(), replays))
    return runtimeStatus(code);
  if (sf_last_error() != before)
    note = sf_last_error();
  std::string decisions;
  auto collect = [](const char *json, void *to) {
    std::string &text = *static_cast<std::string *>(to);
    text += (text.empty() ? "" : ",") + std::string(json);
  };
  sf_dispatch_set_callback(collect, &decisions);
  Status launched = launch(arguments, first.front());
  sf_dispatch_set_callback(nullptr, nullptr);
  if (launched)
    launched = check(driver->stream_synchronize(stream.get()),
                     "waiting for the kernels");
  if (!launched)
    return launched;
  return "[" + decisions + "]";
}

Status CudaRunner::run(const ArgumentSet &arguments,
                       std::vector<HostTensor> &results, bool graph) {
  if (Status status = uploadOnce(arguments); !status)
    return status;
  DeviceSet &set = first.front();
  if (Status status = prepare(arguments, results, set); !status)
    return status;
  // An empty call captures nothing, and an empty graph proves nothing.
  if (graph && !arguments.empty()) {
    if (!firstGraph.get()) {
      Expected<CudaGraphExec> exec = capture(arguments, first, 1);
      if (!exec)
        return exec.status();
      firstGraph = std::move(*exec);
    }
    if (Status status =
            check(driver->graph_launch(firstGraph.get(), stream.get()),
                  "launching a graph");
        !status)
      return status;
  } else if (Status status = launch(arguments, set); !status) {
    return status;
  }
  if (Status status = check(driver->stream_synchronize(stream.get()),
                            "waiting for the kernels");
      !status)
    return status;
  for (size_t r = 0; r < results.size(); ++r)
    if (Status status = download(arguments, set, r, results[r]); !status)
      return status;
  return Status::success();
}

Expected<double> CudaRunner::timeReplay(const CudaGraphExec &graph,
                                        const CudaEvent &from,
                                        const CudaEvent &to) {
  const std::pair<sfcu_result, const char *> steps[] = {
      {driver->event_record(from.get(), stream.get()), "recording an event"},
      {driver->graph_launch(graph.get(), stream.get()), "launching a graph"},
      {driver->event_record(to.get(), stream.get()), "recording an event"},
      {driver->event_synchronize(to.get()), "waiting for the kernels"}};
  for (const auto &[result, what] : steps)
    if (Status status = check(result, what); !status)
      return status;
  float milliseconds = 0;
  if (Status status =
          check(driver->event_elapsed_time(&milliseconds, from.get(), to.get()),
                "reading the elapsed time");
      !status)
    return status;
  return milliseconds * 1000.0;
}

Expected<std::vector<CudaRunner::DeviceSet>>
CudaRunner::uploadInTurns(const ArgumentSet &arguments) {
  constexpr int maxSets = 16;
  std::vector<DeviceSet> sets;
  int l2Bytes = 0;
  if (Status status =
          check(driver->device_get_attribute(
                    &l2Bytes, SFCU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, device),
                "reading the size of the L2 cache");
      !status)
    return status;
  uint64_t total = 0;
  do {
    size_t available = 0, all = 0;
    if (Status status = check(driver->mem_get_info(&available, &all),
                              "reading the free memory");
        !status)
      return status;
    if (!sets.empty() && sets.back().totalBytes > available / 2)
      break;
    Expected<DeviceSet> set = upload(arguments);
    if (!set)
      return set.status();
    total += set->totalBytes;
    sets.push_back(std::move(*set));
  } while (sets.size() < maxSets &&
           (sets.size() < 2 || total < 3 * static_cast<uint64_t>(l2Bytes)));
  return sets;
}

Expected<Timing> CudaRunner::time(const ArgumentSet &arguments, int samples,
                                  const ProgressFunction &progress) {
  Expected<std::vector<DeviceSet>> uploaded = uploadInTurns(arguments);
  if (!uploaded)
    return uploaded.status();
  std::vector<DeviceSet> &sets = *uploaded;
  sfcu_event rawFrom = nullptr, rawTo = nullptr;
  if (Status status = check(driver->event_create(&rawFrom, SFCU_EVENT_DEFAULT),
                            "creating an event");
      !status)
    return status;
  CudaEvent from(*driver, rawFrom);
  if (Status status = check(driver->event_create(&rawTo, SFCU_EVENT_DEFAULT),
                            "creating an event");
      !status)
    return status;
  CudaEvent to(*driver, rawTo);

  // Each set the same number of times in one replay, at least 16 launches: the
  // time between events holds some microseconds that are not the kernels'.
  int launches = static_cast<int>(sets.size());
  launches *= (16 + launches - 1) / launches;
  Expected<CudaGraphExec> graph = capture(arguments, sets, launches);
  if (!graph)
    return graph.status();

  // Clocks need some time under load to be steady.
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 3 || std::chrono::steady_clock::now() - start <
                               std::chrono::milliseconds(300);
       ++i) {
    if (Expected<double> time = timeReplay(*graph, from, to); !time)
      return time.status();
    // A driver that keeps no time must not hold us here.
    if (i == 100000)
      break;
  }
  std::vector<double> microseconds;
  for (int i = 0; i < samples; ++i) {
    Expected<double> time = timeReplay(*graph, from, to);
    if (!time)
      return time.status();
    microseconds.push_back(*time / launches);
    if (progress)
      progress("timing", (i + 1.0) / samples);
  }
  Timing timing = summarize(std::move(microseconds));
  timing.launchesPerSample = launches;
  timing.bufferSets = static_cast<int>(sets.size());
  return timing;
}
