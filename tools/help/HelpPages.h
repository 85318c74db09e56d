//===- HelpPages.h - Pages from a command line's definition -----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The definition that CLI11 parses a command line with is the one source of all
// pages about it: `TOOL --help-format man` prints the manual page. What is
// printed is checked in (docs/cli, man, completions) and a test compares.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_HELP_HELPPAGES_H
#define SPARSEFLOW_TOOLS_HELP_HELPPAGES_H

#include <map>
#include <string>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace sparseflow::tools {

/// Words that complete the values of options, by the options' type name
/// ("KIND"): {"mlir", "ptx", ...}.
using ValueWords = std::map<std::string, std::vector<std::string>>;

/// Gives `app` the option --help-format FORMAT with json, man, markdown and
/// bash, which is not in the pages itself. When it is parsed, the page goes to
/// the standard output and parsing ends with CLI::Success. Call it after the
/// last option has been defined.
void addHelpFormat(CLI::App &app, const ValueWords &words = {});

/// One of the pages; an empty string for another format.
std::string helpPage(const CLI::App &app, const std::string &format,
                     const ValueWords &words = {});

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_HELP_HELPPAGES_H
