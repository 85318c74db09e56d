//===- CompressPlan.h - What becomes of each matrix -------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan is a list of rules; the first whose expression matches a tensor's name
// decides about it. docs/formats/compress-plan.md describes the file.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_COMMANDS_WEIGHTS_COMPRESSPLAN_H
#define SPARSEFLOW_TOOLS_COMMANDS_WEIGHTS_COMPRESSPLAN_H

#include "Common.h"
#include "WeightCommands.h"
#include "compress/compress.h"
#include "io/safetensors.h"

#include <string>
#include <vector>

namespace sparseflow::tools {

/// What becomes of the tensors that it matches.
struct CompressRule {
  /// How errors call it: "--include 'mlp'", "rule 2, match 'mlp'".
  std::string title;
  NameFilter filter;
  /// As given: "2:4", or "dense", which carries; "refit".
  std::string format, method;
  /// Of the above; options.name is empty.
  rt::compress::Options options;

  bool isDense() const { return format == "dense"; }
  /// All that the result of a tensor depends on, apart from data.
  std::string text() const;
};

class CompressPlan {
public:
  /// Of the command line: one rule, or those of the file --plan.
  /// SF_ERROR_INVALID_ARGUMENT: wrong usage.
  static rt::Expected<CompressPlan> create(const CompressArguments &arguments);

  /// Decides about every tensor. Fails where a rule takes none, or one that it
  /// cannot compress. `file`: how errors call the input.
  rt::Status decide(const std::vector<rt::SafetensorsEntry> &tensors,
                    const std::string &file);
  /// The rule of the tensor of this index, or null: it is carried.
  const CompressRule *ruleOf(size_t tensor) const {
    return chosen[tensor] < 0 ? nullptr : &rules[chosen[tensor]];
  }
  /// The first rule whose method needs moments, or null.
  const CompressRule *needsMoments() const;

private:
  rt::Status readFile(const CompressArguments &arguments);

  std::vector<CompressRule> rules;
  /// By tensor: the index of its rule, or -1.
  std::vector<int> chosen;
};

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_COMMANDS_WEIGHTS_COMPRESSPLAN_H
