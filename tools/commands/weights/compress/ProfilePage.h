//===- ProfilePage.h - What a profile says ----------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_COMMANDS_WEIGHTS_PROFILEPAGE_H
#define SPARSEFLOW_TOOLS_COMMANDS_WEIGHTS_PROFILEPAGE_H

#include "compress/profile.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sparseflow::tools {

/// A format, or "dense", and what it gives and costs.
struct Recommendation {
  std::string format, reason;
};

/// What has been measured of formats: speed on a GPU, and perplexity of a
/// model. bench/results/format-facts.json, which `scripts/bench tables`
/// makes from the measurements, is compiled in.
class FormatFacts {
public:
  const std::string &machine() const { return machineName; }
  /// "1.53 times as fast as dense (1.06 to 1.72 in 16 cases)", or "".
  std::string speed(const std::string &format) const;
  /// "SmolLM2 ...: perplexity 32.1 to 55.4", of the best method; or "".
  std::string cost(const std::string &format) const;
  /// The fastest format that holds the weights exactly; else dense, and what
  /// 2:4 would give and cost.
  Recommendation recommend(const rt::compress::Profile &profile) const;

  FormatFacts();

private:
  struct Row {
    std::string format, speed, cost;
  };
  std::string machineName;
  std::vector<Row> rows;
};

struct ProfiledTensor {
  std::string name;
  std::vector<int64_t> shape;
  rt::compress::Profile profile;
  Recommendation recommendation;
};

/// The report of --json, and the self-contained page of --html.
std::string profileJson(const std::string &input,
                        const std::vector<ProfiledTensor> &tensors);
std::string profileHtml(const std::string &input,
                        const std::vector<ProfiledTensor> &tensors);

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_COMMANDS_WEIGHTS_PROFILEPAGE_H
