//===- int8_v1.cpp - int8.v1: weights of eight bits -----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The number of (row + 8r, column 16t + 8h + 2c + j) is byte 2j + h of word
// r + 2t of lane c, the order of tern.v1's bytes. The pair of rows is 64
// contiguous bytes, the 16 bytes of four lanes.
//
//===----------------------------------------------------------------------===//

#include "ternary/format.h"

using namespace sparseflow::rt;

static constexpr int kColumns = 32, kPairBytes = 64, kLow = -127, kHigh = 127;

/// The byte of a column of the first row among those of the pair of rows; the
/// second row's is four bytes on.
static int byteOf(int column) {
  int t = column / 16, h = column % 16 / 8, c = column % 8 / 2, j = column % 2;
  return 16 * c + 8 * t + 2 * j + h;
}

static bool encode(const int8_t *row, const int8_t *row8, int pair,
                   uint8_t *unit) {
  uint8_t *bytes = unit + kPairBytes * pair;
  bool good = true;
  for (int column = 0; column < kColumns; ++column) {
    good &= row[column] >= kLow && row8[column] >= kLow;
    bytes[byteOf(column)] = uint8_t(row[column]);
    bytes[byteOf(column) + 4] = uint8_t(row8[column]);
  }
  return good;
}

static bool decode(const uint8_t *unit, int pair, int8_t *row, int8_t *row8) {
  const uint8_t *bytes = unit + kPairBytes * pair;
  bool good = true;
  for (int column = 0; column < kColumns; ++column) {
    row[column] = int8_t(bytes[byteOf(column)]);
    row8[column] = int8_t(bytes[byteOf(column) + 4]);
    good &= row[column] >= kLow && row8[column] >= kLow;
  }
  return good;
}

static constexpr Storage describe() {
  Storage storage;
  storage.number = TernaryStorage::Int8;
  storage.layout = "int8.v1";
  storage.word = storage.format = "int8";
  storage.low = kLow;
  storage.high = kHigh;
  storage.illegal = "expected a number from -127 to 127, found the byte 0x80";
  storage.rows = kTernaryRows;
  storage.columns = kColumns;
  storage.bytes = 2048;
  storage.encodePair = encode;
  storage.decodePair = decode;
  return storage;
}
const Storage sparseflow::rt::kInt8V1 = describe();
