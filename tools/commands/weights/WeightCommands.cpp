//===- WeightCommands.cpp - pack, unpack and inspect ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightCommands.h"

#include "CacheCommand.h"
#include "Common.h"
#include "run/Result.h"
#include "ternary/format.h"

#include <CLI/CLI.hpp>

#include <algorithm>
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

static void addTernary(CLI::App *command, TernaryArguments &ternary) {
  const char *group = "Ternary formats";
  command
      ->add_option("--method", ternary.method,
                   "absmean (BitNet's rule, for weights trained with it), twn "
                   "or lloyd (least squared error)")
      ->check(CLI::IsMember({"absmean", "twn", "lloyd"}))
      ->capture_default_str()
      ->group(group);
  command
      ->add_option("--threshold", ternary.threshold,
                   "With --method twn: weights above so many mean magnitudes "
                   "of what shares their scale are kept, others become zero "
                   "(default: 0.7)")
      ->check(CLI::Range(0.0, 1e6))
      ->group(group);
  command
      ->add_option("--scale", ternary.scale,
                   "One scale for the tensor, each row, or each 32, 64, 128 or "
                   "256 columns of a row")
      ->check(CLI::IsMember({"tensor", "row", "32", "64", "128", "256"}))
      ->capture_default_str()
      ->group(group);
  command->add_option("--scale-type", ternary.scaleType, "Type of the scales")
      ->check(CLI::IsMember({"f16", "bf16", "f32"}))
      ->capture_default_str()
      ->group(group);
  command
      ->add_option("--planes", ternary.planes,
                   "Trits and scales for each weight: 1, or 2 for weights that "
                   "were not trained to be ternary")
      ->check(CLI::Range(1, 2))
      ->capture_default_str()
      ->group(group);
  command
      ->add_option("--layout", ternary.layout,
                   "tern.v1 (default), ternbp.v1 or tern3.v1; with ternary24 "
                   "tern24.v1 (default, exactly two of four) or tern24z.v1 (at "
                   "most two); other formats have one")
      ->group(group);
  command
      ->add_option("--calibration", ternary.calibration,
                   "A .safetensors file with the mean squares, or captured "
                   "inputs, of each weight's columns")
      ->group(group);
  command
      ->add_option("--max-error", ternary.maxError,
                   "Refuse a tensor whose relative error is larger")
      ->check(CLI::NonNegativeNumber)
      ->group(group);
  command
      ->add_option("--report", ternary.report,
                   "Write the losses of each tensor to this JSON file")
      ->group(group);
  command
      ->add_option("--import", ternary.import,
                   "bitnet: the selected tensors of a .safetensors file are "
                   "packed BitNet weights")
      ->check(CLI::IsMember({"bitnet"}))
      ->group(group);
  command
      ->add_option("--linear-class", ternary.linearClass,
                   "How a BitNet model means weight_scale: its config's "
                   "linear_class")
      ->check(CLI::IsMember({"bitlinear", "autobitlinear"}))
      ->capture_default_str()
      ->group(group);
  command
      ->add_option("--q2-block", ternary.q2Block,
                   "Block size of Q2_0 tensors if the .gguf file does not tell")
      ->check(CLI::IsMember({64, 128}))
      ->group(group);
}

/// What --format may be: 2:4, and the formats of quantized weights.
static std::vector<std::string> formats() {
  std::vector<std::string> names = {"2:4"};
  for (const rt::Storage *storage : rt::kStorages)
    if (std::find(names.begin(), names.end(), storage->format) == names.end())
      names.push_back(storage->format);
  return names;
}

static void addPack(CLI::App &app, const std::function<bool()> &interrupted) {
  CLI::App *command = app.add_subcommand(
      "pack", "Prune or ternarise, and pack the matrices of a file");
  auto arguments = std::make_shared<PackArguments>();
  command
      ->add_option("IN", arguments->input,
                   "A .safetensors file; for ternary formats also a .gguf file")
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
  command->add_option("--transpose", arguments->transpose,
                      "Packed tensors whose names contain a match are kept as "
                      "[K, N] (GPT-2's Conv1D, JAX) and packed as [N, K]; only "
                      "for 2:4");
  command
      ->add_option("--format", arguments->format,
                   "2:4 (sparse), ternary (weights -1, 0, 1 and scales), "
                   "ternary24 (both), or numbers of more bits and scales")
      ->check(CLI::IsMember(formats()))
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
  addTernary(command, arguments->ternary);
  addThreads(command, arguments->threads);
  command->footer(
      "Examples:\n"
      "  sparseflow pack model.safetensors --include "
      "'(intermediate|output)\\.dense\\.weight$'\n"
      "      --dtype f16 -o model.sfpk\n"
      "  sparseflow pack sparse.safetensors --include weight --no-prune -o "
      "sparse.sfpk\n"
      "  sparseflow pack model.safetensors --format ternary --include weight "
      "--scale 128\n"
      "      --scale-type f16 --report losses.json -o ternary.sfpk\n"
      "  sparseflow pack model.gguf --format ternary --include 'attn|ffn' -o "
      "model.sfpk\n\n" +
      std::string(kExitCodes));
  command->callback([arguments, interrupted] {
    finish("pack", [&] { return runPack(*arguments, interrupted); });
  });
}

static void addCompress(CLI::App &app,
                        const std::function<bool()> &interrupted) {
  CLI::App *command = app.add_subcommand(
      "compress", "Prune or quantize matrices so that outputs change least");
  auto arguments = std::make_shared<CompressArguments>();
  command->add_option("IN", arguments->input, "A .safetensors file")
      ->required();
  CLI::Option *include = command->add_option(
      "--include", arguments->include,
      "Compress the tensors whose names contain a match of this regular "
      "expression (ECMAScript); all others are carried unchanged");
  CLI::Option *exclude =
      command->add_option("--exclude", arguments->exclude,
                          "Carry the tensors whose names contain a match");
  CLI::Option *layers =
      command
          ->add_option("--layers", arguments->layers,
                       "Instead of --include: all, attention or ffn, by the "
                       "names that Hugging Face and GGUF give them")
          ->check(CLI::IsMember({"all", "attention", "ffn"}))
          ->excludes(include)
          ->excludes(exclude);
  CLI::Option *plan = command->add_option(
      "--plan", arguments->plan,
      "Instead of these and of --format to --scale: a JSON file of rules, the "
      "first of which that matches decides");
  plan->excludes(include)->excludes(exclude)->excludes(layers);
  plan->excludes(
      command
          ->add_option("--format", arguments->format,
                       "N:M (M up to 16), int2 to int8, ternary, ternary2 (two "
                       "trits a weight), or N:M+ternary and the like")
          ->capture_default_str());
  plan->excludes(
      command
          ->add_option("--method", arguments->method,
                       "magnitude, wanda (magnitude times the input's root "
                       "mean square), sparsegpt or gptq (later columns make up "
                       "for earlier ones), refit (of N:M: from there, groups "
                       "are chosen again given all others). Default: refit for "
                       "N:M alone, else gptq")
          ->check(CLI::IsMember(
              {"magnitude", "wanda", "sparsegpt", "gptq", "refit"})));
  plan->excludes(
      command
          ->add_option("--scale", arguments->scaleColumns,
                       "Columns of a row that share a scale (default: all)")
          ->check(CLI::Range(int64_t(1), int64_t(1) << 20)));
  command
      ->add_option("--sweeps", arguments->sweeps,
                   "Of refit: how often it goes through all groups")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  command->add_option("--moments", arguments->moments,
                      "A .safetensors file with the mean of x x^T, [k, k] in "
                      "F32, of each weight's inputs under the weight's name; "
                      "for wanda its diagonal, [k], suffices");
  command->add_option(
      "--targets", arguments->targets,
      "A .safetensors file with the mean of y x^T, [n, k] in F32, under the "
      "weight's name, where y is what the layer should give for the input x: "
      "outputs come near y instead of those of the weights as they are");
  command
      ->add_option("--damping", arguments->damping,
                   "Added to the diagonal of the moments, as a share of its "
                   "mean")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command->add_option("--report", arguments->report,
                      "Write what each tensor lost to this JSON file");
  command->add_option("--resume", arguments->resume,
                      "Keep finished tensors in this folder until all are "
                      "done, and take those of an earlier run from it");
  command->add_option("-o,--output", arguments->output, "The .safetensors file")
      ->required();
  addThreads(command, arguments->threads);
  command->footer("Examples:\n"
                  "  sparseflow compress model.safetensors --include "
                  "'mlp.*weight$' --format 2:4\n"
                  "      --moments moments.safetensors -o sparse.safetensors\n"
                  "  sparseflow compress model.safetensors --plan plan.json\n"
                  "      --moments moments.safetensors --report losses.json -o "
                  "mixed.safetensors\n"
                  "  sparseflow pack sparse.safetensors --include "
                  "'mlp.*weight$' --no-prune -o sparse.sfpk\n\n" +
                  std::string(kExitCodes));
  command->callback([=] {
    if (!include->count() && !layers->count() && !plan->count())
      throw CLI::RequiredError("--include, --layers or --plan");
    finish("compress", [&] { return runCompress(*arguments, interrupted); });
  });
}

static void addProfile(CLI::App &app,
                       const std::function<bool()> &interrupted) {
  CLI::App *command = app.add_subcommand(
      "profile", "Say which formats the matrices of a file could have");
  auto arguments = std::make_shared<ProfileArguments>();
  command
      ->add_option("FILE", arguments->input,
                   "A .safetensors file, or the folder of a model")
      ->required();
  command
      ->add_option("--include", arguments->include,
                   "Profile the matrices whose names contain a match of this "
                   "regular expression (ECMAScript)")
      ->capture_default_str();
  command->add_option("--exclude", arguments->exclude,
                      "Leave those whose names contain a match out");
  command->add_flag("--map", arguments->map,
                    "Draw the mean magnitudes of each matrix");
  command->add_option("--json", arguments->json,
                      "Write the profile to this JSON file");
  command->add_option("--html", arguments->html,
                      "Write the profile to this self-contained page");
  addThreads(command, arguments->threads);
  command->footer("Example:\n  sparseflow profile model.safetensors --include "
                  "mlp --html profile.html\n\n" +
                  std::string(kExitCodes));
  command->callback([arguments, interrupted] {
    finish("profile", [&] { return runProfile(*arguments, interrupted); });
  });
}

static void addRotate(CLI::App &app, const std::function<bool()> &interrupted) {
  CLI::App *command = app.add_subcommand(
      "rotate", "Rotate a llama's weights so that rounding loses less");
  auto arguments = std::make_shared<RotateArguments>();
  command
      ->add_option("IN", arguments->input,
                   "A .safetensors file with all weights of a llama, its head "
                   "apart from the embedding")
      ->required();
  command->add_option("--seed", arguments->seed, "Decides the rotation")
      ->capture_default_str();
  command
      ->add_option("--head-size", arguments->headSize,
                   "Also rotate the values of each head, of so many numbers")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 20));
  command->add_option("-o,--output", arguments->output, "The .safetensors file")
      ->required();
  addThreads(command, arguments->threads);
  command->footer(
      "The model computes the same: the residual stream is multiplied by an "
      "orthogonal\nmatrix, a random Hadamard one, and norms are folded into "
      "the "
      "layers that follow.\n\n"
      "Example:\n  sparseflow rotate model.safetensors --head-size 64 -o "
      "rotated.safetensors\n\n" +
      std::string(kExitCodes));
  command->callback([arguments, interrupted] {
    finish("rotate", [&] { return runRotate(*arguments, interrupted); });
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
      "inspect", "List what a .sfpk, .safetensors or .gguf file holds");
  auto arguments = std::make_shared<InspectArguments>();
  command
      ->add_option("FILE", arguments->input,
                   "A .sfpk, .safetensors or .gguf file")
      ->required();
  command->add_flag("--verify", arguments->verify,
                    "Read all data too: checksums, 2:4 metadata and ternary "
                    "codes");
  addThreads(command, arguments->threads);
  command->footer("Example:\n  sparseflow inspect model.sfpk --verify\n\n" +
                  std::string(kExitCodes));
  command->callback([arguments, interrupted] {
    finish("inspect", [&] { return runInspect(*arguments, interrupted); });
  });
}

static void addCache(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "cache", "Say what keys and values take in each mode of attention");
  auto arguments = std::make_shared<CacheArguments>();
  CLI::Range size(int64_t(1), int64_t(1) << 32);
  command->add_option("--heads", arguments->heads, "Query heads")
      ->check(size)
      ->required();
  command->add_option("--key-heads", arguments->keyHeads, "Key heads")
      ->check(size)
      ->required();
  command
      ->add_option("--features", arguments->features, "Features of a key (D)")
      ->check(size)
      ->capture_default_str();
  command
      ->add_option("--value-features", arguments->valueFeatures,
                   "Features of a value (default: those of a key)")
      ->check(size);
  command->add_option("--layers", arguments->layers, "Layers of the model")
      ->check(size)
      ->capture_default_str();
  command->add_option("--batch", arguments->batch, "Batch entries")
      ->check(size)
      ->capture_default_str();
  command->add_option("--queries", arguments->queries, "Queries of a call")
      ->check(size)
      ->capture_default_str();
  command
      ->add_option("--positions", arguments->lengths,
                   "Positions of a batch entry, a row of the report each")
      ->check(size)
      ->delimiter(',')
      ->capture_default_str();
  command
      ->add_option("--scale", arguments->scale,
                   "What shares a scale: head, token, or 32, 64, 128 or 256 "
                   "features")
      ->check(CLI::IsMember({"head", "token", "32", "64", "128", "256"}))
      ->capture_default_str();
  command->add_option("--scale-type", arguments->scaleType, "f16, bf16 or f32")
      ->check(CLI::IsMember({"f16", "bf16", "f32"}))
      ->capture_default_str();
  command->add_option("--policy", arguments->policy,
                      "Also say which mode this JSON policy chooses, and why");
  command->add_flag("--json", arguments->json, "Print JSON");
  command->footer("Example:\n  sparseflow cache --layers 32 --heads 32 "
                  "--key-heads 8 --positions 8192,131072\n\n" +
                  std::string(kExitCodes));
  command->callback(
      [arguments] { finish("cache", [&] { return runCache(*arguments); }); });
}

void tools::addPackCommands(CLI::App &app, std::function<bool()> interrupted) {
  if (!interrupted)
    interrupted = [] { return false; };
  addCompress(app, interrupted);
  addProfile(app, interrupted);
  addRotate(app, interrupted);
  addPack(app, interrupted);
  addUnpack(app, interrupted);
  addInspect(app, interrupted);
  addCache(app);
}
