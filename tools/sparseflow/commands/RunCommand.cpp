//===- RunCommand.cpp - sparseflow run ------------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "SparseFlow/System/Files.h"
#include "SparseFlow/Target/CPU/CpuDevice.h"
#include "device/ChildProcess.h"
#include "device/Devices.h"
#include "device/SimDevice.h"
#include "program/Input.h"
#include "program/PackedWeights.h"
#include "program/ProgramManifest.h"

#include "arguments/CacheArguments.h"
#include "run/ExecBundle.h"
#include "run/Progress.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <unistd.h>

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sparseflow::driver;
namespace tools = ::sparseflow::tools;
using ::sparseflow::rt::Status;

/// Prints an error of the runtime or of tools/support.
static int failWith(const Status &status) {
  return fail(static_cast<ExitCode>(tools::exitCodeFor(status)), status.text());
}

/// Leaves the function to run alone in the module. With several functions the
/// command line has to name one.
static int selectEntry(ModuleOp module, const std::string &entry) {
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      functions.push_back(function);
  std::string names;
  func::FuncOp chosen;
  for (func::FuncOp function : functions) {
    names += (names.empty() ? "" : ", ") + function.getName().str();
    if (entry.empty() ? functions.size() == 1 : function.getName() == entry)
      chosen = function;
  }
  if (functions.empty())
    return fail(BadInput, "the program has no public function to run");
  if (!chosen && entry.empty())
    return fail(Usage, "the program has several functions: choose one of " +
                           names + " with --entry");
  if (!chosen)
    return fail(Usage, "--entry: there is no public function '" + entry +
                           "'; expected one of " + names);
  for (func::FuncOp function : functions)
    if (function != chosen &&
        SymbolTable::symbolKnownUseEmpty(function, module))
      function.erase();
  return Success;
}

static std::optional<HostType> hostTypeOf(tools::DType dtype) {
  switch (dtype) {
  case tools::DType::F16:
    return HostType::F16;
  case tools::DType::BF16:
    return HostType::BF16;
  case tools::DType::F32:
    return HostType::F32;
  case tools::DType::I1:
    return HostType::I1;
  case tools::DType::I8:
    return HostType::I8;
  case tools::DType::I32:
    return HostType::I32;
  case tools::DType::I64:
    return HostType::I64;
  }
  return std::nullopt;
}

/// A view of `tensor` for the CPU device, which only writes results.
static HostBuffer viewOf(const tools::HostTensor &tensor) {
  HostBuffer buffer;
  buffer.data = const_cast<uint8_t *>(tensor.data.data());
  buffer.dtype = *hostTypeOf(tensor.dtype);
  buffer.shape.assign(tensor.shape.begin(), tensor.shape.end());
  return buffer;
}

/// A view of the pages of a ternary cache [B, G, S, D].
static HostBuffer viewOfPages(const tools::Argument &argument,
                              const tools::TensorSpec &spec) {
  HostBuffer buffer;
  buffer.data = const_cast<uint8_t *>(argument.packed.data());
  buffer.dtype = HostType::I8;
  const std::vector<int64_t> &shape = argument.dense.shape;
  buffer.shape = {shape[0], shape[1], shape[2] / ::sparseflow::rt::kPageTokens,
                  spec.cache->pageBytes()};
  return buffer;
}

/// Memory for the pages of a result that is a cache of the sizes `shape`, and
/// its view.
static HostBuffer viewOfPages(const tools::TensorSpec &spec,
                              const std::vector<int64_t> &shape,
                              tools::Buffer &pages) {
  HostBuffer buffer;
  buffer.dtype = HostType::I8;
  buffer.shape = {shape[0], shape[1], shape[2] / ::sparseflow::rt::kPageTokens,
                  spec.cache->pageBytes()};
  pages = tools::Buffer(static_cast<size_t>(shape[0] * shape[1] *
                                            buffer.shape[2] * buffer.shape[3]));
  buffer.data = pages.data();
  return buffer;
}

/// A view of the packed bytes of a ternary weight.
static HostBuffer viewOfBlob(const tools::Argument &argument) {
  HostBuffer buffer;
  buffer.data = const_cast<uint8_t *>(argument.packed.data());
  buffer.dtype = HostType::I8;
  buffer.shape = {static_cast<int64_t>(argument.packed.size())};
  return buffer;
}

static int runOnCpu(Program &program, const RunCommandOptions &options,
                    const tools::ArgumentRequest &request,
                    tools::RunOptions run) {
  ModuleOp module = program.module();
  // The reference and the shapes come the same way as from a bundle.
  std::optional<tools::BundleManifest> manifest;
  if (int code = describeProgram(module, options.build, manifest))
    return code;
  auto index = manifest->find(options.entry);
  if (!index)
    return failWith(index.status());
  const tools::Function &function = manifest->manifest.functions[*index];
  const std::optional<tools::Reference> &held = manifest->references[*index];
  const tools::Reference *reference = held ? &*held : nullptr;

  auto arguments = tools::prepareArguments(function, reference, request);
  if (!arguments)
    return failWith(arguments.status());
  if (failed(lowerForCpu(module)))
    return BadInput;
  CpuOptions cpu;
  cpu.threads = options.threads;
  llvm::Expected<std::unique_ptr<CpuDevice>> device =
      CpuDevice::compile(module, cpu);
  if (!device)
    return fail(BadInput, llvm::toString(device.takeError()));

  tools::ProgressBar bar;
  run.checking.progress = [&](const std::string &what, double done) {
    bar.show(what, done);
  };
  auto report = tools::runAndCheck(
      *arguments, reference,
      [&](const tools::ArgumentSet &set,
          std::vector<tools::HostTensor> &results) -> Status {
        if (interrupted())
          return Status(SF_ERROR_INTERNAL, "interrupted");
        if (set.empty())
          return Status::success();
        SmallVector<HostBuffer> inputs, outputs;
        for (const auto &[argument, spec] :
             llvm::zip(set.arguments, function.arguments))
          inputs.push_back(spec.isCache()     ? viewOfPages(argument, spec)
                           : spec.isTernary() ? viewOfBlob(argument)
                                              : viewOf(argument.dense));
        // The device computes what grows in place in memory of its own.
        std::vector<tools::Buffer> pages(results.size());
        for (auto [result, spec, own] :
             llvm::zip(results, function.results, pages))
          outputs.push_back(spec.isCache()
                                ? viewOfPages(spec, result.shape, own)
                                : viewOf(result));
        if (llvm::Error error = (*device)->run(function.name, inputs, outputs))
          return ::sparseflow::rt::invalidArgument(
              llvm::toString(std::move(error)));
        for (auto [result, spec, own] :
             llvm::zip(results, function.results, pages))
          if (spec.isCache())
            if (Status status =
                    tools::readUpdated(spec, result.shape, own, result);
                !status)
              return status;
        return Status::success();
      },
      run);
  bar.clear();
  if (interrupted())
    return Interrupted;
  if (!report)
    return failWith(report.status());

  tools::RunSummary summary;
  summary.bundle = options.build.input;
  summary.entry = function.name;
  summary.device = "CPU";
  summary.target = (*device)->getCpu().str();
  summary.deviceVersion = "LLVM " LLVM_VERSION_STRING ", " +
                          std::to_string((*device)->getNumThreads()) +
                          " threads";
  summary.arguments = &*arguments;
  summary.modeRecord = options.modeRecord;
  summary.run = &*report;
  if (options.json != "-")
    llvm::outs() << tools::summaryText(summary);
  llvm::outs().flush();
  if (Status status =
          tools::writeOutputs(summary, options.json, options.saveResult);
      !status)
    return fail(Environment, status.text());
  return report->ok() ? Success : CheckFailed;
}

/// Runs a bundle in a child process: a device fault there poisons nothing here.
static int runBundle(const std::string &bundle,
                     const RunCommandOptions &options,
                     const std::string &program) {
  std::vector<std::string> arguments{
      "exec-bundle", bundle, "--seed=" + std::to_string(options.seed),
      "--repeat=" + std::to_string(options.repeat)};
  auto add = [&](const char *option, const std::string &value) {
    if (!value.empty())
      arguments.push_back(std::string(option) + "=" + value);
  };
  add("--entry", options.entry);
  add("--mode-policy", options.modePolicy);
  for (const std::string &argument : options.arguments)
    add("--arg", argument);
  for (const std::string &size : options.sizes)
    add("--dim", size);
  add("--check", options.check);
  add("--json", options.json);
  add("--output", options.saveResult);
  if (options.threads)
    add("--threads", std::to_string(options.threads));
  if (options.time)
    add("--time", std::to_string(options.time));
  if (options.graph)
    arguments.push_back("--graph");

  return runChild(program, arguments, /*inheritInput=*/false, [](int signal) {
    return fail(Environment, "the run ended with signal " + Twine(signal) +
                                 "; the device driver may be at fault");
  });
}

static int runOnGpu(Program &program, const RunCommandOptions &options,
                    const GpuInfo &gpu, const std::string &tool,
                    const std::string &weights) {
  llvm::Expected<const TargetInfo *> target =
      targetForDevice(gpu.major, gpu.minor);
  if (!target)
    return fail(Environment, llvm::toString(target.takeError()));
  llvm::Expected<std::string> ptxas = findPtxas(options.build.ptxasPath);
  if (!ptxas)
    return fail(Environment, llvm::toString(ptxas.takeError()) +
                                 "; or run with --device cpu");
  CompileOptions compile;
  compile.targets = {*target};
  compile.output = OutputKind::Bundle;
  compile.sparse = options.build.sparse;
  compile.quantizeActivations = options.build.activations == "i8";
  compile.scheduleFile = options.build.scheduleFile;
  compile.calibration = options.build.calibration;
  compile.gpu = gpu.name;
  compile.denseFallback = denseFallbackOf(options.build);
  compile.ptxasPath = *ptxas;
  compile.ptxasPolicy = options.build.allowSlowCode ? PtxasPolicy::Permissive
                                                    : PtxasPolicy::Strict;
  compile.ptxasTimeout =
      std::chrono::seconds(options.build.ptxasTimeoutSeconds);
  compile.cancelled = interrupted;
  bool machineFailed = false;
  compile.machineFailed = &machineFailed;
  FailureOr<CompileResult> result = compileModule(program.module(), compile);
  if (interrupted())
    return Interrupted;
  if (failed(result))
    return machineFailed ? Environment : BadInput;
  llvm::Expected<PrivateTempDir> directory =
      PrivateTempDir::create("sparseflow-run");
  if (!directory)
    return fail(Environment, llvm::toString(directory.takeError()));
  std::string bundle = directory->file("program.bundle");
  if (llvm::Error error = writeBundle(*result, bundle, weights))
    return fail(Environment, llvm::toString(std::move(error)));
  return runBundle(bundle, options, tool);
}

int driver::runRunCommand(const RunCommandOptions &given,
                          const std::string &program) {
  RunCommandOptions options = given;
  tools::ArgumentRequest request;
  request.seed = options.seed;
  request.threads = options.threads;
  for (const std::string &argument : options.arguments)
    if (Status status = request.addArgument(argument); !status)
      return fail(Usage, status.text());
  for (const std::string &size : options.sizes)
    if (Status status = request.addSize(size); !status)
      return fail(Usage, status.text());
  tools::RunOptions run;
  if (Status status = tools::parseCheck(options.check, run); !status)
    return fail(Usage, status.text());
  run.repeat = options.repeat;
  run.checking.seed = options.seed;
  run.checking.threads = options.threads;

  bool isBundle = llvm::sys::fs::is_directory(options.build.input);
  bool simulate = options.device == "sim";
  if (!simulate && (options.sim.any() || !options.build.target.empty()))
    return fail(Usage, "--target, --races, --wavefronts, --early-copies, "
                       "--unaligned, --variant, --unoptimized, --registers, "
                       "--schedule-seed, --time-limit and --kernels need "
                       "--device sim");
  if (simulate && isBundle)
    return fail(Usage, "--device sim runs programs: give the one that '" +
                           options.build.input + "' was compiled from");
  std::optional<GpuInfo> gpu;
  if (options.device != "cpu" && !simulate) {
    llvm::Expected<GpuInfo> found = findGpu();
    if (found) {
      gpu = *found;
    } else {
      std::string why = llvm::toString(found.takeError());
      if (options.device == "cuda" || isBundle)
        return fail(Environment,
                    why + (isBundle ? "; a bundle holds GPU code only: run the "
                                      "program it was compiled from"
                                    : "; run with --device cpu"));
      note("running on the CPU: " + Twine(why));
    }
  }
  if (isBundle && !gpu)
    return fail(Usage, "'" + options.build.input +
                           "' is a bundle, which holds GPU code only: run the "
                           "program it was compiled from with --device cpu");
  if (!gpu && (options.time || options.graph))
    return fail(Usage, "--time and --graph need a GPU");
  if (gpu && options.device == "auto")
    note("running on " + gpu->name);
  if (isBundle && !options.build.weights.empty())
    return fail(Usage, "--weights is for programs: a bundle was compiled for "
                       "its own, and --arg NAME=FILE.sfpk:TENSOR gives others");
  if (isBundle)
    return runBundle(options.build.input, options, program);
  // A child in a group of its own could not read a program from a terminal.
  bool typed = options.build.input == "-" && ::isatty(STDIN_FILENO);
  if (simulate && !options.inProcess && !typed)
    return runSimulatorApart(options, program);

  Program source(options.build.remarks);
  if (!source.parse(options.build.input, options.build.donated))
    return BadInput;
  if (options.build.crash)
    LLVM_BUILTIN_TRAP;
  // On a GPU all modes are compiled, and the child that runs them chooses.
  if (!options.modePolicy.empty() && !gpu)
    if (int code = applyModePolicy(source.module(), options, request))
      return code;
  if (options.modePolicy.empty() || !gpu)
    if (int code = selectEntry(source.module(), options.entry))
      return code;
  std::string weights;
  if (!options.build.weights.empty()) {
    request.weights = options.build.weights;
    if (int code =
            usePackedWeights(options.build.weights, source.module(),
                             options.build.sparse, gpu ? &weights : nullptr))
      return code;
  }
  if (simulate)
    return runOnSimulator(source, options, request, run);
  if (!gpu)
    noteOptionsOfKernels(options.build);
  return gpu ? runOnGpu(source, options, *gpu, program, weights)
             : runOnCpu(source, options, request, run);
}
