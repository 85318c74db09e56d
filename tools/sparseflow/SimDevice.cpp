//===- SimDevice.cpp - Running a program on the simulator -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimDevice.h"

#include "Devices.h"
#include "SparseFlow/Simulator/Simulator.h"

#include "Progress.h"
#include "Result.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sparseflow::driver;
namespace rt = ::sparseflow::rt;
namespace tools = ::sparseflow::tools;
using rt::Status;

namespace {

/// Carries out the launch list of one function.
class SimRunner {
public:
  SimRunner(sim::Simulator &simulator, const rt::Function &function,
            const rt::Program &program, const SimRunOptions &options)
      : simulator(simulator), function(function), program(program),
        options(options) {}

  Status run(const tools::ArgumentSet &set,
             std::vector<tools::HostTensor> &results);

  /// What is wrong with the kernels; "" when nothing is.
  const std::string &findings() const { return found; }
  /// Of the latest run.
  const std::string &traffic() const { return counted; }
  uint64_t blocks = 0;

private:
  uint8_t *place(const rt::TensorSpec &spec, const uint8_t *data, size_t bytes,
                 const std::string &name, bool writable);
  rt::Expected<uint64_t> value(const rt::KernelArgument &argument) const;
  rt::Expected<bool> holds(const rt::Guard &guard) const;
  rt::Expected<bool> allHold(const rt::Variant &variant) const;
  Status launch(const rt::KernelLaunch &launch);

  sim::Simulator &simulator;
  const rt::Function &function;
  const rt::Program &program;
  const SimRunOptions &options;
  const int64_t *symbols = nullptr;
  std::vector<uint64_t> arguments, results;
  /// The memory of both.
  std::vector<tools::Buffer> memories;
  uint64_t workspace = 0;
  uint64_t repetition = 0;
  std::string found, counted;
};

} // namespace

rt::Expected<uint64_t>
SimRunner::value(const rt::KernelArgument &argument) const {
  using Kind = rt::KernelArgument::Kind;
  rt::Expected<int64_t> number = argument.expression.evaluate(symbols);
  if (!number)
    return number.status();
  uint64_t base = 0;
  switch (argument.kind) {
  case Kind::Argument:
    base = arguments[argument.index];
    break;
  case Kind::Result:
    base = results[argument.index];
    break;
  case Kind::Workspace:
    base = workspace;
    break;
  case Kind::Value:
    break;
  case Kind::TensorMap:
    return rt::unsupported("the kernel takes a tensor map, which the "
                           "simulator does not know; simulate another target");
  }
  return base + static_cast<uint64_t>(*number);
}

rt::Expected<bool> SimRunner::holds(const rt::Guard &guard) const {
  using Kind = rt::Guard::Kind;
  if (guard.kind == Kind::Aligned) {
    rt::Expected<uint64_t> address = value(guard.pointer);
    if (!address)
      return address.status();
    return *address % static_cast<uint64_t>(guard.alignment) == 0;
  }
  rt::Expected<int64_t> left = guard.left.evaluate(symbols);
  if (!left)
    return left.status();
  rt::Expected<int64_t> right = guard.right.evaluate(symbols);
  if (!right)
    return right.status();
  return guard.kind == Kind::LessEqual      ? *left <= *right
         : guard.kind == Kind::GreaterEqual ? *left >= *right
                                            : *left == *right;
}

rt::Expected<bool> SimRunner::allHold(const rt::Variant &variant) const {
  for (const rt::Guard &guard : variant.guards) {
    rt::Expected<bool> one = holds(guard);
    if (!one || !*one)
      return one;
  }
  return true;
}

Status SimRunner::launch(const rt::KernelLaunch &launch) {
  rt::Expected<int64_t> grid = launch.grid.evaluate(symbols);
  if (!grid)
    return grid.status();
  if (*grid < 1 || *grid > rt::ManifestLimits::grid)
    return rt::invalidArgument("kernel '" + launch.kernel + "' has a grid of " +
                               std::to_string(*grid) +
                               " blocks; expected 1 to 2147483647");
  std::vector<uint64_t> values;
  for (const rt::KernelArgument &argument : launch.arguments) {
    rt::Expected<uint64_t> one = value(argument);
    if (!one)
      return one.status();
    values.push_back(*one);
  }
  std::vector<const void *> pointers;
  for (const uint64_t &one : values)
    pointers.push_back(&one);
  sim::Dim3 blocksOfGrid, threads;
  blocksOfGrid.x = static_cast<uint32_t>(*grid);
  threads.x = launch.threads;
  llvm::Expected<sim::LaunchReport> report = simulator.launch(
      launch.kernel, blocksOfGrid, threads, launch.sharedBytes, pointers);
  if (!report)
    return rt::invalidArgument(llvm::toString(report.takeError()));
  blocks += report->blocks;
  if (!report->traffic.empty()) {
    sim::LaunchReport traffic;
    traffic.traffic = std::move(report->traffic);
    counted += "kernel '" + launch.kernel + "': " + traffic.text();
  }
  if (report->ok())
    return Status::success();
  found += report->text();
  return Status(SF_ERROR_INTERNAL,
                "the simulator found errors in kernel '" + launch.kernel + "'");
}

/// Copies a tensor into memory of exactly its size and of the alignment that
/// it is given on a device, or, if asked for, of its element's only. A layout
/// states its own alignment.
uint8_t *SimRunner::place(const rt::TensorSpec &spec, const uint8_t *data,
                          size_t bytes, const std::string &name,
                          bool writable) {
  size_t shift = options.unaligned && spec.layout == rt::Layout::RowMajor
                     ? rt::dtypeBytes(spec.dtype)
                     : 0;
  memories.emplace_back(bytes + shift);
  uint8_t *copy = memories.back().data() + shift;
  if (bytes)
    std::memcpy(copy, data, bytes);
  simulator.addBuffer({copy, bytes, name, writable});
  return copy;
}

Status SimRunner::run(const tools::ArgumentSet &set,
                      std::vector<tools::HostTensor> &outputs) {
  symbols = set.symbols.data();
  arguments.clear();
  results.clear();
  memories.clear();
  counted.clear();
  simulator.clearBuffers();
  auto nameOf = [](const char *kind, size_t index, const std::string &name) {
    return std::string(kind) + " " + std::to_string(index) +
           (name.empty() ? "" : " '" + name + "'");
  };
  for (size_t i = 0; i < set.arguments.size(); ++i) {
    const tools::Buffer &storage = set.arguments[i].storage();
    const rt::TensorSpec &spec = function.arguments[i];
    arguments.push_back(reinterpret_cast<uint64_t>(
        place(spec, storage.data(), storage.size(),
              nameOf("argument", i, spec.name), false)));
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    const tools::Buffer &data = outputs[i].data;
    const rt::TensorSpec &spec = function.results[i];
    results.push_back(reinterpret_cast<uint64_t>(place(
        spec, data.data(), data.size(), nameOf("result", i, spec.name), true)));
  }
  rt::Expected<uint64_t> bytes = function.workspaceBytes(program, symbols);
  if (!bytes)
    return bytes.status();
  // What a kernel reads without having written it is NaN.
  tools::Buffer memory(*bytes);
  if (*bytes) {
    std::memset(memory.data(), 0xff, *bytes);
    simulator.addBuffer({memory.data(), *bytes, "the workspace", true});
  }
  workspace = reinterpret_cast<uint64_t>(memory.data());

  sim::SimulatorOptions simulation;
  simulation.races = options.races;
  simulation.wavefronts = options.wavefronts;
  simulation.seed = options.schedule + repetition++;
  simulation.asyncCopies =
      options.earlyCopies ? sim::AsyncCopies::Early : sim::AsyncCopies::Late;
  simulation.cancelled = interrupted;
  simulator.setOptions(simulation);
  for (const rt::Step &step : program.steps) {
    const rt::Variant *chosen = nullptr;
    for (const rt::Variant &variant : step.variants) {
      rt::Expected<bool> all = allHold(variant);
      if (!all)
        return all.status();
      if (*all) {
        chosen = &variant;
        break;
      }
    }
    if (!chosen)
      return rt::invalidArgument("no variant of step '" + step.op + "' at " +
                                 step.location +
                                 " takes these sizes and addresses");
    for (const rt::KernelLaunch &one : chosen->launches) {
      if (interrupted())
        return Status(SF_ERROR_INTERNAL, "interrupted");
      if (Status status = launch(one); !status)
        return status;
    }
  }
  for (size_t i = 0; i < outputs.size(); ++i)
    if (size_t bytes = outputs[i].data.size())
      std::memcpy(outputs[i].data.data(),
                  reinterpret_cast<const void *>(results[i]), bytes);
  return Status::success();
}

/// The kernels to run: compiled, or from the file of --kernels.
static std::unique_ptr<llvm::Module> readKernels(const TargetResult &compiled,
                                                 const SimRunOptions &options,
                                                 llvm::LLVMContext &context) {
  const std::string &file = options.kernels;
  std::string text =
      options.unoptimized ? compiled.llvmIR : compiled.optimizedLLVMIR;
  if (!file.empty()) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    if (!buffer) {
      fail(BadInput, "--kernels: cannot read '" + file +
                         "': " + buffer.getError().message());
      return nullptr;
    }
    text = (*buffer)->getBuffer().str();
  }
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module =
      llvm::parseAssemblyString(text, diagnostic, context);
  if (!module)
    fail(BadInput, (file.empty() ? "the compiled kernels" : file) + ":" +
                       llvm::Twine(diagnostic.getLineNo()) + ": " +
                       diagnostic.getMessage());
  return module;
}

int driver::runOnSimulator(Program &source, const RunCommandOptions &options,
                           const tools::ArgumentRequest &request,
                           tools::RunOptions run) {
  auto failWith = [](const Status &status) {
    return fail(static_cast<ExitCode>(tools::exitCodeFor(status)),
                status.text());
  };
  llvm::SmallVector<const TargetInfo *> targets;
  if (int code = resolveTargets(
          options.build.target.empty() ? "sm_80" : options.build.target,
          targets))
    return code;
  if (targets.size() != 1)
    return fail(Usage, "--device sim runs the kernels of one --target");
  CompileOptions compile;
  compile.targets = {targets.front()};
  compile.output = OutputKind::Manifest;
  compile.sparse = options.build.sparse;
  compile.scheduleFile = options.build.scheduleFile;
  compile.keepLLVMIR = true;
  compile.cancelled = interrupted;
  FailureOr<CompileResult> compiled = compileModule(source.module(), compile);
  if (interrupted())
    return Interrupted;
  if (failed(compiled))
    return BadInput;
  auto manifest = tools::parseBundleManifest(compiled->manifest);
  if (!manifest)
    return fail(Internal, "the program's own description is invalid: " +
                              manifest.status().text());
  auto index = manifest->find(options.entry);
  if (!index)
    return failWith(index.status());
  const tools::Function &function = manifest->manifest.functions[*index];
  const std::optional<tools::Reference> &held = manifest->references[*index];
  const tools::Reference *reference = held ? &*held : nullptr;
  if (run.check && !reference)
    return fail(Usage, "--check: a program that is lowered already has no "
                       "reference; run the one it came from");
  if (function.programs.size() != 1)
    return fail(BadInput, "'" + function.name + "' has no kernels to run");
  auto arguments = tools::prepareArguments(function, reference, request);
  if (!arguments)
    return failWith(arguments.status());

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> kernels =
      readKernels(compiled->targets.front(), options.sim, context);
  if (!kernels)
    return BadInput;
  auto simulator = sim::Simulator::create(*kernels);
  if (!simulator)
    return fail(Environment, llvm::toString(simulator.takeError()));
  SimRunner runner(**simulator, function, function.programs.front(),
                   options.sim);
  tools::ProgressBar bar;
  run.checking.progress = [&](const std::string &what, double done) {
    bar.show(what, done);
  };
  auto report = tools::runAndCheck(
      *arguments, reference,
      [&](const tools::ArgumentSet &set,
          std::vector<tools::HostTensor> &results) {
        return set.empty() ? Status::success() : runner.run(set, results);
      },
      run);
  bar.clear();
  if (interrupted())
    return Interrupted;
  if (!runner.findings().empty()) {
    llvm::errs() << runner.findings();
    return fail(CheckFailed, report.status().text());
  }
  if (!report)
    return failWith(report.status());

  tools::RunSummary summary;
  summary.bundle = options.build.input;
  summary.entry = function.name;
  summary.device = "simulator";
  summary.target = targets.front()->name.str();
  summary.deviceVersion = std::to_string(runner.blocks) + " blocks";
  summary.arguments = &*arguments;
  summary.run = &*report;
  if (options.json != "-")
    llvm::outs() << tools::summaryText(summary) << runner.traffic();
  llvm::outs().flush();
  if (!options.json.empty())
    if (Status status =
            tools::writeText(options.json, tools::summaryJson(summary));
        !status)
      return fail(Environment, status.text());
  if (!options.saveResult.empty())
    if (Status status = tools::saveResults(options.saveResult, report->results);
        !status)
      return fail(Environment, status.text());
  return report->ok() ? Success : CheckFailed;
}
