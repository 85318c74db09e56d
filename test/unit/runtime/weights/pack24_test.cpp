//===- pack24_test.cpp - The packer and the pruner ------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "matrices.h"
#include "weights/group24.h"
#include "weights/pack24.h"
#include "weights/prune_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace sparseflow::rt;
using namespace sparseflow::test;

namespace {

std::vector<uint8_t> packOrDie(const Dense &dense, PackOptions options = {},
                               sf_dtype dtype = SF_DTYPE_F16,
                               PackReport *report = nullptr) {
  Layout24 layout = *Layout24::create(dense.n, dense.k);
  // Poison: the packer has to write every byte.
  std::vector<uint8_t> blob(layout.blobBytes(), 0xa5);
  Status status =
      pack24(dense.data.data(), layout, dtype, options, blob.data(), report);
  EXPECT_TRUE(status.ok()) << status.text();
  return blob;
}

Status packError(const Dense &dense, PackOptions options = {},
                 sf_dtype dtype = SF_DTYPE_F16) {
  Layout24 layout = *Layout24::create(dense.n, dense.k);
  std::vector<uint8_t> blob(layout.blobBytes());
  return pack24(dense.data.data(), layout, dtype, options, blob.data());
}

bool contains(const Status &status, const std::string &part) {
  return status.text().find(part) != std::string::npos;
}

} // namespace

TEST(Layout24, SizesOfTheFormatDocument) {
  Layout24 layout = *Layout24::create(65, 132);
  EXPECT_EQ(layout.rowBlocks(), 2);
  EXPECT_EQ(layout.colBlocks(), 3);
  EXPECT_EQ(layout.valuesBytes(), 6 * 4096);
  EXPECT_EQ(layout.metadataBytes(), 6 * 512);
  EXPECT_EQ(layout.denseBytes(), 65 * 132 * 2);
  EXPECT_EQ(Layout24::create(0, 0)->blobBytes(), 0);
  EXPECT_EQ(Layout24::create(0, 64)->blobBytes(), 0);
  EXPECT_EQ(Layout24::create(7, 0)->blobBytes(), 0);
}

TEST(Layout24, RefusesSizesThatCannotBe) {
  for (int64_t k : {1, 2, 3, 5, 6, 7, 63, 66})
    EXPECT_FALSE(Layout24::create(64, k)) << k;
  EXPECT_FALSE(Layout24::create(-1, 64));
  EXPECT_FALSE(Layout24::create(64, -4));
  constexpr int64_t max = std::numeric_limits<int64_t>::max();
  EXPECT_FALSE(Layout24::create(max, 4));
  EXPECT_FALSE(Layout24::create(4, max - 3));
  EXPECT_FALSE(Layout24::create(int64_t(1) << 31, int64_t(1) << 31));
  EXPECT_TRUE(Layout24::create(int64_t(1) << 30, int64_t(1) << 30));
  EXPECT_EQ(Layout24::create(64, 6).status().code(), SF_ERROR_INVALID_ARGUMENT);
}

TEST(Pack24, EqualsTheReferenceForAllShapes) {
  for (int64_t n : {1, 7, 8, 16, 63, 64, 65, 129})
    for (int64_t k = 4; k <= 200; k += 4) {
      Dense dense = randomSparse(n, k, n * 1000 + k);
      ASSERT_EQ(packOrDie(dense), referencePack(dense)) << n << " x " << k;
    }
}

TEST(Pack24, EmptyShapesGiveAnEmptyBlob) {
  EXPECT_TRUE(packOrDie(Dense(0, 64)).empty());
  EXPECT_TRUE(packOrDie(Dense(64, 0)).empty());
}

TEST(Pack24, ClaimsOfSizeAreBounded) {
  EXPECT_FALSE(Layout24::create(int64_t(1) << 40, 0));
  EXPECT_FALSE(Layout24::create(0, int64_t(1) << 40));
  EXPECT_TRUE(Layout24::create(1 << 16, 0));
}

TEST(Pack24, EveryMaskOfAGroup) {
  // The pair (first, second) that the format prescribes; {-1} = refused.
  const int expected[16][2] = {{0, 1}, {0, 3}, {1, 3}, {0, 1}, {2, 3}, {0, 2},
                               {1, 2}, {-1},   {2, 3}, {0, 3}, {1, 3}, {-1},
                               {2, 3}, {-1},   {-1},   {-1}};
  for (unsigned mask = 0; mask < 16; ++mask)
    for (int64_t col = 0; col < 64; col += 4) {
      Dense dense(1, 64);
      for (int j = 0; j < 4; ++j)
        dense.at(0, col + j) = mask >> j & 1 ? 0x3c01 + j : 0;
      if (expected[mask][0] < 0) {
        EXPECT_EQ(packError(dense).code(), SF_ERROR_FORMAT);
        continue;
      }
      std::vector<uint8_t> blob = packOrDie(dense);
      uint16_t bits;
      int64_t t = 2 * (col / 32) + col % 32 / 16;
      std::memcpy(&bits, &blob[4096 + t * 4], 2);
      unsigned nibble = bits >> (col % 16 / 4 * 4) & 0xf;
      EXPECT_EQ(nibble, unsigned(expected[mask][0] | expected[mask][1] << 2))
          << "mask " << mask << ", column " << col;
    }
}

TEST(Pack24, NegativeZeroIsAZeroAndStoredAsPositive) {
  Dense negative(3, 12), positive(3, 12);
  for (uint16_t &value : negative.data)
    value = 0x8000;
  EXPECT_EQ(packOrDie(negative), packOrDie(positive));
  // Beside two non-zeros it does not count as a third.
  negative.at(1, 4) = positive.at(1, 4) = 0x8001;
  negative.at(1, 7) = positive.at(1, 7) = 1;
  EXPECT_EQ(packOrDie(negative), packOrDie(positive));
  PackOptions prune;
  prune.prune = true;
  EXPECT_EQ(packOrDie(negative, prune), packOrDie(positive));
}

TEST(Pack24, RefusesThreeNonZerosAndNamesTheFirst) {
  for (int64_t n : {1, 65, 129})
    for (int64_t row : {int64_t(0), n / 2, n - 1}) {
      Dense dense = randomSparse(n, 72, 5);
      for (int j = 1; j < 4; ++j)
        dense.at(row, 68 + j) = 0x3c00;
      if (row + 1 < n) // a later one, which must not be named
        for (int j = 0; j < 4; ++j)
          dense.at(row + 1, j) = 0x3c00;
      PackOptions options;
      options.name = "layer.0.weight";
      for (int threads : {1, 2, 8}) {
        options.threads = threads;
        Status status = packError(dense, options);
        EXPECT_EQ(status.code(), SF_ERROR_FORMAT);
        EXPECT_TRUE(contains(status, "'layer.0.weight', row " +
                                         std::to_string(row) + ", column 68"))
            << status.text();
        EXPECT_TRUE(contains(status, "found 3")) << status.text();
      }
    }
}

TEST(Pack24, RefusesNanAndInfinityAndNamesTheFirst) {
  struct {
    sf_dtype dtype;
    uint16_t bits;
    const char *text;
  } const cases[] = {
      {SF_DTYPE_F16, 0x7c00, "infinity"},  {SF_DTYPE_F16, 0xfc00, "infinity"},
      {SF_DTYPE_F16, 0x7c01, "NaN"},       {SF_DTYPE_F16, 0xffff, "NaN"},
      {SF_DTYPE_BF16, 0x7f80, "infinity"}, {SF_DTYPE_BF16, 0xff81, "NaN"}};
  for (auto &c : cases)
    for (bool prune : {false, true}) {
      Dense dense(130, 20);
      dense.at(129, 0) = c.bits;
      dense.at(70, 18) = c.bits;
      PackOptions options;
      options.prune = prune;
      options.name = "w\x1b[2J";
      Status status = packError(dense, options, c.dtype);
      EXPECT_EQ(status.code(), SF_ERROR_FORMAT);
      EXPECT_TRUE(contains(status, "row 70, column 18 (element 1418)"))
          << status.text();
      EXPECT_TRUE(contains(status, c.text)) << status.text();
      // Names come from files: no control byte may reach a terminal.
      EXPECT_TRUE(contains(status, "'w\\x1b[2J'")) << status.text();

      Dense copy = dense;
      Layout24 layout = *Layout24::create(dense.n, dense.k);
      EXPECT_EQ(prune24(copy.data.data(), layout, c.dtype, options).text(),
                status.text());
      options.allowNonFinite = true;
      packOrDie(dense, options, c.dtype);
    }
  // The largest finite value of one type is not confused with the other's.
  Dense dense(1, 4);
  dense.at(0, 0) = 0x7c00; // 2.6e36 as bf16
  packOrDie(dense, {}, SF_DTYPE_BF16);
  dense.at(0, 0) = 0x7bff;
  packOrDie(dense, {}, SF_DTYPE_F16);
}

TEST(Pack24, RefusesOtherTypes) {
  Dense dense(1, 4);
  EXPECT_EQ(packError(dense, {}, SF_DTYPE_F32).code(), SF_ERROR_UNSUPPORTED);
  EXPECT_EQ(packError(dense, {}, SF_DTYPE_INVALID).code(),
            SF_ERROR_UNSUPPORTED);
}

TEST(Prune24, EveryOrderOfFourMagnitudesWithTies) {
  // 5^4 groups over {0, 1, 2, 3, 4} x all signs, against sorting.
  for (unsigned code = 0; code < 625; ++code)
    for (unsigned signs = 0; signs < 16; ++signs) {
      Dense dense(1, 4);
      unsigned rest = code;
      for (int j = 0; j < 4; ++j, rest /= 5)
        dense.at(0, j) = rest % 5 * 0x123 | (signs >> j & 1) << 15;
      Dense expected = referencePrune(dense);
      uint64_t group;
      std::memcpy(&group, dense.data.data(), 8);
      ASSERT_EQ(__builtin_popcountll(largestTwo(group)), 32);
      Layout24 layout = *Layout24::create(1, 4);
      ASSERT_TRUE(prune24(dense.data.data(), layout, SF_DTYPE_F16, {}));
      ASSERT_EQ(dense.data, expected.data) << code << " " << signs;
    }
}

TEST(Prune24, FastLoopEqualsPortableLoop) {
  // All 5^4 orders in all places of a register, all counts of groups around
  // one, and more groups than a counter of 16 bits takes.
  for (int64_t groups : {1, 2, 3, 4, 5, 7, 8, 63, 64, 65, 2500, 300001}) {
    std::vector<uint16_t> source(4 * groups), fast(4 * groups),
        portable(4 * groups);
    for (int64_t i = 0; i < groups; ++i)
      for (int64_t j = 0, rest = i; j < 4; ++j, rest /= 5)
        source[4 * i + j] = rest % 5 * 0x123 | (i + j) % 3 << 15;
    PruneCounts a = pruneKernel()(source.data(), fast.data(), groups);
    PruneCounts b = portablePruneGroups(source.data(), portable.data(), groups);
    ASSERT_EQ(fast, portable) << groups;
    EXPECT_EQ(a.nonZeros, b.nonZeros);
    EXPECT_EQ(a.kept, b.kept);
    EXPECT_EQ(a.kept, std::count_if(fast.begin(), fast.end(),
                                    [](uint16_t v) { return v != 0; }));
    pruneKernel()(source.data(), source.data(), groups); // in place
    ASSERT_EQ(source, portable) << groups;
  }
}

TEST(Prune24, TiesKeepTheLowestColumns) {
  Dense dense(1, 8);
  dense.data = {0x3c00, 0xbc00, 0x3c00, 0xbc00, 0x3c00, 0x4000, 0xbc00, 0x3c00};
  ASSERT_TRUE(
      prune24(dense.data.data(), *Layout24::create(1, 8), SF_DTYPE_F16, {}));
  EXPECT_EQ(dense.data, (std::vector<uint16_t>{0x3c00, 0xbc00, 0, 0, 0x3c00,
                                               0x4000, 0, 0}));
}

TEST(Prune24, DenormalsAreOrdinaryMagnitudes) {
  Dense dense(1, 4);
  dense.data = {1, 0x8003, 2, 0x8000};
  ASSERT_TRUE(
      prune24(dense.data.data(), *Layout24::create(1, 4), SF_DTYPE_F16, {}));
  EXPECT_EQ(dense.data, (std::vector<uint16_t>{0, 0x8003, 2, 0}));
}

TEST(Prune24, PackWithPruneIsPruneThenPack) {
  for (int64_t n : {1, 7, 63, 65, 129})
    for (int64_t k = 4; k <= 200; k += 28) {
      Dense dense = randomDense(n, k, n + k);
      Dense pruned = dense;
      Layout24 layout = *Layout24::create(n, k);
      PackOptions options;
      options.measureEnergy = true;
      PackReport pruneReport, packReport, plainReport;
      ASSERT_TRUE(prune24(pruned.data.data(), layout, SF_DTYPE_F16, options,
                          &pruneReport));
      ASSERT_EQ(pruned.data, referencePrune(dense).data);
      std::vector<uint8_t> plain =
          packOrDie(pruned, options, SF_DTYPE_F16, &plainReport);
      options.prune = true;
      ASSERT_EQ(packOrDie(dense, options, SF_DTYPE_F16, &packReport), plain);
      EXPECT_EQ(packReport.nonZeros, pruneReport.nonZeros);
      EXPECT_EQ(packReport.keptNonZeros, pruneReport.keptNonZeros);
      EXPECT_EQ(packReport.keptNonZeros, plainReport.nonZeros);
      EXPECT_EQ(plainReport.nonZeros, plainReport.keptNonZeros);
      EXPECT_DOUBLE_EQ(packReport.energy, pruneReport.energy);
      EXPECT_NEAR(packReport.keptEnergy, pruneReport.keptEnergy,
                  1e-12 * packReport.energy);
      EXPECT_NEAR(packReport.keptEnergy, plainReport.energy,
                  1e-12 * packReport.energy);
    }
}

TEST(Pack24, ReportCountsAndEnergies) {
  Dense dense(2, 8);
  dense.data = {0x3c00, 0x4000, 0x4200, 0,      0x8000, 0, 0, 0,  // 1 2 3 . ..
                0xc400, 0,      0,      0x4500, 0,      0, 0, 1}; // -4 5 tiny
  PackOptions options;
  options.prune = options.measureEnergy = true;
  PackReport report;
  packOrDie(dense, options, SF_DTYPE_F16, &report);
  EXPECT_EQ(report.nonZeros, 6);
  EXPECT_EQ(report.keptNonZeros, 5);
  double tiny = std::ldexp(1.0, -48); // the smallest denormal squared
  EXPECT_DOUBLE_EQ(report.energy, 1 + 4 + 9 + 16 + 25 + tiny);
  EXPECT_DOUBLE_EQ(report.keptEnergy, 4 + 9 + 16 + 25 + tiny);
  EXPECT_EQ(PackReport().keptShare(), 1.0);
}

TEST(Pack24, CountersDoNotOverflowOnLongRows) {
  // More than 65535 groups a row and a block, all lanes non-zero.
  Dense dense(2, 4 * 70000);
  for (uint16_t &value : dense.data)
    value = 0x3c00;
  PackOptions options;
  options.prune = true;
  PackReport report;
  packOrDie(dense, options, SF_DTYPE_F16, &report);
  EXPECT_EQ(report.nonZeros, 2 * 280000);
  EXPECT_EQ(report.keptNonZeros, 2 * 140000);
  ASSERT_TRUE(prune24(dense.data.data(), *Layout24::create(2, 280000),
                      SF_DTYPE_F16, {}, &report));
  EXPECT_EQ(report.nonZeros, 2 * 280000);
  EXPECT_EQ(report.keptNonZeros, 2 * 140000);
}

TEST(Pack24, SameBytesAndReportForEveryNumberOfThreads) {
  Dense dense = randomDense(1000, 260, 3);
  PackOptions options;
  options.prune = options.measureEnergy = true;
  options.threads = 1;
  PackReport one;
  std::vector<uint8_t> expected =
      packOrDie(dense, options, SF_DTYPE_BF16, &one);
  for (int threads : {0, 2, 3, 7, 64}) {
    options.threads = threads;
    PackReport many;
    EXPECT_EQ(packOrDie(dense, options, SF_DTYPE_BF16, &many), expected);
    EXPECT_EQ(many.energy, one.energy);
    EXPECT_EQ(many.keptEnergy, one.keptEnergy);
    EXPECT_EQ(many.nonZeros, one.nonZeros);
  }
}
