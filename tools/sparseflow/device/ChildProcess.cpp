//===- ChildProcess.cpp - Programs that stand in for this one -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/ChildProcess.h"

#include "Options.h"
#include "SparseFlow/System/Subprocess.h"

#include <csignal>

using namespace mlir::sparseflow;

int driver::runChild(llvm::StringRef program,
                     llvm::ArrayRef<std::string> arguments, bool inheritInput,
                     llvm::function_ref<int(int signal)> bySignal) {
  SubprocessOptions child;
  child.capture = false;
  child.inheritInput = inheritInput;
  child.timeout = std::chrono::seconds(0);
  child.cancelled = interrupted;
  llvm::Expected<SubprocessResult> result =
      runSubprocess(program, arguments, child);
  if (!result)
    return fail(Environment, llvm::toString(result.takeError()));
  if (result->cancelled)
    return Interrupted;
  if (result->signal == SIGPIPE)
    return fail(Environment, "the reader of the standard output went away");
  if (result->signal)
    return bySignal(result->signal);
  return result->exitCode;
}
