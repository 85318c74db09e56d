//===- report.cpp - What ternary weights have lost ------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ternary/ternarize.h"

#include "common/parallel.h"
#include "ternary/span_kernels.h"
#include "weights/float_kernels.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace sparseflow::rt;

const char *sparseflow::rt::methodName(TernaryMethod method) {
  switch (method) {
  case TernaryMethod::Absmean:
    return "absmean";
  case TernaryMethod::Twn:
    return "twn";
  case TernaryMethod::Lloyd:
    return "lloyd";
  }
  return "unknown";
}

Expected<TernaryMethod>
sparseflow::rt::methodFromName(const std::string &name) {
  for (TernaryMethod method :
       {TernaryMethod::Absmean, TernaryMethod::Twn, TernaryMethod::Lloyd})
    if (name == methodName(method))
      return method;
  return invalidArgument("expected the method absmean, twn or lloyd, found '" +
                         printable(name, 40) + "'");
}

double TernaryReport::relativeError() const {
  return energy == 0 ? 0 : std::sqrt(error / energy);
}
double TernaryReport::weightedRelativeError() const {
  return weightedEnergy == 0 ? 0 : std::sqrt(weightedError / weightedEnergy);
}
double TernaryReport::snr() const {
  double relative = relativeError();
  return relative == 0 ? std::numeric_limits<double>::infinity()
                       : -20 * std::log10(relative);
}
double TernaryReport::zeroShare() const {
  int64_t trits = positives + negatives + zeros;
  return trits == 0 ? 0 : double(zeros) / double(trits);
}

TernaryReport sparseflow::rt::reportTernary(const void *weights, sf_dtype dtype,
                                            const TernaryFormat &format,
                                            const float *importance,
                                            int threads, const int8_t *trits,
                                            const float *scales) {
  constexpr int64_t kRows = 16; // orders the additions
  int64_t n = format.n, k = format.k;
  int64_t width = format.group > kRowScale ? format.group : k;
  const auto *bytes = static_cast<const uint8_t *>(weights);
  std::vector<ErrorSums> parts((n + kRows - 1) / kRows);
  parallelFor(parts.size(), threads, [&](int64_t piece) {
    std::vector<float> buffer(k);
    int64_t last = std::min(n, (piece + 1) * kRows);
    for (int64_t row = piece * kRows; row < last; ++row) {
      if (dtype == SF_DTYPE_F16)
        floatKernels().halfToFloat(bytes + row * k * 2, buffer.data(), k);
      else if (dtype == SF_DTYPE_BF16)
        floatKernels().bfloatToFloat(bytes + row * k * 2, buffer.data(), k);
      else if (k > 0) // An empty vector has no address to copy to.
        std::memcpy(buffer.data(), bytes + row * k * 4, k * 4);
      for (int64_t g = 0; g < format.groups(); ++g) {
        int64_t begin = g * width, count = std::min(width, k - begin);
        int64_t scale = format.group == kTensorScale ? 0 : g * n + row;
        bool two = format.planes == 2;
        const int8_t *first = trits + row * k + begin;
        parts[piece].add(spanKernels().errors(
            buffer.data() + begin, importance ? importance + begin : nullptr,
            first, scales[scale], two ? first + n * k : nullptr,
            two ? scales[format.scalesPerPlane() + scale] : 0, count));
      }
    }
  });
  ErrorSums sums;
  for (const ErrorSums &part : parts)
    sums.add(part);
  TernaryReport report;
  report.weights = n * k;
  report.positives = sums.positives;
  report.negatives = sums.negatives;
  report.zeros = format.tritCount() - sums.positives - sums.negatives;
  report.energy = sums.energy;
  report.error = sums.error;
  report.weightedEnergy = sums.weightedEnergy;
  report.weightedError = sums.weightedError;
  report.bitsPerWeight = format.bitsPerWeight();
  return report;
}
