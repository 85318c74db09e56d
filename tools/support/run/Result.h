//===- Result.h - What a run found, for people and for programs -*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_RUN_RESULT_H
#define SPARSEFLOW_TOOLS_SUPPORT_RUN_RESULT_H

#include "run/Run.h"

namespace sparseflow::tools {

/// Exit codes of every tool that runs something.
enum ExitCode {
  ExitOk = 0,
  /// A file, a bundle or a value is wrong.
  ExitBadInput = 1,
  ExitUsage = 2,
  /// No device, no driver, no memory, a device error, no place for an output.
  ExitEnvironment = 3,
  /// A result is wrong, or launches differ.
  ExitCheckFailed = 4
};
/// 0, 1 or 3 by the kind of error.
int exitCodeFor(const Status &status);

struct Timing {
  int samples = 0;
  int launchesPerSample = 0;
  /// Sets of buffers used in turn, so that data do not come from the L2 cache.
  int bufferSets = 0;
  double minUs = 0, meanUs = 0, medianUs = 0;
  /// Of the samples themselves, not an estimate for more of them.
  double standardDeviationUs = 0;
  double p90Us = 0, p95Us = 0, p99Us = 0;
  /// Work as if the weights were dense.
  double flops = 0;
  /// Of the median.
  double effectiveTflops() const {
    return medianUs > 0 ? flops / medianUs * 1e-6 : 0;
  }
};

/// Sorts `microseconds` and fills min, median and 95th percentile.
Timing summarize(std::vector<double> microseconds);

struct RunSummary {
  std::string bundle, entry;
  /// Name, target or ISA, and a version text such as "driver CUDA 13.0".
  std::string device, target, deviceVersion;
  const ArgumentSet *arguments = nullptr;
  const RunReport *run = nullptr;
  std::optional<Timing> timing;
  /// Why this function and not another mode of it, as a JSON object; or "".
  std::string modeRecord;
  /// Which variants run after they were measured, as a JSON array
  /// (docs/formats/dispatch.md); or "".
  std::string dispatch;
};

/// The lines a person reads.
std::string summaryText(const RunSummary &summary);
/// What is wrong with the first result that is, in a line; "" if all are right.
std::string firstWrong(const CheckReport &check);
/// The same as JSON (docs/formats/bundle.md, "Run reports").
std::string summaryJson(const RunSummary &summary);
/// Writes text to a file atomically, or to standard output for "-".
Status writeText(const std::string &path, const std::string &text);
/// Writes FILE.npy, or FILE.0.npy, FILE.1.npy, ... for several results.
Status saveResults(const std::string &path,
                   const std::vector<HostTensor> &results);
/// Writes the report to `json` and the results to `npy`; "" for neither. A
/// failure is the environment's, not the input's.
Status writeOutputs(const RunSummary &summary, const std::string &json,
                    const std::string &npy);

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_RUN_RESULT_H
