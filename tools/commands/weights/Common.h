//===- Common.h - What the weight commands share ----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_COMMANDS_WEIGHTS_COMMON_H
#define SPARSEFLOW_TOOLS_COMMANDS_WEIGHTS_COMMON_H

#include "common/status.h"
#include "io/safetensors.h"
#include "weights/dtype.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sparseflow::tools {

/// The user stopped the command; not an error to explain.
inline constexpr int kExitInterrupted = 130;

/// Prints "sparseflow COMMAND: error: TEXT" to the standard error and returns
/// the exit code of the status: ExitEnvironment for memory and for files that
/// cannot be written, ExitBadInput for data.
int failWith(const char *command, const rt::Status &status);
/// The same for errors of opening the input: it is bad input that the named
/// file does not exist or is a directory.
int failWithInput(const char *command, const rt::Status &status);

/// The same for errors before any work: wrong usage is ExitUsage, anything else
/// an error of opening the input.
int failBeforeWork(const char *command, const rt::Status &status);

/// The elements of a tensor of F32, F16 or BF16; errors name it.
rt::Expected<std::vector<float>> readFloats(const rt::SafetensorsFile &file,
                                            const rt::SafetensorsEntry &tensor,
                                            int threads);

/// "3.4 MB"; decimal units.
std::string sizeText(uint64_t bytes);

/// True if the regular file begins with these bytes.
rt::Expected<bool> beginsWith(const std::string &path,
                              const std::string &bytes);

/// --include and --exclude of a command, --transpose of pack.
class NameFilter {
public:
  enum Choice { Take, Carry, LeaveOut };

  /// An empty `exclude` leaves nothing out, an empty `transpose` transposes
  /// nothing. The last two are what errors call the first two.
  static rt::Expected<NameFilter>
  create(const std::string &include, const std::string &exclude,
         const std::string &transpose = "",
         const char *includeTitle = "--include",
         const char *excludeTitle = "--exclude");
  /// Fails for names that are too long to be matched.
  rt::Expected<Choice> choose(const std::string &name) const;
  /// True for a tensor that --transpose names; after a choice of its name.
  bool transposes(const std::string &name) const;

private:
  /// Compiled expressions: every command would read <regex> for them.
  struct Expressions;
  std::shared_ptr<const Expressions> expressions;
};

/// Rows of text in aligned columns, the first one the heading.
class Table {
public:
  void row(std::vector<std::string> cells) { rows.push_back(std::move(cells)); }
  /// Prints to the standard output; columns in `right` are right-aligned.
  void print(const std::vector<size_t> &right) const;

private:
  std::vector<std::vector<std::string>> rows;
};

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_COMMANDS_WEIGHTS_COMMON_H
