//===- span_kernels.h - Inner loops of ternarisation ------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops over adjacent weights of one row, compiled for the baseline and for
// AVX2 and chosen once at run time. Sums have sixteen partial sums in double
// that are added in a fixed order: both give the same bits. `h` is the
// importance of each column, or null for 1.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_TERNARY_SPAN_KERNELS_H
#define SPARSEFLOW_RT_TERNARY_SPAN_KERNELS_H

#include <cstdint>

namespace sparseflow::rt {

/// Sums over the weights that a trit plane keeps.
struct KeptSums {
  double magnitude = 0; ///< sum of h * |w|
  double weight = 0;    ///< sum of h
  void add(const KeptSums &other) {
    magnitude += other.magnitude;
    weight += other.weight;
  }
};

/// The normal equations of two planes a, b: sums of h times each product.
struct PlaneSums {
  double aa = 0, ab = 0, bb = 0, aw = 0, bw = 0;
  void add(const PlaneSums &other) {
    aa += other.aa;
    ab += other.ab;
    bb += other.bb;
    aw += other.aw;
    bw += other.bw;
  }
};

/// What a report needs.
struct ErrorSums {
  double energy = 0, error = 0;                 ///< sums of w^2, (w - w')^2
  double weightedEnergy = 0, weightedError = 0; ///< the same times h
  int64_t positives = 0, negatives = 0;         ///< trits of all planes
  void add(const ErrorSums &other) {
    energy += other.energy;
    error += other.error;
    weightedEnergy += other.weightedEnergy;
    weightedError += other.weightedError;
    positives += other.positives;
    negatives += other.negatives;
  }
};

struct SpanKernels {
  const char *name;
  double (*absSum)(const float *w, int64_t count);
  /// Over |w| > threshold.
  KeptSums (*above)(const float *w, const float *h, int64_t count,
                    float threshold);
  /// trit = sign of w * factor where |w * factor| > threshold.
  void (*assign)(const float *w, int64_t count, float factor, float threshold,
                 int8_t *trits);
  /// The nearest of the nine sums of two scales, a >= b >= 0; at a tie the one
  /// of smaller magnitude.
  void (*assignTwo)(const float *w, int64_t count, float a, float b,
                    int8_t *first, int8_t *second);
  PlaneSums (*planes)(const float *w, const float *h, const int8_t *first,
                      const int8_t *second, int64_t count);
  /// `second` may be null.
  ErrorSums (*errors)(const float *w, const float *h, const int8_t *first,
                      float a, const int8_t *second, float b, int64_t count);
  /// Keeps up to two of every four columns: those with the largest
  /// h * (2 |w| - scale), in tern24z.v1 only positive ones (`zeros`). Ties: the
  /// lower column. `count` is a multiple of 4.
  KeptSums (*assignPairs)(const float *w, const float *h, int64_t count,
                          float scale, bool zeros, int8_t *trits);
};

const SpanKernels &portableSpanKernels();
const SpanKernels &spanKernels();

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_TERNARY_SPAN_KERNELS_H
