//===- Tune.cpp - Measures candidates and keeps the best ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "run/Tune.h"

#include "device/manifest/json.h"
#include "run/CudaRunner.h"
#include "run/TuneTable.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>

using namespace sparseflow;
using namespace sparseflow::tools;
using nlohmann::json;

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A candidate with what came of it.
struct Candidate {
  const TuneCandidateInput *input = nullptr;
  std::string problem;
  bool wrong = false;
  double relativeError = 0;
  Timing timing;
  /// Medians of the last rounds.
  std::vector<double> rounds;

  /// What counts: the rounds' median where there were any.
  double microseconds() const {
    if (rounds.empty())
      return timing.medianUs;
    std::vector<double> sorted = rounds;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
};

/// Measures the candidates of one shape.
class ShapeTuner {
public:
  ShapeTuner(const TuneOptions &options, const TuneShapeInput &shape)
      : options(options), shape(shape) {}

  /// The entry for tuned.json.
  Expected<json> run();
  bool anyWrong() const { return wrong; }

private:
  Expected<std::unique_ptr<CudaRunner>> open(const Candidate &candidate);
  /// Arguments are the same for all candidates: made from the first bundle.
  Status prepare();
  Status check(Candidate &candidate, CudaRunner &runner);
  Status measure(Candidate &candidate, CudaRunner &runner, int samples,
                 Timing &timing);
  Status screen(Candidate &candidate);
  void say(const std::string &text) const {
    if (!options.quiet) {
      std::printf("%s\n", text.c_str());
      std::fflush(stdout);
    }
  }

  const TuneOptions &options;
  const TuneShapeInput &shape;
  std::vector<Candidate> candidates;
  /// Held for `arguments`, which point into it.
  std::optional<BundleManifest> manifest;
  std::optional<ArgumentSet> arguments;
  std::string device;
  double flops = 0;
  bool wrong = false;
};

/// The device is lost, or there is none: nothing more can be measured.
bool isFatal(const Status &status) {
  return status.code() == SF_ERROR_DEVICE_LOST ||
         status.code() == SF_ERROR_NO_DEVICE;
}

std::string microsecondsText(double us) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.2f us", us);
  return text;
}

} // namespace

Expected<std::unique_ptr<CudaRunner>>
ShapeTuner::open(const Candidate &candidate) {
  return CudaRunner::create(options.directory + "/" + candidate.input->bundle,
                            "", options.device);
}

Status ShapeTuner::prepare() {
  Expected<BundleManifest> read = loadBundleManifest(
      options.directory + "/" + candidates.front().input->bundle);
  if (!read)
    return read.status();
  manifest = std::move(*read);
  Expected<size_t> index = manifest->find("");
  if (!index)
    return index.status();
  const Function &function = manifest->manifest.functions[*index];
  const std::optional<Reference> &reference = manifest->references[*index];
  if (!reference)
    return rt::invalidArgument("the manifest has no reference for '" +
                               function.name + "'");
  ArgumentRequest request;
  request.seed = options.seed;
  request.threads = options.threads;
  request.sizes = {
      {function.symbols.empty() ? "T" : function.symbols[0], shape.t}};
  Expected<ArgumentSet> made = prepareArguments(function, &*reference, request);
  if (!made)
    return made.status();
  arguments = std::move(*made);
  Expected<WorkEstimate> work =
      estimateWork(function, *reference, arguments->symbols);
  if (!work)
    return work.status();
  flops = work->flops;
  return Status::success();
}

Status ShapeTuner::check(Candidate &candidate, CudaRunner &runner) {
  RunOptions run;
  run.repeat = 3;
  run.check = true;
  run.checking.sampleRows = std::min(options.sampleRows, shape.t);
  run.checking.seed = options.seed;
  run.checking.threads = options.threads;
  Expected<RunReport> report = runAndCheck(
      *arguments, &*manifest->references[0],
      [&](const ArgumentSet &set, std::vector<HostTensor> &results) {
        return runner.run(set, results, /*graph=*/false);
      },
      run);
  if (!report)
    return report.status();
  for (const ResultCheck &result : report->check->results)
    candidate.relativeError =
        std::max(candidate.relativeError, result.report.relativeError);
  if (report->ok())
    return Status::success();
  candidate.wrong = wrong = true;
  candidate.problem = report->differingLaunch >= 0
                          ? "launches give different bits"
                          : "the result is wrong";
  return Status::success();
}

Status ShapeTuner::measure(Candidate &candidate, CudaRunner &runner,
                           int samples, Timing &timing) {
  Expected<Timing> found = runner.time(*arguments, samples, nullptr);
  if (!found)
    return found.status();
  timing = *found;
  timing.flops = flops;
  return Status::success();
}

/// First whether it is right, then how fast. What fails costs the candidate,
/// a lost device everything.
Status ShapeTuner::screen(Candidate &candidate) {
  Status status;
  {
    Expected<std::unique_ptr<CudaRunner>> runner = open(candidate);
    status = runner.status();
    if (status)
      status = check(candidate, **runner);
    if (status && !candidate.wrong)
      status = measure(candidate, **runner, options.samples, candidate.timing);
  }
  if (!status) {
    if (isFatal(status))
      return status.withContext("candidate '" + candidate.input->name + "'");
    candidate.problem = status.text();
  }
  say("  " + candidate.input->name + ": " +
      (candidate.problem.empty() ? microsecondsText(candidate.timing.medianUs)
                                 : candidate.problem));
  return Status::success();
}

Expected<json> ShapeTuner::run() {
  Clock::time_point start = Clock::now();
  say(shape.name() + ": " + std::to_string(shape.candidates.size()) +
      " candidates");
  for (const TuneCandidateInput &input : shape.candidates) {
    candidates.emplace_back();
    candidates.back().input = &input;
  }
  if (candidates.empty())
    return rt::invalidArgument(shape.name() +
                               " has no candidate, expected at least one; run "
                               "sparseflow tune again");
  if (Status status = prepare(); !status)
    return status;
  for (Candidate &candidate : candidates)
    if (Status status = screen(candidate); !status)
      return status;
  std::vector<Candidate *> ranked;
  for (Candidate &candidate : candidates)
    if (candidate.problem.empty())
      ranked.push_back(&candidate);
  auto faster = [](const Candidate *a, const Candidate *b) {
    return a->microseconds() < b->microseconds();
  };
  std::stable_sort(ranked.begin(), ranked.end(), faster);
  // The best again, interleaved and in another order each time: a GPU under
  // load changes its clock from second to second.
  size_t finalists = std::min<size_t>(4, ranked.size());
  for (int round = 0; round < options.rounds && finalists > 1; ++round)
    for (size_t i = 0; i < finalists; ++i) {
      Candidate &candidate = *ranked[round % 2 ? finalists - 1 - i : i];
      Expected<std::unique_ptr<CudaRunner>> runner = open(candidate);
      if (!runner)
        return runner.status();
      device = (*runner)->deviceName() + ", " + (*runner)->driverText();
      Timing timing;
      if (Status status = measure(candidate, **runner, options.samples, timing);
          !status)
        return status;
      candidate.rounds.push_back(timing.medianUs);
    }
  std::stable_sort(ranked.begin(), ranked.begin() + long(finalists), faster);
  json measured = json::array();
  auto describe = [&](const Candidate &candidate) {
    json entry = {{"name", candidate.input->name},
                  {"row", json::parse(candidate.input->row)},
                  {"model_us", candidate.input->modelUs}};
    if (!candidate.problem.empty()) {
      entry["problem"] = candidate.problem;
      return entry;
    }
    entry["us"] = candidate.microseconds();
    entry["screening"] = {{"min_us", candidate.timing.minUs},
                          {"median_us", candidate.timing.medianUs},
                          {"p95_us", candidate.timing.p95Us},
                          {"samples", candidate.timing.samples}};
    entry["rounds_us"] = candidate.rounds;
    entry["effective_tflops"] = flops / candidate.microseconds() * 1e-6;
    entry["relative_error"] = candidate.relativeError;
    return entry;
  };
  for (const Candidate *candidate : ranked)
    measured.push_back(describe(*candidate));
  for (const Candidate &candidate : candidates)
    if (!candidate.problem.empty())
      measured.push_back(describe(candidate));
  json entry = {{"t", shape.t},
                {"n", shape.n},
                {"k", shape.k},
                {"weights", shape.weights},
                {"type", shape.type},
                {"device", device},
                {"seconds", secondsSince(start)},
                {"candidates", std::move(measured)}};
  if (!ranked.empty()) {
    entry["best"] = ranked[0]->input->name;
    say("  best: " + ranked[0]->input->name + ", " +
        microsecondsText(ranked[0]->microseconds()) + ", " +
        std::to_string(int(flops / ranked[0]->microseconds() * 1e-6)) +
        " effective TFLOP/s");
  } else {
    say("  no candidate is usable");
  }
  return entry;
}

// All that may fail; `wrong` says whether a candidate was.
static Status execute(const TuneOptions &options, bool &wrong) {
  Clock::time_point start = Clock::now();
  Expected<TuneInput> input = readTuneInput(options.directory);
  if (!input)
    return input.status();
  Expected<json> tuned = readTuned(options.directory, *input, options.fresh);
  if (!tuned)
    return tuned.status();
  size_t left = 0;
  for (const TuneShapeInput &shape : input->shapes) {
    if (isTuned(*tuned, shape))
      continue;
    if (options.budget > 0 && secondsSince(start) > options.budget) {
      ++left;
      continue;
    }
    ShapeTuner tuner(options, shape);
    Expected<json> entry = tuner.run();
    wrong |= tuner.anyWrong();
    if (!entry)
      return entry.status().withContext(shape.name());
    (*tuned)["shapes"].push_back(std::move(*entry));
    if (Status status = writeTuned(options.directory, *input, *tuned); !status)
      return status;
  }
  if (!options.quiet)
    std::printf("%zu of %zu shapes are tuned%s; the table is %s\n",
                (*tuned)["shapes"].size(), input->shapes.size(),
                left ? ", call again for the others" : "",
                (options.directory + "/schedules.json").c_str());
  return Status::success();
}

int sparseflow::tools::tuneBundles(const TuneOptions &options) {
  bool wrong = false;
  Status status;
  try {
    status = execute(options, wrong);
  } catch (const rt::JsonError &e) {
    status = e.status;
  } catch (const std::bad_alloc &) {
    status = Status(SF_ERROR_OUT_OF_MEMORY, "host memory is exhausted");
  } catch (const std::exception &e) {
    status = Status(SF_ERROR_INTERNAL, e.what());
  }
  if (status)
    return wrong ? ExitCheckFailed : ExitOk;
  std::fprintf(stderr, "error: %s\n", status.text().c_str());
  return exitCodeFor(status);
}
