//===- ternary_reference.h - Ternary layouts, element by element -*- C++
//-*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The packers below are written from docs/formats/ternary.md alone, bit by bit,
// and share nothing with the library but its sizes.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TEST_TERNARY_REFERENCE_H
#define SPARSEFLOW_TEST_TERNARY_REFERENCE_H

#include "ternary/format.h"

#include <cstring>
#include <random>
#include <vector>

namespace sparseflow::test {

using rt::TernaryFormat;
using rt::TernaryStorage;

/// Trits [planes][n][k] and scales in the library's order.
struct Ternary {
  std::vector<int8_t> trits;
  std::vector<float> scales;
};

/// Random trits that the storage can hold, and scales that f16 holds exactly.
inline Ternary randomTernary(const TernaryFormat &format, unsigned seed) {
  Ternary result;
  std::mt19937 random(seed);
  result.trits.resize(format.tritCount());
  const rt::Storage &storage = rt::storageOf(format.storage);
  for (int8_t &trit : result.trits)
    trit = int(random() % (storage.high - storage.low + 1)) + storage.low;
  if (rt::isTwoFour(format.storage))
    for (size_t i = 0; i < result.trits.size(); i += 4) {
      int8_t *group = &result.trits[i];
      unsigned first = random() % 4, second = (first + 1 + random() % 3) % 4;
      for (unsigned j = 0; j < 4; ++j)
        if (j != first && j != second)
          group[j] = 0;
        else if (format.storage == TernaryStorage::TwoFour && group[j] == 0)
          group[j] = random() % 2 ? 1 : -1;
    }
  result.scales.resize(format.planes * format.scalesPerPlane());
  for (float &scale : result.scales)
    scale = float(int(random() % 2048) - 512) / 1024;
  return result;
}

inline void setBits(std::vector<uint8_t> &blob, int64_t byte, int bit,
                    unsigned value) {
  blob[byte + bit / 8] |= value << (bit % 8);
}

/// tern.v1: one code at a time.
inline void referenceCodes(const Ternary &w, const TernaryFormat &f,
                           std::vector<uint8_t> &blob) {
  int64_t kb = (f.k + 127) / 128, nb = (f.n + 63) / 64;
  for (int64_t p = 0; p < f.planes; ++p)
    for (int64_t row = 0; row < nb * 64; ++row)
      for (int64_t col = 0; col < kb * 128; ++col) {
        int trit =
            row < f.n && col < f.k ? w.trits[(p * f.n + row) * f.k + col] : 0;
        int64_t unit = ((row / 64) * kb + col / 128) * f.planes + p;
        int64_t m = row % 64 / 16, r = row % 16 / 8, g = row % 8;
        int64_t s = col % 128 / 32, t = col % 32 / 16, h = col % 16 / 8,
                c = col % 8 / 2, j = col % 2;
        setBits(blob, unit * 2048 + m * 512 + (4 * g + c) * 16 + s * 4,
                8 * (2 * j + h) + 2 * (r + 2 * t), trit + 1);
      }
}

/// int4.v1: one code at a time.
inline void referenceInt4(const Ternary &w, const TernaryFormat &f,
                          std::vector<uint8_t> &blob) {
  int64_t kb = (f.k + 63) / 64, nb = (f.n + 63) / 64;
  for (int64_t row = 0; row < nb * 64; ++row)
    for (int64_t col = 0; col < kb * 64; ++col) {
      int number = row < f.n && col < f.k ? w.trits[row * f.k + col] : 0;
      int64_t unit = (row / 64) * kb + col / 64;
      int64_t m = row % 64 / 16, r = row % 16 / 8, g = row % 8;
      int64_t s = col % 64 / 16, h = col % 16 / 8, c = col % 8 / 2, j = col % 2;
      setBits(blob, unit * 2048 + m * 512 + (4 * g + c) * 16 + s * 4,
              16 * j + 4 * (r + 2 * h), number + 8);
    }
}

/// int8.v1: one byte at a time.
inline void referenceInt8(const Ternary &w, const TernaryFormat &f,
                          std::vector<uint8_t> &blob) {
  int64_t kb = (f.k + 31) / 32;
  for (int64_t row = 0; row < f.n; ++row)
    for (int64_t col = 0; col < f.k; ++col) {
      int64_t unit = (row / 64) * kb + col / 32;
      int64_t m = row % 64 / 16, r = row % 16 / 8, g = row % 8;
      int64_t t = col % 32 / 16, h = col % 16 / 8, c = col % 8 / 2, j = col % 2;
      blob[unit * 2048 + m * 512 + (4 * g + c) * 16 + (r + 2 * t) * 4 + 2 * j +
           h] = uint8_t(w.trits[row * f.k + col]);
    }
}

/// tern24.v1 and tern24z.v1: one group of four columns at a time.
inline void referencePairs(const Ternary &w, const TernaryFormat &f,
                           std::vector<uint8_t> &blob) {
  bool zero = f.storage == TernaryStorage::TwoFourZero;
  int64_t kb = (f.k + 255) / 256, nb = (f.n + 63) / 64;
  int64_t unitBytes = zero ? 4096 : 3072;
  for (int64_t row = 0; row < nb * 64; ++row)
    for (int64_t col = 0; col < kb * 256; col += 4) {
      int64_t unit = ((row / 64) * kb + col / 256) * unitBytes;
      int64_t m = row % 64 / 16, r = row % 16 / 8, g = row % 8;
      int64_t e = col % 256 / 64, half = col % 64 / 32, i = col % 32 / 4;
      std::vector<unsigned> kept;
      const int8_t *group = nullptr;
      if (row < f.n && col < f.k) {
        group = &w.trits[row * f.k + col];
        for (unsigned j = 0; j < 4; ++j)
          if (group[j])
            kept.push_back(j);
      }
      if (kept.empty())
        kept = {0, 1};
      else if (kept.size() == 1)
        kept = kept[0] == 3 ? std::vector<unsigned>{2, 3}
                            : std::vector<unsigned>{kept[0], 3};
      int64_t lane = 4 * g + r + 2 * half;
      setBits(blob, unit + m * 512 + lane * 16 + e * 4, 4 * i,
              kept[0] | kept[1] << 2);
      for (int v = 0; v < 2; ++v) {
        int trit = group ? group[kept[v]] : 0;
        int64_t x = 16 * half + 2 * i + v; // compressed column
        int64_t reg = 2 * (x / 16) + r, q = x % 16 / 4, b = x % 4;
        int64_t l = 4 * g + q;
        if (zero)
          setBits(blob, unit + 2048 + m * 512 + l * 16 + e * 4, 8 * b + 2 * reg,
                  trit & 3);
        else
          setBits(blob, unit + 2048 + m * 256 + l * 8 + e / 2 * 4,
                  8 * b + 7 - (4 * (e % 2) + reg), trit < 0);
      }
    }
}

inline void referenceRows(const Ternary &w, const TernaryFormat &f,
                          std::vector<uint8_t> &blob) {
  for (int64_t p = 0; p < f.planes; ++p)
    for (int64_t row = 0; row < f.n; ++row)
      for (int64_t col = 0; col < f.k; ++col) {
        int trit = w.trits[(p * f.n + row) * f.k + col];
        if (f.storage == TernaryStorage::BitPlanes) {
          int64_t words = (f.k + 63) / 64;
          for (int sign = 0; sign < 2; ++sign)
            if (trit == (sign ? -1 : 1))
              setBits(blob, ((2 * p + sign) * f.n + row) * words * 8, col, 1);
          continue;
        }
        static const int powers[] = {1, 3, 9, 27, 81};
        int64_t byte = (p * f.n + row) * ((f.k + 4) / 5) + col / 5;
        blob[byte] += (trit + 1) * powers[col % 5];
        if (col == f.k - 1) // digits behind the last column are 1
          for (int64_t d = col % 5 + 1; d < 5; ++d)
            blob[byte] += powers[d];
      }
}

/// The whole blob; `scaleBits` turns a scale into its bits.
template <typename ScaleBits>
std::vector<uint8_t> referenceBlob(const Ternary &w, const TernaryFormat &f,
                                   ScaleBits scaleBits) {
  std::vector<uint8_t> blob(f.blobBytes());
  if (f.storage == TernaryStorage::Codes)
    referenceCodes(w, f, blob);
  else if (f.storage == TernaryStorage::Int4)
    referenceInt4(w, f, blob);
  else if (f.storage == TernaryStorage::Int8)
    referenceInt8(w, f, blob);
  else if (rt::isTwoFour(f.storage))
    referencePairs(w, f, blob);
  else
    referenceRows(w, f, blob);
  int64_t size = f.scaleType == SF_DTYPE_F32 ? 4 : 2;
  int64_t rows = (f.n + 63) / 64 * 64, groups = f.groups();
  int64_t from = (f.tritBytes() + 255) / 256 * 256;
  for (int64_t p = 0; p < f.planes; ++p)
    for (int64_t q = 0; q < groups; ++q)
      for (int64_t row = 0; row < (f.group == 0 ? 1 : f.n); ++row) {
        int64_t index = f.group == 0 ? p : (p * groups + q) * rows + row;
        int64_t source = f.group == 0 ? p : (p * groups + q) * f.n + row;
        uint32_t bits = scaleBits(w.scales[source]);
        std::memcpy(&blob[from + index * size], &bits, size);
      }
  return blob;
}

} // namespace sparseflow::test

#endif // SPARSEFLOW_TEST_TERNARY_REFERENCE_H
