//===- unpack24.cpp - Validates and unpacks 2:4 blobs ---------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "weights/pack24.h"

#include "common/parallel.h"

#include <algorithm>
#include <atomic>
#include <cstring>

using namespace sparseflow::rt;

/// Which combinations may be stored: bit (nibble | v0 non-zero << 4 |
/// v1 non-zero << 5). Two non-zeros allow every increasing pair, fewer only the
/// pair that the packer writes, so that equal matrices have equal blobs.
static constexpr uint64_t makeCanonical() {
  uint64_t canonical = 0;
  for (unsigned first = 0; first < 4; ++first)
    for (unsigned second = first + 1; second < 4; ++second) {
      unsigned nibble = first | second << 2;
      canonical |= uint64_t(1) << (nibble | 3u << 4);
      if (second == 3) // one non-zero, at `first`, paired with 3
        canonical |= uint64_t(1) << (nibble | 1u << 4);
      if (first == 2) // one non-zero, at 3, paired with 2
        canonical |= uint64_t(1) << (nibble | 2u << 4);
    }
  return canonical | uint64_t(1) << kEmptyNibble;
}
static constexpr uint64_t kCanonical = makeCanonical();

namespace {

/// Reads a blob, one row block a call; writes the dense rows if there is a
/// place for them.
class Reader {
public:
  Reader(const uint8_t *blob, const Layout24 &layout, uint16_t *dense)
      : blob(blob), layout(layout), dense(dense) {}

  /// False if anything in the block is not canonical.
  bool readRowBlock(int64_t block) const {
    return dense ? readRows<true>(block) : readRows<false>(block);
  }

  /// The first violation of a block, by row, then column.
  Status explain(int64_t block, const std::string &name) const;

private:
  template <bool Store>
  bool readRows(int64_t block) const;
  const uint8_t *unitValues(int64_t block, int64_t unit) const {
    return blob + (block * layout.colBlocks() + unit) * kUnitValueBytes;
  }
  const uint8_t *unitMetadata(int64_t block, int64_t unit) const {
    return blob + layout.valuesBytes() +
           (block * layout.colBlocks() + unit) * kUnitMetadataBytes;
  }

  const uint8_t *blob;
  const Layout24 &layout;
  uint16_t *dense;
};

} // namespace

template <bool Store>
bool Reader::readRows(int64_t block) const {
  uint64_t bad = 0;
  for (int64_t row8 = 0; row8 < kUnitRows; row8 += 8) {
    for (int64_t unit = 0; unit < layout.colBlocks(); ++unit) {
      const uint8_t *values = unitValues(block, unit);
      const uint8_t *metadata = unitMetadata(block, unit);
      int64_t cols = std::min(kUnitCols, layout.k - unit * kUnitCols);
      for (int64_t row = row8; row < row8 + 8; ++row) {
        int64_t denseRow = block * kUnitRows + row;
        // Columns of this unit that exist in this row.
        int64_t live = denseRow < layout.n ? cols : 0;
        uint64_t groups[kUnitCols / 4];
        for (int64_t quad = 0; quad < kQuadsPerUnitRow; ++quad) {
          uint32_t pairs[4];
          uint16_t bits;
          std::memcpy(pairs, values + quadValueOffset(row, quad),
                      sizeof(pairs));
          std::memcpy(&bits, metadata + quadMetadataOffset(row, quad),
                      sizeof(bits));
          for (int g = 0; g < 4; ++g) {
            uint64_t v0 = pairs[g] & 0xffff, v1 = pairs[g] >> 16;
            unsigned nibble = bits >> (4 * g) & 0xf;
            unsigned key = nibble | (v0 != 0) << 4 | (v1 != 0) << 5;
            bool padding = quad * kQuadCols + 4 * g >= live;
            bad |= (~kCanonical >> key & 1) | (v0 == 0x8000) | (v1 == 0x8000) |
                   (padding & (pairs[g] != 0));
            if (Store)
              groups[quad * 4 + g] =
                  v0 << (16 * (nibble & 3)) | v1 << (16 * (nibble >> 2));
          }
        }
        if (Store && live > 0)
          std::memcpy(dense + denseRow * layout.k + unit * kUnitCols, groups,
                      live * 2);
      }
    }
  }
  return bad == 0;
}

Status Reader::explain(int64_t block, const std::string &name) const {
  for (int64_t row = 0; row < kUnitRows; ++row) {
    int64_t denseRow = block * kUnitRows + row;
    for (int64_t col = 0; col < layout.colBlocks() * kUnitCols; col += 4) {
      int64_t unit = col / kUnitCols, quad = col % kUnitCols / kQuadCols;
      int64_t g = col % kQuadCols / 4;
      uint16_t pair[2], bits;
      std::memcpy(pair,
                  unitValues(block, unit) + quadValueOffset(row, quad) + 4 * g,
                  sizeof(pair));
      std::memcpy(&bits,
                  unitMetadata(block, unit) + quadMetadataOffset(row, quad),
                  sizeof(bits));
      unsigned nibble = bits >> (4 * g) & 0xf;
      unsigned first = nibble & 3, second = nibble >> 2;
      bool padding = denseRow >= layout.n || col >= layout.k;
      std::string found = "indices (" + std::to_string(first) + ", " +
                          std::to_string(second) + ")";
      std::string what;
      if (first >= second)
        what = "expected two strictly increasing indices, found " + found;
      else if (pair[0] == 0x8000 || pair[1] == 0x8000)
        what = "expected zeros stored as +0.0, found -0.0";
      else if (padding && (pair[0] || pair[1]))
        what = "expected zeros outside the " + std::to_string(layout.n) +
               " x " + std::to_string(layout.k) + " matrix, found a value";
      else if (unsigned key =
                   nibble | (pair[0] != 0) << 4 | (pair[1] != 0) << 5;
               !(kCanonical >> key & 1))
        what = "expected the canonical padding of a group with fewer than two "
               "non-zeros, found " +
               found;
      else
        continue;
      return formatError(
          (name.empty() ? "" : "tensor '" + printable(name) + "', ") + "row " +
          std::to_string(denseRow) + ", column " + std::to_string(col) +
          " (unit " + std::to_string(block * layout.colBlocks() + unit) +
          "): " + what + "; pack the matrix again");
    }
  }
  return {SF_ERROR_INTERNAL, "the validator saw a violation that is not there"};
}

static Status readAll(const Reader &reader, const Layout24 &layout, int threads,
                      const std::string &name) {
  std::atomic<int64_t> firstBad{INT64_MAX};
  parallelFor(layout.rowBlocks(), threads, [&](int64_t block) {
    if (reader.readRowBlock(block))
      return;
    int64_t seen = firstBad;
    while (block < seen && !firstBad.compare_exchange_weak(seen, block))
      continue;
  });
  return firstBad == INT64_MAX ? Status::success()
                               : reader.explain(firstBad, name);
}

Status sparseflow::rt::validate24(const uint8_t *blob, const Layout24 &layout,
                                  int threads, const std::string &name) {
  return readAll(Reader(blob, layout, nullptr), layout, threads, name);
}

Status sparseflow::rt::unpack24(const uint8_t *blob, const Layout24 &layout,
                                int threads, uint16_t *dense,
                                const std::string &name) {
  if (!dense && layout.denseBytes() != 0)
    return invalidArgument("unpack needs a buffer for the dense matrix");
  return readAll(Reader(blob, layout, dense), layout, threads, name);
}
