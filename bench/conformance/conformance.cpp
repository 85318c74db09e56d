//===- conformance.cpp - The simulator's cases on a GPU -------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// sparseflow-conformance OUT [--first N] [--repeat N]
//
// Runs what `scripts/bench conformance --compile-only OUT` wrote: programs of
// bench/gpu/matrix.json at their sizes, with the arguments that
// sparseflow-sim-matrix gives them on the simulator, each element against
// float64, all repetitions equal in every bit. Also the random programs of
// scripts/fuzz-programs, which name all their sizes. Prints a line of JSON for
// each case. An error of the device ends its context: the program stops there
// with exit code 3, and is to be started again with the case after as --first.
//
//===----------------------------------------------------------------------===//

#include "device/manifest/json.h"
#include "device/manifest/manifest.h"
#include "run/CudaRunner.h"
#include "run/Run.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>

using namespace sparseflow;
using namespace sparseflow::tools;
using nlohmann::json;
using rt::JsonCursor;

namespace {

/// A compiled program and the token counts to run it at.
struct Program {
  std::string target, name, bundle;
  uint64_t seed = 0;
  /// Arguments with special values, by index.
  std::vector<int64_t> special;
  std::vector<int64_t> tokens;
  /// All sizes by name, of a program that is not of matrix.json: they stand in
  /// place of T, which `tokens` gives otherwise.
  std::optional<std::vector<std::pair<std::string, int64_t>>> sizes;
};

class Conformance {
public:
  Conformance(std::string directory, long first, int repeat)
      : directory(std::move(directory)), first(first), repeat(repeat) {}

  /// False after an error of the device.
  bool run(const Program &program);

private:
  Status runAt(const Program &program, int64_t tokens, CudaRunner &runner,
               const BundleManifest &manifest, json &line);
  static void print(const json &line);

  std::string directory;
  /// Keeps the device's context from being made anew for every case.
  std::unique_ptr<CudaRunner> keeper;
  /// Cases before this one are not run.
  long first, next = 0;
  int repeat;
};

} // namespace

void Conformance::print(const json &line) {
  std::puts(line.dump(-1, ' ', false, json::error_handler_t::replace).c_str());
  std::fflush(stdout);
}

static std::vector<int64_t> readIntegers(const JsonCursor &list) {
  std::vector<int64_t> values;
  for (size_t i = 0, n = list.size(1000); i < n; ++i)
    values.push_back(list.element(i).integer(0, int64_t(1) << 31));
  return values;
}

static Expected<std::vector<Program>> readIndex(const std::string &directory) {
  std::string path = directory + "/index.json";
  Expected<std::string> text = rt::readSmallFile(path, size_t(64) << 20);
  if (!text)
    return text.status().withContext(
        "expected what scripts/bench conformance --compile-only writes");
  try {
    json document = rt::parseJson(*text);
    JsonCursor root(document, path);
    JsonCursor format = root.member("format");
    if (format.string(0, 64) != "sparseflow-conformance")
      format.expected("'sparseflow-conformance'");
    std::vector<Program> programs;
    JsonCursor list = root.member("programs");
    for (size_t i = 0, n = list.size(100000); i < n; ++i) {
      JsonCursor entry = list.element(i);
      Program program;
      program.target = entry.member("target").string(1, 64);
      program.name = entry.member("program").string(1, 1024);
      program.bundle = entry.member("bundle").string(1, 4096);
      program.seed = static_cast<uint64_t>(
          entry.member("seed").integer(0, int64_t(1) << 62));
      program.special = readIntegers(entry.member("special"));
      program.tokens = readIntegers(entry.member("tokens"));
      if (entry.has("sizes")) {
        program.sizes.emplace();
        JsonCursor sizes = entry.member("sizes");
        for (size_t j = 0, m = sizes.size(100); j < m; ++j)
          program.sizes->emplace_back(
              sizes.element(j).element(0).string(1, 64),
              sizes.element(j).element(1).integer(0, int64_t(1) << 31));
      }
      programs.push_back(std::move(program));
    }
    return programs;
  } catch (const rt::JsonError &error) {
    return error.status;
  }
}

Status Conformance::runAt(const Program &program, int64_t tokens,
                          CudaRunner &runner, const BundleManifest &manifest,
                          json &line) {
  const Function &function = manifest.manifest.functions.front();
  const auto &held = manifest.references.front();
  if (!held)
    return rt::invalidArgument("the manifest has no reference");
  ArgumentRequest request;
  request.seed = program.seed;
  request.threads = 1;
  if (program.sizes)
    request.sizes = *program.sizes;
  else
    request.sizes.emplace_back("T", tokens);
  for (int64_t argument : program.special)
    if (Status status =
            request.addArgument(std::to_string(argument) +
                                "=special:" + std::to_string(program.seed));
        !status)
      return status;
  Expected<ArgumentSet> arguments = prepareArguments(function, &*held, request);
  if (!arguments)
    return arguments.status();
  RunOptions how;
  how.check = true;
  how.repeat = repeat;
  how.checking.threads = 1;
  Expected<RunReport> report = runAndCheck(
      *arguments, &*held,
      [&](const ArgumentSet &set, std::vector<HostTensor> &results) {
        return runner.run(set, results, /*graph=*/false);
      },
      how);
  if (!report)
    return report.status();
  line["ok"] = report->ok();
  line["launches"] = report->launches;
  line["bitwise_equal"] = report->differingLaunch < 0;
  line["empty"] = report->empty;
  if (!report->check || report->check->results.empty())
    return Status::success();
  // The first result, or the first that is wrong.
  const std::vector<ResultCheck> &results = report->check->results;
  auto wrong = std::find_if(
      results.begin(), results.end(),
      [](const ResultCheck &result) { return !result.report.ok(); });
  const ResultCheck &check = wrong == results.end() ? results.front() : *wrong;
  line["elements"] = check.report.elements;
  line["wrong"] = check.report.wrong;
  line["relative_error"] = check.report.relativeError;
  line["plain_relative_error"] = check.report.plainRelativeError;
  if (check.report.wrong)
    line["error"] = "at " + shapeText(check.worstIndex) + ": found " +
                    std::to_string(check.report.found) + ", expected " +
                    std::to_string(check.report.exact) + " within " +
                    std::to_string(check.report.tolerance);
  return Status::success();
}

bool Conformance::run(const Program &program) {
  // Programs of which every case lies before the first are not loaded.
  long end = next + static_cast<long>(program.tokens.size());
  if (end <= first) {
    next = end;
    return true;
  }
  std::string bundle = directory + "/" + program.bundle;
  Expected<BundleManifest> manifest = loadBundleManifest(bundle);
  for (int64_t tokens : program.tokens) {
    long number = next++;
    if (number < first)
      continue;
    json line = {{"case", number},
                 {"target", program.target},
                 {"program", program.name},
                 {"tokens", tokens},
                 {"ok", false}};
    Status status;
    if (!manifest) {
      status = manifest.status();
    } else {
      // A runner keeps the arguments of its first run on the device.
      auto open = [&] {
        return CudaRunner::create(bundle,
                                  manifest->manifest.functions.front().name, 0);
      };
      if (!keeper)
        if (auto made = open(); made)
          keeper = std::move(*made);
      Expected<std::unique_ptr<CudaRunner>> runner = open();
      status = runner ? runAt(program, tokens, **runner, *manifest, line)
                      : runner.status();
    }
    if (!status)
      line["error"] = status.text();
    print(line);
    if (!status && exitCodeFor(status) == ExitEnvironment)
      return false;
  }
  return true;
}

int main(int argc, char **argv) {
  long first = 0, repeat = 50;
  std::string directory;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    bool number = word == "--first" || word == "--repeat";
    if (number && i + 1 < argc)
      (word == "--first" ? first : repeat) =
          std::strtol(argv[++i], nullptr, 10);
    else if (!number && word[0] != '-' && directory.empty())
      directory = word;
    else
      directory.clear(), i = argc;
  }
  if (directory.empty() || first < 0 || repeat < 1) {
    std::fprintf(stderr, "usage: sparseflow-conformance OUT [--first N] "
                         "[--repeat N]\n");
    return ExitUsage;
  }
  Expected<std::vector<Program>> programs = readIndex(directory);
  if (!programs) {
    std::fprintf(stderr, "error: %s\n", programs.status().text().c_str());
    return ExitBadInput;
  }
  Conformance all(directory, first, static_cast<int>(repeat));
  for (const Program &program : *programs)
    if (!all.run(program))
      return ExitEnvironment;
  return ExitOk;
}
