//===- group24.h - One group of four 16-bit elements ------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic on a group held in one 64-bit word: column j of the group in bits
// 16j .. 16j+15. Everything is free of branches, because in real weights the
// pattern of the next group cannot be predicted.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_WEIGHTS_GROUP24_H
#define SPARSEFLOW_RT_WEIGHTS_GROUP24_H

#include <cstdint>

namespace sparseflow::rt {

/// One bit a lane: the sign, and the lowest.
inline constexpr uint64_t kLaneHigh = 0x8000800080008000u;
inline constexpr uint64_t kLaneLow = 0x0001000100010001u;
/// The magnitude of every lane.
inline constexpr uint64_t kLaneMagnitude = ~kLaneHigh;

/// 0x8000 in every lane that is not +0.0 or -0.0. (A magnitude is at most
/// 0x7fff, so the addition cannot carry into the next lane.)
inline uint64_t nonZeroLanes(uint64_t group) {
  return ((group & kLaneMagnitude) + kLaneMagnitude) & kLaneHigh;
}

/// Widens 0x8000 to 0xffff in every lane.
inline uint64_t fillLanes(uint64_t high) { return (high >> 15) * 0xffff; }

/// Gathers the four lane bits of `high` into bits 0..3. The multiplication
/// moves lane j to bit 48 + j; the other products fall outside bits 48..51.
inline unsigned laneMask(uint64_t high) {
  return (((high >> 15) * 0x0001000200040008u) >> 48) & 0xf;
}

/// Counts lanes in four 16-bit counters, which the caller empties in time (at
/// most 65535 groups) through take().
struct LaneCounter {
  uint64_t lanes = 0;
  void add(uint64_t high) { lanes += high >> 15; }
  int64_t take() {
    int64_t sum = 0;
    for (; lanes; lanes >>= 16)
      sum += lanes & 0xffff;
    return sum;
  }
};

/// How the two kept positions of a group are written, by its mask of non-zeros.
struct GroupCode {
  uint8_t shift0;  ///< 16 * first position
  uint8_t shift1;  ///< 16 * second position
  uint8_t nibble;  ///< first | second << 2
  uint8_t tooMany; ///< 1 if the mask has more than two bits
};

constexpr GroupCode groupCode(unsigned mask) {
  unsigned first = 0, second = 1, found = 0;
  for (unsigned j = 0; j < 4; ++j)
    if (mask >> j & 1) {
      (found == 0 ? first : second) = j;
      ++found;
    }
  // One non-zero: pair it with position 3, or, if it is there itself, with 2.
  if (found == 1) {
    second = 3;
    if (first == 3)
      first = 2;
  }
  return {uint8_t(16 * first), uint8_t(16 * second),
          uint8_t(first | second << 2), uint8_t(found > 2)};
}

struct GroupCodes {
  GroupCode byMask[16];
};
constexpr GroupCodes makeGroupCodes() {
  GroupCodes codes{};
  for (unsigned mask = 0; mask < 16; ++mask)
    codes.byMask[mask] = groupCode(mask);
  return codes;
}
inline constexpr GroupCodes kGroupCodes = makeGroupCodes();

/// 0xffff in the two lanes that pruning keeps, by the outcome of the six
/// comparisons m0>=m1, m0>=m2, m0>=m3, m1>=m2, m1>=m3, m2>=m3 (bits 0..5). A
/// lane is kept when it beats at least two others; at a tie the lower wins.
struct PruneMasks {
  uint64_t byOutcome[64];
};
constexpr PruneMasks makePruneMasks() {
  PruneMasks masks{};
  for (unsigned outcome = 0; outcome < 64; ++outcome) {
    unsigned wins[4] = {0, 0, 0, 0}, bit = 0;
    for (unsigned i = 0; i < 4; ++i)
      for (unsigned j = i + 1; j < 4; ++j, ++bit)
        ++wins[outcome >> bit & 1 ? i : j];
    for (unsigned j = 0; j < 4; ++j)
      if (wins[j] >= 2)
        masks.byOutcome[outcome] |= uint64_t(0xffff) << 16 * j;
  }
  return masks;
}
inline constexpr PruneMasks kPruneMasks = makePruneMasks();

/// 0xffff in the two lanes of the largest magnitudes.
inline uint64_t largestTwo(uint64_t group) {
  uint64_t magnitude = group & kLaneMagnitude;
  // Lane i of atLeast(r) is set when m[i] >= m[(i + r / 16) % 4]: the borrow of
  // the subtraction stays in the lane because its top bit was set first.
  auto atLeast = [magnitude](int r) {
    uint64_t rotated = magnitude >> r | magnitude << (64 - r);
    return ((magnitude | kLaneHigh) - rotated) & kLaneHigh;
  };
  // Bits 0, 1, 2: m0 against m1, m2, m3; bits 16, 17: m1 against m2, m3; bit
  // 32: m2 against m3. Then all six side by side.
  uint64_t sparse = (atLeast(16) & 0x0000800080008000u) >> 15 |
                    (atLeast(32) & 0x0000000080008000u) >> 14 |
                    (atLeast(48) & 0x0000000000008000u) >> 13;
  unsigned outcome = (sparse | sparse >> 13 | sparse >> 27) & 0x3f;
  return kPruneMasks.byOutcome[outcome];
}

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_WEIGHTS_GROUP24_H
