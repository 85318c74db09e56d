//===- Result.cpp - What a run found, for people and for programs ---------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "run/Result.h"

#include "arguments/Indices.h"
#include "arguments/Npy.h"
#include "io/file.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <nlohmann/json.hpp>

using namespace sparseflow;
using namespace sparseflow::tools;
using rt::printable;

int sparseflow::tools::exitCodeFor(const Status &status) {
  switch (status.code()) {
  case SF_OK:
    return ExitOk;
  case SF_ERROR_NO_DEVICE:
  case SF_ERROR_OUT_OF_MEMORY:
  case SF_ERROR_DRIVER:
  case SF_ERROR_DEVICE_LOST:
  case SF_ERROR_INTERNAL:
    return ExitEnvironment;
  default:
    return ExitBadInput;
  }
}

Timing sparseflow::tools::summarize(std::vector<double> microseconds) {
  Timing timing;
  timing.samples = static_cast<int>(microseconds.size());
  if (microseconds.empty())
    return timing;
  std::sort(microseconds.begin(), microseconds.end());
  size_t n = microseconds.size();
  timing.minUs = microseconds.front();
  timing.medianUs = (microseconds[(n - 1) / 2] + microseconds[n / 2]) / 2;
  // The smallest sample that so many percent of them do not exceed.
  auto percentile = [&](size_t percent) {
    return microseconds[(n * percent + 99) / 100 - 1];
  };
  timing.p90Us = percentile(90);
  timing.p95Us = percentile(95);
  timing.p99Us = percentile(99);
  double count = static_cast<double>(n), squares = 0;
  for (double each : microseconds)
    timing.meanUs += each / count;
  for (double each : microseconds)
    squares += (each - timing.meanUs) * (each - timing.meanUs) / count;
  timing.standardDeviationUs = std::sqrt(squares);
  return timing;
}

__attribute__((format(printf, 1, 2))) static std::string
format(const char *text, ...) {
  char buffer[512];
  va_list arguments;
  va_start(arguments, text);
  std::vsnprintf(buffer, sizeof(buffer), text, arguments);
  va_end(arguments);
  return buffer;
}

static std::string checkText(const CheckReport &check) {
  std::string text;
  for (size_t r = 0; r < check.results.size(); ++r) {
    const CompareReport &report = check.results[r].report;
    text += format("check    result %zu: %s, %llu elements", r,
                   report.ok() ? "ok" : "WRONG",
                   static_cast<unsigned long long>(report.elements));
    if (check.rows)
      text += format(" of %lld of %lld rows",
                     static_cast<long long>(check.checkedRows),
                     static_cast<long long>(check.rows));
    text += format(" against float64 in %.2f s\n", check.seconds);
    text += format("         max abs error %.3g (plain low precision: %.3g), "
                   "relative Frobenius %.3g (%.3g)\n",
                   report.maxAbsError, report.plainMaxAbsError,
                   report.relativeError, report.plainRelativeError);
    if (!report.ok())
      text += format("         %llu elements are wrong, worst at %s: found "
                     "%.9g, expected %.9g within %.3g\n",
                     static_cast<unsigned long long>(report.wrong),
                     indexText(check.results[r].worstIndex).c_str(),
                     report.found, report.exact, report.tolerance);
  }
  return text;
}

std::string sparseflow::tools::firstWrong(const CheckReport &check) {
  for (size_t r = 0; r < check.results.size(); ++r)
    if (const CompareReport &report = check.results[r].report; !report.ok())
      return format("result %zu: %llu of %llu elements are wrong, worst at %s: "
                    "found %.9g, expected %.9g within %.3g",
                    r, static_cast<unsigned long long>(report.wrong),
                    static_cast<unsigned long long>(report.elements),
                    indexText(check.results[r].worstIndex).c_str(),
                    report.found, report.exact, report.tolerance);
  return "";
}

/// A line for each decision of `dispatch` (RunSummary).
static std::string dispatchText(const std::string &dispatch) {
  std::string text;
  if (dispatch.empty())
    return text;
  for (const nlohmann::json &decision : nlohmann::json::parse(dispatch)) {
    const nlohmann::json &ran = decision["ran"];
    text += "dispatch " + decision["op"].get<std::string>();
    if (std::string place = decision["loc"]; !place.empty())
      text += " at " + place;
    text += ": variant " + std::to_string(ran["variant"].get<int>()) + ", " +
            decision["because"].get<std::string>();
    if (ran.contains("microseconds"))
      text += format(", %.3f us", ran["microseconds"].get<double>());
    text += "\n";
  }
  return text;
}

std::string sparseflow::tools::summaryText(const RunSummary &summary) {
  const ArgumentSet &arguments = *summary.arguments;
  const Function &function = *arguments.function;
  std::string text = "device   " + printable(summary.device) + " (" +
                     printable(summary.target) +
                     (summary.deviceVersion.empty()
                          ? ""
                          : ", " + printable(summary.deviceVersion)) +
                     ")\n";
  text += "function " + printable(summary.entry);
  for (size_t s = 0; s < function.symbols.size(); ++s)
    text += " " + printable(function.symbols[s]) + "=" +
            std::to_string(arguments.symbols[s]);
  text += "\n";
  for (size_t i = 0; i < arguments.arguments.size(); ++i) {
    const TensorSpec &spec = function.arguments[i];
    const Argument &argument = arguments.arguments[i];
    text += "argument " + std::to_string(i) + " " + printable(spec.name) + " " +
            shapeText(argument.dense.shape) + " " + rt::dtypeName(spec.dtype);
    if (spec.encoded())
      text += format(" %d:%d", spec.patternN, spec.patternM);
    if (spec.isTernary())
      text += std::string(" ternary ") + rt::layoutName(spec.ternary.storage);
    if (spec.isCache())
      text += std::string(" ternary ") + spec.cache->layoutName();
    text += " from " + printable(argument.origin, 400) + "\n";
  }
  for (const std::string &note : arguments.notes)
    text += "note     " + note + "\n";
  text += dispatchText(summary.dispatch);
  if (const RunReport *run = summary.run) {
    if (run->empty)
      text += "launch   nothing to do: a size is 0\n";
    else if (run->differingLaunch >= 0)
      text += format("launch   WRONG: launch %d differs from launch 0 in "
                     "element %zu of result %zu\n",
                     run->differingLaunch, run->differingElement,
                     run->differingResult);
    else
      text += format("launch   %d%s\n", run->launches,
                     run->launches > 1 ? ", bitwise equal" : "");
    if (run->check)
      text += checkText(*run->check);
  }
  if (summary.timing) {
    const Timing &timing = *summary.timing;
    text += format("time     min %.3f us, median %.3f us, p95 %.3f us (%d "
                   "samples of %d launches, %d buffer sets)\n",
                   timing.minUs, timing.medianUs, timing.p95Us, timing.samples,
                   timing.launchesPerSample, timing.bufferSets);
    if (timing.flops > 0)
      text += format("         %.2f effective TFLOP/s (as if dense)\n",
                     timing.effectiveTflops());
  }
  return text;
}

// JSON has no infinity and no NaN: they become strings.
static nlohmann::json number(double value) {
  if (std::isfinite(value))
    return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

static nlohmann::json checkJson(const CheckReport &check) {
  nlohmann::json json = {{"ok", check.ok()}, {"seconds", check.seconds}};
  if (check.rows) {
    json["checked_rows"] = check.checkedRows;
    json["rows"] = check.rows;
  }
  json["results"] = nlohmann::json::array();
  for (const ResultCheck &result : check.results) {
    const CompareReport &report = result.report;
    json["results"].push_back(
        {{"ok", report.ok()},
         {"elements", report.elements},
         {"wrong", report.wrong},
         {"non_finite", report.nonFinite},
         {"max_abs_error", number(report.maxAbsError)},
         {"mean_abs_error", number(report.meanAbsError)},
         {"relative_frobenius", number(report.relativeError)},
         {"plain_max_abs_error", number(report.plainMaxAbsError)},
         {"plain_relative_frobenius", number(report.plainRelativeError)},
         {"worst",
          {{"index", result.worstIndex},
           {"found", number(report.found)},
           {"exact", number(report.exact)},
           {"tolerance", number(report.tolerance)}}}});
  }
  return json;
}

std::string sparseflow::tools::summaryJson(const RunSummary &summary) {
  using nlohmann::json;
  const ArgumentSet &set = *summary.arguments;
  const Function &function = *set.function;
  json document = {{"format", "sparseflow-run"},
                   {"version", 1},
                   {"bundle", summary.bundle},
                   {"entry", summary.entry},
                   {"device",
                    {{"name", summary.device},
                     {"target", summary.target},
                     {"version", summary.deviceVersion}}}};
  document["sizes"] = json::object();
  for (size_t s = 0; s < function.symbols.size(); ++s)
    document["sizes"][function.symbols[s]] = set.symbols[s];
  document["arguments"] = json::array();
  for (size_t i = 0; i < set.arguments.size(); ++i)
    document["arguments"].push_back(
        {{"name", function.arguments[i].name},
         {"shape", set.arguments[i].dense.shape},
         {"dtype", rt::dtypeName(function.arguments[i].dtype)},
         {"bytes", set.arguments[i].storage().size()},
         {"origin", set.arguments[i].origin}});
  document["notes"] = set.notes;
  if (!summary.modeRecord.empty())
    document["mode"] = json::parse(summary.modeRecord);
  if (!summary.dispatch.empty())
    document["dispatch"] = json::parse(summary.dispatch);
  if (const RunReport *run = summary.run) {
    document["ok"] = run->ok();
    document["launches"] = run->launches;
    document["empty"] = run->empty;
    document["bitwise_equal"] = run->differingLaunch < 0;
    if (run->check)
      document["check"] = checkJson(*run->check);
  }
  if (summary.timing) {
    const Timing &timing = *summary.timing;
    document["timing"] = {{"samples", timing.samples},
                          {"launches_per_sample", timing.launchesPerSample},
                          {"buffer_sets", timing.bufferSets},
                          {"min_us", timing.minUs},
                          {"mean_us", timing.meanUs},
                          {"std_us", timing.standardDeviationUs},
                          {"median_us", timing.medianUs},
                          {"p90_us", timing.p90Us},
                          {"p95_us", timing.p95Us},
                          {"p99_us", timing.p99Us},
                          {"flops", timing.flops},
                          {"effective_tflops", timing.effectiveTflops()}};
  }
  // Names from files may hold anything: bytes that are not UTF-8 are replaced.
  return document.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

Status sparseflow::tools::writeText(const std::string &path,
                                    const std::string &text) {
  if (path == "-") {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() ||
        std::fflush(stdout) != 0)
      return rt::ioError("cannot write to standard output");
    return Status::success();
  }
  Expected<rt::OutputFile> file = rt::OutputFile::create(path);
  if (!file)
    return file.status();
  if (Status status = file->write(text.data(), text.size()); !status)
    return status;
  return file->commit();
}

Status sparseflow::tools::saveResults(const std::string &path,
                                      const std::vector<HostTensor> &results) {
  std::string stem = path;
  if (stem.size() > 4 && stem.compare(stem.size() - 4, 4, ".npy") == 0)
    stem.resize(stem.size() - 4);
  for (size_t r = 0; r < results.size(); ++r) {
    std::string name =
        results.size() == 1 ? path : stem + "." + std::to_string(r) + ".npy";
    if (Status status = writeNpy(name, results[r]); !status)
      return status;
  }
  return Status::success();
}

Status sparseflow::tools::writeOutputs(const RunSummary &summary,
                                       const std::string &json,
                                       const std::string &npy) {
  if (!json.empty())
    if (Status status = writeText(json, summaryJson(summary)); !status)
      return status;
  return npy.empty() ? Status::success()
                     : saveResults(npy, summary.run->results);
}
