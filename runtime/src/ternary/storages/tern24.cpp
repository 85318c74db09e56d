//===- tern24.cpp - tern24.v1, tern24z.v1: trits that are 2:4 sparse ---===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lane q of the four that share rows g and g + 8 has, for step e of 64 columns:
// in its metadata word e row g + 8 (q % 2), columns 64e + 32 (q / 2) to + 31;
// in its registers f = 0..3, byte b, the compressed column
// 16 (f / 2) + 4q + b of row g + 8 (f % 2).
//
//===----------------------------------------------------------------------===//

#include "ternary/format.h"
#include "ternary/storages/storage.h"

#include <cstring>

using namespace sparseflow::rt;

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

// The bytes of a pair of rows lie in two places.
constexpr int kMetadataBytes = 2048, kPairMetadata = 64;

template <bool Zero>
bool encode(const int8_t *row, const int8_t *row8, int pair, uint8_t *unit) {
  bool good = true;
  constexpr int laneBytes = Zero ? 16 : 8;
  uint8_t *metadata = unit + kPairMetadata * pair;
  uint8_t *values = unit + kMetadataBytes + 4 * laneBytes * pair;
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
bool decode(const uint8_t *unit, int pair, int8_t *row, int8_t *row8) {
  bool good = true;
  constexpr int laneBytes = Zero ? 16 : 8;
  const uint8_t *metadata = unit + kPairMetadata * pair;
  const uint8_t *values = unit + kMetadataBytes + 4 * laneBytes * pair;
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

template <bool Zero>
constexpr Storage describe() {
  Storage storage;
  storage.format = "ternary24";
  storage.maxPlanes = 1;
  storage.nonzeros = 2;
  storage.rows = kTernaryRows;
  storage.columns = 256;
  storage.encodePair = encode<Zero>;
  storage.decodePair = decode<Zero>;
  return storage;
}

constexpr Storage describeExact() {
  Storage storage = describe</*Zero=*/false>();
  storage.number = TernaryStorage::TwoFour;
  storage.layout = "tern24.v1";
  storage.word = "two_four";
  storage.exactly = true;
  storage.illegal = "expected two increasing positions, found others";
  storage.bytes = kMetadataBytes + 1024;
  return storage;
}

constexpr Storage describeZeros() {
  Storage storage = describe</*Zero=*/true>();
  storage.number = TernaryStorage::TwoFourZero;
  storage.layout = "tern24z.v1";
  storage.word = "two_four_zero";
  storage.illegal = "expected two increasing positions, codes 0, 1 or 3 and "
                    "the padding that the packer writes, found others";
  storage.bytes = kMetadataBytes + 2048;
  return storage;
}

} // namespace

const Storage sparseflow::rt::kTern24V1 = describeExact();
const Storage sparseflow::rt::kTern24zV1 = describeZeros();
