//===- main.cpp - The sparseflow command line tool ------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One executable, a subcommand for each thing a user does. Work happens on a
// thread with a large stack inside crash recovery: a defect of the compiler
// becomes an exit code and a reproducer, not a lost process.
//
//===----------------------------------------------------------------------===//

#include "HelpPages.h"
#include "Options.h"
#include "SparseFlow/System/Files.h"
#include "WeightCommands.h"
#include "commands/ExtractCommand.h"
#include "commands/ModelCommand.h"
#include "commands/TuneCommand.h"
#include "run/ExecBundle.h"

#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>

#include <csignal>
#include <unistd.h>

using namespace mlir::sparseflow;
using namespace mlir::sparseflow::driver;

// MLIR's parser and printers recurse with the nesting of their input.
static constexpr unsigned kStackBytes = 64u << 20;

static volatile std::sig_atomic_t stopRequested = 0;

bool driver::interrupted() { return stopRequested != 0; }

/// Seconds that an orderly end may take: what asks whether it shall stop does
/// so between tensors, passes and launches.
static constexpr unsigned kSecondsToEnd = 10;

/// The first signal asks for an orderly end; the second takes it, and so does
/// the time.
static void onSignal(int) {
  if (stopRequested)
    ::_exit(Interrupted);
  stopRequested = 1;
  ::alarm(kSecondsToEnd);
}

static void handleSignals() {
  struct sigaction action = {};
  action.sa_handler = onSignal;
  sigemptyset(&action.sa_mask);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGALRM})
    ::sigaction(signal, &action, nullptr);
}

/// Keeps what is needed to see a crash again: the command line and the input.
static std::string writeReproducer(int argc, char **argv,
                                   const std::string &input) {
  auto directory = PrivateTempDir::create("sparseflow-crash");
  if (!directory) {
    llvm::consumeError(directory.takeError());
    return "";
  }
  std::string command;
  for (int i = 0; i < argc; ++i)
    command += std::string(i ? " '" : "'") + argv[i] + "'";
  command += "\n";
  auto write = [&](llvm::StringRef name, llvm::StringRef data) {
    if (llvm::Error error = writeFileAtomically(directory->file(name), data))
      llvm::consumeError(std::move(error));
  };
  write("command.txt", command);
  auto text = readRegularFile(input, 1ull << 30);
  if (text)
    write("input.mlir", *text);
  else
    llvm::consumeError(text.takeError());
  return directory->keep();
}

/// Runs a subcommand and turns a crash into ExitCode::Internal.
static int runProtected(int argc, char **argv, const std::string &input,
                        llvm::function_ref<int()> command) {
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext recovery;
  int code = Internal;
  std::string thrown;
  bool finished = recovery.RunSafelyOnThread(
      [&] {
        try {
          code = command();
        } catch (const std::bad_alloc &) {
          code = fail(Environment, "memory is exhausted; use smaller sizes "
                                   "(--dim) or --check=sampled:ROWS");
        } catch (const std::exception &error) {
          thrown = error.what();
        }
      },
      kStackBytes);
  if (finished && thrown.empty())
    return code;
  std::string reproducer = writeReproducer(argc, argv, input);
  llvm::errs() << "sparseflow: internal error"
               << (thrown.empty() ? "" : ": " + thrown) << "\n";
  if (!reproducer.empty())
    llvm::errs() << "sparseflow: the command line and the input are in "
                 << reproducer << "; please report them\n";
  return Internal;
}

/// The child process of run: no LLVM, no recovery, the device's own errors.
static int execBundle(const RunCommandOptions &run) {
  namespace tools = ::sparseflow::tools;
  // The signal ends the child at once; the parent removes the files.
  for (int signal : {SIGINT, SIGTERM, SIGHUP})
    std::signal(signal, SIG_DFL);
  tools::ExecOptions options;
  options.bundle = run.build.input;
  options.entry = run.entry;
  options.modePolicy = run.modePolicy;
  options.request.seed = run.seed;
  options.request.threads = run.threads;
  options.check = run.check;
  options.repeat = run.repeat;
  options.time = run.time;
  options.graph = run.graph;
  options.json = run.json;
  options.saveResult = run.saveResult;
  for (const std::string &argument : run.arguments)
    if (auto status = options.request.addArgument(argument); !status)
      return fail(Usage, status.text());
  for (const std::string &size : run.sizes)
    if (auto status = options.request.addSize(size); !status)
      return fail(Usage, status.text());
  if (auto status = tools::applyModePolicy(options); !status)
    return fail(static_cast<ExitCode>(tools::exitCodeFor(status)),
                status.text());
  return tools::execBundle(options);
}

static const char *kFooter =
    "Exit codes: 0 success, 1 bad input, 2 wrong usage, 3 something is missing "
    "(a tool, a\ndevice, disk space), 4 a check failed, 5 internal error (a "
    "reproducer is written),\n130 interrupted.";

static void addBuildOptions(CLI::App &app, BuildOptions &build) {
  app.add_option("--sparse", build.sparse,
                 "Treat argument ARG (a name or an index) as N:M sparse, "
                 "ARG=2:4, or as ternary, "
                 "ARG=ternary:STORAGE:SCALE:TYPE[:PLANES], such as "
                 "w=ternary:codes:row:f32, or quantized in the same way; may "
                 "be repeated")
      ->type_name("ARG=N:M")
      ->allow_extra_args(false);
  app.add_option("--donate", build.donated,
                 "Write a result in the memory of argument ARG (a name or an "
                 "index), as sparseflow.donated in the file says; may be "
                 "repeated")
      ->type_name("ARG")
      ->allow_extra_args(false);
  app.add_option("--weights", build.weights,
                 "A .sfpk file: its packed matrices mark the arguments "
                 "of the same names as 2:4 or ternary; a run takes them, and a "
                 "bundle holds the file for its runs")
      ->type_name("FILE.sfpk");
  app.add_option("--activations", build.activations,
                 "What ternary weights are multiplied with: f16 (activations "
                 "as they are), or i8 (rounded to 8 bits, a scale for each "
                 "token; sums are exact)")
      ->check(CLI::IsMember({"f16", "i8"}))
      ->capture_default_str();
  app.add_option("--dense-fallback", build.denseFallback,
                 "A dense kernel beside those of each 2:4 or ternary weight, "
                 "for where that is the faster one or no other can run: none, "
                 "weights (the caller gives the dense weight beside the packed "
                 "one), or rebuild (the runtime unpacks it into memory of its "
                 "own)")
      ->check(CLI::IsMember({"none", "weights", "rebuild"}))
      ->capture_default_str();
  app.add_option("--schedule-file", build.scheduleFile,
                 "A table of schedules in place of the built-in one")
      ->type_name("FILE");
  app.add_option("--calibration", build.calibration,
                 "Constants of the cost model: h200, h100, or what tune --fit "
                 "writes (default: those of the GPU that the driver or --gpu "
                 "names, or the nearest; without one h200)")
      ->type_name("NAME|FILE");
  app.add_option("--ptxas", build.ptxasPath,
                 "The ptxas to use (default: SPARSEFLOW_PTXAS, CUDA_HOME, "
                 "PATH, /usr/local/cuda)")
      ->type_name("PATH");
  app.add_option("--ptxas-timeout", build.ptxasTimeoutSeconds,
                 "Seconds until a ptxas that does not answer is killed")
      ->check(CLI::Range(1, 86400))
      ->capture_default_str();
  app.add_flag("--allow-slow-code", build.allowSlowCode,
               "Report spills, local memory and ptxas advisories as remarks "
               "instead of errors");
  app.add_flag("--remarks", build.remarks,
               "Print every decision of the compiler, with its place");
  app.add_flag("--debug-crash", build.crash)->group("");
}

/// What a call needs, on any device.
static void addCallOptions(CLI::App &app, RunCommandOptions &run) {
  app.add_option("FILE", run.build.input,
                 "A program in MLIR text, or the directory of a bundle")
      ->required()
      ->type_name("");
  app.add_option("--entry", run.entry,
                 "The function to run (default: the only one)")
      ->type_name("NAME");
  app.add_option("--mode-policy", run.modePolicy,
                 "Run the mode of attention, a function NAME.MODE, that this "
                 "JSON policy chooses; --entry is then NAME")
      ->type_name("FILE");
  app.add_option("--arg", run.arguments,
                 "INDEX|NAME=SOURCE: FILE.npy, FILE.safetensors:TENSOR, "
                 "FILE.sfpk:TENSOR, random:SEED or special:SEED (with zeros of "
                 "either sign, denormals, infinities and NaNs in some rows); "
                 "may be repeated. Other "
                 "arguments come from a bundle's weights, by name, or are "
                 "random, encoded ones pruned to their pattern")
      ->type_name("ARG=SOURCE")
      ->allow_extra_args(false);
  app.add_option("--dim", run.sizes,
                 "SYMBOL=SIZE, such as T=64 (default: 64); may be repeated")
      ->type_name("SYMBOL=SIZE")
      ->allow_extra_args(false);
  app.add_option("--seed", run.seed, "Seed of random arguments")
      ->capture_default_str();
  app.add_flag("--check{full}", run.check,
               "Compare every element with float64; --check=sampled:ROWS "
               "compares all features of ROWS tokens");
  app.add_option("--repeat", run.repeat,
                 "Run this often; all results must have the same bits")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_option("--time", run.time, "Time this many samples (GPU)")
      ->check(CLI::Range(1, 100000));
  app.add_flag("--graph", run.graph, "Launch through a CUDA graph (GPU)");
  app.add_option("--threads", run.threads, "CPU threads (default: all cores)")
      ->check(CLI::Range(1, 4096));
  app.add_option("--json", run.json,
                 "Write a report as JSON; - is the standard output")
      ->type_name("FILE");
  app.add_option("-o,--output,--save-result", run.saveResult,
                 "Write the result as .npy (several: FILE.0.npy, ...)")
      ->type_name("FILE");
}

static void addRunOptions(CLI::App &app, RunCommandOptions &run) {
  addCallOptions(app, run);
  app.add_option("--device", run.device,
                 "auto (the GPU where there is one), cpu, cuda, or sim (the "
                 "GPU's kernels on the CPU, thread by thread)")
      ->check(CLI::IsMember({"auto", "cpu", "cuda", "sim"}))
      ->capture_default_str();
  addBuildOptions(app, run.build);
  const char *const simulator = "Simulator";
  app.add_option("--target", run.build.target,
                 "Whose kernels to run (default: sm_80)")
      ->type_name("T")
      ->group(simulator);
  app.add_flag("--races", run.sim.races,
               "Report accesses to shared memory that no barrier orders")
      ->group(simulator);
  app.add_flag("--wavefronts", run.sim.wavefronts,
               "Count bank conflicts of shared memory")
      ->group(simulator);
  app.add_flag("--early-copies", run.sim.earlyCopies,
               "Asynchronous copies land at once, not at the last moment")
      ->group(simulator);
  app.add_flag("--unaligned", run.sim.unaligned,
               "Arguments and results have the alignment of their elements "
               "and no more")
      ->group(simulator);
  app.add_option(
         "--variant", run.sim.variant,
         "Of steps with independent variants launch the N-th that takes "
         "these sizes, or the last, instead of the first")
      ->check(CLI::Range(1, 256))
      ->type_name("N")
      ->group(simulator);
  app.add_flag("--unoptimized", run.sim.unoptimized,
               "Run the kernels as they are before LLVM's optimisation")
      ->group(simulator);
  app.add_flag("--registers", run.sim.registers,
               "Ask ptxas for the kernels' registers, and refuse launches "
               "that need more than the target has")
      ->group(simulator);
  app.add_option("--time-limit", run.sim.timeLimit,
                 "Seconds that one launch may take (default: no limit)")
      ->check(CLI::Range(1, 86400))
      ->type_name("SECONDS")
      ->group(simulator);
  app.add_flag("--in-process", run.inProcess)->group("");
  app.add_option("--schedule-seed", run.sim.schedule,
                 "Order of warps and lanes; each --repeat takes the next seed")
      ->type_name("N")
      ->group(simulator);
  app.add_option("--kernels", run.sim.kernels,
                 "LLVM IR, as compile --emit llvm prints it, to run in place "
                 "of the compiled kernels")
      ->type_name("FILE.ll")
      ->excludes("--unoptimized")
      ->group(simulator);
  app.footer("Examples:\n"
             "  sparseflow run ffn.mlir --check\n"
             "  sparseflow run ffn.mlir --dim T=512 --arg x=x.npy -o y.npy\n"
             "  sparseflow run mlp.mlir --sparse w1=2:4 --device cpu --check\n"
             "  sparseflow run ffn.bundle --check --repeat 50\n\n" +
             std::string(kFooter));
}

/// The targets of GPUs, oldest first.
static std::string targetNames() {
  std::string names;
  for (const TargetInfo &target : knownTargets())
    names += (names.empty() ? "" : ", ") + target.name.str();
  return names;
}

/// What completes the values of options.
static ::sparseflow::tools::ValueWords completions() {
  ::sparseflow::tools::ValueWords words;
  llvm::SmallVector<llvm::StringRef> kinds;
  std::string names = outputKindNames();
  llvm::StringRef(names).split(kinds, ", ");
  for (llvm::StringRef kind : kinds)
    words["KIND"].push_back(kind.str());
  words["KIND"].push_back("obj,header");
  for (const TargetInfo &target : knownTargets())
    words["T"].push_back(target.name.str());
  words["T[,T...]"] = words["T"];
  words["T[,T...]"].insert(words["T[,T...]"].end(), {"native", "cpu"});
  return words;
}

static void addCompileOptions(CLI::App &app, CompileCommandOptions &options) {
  app.add_option("FILE", options.build.input,
                 "A program in MLIR text, at any level; - is the standard "
                 "input")
      ->required()
      ->type_name("");
  app.add_option("--target", options.build.target,
                 targetNames() +
                     " (several with commas), native (this machine's GPU) "
                     "or cpu")
      ->type_name("T[,T...]");
  app.add_option("--gpu", options.gpu,
                 "The GPU that the kernels are for, as its driver calls it, "
                 "such as 'NVIDIA H100 80GB HBM3': which calibration "
                 "schedules are chosen by (default: with --target native "
                 "this machine's)")
      ->type_name("NAME");
  app.add_option("--emit", options.emit, "Where to stop: " + outputKindNames())
      ->type_name("KIND")
      ->required();
  app.add_option("-o,--output", options.output,
                 "The file, or the bundle's directory; - is the "
                 "standard output (default for text)")
      ->type_name("PATH");
  app.add_option("--report", options.report,
                 "Write ops, schedules, instruction counts, registers, "
                 "predicted bounds and remarks as JSON")
      ->type_name("FILE");
  app.add_flag("--explain", options.explain,
               "Print for each kernel when it is launched, what it "
               "uses, and what bounds it");
  app.add_flag("--explain-program{text}", options.explainProgram,
               "Print the launches of a call in their order: bytes, "
               "the least time, what was fused or not and why; "
               "--explain-program=dot draws them, in OUTPUT.dot");
  app.add_option("--dim", options.sizes,
                 "SYMBOL=SIZE, such as T=64 (default: 64), of the call that "
                 "--explain-program is about; may be repeated")
      ->type_name("SYMBOL=SIZE")
      ->allow_extra_args(false);
  app.add_flag("--line-info", options.lineInfo,
               "Write the place of each instruction in the source into "
               "PTX and machine code, for profilers");
  addBuildOptions(app, options.build);
  app.footer(
      "Examples:\n"
      "  sparseflow compile ffn.mlir --target sm_90 --emit ptx -o ffn.ptx "
      "--remarks\n"
      "  sparseflow compile ffn.mlir --target sm_80,sm_90 --emit bundle -o "
      "ffn.bundle\n"
      "  sparseflow compile mlp.mlir --sparse w1=2:4 --emit mlir -o -\n\n" +
      std::string(kFooter));
}

static void addDoctorOptions(CLI::App &app, DoctorCommandOptions &options) {
  app.add_option("--ptxas", options.ptxasPath, "The ptxas to look at")
      ->type_name("PATH");
  app.add_option("--json", options.json, "Also write what was found as JSON")
      ->type_name("FILE");
  CLI::Option *dispatch = app.add_flag(
      "--dispatch", options.dispatch,
      "Show instead what the dispatcher keeps: its store, opt-in kernels "
      "that are enabled, kernels that failed and are quarantined");
  app.add_flag("--clear", options.clear,
               "With --dispatch: use the quarantined kernels again")
      ->needs(dispatch);
}

int main(int argc, char **argv) {
  handleSignals();
  CLI::App app("SparseFlow compiles tensor programs with N:M sparse weights to "
               "NVIDIA kernels.\n",
               "sparseflow");
  app.require_subcommand(1);
  app.set_version_flag("--version", compilerVersion().str() + ", LLVM " +
                                        LLVM_VERSION_STRING);
  app.footer(kFooter);
  std::string program = llvm::sys::fs::getMainExecutable(
      argv[0], reinterpret_cast<void *>(&main));

  CompileCommandOptions compile;
  CLI::App *compileApp = app.add_subcommand(
      "compile", "Compile a program to IR, PTX, machine code or a bundle");
  addCompileOptions(*compileApp, compile);

  RunCommandOptions run;
  CLI::App *runApp = app.add_subcommand(
      "run", "Run a program or a bundle, on the GPU or the CPU, and check it");
  addRunOptions(*runApp, run);
  CLI::App *childApp =
      app.add_subcommand("exec-bundle", "The child process of run")->group("");
  RunCommandOptions child;
  addCallOptions(*childApp, child);

  DoctorCommandOptions doctor;
  CLI::App *doctorApp = app.add_subcommand(
      "doctor", "Say what this machine has, what is missing, what to do");
  addDoctorOptions(*doctorApp, doctor);

  TuneCommandOptions tune;
  CLI::App *tuneApp = app.add_subcommand(
      "tune", "Compile schedules for a shape, for a GPU to measure");
  addTuneOptions(*tuneApp, tune);

  ExtractCommandOptions extract;
  CLI::App *extractApp = app.add_subcommand(
      "extract", "Turn the constants of a program into arguments and a file");
  addExtractOptions(*extractApp, extract);

  CLI::App *modelApp = app.add_subcommand(
      "model", "Import a checkpoint, compile a model (by the Python package)");
  addModelOptions(*modelApp);

  // These need no compiler and run while the command line is parsed.
  ::sparseflow::tools::addPackCommands(app, interrupted);
  ::sparseflow::tools::addHelpFormat(app, completions());

  // CLI11 would only say that a subcommand is required.
  auto isCommand = [&](const CLI::App *command) {
    return command->get_name() == argv[1];
  };
  if (argc > 1 && argv[1][0] != '-' && app.get_subcommands(isCommand).empty())
    return fail(Usage, std::string("there is no command '") + argv[1] +
                           "'; see sparseflow --help");

  try {
    app.parse(argc, argv);
  } catch (const CLI::RuntimeError &error) {
    return error.get_exit_code();
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? Success : Usage;
  }

  std::string input;
  if (*childApp)
    return execBundle(child);
  if (*modelApp)
    return runModelCommand(modelApp->remaining(), program);
  if (!*compileApp && !*runApp && !*doctorApp && !*tuneApp && !*extractApp)
    return Success;
  if (*compileApp)
    input = compile.build.input;
  if (*extractApp)
    input = extract.input;
  if (*runApp) {
    input = run.build.input;
    run.commandLine.assign(argv + 1, argv + argc);
  }
  return runProtected(argc, argv, input, [&]() -> int {
    if (*compileApp)
      return runCompileCommand(compile);
    if (*runApp)
      return runRunCommand(run, program);
    if (*tuneApp)
      return runTuneCommand(tune);
    if (*extractApp)
      return runExtractCommand(extract);
    return runDoctorCommand(doctor, program);
  });
}
