//===- Arguments.h - Host buffers for arguments -----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Turns `--arg w1=model.sfpk:ffn.w1 --dim T=64 --seed 3` into buffers that any
// device can be given: the GPU path uploads `storage`, the CPU path reads the
// same or `dense`, and the reference evaluates `dense`.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_ARGUMENTS_H
#define SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_ARGUMENTS_H

#include "reference/Reference.h"

namespace sparseflow::tools {

/// Where an argument's values come from.
struct ArgumentSource {
  enum class Kind : uint8_t { Random, Npy, Safetensors, Sfpk };
  Kind kind = Kind::Random;
  uint64_t seed = 0;
  std::string path, tensor;
  /// Random: with rows of zeros of either sign, denormal numbers, infinities
  /// and NaNs (fillSpecialRows).
  bool special = false;
};

/// What the user asked for. An argument that is not named comes from `weights`
/// when that holds a tensor of its name, and is random otherwise.
struct ArgumentRequest {
  /// By index or name.
  std::vector<std::pair<std::string, ArgumentSource>> sources;
  /// A .sfpk file, such as a bundle's weights; empty for none.
  std::string weights;
  std::vector<std::pair<std::string, int64_t>> sizes;
  uint64_t seed = 0;
  /// Size of a symbol that neither `sizes` nor a file binds.
  int64_t defaultSize = 64;
  int threads = 0;

  /// Adds one `INDEX|NAME=SOURCE` where SOURCE is FILE.npy,
  /// FILE.safetensors:TENSOR, FILE.sfpk:TENSOR, random:SEED or special:SEED.
  Status addArgument(const std::string &text);
  /// Adds one `SYMBOL=SIZE`.
  Status addSize(const std::string &text);
};

struct Argument {
  /// The values, row-major; zeros where an N:M pattern has none. Those of a
  /// ternary weight are F32, whatever it stands for.
  HostTensor dense;
  /// The blob of a packed argument, else empty.
  Buffer packed;
  /// "random:0", or the file and tensor; reports show it.
  std::string origin;

  /// What a compiled kernel reads.
  const Buffer &storage() const { return packed.size() ? packed : dense.data; }
};

/// A complete call: arguments and symbol values.
struct ArgumentSet {
  const Function *function = nullptr;
  std::vector<int64_t> symbols;
  std::vector<Argument> arguments;
  /// Things the user did not ask for, such as a size chosen by default.
  std::vector<std::string> notes;

  std::vector<int64_t> shapeOf(const TensorSpec &spec) const;
  /// Result tensors of the right shapes, poisoned.
  std::vector<HostTensor> allocateResults() const;
  /// True when there is nothing to launch: no result has elements.
  bool empty() const;
  /// For Reference.h. `reference` and this must outlive the result.
  ReferenceCall referenceCall(const Reference &reference,
                              int threads = 0) const;
};

/// Loads or generates every argument and binds every symbol. `function` (and
/// `reference`, which only helps to scale random weights) must outlive the
/// result; `reference` may be null. Files whose type, shape or N:M pattern does
/// not fit are refused; f32 values are converted to f16 or bf16 (a note says
/// so, overflow is refused). A tensor of `request.weights` that has an
/// argument's name and does not fit it is refused, too.
Expected<ArgumentSet> prepareArguments(const Function &function,
                                       const Reference *reference,
                                       const ArgumentRequest &request);

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_ARGUMENTS_H
