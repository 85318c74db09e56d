//===- Compiler.cpp - The compiler as a C library -------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sparseflow-c/Compiler.h"
#include "Session.h"

#include "SparseFlow/Compiler/Compiler.h"
#include "SparseFlow/Target/Object/HostObject.h"
#include "sparseflow-c/Dialects.h"

#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

using namespace mlir;
using namespace mlir::sparseflow;
using capi::lastError;
using capi::readOptions;
using capi::Session;

struct SparseFlowOutput {
  struct Blob {
    std::string name, data;
  };
  std::vector<Blob> blobs;
};

/// "ffn" of "out/ffn.mlir".
static std::string stem(StringRef name) { return hostObjectName(name); }

/// Turns what compileModule made into blobs.
static void addBlobs(const CompileResult &result, const std::string &name,
                     SparseFlowOutput &output) {
  auto add = [&](std::string blob, const std::string &data) {
    output.blobs.push_back({std::move(blob), data});
  };
  switch (result.output) {
  case OutputKind::MLIR:
    return add(name + ".mlir", result.mlir);
  case OutputKind::Fatbin:
    return add(name + ".fatbin", result.fatbin);
  case OutputKind::Manifest:
    return add("manifest.json", result.manifest);
  case OutputKind::Header:
    return add(name + ".h", result.header);
  case OutputKind::TensorRT:
    return add(name + ".json", result.tensorRT);
  case OutputKind::Object:
    add(name + ".o", result.object);
    return add(name + ".h", result.header);
  case OutputKind::Bundle:
    add("manifest.json", result.manifest);
    break;
  default:
    break;
  }
  for (const TargetResult &target : result.targets) {
    std::string prefix = name + "." + target.target->name.str();
    switch (result.output) {
    case OutputKind::SFTile:
      add(prefix + ".mlir", target.sftile);
      break;
    case OutputKind::NVVM:
      add(prefix + ".mlir", target.nvvm);
      break;
    case OutputKind::LLVM:
      add(prefix + ".ll", target.optimizedLLVMIR);
      break;
    case OutputKind::PTX:
      add(prefix + ".ptx", target.ptx);
      break;
    case OutputKind::Cubin:
      add(prefix + ".cubin", target.cubin);
      break;
    default: {
      StringRef image = target.image;
      add(image.str(), target.cubin);
      image.consume_back(".cubin");
      add((image + ".ptx").str(), target.ptx);
    }
    }
  }
}

int sparseflowCompile(const char *module, size_t bytes,
                      const SparseFlowCompileOptions *given,
                      SparseFlowOutput **output) {
  if (!output || !module) {
    lastError = "sparseflowCompile: the module or the output is null";
    return 1;
  }
  *output = nullptr;
  SparseFlowCompileOptions options;
  if (!readOptions(given, options))
    return 1;
  Session session(options);
  CompileOptions compile;
  StringRef emit = options.emit ? options.emit : "bundle";
  std::optional<OutputKind> kind =
      parseOutputKind(emit == "obj,header" ? "obj" : emit);
  if (!kind)
    return session.fail("unknown kind of output '" + emit +
                        "': expected one of " + outputKindNames());
  compile.output = *kind;
  if (options.targets) {
    auto targets = parseTargets(options.targets);
    if (!targets)
      return session.fail(targets.takeError());
    compile.targets = std::move(*targets);
  }
  compile.sparse = capi::sparseMarks(options);
  compile.objectName = stem(session.name);
  if (options.scheduleFile)
    compile.scheduleFile = options.scheduleFile;
  if (options.ptxas)
    compile.ptxasPath = options.ptxas;
  compile.ptxasPolicy =
      options.allowSlowCode ? PtxasPolicy::Permissive : PtxasPolicy::Strict;
  if (options.cancelled)
    compile.cancelled = [&] {
      return options.cancelled(options.userData) != 0;
    };
  if (!session.parse(module, bytes))
    return 1;
  FailureOr<CompileResult> result = compileModule(*session.module, compile);
  if (failed(result))
    return 1;
  auto made = std::make_unique<SparseFlowOutput>();
  addBlobs(*result, stem(session.name), *made);
  *output = made.release();
  return 0;
}

int sparseflowRunPipeline(const char *module, size_t bytes,
                          const char *pipeline,
                          const SparseFlowCompileOptions *given,
                          SparseFlowOutput **output) {
  if (!output || !module || !pipeline) {
    lastError = "sparseflowRunPipeline: the module, the pipeline or the output "
                "is null";
    return 1;
  }
  *output = nullptr;
  SparseFlowCompileOptions options;
  if (!readOptions(given, options))
    return 1;
  static std::once_flag once;
  std::call_once(once, registerAllPasses);
  sparseflowRegisterPasses();
  Session session(options);
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  FailureOr<OpPassManager> parsed = parsePassPipeline(pipeline, stream);
  if (failed(parsed))
    return session.fail("the pipeline: " + problem);
  if (parsed->getOpAnchorName() != ModuleOp::getOperationName())
    return session.fail("the pipeline is anchored at '" +
                        parsed->getOpAnchorName() +
                        "': expected builtin.module(...)");
  if (!session.parse(module, bytes))
    return 1;
  PassManager manager(&session.context, ModuleOp::getOperationName());
  static_cast<OpPassManager &>(manager) = std::move(*parsed);
  if (failed(manager.run(*session.module)))
    return session.hasError()
               ? 1
               : session.fail("the pipeline failed, without a reason: expected "
                              "passes that succeed or report an error; run "
                              "them apart to find which");
  auto made = std::make_unique<SparseFlowOutput>();
  made->blobs.push_back({stem(session.name) + ".mlir", ""});
  llvm::raw_string_ostream(made->blobs.back().data) << *session.module;
  *output = made.release();
  return 0;
}

size_t sparseflowOutputCount(const SparseFlowOutput *output) {
  return output ? output->blobs.size() : 0;
}

const char *sparseflowOutputName(const SparseFlowOutput *output, size_t index) {
  return index < sparseflowOutputCount(output)
             ? output->blobs[index].name.c_str()
             : nullptr;
}

const void *sparseflowOutputData(const SparseFlowOutput *output, size_t index,
                                 size_t *bytes) {
  if (index >= sparseflowOutputCount(output))
    return nullptr;
  if (bytes)
    *bytes = output->blobs[index].data.size();
  return output->blobs[index].data.c_str();
}

void sparseflowOutputDestroy(SparseFlowOutput *output) { delete output; }

const char *sparseflowVersion(void) { return compilerVersion().data(); }
