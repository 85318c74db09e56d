//===- Progress.h - A progress bar for people -------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_RUN_PROGRESS_H
#define SPARSEFLOW_TOOLS_SUPPORT_RUN_PROGRESS_H

#include <chrono>
#include <string>

namespace sparseflow::tools {

/// One line on standard error that is redrawn in place. Draws nothing unless
/// standard error is a terminal, and nothing in the first half second, so that
/// quick work stays quiet. Not thread-safe.
class ProgressBar {
public:
  ProgressBar();
  ~ProgressBar();
  ProgressBar(const ProgressBar &) = delete;

  /// `done` from 0 to 1.
  void show(const std::string &what, double done);
  /// Removes the line; call it before printing anything else.
  void clear();

private:
  bool enabled;
  bool drawn = false;
  std::chrono::steady_clock::time_point start, last;
};

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_RUN_PROGRESS_H
