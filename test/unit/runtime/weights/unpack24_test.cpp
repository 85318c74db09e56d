//===- unpack24_test.cpp - The unpacker and the validator -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "matrices.h"
#include "weights/pack24.h"

#include <gtest/gtest.h>

using namespace sparseflow::rt;
using namespace sparseflow::test;

namespace {

/// A packed matrix that a test damages.
struct Packed {
  Layout24 layout;
  std::vector<uint8_t> blob;

  explicit Packed(const Dense &dense)
      : layout(*Layout24::create(dense.n, dense.k)),
        blob(referencePack(dense)) {}

  Status validate(int threads = 1) const {
    return validate24(blob.data(), layout, threads);
  }
  /// The same verdict from both functions, or the test fails.
  Status verdict() const {
    Status validated = validate();
    std::vector<uint16_t> dense(layout.n * layout.k);
    Status unpacked = unpack24(blob.data(), layout, 1, dense.data());
    EXPECT_EQ(validated.code(), unpacked.code());
    EXPECT_EQ(validated.text(), unpacked.text());
    return validated;
  }
  uint8_t *metadata() { return blob.data() + layout.valuesBytes(); }
};

bool contains(const Status &status, const std::string &part) {
  return status.text().find(part) != std::string::npos;
}

} // namespace

TEST(Unpack24, RoundTripIsExactForAllShapes) {
  for (int64_t n : {1, 7, 63, 64, 65, 129})
    for (int64_t k = 4; k <= 200; k += 4) {
      Dense dense = randomSparse(n, k, n * 777 + k);
      Packed packed(dense);
      ASSERT_TRUE(packed.validate());
      // One guard element behind the matrix must survive.
      std::vector<uint16_t> result(n * k + 1, 0xdead);
      ASSERT_TRUE(
          unpack24(packed.blob.data(), packed.layout, 1, result.data()));
      ASSERT_EQ(result.back(), 0xdead);
      result.pop_back();
      ASSERT_EQ(result, dense.data) << n << " x " << k;
    }
}

TEST(Unpack24, EveryFiniteAndNonFiniteBitPattern) {
  // Values are carried as bits, so packing with the flag and unpacking must
  // return all of them, except -0.0.
  Dense dense(64, 2048);
  for (unsigned bits = 0; bits < 65536; ++bits)
    dense.data[bits * 2] = bits; // two a group
  std::vector<uint8_t> blob(Layout24::create(64, 2048)->blobBytes());
  PackOptions options;
  options.allowNonFinite = true;
  ASSERT_TRUE(pack24(dense.data.data(), *Layout24::create(64, 2048),
                     SF_DTYPE_F16, options, blob.data()));
  std::vector<uint16_t> result(dense.data.size());
  ASSERT_TRUE(
      unpack24(blob.data(), *Layout24::create(64, 2048), 0, result.data()));
  dense.data[0x8000 * 2] = 0;
  EXPECT_EQ(result, dense.data);
}

TEST(Unpack24, SameResultForEveryNumberOfThreads) {
  Dense dense = randomSparse(1000, 132, 9);
  Packed packed(dense);
  for (int threads : {0, 1, 2, 3, 16}) {
    std::vector<uint16_t> result(dense.data.size());
    ASSERT_TRUE(
        unpack24(packed.blob.data(), packed.layout, threads, result.data()));
    EXPECT_EQ(result, dense.data);
  }
}

TEST(Unpack24, NeedsABuffer) {
  Packed packed(Dense(1, 4));
  Status status = unpack24(packed.blob.data(), packed.layout, 1, nullptr);
  EXPECT_EQ(status.code(), SF_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(status.text(), "unpack needs a buffer for the dense matrix");
}

TEST(Validate24, EveryNibbleWithEveryPatternOfZeros) {
  // 16 nibbles x {value, zero}^2, in a live group, in a padding column group
  // and in a padding row. The table is the format document's.
  for (unsigned nibble = 0; nibble < 16; ++nibble)
    for (unsigned nonZero = 0; nonZero < 4; ++nonZero)
      for (int where = 0; where < 3; ++where) {
        unsigned first = nibble & 3, second = nibble >> 2;
        bool legal = first < second;
        if (nonZero == 0)
          legal &= first == 0 && second == 1;
        else if (nonZero == 1)
          legal &= second == 3;
        else if (nonZero == 2)
          legal &= first == 2 && second == 3;
        if (where > 0)
          legal &= nonZero == 0;

        Packed packed(Dense(3, 20)); // live: rows 0..2, columns 0..19
        int64_t row = where == 2 ? 3 : 2, group = where == 1 ? 5 : 4;
        int64_t kh = group / 8, g4 = group % 8;
        for (int i = 0; i < 2; ++i) {
          int64_t c = 2 * g4 + i;
          uint16_t value = nonZero >> i & 1 ? 0x3c00 : 0;
          std::memcpy(
              &packed.blob[kh * 2048 +
                           ((row / 8 * 2 + c / 8) * 64 + row * 8 + c % 8) * 2],
              &value, 2);
        }
        int64_t t = 4 * row + 2 * kh + g4 / 4;
        uint8_t &byte = packed.metadata()[t * 4 + g4 % 4 / 2];
        int shift = g4 % 2 * 4;
        byte = (byte & ~(0xf << shift)) | nibble << shift;

        Status status = packed.verdict();
        EXPECT_EQ(status.ok(), legal)
            << "nibble " << nibble << ", non-zeros " << nonZero << ", place "
            << where << ": " << status.text();
        if (!legal) {
          EXPECT_EQ(status.code(), SF_ERROR_FORMAT);
          EXPECT_TRUE(
              contains(status, "row " + std::to_string(row) + ", column " +
                                   std::to_string(4 * group) + " (unit 0)"))
              << status.text();
        }
        EXPECT_EQ(contains(status, "strictly increasing"), first >= second);
      }
}

TEST(Validate24, RefusesNegativeZero) {
  // Each in a pair that would be canonical for a non-zero at its place, and
  // both beside a real value.
  for (int i = 0; i < 2; ++i)
    for (uint16_t other : {0, 0x3c00}) {
      Packed packed(Dense(1, 4));
      uint16_t pair[2] = {other, other};
      pair[i] = 0x8000;
      std::memcpy(packed.blob.data(), pair, sizeof(pair));
      packed.metadata()[0] = 0x40 | (i == 0 ? 0xc : 0xe);
      EXPECT_TRUE(contains(packed.verdict(), "-0.0"))
          << packed.verdict().text();
    }
}

TEST(Validate24, EveryMetadataBitMattersSomewhere) {
  // One flipped metadata bit makes another pair: with two non-zeros it is
  // legal exactly when the pair still increases; never a crash, never silence
  // about a pair that does not.
  Dense dense(64, 64);
  for (int64_t row = 0; row < 64; ++row)
    for (int64_t col = 0; col < 64; col += 4) {
      dense.at(row, col + (row + col / 4) % 3) = 0x3c00;
      dense.at(row, col + 3) = 0x4000;
    }
  Packed packed(dense);
  int refused = 0;
  for (int64_t bit = 0; bit < 512 * 8; ++bit) {
    uint8_t &byte = packed.metadata()[bit / 8];
    byte ^= 1 << bit % 8;
    unsigned nibble = byte >> (bit % 8 / 4 * 4) & 0xf;
    bool increasing = (nibble & 3) < nibble >> 2;
    EXPECT_EQ(packed.validate().ok(), increasing) << bit;
    refused += !increasing;
    byte ^= 1 << bit % 8;
  }
  EXPECT_GT(refused, 1000);
  EXPECT_TRUE(packed.validate());
}

TEST(Validate24, NamesTheFirstViolationWhateverTheThreads) {
  Packed packed(randomSparse(400, 64, 4));
  for (int64_t unit : {2, 3, 6})
    packed.metadata()[unit * 512] = 0x00;
  for (int threads : {1, 2, 5}) {
    Status status = packed.validate(threads);
    EXPECT_TRUE(contains(status, "row 128, column 0 (unit 2)"))
        << status.text();
  }
}

TEST(Validate24, EmptyMatrix) {
  Layout24 layout = *Layout24::create(0, 64);
  EXPECT_TRUE(validate24(nullptr, layout, 1));
  EXPECT_TRUE(unpack24(nullptr, layout, 1, nullptr));
}
