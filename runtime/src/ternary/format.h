//===- format.h - Sizes and layouts of quantized weights --------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A quantized matrix stands for
//
//   W[n][k] = sum over planes p of scale_p(n, k) * number_p[n][k]
//
// with small whole numbers, in a ternary matrix trits, {-1, 0, 1}, one or two
// planes, and one scale a tensor, a row or a group of adjacent columns of a
// row. docs/formats describes every layout byte by byte; this file says how
// large each part is and where scales lie.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_TERNARY_FORMAT_H
#define SPARSEFLOW_RT_TERNARY_FORMAT_H

#include "common/status.h"
#include "sparseflow/weights.h"
#include "ternary/storages/storage.h"

#include <cstdint>
#include <string>

namespace sparseflow::rt {

/// "tern.v1" and so on.
const char *layoutName(TernaryStorage storage);
/// The storage with that layout name; fails and lists the names otherwise.
Expected<TernaryStorage> storageFromLayout(const std::string &name);
inline bool isTwoFour(TernaryStorage storage) {
  return storageOf(storage).isTwoFour();
}

/// Values of TernaryFormat::group that are no number of columns.
inline constexpr int64_t kTensorScale = 0, kRowScale = 1;

/// Rows of a unit, in every layout that has units.
inline constexpr int64_t kTernaryRows = 64;
/// Scales begin at a multiple of this, and so does a blob.
inline constexpr int64_t kTernaryAlignment = 256;

/// The sizes of one ternary matrix and its blob: trits, zeros up to a multiple
/// of 256 bytes, scales, zeros up to a multiple of 16 bytes.
struct TernaryFormat {
  int64_t n = 0, k = 0;
  TernaryStorage storage = TernaryStorage::Codes;
  int planes = 1;
  /// kTensorScale, kRowScale, or the columns of a group: 32, 64, 128 or 256.
  /// The last group of a row may be shorter.
  int64_t group = kTensorScale;
  /// F16, BF16 or F32.
  sf_dtype scaleType = SF_DTYPE_F32;

  /// Checks every field, and that all sizes fit in 63 bits.
  Status verify() const;

  int64_t rowBlocks() const { return (n + kTernaryRows - 1) / kTernaryRows; }
  int64_t rowsPadded() const { return rowBlocks() * kTernaryRows; }
  /// Units along K.
  int64_t colBlocks() const;
  /// Bytes of the numbers of all planes.
  int64_t tritBytes() const;
  int64_t scaleOffset() const;
  /// Scales of one plane along K: 1, or the number of groups of a row.
  int64_t groups() const;
  /// Scales of one plane as the caller gives them, without padding: 1 (tensor),
  /// n (row), groups() * n (group).
  int64_t scalesPerPlane() const;
  /// Bytes of the scales section.
  int64_t scaleBytes() const;
  int64_t blobBytes() const;
  int64_t tritCount() const { return int64_t(planes) * n * k; }
  /// Bits of the blob for each of the n * k weights; 0 for an empty matrix.
  double bitsPerWeight() const;
  /// "64 x 128, tern.v1, 1 plane, a F32 scale a row".
  std::string text() const;
};

/// Bytes of one scale.
int64_t scaleElementBytes(sf_dtype type);

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_TERNARY_FORMAT_H
