//===- import.h - Ternary weights of other formats --------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/formats/gguf.md and bitnet.md describe the sources byte by byte. Nothing
// is rounded: trits and scales are those of the file. A code that stands for no
// trit is refused with the tensor's name, row and column, never clamped.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_TERNARY_IMPORT_H
#define SPARSEFLOW_RT_TERNARY_IMPORT_H

#include "io/gguf.h"
#include "ternary/format.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sparseflow::rt {

/// One plane of trits [n][k] with scales in the order of pack.h. The format has
/// the storage tern.v1.
struct ImportedTernary {
  TernaryFormat format;
  std::vector<int8_t> trits;
  std::vector<float> scales;
};

/// Decodes the tensor.bytes at `data` of a TQ1_0, TQ2_0, Q2_0 or PQ2_0 matrix:
/// a F16 scale for each block (256, 64 or 128 columns). Fails on other types
/// and shapes, illegal codes and scales that are not finite.
Expected<ImportedTernary> importGguf(const GgufTensor &tensor,
                                     const uint8_t *data, int threads = 0);

/// How a BitNet checkpoint means its weight_scale: `linear_class` of its
/// quantization_config.
enum class BitnetScale {
  /// "bitlinear", also when the key is absent: W = trit / weight_scale.
  Divide,
  /// "autobitlinear": W = trit * weight_scale.
  Multiply
};
/// From the text of linear_class; fails on any other text.
Expected<BitnetScale> bitnetScaleFromClass(const std::string &linearClass);

/// Decodes a packed matrix of `packedRows` x k bytes: 4 * packedRows rows, in
/// quarters. The result has one F32 scale. Fails on code 3, and unless
/// `weightScale` and its inverse are finite and not zero.
Expected<ImportedTernary> importBitnet(const uint8_t *packed,
                                       int64_t packedRows, int64_t k,
                                       float weightScale, BitnetScale meaning,
                                       const std::string &name,
                                       int threads = 0);

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_TERNARY_IMPORT_H
