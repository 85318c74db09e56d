//===- TernarySource.h - Where ternary weights come from --------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_COMMANDS_WEIGHTS_TERNARYSOURCE_H
#define SPARSEFLOW_TOOLS_COMMANDS_WEIGHTS_TERNARYSOURCE_H

#include "WeightCommands.h"
#include "io/gguf.h"
#include "io/safetensors.h"
#include "io/sfpk.h"
#include "ternary/import.h"

#include <memory>
#include <string>
#include <vector>

namespace sparseflow::tools {

/// One tensor of the input and what becomes of it.
struct TernaryJob {
  enum Kind {
    Carry,     ///< unchanged
    Ternarize, ///< a dense matrix
    Gguf,      ///< a ternary GGUF tensor
    Bitnet     ///< packed rows with a weight_scale
  };
  Kind kind = Carry;
  std::string name, typeName;
  /// Of the source's bytes; of a ternary section, the dense type it stands for.
  sf_dtype dtype = SF_DTYPE_INVALID;
  /// Bytes of the source.
  uint64_t bytes = 0;
  /// The result's, unless carried.
  rt::TernaryFormat format;
  /// Index of the tensor in the file.
  size_t index = 0;
  /// Bitnet: index of the scale.
  size_t scaleIndex = 0;

  bool isImport() const { return kind == Gguf || kind == Bitnet; }
};

/// A safetensors, GGUF or .sfpk file with a decision about every tensor.
class TernarySource {
public:
  /// Opens arguments.input, told apart by its first bytes. `wanted` has what
  /// the result should be, apart from the sizes. SF_ERROR_INVALID_ARGUMENT
  /// means wrong usage.
  static rt::Expected<std::unique_ptr<TernarySource>>
  open(const PackArguments &arguments, const rt::TernaryFormat &wanted);

  const std::vector<TernaryJob> &jobs() const { return jobList; }
  /// What is in the file and not among the jobs, and why; a line each.
  const std::vector<std::string> &leftOut() const { return leftOutList; }
  /// Texts first, then one for each job.
  const std::vector<rt::SfpkSection> &sections() const { return sectionList; }
  /// The values of the texts.
  const std::vector<std::string> &texts() const { return textList; }

  /// The source's bytes.
  rt::Status read(const TernaryJob &job, void *buffer) const;
  /// An import job's trits and scales, in job.format's scales.
  rt::Expected<rt::ImportedTernary> import(const TernaryJob &job) const;

private:
  explicit TernarySource(const PackArguments &arguments)
      : arguments(arguments) {}

  rt::Status planSafetensors(const rt::TernaryFormat &wanted);
  rt::Status planGguf(const rt::TernaryFormat &wanted);
  rt::Status planSfpk(const rt::TernaryFormat &wanted);
  void addText(const std::string &key, const std::string &value);
  rt::Status addDense(TernaryJob job, const std::vector<int64_t> &shape,
                      const rt::TernaryFormat &wanted, bool included);
  rt::Status addBitnet(TernaryJob job, const rt::SafetensorsEntry &tensor,
                       const rt::TernaryFormat &wanted);

  const PackArguments &arguments;
  std::unique_ptr<rt::SafetensorsFile> safetensors;
  std::unique_ptr<rt::GgufFile> gguf;
  std::unique_ptr<rt::SfpkFile> sfpk;
  std::vector<TernaryJob> jobList;
  std::vector<std::string> leftOutList;
  std::vector<rt::SfpkSection> sectionList;
  std::vector<std::string> textList;
};

/// The importance of the k columns of the weight `name` from a calibration
/// file: the tensor of that name, with or without ".weight"; [k] mean squares,
/// or captured inputs [.., k], whose mean squares are taken.
rt::Expected<std::vector<float>> readImportance(const rt::SafetensorsFile &file,
                                                const std::string &name,
                                                int64_t k);

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_COMMANDS_WEIGHTS_TERNARYSOURCE_H
