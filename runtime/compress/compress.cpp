//===- compress.cpp - Pruning and quantization of a layer -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compress/compress.h"

#include "compress/solver/output_error.h"
#include "compress/solver/refit.h"
#include "compress/solver/sweep.h"
#include "compress/solver/targets.h"

#include <algorithm>
#include <cmath>
#include <optional>

using namespace sparseflow::rt;
using namespace sparseflow::rt::compress;

static std::string sizeText(int64_t n, int64_t k) {
  return std::to_string(n) + " x " + std::to_string(k);
}

/// The first element that is not finite, or -1.
static int64_t firstNotFinite(const float *values, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    if (!std::isfinite(values[i]))
      return i;
  return -1;
}

static Status checkWeights(const float *weights, int64_t n, int64_t k,
                           const Format &format) {
  if (n < 0 || k <= 0)
    return invalidArgument("expected n >= 0 rows of k > 0 columns, found " +
                           sizeText(n, k));
  if (format.group && k % format.group)
    return invalidArgument(
        "expected a number of columns that is a multiple of " +
        std::to_string(format.group) + ", found " + sizeText(n, k) +
        "; leave this matrix dense");
  if (int64_t i = firstNotFinite(weights, n * k); i >= 0)
    return formatError("expected finite weights, found NaN or infinity in "
                       "row " +
                       std::to_string(i / k) + ", column " +
                       std::to_string(i % k));
  return Status::success();
}

static bool hasFeedback(Method method) {
  return method == Method::Feedback || method == Method::Refit;
}

static Status checkMethod(const Options &options) {
  const Format &format = options.format;
  if (options.method == Method::Refit &&
      (!format.group || format.bits || format.planes))
    return invalidArgument("refit chooses again which weights of an N:M "
                           "pattern stay: expected N:M alone; for integers "
                           "and trits there is gptq");
  return Status::success();
}

static Status checkMoments(const Moments &moments, int64_t n, int64_t k,
                           Method method) {
  if (moments.targets && !moments.products)
    return invalidArgument("targets need the moments of the layer's inputs, a "
                           "matrix [" +
                           std::to_string(k) + ", " + std::to_string(k) + "]");
  if (moments.targets)
    if (int64_t i = firstNotFinite(moments.targets, n * k); i >= 0)
      return formatError("expected finite targets, found NaN or infinity in "
                         "row " +
                         std::to_string(i / k) + ", column " +
                         std::to_string(i % k));
  if (hasFeedback(method) && !moments.products)
    return invalidArgument("sparsegpt, gptq and refit need the moments of the "
                           "layer's inputs, a matrix "
                           "[" +
                           std::to_string(k) + ", " + std::to_string(k) +
                           "]; give them, or choose magnitude");
  if (method == Method::Wanda && !moments.products && !moments.diagonal)
    return invalidArgument(
        "wanda needs the mean squares of the layer's inputs, [" +
        std::to_string(k) + "]; give them, or choose magnitude");
  if (moments.products)
    if (int64_t i = firstNotFinite(moments.products, k * k); i >= 0)
      return formatError("expected finite moments, found NaN or infinity "
                         "in row " +
                         std::to_string(i / k) + ", column " +
                         std::to_string(i % k));
  for (int64_t i = 0; i < k; ++i) {
    float square = moments.products   ? moments.products[i * k + i]
                   : moments.diagonal ? moments.diagonal[i]
                                      : 0;
    if (!(square >= 0) || !std::isfinite(square))
      return formatError("expected mean squares that are finite and not "
                         "negative, found " +
                         std::to_string(square) + " for column " +
                         std::to_string(i));
  }
  return Status::success();
}

/// Blocks hold whole groups, so that a group sees all errors before it. Groups
/// beyond 512 columns would make blocks that no cache holds.
static int64_t blockColumns(const Options &options) {
  int64_t unit = std::max(1, options.format.group);
  int64_t scales = options.format.scaleColumns;
  if (scales > 0 && scales <= 512)
    unit = scales % unit == 0 ? scales : unit * scales;
  int64_t wanted = std::max<int64_t>(1, options.block);
  return (wanted + unit - 1) / unit * unit;
}

Status sparseflow::rt::compress::compressLayer(float *weights, int64_t n,
                                               int64_t k,
                                               const Moments &moments,
                                               const Options &options,
                                               Report &report) {
  auto named = [&](const Status &status) {
    return options.name.empty()
               ? status
               : status.withContext("tensor '" + printable(options.name) + "'");
  };
  if (Status status = checkMethod(options); !status)
    return named(status);
  if (Status status = checkWeights(weights, n, k, options.format); !status)
    return named(status);
  if (Status status = checkMoments(moments, n, k, options.method); !status)
    return named(status);

  std::vector<float> rms;
  if (options.method == Method::Wanda) {
    rms.resize(k);
    for (int64_t i = 0; i < k; ++i)
      rms[i] = std::sqrt(moments.products ? moments.products[i * k + i]
                                          : moments.diagonal[i]);
  }
  std::optional<InverseFactor> factor;
  if (hasFeedback(options.method) || moments.targets) {
    Expected<InverseFactor> created =
        InverseFactor::create(moments.products, k, options.damping);
    if (!created)
      return named(created.status());
    factor.emplace(std::move(*created));
  }

  if (moments.targets)
    moveToTargets(weights, n, k, moments, *factor);
  std::vector<float> original(weights, weights + n * k), wanted;
  // An input that is always zero carries nothing.
  if (factor)
    for (int64_t c = 0; c < k; ++c)
      if (moments.products[c * k + c] == 0)
        for (int64_t r = 0; r < n; ++r)
          weights[r * k + c] = 0;
  if (options.method == Method::Refit)
    wanted.assign(weights, weights + n * k);
  ColumnStatistics statistics{rms.empty() ? nullptr : rms.data(),
                              hasFeedback(options.method) ? &*factor : nullptr};
  sweep(weights, n, k, options.format, statistics, blockColumns(options),
        options.threads);
  if (options.method == Method::Refit)
    refit(wanted.data(), weights, n, k, options.format,
          dampedProducts(moments.products, k, factor->damping()).data(),
          options.sweeps, blockColumns(options), options.threads);

  report = Report();
  report.weights = n * k;
  report.zeros = std::count(weights, weights + n * k, 0.0f);
  report.damping = factor ? factor->damping() : 0;
  report.outputError = outputError(original.data(), weights, n, k, moments);
  return Status::success();
}
