//===- span_kernels.cpp - Inner loops of ternarisation --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ternary/span_kernels.h"

#include <cmath>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#define SPARSEFLOW_HAS_AVX2 1
#define SPARSEFLOW_AVX2 __attribute__((target("avx2")))
#endif
#define SPARSEFLOW_INLINE static inline __attribute__((always_inline))

using namespace sparseflow::rt;

namespace {

constexpr int kLanes = 16;

double addUp(const double (&lanes)[kLanes]) {
  double sums[kLanes];
  for (int j = 0; j < kLanes; ++j)
    sums[j] = lanes[j];
  for (int width = kLanes / 2; width > 0; width /= 2)
    for (int j = 0; j < width; ++j)
      sums[j] += sums[j + width];
  return sums[0];
}

/// Blocks of sixteen, then what is left into the first lanes.
template <typename Body>
SPARSEFLOW_INLINE void inLanes(int64_t count, Body body) {
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    for (int j = 0; j < kLanes; ++j)
      body(i + j, j);
  for (int j = 0; i + j < count; ++j)
    body(i + j, j);
}

SPARSEFLOW_INLINE double absSumLoop(const float *w, int64_t count) {
  double lanes[kLanes] = {};
  inLanes(count, [&](int64_t i, int j) { lanes[j] += std::fabs(w[i]); });
  return addUp(lanes);
}

/// `value` where `keep`, else +0: an AND of bits, which becomes vector code
/// where a choice would become a branch.
SPARSEFLOW_INLINE float keepIf(bool keep, float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  bits &= 0u - uint32_t(keep);
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

SPARSEFLOW_INLINE KeptSums aboveLoop(const float *w, const float *h,
                                     int64_t count, float threshold) {
  double sum[kLanes] = {}, weight[kLanes] = {};
  if (h)
    inLanes(count, [&](int64_t i, int j) {
      float magnitude = std::fabs(w[i]);
      float kept = keepIf(magnitude > threshold, h[i]);
      sum[j] += double(kept) * double(magnitude);
      weight[j] += kept;
    });
  else
    inLanes(count, [&](int64_t i, int j) {
      float magnitude = std::fabs(w[i]);
      sum[j] += keepIf(magnitude > threshold, magnitude);
      weight[j] += keepIf(magnitude > threshold, 1.f);
    });
  return {addUp(sum), addUp(weight)};
}

SPARSEFLOW_INLINE void assignLoop(const float *w, int64_t count, float factor,
                                  float threshold, int8_t *trits) {
  for (int64_t i = 0; i < count; ++i) {
    float value = w[i] * factor;
    trits[i] = int8_t(int(value > threshold) - int(value < -threshold));
  }
}

SPARSEFLOW_INLINE void assignTwoLoop(const float *w, int64_t count, float a,
                                     float b, int8_t *first, int8_t *second) {
  // The five sums that are not negative, from small to large. A weight climbs
  // one of them for each middle between two that it exceeds.
  struct Level {
    float value;
    int first, second;
  } levels[5] = {
      {0, 0, 0}, {b, 0, 1}, {a - b, 1, -1}, {a, 1, 0}, {a + b, 1, 1}};
  if (a - b < b) {
    Level swapped = levels[1];
    levels[1] = levels[2];
    levels[2] = swapped;
  }
  float middle[4];
  int stepOne[4], stepTwo[4];
  for (int l = 0; l < 4; ++l) {
    middle[l] = (levels[l].value + levels[l + 1].value) / 2;
    stepOne[l] = levels[l + 1].first - levels[l].first;
    stepTwo[l] = levels[l + 1].second - levels[l].second;
  }
  for (int64_t i = 0; i < count; ++i) {
    float magnitude = std::fabs(w[i]);
    int sign = int(w[i] > 0) - int(w[i] < 0), one = 0, two = 0;
    for (int l = 0; l < 4; ++l) {
      int above = magnitude > middle[l];
      one += above * stepOne[l];
      two += above * stepTwo[l];
    }
    first[i] = int8_t(one * sign);
    second[i] = int8_t(two * sign);
  }
}

SPARSEFLOW_INLINE PlaneSums planesLoop(const float *w, const float *h,
                                       const int8_t *first,
                                       const int8_t *second, int64_t count) {
  PlaneSums sums;
  double aw[kLanes] = {}, bw[kLanes] = {};
  if (!h) {
    // Products of trits are counted in integers.
    for (int64_t from = 0; from < count; from += 4096) {
      int64_t to = from + 4096 < count ? from + 4096 : count;
      int aa = 0, ab = 0, bb = 0;
      for (int64_t i = from; i < to; ++i) {
        aa += first[i] * first[i];
        ab += first[i] * second[i];
        bb += second[i] * second[i];
      }
      sums.aa += aa;
      sums.ab += ab;
      sums.bb += bb;
    }
    inLanes(count, [&](int64_t i, int j) {
      aw[j] += double(w[i] * float(first[i]));
      bw[j] += double(w[i] * float(second[i]));
    });
  } else {
    double aa[kLanes] = {}, ab[kLanes] = {}, bb[kLanes] = {};
    inLanes(count, [&](int64_t i, int j) {
      double weight = h[i], a = first[i], b = second[i];
      aa[j] += weight * a * a;
      ab[j] += weight * a * b;
      bb[j] += weight * b * b;
      aw[j] += weight * a * double(w[i]);
      bw[j] += weight * b * double(w[i]);
    });
    sums.aa = addUp(aa);
    sums.ab = addUp(ab);
    sums.bb = addUp(bb);
  }
  sums.aw = addUp(aw);
  sums.bw = addUp(bw);
  return sums;
}

SPARSEFLOW_INLINE ErrorSums errorsLoop(const float *w, const float *h,
                                       const int8_t *first, float a,
                                       const int8_t *second, float b,
                                       int64_t count) {
  double energy[kLanes] = {}, error[kLanes] = {}, wEnergy[kLanes] = {},
         wError[kLanes] = {};
  ErrorSums sums;
  auto tally = [&](const int8_t *trits) {
    // Counted in int, which becomes vector code, in pieces that fit.
    for (int64_t from = 0; from < count; from += 4096) {
      int64_t to = from + 4096 < count ? from + 4096 : count;
      int positives = 0, negatives = 0;
      for (int64_t i = from; i < to; ++i) {
        positives += trits[i] > 0;
        negatives += trits[i] < 0;
      }
      sums.positives += positives;
      sums.negatives += negatives;
    }
  };
  if (!second && !h)
    inLanes(count, [&](int64_t i, int j) {
      float off = w[i] - a * float(first[i]);
      energy[j] += double(w[i]) * double(w[i]);
      error[j] += double(off) * double(off);
    });
  else
    inLanes(count, [&](int64_t i, int j) {
      float value = a * float(first[i]);
      if (second)
        value += b * float(second[i]);
      double off = double(w[i]) - double(value), weight = h ? h[i] : 1.0;
      energy[j] += double(w[i]) * double(w[i]);
      error[j] += off * off;
      wEnergy[j] += weight * double(w[i]) * double(w[i]);
      wError[j] += weight * off * off;
    });
  tally(first);
  if (second)
    tally(second);
  sums.energy = addUp(energy);
  sums.error = addUp(error);
  sums.weightedEnergy = h ? addUp(wEnergy) : sums.energy;
  sums.weightedError = h ? addUp(wError) : sums.error;
  return sums;
}

SPARSEFLOW_INLINE KeptSums assignPairsLoop(const float *w, const float *h,
                                           int64_t count, float scale,
                                           bool zeros, int8_t *trits) {
  double sum[4] = {}, weight[4] = {};
  for (int64_t i = 0; i < count; i += 4) {
    float gain[4];
    int rank[4] = {0, 0, 0, 0};
    for (int j = 0; j < 4; ++j)
      gain[j] = (h ? h[i + j] : 1.f) * (2 * std::fabs(w[i + j]) - scale);
    for (int j = 0; j < 4; ++j)
      for (int other = j + 1; other < 4; ++other) {
        bool loses = gain[other] > gain[j];
        rank[j] += loses;
        rank[other] += !loses;
      }
    for (int j = 0; j < 4; ++j) {
      bool kept = rank[j] < 2 && (!zeros || gain[j] > 0);
      trits[i + j] = int8_t(kept ? (w[i + j] < 0 ? -1 : 1) : 0);
      double importance = kept ? (h ? double(h[i + j]) : 1.0) : 0.0;
      sum[j] += importance * double(std::fabs(w[i + j]));
      weight[j] += importance;
    }
  }
  return {(sum[0] + sum[2]) + (sum[1] + sum[3]),
          (weight[0] + weight[2]) + (weight[1] + weight[3])};
}

} // namespace

// The loops under two names each, so that the compiler writes them twice.
#define SPARSEFLOW_SPAN_KERNELS(NAME, TARGET)                                  \
  TARGET static double NAME##AbsSum(const float *w, int64_t count) {           \
    return absSumLoop(w, count);                                               \
  }                                                                            \
  TARGET static KeptSums NAME##Above(const float *w, const float *h,           \
                                     int64_t count, float threshold) {         \
    return aboveLoop(w, h, count, threshold);                                  \
  }                                                                            \
  TARGET static void NAME##Assign(const float *w, int64_t count, float factor, \
                                  float threshold, int8_t *trits) {            \
    assignLoop(w, count, factor, threshold, trits);                            \
  }                                                                            \
  TARGET static void NAME##AssignTwo(const float *w, int64_t count, float a,   \
                                     float b, int8_t *first, int8_t *second) { \
    assignTwoLoop(w, count, a, b, first, second);                              \
  }                                                                            \
  TARGET static PlaneSums NAME##Planes(const float *w, const float *h,         \
                                       const int8_t *first,                    \
                                       const int8_t *second, int64_t count) {  \
    return planesLoop(w, h, first, second, count);                             \
  }                                                                            \
  TARGET static ErrorSums NAME##Errors(                                        \
      const float *w, const float *h, const int8_t *first, float a,            \
      const int8_t *second, float b, int64_t count) {                          \
    return errorsLoop(w, h, first, a, second, b, count);                       \
  }                                                                            \
  TARGET static KeptSums NAME##AssignPairs(const float *w, const float *h,     \
                                           int64_t count, float scale,         \
                                           bool zeros, int8_t *trits) {        \
    return assignPairsLoop(w, h, count, scale, zeros, trits);                  \
  }                                                                            \
  static constexpr SpanKernels NAME##Kernels = {                               \
      #NAME,           NAME##AbsSum, NAME##Above,  NAME##Assign,               \
      NAME##AssignTwo, NAME##Planes, NAME##Errors, NAME##AssignPairs};

SPARSEFLOW_SPAN_KERNELS(portable, )
#ifdef SPARSEFLOW_HAS_AVX2
SPARSEFLOW_SPAN_KERNELS(avx2, SPARSEFLOW_AVX2)
#endif

const SpanKernels &sparseflow::rt::portableSpanKernels() {
  return portableKernels;
}

const SpanKernels &sparseflow::rt::spanKernels() {
#ifdef SPARSEFLOW_HAS_AVX2
  static const bool usable = __builtin_cpu_supports("avx2");
  if (usable)
    return avx2Kernels;
#endif
  return portableKernels;
}
