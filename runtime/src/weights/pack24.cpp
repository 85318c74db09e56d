//===- pack24.cpp - Packs and prunes dense matrices to 2:4 ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "weights/pack24.h"

#include "common/parallel.h"
#include "weights/convert.h"
#include "weights/group24.h"
#include "weights/prune_kernels.h"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace sparseflow::rt;

namespace {

/// What one pass over a row block has seen.
struct Tally {
  uint64_t nonFinite = 0; ///< lane high bits: any element >= the limit
  unsigned tooMany = 0;   ///< any group with more than two non-zeros
  int64_t nonZeros = 0, keptNonZeros = 0;
  double energy = 0, keptEnergy = 0;
};

/// Packs a dense matrix, one row block a call.
class Packer {
public:
  Packer(const uint16_t *dense, const Layout24 &layout, sf_dtype dtype,
         const PackOptions &options, uint8_t *blob)
      : dense(dense), layout(layout), dtype(dtype), options(options),
        blob(blob) {}

  Tally packRowBlock(int64_t block) const {
    return options.prune ? packRows<true>(block) : packRows<false>(block);
  }

private:
  template <bool Prune>
  Tally packRows(int64_t block) const;

  const uint16_t *dense;
  const Layout24 &layout;
  sf_dtype dtype;
  const PackOptions &options;
  uint8_t *blob;
};

} // namespace

template <bool Prune>
Tally Packer::packRows(int64_t block) const {
  Tally tally;
  LaneCounter counter;
  const PruneKernel prune = pruneKernel();
  const uint64_t toLimit = kLaneLow * (0x8000u - nonFiniteMagnitude(dtype));
  const int64_t colBlocks = layout.colBlocks();
  uint8_t *values = blob + block * colBlocks * kUnitValueBytes;
  uint8_t *metadata =
      blob + layout.valuesBytes() + block * colBlocks * kUnitMetadataBytes;
  uint16_t buffer[kUnitCols];

  // Eight rows at a time: they share core matrices, so that every 128-byte
  // line of the result is written at once, and eight streams are few enough
  // for the hardware prefetcher.
  for (int64_t row8 = 0; row8 < kUnitRows; row8 += 8) {
    for (int64_t unit = 0; unit < colBlocks; ++unit) {
      int64_t cols = std::min(kUnitCols, layout.k - unit * kUnitCols);
      for (int64_t row = row8; row < row8 + 8; ++row) {
        int64_t denseRow = block * kUnitRows + row;
        const uint16_t *source = buffer;
        if (denseRow < layout.n)
          source = dense + denseRow * layout.k + unit * kUnitCols;
        if (denseRow >= layout.n || cols < kUnitCols) {
          std::memset(buffer, 0, sizeof(buffer));
          if (denseRow < layout.n)
            std::memcpy(buffer, source, cols * 2);
          source = buffer;
        }
        if (Prune) {
          // A NaN or infinity is among the two largest: the check below still
          // sees one of its group.
          tally.nonZeros += prune(source, buffer, kUnitCols / 4).nonZeros;
          source = buffer;
        }
        for (int64_t quad = 0; quad < kQuadsPerUnitRow; ++quad) {
          uint64_t groups[4];
          uint32_t pairs[4];
          unsigned bits = 0;
          std::memcpy(groups, source + quad * kQuadCols, sizeof(groups));
          for (int g = 0; g < 4; ++g) {
            uint64_t group = groups[g];
            tally.nonFinite |= (group & kLaneMagnitude) + toLimit;
            uint64_t nonZero = nonZeroLanes(group);
            counter.add(nonZero);
            // Clears the sign of -0.0.
            group &= fillLanes(nonZero);
            const GroupCode &code = kGroupCodes.byMask[laneMask(nonZero)];
            tally.tooMany |= code.tooMany;
            pairs[g] = (group >> code.shift0 & 0xffff) |
                       (group >> code.shift1 & 0xffff) << 16;
            bits |= unsigned(code.nibble) << (4 * g);
          }
          uint16_t bits16 = bits;
          std::memcpy(values + unit * kUnitValueBytes +
                          quadValueOffset(row, quad),
                      pairs, sizeof(pairs));
          std::memcpy(metadata + unit * kUnitMetadataBytes +
                          quadMetadataOffset(row, quad),
                      &bits16, sizeof(bits16));
        }
      }
      tally.keptNonZeros += counter.take();
    }
  }
  tally.nonFinite &= kLaneHigh;
  if (!Prune)
    tally.nonZeros = tally.keptNonZeros;

  if (options.measureEnergy) {
    int64_t first = block * kUnitRows;
    int64_t rows = std::min(kUnitRows, layout.n - first);
    tally.energy =
        sumOfSquares(dense + first * layout.k, rows * layout.k, dtype);
    tally.keptEnergy = sumOfSquares(reinterpret_cast<uint16_t *>(values),
                                    colBlocks * kUnitValueBytes / 2, dtype);
  }
  return tally;
}

/// Prunes one row block in place.
static Tally pruneRows(uint16_t *dense, const Layout24 &layout, sf_dtype dtype,
                       bool measureEnergy, int64_t block) {
  Tally tally;
  int64_t first = block * kUnitRows;
  int64_t rows = std::min(kUnitRows, layout.n - first);
  uint16_t *data = dense + first * layout.k;
  int64_t count = rows * layout.k;
  if (measureEnergy)
    tally.energy = sumOfSquares(data, count, dtype);
  PruneCounts counts = pruneKernel()(data, data, count / 4);
  tally.nonZeros = counts.nonZeros;
  tally.keptNonZeros = counts.kept;
  if (measureEnergy)
    tally.keptEnergy = sumOfSquares(data, count, dtype);
  return tally;
}

static std::string place(const PackOptions &options, int64_t row, int64_t col) {
  std::string text =
      "row " + std::to_string(row) + ", column " + std::to_string(col);
  return options.name.empty()
             ? text
             : "tensor '" + printable(options.name) + "', " + text;
}

/// The first element or group, in row-major order, that pack24 refuses.
static Status firstViolation(const uint16_t *dense, const Layout24 &layout,
                             sf_dtype dtype, const PackOptions &options,
                             int64_t firstBlock) {
  uint16_t limit = nonFiniteMagnitude(dtype);
  for (int64_t row = firstBlock * kUnitRows; row < layout.n; ++row) {
    for (int64_t col = 0; col < layout.k; col += 4) {
      const uint16_t *group = dense + row * layout.k + col;
      int nonZeros = 0;
      for (int j = 0; j < 4; ++j) {
        uint16_t magnitude = group[j] & 0x7fff;
        nonZeros += magnitude != 0;
        if (!options.allowNonFinite && magnitude >= limit)
          return formatError(
              place(options, row, col + j) + " (element " +
              std::to_string(row * layout.k + col + j) +
              "): expected a finite weight, found " +
              (magnitude > limit ? "NaN" : "infinity") +
              "; repair the source or allow non-finite values explicitly");
      }
      if (!options.prune && nonZeros > 2)
        return formatError(
            place(options, row, col) +
            ": expected at most 2 non-zeros in the 4 columns from here (2:4), "
            "found " +
            std::to_string(nonZeros) +
            "; prune the matrix first or let the packer prune");
    }
  }
  return {SF_ERROR_INTERNAL, "the packer saw a violation that is not there"};
}

/// Runs `work` over all row blocks and adds the tallies up in block order, so
/// that sums of energies do not depend on the number of threads. Returns the
/// first block that must be refused, or -1.
template <typename Work>
static int64_t runBlocks(const Layout24 &layout, const PackOptions &options,
                         PackReport *report, Work work) {
  std::vector<Tally> tallies(layout.rowBlocks());
  parallelFor(layout.rowBlocks(), options.threads,
              [&](int64_t block) { tallies[block] = work(block); });
  PackReport sum;
  for (int64_t block = 0; block < layout.rowBlocks(); ++block) {
    const Tally &tally = tallies[block];
    if ((tally.nonFinite && !options.allowNonFinite) ||
        (tally.tooMany && !options.prune))
      return block;
    sum.nonZeros += tally.nonZeros;
    sum.keptNonZeros += tally.keptNonZeros;
    sum.energy += tally.energy;
    sum.keptEnergy += tally.keptEnergy;
  }
  if (report)
    *report = sum;
  return -1;
}

static Status checkType(sf_dtype dtype) {
  if (isPackable(dtype))
    return Status::success();
  return unsupported(std::string("2:4 matrices hold F16 or BF16, found ") +
                     dtypeName(dtype) + "; convert first");
}

Status sparseflow::rt::pack24(const uint16_t *dense, const Layout24 &layout,
                              sf_dtype dtype, const PackOptions &options,
                              uint8_t *blob, PackReport *report) {
  if (Status status = checkType(dtype); !status)
    return status;
  Packer packer(dense, layout, dtype, options, blob);
  int64_t bad = runBlocks(layout, options, report, [&](int64_t block) {
    return packer.packRowBlock(block);
  });
  return bad < 0 ? Status::success()
                 : firstViolation(dense, layout, dtype, options, bad);
}

Status sparseflow::rt::prune24(uint16_t *dense, const Layout24 &layout,
                               sf_dtype dtype, const PackOptions &options,
                               PackReport *report) {
  if (Status status = checkType(dtype); !status)
    return status;
  PackOptions pruning = options;
  pruning.prune = true;
  // Look for NaN and infinity first: pruning in place would hide the evidence.
  if (!options.allowNonFinite) {
    std::vector<uint8_t> found(layout.rowBlocks());
    parallelFor(layout.rowBlocks(), options.threads, [&](int64_t block) {
      int64_t first = block * kUnitRows;
      int64_t rows = std::min(kUnitRows, layout.n - first);
      found[block] =
          anyNonFinite(dense + first * layout.k, rows * layout.k, dtype);
    });
    for (int64_t block = 0; block < layout.rowBlocks(); ++block)
      if (found[block])
        return firstViolation(dense, layout, dtype, pruning, block);
  }
  runBlocks(layout, pruning, report, [&](int64_t block) {
    return pruneRows(dense, layout, dtype, options.measureEnergy, block);
  });
  return Status::success();
}
