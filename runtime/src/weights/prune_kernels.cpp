//===- prune_kernels.cpp - The inner loop of pruning ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "weights/prune_kernels.h"

#include "weights/group24.h"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace sparseflow::rt;

PruneCounts sparseflow::rt::portablePruneGroups(const uint16_t *source,
                                                uint16_t *result,
                                                int64_t groups) {
  PruneCounts counts;
  // The counters have 16 bits a lane.
  constexpr int64_t chunk = 1 << 15;
  for (int64_t start = 0; start < groups; start += chunk) {
    LaneCounter before, after;
    int64_t stop = std::min(groups, start + chunk);
    for (int64_t i = start; i < stop; ++i) {
      uint64_t group;
      std::memcpy(&group, source + 4 * i, sizeof(group));
      uint64_t nonZero = nonZeroLanes(group);
      before.add(nonZero);
      nonZero &= largestTwo(group);
      after.add(nonZero);
      group &= fillLanes(nonZero);
      std::memcpy(result + 4 * i, &group, sizeof(group));
    }
    counts.nonZeros += before.take();
    counts.kept += after.take();
  }
  return counts;
}

#if defined(__x86_64__)

/// The sum of 16 counters of at most 32767.
__attribute__((target("avx2"))) static int64_t sumCounters(__m256i counters) {
  __m256i pairs = _mm256_madd_epi16(counters, _mm256_set1_epi16(1));
  alignas(32) int32_t sums[8];
  _mm256_store_si256(reinterpret_cast<__m256i *>(sums), pairs);
  int64_t total = 0;
  for (int32_t sum : sums)
    total += sum;
  return total;
}

/// Four groups a register. An element is kept when it beats at least two of its
/// group: it is compared with the group rotated by one, two and three; a tie
/// counts only against elements of higher columns.
__attribute__((target("avx2"))) static PruneCounts
avx2PruneGroups(const uint16_t *source, uint16_t *result, int64_t groups) {
  const __m256i magnitudeBits = _mm256_set1_epi16(0x7fff);
  const __m256i zero = _mm256_setzero_si256();
  const __m256i minusOne = _mm256_set1_epi16(-1);
  // Lanes (from column 0 up) whose rotated partner is of a higher column.
  const __m256i tie1 = _mm256_set1_epi64x(0x0000ffffffffffff);
  const __m256i tie2 = _mm256_set1_epi64x(0x00000000ffffffff);
  const __m256i tie3 = _mm256_set1_epi64x(0x000000000000ffff);

  PruneCounts counts;
  constexpr int64_t chunk = 4 << 14; // below the limit of the counters
  int64_t whole = groups / 4 * 4;
  for (int64_t start = 0; start < whole; start += chunk) {
    __m256i before = zero, after = zero;
    int64_t stop = std::min(whole, start + chunk);
    for (int64_t i = start; i < stop; i += 4) {
      __m256i group =
          _mm256_loadu_si256(reinterpret_cast<const __m256i *>(source + 4 * i));
      __m256i m = _mm256_and_si256(group, magnitudeBits);
      __m256i next1 = _mm256_shufflehi_epi16(
          _mm256_shufflelo_epi16(m, _MM_SHUFFLE(0, 3, 2, 1)),
          _MM_SHUFFLE(0, 3, 2, 1));
      __m256i next2 = _mm256_shuffle_epi32(m, _MM_SHUFFLE(2, 3, 0, 1));
      __m256i next3 = _mm256_shufflehi_epi16(
          _mm256_shufflelo_epi16(m, _MM_SHUFFLE(2, 1, 0, 3)),
          _MM_SHUFFLE(2, 1, 0, 3));
      // -1 for each win.
      __m256i wins = _mm256_add_epi16(
          _mm256_or_si256(_mm256_cmpgt_epi16(m, next1),
                          _mm256_and_si256(_mm256_cmpeq_epi16(m, next1), tie1)),
          _mm256_or_si256(
              _mm256_cmpgt_epi16(m, next2),
              _mm256_and_si256(_mm256_cmpeq_epi16(m, next2), tie2)));
      wins = _mm256_add_epi16(
          wins, _mm256_or_si256(
                    _mm256_cmpgt_epi16(m, next3),
                    _mm256_and_si256(_mm256_cmpeq_epi16(m, next3), tie3)));
      __m256i nonZero = _mm256_cmpgt_epi16(m, zero);
      __m256i kept =
          _mm256_and_si256(nonZero, _mm256_cmpgt_epi16(minusOne, wins));
      before = _mm256_sub_epi16(before, nonZero);
      after = _mm256_sub_epi16(after, kept);
      _mm256_storeu_si256(reinterpret_cast<__m256i *>(result + 4 * i),
                          _mm256_and_si256(group, kept));
    }
    counts.nonZeros += sumCounters(before);
    counts.kept += sumCounters(after);
  }
  PruneCounts tail = portablePruneGroups(source + 4 * whole, result + 4 * whole,
                                         groups - whole);
  return {counts.nonZeros + tail.nonZeros, counts.kept + tail.kept};
}

#endif

PruneKernel sparseflow::rt::pruneKernel() {
#if defined(__x86_64__)
  static const bool usable = __builtin_cpu_supports("avx2");
  if (usable)
    return avx2PruneGroups;
#endif
  return portablePruneGroups;
}
