//===- Sample.h - Tokens drawn from logits --------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_SAMPLE_H
#define SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_SAMPLE_H

#include "reference/Reference.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace sparseflow::tools {

/// The rows of a manifest's "sample" step (docs/formats/bundle.md): logits, and
/// a value of each parameter for every row.
class SampleRows {
public:
  SampleRows() = default;
  /// Reads the inputs of `step`: arguments as they are, for the integers of 64
  /// bits that no float holds, other values by `valueOf`. Logits are what is
  /// `stored` of them, so that both references draw what a device draws.
  SampleRows(const ReferenceStep &step, const ReferenceCall &call, DType stored,
             const std::function<std::vector<double>(int)> &valueOf);

  /// A token of each row.
  std::vector<int32_t> draw(int threads) const;

  /// The rows one behind the other, none without logits.
  std::vector<float> logits;
  std::vector<float> temperature, topP;
  std::vector<int64_t> topK, seed, position;

private:
  int32_t drawRow(size_t row) const;
};

/// The first 64 bits, the low word first, of Philox-4x32-10 with the key `seed`
/// and the counter (`position`, 0, 0, 0).
uint64_t philox(uint64_t seed, uint32_t position);

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_SAMPLE_H
