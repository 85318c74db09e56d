//===- ternbp_v1.cpp - ternbp.v1: trits as two bit planes --------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ternary/format.h"
#include "ternary/storages/storage.h"

#include <cstring>

using namespace sparseflow::rt;

// The plane of the -1s is `stride` bytes behind that of the +1s.

static bool encode(const int8_t *row, int64_t count, uint8_t *plus,
                   int64_t stride) {
  uint8_t *minus = plus + stride;
  bool good = true;
  for (int64_t first = 0; first < count; first += 64) {
    uint64_t p = 0, m = 0;
    int64_t width = count - first < 64 ? count - first : 64;
    for (int64_t j = 0; j < width; ++j) {
      int8_t trit = row[first + j];
      good &= trit >= -1 && trit <= 1;
      p |= uint64_t(trit > 0) << j;
      m |= uint64_t(trit < 0) << j;
    }
    std::memcpy(plus + first / 8, &p, sizeof(p));
    std::memcpy(minus + first / 8, &m, sizeof(m));
  }
  return good;
}

static bool decode(const uint8_t *plus, int64_t count, int64_t stride,
                   int8_t *row) {
  const uint8_t *minus = plus + stride;
  bool good = true;
  for (int64_t first = 0; first < count; first += 64) {
    uint64_t p, m;
    std::memcpy(&p, plus + first / 8, sizeof(p));
    std::memcpy(&m, minus + first / 8, sizeof(m));
    int64_t width = count - first < 64 ? count - first : 64;
    good &= (p & m) == 0 && (width == 64 || (p | m) >> width == 0);
    for (int64_t j = 0; j < width; ++j) {
      int up = p >> j & 1, down = m >> j & 1;
      row[first + j] = up & down ? 2 : up - down;
    }
  }
  return good;
}

static constexpr Storage describe() {
  Storage storage;
  storage.number = TernaryStorage::BitPlanes;
  storage.layout = "ternbp.v1";
  storage.word = "bit_planes";
  storage.format = "ternary";
  storage.maxPlanes = 2;
  storage.illegal = "expected at most one of the two bits, found both";
  storage.columns = 64;
  storage.bytes = 16;
  storage.parts = 2;
  storage.encodeRow = encode;
  storage.decodeRow = decode;
  return storage;
}
const Storage sparseflow::rt::kTernBpV1 = describe();
