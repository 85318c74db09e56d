//===- SimProgram.cpp - A compiled program on the simulator ---------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimProgram.h"

#include "SparseFlow/System/Files.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir::sparseflow;
using namespace mlir::sparseflow::simulation;
namespace rt = ::sparseflow::rt;
namespace tools = ::sparseflow::tools;
using rt::Status;

// Kernels of a program, unrolled, have a few megabytes of text.
static constexpr uint64_t kMaxKernelsBytes = uint64_t(1) << 30;

rt::Expected<std::unique_ptr<SimProgram>>
SimProgram::create(const CompileResult &compiled,
                   const SimProgramOptions &options) {
  std::unique_ptr<SimProgram> program(new SimProgram());
  auto manifest = tools::parseBundleManifest(compiled.manifest);
  if (!manifest)
    return manifest.status().withContext("the program's own description");
  program->manifest = std::move(*manifest);
  auto index = program->manifest.find(options.entry);
  if (!index)
    return index.status();
  program->index = *index;
  const tools::Function &function = program->function();
  if (function.programs.size() != 1)
    return Status(SF_ERROR_INTERNAL,
                  "'" + function.name + "' has " +
                      std::to_string(function.programs.size()) +
                      " programs, expected that of the target");
  const TargetResult &target = compiled.targets.front();

  std::string text =
      options.unoptimized ? target.llvmIR : target.optimizedLLVMIR;
  if (!options.kernelsFile.empty()) {
    llvm::Expected<std::string> file =
        readRegularFile(options.kernelsFile, kMaxKernelsBytes);
    if (!file)
      return rt::invalidArgument("--kernels: " +
                                 llvm::toString(file.takeError()));
    text = std::move(*file);
  }
  llvm::SMDiagnostic diagnostic;
  program->module =
      llvm::parseAssemblyString(text, diagnostic, program->context);
  if (!program->module && options.kernelsFile.empty())
    return Status(SF_ERROR_INTERNAL, "what LLVM printed is not read: " +
                                         diagnostic.getMessage().str());
  if (!program->module)
    return rt::invalidArgument(options.kernelsFile + ":" +
                               std::to_string(diagnostic.getLineNo()) + ": " +
                               diagnostic.getMessage().str());
  auto simulator = sim::Simulator::create(*program->module);
  if (!simulator)
    return Status(SF_ERROR_INTERNAL, llvm::toString(simulator.takeError()));
  program->simulator = std::move(*simulator);
  llvm::StringMap<int64_t> registers;
  for (const KernelReport &kernel : target.kernels)
    if (kernel.resources)
      registers[kernel.name] = kernel.resources->registers;
  program->launches = std::make_unique<SimRunner>(
      *program->simulator, function, function.programs.front(), *target.target,
      std::move(registers));
  return program;
}
