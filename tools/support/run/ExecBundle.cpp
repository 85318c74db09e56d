//===- ExecBundle.cpp - Runs a bundle on a GPU as a command does ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "run/ExecBundle.h"

#include "arguments/ModePolicy.h"
#include "run/CudaRunner.h"
#include "run/Progress.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

using namespace sparseflow;
using namespace sparseflow::tools;

Status sparseflow::tools::parseCheck(const std::string &text,
                                     RunOptions &options) {
  options.check = !text.empty();
  options.checking.sampleRows = 0;
  if (text.empty() || text == "full")
    return Status::success();
  const std::string prefix = "sampled:";
  if (text.compare(0, prefix.size(), prefix) == 0 &&
      text.find_first_not_of("0123456789", prefix.size()) ==
          std::string::npos &&
      text.size() > prefix.size() && text.size() < prefix.size() + 10) {
    options.checking.sampleRows =
        std::strtol(text.c_str() + prefix.size(), nullptr, 10);
    if (options.checking.sampleRows > 0)
      return Status::success();
  }
  return rt::invalidArgument("--check=" + rt::printable(text) +
                             ": expected full or sampled:ROWS");
}

// The bundle's own weights, or "": a name that exists and cannot be read is an
// error later, not a reason to run on random weights.
static std::string weightsOf(const std::string &bundle) {
  std::string path = bundle + "/weights.sfpk";
  std::error_code error;
  std::filesystem::file_type type =
      std::filesystem::symlink_status(path, error).type();
  return type == std::filesystem::file_type::not_found ? "" : path;
}

Status sparseflow::tools::applyModePolicy(ExecOptions &options) {
  if (options.modePolicy.empty())
    return Status::success();
  Expected<BundleManifest> manifest = loadBundleManifest(options.bundle);
  if (!manifest)
    return manifest.status();
  Expected<ModeChoice> choice =
      chooseMode(*manifest, options.entry, options.modePolicy, options.request);
  if (!choice)
    return choice.status();
  options.entry = choice->entry;
  options.modeRecord = choice->decision.json();
  std::fprintf(stderr, "remark: mode %s\n", choice->decision.text().c_str());
  return Status::success();
}

// All that may fail; `code` is what to exit with when it is set.
static Status execute(const ExecOptions &options, int &code) {
  RunOptions run;
  if (Status status = parseCheck(options.check, run); !status)
    return status;
  Expected<BundleManifest> manifest = loadBundleManifest(options.bundle);
  if (!manifest)
    return manifest.status();
  Expected<size_t> index = manifest->find(options.entry);
  if (!index)
    return index.status();
  const Function &function = manifest->manifest.functions[*index];
  const std::optional<Reference> &held = manifest->references[*index];
  const Reference *reference = held ? &*held : nullptr;
  if (run.check && !reference)
    return rt::invalidArgument("--check: the manifest has no reference for '" +
                               rt::printable(function.name) + "'");
  // The device first: without one, no time goes into preparing arguments.
  Expected<std::unique_ptr<CudaRunner>> runner =
      CudaRunner::create(options.bundle, function.name, options.device);
  if (!runner)
    return runner.status();
  ArgumentRequest request = options.request;
  request.weights = weightsOf(options.bundle);
  Expected<ArgumentSet> arguments =
      prepareArguments(function, reference, request);
  if (!arguments)
    return arguments.status();

  std::string dispatch;
  if (options.tuneDispatch > 0) {
    std::string note;
    Expected<std::string> tuned =
        (*runner)->tuneDispatch(*arguments, options.tuneDispatch, note);
    if (!tuned)
      return tuned.status();
    dispatch = *tuned;
    if (!note.empty())
      arguments->notes.push_back("measured times are not kept: " + note);
  }

  ProgressBar bar;
  run.repeat = options.repeat;
  run.checking.seed = options.request.seed;
  run.checking.threads = options.request.threads;
  run.checking.progress = [&](const std::string &what, double done) {
    bar.show(what, done);
  };
  if (options.quarantine && !arguments->empty()) {
    std::string note;
    std::vector<HostTensor> results = arguments->allocateResults();
    Status status = (*runner)->quarantine(
        *arguments, results,
        [&](const std::vector<HostTensor> &found) -> Expected<std::string> {
          Expected<CheckReport> check =
              checkResults(*arguments, *reference, found, run.checking);
          if (!check)
            return check.status();
          return firstWrong(*check);
        },
        note);
    if (!status)
      return status;
    if (!note.empty())
      arguments->notes.push_back(note);
  }
  Expected<RunReport> report = runAndCheck(
      *arguments, reference,
      [&](const ArgumentSet &set, std::vector<HostTensor> &results) {
        return (*runner)->run(set, results, options.graph);
      },
      run);
  if (!report)
    return report.status();

  RunSummary summary;
  summary.bundle = options.bundle;
  summary.entry = function.name;
  summary.device = (*runner)->deviceName();
  summary.target = (*runner)->target();
  summary.deviceVersion = (*runner)->driverText();
  summary.arguments = &*arguments;
  summary.run = &*report;
  summary.modeRecord = options.modeRecord;
  summary.dispatch = dispatch;
  if (options.time > 0 && !report->empty) {
    Expected<Timing> timing =
        (*runner)->time(*arguments, options.time, run.checking.progress);
    if (!timing)
      return timing.status();
    summary.timing = *timing;
    if (reference) {
      Expected<WorkEstimate> work =
          estimateWork(function, *reference, arguments->symbols);
      if (!work)
        return work.status();
      summary.timing->flops = work->flops;
    }
  }
  bar.clear();
  if (!options.quiet && options.json != "-")
    std::fputs(summaryText(summary).c_str(), stdout);
  Status written = writeOutputs(summary, options.json, options.saveResult);
  code = !written ? ExitEnvironment : report->ok() ? ExitOk : ExitCheckFailed;
  return written;
}

int sparseflow::tools::execBundle(const ExecOptions &options) {
  int code = ExitOk;
  Status status;
  try {
    status = execute(options, code);
  } catch (const std::bad_alloc &) {
    status = Status(SF_ERROR_OUT_OF_MEMORY,
                    "host memory is exhausted; use smaller sizes or "
                    "--check=sampled:ROWS");
  } catch (const std::exception &e) {
    status = Status(SF_ERROR_INTERNAL, e.what());
  }
  if (status)
    return code;
  std::fprintf(stderr, "error: %s\n", status.text().c_str());
  return code == ExitOk ? exitCodeFor(status) : code;
}
