//===- Run.h - Running a function on some device and checking it *- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// What every device shares: prepare arguments (Arguments.h), call the device,
// compare repetitions bit by bit, and check each element against the reference.
// A device is a callback; the GPU's is in CudaRunner.h.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_RUN_RUN_H
#define SPARSEFLOW_TOOLS_SUPPORT_RUN_RUN_H

#include "arguments/Arguments.h"
#include "reference/Compare.h"

#include <functional>

namespace sparseflow::tools {

/// Fills `results` (right types and shapes; every byte 0xFF on entry, a NaN, so
/// that an element nobody writes is seen). Called once for each repetition with
/// the same arguments.
using DeviceRun = std::function<Status(const ArgumentSet &arguments,
                                       std::vector<HostTensor> &results)>;

/// Called with what is going on and how much of it is done, 0 to 1.
using ProgressFunction =
    std::function<void(const std::string &what, double done)>;

struct CheckOptions {
  /// Token rows to check, 0 for every row. The first and the last row are
  /// always among them, the others follow from `seed`.
  int64_t sampleRows = 0;
  uint64_t seed = 0;
  int threads = 0;
  ProgressFunction progress;
};

struct ResultCheck {
  CompareReport report;
  /// Index of report.worst in the result.
  std::vector<int64_t> worstIndex;
};

struct CheckReport {
  std::vector<ResultCheck> results;
  /// Rows checked of each result, and how many there are; 0 and 0 for a full
  /// check.
  int64_t checkedRows = 0, rows = 0;
  double seconds = 0;
  bool ok() const {
    for (const ResultCheck &result : results)
      if (!result.report.ok())
        return false;
    return true;
  }
};

/// Compares results with the reference; see Compare.h for the rule.
Expected<CheckReport> checkResults(const ArgumentSet &arguments,
                                   const Reference &reference,
                                   const std::vector<HostTensor> &results,
                                   const CheckOptions &options);

struct RunOptions {
  /// Launches in all; those after the first are compared with it bit by bit.
  int repeat = 1;
  bool check = false;
  CheckOptions checking;
};

struct RunReport {
  std::vector<HostTensor> results;
  int launches = 0;
  /// The first launch (from 1) that differed from launch 0, or -1, and where.
  int differingLaunch = -1;
  size_t differingResult = 0, differingElement = 0;
  /// Nothing to launch: see ArgumentSet::empty. Such a run is not checked.
  bool empty = false;
  std::optional<CheckReport> check;

  bool ok() const { return differingLaunch < 0 && (!check || check->ok()); }
};

/// Runs, compares and checks. `reference` may be null unless a check is wanted.
Expected<RunReport> runAndCheck(const ArgumentSet &arguments,
                                const Reference *reference,
                                const DeviceRun &device,
                                const RunOptions &options);

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_RUN_RUN_H
