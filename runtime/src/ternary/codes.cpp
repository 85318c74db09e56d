//===- codes.cpp - Trits of a few rows in each layout ---------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ternary/codes.h"

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

//===----------------------------------------------------------------------===//
// tern.v1
//===----------------------------------------------------------------------===//
//
// The code of (row + 8r, column 32s + 16t + 8h + 2c + j) is at bits
// 8(2j + h) + 2(r + 2t) of word s of lane c. So the sixteen columns of (s, t)
// become the bytes of four lanes when the two eights are interleaved, and the
// four combinations of (r, t) share them, two bits each.

bool sparseflow::rt::encodeCodes(const int8_t *row, const int8_t *row8,
                                 uint8_t *bytes) {
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

bool sparseflow::rt::decodeCodes(const uint8_t *bytes, int8_t *row,
                                 int8_t *row8) {
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

//===----------------------------------------------------------------------===//
// tern24.v1 and tern24z.v1
//===----------------------------------------------------------------------===//
//
// Lane q of the four that share rows g and g + 8 has, for step e of 64 columns:
// in its metadata word e row g + 8 (q % 2), columns 64e + 32 (q / 2) to + 31;
// in its registers f = 0..3, byte b, the compressed column
// 16 (f / 2) + 4q + b of row g + 8 (f % 2).

namespace {

/// The two positions of a group by its mask of non-zeros, as the packed 2:4
/// layout writes them; 0 where the mask has more than two.
constexpr uint8_t kNibbles[16] = {0x4, 0xc, 0xd, 0x4, 0xe, 0x8, 0x9, 0,
                                  0xe, 0xc, 0xd, 0,   0xe, 0,   0,   0};

constexpr bool isIncreasing(unsigned nibble) {
  return (nibble & 3) < (nibble >> 2);
}

/// Where compressed column `col` (0..31) of step e and row half r lies: the
/// lane, and the bit of the sign (of 8 bytes a lane) or code (of 16).
struct Slot {
  int lane, signBit, codeBit;
};
constexpr Slot slotOf(int e, int r, int col) {
  int f = 2 * (col / 16) + r, q = col % 16 / 4, b = col % 4;
  return {q, 32 * (e / 2) + 8 * b + 7 - (4 * (e % 2) + f),
          32 * e + 8 * b + 2 * f};
}

unsigned getBits(const uint8_t *bytes, int bit, unsigned mask) {
  return bytes[bit / 8] >> (bit % 8) & mask;
}

} // namespace

template <bool Zero>
bool sparseflow::rt::encodePairs(const int8_t *row, const int8_t *row8,
                                 uint8_t *metadata, uint8_t *values) {
  bool good = true;
  constexpr int laneBytes = Zero ? 16 : 8;
  std::memset(values, 0, 4 * laneBytes);
  for (int e = 0; e < 4; ++e)
    for (int q = 0; q < 4; ++q) {
      int r = q % 2;
      const int8_t *source = (r ? row8 : row) + 64 * e + 32 * (q / 2);
      uint32_t word = 0;
      for (int i = 0; i < 8; ++i) {
        const int8_t *group = source + 4 * i;
        unsigned mask = 0, count = 0;
        for (int j = 0; j < 4; ++j) {
          good &= group[j] >= -1 && group[j] <= 1;
          mask |= unsigned(group[j] != 0) << j;
          count += group[j] != 0;
        }
        good &= Zero ? count <= 2 : count == 2;
        unsigned nibble = kNibbles[mask];
        word |= nibble << (4 * i);
        for (int v = 0; v < 2; ++v) {
          Slot slot = slotOf(e, r, 16 * (q / 2) + 2 * i + v);
          int8_t trit = group[nibble >> (2 * v) & 3];
          int bit = Zero ? slot.codeBit : slot.signBit;
          unsigned code = Zero ? unsigned(trit) & 3 : trit < 0;
          values[slot.lane * laneBytes + bit / 8] |= code << (bit % 8);
        }
      }
      std::memcpy(metadata + 16 * q + 4 * e, &word, sizeof(word));
    }
  return good;
}

template <bool Zero>
bool sparseflow::rt::decodePairs(const uint8_t *metadata, const uint8_t *values,
                                 int8_t *row, int8_t *row8) {
  bool good = true;
  constexpr int laneBytes = Zero ? 16 : 8;
  for (int e = 0; e < 4; ++e)
    for (int q = 0; q < 4; ++q) {
      int r = q % 2;
      int8_t *target = (r ? row8 : row) + 64 * e + 32 * (q / 2);
      uint32_t word;
      std::memcpy(&word, metadata + 16 * q + 4 * e, sizeof(word));
      for (int i = 0; i < 8; ++i) {
        unsigned nibble = word >> (4 * i) & 15, mask = 0;
        int8_t group[4] = {0, 0, 0, 0};
        bool legal = isIncreasing(nibble);
        for (int v = 0; v < 2 && legal; ++v) {
          Slot slot = slotOf(e, r, 16 * (q / 2) + 2 * i + v);
          const uint8_t *lane = values + slot.lane * laneBytes;
          unsigned position = nibble >> (2 * v) & 3;
          unsigned code = Zero ? getBits(lane, slot.codeBit, 3)
                          : getBits(lane, slot.signBit, 1) ? 3u
                                                           : 1u;
          legal &= code != 2;
          group[position] = code == 3 ? -1 : int8_t(code);
          mask |= unsigned(code != 0) << position;
        }
        // Fewer than two non-zeros have one encoding.
        legal = legal && kNibbles[mask] == nibble;
        if (!legal)
          std::memset(group, 2, sizeof(group));
        good &= legal;
        std::memcpy(target + 4 * i, group, sizeof(group));
      }
    }
  return good;
}

template bool sparseflow::rt::encodePairs<false>(const int8_t *, const int8_t *,
                                                 uint8_t *, uint8_t *);
template bool sparseflow::rt::encodePairs<true>(const int8_t *, const int8_t *,
                                                uint8_t *, uint8_t *);
template bool sparseflow::rt::decodePairs<false>(const uint8_t *,
                                                 const uint8_t *, int8_t *,
                                                 int8_t *);
template bool sparseflow::rt::decodePairs<true>(const uint8_t *,
                                                const uint8_t *, int8_t *,
                                                int8_t *);

//===----------------------------------------------------------------------===//
// ternbp.v1
//===----------------------------------------------------------------------===//

bool sparseflow::rt::encodeBits(const int8_t *row, int64_t count, uint8_t *plus,
                                uint8_t *minus) {
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

bool sparseflow::rt::decodeBits(const uint8_t *plus, const uint8_t *minus,
                                int64_t count, int8_t *row) {
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

//===----------------------------------------------------------------------===//
// tern3.v1
//===----------------------------------------------------------------------===//

bool sparseflow::rt::encodeBase3(const int8_t *row, int64_t count,
                                 uint8_t *bytes) {
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

bool sparseflow::rt::decodeBase3(const uint8_t *bytes, int64_t count,
                                 int8_t *row) {
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
