//===- run_tool.cpp - A weight command as a user calls it -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "run_tool.h"

#include "WeightCommands.h"

#include <CLI/CLI.hpp>
#include <gtest/gtest.h>

#include <algorithm>

using namespace sparseflow::test;

Outcome sparseflow::test::runTool(std::vector<std::string> arguments,
                                  std::function<bool()> interrupted) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  CLI::App app("test", "sparseflow");
  app.require_subcommand(1);
  ::sparseflow::tools::addPackCommands(app, std::move(interrupted));
  std::reverse(arguments.begin(), arguments.end()); // as CLI11 wants vectors
  Outcome outcome{0, "", ""};
  try {
    app.parse(arguments);
  } catch (const CLI::RuntimeError &error) {
    outcome.code = error.get_exit_code();
  } catch (const CLI::ParseError &error) {
    outcome.code = app.exit(error) == 0 ? 0 : 2;
  }
  outcome.out = testing::internal::GetCapturedStdout();
  outcome.err = testing::internal::GetCapturedStderr();
  return outcome;
}
