//===- Description.h - A command line as data -------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_HELP_DESCRIPTION_H
#define SPARSEFLOW_TOOLS_HELP_DESCRIPTION_H

#include <string>
#include <vector>

namespace sparseflow::tools {

struct OptionDescription {
  /// "-o", "--output"; empty for a positional argument.
  std::vector<std::string> names;
  /// What stands for the value, "FILE"; for a positional argument its name;
  /// empty for a flag.
  std::string value;
  /// Flags that may have a value: "full" of --check[=full].
  std::string optionalValue;
  std::string text, defaultValue;
  /// "" for the usual ones.
  std::string group;
  bool required = false;
  /// The values that are accepted, or that complete the word.
  std::vector<std::string> words;

  bool positional() const { return names.empty(); }
  bool flag() const { return value.empty(); }
};

struct CommandDescription {
  /// "sparseflow compile".
  std::string name, text, footer;
  std::vector<OptionDescription> options;
  std::vector<CommandDescription> commands;
};

std::string printJson(const CommandDescription &command);
std::string printMan(const CommandDescription &command);
std::string printMarkdown(const CommandDescription &command);
std::string printBash(const CommandDescription &command);

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_HELP_DESCRIPTION_H
