//===- ChildProcess.h - Programs that stand in for this one -----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SPARSEFLOW_CHILDPROCESS_H
#define SPARSEFLOW_TOOLS_SPARSEFLOW_CHILDPROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace mlir::sparseflow::driver {

/// Runs a program that writes to this process's own streams, however long that
/// takes, and returns its exit code; an exit code of ours where it cannot be
/// started, is interrupted, or its reader went away. Another signal that ended
/// it is for `bySignal` to explain.
int runChild(llvm::StringRef program, llvm::ArrayRef<std::string> arguments,
             bool inheritInput, llvm::function_ref<int(int signal)> bySignal);

} // namespace mlir::sparseflow::driver

#endif // SPARSEFLOW_TOOLS_SPARSEFLOW_CHILDPROCESS_H
