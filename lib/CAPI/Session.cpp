//===- Session.cpp - One call of the C library ----------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Session.h"

#include "SparseFlow/Compiler/Compiler.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace mlir;
using namespace mlir::sparseflow;
using capi::Session;

thread_local std::string capi::lastError;
using capi::lastError;

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerCompiler(registry);
  return registry;
}

Session::Session(const SparseFlowCompileOptions &options)
    : name(options.name ? options.name : "module"),
      // Callers bring their own threads.
      context(makeRegistry(), MLIRContext::Threading::DISABLED),
      options(options) {
  context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
    diagnose(diagnostic);
    return success();
  });
}

int Session::fail(const Twine &text) {
  errors += (errors.empty() ? "" : "\n") + text.str();
  lastError = errors;
  return 1;
}

static SparseFlowSeverity severity(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note:
    return SPARSEFLOW_NOTE;
  case DiagnosticSeverity::Remark:
    return SPARSEFLOW_REMARK;
  case DiagnosticSeverity::Warning:
    return SPARSEFLOW_WARNING;
  case DiagnosticSeverity::Error:
    return SPARSEFLOW_ERROR;
  }
  llvm_unreachable("every severity has a number");
}

static std::string print(Location location) {
  std::string text;
  if (auto file = location->findInstanceOf<FileLineColLoc>())
    llvm::raw_string_ostream(text) << file.getFilename().getValue() << ":"
                                   << file.getLine() << ":" << file.getColumn();
  return text;
}

void Session::diagnose(Diagnostic &diagnostic) {
  std::string place = print(diagnostic.getLocation());
  std::string text = diagnostic.str();
  if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
    fail((place.empty() ? "" : place + ": ") + text);
  if (options.diagnostic)
    options.diagnostic(severity(diagnostic.getSeverity()), place.c_str(),
                       text.c_str(), options.userData);
  for (Diagnostic &note : diagnostic.getNotes())
    diagnose(note);
}

bool Session::parse(const char *text, size_t bytes) {
  // MLIR's parser wants the NUL that a caller's text may lack.
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(StringRef(text, bytes), name),
      llvm::SMLoc());
  module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    fail("'" + name + "' is not a module");
  return static_cast<bool>(module);
}

bool capi::readOptions(const SparseFlowCompileOptions *given,
                       SparseFlowCompileOptions &options) {
  options = {};
  if (!given)
    return true;
  if (given->structSize < offsetof(SparseFlowCompileOptions, emit) ||
      given->structSize > sizeof(options)) {
    lastError = "options.structSize is " + std::to_string(given->structSize) +
                ": expected sizeof(SparseFlowCompileOptions), at most " +
                std::to_string(sizeof(options));
    return false;
  }
  std::memcpy(&options, given, given->structSize);
  return true;
}

std::vector<std::string>
capi::sparseMarks(const SparseFlowCompileOptions &options) {
  SmallVector<StringRef> marks;
  if (options.sparse)
    StringRef(options.sparse).split(marks, ',', -1, /*KeepEmpty=*/false);
  return {marks.begin(), marks.end()};
}

const char *sparseflowLastError(void) { return lastError.c_str(); }
