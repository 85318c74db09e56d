//===- ternary_pack_test.cpp - Every ternary layout, there and back -------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ternary/pack.h"
#include "ternary_reference.h"
#include "weights/convert.h"
#include "weights/matrix_size.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace sparseflow::rt;
using namespace sparseflow::test;

namespace {

constexpr TernaryStorage kAll[] = {
    TernaryStorage::Codes,   TernaryStorage::BitPlanes,   TernaryStorage::Base3,
    TernaryStorage::TwoFour, TernaryStorage::TwoFourZero, TernaryStorage::Int4,
    TernaryStorage::Int8};

std::vector<uint8_t> expectedBlob(const Ternary &w, const TernaryFormat &f) {
  return referenceBlob(w, f, [&](float scale) -> uint32_t {
    if (f.scaleType == SF_DTYPE_F16)
      return floatToHalf(scale);
    if (f.scaleType == SF_DTYPE_BF16)
      return floatToBfloat(scale);
    uint32_t bits;
    std::memcpy(&bits, &scale, 4);
    return bits;
  });
}

Status check(const std::vector<uint8_t> &blob, const TernaryFormat &f) {
  return unpackTernary(blob.data(), f, "w", 1, nullptr, nullptr);
}

bool contains(const Status &status, const std::string &part) {
  return status.text().find(part) != std::string::npos;
}

/// Packs, compares with the reference, unpacks, compares with the source.
void roundTrip(const TernaryFormat &f, unsigned seed) {
  SCOPED_TRACE(f.text());
  ASSERT_TRUE(f.verify()) << f.verify().text();
  Ternary w = randomTernary(f, seed);
  roundScales(w.scales.data(), w.scales.size(), f.scaleType);
  std::vector<uint8_t> blob(f.blobBytes(), 0xee);
  Status packed = packTernary(w.trits.data(), w.scales.data(), f, "w",
                              1 + seed % 2, blob.data());
  ASSERT_TRUE(packed) << packed.text();
  ASSERT_EQ(blob, expectedBlob(w, f));
  Ternary back;
  back.trits.resize(w.trits.size(), 9);
  back.scales.resize(w.scales.size());
  Status unpacked = unpackTernary(blob.data(), f, "w", 1 + seed % 2,
                                  back.trits.data(), back.scales.data());
  ASSERT_TRUE(unpacked) << unpacked.text();
  EXPECT_EQ(back.trits, w.trits);
  EXPECT_EQ(back.scales, w.scales);
  EXPECT_TRUE(check(blob, f));
}

} // namespace

TEST(TernaryPack, OddShapesThereAndBack) {
  static const int64_t sizes[] = {1,  4,  5,   16,  60,  63,
                                  64, 65, 100, 130, 256, 260};
  static const int64_t groups[] = {kTensorScale, kRowScale, 32, 64, 128, 256};
  static const sf_dtype types[] = {SF_DTYPE_F32, SF_DTYPE_F16, SF_DTYPE_BF16};
  std::mt19937 random(7);
  unsigned seed = 0;
  for (TernaryStorage storage : kAll)
    for (int64_t n : sizes)
      for (int64_t k : sizes) {
        TernaryFormat f{n, k, storage};
        if (isTwoFour(storage) && k % 4)
          continue;
        f.planes = storageOf(storage).maxPlanes == 1 ? 1 : 1 + random() % 2;
        f.group = groups[random() % 6];
        f.scaleType = types[random() % 3];
        roundTrip(f, ++seed);
      }
}

TEST(TernaryPack, EmptyMatrices) {
  for (TernaryStorage storage : kAll)
    for (auto [n, k] : {std::pair<int64_t, int64_t>{0, 8}, {8, 0}, {0, 0}})
      for (int64_t group : {kTensorScale, kRowScale, int64_t(32)})
        roundTrip({n, k, storage, 1, group, SF_DTYPE_F32}, 3);
}

// What a header may claim costs no more than the bytes behind it: every weight
// has its bits in the blob, and a matrix without weights is small.
TEST(TernaryPack, ClaimsOfSizeAreBounded) {
  const int64_t sizes[] = {0,       1,         4,         kMaxEmptySize,
                           1 << 17, 1ll << 31, 1ll << 40, INT64_MAX / 64};
  for (int64_t n : sizes)
    for (int64_t k : sizes)
      for (TernaryStorage storage : kAll)
        for (int64_t group : {kTensorScale, kRowScale, int64_t(32)}) {
          TernaryFormat f{n, k, storage, 1, group, SF_DTYPE_F32};
          if (!f.verify())
            continue;
          EXPECT_LE(double(n) * double(k), 8.0 * double(f.blobBytes()));
          if (n == 0 || k == 0)
            EXPECT_LE(std::max(n, k), kMaxEmptySize);
        }
  Status status = TernaryFormat{int64_t(1) << 40, 0}.verify();
  EXPECT_EQ(status.text(), "a matrix without elements has at most 65536 rows "
                           "or columns, found 1099511627776 x 0");
  EXPECT_TRUE((TernaryFormat{kMaxEmptySize, 0}.verify()));
}

TEST(TernaryPack, WordsThatTheInstructionsRead) {
  // One 16 x 32 tile whose code is a function of its place: the word of lane
  // 4g + c, masked with 0x03030303 << 2f, has to be register f of
  // mma.m16n8k32 with the columns in the order of the format document.
  TernaryFormat f{16, 32, TernaryStorage::Codes};
  Ternary w = randomTernary(f, 11);
  std::vector<uint8_t> blob(f.blobBytes());
  ASSERT_TRUE(
      packTernary(w.trits.data(), w.scales.data(), f, "w", 1, blob.data()));
  for (int lane = 0; lane < 32; ++lane) {
    uint32_t word;
    std::memcpy(&word, &blob[lane * 16], 4);
    int g = lane / 4, c = lane % 4;
    for (int reg = 0; reg < 4; ++reg)
      for (int byte = 0; byte < 4; ++byte) {
        int row = g + 8 * (reg % 2), order = 16 * (reg / 2) + 4 * c + byte;
        // The order in which 8-bit activations lie.
        int p = order % 16;
        int col = order / 16 * 16 + 8 * (p % 2) + 2 * (p / 4) + p / 2 % 2;
        EXPECT_EQ(int(word >> (2 * reg) >> (8 * byte) & 3) - 1,
                  w.trits[row * 32 + col]);
      }
    // And as halves: register i of k16 step t, both elements.
    for (int t = 0; t < 2; ++t)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 2; ++j) {
          int row = g + 8 * (i % 2), col = 16 * t + 8 * (i / 2) + 2 * c + j;
          uint32_t half = word >> (8 * (i / 2)) >> (16 * j);
          EXPECT_EQ(int(half >> (2 * (i % 2 + 2 * t)) & 3) - 1,
                    w.trits[row * 32 + col]);
        }
  }
}

TEST(TernaryPack, PaddingIsZeroWeights) {
  TernaryFormat f{1, 1, TernaryStorage::Codes};
  int8_t trit = -1;
  float scale = 2;
  std::vector<uint8_t> blob(f.blobBytes());
  ASSERT_TRUE(packTernary(&trit, &scale, f, "w", 1, blob.data()));
  ASSERT_EQ(blob.size(), 2048u + 16);
  EXPECT_EQ(blob[0], 0x54);
  for (int i = 1; i < 2048; ++i)
    EXPECT_EQ(blob[i], 0x55) << i;
}

TEST(TernaryPack, BitsPerWeight) {
  auto bits = [](TernaryStorage storage, int64_t group, sf_dtype type) {
    return TernaryFormat{4096, 3840, storage, 1, group, type}.bitsPerWeight();
  };
  EXPECT_NEAR(bits(TernaryStorage::Codes, 0, SF_DTYPE_F32), 2.0, 1e-4);
  EXPECT_NEAR(bits(TernaryStorage::Codes, 128, SF_DTYPE_F16), 2.125, 1e-9);
  EXPECT_NEAR(bits(TernaryStorage::Base3, 0, SF_DTYPE_F32), 1.6, 1e-4);
  EXPECT_NEAR(bits(TernaryStorage::TwoFour, 0, SF_DTYPE_F32), 1.5, 1e-4);
  EXPECT_NEAR(bits(TernaryStorage::TwoFourZero, 0, SF_DTYPE_F32), 2.0, 1e-4);
}

TEST(TernaryPack, AnAcceptedBlobIsTheOneThePackerWrites) {
  // Every single-bit change is refused, or it is a different matrix with the
  // same bytes when packed again: no two blobs mean the same.
  for (TernaryStorage storage : kAll) {
    TernaryFormat f{3, 20, storage, 1, kRowScale, SF_DTYPE_F16};
    SCOPED_TRACE(f.text());
    Ternary w = randomTernary(f, 5), back = w;
    std::vector<uint8_t> blob(f.blobBytes()), again(blob.size());
    ASSERT_TRUE(
        packTernary(w.trits.data(), w.scales.data(), f, "w", 1, blob.data()));
    int refused = 0, accepted = 0;
    // A step of 5 meets every bit of a byte and keeps the test short.
    for (size_t bit = 0; bit < blob.size() * 8; bit += 5) {
      blob[bit / 8] ^= 1 << bit % 8;
      Status status = unpackTernary(blob.data(), f, "w", 1, back.trits.data(),
                                    back.scales.data());
      ++(status ? accepted : refused);
      if (status) {
        ASSERT_TRUE(packTernary(back.trits.data(), back.scales.data(), f, "w",
                                1, again.data()));
        ASSERT_EQ(again, blob) << bit;
      } else {
        EXPECT_EQ(status.code(), SF_ERROR_FORMAT);
        EXPECT_TRUE(contains(status, "'w'")) << status.text();
      }
      blob[bit / 8] ^= 1 << bit % 8;
    }
    EXPECT_GT(refused, 0);
    EXPECT_GT(accepted, 0);
  }
}

TEST(TernaryPack, IllegalCodesAreNamedWithTheirPlace) {
  struct Case {
    TernaryStorage storage;
    int64_t byte;
    uint8_t value;
    const char *text;
  };
  // Row 9 is row 1 of the upper half of a tile: lane 4, second pair of bits.
  static const Case cases[] = {
      {TernaryStorage::Codes, 4 * 16, 0x5d,
       "'w', row 9, column 0: expected a code of 0, 1 or 2, found 3"},
      {TernaryStorage::BitPlanes, 9 * 8, 0xff, "'w', row 9, column "},
      {TernaryStorage::Base3, 9 * 4, 243,
       "'w', row 9, column 0: expected a byte of at most 242"},
      {TernaryStorage::TwoFour, 5 * 16, 0x41,
       "'w', row 9, column 0: expected two increasing positions"},
      {TernaryStorage::TwoFourZero, 5 * 16, 0x41,
       "'w', row 9, column 0: expected two increasing positions"}};
  for (const Case &each : cases) {
    TernaryFormat f{20, 20, each.storage};
    Ternary w = randomTernary(f, 5);
    if (each.storage == TernaryStorage::Codes)
      std::fill(w.trits.begin(), w.trits.end(), 0);
    if (each.storage == TernaryStorage::BitPlanes)
      w.trits[9 * 20] = -1;
    std::vector<uint8_t> blob(f.blobBytes());
    ASSERT_TRUE(
        packTernary(w.trits.data(), w.scales.data(), f, "w", 1, blob.data()));
    blob[each.byte] = each.value;
    Status status = check(blob, f);
    EXPECT_EQ(status.code(), SF_ERROR_FORMAT);
    EXPECT_TRUE(contains(status, each.text)) << status.text();
  }
}

TEST(TernaryPack, Int4HasNumbersFromMinus8To7) {
  TernaryFormat f{20, 70, TernaryStorage::Int4};
  Ternary w = randomTernary(f, 5);
  std::vector<uint8_t> blob(f.blobBytes());
  for (auto [value, good] : {std::pair<int8_t, bool>{-8, true},
                             {7, true},
                             {-9, false},
                             {8, false},
                             {127, false}}) {
    w.trits[9 * 70 + 66] = value;
    Status status =
        packTernary(w.trits.data(), w.scales.data(), f, "w", 1, blob.data());
    EXPECT_EQ(bool(status), good) << status.text();
    if (!good)
      EXPECT_TRUE(contains(status, "'w', row 9, column 66: expected a whole "
                                   "number from -8 to 7, found " +
                                       std::to_string(value) +
                                       "; quantize the weights first"))
          << status.text();
  }
  // Of the format document: q = -8 and 7.
  TernaryFormat two{1, 2, TernaryStorage::Int4};
  int8_t numbers[] = {-8, 7};
  float scale = 0.5f;
  blob.assign(two.blobBytes(), 0xee);
  ASSERT_EQ(blob.size(), 2064u);
  ASSERT_TRUE(packTernary(numbers, &scale, two, "w", 1, blob.data()));
  std::vector<uint8_t> expected(2064, 0x88);
  expected[0] = 0x80;
  expected[2] = 0x8f;
  std::fill(expected.begin() + 2048, expected.end(), 0);
  expected[2051] = 0x3f;
  EXPECT_EQ(blob, expected);
  // Padding has the code of zero.
  blob[4] = 0x78;
  EXPECT_TRUE(contains(check(blob, two),
                       ": the padding behind the matrix is not what the packer "
                       "writes; the weights are damaged, pack them again"));
}

TEST(TernaryPack, Int8HasNumbersFromMinus127To127) {
  TernaryFormat f{20, 70, TernaryStorage::Int8};
  Ternary w = randomTernary(f, 5);
  std::vector<uint8_t> blob(f.blobBytes());
  for (auto [value, good] :
       {std::pair<int8_t, bool>{-127, true}, {127, true}, {-128, false}}) {
    w.trits[9 * 70 + 66] = value;
    Status status =
        packTernary(w.trits.data(), w.scales.data(), f, "w", 1, blob.data());
    EXPECT_EQ(bool(status), good) << status.text();
    if (!good)
      EXPECT_TRUE(contains(status, "'w', row 9, column 66: expected a whole "
                                   "number from -127 to 127, found -128; "
                                   "quantize the weights first"))
          << status.text();
  }
  // Of the format document: q = -127 and 127.
  TernaryFormat two{1, 2, TernaryStorage::Int8};
  int8_t numbers[] = {-127, 127};
  float scale = 0.5f;
  blob.assign(two.blobBytes(), 0xee);
  ASSERT_EQ(blob.size(), 2064u);
  ASSERT_TRUE(packTernary(numbers, &scale, two, "w", 1, blob.data()));
  std::vector<uint8_t> expected(2064, 0);
  expected[0] = 0x81;
  expected[2] = 0x7f;
  expected[2051] = 0x3f;
  EXPECT_EQ(blob, expected);
  blob[2] = 0x80;
  EXPECT_TRUE(contains(check(blob, two), "'w', row 0, column 1: expected a "
                                         "number from -127 to 127, found the "
                                         "byte 0x80"));
  // Padding is zero.
  blob[2] = 0x7f;
  blob[4] = 1;
  EXPECT_TRUE(contains(check(blob, two),
                       ": the padding behind the matrix is not what the packer "
                       "writes; the weights are damaged, pack them again"));
}

TEST(TernaryPack, TheFirstPlaceIsReportedOnAnyNumberOfThreads) {
  TernaryFormat f{400, 40, TernaryStorage::Codes, 2};
  Ternary w = randomTernary(f, 5);
  w.trits[(400 + 70) * 40 + 3] = 2;  // plane 1, row 70
  w.trits[(400 + 399) * 40 + 1] = 9; // plane 1, row 399
  std::vector<uint8_t> blob(f.blobBytes());
  for (int threads : {1, 2, 4}) {
    Status status = packTernary(w.trits.data(), w.scales.data(), f, "w",
                                threads, blob.data());
    EXPECT_TRUE(contains(status, "'w', plane 1, row 70, column 3: expected a "
                                 "trit (-1, 0 or 1), found 2"))
        << status.text();
  }
}

TEST(TernaryPack, WhatIsNotTwoFourIsRefused) {
  TernaryFormat exact{2, 8, TernaryStorage::TwoFour};
  TernaryFormat zeros{2, 8, TernaryStorage::TwoFourZero};
  std::vector<int8_t> trits = {1, 1,  0, 0, 0, -1, 0, 1,
                               0, -1, 0, 0, 1, 1,  0, 0};
  float scale = 1;
  std::vector<uint8_t> blob(zeros.blobBytes());
  Status status = packTernary(trits.data(), &scale, exact, "w", 1, blob.data());
  EXPECT_TRUE(contains(status, "row 1, column 0: expected exactly 2 non-zeros "
                               "in the 4 columns from here, found 1; use "
                               "tern24z.v1"))
      << status.text();
  EXPECT_TRUE(packTernary(trits.data(), &scale, zeros, "w", 1, blob.data()));
  trits[0] = trits[2] = trits[3] = 1;
  status = packTernary(trits.data(), &scale, zeros, "w", 1, blob.data());
  EXPECT_TRUE(contains(status, "row 0, column 0: expected at most 2 non-zeros"))
      << status.text();
}

TEST(TernaryPack, ScalesHaveToBeFiniteAndExact) {
  TernaryFormat f{2, 64, TernaryStorage::Codes, 2, 32, SF_DTYPE_F16};
  Ternary w = randomTernary(f, 5);
  ASSERT_EQ(w.scales.size(), 8u);
  std::vector<uint8_t> blob(f.blobBytes());
  auto pack = [&](float scale) {
    w.scales[4 + 2 + 1] = scale; // plane 1, group 1, row 1
    return packTernary(w.trits.data(), w.scales.data(), f, "w", 1, blob.data());
  };
  const char *where = "'w', scale of plane 1, row 1, columns from 32: ";
  for (float bad : {NAN, INFINITY, -INFINITY}) {
    Status status = pack(bad);
    EXPECT_EQ(status.code(), SF_ERROR_FORMAT);
    EXPECT_TRUE(contains(status, where + std::string("expected a finite")))
        << status.text();
  }
  EXPECT_TRUE(contains(pack(0.1f), "not one of the scale type"));
  EXPECT_TRUE(contains(pack(1e6f), "not one of the scale type"));
  ASSERT_TRUE(pack(0));
  uint16_t nan = 0x7e00;
  int64_t at = f.scaleOffset() + ((1 * 2 + 1) * 64 + 1) * 2;
  std::memcpy(&blob[at], &nan, 2);
  EXPECT_TRUE(
      contains(check(blob, f), where + std::string("expected a finite")));
}

TEST(TernaryPack, FormatsThatDoNotExist) {
  auto text = [](TernaryFormat f) { return f.verify().text(); };
  TernaryFormat good{8, 8};
  EXPECT_TRUE(good.verify());
  TernaryFormat f = good;
  f.n = -1;
  EXPECT_NE(text(f).find("at least 0"), std::string::npos);
  for (int64_t n : {INT64_MAX, INT64_C(1) << 40}) {
    f = good;
    f.n = n;
    f.k = INT64_C(1) << 40;
    EXPECT_NE(text(f).find("is larger than 2^56 weights"), std::string::npos)
        << text(f);
  }
  f = good;
  f.planes = 3;
  EXPECT_NE(text(f).find("one or two planes, found 3"), std::string::npos);
  f = good;
  f.group = 48;
  EXPECT_NE(text(f).find("32, 64, 128 or 256"), std::string::npos);
  f = good;
  f.scaleType = SF_DTYPE_I8;
  EXPECT_NE(text(f).find("F16, BF16 or F32, found I8"), std::string::npos);
  f = {8, 6, TernaryStorage::TwoFour};
  EXPECT_NE(text(f).find("multiple of 4, found 6"), std::string::npos);
  f = {8, 8, TernaryStorage::TwoFour, 2};
  EXPECT_NE(
      text(f).find("holds one plane, found 2; use tern.v1 for two planes"),
      std::string::npos);
  f = good;
  f = {8, 8, TernaryStorage::Int4, 2};
  EXPECT_NE(text(f).find("int4.v1 holds one plane"), std::string::npos);
  f = good;
  f.storage = TernaryStorage(99);
  EXPECT_NE(text(f).find("from 1 to 7, found 99"), std::string::npos);
  for (TernaryStorage storage : kAll)
    EXPECT_EQ(*storageFromLayout(layoutName(storage)), storage);
  EXPECT_FALSE(storageFromLayout("tern.v2"));
}

TEST(TernaryPack, ExpandAddsThePlanes) {
  TernaryFormat f{3, 40, TernaryStorage::Codes, 2, 32, SF_DTYPE_F32};
  Ternary w = randomTernary(f, 8);
  std::vector<float> dense(3 * 40);
  expandTernary(w.trits.data(), w.scales.data(), f, 1, dense.data());
  for (int row = 0; row < 3; ++row)
    for (int col = 0; col < 40; ++col) {
      float expected = 0;
      for (int p = 0; p < 2; ++p)
        expected += w.scales[(p * 2 + col / 32) * 3 + row] *
                    w.trits[(p * 3 + row) * 40 + col];
      EXPECT_EQ(dense[row * 40 + col], expected);
    }
}
