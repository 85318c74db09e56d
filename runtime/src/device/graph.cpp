//===- graph.cpp - Calls as graphs that are replayed and updated ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/bundle.h"

using namespace sparseflow::rt;

namespace {

/// The arrays of a call, as the C ABI gives them.
struct CallTensors {
  const sf_tensor *arguments;
  size_t argumentCount;
  const sf_tensor *results;
  size_t resultCount;
  uint64_t workspace, workspaceBytes;
};

/// A call that was captured, until the scope ends. The context is current.
class Capture {
public:
  explicit Capture(DeviceContext &context)
      : context(context), driver(context.driver()) {}
  ~Capture() {
    if (captured)
      driver.graph_destroy(captured);
    if (stream)
      driver.stream_destroy(stream);
  }
  Capture(const Capture &) = delete;

  Status run(LoadedFunction &function, const CallTensors &call) {
    // Non-blocking: a launch on the default stream meanwhile would break the
    // capture of a stream that waits for it.
    if (Status status = context.report(
            driver.stream_create(&stream, SFCU_STREAM_NON_BLOCKING),
            "creating a stream");
        !status)
      return status;
    if (Status status =
            context.report(driver.stream_begin_capture(
                               stream, SFCU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
                           "starting a capture");
        !status)
      return status;
    Status launched = function.launch(
        call.arguments, call.argumentCount, call.results, call.resultCount,
        call.workspace, call.workspaceBytes, stream);
    // The capture ends in any case: a stream is not destroyed in it.
    Status ended = context.report(driver.stream_end_capture(stream, &captured),
                                  "ending a capture");
    return launched ? ended : launched;
  }
  sfcu_graph graph() const { return captured; }

private:
  DeviceContext &context;
  const sf_driver_table &driver;
  sfcu_stream stream = nullptr;
  sfcu_graph captured = nullptr;
};

} // namespace

struct sf_graph {
  sf_graph(std::shared_ptr<DeviceContext> context, LoadedFunction &function)
      : context(std::move(context)), function(function) {}
  ~sf_graph() {
    // A dead context has taken its graphs with it.
    if (!exec || !context->usable())
      return;
    CurrentContext current(*context);
    if (current.status())
      context->driver().graph_exec_destroy(exec);
  }
  sf_graph(const sf_graph &) = delete;

  /// Captures a call, and makes it what the graph does.
  Status set(const CallTensors &call) {
    if (Status status = context->usable(); !status)
      return status;
    const sf_driver_table &driver = context->driver();
    if (exec && !driver.graph_exec_update)
      return Status(SF_ERROR_UNSUPPORTED,
                    "updating a graph needs cuGraphExecUpdate_v2, which this "
                    "driver lacks (it is for CUDA " +
                        driverVersionText(context->driverVersion()) +
                        "; expected 12.0 or later): make another graph");
    CurrentContext current(*context);
    if (!current.status())
      return current.status();
    Capture capture(*context);
    if (Status status = capture.run(function, call); !status)
      return status;
    // The driver does not lock an executable graph.
    std::lock_guard<std::mutex> lock(mutex);
    if (!exec)
      return context->report(
          driver.graph_instantiate(&exec, capture.graph(), 0),
          "instantiating a graph");
    sfcu_graph_update_info info = {};
    sfcu_result result = driver.graph_exec_update(exec, capture.graph(), &info);
    if (result == SFCU_ERROR_GRAPH_EXEC_UPDATE_FAILURE)
      return Status(SF_ERROR_UNSUPPORTED,
                    "'" + printable(function.spec().name) +
                        "': expected a call with the kernels of the graph, "
                        "found one that takes others (reason " +
                        std::to_string(info.result) +
                        " of the driver): make another graph of it");
    return context->report(result, "updating a graph");
  }

  Status launch(sfcu_stream stream) {
    if (Status status = context->usable(); !status)
      return status;
    CurrentContext current(*context);
    if (!current.status())
      return current.status();
    std::lock_guard<std::mutex> lock(mutex);
    return context->report(context->driver().graph_launch(exec, stream),
                           "launching a graph");
  }

private:
  std::shared_ptr<DeviceContext> context;
  LoadedFunction &function;
  std::mutex mutex;
  sfcu_graph_exec exec = nullptr;
};

extern "C" {

sf_status sf_function_graph(sf_function *function, const sf_tensor *arguments,
                            size_t argumentCount, const sf_tensor *results,
                            size_t resultCount, uint64_t workspace,
                            uint64_t workspaceBytes, sf_graph **graph) {
  return guard([&]() -> Status {
    if (!function || !graph)
      return isNull("sf_function_graph", !function ? "function" : "graph");
    *graph = nullptr;
    auto &loaded = *reinterpret_cast<LoadedFunction *>(function);
    if (Status status = loaded.context().usable(); !status)
      return status;
    // Files are read, and modules loaded, outside of the capture.
    if (Status status = loaded.load().status(); !status)
      return status;
    auto made =
        std::make_unique<sf_graph>(loaded.context().shared_from_this(), loaded);
    if (Status status = made->set({arguments, argumentCount, results,
                                   resultCount, workspace, workspaceBytes});
        !status)
      return status;
    *graph = made.release();
    return Status::success();
  });
}

sf_status sf_graph_update(sf_graph *graph, const sf_tensor *arguments,
                          size_t argumentCount, const sf_tensor *results,
                          size_t resultCount, uint64_t workspace,
                          uint64_t workspaceBytes) {
  return guard([&]() -> Status {
    if (!graph)
      return isNull("sf_graph_update", "graph");
    return graph->set({arguments, argumentCount, results, resultCount,
                       workspace, workspaceBytes});
  });
}

sf_status sf_graph_launch(sf_graph *graph, sfcu_stream stream) {
  return guard([&]() -> Status {
    if (!graph)
      return isNull("sf_graph_launch", "graph");
    return graph->launch(stream);
  });
}

void sf_graph_destroy(sf_graph *graph) { delete graph; }

} // extern "C"
