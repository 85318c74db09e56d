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
constexpr size_t launchesOfReplay = 16;

/// Puts one of the calls that take turns on a stream.
using LaunchCall = std::function<Status(size_t call, sfcu_stream)>;

/// A stream and two events, and what is timed with them.
class Stopwatch {
public:
  Stopwatch(DeviceContext &context, size_t calls)
      : context(context), driver(context.driver()), calls(calls),
        launches((launchesOfReplay + calls - 1) / calls * calls) {}
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
  Expected<double> measure(const LaunchCall &launch, int replays) {
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
      double microseconds =
          milliseconds * 1000.0 / static_cast<double>(launches);
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

  /// Runs each call once and waits.
  Status run(const LaunchCall &launch) {
    for (size_t call = 0; call < calls; ++call)
      if (Status status = launch(call, stream); !status)
        return status;
    return check(driver.stream_synchronize(stream), "waiting for the kernels");
  }

private:
  Status check(sfcu_result result, const char *what) {
    return context.report(result, what);
  }
  Status capture(const LaunchCall &launch, sfcu_graph &graph) {
    if (Status status =
            check(driver.stream_begin_capture(
                      stream, SFCU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
                  "starting a capture");
        !status)
      return status;
    Status launched;
    for (size_t i = 0; i < launches && launched; ++i)
      launched = launch(i % calls, stream);
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
  /// How many take turns, and launches of one replay.
  const size_t calls, launches;
  sfcu_stream stream = nullptr;
  sfcu_event from = nullptr, to = nullptr;
};

/// Measures the variants of a program's steps, one step after the other, on
/// calls of the same sizes that take turns.
class Tuner {
public:
  Tuner(DeviceContext &device, const LoadedProgram &program,
        std::vector<Call> &turns, const std::vector<int64_t> &sizes,
        int replays)
      : program(program), turns(turns), sizes(sizes), replays(replays),
        watch(device, turns.size()) {}

  Status prepare() { return watch.prepare(); }
  /// Measures step `s`, and runs it for those behind it.
  Status tune(size_t s) {
    Expected<std::vector<size_t>> candidates = findCandidates(s);
    if (!candidates)
      return candidates.status();
    if (candidates->size() > 1)
      for (size_t v : *candidates)
        if (Status status = measure(s, v); !status)
          return status;
    return runChosen(s);
  }
  const std::vector<MeasuredTime> &getTimes() const { return times; }

private:
  LaunchCall launchAll(size_t s, size_t variant, bool run) {
    return [this, s, variant, run](size_t call, sfcu_stream stream) {
      return turns[call].launch(program, s, variant, run, stream);
    };
  }
  /// The variants that may run, and serve each call.
  Expected<std::vector<size_t>> findCandidates(size_t s) const;
  Status measure(size_t s, size_t variant);
  /// What later steps read, whatever failed.
  Status runChosen(size_t s);

  const LoadedProgram &program;
  std::vector<Call> &turns;
  const std::vector<int64_t> &sizes;
  const int replays;
  Stopwatch watch;
  std::vector<MeasuredTime> times;
};

Expected<std::vector<size_t>> Tuner::findCandidates(size_t s) const {
  const Step &step = program.program->steps[s];
  std::vector<size_t> candidates;
  for (size_t v = 0; step.independent && v < step.variants.size(); ++v) {
    bool usable =
        !program.dispatch->rulesOut(s, v, sizes.data()) &&
        program.dispatch->state(s, v) == FunctionDispatch::State::Usable;
    for (const Call &call : turns) {
      Expected<bool> accepted = call.accepts(step.variants[v]);
      if (!accepted)
        return accepted.status();
      usable &= *accepted;
    }
    if (usable)
      candidates.push_back(v);
  }
  return candidates;
}

Status Tuner::measure(size_t s, size_t variant) {
  // Everything is evaluated before anything reaches the device.
  LaunchCall plan = launchAll(s, variant, false);
  for (size_t i = 0; i < turns.size(); ++i)
    if (Status status = plan(i, nullptr); !status)
      return status;
  for (Call &call : turns)
    call.forgetFailure();
  Expected<double> time = watch.measure(launchAll(s, variant, true), replays);
  // A clock that stands still says nothing.
  if (time && *time > 0)
    times.push_back({sizes, s, variant, *time});
  if (time)
    return Status::success();
  auto failed = std::find_if(turns.begin(), turns.end(), [](const Call &call) {
    return call.failure().launch && isKernelFault(call.failure().result);
  });
  if (time.status().code() == SF_ERROR_DEVICE_LOST || failed == turns.end())
    return time.status();
  program.dispatch->quarantine(failed->failure().launch->kernel,
                               time.status().text());
  return Status::success();
}

Status Tuner::runChosen(size_t s) {
  std::vector<uint8_t> chosen(turns.size());
  for (size_t i = 0; i < turns.size(); ++i) {
    if (Status status = turns[i].choose(program, s, chosen[i]); !status)
      return status;
    if (Status status = turns[i].launch(program, s, chosen[i], false, nullptr);
        !status)
      return status;
  }
  return watch.run([&](size_t call, sfcu_stream stream) {
    return turns[call].launch(program, s, chosen[call], true, stream);
  });
}

} // namespace

Status LoadedFunction::tune(const sf_call *calls, size_t count,
                            size_t argumentCount, size_t resultCount,
                            sfcu_stream callerStream, int replays) {
  if (replays < 1)
    return invalidArgument("expected at least 1 replay, found " +
                           std::to_string(replays));
  if (count < 1)
    return invalidArgument("expected at least 1 call to tune with, found 0");
  DeviceContext &device = context();
  std::optional<CurrentContext> current;
  std::vector<Call> turns;
  turns.reserve(count);
  const LoadedProgram *loaded = nullptr;
  std::vector<int64_t> sizes;
  for (size_t i = 0; i < count; ++i) {
    const sf_call &given = calls[i];
    Call &call =
        turns.emplace_back(function, device, given.arguments, given.results,
                           given.workspace, given.workspace_bytes);
    Expected<const LoadedProgram *> begun =
        begin(call, given.arguments, argumentCount, given.results, resultCount,
              current);
    if (!begun || !*begun)
      return begun.status();
    loaded = *begun;
    std::vector<int64_t> found(call.sizes(),
                               call.sizes() + function.symbols.size());
    if (i == 0)
      sizes = found;
    if (sizes != found)
      return invalidArgument("expected calls of the same sizes to tune with, "
                             "found others in call " +
                             std::to_string(i));
  }
  const LoadedProgram &program = *loaded;
  if (Status status =
          device.report(device.driver().stream_synchronize(callerStream),
                        "waiting for the caller's stream");
      !status)
    return status;
  Tuner tuner(device, program, turns, sizes, replays);
  if (Status status = tuner.prepare(); !status)
    return status;
  for (size_t s = 0; s < program.program->steps.size(); ++s)
    if (Status status = tuner.tune(s); !status)
      return status;
  // What cannot be kept holds for this process; the reason is for who asks.
  if (Status status = program.dispatch->learn(tuner.getTimes()); !status)
    (void)publish(status);
  return Status::success();
}
