//===- matrices.h - Matrices and a reference packer for tests ---*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference packer and pruner below are written from the format document
// alone, element by element, and share nothing with the library.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TEST_WEIGHTS_MATRICES_H
#define SPARSEFLOW_TEST_WEIGHTS_MATRICES_H

#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace sparseflow::test {

/// Row-major [n][k] 16-bit elements.
struct Dense {
  int64_t n, k;
  std::vector<uint16_t> data;

  Dense(int64_t n, int64_t k) : n(n), k(k), data(n * k) {}
  uint16_t &at(int64_t row, int64_t col) { return data[row * k + col]; }
  uint16_t at(int64_t row, int64_t col) const { return data[row * k + col]; }
};

/// A random finite f16 (which is also a finite bf16) without zeros; every
/// exponent, denormals included.
inline uint16_t randomNonZero(std::mt19937 &random) {
  for (;;) {
    uint16_t bits = random();
    if ((bits & 0x7fff) != 0 && (bits & 0x7fff) < 0x7c00)
      return bits;
  }
}

/// A matrix whose groups have any mask of at most two non-zeros.
inline Dense randomSparse(int64_t n, int64_t k, unsigned seed) {
  Dense dense(n, k);
  std::mt19937 random(seed);
  static const unsigned masks[] = {0, 1, 2, 4, 8, 3, 5, 9, 6, 10, 12};
  for (int64_t row = 0; row < n; ++row)
    for (int64_t col = 0; col < k; col += 4) {
      unsigned mask = masks[random() % 11];
      for (int j = 0; j < 4; ++j)
        if (mask >> j & 1)
          dense.at(row, col + j) = randomNonZero(random);
    }
  return dense;
}

/// A matrix without structure: ties, zeros of both signs, denormals are common.
inline Dense randomDense(int64_t n, int64_t k, unsigned seed) {
  Dense dense(n, k);
  std::mt19937 random(seed);
  static const uint16_t common[] = {0,      0x8000, 1,      0x8001,
                                    0x3c00, 0xbc00, 0x4000, 0x7bff};
  for (uint16_t &value : dense.data)
    value = random() % 2 ? common[random() % 8] : randomNonZero(random);
  return dense;
}

/// Keeps the two largest magnitudes of a group by sorting, stably.
inline Dense referencePrune(const Dense &dense) {
  Dense result(dense.n, dense.k);
  for (int64_t row = 0; row < dense.n; ++row)
    for (int64_t col = 0; col < dense.k; col += 4)
      for (int kept = 0; kept < 2; ++kept) {
        int best = -1;
        for (int j = 0; j < 4; ++j) {
          if ((dense.at(row, col + j) & 0x7fff) == 0 ||
              result.at(row, col + j) != 0)
            continue;
          if (best < 0 || (dense.at(row, col + j) & 0x7fff) >
                              (dense.at(row, col + best) & 0x7fff))
            best = j;
        }
        if (best >= 0)
          result.at(row, col + best) = dense.at(row, col + best);
      }
  return result;
}

inline std::vector<uint8_t> referencePack(const Dense &dense) {
  int64_t rowBlocks = (dense.n + 63) / 64, colBlocks = (dense.k + 63) / 64;
  int64_t units = rowBlocks * colBlocks;
  std::vector<uint8_t> blob(units * (4096 + 512));
  for (int64_t row = 0; row < rowBlocks * 64; ++row)
    for (int64_t col = 0; col < colBlocks * 64; col += 4) {
      uint16_t value[4] = {0, 0, 0, 0};
      if (row < dense.n && col < dense.k)
        for (int j = 0; j < 4; ++j)
          if (dense.at(row, col + j) != 0x8000)
            value[j] = dense.at(row, col + j);
      std::vector<unsigned> kept;
      for (unsigned j = 0; j < 4; ++j)
        if (value[j] != 0)
          kept.push_back(j);
      if (kept.empty())
        kept = {0, 1};
      else if (kept.size() == 1)
        kept = kept[0] == 3 ? std::vector<unsigned>{2, 3}
                            : std::vector<unsigned>{kept[0], 3};

      int64_t u = (row / 64) * colBlocks + col / 64;
      int64_t r = row % 64, kh = col % 64 / 32, g4 = col % 32 / 4;
      for (int i = 0; i < 2; ++i) {
        int64_t c = 2 * g4 + i;
        int64_t half = ((r / 8) * 2 + c / 8) * 64 + (r % 8) * 8 + c % 8;
        std::memcpy(&blob[u * 4096 + kh * 2048 + half * 2], &value[kept[i]], 2);
      }
      int64_t w = r / 16, g = r % 8, p = col % 32 / 16, q = col % 16 / 4;
      int64_t t = 32 * w + 4 * g + 2 * kh + p;
      int64_t bit = 16 * (r % 16 / 8) + 4 * q;
      uint32_t word;
      uint8_t *place = &blob[units * 4096 + u * 512 + t * 4];
      std::memcpy(&word, place, 4);
      word |= (kept[0] | kept[1] << 2) << bit;
      std::memcpy(place, &word, 4);
    }
  return blob;
}

} // namespace sparseflow::test

#endif // SPARSEFLOW_TEST_WEIGHTS_MATRICES_H
