//===- tern_v1.cpp - tern.v1: trits of two bits ------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The code of (row + 8r, column 32s + 16t + 8h + 2c + j) is at bits
// 8(2j + h) + 2(r + 2t) of word s of lane c. So the sixteen columns of (s, t)
// become the bytes of four lanes when the two eights are interleaved, and the
// four combinations of (r, t) share them, two bits each.
//
//===----------------------------------------------------------------------===//

#include "ternary/format.h"
#include "ternary/storages/storage.h"

#include <cstring>

using namespace sparseflow::rt;

// Sixteen bytes as the compiler's own vectors: SSE2, NEON or whatever there is.
typedef uint8_t Bytes __attribute__((vector_size(16)));
typedef uint32_t Words __attribute__((vector_size(16)));

static Bytes load(const void *from) {
  Bytes bytes;
  std::memcpy(&bytes, from, sizeof(bytes));
  return bytes;
}
static void store(void *to, Bytes bytes) {
  std::memcpy(to, &bytes, sizeof(bytes));
}
static bool anyBit(Bytes bytes) {
  uint64_t halves[2];
  std::memcpy(halves, &bytes, sizeof(halves));
  return (halves[0] | halves[1]) != 0;
}

/// [s][c] to [c][s] and back.
static void transpose(Words (&w)[4]) {
  Words a = __builtin_shufflevector(w[0], w[1], 0, 4, 1, 5);
  Words b = __builtin_shufflevector(w[2], w[3], 0, 4, 1, 5);
  Words c = __builtin_shufflevector(w[0], w[1], 2, 6, 3, 7);
  Words d = __builtin_shufflevector(w[2], w[3], 2, 6, 3, 7);
  w[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
  w[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
  w[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
  w[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

// The pair of rows is 64 contiguous bytes, the 16 bytes of four lanes.
static constexpr int kPairBytes = 64;

static bool encode(const int8_t *row, const int8_t *row8, int pair,
                   uint8_t *unit) {
  uint8_t *bytes = unit + kPairBytes * pair;
  Words words[4];
  Bytes bad = {};
  for (int s = 0; s < 4; ++s) {
    Bytes sum = {};
    for (int rt = 0; rt < 4; ++rt) {
      const int8_t *source = (rt & 1 ? row8 : row) + 32 * s + 16 * (rt >> 1);
      Bytes code = load(source) + 1;
      // 3 and everything beyond: any high bit, or both low ones.
      bad |= (code & 0xfc) | (code & code >> 1);
      Bytes mixed = __builtin_shufflevector(code, code, 0, 8, 1, 9, 2, 10, 3,
                                            11, 4, 12, 5, 13, 6, 14, 7, 15);
      sum |= mixed << (2 * rt);
    }
    words[s] = Words(sum);
  }
  transpose(words);
  for (int c = 0; c < 4; ++c)
    store(bytes + 16 * c, Bytes(words[c]));
  return !anyBit(bad);
}

static bool decode(const uint8_t *unit, int pair, int8_t *row, int8_t *row8) {
  const uint8_t *bytes = unit + kPairBytes * pair;
  Words words[4];
  for (int c = 0; c < 4; ++c)
    words[c] = Words(load(bytes + 16 * c));
  transpose(words);
  Bytes bad = {};
  for (int s = 0; s < 4; ++s) {
    Bytes sum = Bytes(words[s]);
    bad |= sum & sum >> 1 & 0x55;
    for (int rt = 0; rt < 4; ++rt) {
      Bytes mixed = (sum >> (2 * rt) & 3) - 1;
      int8_t *target = (rt & 1 ? row8 : row) + 32 * s + 16 * (rt >> 1);
      store(target, __builtin_shufflevector(mixed, mixed, 0, 2, 4, 6, 8, 10, 12,
                                            14, 1, 3, 5, 7, 9, 11, 13, 15));
    }
  }
  return !anyBit(bad);
}

static constexpr Storage describe() {
  Storage storage;
  storage.number = TernaryStorage::Codes;
  storage.layout = "tern.v1";
  storage.word = "codes";
  storage.format = "ternary";
  storage.maxPlanes = 2;
  storage.illegal = "expected a code of 0, 1 or 2, found 3";
  storage.rows = kTernaryRows;
  storage.columns = 128;
  storage.bytes = 2048;
  storage.encodePair = encode;
  storage.decodePair = decode;
  return storage;
}
const Storage sparseflow::rt::kTernV1 = describe();
