//===- WeightCommands.h - pack, unpack and inspect --------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_COMMANDS_WEIGHTS_WEIGHTCOMMANDS_H
#define SPARSEFLOW_TOOLS_COMMANDS_WEIGHTS_WEIGHTCOMMANDS_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace sparseflow::tools {

/// Adds the subcommands compress, profile, rotate, pack, unpack,
/// inspect and cache to `app`.
/// They run inside app.parse() and end it, when they do not succeed, with a
/// CLI::RuntimeError that carries the exit code and whose text has been printed
/// already:
///
///   try { app.parse(argc, argv); }
///   catch (const CLI::RuntimeError &e) { return e.get_exit_code(); }
///   catch (const CLI::ParseError &e) { return app.exit(e) == 0 ? 0 : 2; }
///
/// Exit codes: 0 success, 1 bad input, 2 wrong usage, 3 environment (the output
/// cannot be written, no memory), 130 interrupted.
/// `interrupted` is asked between tensors; without it nothing is.
void addPackCommands(CLI::App &app, std::function<bool()> interrupted = {});

/// What pack is told about ternary weights.
struct TernaryArguments {
  std::string method = "lloyd";
  /// Of twn, in mean magnitudes; negative: what the method has.
  double threshold = -1;
  /// "tensor", "row" or a number of columns.
  std::string scale = "row";
  std::string scaleType = "f32";
  int planes = 1;
  /// Empty: tern.v1, or tern24.v1.
  std::string layout;
  /// A safetensors file, or empty.
  std::string calibration;
  /// Refuse a tensor of a larger relative error; negative: never.
  double maxError = -1;
  /// A JSON file, or empty.
  std::string report;
  /// "bitnet", or empty.
  std::string import;
  std::string linearClass = "bitlinear";
  /// Block size of Q2_0 tensors of GGUF files that do not tell; 0: none given.
  uint32_t q2Block = 0;
};

/// A choice made on the command line of pack.
struct PackArguments {
  std::string input, output;
  /// Tensors whose names contain a match are packed, or left out altogether.
  std::string include, exclude;
  /// Packed tensors whose names contain a match are [K, N], and are transposed.
  std::string transpose;
  std::string format = "2:4";
  /// "f16", "bf16", or empty: that of the tensor, F16 for F32.
  std::string dtype;
  bool prune = true;
  bool allowNonFinite = false;
  int threads = 0;
  /// Formats "ternary" and "ternary24".
  TernaryArguments ternary;
};

struct CompressArguments {
  std::string input, output;
  /// Tensors whose names contain a match are compressed, those of the second
  /// carried although they match the first.
  std::string include, exclude;
  /// Instead of include and exclude: "all", "attention" or "ffn".
  std::string layers;
  /// A JSON file of rules instead of the above and of format to sweeps; or
  /// empty.
  std::string plan;
  /// As compress::formatFromName and methodFromName read them; no method: the
  /// best for the format.
  std::string format = "2:4", method;
  /// A safetensors file, or empty.
  std::string moments;
  /// A safetensors file of wished outputs, or empty.
  std::string targets;
  /// Columns that share a scale; 0: a row does.
  int64_t scaleColumns = 0;
  double damping = 0.01;
  int sweeps = 4;
  /// A JSON file, or empty.
  std::string report;
  /// A folder for tensors that are finished, or empty.
  std::string resume;
  int threads = 0;
};

struct ProfileArguments {
  std::string input;
  /// Matrices whose names contain a match, but none of the second.
  std::string include = ".", exclude;
  /// Files to write, or empty.
  std::string json, html;
  /// Also draw each matrix.
  bool map = false;
  int threads = 0;
};

struct RotateArguments {
  std::string input, output;
  uint64_t seed = 1;
  /// Values of a head; 0: values are not rotated.
  int64_t headSize = 0;
  int threads = 0;
};

struct UnpackArguments {
  std::string input, output;
  int threads = 0;
};

struct InspectArguments {
  std::string input;
  /// Read all data and check them too.
  bool verify = false;
  int threads = 0;
};

// The commands themselves; they print to the standard output, errors to the
// standard error, and return an exit code.
int runPack(const PackArguments &arguments,
            const std::function<bool()> &interrupted);
int runPackTernary(const PackArguments &arguments,
                   const std::function<bool()> &interrupted);
int runCompress(const CompressArguments &arguments,
                const std::function<bool()> &interrupted);
int runProfile(const ProfileArguments &arguments,
               const std::function<bool()> &interrupted);
int runRotate(const RotateArguments &arguments,
              const std::function<bool()> &interrupted);
int runUnpack(const UnpackArguments &arguments,
              const std::function<bool()> &interrupted);
int runInspect(const InspectArguments &arguments,
               const std::function<bool()> &interrupted);

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_COMMANDS_WEIGHTS_WEIGHTCOMMANDS_H
