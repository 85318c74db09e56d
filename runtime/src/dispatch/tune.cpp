//===- tune.cpp - Measures the variants of a call -------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/call.h"

#include <algorithm>
#include <functional>

using namespace sparseflow::rt;

namespace {

// Beside them the microseconds that a replay takes by itself are small.
constexpr int launchesOfReplay = 16;

/// A stream and two events, and what is timed with them.
class Stopwatch {
public:
  explicit Stopwatch(DeviceContext &context)
      : context(context), driver(context.driver()) {}
  ~Stopwatch() {
    if (from)
      driver.event_destroy(from);
    if (to)
      driver.event_destroy(to);
    if (stream)
      driver.stream_destroy(stream);
  }
  Stopwatch(const Stopwatch &) = delete;

  Status prepare() {
    if (Status status =
            check(driver.stream_create(&stream, SFCU_STREAM_NON_BLOCKING),
                  "creating a stream");
        !status)
      return status;
    if (Status status = check(driver.event_create(&from, SFCU_EVENT_DEFAULT),
                              "creating an event");
        !status)
      return status;
    return check(driver.event_create(&to, SFCU_EVENT_DEFAULT),
                 "creating an event");
  }

  /// Microseconds of one `launch`, the least of `replays` replays behind one
  /// that warms up.
  Expected<double> measure(const std::function<Status(sfcu_stream)> &launch,
                           int replays) {
    sfcu_graph graph = nullptr;
    sfcu_graph_exec exec = nullptr;
    Status status = capture(launch, graph);
    if (status)
      status = check(driver.graph_instantiate(&exec, graph, 0),
                     "instantiating a graph");
    double least = 0;
    for (int i = 0; i <= replays && status; ++i) {
      float milliseconds = 0;
      status = replay(exec, milliseconds);
      double microseconds = milliseconds * 1000.0 / launchesOfReplay;
      if (i == 1 || (i > 1 && microseconds < least))
        least = microseconds;
    }
    if (exec)
      driver.graph_exec_destroy(exec);
    if (graph)
      driver.graph_destroy(graph);
    if (!status)
      return status;
    return least;
  }

  /// Runs `launch` once and waits.
  Status run(const std::function<Status(sfcu_stream)> &launch) {
    if (Status status = launch(stream); !status)
      return status;
    return check(driver.stream_synchronize(stream), "waiting for the kernels");
  }

private:
  Status check(sfcu_result result, const char *what) {
    return context.report(result, what);
  }
  Status capture(const std::function<Status(sfcu_stream)> &launch,
                 sfcu_graph &graph) {
    if (Status status =
            check(driver.stream_begin_capture(
                      stream, SFCU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
                  "starting a capture");
        !status)
      return status;
    Status launched;
    for (int i = 0; i < launchesOfReplay && launched; ++i)
      launched = launch(stream);
    // The capture ends in any case: the stream must not stay in it.
    Status ended =
        check(driver.stream_end_capture(stream, &graph), "ending a capture");
    return launched ? ended : launched;
  }
  Status replay(sfcu_graph_exec exec, float &milliseconds) {
    const std::pair<sfcu_result, const char *> calls[] = {
        {driver.event_record(from, stream), "recording an event"},
        {driver.graph_launch(exec, stream), "launching a graph"},
        {driver.event_record(to, stream), "recording an event"},
        {driver.event_synchronize(to), "waiting for the kernels"}};
    for (const auto &[result, what] : calls)
      if (Status status = check(result, what); !status)
        return status;
    return check(driver.event_elapsed_time(&milliseconds, from, to),
                 "reading the elapsed time");
  }

  DeviceContext &context;
  const sf_driver_table &driver;
  sfcu_stream stream = nullptr;
  sfcu_event from = nullptr, to = nullptr;
};

} // namespace

Status LoadedFunction::tune(const sf_tensor *arguments, size_t argumentCount,
                            const sf_tensor *results, size_t resultCount,
                            uint64_t workspace, uint64_t workspaceBytes,
                            sfcu_stream callerStream, int replays) {
  if (replays < 1)
    return invalidArgument("expected at least 1 replay, found " +
                           std::to_string(replays));
  DeviceContext &device = context();
  Call call(function, device, arguments, results, workspace, workspaceBytes);
  std::optional<CurrentContext> current;
  Expected<const LoadedProgram *> loaded =
      begin(call, arguments, argumentCount, results, resultCount, current);
  if (!loaded || !*loaded)
    return loaded.status();
  const LoadedProgram &program = **loaded;
  if (Status status =
          device.report(device.driver().stream_synchronize(callerStream),
                        "waiting for the caller's stream");
      !status)
    return status;
  Stopwatch watch(device);
  if (Status status = watch.prepare(); !status)
    return status;

  std::vector<int64_t> sizes(call.sizes(),
                             call.sizes() + function.symbols.size());
  std::vector<MeasuredTime> times;
  for (size_t s = 0; s < program.program->steps.size(); ++s) {
    const Step &step = program.program->steps[s];
    std::vector<size_t> candidates;
    for (size_t v = 0; step.independent && v < step.variants.size(); ++v) {
      Expected<bool> accepted = call.accepts(step.variants[v]);
      if (!accepted)
        return accepted.status();
      if (*accepted && !program.dispatch->rulesOut(s, v, call.sizes()) &&
          program.dispatch->state(s, v) == FunctionDispatch::State::Usable)
        candidates.push_back(v);
    }
    if (candidates.size() > 1)
      for (size_t v : candidates) {
        if (Status status = call.launch(program, s, v, false, nullptr); !status)
          return status;
        call.forgetFailure();
        Expected<double> time = watch.measure(
            [&](sfcu_stream stream) {
              return call.launch(program, s, v, true, stream);
            },
            replays);
        // A clock that stands still says nothing.
        if (time && *time > 0)
          times.push_back({sizes, s, v, *time});
        if (time)
          continue;
        if (time.status().code() == SF_ERROR_DEVICE_LOST ||
            !call.failure().launch || !isKernelFault(call.failure().result))
          return time.status();
        program.dispatch->quarantine(call.failure().launch->kernel,
                                     time.status().text());
      }
    // What later steps read, whatever failed.
    uint8_t chosen = 0;
    if (Status status = call.choose(program, s, chosen); !status)
      return status;
    if (Status status = call.launch(program, s, chosen, false, nullptr);
        !status)
      return status;
    if (Status status = watch.run([&](sfcu_stream stream) {
          return call.launch(program, s, chosen, true, stream);
        });
        !status)
      return status;
  }
  // What cannot be kept holds for this process; the reason is for who asks.
  if (Status status = program.dispatch->learn(times); !status)
    (void)publish(status);
  return Status::success();
}
