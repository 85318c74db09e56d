//===- run_tool.h - A weight command as a user calls it ---------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TEST_TOOLS_WEIGHTS_RUN_TOOL_H
#define SPARSEFLOW_TEST_TOOLS_WEIGHTS_RUN_TOOL_H

#include <functional>
#include <string>
#include <vector>

namespace sparseflow::test {

struct Outcome {
  int code;
  std::string out, err;
};

/// Runs a command line like the tool's main.
Outcome runTool(std::vector<std::string> arguments,
                std::function<bool()> interrupted = {});

inline bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace sparseflow::test

#endif // SPARSEFLOW_TEST_TOOLS_WEIGHTS_RUN_TOOL_H
