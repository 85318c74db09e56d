//===- ProgramManifest.cpp - A program's functions as a manifest ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "program/ProgramManifest.h"

#include "SparseFlow/Target/CPU/CpuDevice.h"
#include "SparseFlow/Target/Manifest/Manifest.h"

#include "arguments/ModePolicy.h"
#include "run/ExecBundle.h"

#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sparseflow::driver;
namespace tools = ::sparseflow::tools;

int driver::describeProgram(ModuleOp module, const BuildOptions &build,
                            std::optional<tools::BundleManifest> &made) {
  if (failed(importModule(module, build.sparse, build.activations == "i8")))
    return BadInput;
  FailureOr<std::vector<llvm::json::Object>> functions =
      describeFunctions(module);
  if (failed(functions))
    return BadInput;
  ManifestBuilder builder(compilerVersion().str());
  for (llvm::json::Object &function : *functions)
    builder.addFunction(std::move(function));
  auto manifest = tools::parseBundleManifest(builder.str());
  if (!manifest)
    return failInternally("the program's own description is invalid: " +
                          manifest.status().text());
  made = std::move(*manifest);
  return Success;
}

int driver::applyModePolicy(ModuleOp module, RunCommandOptions &options,
                            const tools::ArgumentRequest &request) {
  OwningOpRef<ModuleOp> copy = module.clone();
  std::optional<tools::BundleManifest> manifest;
  if (int code = describeProgram(*copy, options.build, manifest))
    return code;
  auto choice =
      tools::chooseMode(*manifest, options.entry, options.modePolicy, request);
  if (!choice)
    return fail(static_cast<ExitCode>(tools::exitCodeFor(choice.status())),
                choice.status().text());
  options.entry = choice->entry;
  options.modeRecord = choice->decision.json();
  llvm::errs() << "remark: mode " << choice->decision.text() << "\n";
  return Success;
}
