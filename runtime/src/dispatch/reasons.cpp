//===- reasons.cpp - Why a variant ran ------------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dispatch/reasons.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

using namespace sparseflow::rt;
using Json = nlohmann::ordered_json;

namespace {

/// Who wants reasons, and what was launched since. Never destroyed: threads may
/// launch while a process ends.
struct Listener {
  std::mutex mutex;
  sf_dispatch_callback callback = nullptr;
  void *user = nullptr;
  int log = -1;
  int64_t calls = 0, sparseCalls = 0, measuredCalls = 0, comparedCalls = 0;
  double microseconds = 0, sparseMicroseconds = 0, gainedMicroseconds = 0;
};

} // namespace

static std::atomic<bool> wanted{false};

static Listener &listener() {
  static Listener *made = new Listener;
  return *made;
}

bool sparseflow::rt::reasonsWanted() {
  return wanted.load(std::memory_order_relaxed);
}

static std::string dump(const Json &json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// One write of a line, so that processes may share a file.
static void append(int log, const std::string &text) {
  std::string line = text + "\n";
  if (::write(log, line.data(), line.size()) < 0) {
    // A full disk loses a line.
  }
}

static void writeSummary() {
  Listener &to = listener();
  std::string summary = reasonsSummary();
  std::lock_guard<std::mutex> lock(to.mutex);
  append(to.log, summary);
}

void sparseflow::rt::openReasonsLog() {
  static const bool opened = [] {
    const char *path = std::getenv("SPARSEFLOW_DISPATCH_LOG");
    if (!path || !*path)
      return false;
    int log =
        std::string(path) == "-"
            ? STDERR_FILENO
            : ::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (log < 0) {
      std::fprintf(stderr,
                   "warning: SPARSEFLOW_DISPATCH_LOG: '%s' cannot be opened: "
                   "%s\n",
                   printable(path, 400).c_str(), std::strerror(errno));
      return false;
    }
    Listener &to = listener();
    std::lock_guard<std::mutex> lock(to.mutex);
    to.log = log;
    wanted = true;
    std::atexit(writeSummary);
    return true;
  }();
  (void)opened;
}

void sparseflow::rt::setReasonsCallback(sf_dispatch_callback callback,
                                        void *user) {
  Listener &to = listener();
  std::lock_guard<std::mutex> lock(to.mutex);
  to.callback = callback;
  to.user = user;
  wanted = callback || to.log >= 0;
}

/// "2:4", "ternary", "quantized", or "dense": what weights a variant reads.
static const char *formOf(const Function &function, const Variant &variant) {
  // It may read scales from the packed weight.
  if (variant.dense >= 0)
    return "dense";
  auto form = [&](const KernelArgument &argument) -> const char * {
    if (argument.kind != KernelArgument::Kind::Argument)
      return nullptr;
    const TensorSpec &spec = function.arguments[argument.index];
    if (spec.layout == Layout::RowMajor)
      return nullptr;
    return spec.isTernary() ? "ternary" : spec.isCache() ? nullptr : "n:m";
  };
  for (const KernelLaunch &launch : variant.launches) {
    for (const KernelArgument &argument : launch.arguments)
      if (const char *found = form(argument))
        return found;
    for (const TensorMapSpec &map : launch.tensorMaps)
      if (const char *found = form(map.base))
        return found;
  }
  return "dense";
}

namespace {
/// What was decided for one step.
struct Decision {
  Json json;
  bool sparse = false;
  /// 0 where they were not measured.
  double microseconds = 0, denseMicroseconds = 0;
};
} // namespace

static Decision decisionOf(const Function &function, const Call &call,
                           const LoadedProgram &loaded, size_t s,
                           size_t chosen) {
  using State = FunctionDispatch::State;
  const Step &step = loaded.program->steps[s];
  const FunctionDispatch &dispatch = *loaded.dispatch;
  const MeasuredOrders *measured = dispatch.measured();
  int64_t row =
      measured && step.independent ? measured->find(call.sizes()) : -1;
  auto timeOf = [&](size_t v) {
    return row < 0 ? 0.0 : measured->microseconds(row, s, v);
  };
  // Where the sizes before and behind decided: the row before.
  int64_t between = row < 0 && measured && step.independent
                        ? measured->below(call.sizes())
                        : -1;
  int fastest = between < 0 ? -1 : measured->fastestOfBoth(between, s);
  Decision decision;
  size_t times = 0;
  auto describe = [&](size_t v) {
    Json kernels = Json::array();
    for (const KernelLaunch &launch : step.variants[v].launches)
      kernels.push_back(printable(launch.kernel));
    Json variant = {{"variant", v},
                    {"kernels", std::move(kernels)},
                    {"form", formOf(function, step.variants[v])}};
    if (step.variants[v].dense >= 0)
      if (const DenseForm *form = call.denseFormOf(step.variants[v].dense))
        variant["dense_bytes"] = form->bytes;
    if (double time = step.predicted(v, call.sizes()))
      variant["predicted_microseconds"] = time;
    if (double time = timeOf(v)) {
      variant["microseconds"] = time;
      ++times;
      bool dense = std::string(formOf(function, step.variants[v])) == "dense";
      if (dense &&
          (!decision.denseMicroseconds || time < decision.denseMicroseconds))
        decision.denseMicroseconds = time;
    }
    return variant;
  };
  Json ran = describe(chosen);
  bool passedOver = false, isPredicted = false;
  Json others = Json::array();
  for (size_t v = 0; v < step.variants.size(); ++v) {
    if (v == chosen)
      continue;
    Json other = describe(v);
    std::string why = call.refusal(step.variants[v]);
    State state = dispatch.state(s, v);
    if (why.empty() &&
        (state != State::Usable || dispatch.rulesOut(s, v, call.sizes()))) {
      why = dispatch.reason(s, v);
      passedOver = true;
    }
    if (why.empty() && !step.independent)
      why = "the first variant whose guards hold is the only one";
    if (why.empty() && timeOf(chosen))
      why = timeOf(v) ? "slower" : "not measured at these sizes";
    if (why.empty() && fastest == static_cast<int>(chosen))
      why = "not the fastest at the measured sizes before and behind";
    // Only a prediction takes a later one than the first.
    if (why.empty() && v < chosen && row < 0) {
      why = "predicted to be slower";
      isPredicted = true;
    }
    if (why.empty())
      why = "behind the chosen one in the compiler's order";
    other["why_not"] = why;
    others.push_back(std::move(other));
  }
  std::string because =
      dispatch.state(s, chosen) == State::Quarantined
          ? "nothing else can run; " + dispatch.reason(s, chosen)
      : timeOf(chosen) ? "the fastest of " + std::to_string(times) + " measured"
      : isPredicted    ? "predicted to be faster than the packed weight's"
      : fastest == static_cast<int>(chosen)
          ? "the fastest measured at " +
                std::to_string(measured->sizeOf(between)) + " and at " +
                std::to_string(measured->sizeOf(between + 1))
          : "the first of the compiler's order whose guards hold";
  if (passedOver && dispatch.state(s, chosen) == State::Usable)
    because += " and that is not ruled out";
  decision.sparse = ran["form"] != "dense";
  decision.microseconds = timeOf(chosen);
  Json sizes = Json::object();
  for (size_t i = 0; i < function.symbols.size(); ++i)
    sizes[printable(function.symbols[i])] = call.sizes()[i];
  decision.json = {{"function", printable(function.name)},
                   {"gpu", printable(dispatch.key().device.gpu)},
                   {"sizes", std::move(sizes)},
                   {"step", s},
                   {"op", printable(step.op)},
                   {"loc", printable(step.location)},
                   {"ran", std::move(ran)},
                   {"because", because},
                   {"others", std::move(others)}};
  return decision;
}

void sparseflow::rt::giveReasons(const Function &function, const Call &call,
                                 const LoadedProgram &loaded,
                                 const uint8_t *chosen) {
  try {
    Listener &to = listener();
    for (size_t s = 0; s < loaded.program->steps.size(); ++s) {
      // The first of a group of matmuls has launched for all of them.
      if (loaded.program->steps[s].variants[chosen[s]].launches.empty())
        continue;
      Decision decision = decisionOf(function, call, loaded, s, chosen[s]);
      std::string text = dump(decision.json);
      sf_dispatch_callback callback = nullptr;
      void *user = nullptr;
      {
        std::lock_guard<std::mutex> lock(to.mutex);
        ++to.calls;
        to.sparseCalls += decision.sparse;
        if (decision.microseconds > 0) {
          ++to.measuredCalls;
          to.microseconds += decision.microseconds;
          if (decision.sparse)
            to.sparseMicroseconds += decision.microseconds;
          if (decision.denseMicroseconds > 0) {
            ++to.comparedCalls;
            to.gainedMicroseconds +=
                decision.denseMicroseconds - decision.microseconds;
          }
        }
        if (to.log >= 0)
          append(to.log, text);
        callback = to.callback;
        user = to.user;
      }
      // Without the lock: it may launch.
      if (callback)
        callback(text.c_str(), user);
    }
  } catch (const std::exception &) {
    // Reasons that no memory is left for are lost; the kernels run.
  }
}

std::string sparseflow::rt::reasonsSummary() {
  Listener &of = listener();
  std::lock_guard<std::mutex> lock(of.mutex);
  auto share = [](double part, double whole) {
    return whole > 0 ? Json(part / whole) : Json(nullptr);
  };
  Json summary = {
      {"calls", of.calls},
      {"sparse_share_of_calls", share(static_cast<double>(of.sparseCalls),
                                      static_cast<double>(of.calls))},
      {"measured_calls", of.measuredCalls},
      {"microseconds", of.microseconds},
      {"sparse_share_of_time", share(of.sparseMicroseconds, of.microseconds)},
      {"compared_with_dense", of.comparedCalls},
      {"gained_microseconds", of.gainedMicroseconds}};
  return dump({{"summary", std::move(summary)}});
}
