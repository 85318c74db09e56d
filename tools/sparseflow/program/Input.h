//===- Input.h - Reading a program -----------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SPARSEFLOW_INPUT_H
#define SPARSEFLOW_TOOLS_SPARSEFLOW_INPUT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>
#include <string>

namespace mlir::sparseflow::driver {

/// Brackets may nest this deep; MLIR's parser is recursive and overflows its
/// stack on files that nest a few thousand.
constexpr unsigned kMaxNesting = 512;

/// The deepest nesting of brackets in MLIR text, outside strings and comments.
unsigned nestingDepth(llvm::StringRef text);

/// A parsed program with everything its locations and diagnostics point to.
/// Prints errors, and remarks when asked for, on the standard error stream.
class Program {
public:
  /// Prepares a context with every dialect.
  explicit Program(bool printRemarks);
  ~Program();

  /// Reads `path` ("-" is the standard input) and parses it. Arguments of
  /// functions without `sparseflow.name` get their SSA name, and those that are
  /// `donated`, by name or number, say so. False after errors, which have been
  /// printed.
  bool parse(const std::string &path, ArrayRef<std::string> donated = {});

  ModuleOp module() { return *parsed; }
  MLIRContext &context() { return mlirContext; }
  /// The text that was read, for a reproducer.
  const std::string &text() const { return source; }

private:
  struct Handler;
  MLIRContext mlirContext;
  llvm::SourceMgr sources;
  std::unique_ptr<Handler> handler;
  OwningOpRef<ModuleOp> parsed;
  std::string source;
};

} // namespace mlir::sparseflow::driver

#endif // SPARSEFLOW_TOOLS_SPARSEFLOW_INPUT_H
