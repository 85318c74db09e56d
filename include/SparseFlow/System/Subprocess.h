//===- Subprocess.h - Run a program with a deadline -------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// posix_spawn with an argument vector: no shell sees a path or an option.
// LLVM's ExecuteAndWait keeps time with SIGALRM, which belongs to the
// embedding process; this one polls, so several threads may run programs.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_SYSTEM_SUBPROCESS_H
#define SPARSEFLOW_SYSTEM_SUBPROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <chrono>
#include <string>

namespace mlir::sparseflow {

struct SubprocessOptions {
  /// The child and its group are killed when this much time has passed; zero
  /// means no limit.
  std::chrono::seconds timeout{60};
  /// Output beyond this many bytes per stream is read and dropped.
  size_t outputLimit = 4u << 20;
  /// False leaves standard output and error to the parent's.
  bool capture = true;
  /// The standard input is the parent's; otherwise it is empty.
  bool inheritInput = false;
  /// Asked about ten times a second; true kills the child.
  llvm::function_ref<bool()> cancelled = nullptr;
};

struct SubprocessResult {
  /// The exit status; meaningless when a signal ended the child.
  int exitCode = 0;
  /// The signal that ended the child, or 0.
  int signal = 0;
  bool timedOut = false;
  bool cancelled = false;
  std::string standardOutput;
  std::string standardError;

  bool succeeded() const {
    return exitCode == 0 && signal == 0 && !timedOut && !cancelled;
  }
};

/// Runs `program` (a path; nothing is searched) with `arguments` (without the
/// program's own name) and waits for it. An error means that it could not be
/// started at all.
llvm::Expected<SubprocessResult>
runSubprocess(llvm::StringRef program, llvm::ArrayRef<std::string> arguments,
              const SubprocessOptions &options = {});

/// The absolute path of an executable called `name`: first in `directories`,
/// then in PATH (whose relative entries are ignored). Empty when there is
/// none; `searched` receives every place that was looked at.
std::string findExecutable(llvm::StringRef name,
                           llvm::ArrayRef<std::string> directories,
                           std::string &searched);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_SYSTEM_SUBPROCESS_H
