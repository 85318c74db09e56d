//===- Session.h - One call of the C library --------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the functions of the C library share: a context with a module, whose
// diagnostics go to the caller, and the thread's last error.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_CAPI_SESSION_H
#define SPARSEFLOW_LIB_CAPI_SESSION_H

#include "sparseflow-c/Compiler.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace mlir::sparseflow::capi {

/// What sparseflowLastError returns on this thread.
extern thread_local std::string lastError;

/// Copies the caller's options, which may be those of an older version and may
/// be null. False, with the thread's error, where they are neither.
bool readOptions(const SparseFlowCompileOptions *given,
                 SparseFlowCompileOptions &options);

/// The patterns of options.sparse.
std::vector<std::string> sparseMarks(const SparseFlowCompileOptions &options);

/// A context with the module of a call.
class Session {
public:
  explicit Session(const SparseFlowCompileOptions &options);

  bool parse(const char *text, size_t bytes);
  /// Adds a line to the error of this call; returns the failure.
  int fail(const Twine &text);
  int fail(llvm::Error error) { return fail(llvm::toString(std::move(error))); }
  /// Whether this call, rather than one before it, has said what is wrong.
  bool hasError() const { return !errors.empty(); }
  /// The call is over: nothing goes to the caller's callbacks any more.
  void detach() { options = {}; }

  std::string name;
  MLIRContext context;
  OwningOpRef<ModuleOp> module;

private:
  void diagnose(Diagnostic &diagnostic);

  SparseFlowCompileOptions options;
  std::string errors;
};

} // namespace mlir::sparseflow::capi

#endif // SPARSEFLOW_LIB_CAPI_SESSION_H
