//===- pack.cpp - Packs, checks and unpacks quantized weights -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ternary/pack.h"

#include "common/parallel.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <vector>

using namespace sparseflow::rt;

namespace {

/// The numbers of one plane in 64 rows: the piece of work of one thread. Paths
/// that write the numbers of a blob and paths that read them share the places.
class Block {
public:
  Block(const TernaryFormat &format, int64_t index)
      : format(format), storage(storageOf(format.storage)),
        block(index % format.rowBlocks()), plane(index / format.rowBlocks()),
        firstRow(block * kTernaryRows),
        rows(std::min(kTernaryRows, format.n - firstRow)) {}

  /// `numbers` begins at plane 0, row 0. False if anything is not legal.
  bool encode(const int8_t *numbers, uint8_t *blob) const;
  /// Writes rows of `stride` numbers from `target`, which may be null. False if
  /// anything is not legal, padding included.
  bool decode(const uint8_t *blob, int8_t *target, int64_t stride) const;

  const TernaryFormat &format;
  const Storage &storage;
  int64_t block, plane, firstRow, rows;

private:
  /// What rows and columns behind the last ones hold.
  void fillPadding(int8_t *row, int64_t from, int64_t to) const;
  bool isPadding(const int8_t *row, int64_t from, int64_t to) const;
  /// Where a unit of 64 rows is in the blob.
  int64_t unitPlace(int64_t unit) const {
    return ((block * format.colBlocks() + unit) * format.planes + plane) *
           storage.bytes;
  }
  /// Where the first part of row `r` of the block is, if units have one row,
  /// and the distance to the next part.
  int64_t rowPlace(int64_t r) const {
    int64_t bytes = format.colBlocks() * storage.bytes / storage.parts;
    return (storage.parts * plane * format.n + firstRow + r) * bytes;
  }
  int64_t partStride() const {
    return format.n * format.colBlocks() * storage.bytes / storage.parts;
  }
};

} // namespace

// Columns of the widest unit.
static constexpr int64_t kWidestUnit = 256;

void Block::fillPadding(int8_t *row, int64_t from, int64_t to) const {
  std::memset(row + from, 0, to - from);
  // A layout of exactly two of four cannot say "empty": both of its pair read
  // +1, and K ends at a multiple of 4.
  if (storage.exactly)
    for (int64_t col = from; col < to; col += 4)
      row[col] = row[col + 1] = 1;
}

bool Block::isPadding(const int8_t *row, int64_t from, int64_t to) const {
  int8_t expected[kWidestUnit];
  fillPadding(expected, from, to);
  return std::memcmp(row + from, expected + from, to - from) == 0;
}

bool Block::encode(const int8_t *numbers, uint8_t *blob) const {
  const int8_t *source = numbers + (plane * format.n + firstRow) * format.k;
  bool good = true;
  if (storage.rows == 1) {
    for (int64_t r = 0; r < rows; ++r)
      good &= storage.encodeRow(source + r * format.k, format.k,
                                blob + rowPlace(r), partStride());
    return good;
  }

  int64_t unitCols = storage.columns;
  int8_t padded[2][kWidestUnit];
  for (int64_t unit = 0; unit < format.colBlocks(); ++unit) {
    int64_t cols = std::min(unitCols, format.k - unit * unitCols);
    for (int m = 0; m < 4; ++m)
      for (int g = 0; g < 8; ++g) {
        const int8_t *row[2];
        for (int r = 0; r < 2; ++r) {
          int64_t at = 16 * m + g + 8 * r;
          row[r] = source + at * format.k + unit * unitCols;
          if (at < rows && cols == unitCols)
            continue;
          int64_t known = at < rows ? cols : 0;
          if (known)
            std::memcpy(padded[r], row[r], known);
          fillPadding(padded[r], known, unitCols);
          row[r] = padded[r];
        }
        good &= storage.encodePair(row[0], row[1], 8 * m + g,
                                   blob + unitPlace(unit));
      }
  }
  return good;
}

bool Block::decode(const uint8_t *blob, int8_t *target, int64_t stride) const {
  bool good = true;
  if (storage.rows == 1) {
    std::vector<int8_t> scratch(target ? 0 : format.k);
    for (int64_t r = 0; r < rows; ++r)
      good &= storage.decodeRow(blob + rowPlace(r), format.k, partStride(),
                                target ? target + r * stride : scratch.data());
    return good;
  }

  int64_t unitCols = storage.columns;
  int8_t decoded[2][kWidestUnit];
  for (int64_t unit = 0; unit < format.colBlocks(); ++unit) {
    int64_t cols = std::min(unitCols, format.k - unit * unitCols);
    for (int m = 0; m < 4; ++m)
      for (int g = 0; g < 8; ++g) {
        good &= storage.decodePair(blob + unitPlace(unit), 8 * m + g,
                                   decoded[0], decoded[1]);
        for (int r = 0; r < 2; ++r) {
          int64_t at = 16 * m + g + 8 * r;
          int64_t known = at < rows ? cols : 0;
          if (known && target)
            std::memcpy(target + at * stride + unit * unitCols, decoded[r],
                        known);
          if (known < unitCols)
            good &= isPadding(decoded[r], known, unitCols);
        }
      }
  }
  return good;
}

//===----------------------------------------------------------------------===//
// What was wrong
//===----------------------------------------------------------------------===//

static std::string tensorText(const std::string &name) {
  return name.empty() ? "" : "tensor '" + printable(name) + "', ";
}

static std::string place(const TernaryFormat &format, const std::string &name,
                         int64_t plane, int64_t row, int64_t col) {
  return tensorText(name) +
         (format.planes > 1 ? "plane " + std::to_string(plane) + ", " : "") +
         "row " + std::to_string(row) + ", column " + std::to_string(col);
}

/// "a trit (-1, 0 or 1)", or "a whole number from -8 to 7".
static std::string rangeText(const Storage &storage) {
  if (storage.isTernary())
    return "a trit (-1, 0 or 1)";
  return "a whole number from " + std::to_string(storage.low) + " to " +
         std::to_string(storage.high);
}

static Status explainEncode(const Block &block, const int8_t *numbers,
                            const std::string &name) {
  const TernaryFormat &format = block.format;
  const Storage &storage = block.storage;
  for (int64_t r = 0; r < block.rows; ++r) {
    int64_t at = block.firstRow + r;
    const int8_t *row = numbers + (block.plane * format.n + at) * format.k;
    for (int64_t col = 0; col < format.k; ++col)
      if (row[col] < storage.low || row[col] > storage.high)
        return formatError(place(format, name, block.plane, at, col) +
                           ": expected " + rangeText(storage) + ", found " +
                           std::to_string(row[col]) + "; " +
                           (storage.isTernary() ? "ternarise" : "quantize") +
                           " the weights first");
    if (!storage.isTwoFour())
      continue;
    bool exact = storage.exactly;
    for (int64_t col = 0; col < format.k; col += 4) {
      int count = 0;
      for (int j = 0; j < 4; ++j)
        count += row[col + j] != 0;
      if (exact ? count != 2 : count > 2)
        return formatError(place(format, name, block.plane, at, col) +
                           ": expected " + (exact ? "exactly" : "at most") +
                           " 2 non-zeros in the 4 columns from here, found " +
                           std::to_string(count) + "; " +
                           (exact && count < 2
                                ? "use tern24z.v1, which stores zeros"
                                : "make the weights 2:4 first, or use "
                                  "tern.v1"));
    }
  }
  return {SF_ERROR_INTERNAL, "the packer saw a violation that is not there"};
}

static Status explainDecode(const Block &block, const uint8_t *blob,
                            const std::string &name) {
  const TernaryFormat &format = block.format;
  const Storage &storage = block.storage;
  std::vector<int8_t> numbers(block.rows * format.k);
  (void)block.decode(blob, numbers.data(), format.k);
  for (size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] < storage.low || numbers[i] > storage.high)
      return formatError(place(format, name, block.plane,
                               block.firstRow + i / format.k, i % format.k) +
                         ": " + storage.illegal +
                         "; the weights are damaged, pack or fetch them again");
  return formatError(tensorText(name) + "rows from " +
                     std::to_string(block.firstRow) +
                     ": the padding behind the matrix is not what the packer "
                     "writes; the weights are damaged, pack them again");
}

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

static Status scaleError(const TernaryFormat &format, const std::string &name,
                         int64_t index, const std::string &what) {
  int64_t each = std::max<int64_t>(format.scalesPerPlane(), 1);
  int64_t inPlane = index % each;
  std::string where = tensorText(name) + "scale";
  if (format.planes > 1)
    where += " of plane " + std::to_string(index / each);
  if (format.group != kTensorScale)
    where += (format.group == kRowScale ? "" : ",") + std::string(" row ") +
             std::to_string(inPlane % format.n);
  if (format.group > kRowScale)
    where +=
        ", columns from " + std::to_string(inPlane / format.n * format.group);
  return formatError(where + ": " + what);
}

/// Byte offset, in the scales section, of the scale at `index` of the caller's
/// order: rows are padded to 64 there.
static int64_t scalePlace(const TernaryFormat &format, int64_t index) {
  int64_t bytes = scaleElementBytes(format.scaleType);
  if (format.group == kTensorScale)
    return index * bytes;
  return (index / format.n * format.rowsPadded() + index % format.n) * bytes;
}

static Status packScales(const float *scales, const TernaryFormat &format,
                         const std::string &name, uint8_t *section) {
  // Not memset: the blob of an empty matrix may be null.
  std::fill_n(section, format.scaleBytes(), uint8_t(0));
  int64_t count = format.planes * format.scalesPerPlane();
  for (int64_t i = 0; i < count; ++i) {
    if (!(scales[i] - scales[i] == 0))
      return scaleError(format, name, i,
                        "expected a finite number, found NaN or infinity; "
                        "repair the source");
    float back = scales[i];
    roundScales(&back, 1, format.scaleType);
    if (back != scales[i])
      return scaleError(format, name, i,
                        "the number is not one of the scale type; round it "
                        "first or use F32 scales");
    storeScale(scales[i], format.scaleType, section + scalePlace(format, i));
  }
  return Status::success();
}

static Status unpackScales(const uint8_t *section, const TernaryFormat &format,
                           const std::string &name, float *scales) {
  int64_t count = format.planes * format.scalesPerPlane();
  for (int64_t i = 0; i < count; ++i) {
    float value = loadScale(section + scalePlace(format, i), format.scaleType);
    if (!(value - value == 0))
      return scaleError(format, name, i,
                        "expected a finite number, found NaN or infinity; "
                        "pack the weights again");
    if (scales)
      scales[i] = value;
  }
  // What is left are rows behind the last one and the end of the section.
  int64_t bytes = scaleElementBytes(format.scaleType);
  int64_t runs =
      format.group == kTensorScale ? 1 : format.planes * format.groups();
  int64_t width = format.group == kTensorScale ? count : format.n;
  int64_t pitch = format.group == kTensorScale ? format.scaleBytes() / bytes
                                               : format.rowsPadded();
  for (int64_t run = 0; run < runs; ++run) {
    const uint8_t *from = section + (run * pitch + width) * bytes;
    const uint8_t *to = run + 1 < runs ? section + (run + 1) * pitch * bytes
                                       : section + format.scaleBytes();
    if (std::any_of(from, to, [](uint8_t b) { return b != 0; }))
      return formatError(tensorText(name) +
                         "the padding between the scales is not zero; the "
                         "weights are damaged, pack them again");
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// The whole matrix
//===----------------------------------------------------------------------===//

/// Runs `work` over all blocks; the first that returned false, or -1.
template <typename Work>
static int64_t firstBad(const TernaryFormat &format, int threads, Work work) {
  int64_t count = format.planes * format.rowBlocks();
  std::atomic<int64_t> bad{count};
  parallelFor(count, threads, [&](int64_t index) {
    if (work(Block(format, index)))
      return;
    int64_t seen = bad;
    while (index < seen && !bad.compare_exchange_weak(seen, index)) {
    }
  });
  return bad == count ? -1 : bad.load();
}

Status sparseflow::rt::packTernary(const int8_t *trits, const float *scales,
                                   const TernaryFormat &format,
                                   const std::string &name, int threads,
                                   uint8_t *blob) {
  if (Status status = format.verify(); !status)
    return status.withContext("tensor '" + printable(name) + "'");
  int64_t bad = firstBad(format, threads, [&](const Block &block) {
    return block.encode(trits, blob);
  });
  if (bad >= 0)
    return explainEncode(Block(format, bad), trits, name);
  std::fill_n(blob + format.tritBytes(),
              format.scaleOffset() - format.tritBytes(), uint8_t(0));
  return packScales(scales, format, name, blob + format.scaleOffset());
}

Status sparseflow::rt::unpackTernary(const uint8_t *blob,
                                     const TernaryFormat &format,
                                     const std::string &name, int threads,
                                     int8_t *trits, float *scales) {
  if (Status status = format.verify(); !status)
    return status.withContext("tensor '" + printable(name) + "'");
  int64_t bad = firstBad(format, threads, [&](const Block &block) {
    int8_t *target =
        trits ? trits + (block.plane * format.n + block.firstRow) * format.k
              : nullptr;
    return block.decode(blob, target, format.k);
  });
  if (bad >= 0)
    return explainDecode(Block(format, bad), blob, name);
  if (std::any_of(blob + format.tritBytes(), blob + format.scaleOffset(),
                  [](uint8_t b) { return b != 0; }))
    return formatError(tensorText(name) +
                       "the padding before the scales is not zero; the "
                       "weights are damaged, pack them again");
  return unpackScales(blob + format.scaleOffset(), format, name, scales);
}
