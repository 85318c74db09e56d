//===- SimDevice.cpp - Running a program on the simulator -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/SimDevice.h"

#include "SimProgram.h"
#include "device/ChildProcess.h"
#include "device/Devices.h"
#include "device/KernelWatch.h"

#include "arguments/Npy.h"
#include "run/Progress.h"
#include "run/Result.h"

#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstring>

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sparseflow::driver;
namespace tools = ::sparseflow::tools;
using ::sparseflow::rt::Status;

static int failWith(const Status &status) {
  return fail(static_cast<ExitCode>(tools::exitCodeFor(status)), status.text());
}

/// What arguments in files of NumPy and sizes of the command line say. Files
/// that cannot be read are refused where they are loaded.
static KnownCall knownCall(const tools::ArgumentRequest &request,
                           bool aligned) {
  KnownCall call;
  call.sizes = request.sizes;
  call.aligned = aligned;
  for (const auto &[name, source] : request.sources)
    if (source.kind == tools::ArgumentSource::Kind::Npy)
      if (auto shape = tools::readNpyShape(source.path))
        call.shapes.emplace_back(name, *shape);
  return call;
}

/// What the simulator runs: kernels and manifest, through ptxas only where
/// registers are to be counted.
static int compileForSimulator(Program &source,
                               const RunCommandOptions &options,
                               const tools::ArgumentRequest &request,
                               const TargetInfo *target,
                               std::optional<CompileResult> &compiled) {
  CompileOptions compile;
  compile.targets = {target};
  compile.output =
      options.sim.registers ? OutputKind::Bundle : OutputKind::Manifest;
  compile.sparse = options.build.sparse;
  compile.quantizeActivations = options.build.activations == "i8";
  compile.scheduleFile = options.build.scheduleFile;
  compile.calibration = options.build.calibration;
  compile.denseFallback = denseFallbackOf(options.build);
  compile.keepLLVMIR = true;
  // Another variant than that of the sizes, kernels of a file and registers are
  // questions about kernels that the call does not launch.
  if (options.sim.variant == 1 && options.sim.kernels.empty() &&
      !options.sim.registers)
    compile.calledWith = knownCall(request, !options.sim.unaligned);
  compile.cancelled = interrupted;
  if (options.sim.registers) {
    llvm::Expected<std::string> ptxas = findPtxas(options.build.ptxasPath);
    if (!ptxas)
      return fail(Environment, llvm::toString(ptxas.takeError()) +
                                   "; or run without --registers");
    compile.ptxasPath = *ptxas;
    compile.ptxasPolicy = options.build.allowSlowCode ? PtxasPolicy::Permissive
                                                      : PtxasPolicy::Strict;
    compile.ptxasTimeout =
        std::chrono::seconds(options.build.ptxasTimeoutSeconds);
  }
  FailureOr<CompileResult> result = compileModule(source.module(), compile);
  if (interrupted())
    return Interrupted;
  if (failed(result))
    return BadInput;
  compiled = std::move(*result);
  return Success;
}

int driver::runOnSimulator(Program &source, const RunCommandOptions &options,
                           const tools::ArgumentRequest &request,
                           tools::RunOptions run) {
  llvm::SmallVector<const TargetInfo *> targets;
  if (int code = resolveTargets(
          options.build.target.empty() ? "sm_80" : options.build.target,
          targets))
    return code;
  if (targets.size() != 1)
    return fail(Usage, "--device sim runs the kernels of one --target");
  std::optional<CompileResult> compiled;
  if (int code = compileForSimulator(source, options, request, targets.front(),
                                     compiled))
    return code;
  simulation::SimProgramOptions choice;
  choice.entry = options.entry;
  choice.unoptimized = options.sim.unoptimized;
  choice.kernelsFile = options.sim.kernels;
  auto made = simulation::SimProgram::create(*compiled, choice);
  if (!made)
    return failWith(made.status());
  simulation::SimProgram &program = **made;
  const tools::Reference *reference = program.reference();
  if (run.check && !reference)
    return fail(Usage, "--check: the program has no reference: it is lowered "
                       "already (run the one it came from), or something in "
                       "it has none (--remarks says what)");
  auto arguments =
      tools::prepareArguments(program.function(), reference, request);
  if (!arguments)
    return failWith(arguments.status());

  KernelWatch watch(options.sim.timeLimit);
  simulation::SimOptions simulated;
  simulated.races = options.sim.races;
  simulated.wavefronts = options.sim.wavefronts;
  simulated.earlyCopies = options.sim.earlyCopies;
  simulated.unaligned = options.sim.unaligned;
  simulated.variant = options.sim.variant;
  simulated.schedule = options.sim.schedule;
  simulated.threads = static_cast<unsigned>(options.threads);
  simulated.cancelled = interrupted;
  simulated.launching = [&](const std::string &kernel) { watch.note(kernel); };
  tools::ProgressBar bar;
  run.checking.progress = [&](const std::string &what, double done) {
    bar.show(what, done);
  };
  auto report = tools::runAndCheck(
      *arguments, reference,
      [&](const tools::ArgumentSet &set,
          std::vector<tools::HostTensor> &results) {
        if (set.empty())
          return Status::success();
        Status status = program.runner().run(set, results, simulated);
        ++simulated.schedule;
        return status;
      },
      run);
  bar.clear();
  if (interrupted())
    return Interrupted;
  if (!program.runner().findings().empty()) {
    llvm::errs() << program.runner().findings();
    return fail(CheckFailed, report.status().text());
  }
  if (!report)
    return failWith(report.status());

  tools::RunSummary summary;
  summary.bundle = options.build.input;
  summary.entry = program.function().name;
  summary.device = "simulator";
  summary.target = targets.front()->name.str();
  summary.deviceVersion =
      std::to_string(program.runner().blocksRun()) + " blocks";
  summary.arguments = &*arguments;
  summary.modeRecord = options.modeRecord;
  summary.run = &*report;
  if (options.json != "-")
    llvm::outs() << tools::summaryText(summary)
                 << "found    nothing: bounds, alignment, operands"
                 << (options.sim.races ? ", races" : "; not asked for: --races")
                 << "\n"
                 << program.runner().traffic();
  llvm::outs().flush();
  if (Status status =
          tools::writeOutputs(summary, options.json, options.saveResult);
      !status)
    return fail(Environment, status.text());
  return report->ok() ? Success : CheckFailed;
}

int driver::runSimulatorApart(const RunCommandOptions &options,
                              const std::string &program) {
  // The same command line, and a flag that makes the child do the work.
  std::vector<std::string> arguments = options.commandLine;
  arguments.insert(arguments.begin() + 1, "--in-process");
  return runChild(
      program, arguments, options.build.input == "-", [](int signal) {
        if (signal == SIGKILL)
          return fail(Environment, "the simulation was killed; memory may be "
                                   "exhausted: use smaller sizes (--dim)");
        return fail(CheckFailed,
                    "the simulation crashed with signal " + Twine(signal) +
                        " (" + ::strsignal(signal) +
                        "): a kernel does what no GPU code may, such as "
                        "endless recursion");
      });
}
