//===- tern3_v1.cpp - tern3.v1: trits in base 3 ------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ternary/format.h"
#include "ternary/storages/storage.h"

using namespace sparseflow::rt;

static bool encode(const int8_t *row, int64_t count, uint8_t *bytes, int64_t) {
  bool good = true;
  for (int64_t first = 0; first < count; first += 5) {
    unsigned value = 0;
    for (int64_t j = 4; j >= 0; --j) {
      int8_t trit = first + j < count ? row[first + j] : 0;
      good &= trit >= -1 && trit <= 1;
      value = 3 * value + unsigned(trit + 1);
    }
    bytes[first / 5] = value;
  }
  return good;
}

static bool decode(const uint8_t *bytes, int64_t count, int64_t, int8_t *row) {
  bool good = true;
  for (int64_t first = 0; first < count; first += 5) {
    unsigned value = bytes[first / 5];
    bool legal = value <= 242;
    for (int64_t j = 0; j < 5; ++j, value /= 3) {
      int8_t trit = int8_t(value % 3) - 1;
      if (first + j < count)
        row[first + j] = legal ? trit : 2;
      else
        good &= trit == 0;
    }
    good &= legal;
  }
  return good;
}

static constexpr Storage describe() {
  Storage storage;
  storage.number = TernaryStorage::Base3;
  storage.layout = "tern3.v1";
  storage.word = "base3";
  storage.format = "ternary";
  storage.maxPlanes = 2;
  storage.illegal = "expected a byte of at most 242, found a larger one";
  storage.columns = 5;
  storage.bytes = 1;
  storage.encodeRow = encode;
  storage.decodeRow = decode;
  return storage;
}
const Storage sparseflow::rt::kTern3V1 = describe();
