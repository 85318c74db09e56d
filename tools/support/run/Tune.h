//===- Tune.h - Measures candidates and keeps the best ----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The second half of tuning: `sparseflow tune --compile-only OUT` has left
// bundles and OUT/tune.json; here each candidate is checked and timed, and
// OUT/tuned.json (what was measured) and OUT/schedules.json (a schedule table
// with the winners before the rows they improve) are written after every shape.
// Formats: docs/tuning.md.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_RUN_TUNE_H
#define SPARSEFLOW_TOOLS_SUPPORT_RUN_TUNE_H

#include "run/Result.h"

namespace sparseflow::tools {

struct TuneOptions {
  /// What `sparseflow tune` wrote.
  std::string directory;
  int device = 0;
  /// Seconds after which no shape is begun; 0 for no limit.
  double budget = 0;
  /// Measure shapes again that tuned.json has already.
  bool fresh = false;
  int threads = 0;
  uint64_t seed = 0;
  /// Token rows of a candidate's result that are compared with float64.
  int64_t sampleRows = 8;
  /// Samples of each candidate, and how often the best are timed again, in
  /// turns.
  int samples = 10, rounds = 5;
  bool quiet = false;
};

/// Prints a line a candidate and returns the exit code (Result.h): ExitOk,
/// ExitCheckFailed if a candidate was wrong (it is then never chosen), or that
/// of the error, which is printed.
int tuneBundles(const TuneOptions &options);

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_RUN_TUNE_H
