//===- sparseflow-translate.cpp - Between MLIR and other formats ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   sparseflow-translate --sparseflow-to-ptx --target sm_90 FILE
//   sparseflow-translate --sparseflow-to-manifest --target sm_90 FILE
//   sparseflow-translate --manifest-to-mlir manifest.json
//
// The whole compiler as MLIR's translations, beside those of MLIR itself. PTX
// and manifests are the same bytes that `sparseflow compile` writes.
//
//===----------------------------------------------------------------------===//

#include "ManifestImport.h"
#include "SparseFlow/Compiler/Compiler.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/InitAllTranslations.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::sparseflow;

namespace {
/// The options of SparseFlow's translations.
struct Options {
  llvm::cl::opt<std::string> target{
      "target", llvm::cl::desc("The GPU target, such as sm_90"),
      llvm::cl::init("sm_80")};
  llvm::cl::list<std::string> sparse{
      "sparse", llvm::cl::desc("Arguments to mark as sparse, ARG=N:M")};
  llvm::cl::opt<std::string> scheduleFile{
      "schedule-file",
      llvm::cl::desc("A table of schedules in place of the built-in one")};
};
} // namespace

/// Compiles to `kind`; the text is what `select` takes from the result.
static LogicalResult
translate(Operation *op, OutputKind kind, const Options &options,
          llvm::raw_ostream &os,
          llvm::function_ref<StringRef(const CompileResult &)> select) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    return op->emitError("expected a builtin.module");
  llvm::Expected<const TargetInfo *> target = parseTarget(options.target);
  if (!target)
    return op->emitError("--target: ") << llvm::toString(target.takeError());
  CompileOptions compile;
  compile.output = kind;
  compile.targets = {*target};
  compile.sparse.assign(options.sparse.begin(), options.sparse.end());
  compile.scheduleFile = options.scheduleFile;
  // The translation is asked for, not the decisions behind it.
  ScopedDiagnosticHandler quiet(op->getContext(), [](Diagnostic &diagnostic) {
    return success(diagnostic.getSeverity() == DiagnosticSeverity::Remark);
  });
  FailureOr<CompileResult> result = compileModule(module, compile);
  if (failed(result))
    return failure();
  os << select(*result);
  return success();
}

static void registerTranslations(const Options &options) {
  TranslateFromMLIRRegistration(
      "sparseflow-to-ptx", "compile to the PTX of one target",
      [&](Operation *op, llvm::raw_ostream &os) {
        return translate(op, OutputKind::PTX, options, os,
                         [](const CompileResult &result) -> StringRef {
                           return result.targets.front().ptx;
                         });
      },
      registerCompiler);
  TranslateFromMLIRRegistration(
      "sparseflow-to-manifest", "compile to the manifest of one target",
      [&](Operation *op, llvm::raw_ostream &os) {
        return translate(op, OutputKind::Manifest, options, os,
                         [](const CompileResult &result) -> StringRef {
                           return result.manifest;
                         });
      },
      registerCompiler);
  TranslateToMLIRRegistration(
      "manifest-to-mlir", "declarations of a manifest's functions",
      [](llvm::SourceMgr &sources,
         MLIRContext *context) -> OwningOpRef<Operation *> {
        const llvm::MemoryBuffer *text =
            sources.getMemoryBuffer(sources.getMainFileID());
        return importManifest(text->getBuffer(), text->getBufferIdentifier(),
                              context);
      },
      registerCompiler);
}

int main(int argc, char **argv) {
  Options options;
  registerAllTranslations();
  registerTranslations(options);
  return failed(mlirTranslateMain(argc, argv, "SparseFlow translation driver"));
}
