//===- layout24.h - The packed 2:4 layout, version 1 ------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where every value and every metadata bit of a packed matrix lies. The packer,
// the unpacker and the validator share this file; docs/formats/packed-2-4.md
// describes the same layout byte by byte.
//
// A matrix W is [N][K]: N out features (rows), K in features (columns), 16-bit
// elements, 2:4 sparse along K. It is cut into units of 64 rows x 64 columns.
// A unit holds 4096 bytes of values and 512 bytes of metadata. The blob is all
// values, unit after unit (row blocks outside, K inside), then all metadata.
//
// The smallest piece with one shape everywhere is a QUAD: one row, 16 dense
// columns, which is 4 groups, 8 nonzeros (16 contiguous bytes) and 16 bits
// of metadata. A unit has 64 rows x 4 quads; quad q covers columns 16q ..
// 16q+15.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_WEIGHTS_LAYOUT24_H
#define SPARSEFLOW_RT_WEIGHTS_LAYOUT24_H

#include "common/status.h"

#include <cstdint>

namespace sparseflow::rt {

/// The name that files and the compiler use for this layout.
inline constexpr char kLayout24Name[] = "sf24.v1";

/// Rows and columns of a unit.
inline constexpr int64_t kUnitRows = 64;
inline constexpr int64_t kUnitCols = 64;
inline constexpr int64_t kUnitValueBytes = 4096;
inline constexpr int64_t kUnitMetadataBytes = 512;
/// The alignment that kernels expect of a blob's base, in memory and in files.
inline constexpr int64_t kBlobAlignment = 256;

/// Columns 16q .. 16q+15 of one row.
inline constexpr int64_t kQuadCols = 16;
inline constexpr int64_t kQuadsPerUnitRow = kUnitCols / kQuadCols;

/// Metadata of a group with no non-zero: positions 0 and 1.
inline constexpr unsigned kEmptyNibble = 0x4;
/// Four such groups.
inline constexpr uint16_t kEmptyQuadMetadata = 0x4444;

/// The sizes of one packed matrix.
struct Layout24 {
  int64_t n = 0;
  int64_t k = 0;

  /// Fails unless n >= 0, k >= 0, k is a multiple of 4 and every byte count
  /// below fits in 63 bits.
  static Expected<Layout24> create(int64_t n, int64_t k);

  int64_t rowBlocks() const { return (n + kUnitRows - 1) / kUnitRows; }
  int64_t colBlocks() const { return (k + kUnitCols - 1) / kUnitCols; }
  int64_t units() const { return rowBlocks() * colBlocks(); }
  int64_t valuesBytes() const { return units() * kUnitValueBytes; }
  int64_t metadataBytes() const { return units() * kUnitMetadataBytes; }
  int64_t blobBytes() const { return valuesBytes() + metadataBytes(); }
  int64_t denseBytes() const { return n * k * 2; }
};

/// Byte offset inside a unit's values of the 8 values of (row, quad). Two quads
/// make an m64k32 block of 2048 bytes; inside it rows and quads form 8x8 core
/// matrices of 128 bytes.
constexpr int64_t quadValueOffset(int64_t row, int64_t quad) {
  return (quad / 2) * 2048 + ((row / 8) * 2 + quad % 2) * 128 + (row % 8) * 16;
}

/// Byte offset inside a unit's metadata of the 16 bits of (row, quad). Word
/// 32*(row/16) + 4*(row%8) + quad; rows 8..15 of 16 take its upper half.
constexpr int64_t quadMetadataOffset(int64_t row, int64_t quad) {
  return (32 * (row / 16) + 4 * (row % 8) + quad) * 4 + (row % 16 / 8) * 2;
}

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "the packed layout is little endian and is written directly");

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_WEIGHTS_LAYOUT24_H
