//===- TuneTable.h - The files of tuning ------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_RUN_TUNETABLE_H
#define SPARSEFLOW_TOOLS_SUPPORT_RUN_TUNETABLE_H

#include "common/status.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace sparseflow::tools {

using rt::Expected;
using rt::Status;

struct TuneCandidateInput {
  std::string name;
  /// A row of a schedule table, as JSON.
  std::string row;
  /// Relative to the directory.
  std::string bundle;
  double modelUs = 0;
};

struct TuneShapeInput {
  int64_t t = 0, n = 0, k = 0;
  std::string weights, type;
  std::vector<TuneCandidateInput> candidates;
  std::string name() const;
};

/// DIRECTORY/tune.json.
struct TuneInput {
  std::string producer, target;
  std::vector<TuneShapeInput> shapes;
  /// The rows of the table that is improved.
  nlohmann::json baseRows;
};

Expected<TuneInput> readTuneInput(const std::string &directory);

/// DIRECTORY/tuned.json, or a new one if there is none, if `fresh` or if it
/// belongs to another compiler or target.
Expected<nlohmann::json> readTuned(const std::string &directory,
                                   const TuneInput &input, bool fresh);
bool isTuned(const nlohmann::json &tuned, const TuneShapeInput &shape);

/// Writes tuned.json and schedules.json.
Status writeTuned(const std::string &directory, const TuneInput &input,
                  const nlohmann::json &tuned);

/// The rows for the winners, most special first: each for exactly its N and K,
/// and for at most its tokens; the one for the most tokens of an N and K, if
/// they are `manyTokens` at least, for any number.
nlohmann::json tunedRows(const TuneInput &input, const nlohmann::json &tuned);
constexpr int64_t manyTokens = 256;

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_RUN_TUNETABLE_H
