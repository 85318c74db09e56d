//===- ternarize.h - Makes weights ternary ----------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The methods and their exact rules: docs/formats/ternary.md. Results do not
// depend on the number of threads or the processor.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_TERNARY_TERNARIZE_H
#define SPARSEFLOW_RT_TERNARY_TERNARIZE_H

#include "ternary/format.h"

#include <cstdint>
#include <string>

namespace sparseflow::rt {

enum class TernaryMethod {
  /// The rule of BitNet, bit for bit, for weights that were trained with it.
  Absmean,
  /// A threshold of 0.7 of the mean magnitude, or of what is asked for.
  Twn,
  /// The scale and threshold of least squared error.
  Lloyd
};
/// "absmean", "twn" or "lloyd".
const char *methodName(TernaryMethod method);
Expected<TernaryMethod> methodFromName(const std::string &name);

struct TernarizeOptions {
  /// Named in error texts; may be empty.
  std::string name;
  TernaryMethod method = TernaryMethod::Lloyd;
  /// Twn: weights above this many mean magnitudes of their scope are kept.
  double threshold = 0.7;
  /// Sizes, storage, planes, scale scope and type of the result. Two planes and
  /// 2:4 storages choose by Lloyd's rule and take no other method.
  TernaryFormat format;
  /// k numbers >= 0, usually the mean squares of a column's activations; null:
  /// all columns count alike. Not used by absmean.
  const float *importance = nullptr;
  int threads = 0;
};

/// What was lost, from the stored trits and scales.
struct TernaryReport {
  int64_t weights = 0;
  /// Trits of all planes by sign.
  int64_t positives = 0, negatives = 0, zeros = 0;
  /// Sums of squares of the weights and of the error; the weighted ones times
  /// the importance.
  double energy = 0, error = 0, weightedEnergy = 0, weightedError = 0;
  double bitsPerWeight = 0;

  /// ||W - W'|| / ||W||; 0 for weights that are all zero.
  double relativeError() const;
  double weightedRelativeError() const;
  /// -20 log10 of the relative error; infinite where nothing was lost.
  double snr() const;
  double zeroShare() const;
};

/// Makes the n x k weights (F16, BF16 or F32, row-major) ternary. `trits` and
/// `scales` have the sizes and order of pack.h; scales are rounded to
/// format.scaleType. Fails on a weight that is not finite, naming the first
/// one; on a scale beyond its type; on an importance that is negative or not
/// finite; on combinations that do not exist.
Status ternarize(const void *weights, sf_dtype dtype,
                 const TernarizeOptions &options, int8_t *trits, float *scales,
                 TernaryReport *report = nullptr);

/// The report of given trits and scales about the weights they stand for.
TernaryReport reportTernary(const void *weights, sf_dtype dtype,
                            const TernaryFormat &format,
                            const float *importance, int threads,
                            const int8_t *trits, const float *scales);

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_TERNARY_TERNARIZE_H
