//===- ExecBundle.h - Runs a bundle on a GPU as a command does --*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_RUN_EXECBUNDLE_H
#define SPARSEFLOW_TOOLS_SUPPORT_RUN_EXECBUNDLE_H

#include "run/Result.h"

namespace sparseflow::tools {

/// What the command line of sparseflow-exec says, and what `sparseflow run
/// --device cuda` says in its child process.
struct ExecOptions {
  std::string bundle, entry;
  int device = 0;
  ArgumentRequest request;
  /// "" for none, "full" or "sampled:ROWS".
  std::string check;
  /// Quarantine the kernels of a variant that the check finds wrong where
  /// another one is right.
  bool quarantine = false;
  int repeat = 1;
  /// Timed samples, 0 for none.
  int time = 0;
  /// Replays by which each variant is measured first, 0 for none.
  int tuneDispatch = 0;
  /// Launch through a captured graph.
  bool graph = false;
  /// Files to write; "-" is standard output for JSON. Empty for none.
  std::string json, saveResult;
  /// No text on standard output.
  bool quiet = false;
  /// A policy that chooses the mode (ModePolicy.h), or "": then `entry` is the
  /// function's whole name.
  std::string modePolicy;
  /// Set by applyModePolicy: why this mode.
  std::string modeRecord;
};

/// Where a policy is given, replaces `entry` by the function of the mode that
/// it chooses, and says so on standard error.
Status applyModePolicy(ExecOptions &options);

/// Parses the value of --check into `options`.
Status parseCheck(const std::string &text, RunOptions &options);

/// Does it all, prints the summary to standard output and errors to standard
/// error, and returns the exit code (Result.h).
int execBundle(const ExecOptions &options);

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_RUN_EXECBUNDLE_H
