//===- WeightCommands.cpp - pack, unpack and inspect ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightCommands.h"

#include "Common.h"
#include "Result.h"

#include <CLI/CLI.hpp>

#include <memory>

using namespace sparseflow;
using namespace sparseflow::tools;

static const char *const kExitCodes =
    "Exit codes: 0 success, 1 bad input, 2 wrong usage, 3 the output cannot be "
    "written\nor memory is exhausted, 130 interrupted.";

/// Runs a command inside app.parse(): see addPackCommands.
template <typename Command>
static void finish(const char *name, Command command) {
  int code;
  try {
    code = command();
  } catch (const std::bad_alloc &) {
    code = failWith(
        name, {SF_ERROR_OUT_OF_MEMORY, "host memory is exhausted; free some"});
  }
  // A full disk behind a redirection shows only here.
  if (std::fflush(stdout) != 0 && code == ExitOk)
    code = failWith(name, rt::ioError("cannot write to the standard output"));
  if (code != ExitOk)
    throw CLI::RuntimeError(code);
}

static void addThreads(CLI::App *command, int &threads) {
  command->add_option("--threads", threads, "CPU threads (default: all cores)")
      ->check(CLI::Range(1, 4096));
}

static void addPack(CLI::App &app, const std::function<bool()> &interrupted) {
  CLI::App *command = app.add_subcommand(
      "pack", "Prune and pack the matrices of a safetensors file");
  auto arguments = std::make_shared<PackArguments>();
  command->add_option("IN", arguments->input, "A .safetensors file")
      ->required();
  command
      ->add_option("--include", arguments->include,
                   "Pack the tensors whose names contain a match of this "
                   "regular expression (ECMAScript); all others are carried "
                   "unchanged")
      ->required();
  command->add_option("--exclude", arguments->exclude,
                      "Leave the tensors whose names contain a match out of "
                      "the output");
  command->add_option("--format", arguments->format, "The sparsity pattern")
      ->check(CLI::IsMember({"2:4"}))
      ->capture_default_str();
  command
      ->add_option("--dtype", arguments->dtype,
                   "Element type of packed matrices: f16 or bf16 (default: "
                   "that of the tensor, f16 for F32)")
      ->check(CLI::IsMember({"f16", "bf16"}));
  command->add_option("-o,--output", arguments->output, "The .sfpk file")
      ->required();
  command->add_flag("--prune,!--no-prune", arguments->prune,
                    "Keep the two largest magnitudes of every four (default); "
                    "--no-prune refuses matrices that are not 2:4 already");
  command->add_flag("--allow-nonfinite", arguments->allowNonFinite,
                    "Pack NaN and infinity instead of refusing them");
  addThreads(command, arguments->threads);
  command->footer(
      "Examples:\n"
      "  sparseflow pack model.safetensors --include "
      "'(intermediate|output)\\.dense\\.weight$'\n"
      "      --dtype f16 -o model.sfpk\n"
      "  sparseflow pack sparse.safetensors --include weight --no-prune -o "
      "sparse.sfpk\n\n" +
      std::string(kExitCodes));
  command->callback([arguments, interrupted] {
    finish("pack", [&] { return runPack(*arguments, interrupted); });
  });
}

static void addUnpack(CLI::App &app, const std::function<bool()> &interrupted) {
  CLI::App *command = app.add_subcommand(
      "unpack", "Turn a .sfpk file back into a dense safetensors file");
  auto arguments = std::make_shared<UnpackArguments>();
  command->add_option("IN", arguments->input, "A .sfpk file")->required();
  command->add_option("-o,--output", arguments->output, "The .safetensors file")
      ->required();
  addThreads(command, arguments->threads);
  command->footer("Example:\n  sparseflow unpack model.sfpk -o "
                  "pruned.safetensors\n\n" +
                  std::string(kExitCodes));
  command->callback([arguments, interrupted] {
    finish("unpack", [&] { return runUnpack(*arguments, interrupted); });
  });
}

static void addInspect(CLI::App &app,
                       const std::function<bool()> &interrupted) {
  CLI::App *command = app.add_subcommand(
      "inspect", "List what a .sfpk or .safetensors file holds");
  auto arguments = std::make_shared<InspectArguments>();
  command->add_option("FILE", arguments->input, "A .sfpk or .safetensors file")
      ->required();
  command->add_flag("--verify", arguments->verify,
                    "Read all data too: checksums and 2:4 metadata (.sfpk)");
  addThreads(command, arguments->threads);
  command->footer("Example:\n  sparseflow inspect model.sfpk --verify\n\n" +
                  std::string(kExitCodes));
  command->callback([arguments, interrupted] {
    finish("inspect", [&] { return runInspect(*arguments, interrupted); });
  });
}

void tools::addPackCommands(CLI::App &app, std::function<bool()> interrupted) {
  if (!interrupted)
    interrupted = [] { return false; };
  addPack(app, interrupted);
  addUnpack(app, interrupted);
  addInspect(app, interrupted);
}
