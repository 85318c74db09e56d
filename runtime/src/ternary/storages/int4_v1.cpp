//===- int4_v1.cpp - int4.v1: weights of four bits ------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The code of (row + 8r, column 16s + 8h + 2c + j) is at bits 16j + 4(r + 2h)
// of word s of lane c: the two rows share a byte. The pair of rows is 64
// contiguous bytes, the 16 bytes of four lanes.
//
//===----------------------------------------------------------------------===//

#include "ternary/format.h"

using namespace sparseflow::rt;

static constexpr int kColumns = 64, kPairBytes = 64, kLow = -8, kHigh = 7;

/// The byte of a column among those of the pair of rows.
static int byteOf(int column) {
  int s = column / 16, h = column % 16 / 8, c = column % 8 / 2, j = column % 2;
  return 16 * c + 4 * s + 2 * j + h;
}

static bool encode(const int8_t *row, const int8_t *row8, int pair,
                   uint8_t *unit) {
  uint8_t *bytes = unit + kPairBytes * pair;
  bool good = true;
  for (int column = 0; column < kColumns; ++column) {
    int low = row[column], high = row8[column];
    good &= low >= kLow && low <= kHigh && high >= kLow && high <= kHigh;
    bytes[byteOf(column)] =
        uint8_t((low - kLow) & 15) | uint8_t(((high - kLow) & 15) << 4);
  }
  return good;
}

static bool decode(const uint8_t *unit, int pair, int8_t *row, int8_t *row8) {
  const uint8_t *bytes = unit + kPairBytes * pair;
  for (int column = 0; column < kColumns; ++column) {
    uint8_t codes = bytes[byteOf(column)];
    row[column] = int8_t((codes & 15) + kLow);
    row8[column] = int8_t((codes >> 4) + kLow);
  }
  return true; // Every code means a weight.
}

static constexpr Storage describe() {
  Storage storage;
  storage.number = TernaryStorage::Int4;
  storage.layout = "int4.v1";
  storage.word = storage.format = "int4";
  storage.low = kLow;
  storage.high = kHigh;
  storage.rows = kTernaryRows;
  storage.columns = kColumns;
  storage.bytes = 2048;
  storage.encodePair = encode;
  storage.decodePair = decode;
  return storage;
}
const Storage sparseflow::rt::kInt4V1 = describe();
