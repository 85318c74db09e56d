//===- sparseflow-exec.cpp - Runs, checks and times a bundle on a GPU -----===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Links no LLVM, and the C++ library statically: the program starts on any
// x86-64 Linux machine with a driver.
//
//===----------------------------------------------------------------------===//

#include "HelpPages.h"
#include "run/ExecBundle.h"
#include "run/LaunchPlan.h"
#include "run/Tune.h"

#include <CLI/CLI.hpp>

using namespace sparseflow::tools;

static const char footer[] = R"(
Arguments that are not given come from the bundle's weights.sfpk where it holds a
tensor of their name; the others are random (--seed), with 2:4 weights pruned to
their pattern. Sizes that are not given are 64. The summary says where each
argument came from.

These are the options of sparseflow run, but for those of the compiler and of other
devices, which are not in this tool: --device is the ordinal of a GPU here, and a
bundle was compiled with its --sparse, --weights, --activations, --schedule-file.

Examples:
  sparseflow-exec ffn.bundle --dim T=512 --check
  sparseflow-exec ffn.bundle --arg x=x.npy --arg w1=model.sfpk:ffn.w1 \
      --save-result y.npy
  sparseflow-exec ffn.bundle --dim T=4096 --check=sampled:32 --repeat 50 --time 20
  sparseflow-exec ffn.bundle --dim T=4096 --check=sampled:32 --quarantine
  sparseflow-exec ffn.bundle --dim T=512 --dry-run --target sm_90a
  sparseflow-exec ffn.bundle --dim T=512 --tune-dispatch 5
  sparseflow-exec --tune OUT --budget 500

Exit codes:
  0  done, and everything that was checked is right
  1  a file, the bundle or a value is wrong
  2  the command line is wrong
  3  no device, no driver, no memory, the device failed, or an output cannot be
     written
  4  a result is wrong, or repeated launches differ
)";

namespace {
/// What the command line says.
struct CommandLine {
  ExecOptions options;
  std::vector<std::string> arguments, sizes;
  bool dryRun = false;
  std::string target;
  TuneOptions tune;
  CLI::Option *bundle = nullptr, *tuning = nullptr;
};
} // namespace

static void addCallOptions(CLI::App &app, CommandLine &line) {
  line.bundle = app.add_option("bundle", line.options.bundle,
                               "Bundle: a directory with manifest.json");
  app.add_option("--entry", line.options.entry,
                 "Function to run (default: the only one)");
  app.add_option("--mode-policy", line.options.modePolicy,
                 "Run the mode of attention, a function NAME.MODE, that this "
                 "JSON policy chooses; --entry is then NAME");
  app.add_option("--device", line.options.device, "Ordinal of the GPU")
      ->check(CLI::Range(0, 1023))
      ->capture_default_str();
  app.add_option("--arg", line.arguments,
                 "INDEX|NAME=SOURCE, where SOURCE is FILE.npy, "
                 "FILE.safetensors:TENSOR, FILE.sfpk:TENSOR, random:SEED or "
                 "special:SEED (with zeros of either sign, denormals, "
                 "infinities and NaNs in some rows)")
      ->allow_extra_args(false);
  app.add_option("--dim", line.sizes, "SYMBOL=SIZE, such as T=64")
      ->allow_extra_args(false);
  app.add_option("--seed", line.options.request.seed,
                 "Seed of random arguments and of sampled rows")
      ->capture_default_str();
}

static void addCheckOptions(CLI::App &app, CommandLine &line) {
  app.add_flag("--check{full}", line.options.check,
               "Check every element against float64; --check=sampled:ROWS "
               "checks all features of ROWS token rows");
  app.add_flag("--quarantine", line.options.quarantine,
               "Where the check finds wrong results, run the other variants; "
               "if one is right, no launch of this user on this GPU takes the "
               "wrong kernels again while another can run")
      ->needs("--check");
  app.add_option("--repeat", line.options.repeat,
                 "Launches; all must give the same bits")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_flag("--graph", line.options.graph,
               "Launch by replaying a captured CUDA graph");
  app.add_option("--time", line.options.time,
                 "Time this many samples after a warm-up (graph replays over "
                 "rotated buffers)")
      ->check(CLI::Range(1, 100000));
  app.add_option(
         "--tune-dispatch", line.options.tuneDispatch,
         "First measure every variant that these sizes allow, by so many "
         "graph replays, and keep the times for all later launches of "
         "this user on this GPU")
      ->check(CLI::Range(1, 1000));
}

static void addOutputOptions(CLI::App &app, CommandLine &line) {
  app.add_option("--json", line.options.json,
                 "Write a report as JSON to this file ('-': standard output "
                 "instead of text)");
  app.add_option("-o,--output,--save-result", line.options.saveResult,
                 "Write the result as .npy (several: FILE.0.npy, ...)");
  app.add_option("--threads", line.options.request.threads,
                 "CPU threads for references (default: all cores)")
      ->check(CLI::Range(1, 4096));
  app.add_flag("--quiet", line.options.quiet, "Print errors only");
}

/// What is done in place of a call.
static void addOtherWays(CLI::App &app, CommandLine &line) {
  app.add_flag("--dry-run", line.dryRun,
               "Print what would be launched for these sizes; needs no GPU")
      ->excludes("--check", "--time", "--graph", "--json", "--save-result",
                 "--tune-dispatch");
  app.add_option("--target", line.target,
                 "With --dry-run: of this target only, such as sm_90a")
      ->needs("--dry-run");
  line.tuning =
      app.add_option("--tune", line.tune.directory,
                     "Check and time what sparseflow tune --compile-only wrote "
                     "to this directory, and write its schedules.json")
          ->excludes(line.bundle);
  app.add_option("--budget", line.tune.budget,
                 "With --tune: begin no shape after this many seconds; the "
                 "next call goes on")
      ->needs(line.tuning);
  app.add_flag("--fresh", line.tune.fresh,
               "With --tune: measure again what is measured already")
      ->needs(line.tuning);
}

static int run(CommandLine &line) {
  ExecOptions &options = line.options;
  auto usage = [](const Status &status) {
    std::fprintf(stderr, "error: %s\n", status.text().c_str());
    return ExitUsage;
  };
  if (*line.tuning) {
    line.tune.device = options.device;
    line.tune.threads = options.request.threads;
    line.tune.seed = options.request.seed;
    line.tune.quiet = options.quiet;
    return tuneBundles(line.tune);
  }
  if (!*line.bundle) {
    std::fprintf(stderr, "error: expected a bundle, or --tune; see --help\n");
    return ExitUsage;
  }
  for (const std::string &text : line.arguments)
    if (Status status = options.request.addArgument(text); !status)
      return usage(status);
  for (const std::string &text : line.sizes)
    if (Status status = options.request.addSize(text); !status)
      return usage(status);
  if (Status status = applyModePolicy(options); !status) {
    std::fprintf(stderr, "error: %s\n", status.text().c_str());
    return exitCodeFor(status);
  }
  if (line.dryRun) {
    Expected<std::string> plan =
        planBundle(options.bundle, options.entry, line.target, options.request);
    if (plan)
      return std::fputs(plan->c_str(), stdout) < 0 ? ExitEnvironment : ExitOk;
    std::fprintf(stderr, "error: %s\n", plan.status().text().c_str());
    return exitCodeFor(plan.status());
  }
  RunOptions parsed;
  if (Status status = parseCheck(options.check, parsed); !status)
    return usage(status);
  return execBundle(options);
}

int main(int argc, char **argv) {
  CLI::App app{"Runs a function of a SparseFlow bundle on an NVIDIA GPU, "
               "checks every element against float64 and times it.",
               "sparseflow-exec"};
  app.footer(footer);
  app.set_version_flag("--version", "sparseflow-exec " SPARSEFLOW_VERSION);
  CommandLine line;
  addCallOptions(app, line);
  addCheckOptions(app, line);
  addOutputOptions(app, line);
  addHelpFormat(app);
  addOtherWays(app, line);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &e) {
    return app.exit(e);
  } catch (const CLI::ParseError &e) {
    app.exit(e);
    return ExitUsage;
  }
  return run(line);
}
