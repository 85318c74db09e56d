//===- Options.h - Exit codes and options of sparseflow --------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SPARSEFLOW_OPTIONS_H
#define SPARSEFLOW_TOOLS_SPARSEFLOW_OPTIONS_H

#include "SparseFlow/Compiler/Compiler.h"

#include <string>
#include <vector>

namespace mlir::sparseflow::driver {

/// What the process tells its caller; docs/cli.md and --help list them.
enum ExitCode : int {
  Success = 0,
  BadInput = 1,    ///< the program or a file it names is at fault
  Usage = 2,       ///< the command line is
  Environment = 3, ///< a tool, a device or disk space is missing
  CheckFailed = 4, ///< --check found wrong numbers
  Internal = 5,    ///< the compiler crashed; a reproducer was written
  Interrupted = 130
};

/// What compile and run have in common: how a program becomes kernels.
struct BuildOptions {
  std::string input;
  /// As given: "sm_80,sm_90", "native" or "cpu".
  std::string target;
  std::vector<std::string> sparse;
  /// Arguments whose memory results are written into.
  std::vector<std::string> donated;
  /// A .sfpk file whose packed tensors the arguments of their names are.
  std::string weights;
  /// "f16": activations of ternary weights as they are; "i8": quantized.
  std::string activations = "f16";
  /// "none", "weights" or "rebuild".
  std::string denseFallback = "none";
  std::string scheduleFile;
  std::string calibration;
  std::string ptxasPath;
  unsigned ptxasTimeoutSeconds = 120;
  bool allowSlowCode = false;
  bool remarks = false;
  /// Crash on purpose, to test the reproducer.
  bool crash = false;
};

struct CompileCommandOptions {
  BuildOptions build;
  /// The GPU that kernels are for, as its driver calls it.
  std::string gpu;
  std::string emit;
  std::string output;
  std::string report;
  /// Print the report for people on the standard error stream.
  bool explain = false;
  /// "": no; "text": the launches, on the standard error stream; "dot": a
  /// picture of them beside the output.
  std::string explainProgram;
  /// "T=64": for explainProgram.
  std::vector<std::string> sizes;
  bool lineInfo = false;
};

/// What --device sim takes besides.
struct SimRunOptions {
  bool races = false;
  bool wavefronts = false;
  bool earlyCopies = false;
  bool unaligned = false;
  /// Of steps whose variants are independent.
  unsigned variant = 1;
  /// Run the kernels as they are before LLVM's optimisation.
  bool unoptimized = false;
  /// Ask ptxas for the registers of each kernel, and hold the launches to the
  /// target's register file.
  bool registers = false;
  uint64_t schedule = 0;
  /// Seconds that one launch may take; 0: no limit.
  unsigned timeLimit = 0;
  /// A file with LLVM IR to run in place of the compiled kernels, or "".
  std::string kernels;

  bool any() const {
    return races || wavefronts || earlyCopies || unaligned || variant != 1 ||
           unoptimized || registers || schedule || timeLimit ||
           !kernels.empty();
  }
};

struct RunCommandOptions {
  /// `target` counts for the simulator only.
  BuildOptions build;
  SimRunOptions sim;
  /// What the process was started with, from "run" on.
  std::vector<std::string> commandLine;
  /// Simulate in this process: the child of a run with --device sim.
  bool inProcess = false;
  std::string entry;
  /// A policy that chooses the mode of attention, a function NAME.MODE; then
  /// `entry` is NAME or "". And why that mode, set where it is chosen here.
  std::string modePolicy, modeRecord;
  std::string device = "auto";
  std::vector<std::string> arguments;
  std::vector<std::string> sizes;
  uint64_t seed = 0;
  int threads = 0;
  int repeat = 1;
  /// Timed samples on a GPU, 0 for none.
  int time = 0;
  bool graph = false;
  /// "" for none, "full" or "sampled:ROWS".
  std::string check;
  std::string json;
  std::string saveResult;
};

struct DoctorCommandOptions {
  std::string ptxasPath;
  /// Only what the dispatcher keeps, and forget the quarantined kernels.
  bool dispatch = false, clear = false;
  std::string json;
};

/// Each prints its errors and returns an exit code. They run on a thread with
/// a large stack, inside crash recovery. `program` is the tool's own path.
int runCompileCommand(const CompileCommandOptions &options);
int runRunCommand(const RunCommandOptions &options, const std::string &program);
int runDoctorCommand(const DoctorCommandOptions &options,
                     const std::string &program);

/// What `sparseflow doctor --dispatch` prints.
int reportDispatch(const DoctorCommandOptions &options);

/// Prints "sparseflow: error: TEXT" on the standard error stream.
int fail(ExitCode code, const llvm::Twine &text);
/// The same of a defect, which no input causes.
int failInternally(const llvm::Twine &found);
/// What the build says of dense forms.
DenseFallback denseFallbackOf(const BuildOptions &build);
/// Notes which of the build's options change nothing on the CPU, whose code has
/// no schedules.
void noteOptionsOfKernels(const BuildOptions &build);

/// Prints "sparseflow: note: TEXT".
void note(const llvm::Twine &text);

/// True after the first SIGINT, SIGTERM or SIGHUP: work stops at the next
/// opportunity, temporary files are removed, the exit code is Interrupted.
bool interrupted();

/// Writes text or bytes to a file, whole or not at all, or to the standard
/// output when `path` is "-". Returns an exit code.
int writeOutput(llvm::StringRef path, llvm::StringRef data);

} // namespace mlir::sparseflow::driver

#endif // SPARSEFLOW_TOOLS_SPARSEFLOW_OPTIONS_H
