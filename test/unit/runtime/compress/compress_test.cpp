//===- compress_test.cpp - Pruning and quantization of a layer ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Results against a plain reference of the published sweep in float64, the
// rules of each format, and what is refused.
//
//===----------------------------------------------------------------------===//

#include "compress/compress.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <set>

using namespace sparseflow::rt;
using namespace sparseflow::rt::compress;

namespace {

using Matrix = std::vector<double>;

/// A layer with correlated inputs of very different sizes.
struct Layer {
  Layer(int64_t n, int64_t k, unsigned seed) : n(n), k(k) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    weights.resize(n * k);
    for (float &w : weights)
      w = normal(random);
    int64_t count = 3 * k;
    Matrix inputs(count * k), mix(k * k);
    for (int64_t i = 0; i < k; ++i)
      for (int64_t j = 0; j < k; ++j)
        mix[i * k + j] = 0.3 * normal(random) + (i == j);
    std::vector<double> x(k);
    products.assign(k * k, 0);
    Matrix sums(k * k);
    for (int64_t s = 0; s < count; ++s) {
      std::vector<double> source(k);
      for (double &v : source)
        v = normal(random);
      for (int64_t j = 0; j < k; ++j) {
        x[j] = 0;
        for (int64_t i = 0; i < k; ++i)
          x[j] += source[i] * mix[i * k + j];
        x[j] *= 1 + 3 * (j % 7 == 0);
      }
      for (int64_t i = 0; i < k; ++i)
        for (int64_t j = 0; j < k; ++j)
          sums[i * k + j] += x[i] * x[j] / count;
    }
    std::copy(sums.begin(), sums.end(), products.begin());
  }

  Moments moments() const { return {products.data(), nullptr}; }
  double error(const std::vector<float> &now) const {
    return std::sqrt(energy(now, true) / energy(now, false));
  }

  int64_t n, k;
  std::vector<float> weights, products;

private:
  /// Of the change, or of the weights themselves.
  double energy(const std::vector<float> &now, bool change) const {
    double sum = 0;
    std::vector<double> v(k);
    for (int64_t r = 0; r < n; ++r) {
      for (int64_t i = 0; i < k; ++i)
        v[i] = double(weights[r * k + i]) - (change ? now[r * k + i] : 0);
      for (int64_t i = 0; i < k; ++i)
        for (int64_t j = 0; j < k; ++j)
          sum += v[i] * products[i * k + j] * v[j];
    }
    return sum;
  }
};

Options optionsOf(const char *format, Method method, int64_t scale = 0) {
  Options options;
  Expected<Format> parsed = formatFromName(format);
  EXPECT_TRUE(parsed.ok()) << format;
  options.format = *parsed;
  options.format.scaleColumns = scale;
  options.method = method;
  return options;
}

std::vector<float> compressed(const Layer &layer, const Options &options,
                              Report *report = nullptr) {
  std::vector<float> weights = layer.weights;
  Report unused;
  Status status =
      compressLayer(weights.data(), layer.n, layer.k, layer.moments(), options,
                    report ? *report : unused);
  EXPECT_TRUE(status.ok()) << status.text();
  return weights;
}

/// The upper factor U of the inverse: U^T U = (H + damping)^-1.
Matrix inverseFactor(const Layer &layer, double damping) {
  int64_t k = layer.k;
  Matrix a(layer.products.begin(), layer.products.end()), inverse(k * k);
  double mean = 0;
  for (int64_t i = 0; i < k; ++i)
    mean += a[i * k + i] / k;
  for (int64_t i = 0; i < k; ++i) {
    a[i * k + i] += damping * mean;
    inverse[i * k + i] = 1;
  }
  for (int64_t p = 0; p < k; ++p) {
    double pivot = a[p * k + p];
    for (int64_t j = 0; j < k; ++j) {
      a[p * k + j] /= pivot;
      inverse[p * k + j] /= pivot;
    }
    for (int64_t i = 0; i < k; ++i) {
      double factor = a[i * k + p];
      if (i == p || factor == 0)
        continue;
      for (int64_t j = 0; j < k; ++j) {
        a[i * k + j] -= factor * a[p * k + j];
        inverse[i * k + j] -= factor * inverse[p * k + j];
      }
    }
  }
  Matrix upper(k * k);
  for (int64_t i = 0; i < k; ++i)
    for (int64_t j = i; j < k; ++j) {
      double sum = inverse[i * k + j];
      for (int64_t r = 0; r < i; ++r)
        sum -= upper[r * k + i] * upper[r * k + j];
      upper[i * k + j] = i == j ? std::sqrt(sum) : sum / upper[i * k + i];
    }
  return upper;
}

/// SparseGPT's published sweep, column by column, in float64.
std::vector<float> referenceSweep(const Layer &layer, int keep, int group) {
  int64_t n = layer.n, k = layer.k;
  Matrix u = inverseFactor(layer, 0.01);
  std::vector<float> result(n * k);
  for (int64_t row = 0; row < n; ++row) {
    std::vector<double> w(layer.weights.begin() + row * k,
                          layer.weights.begin() + (row + 1) * k);
    std::vector<bool> dropped(group);
    for (int64_t i = 0; i < k; ++i) {
      if (i % group == 0) {
        std::vector<int> order(group);
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(), order.end(), [&](int a, int b) {
          return std::abs(w[i + a] / u[(i + a) * k + i + a]) <
                 std::abs(w[i + b] / u[(i + b) * k + i + b]);
        });
        for (int j = 0; j < group; ++j)
          dropped[order[j]] = j < group - keep;
      }
      double q = dropped[i % group] ? 0 : w[i];
      double error = (w[i] - q) / u[i * k + i];
      for (int64_t j = i; j < k; ++j)
        w[j] -= error * u[i * k + j];
      result[row * k + i] = static_cast<float>(q);
    }
  }
  return result;
}

int mostOf(const std::vector<float> &weights, int group) {
  int most = 0;
  for (size_t i = 0; i < weights.size(); i += group)
    most = std::max<int>(most, std::count_if(weights.begin() + i,
                                             weights.begin() + i + group,
                                             [](float w) { return w != 0; }));
  return most;
}

} // namespace

TEST(Compress, FeedbackLosesNoMoreThanThePublishedSweep) {
  for (auto [name, keep, group] : {std::tuple("2:4", 2, 4),
                                   {"4:8", 4, 8},
                                   {"6:8", 6, 8},
                                   {"5:16", 5, 16}}) {
    Layer layer(70, 160, 7 * group + keep);
    double reference = layer.error(referenceSweep(layer, keep, group));
    std::vector<float> ours =
        compressed(layer, optionsOf(name, Method::Feedback));
    EXPECT_LE(layer.error(ours), 1.01 * reference) << name;
    EXPECT_EQ(mostOf(ours, group), keep) << name;
  }
}

TEST(Compress, MethodsAreOrderedAndTheReportIsTheError) {
  Layer layer(65, 192, 3);
  double last = std::numeric_limits<double>::infinity();
  for (Method method : {Method::Magnitude, Method::Wanda, Method::Feedback}) {
    Report report;
    std::vector<float> ours =
        compressed(layer, optionsOf("2:4", method), &report);
    double error = layer.error(ours);
    EXPECT_NEAR(report.outputError, error, 1e-3 * error);
    EXPECT_EQ(report.zeros, report.weights / 2);
    EXPECT_LT(error, last);
    last = error;
  }
}

TEST(Compress, PruningWithoutFeedbackKeepsWhatStays) {
  Layer layer(9, 24, 5);
  for (Method method : {Method::Magnitude, Method::Wanda}) {
    std::vector<float> ours = compressed(layer, optionsOf("2:4", method));
    for (size_t i = 0; i < ours.size(); ++i)
      EXPECT_TRUE(ours[i] == 0 || ours[i] == layer.weights[i]);
  }
}

TEST(Compress, GridsHoldTheirLevels) {
  Layer layer(67, 150, 11);
  for (auto [name, scale, levels] : {std::tuple("int4", int64_t(0), 15),
                                     {"int4", int64_t(32), 15},
                                     {"int2", int64_t(64), 3},
                                     {"ternary", int64_t(0), 3},
                                     {"ternary2", int64_t(50), 9}}) {
    double last = std::numeric_limits<double>::infinity();
    for (Method method : {Method::Magnitude, Method::Feedback}) {
      std::vector<float> ours =
          compressed(layer, optionsOf(name, method, scale));
      int64_t group = scale ? scale : layer.k;
      for (int64_t row = 0; row < layer.n; ++row)
        for (int64_t begin = 0; begin < layer.k; begin += group) {
          int64_t end = std::min(begin + group, layer.k);
          std::set<float> found(ours.begin() + row * layer.k + begin,
                                ours.begin() + row * layer.k + end);
          EXPECT_LE(found.size(), size_t(levels)) << name;
        }
      EXPECT_LT(layer.error(ours), last) << name << ", scale " << scale;
      last = layer.error(ours);
    }
  }
}

TEST(Compress, FormatsCombine) {
  Layer layer(64, 128, 13);
  std::vector<float> ours =
      compressed(layer, optionsOf("2:4+ternary", Method::Feedback, 64));
  EXPECT_EQ(mostOf(ours, 4), 2);
  std::set<float> found(ours.begin(), ours.begin() + 64);
  EXPECT_LE(found.size(), 3u);
}

TEST(Compress, ThreadsAndBlocksDoNotMatter) {
  Layer layer(200, 96, 17);
  Options options = optionsOf("2:4", Method::Feedback);
  options.threads = 1;
  std::vector<float> one = compressed(layer, options);
  options.threads = 5;
  EXPECT_EQ(compressed(layer, options), one);
  // The order of additions differs, a choice between near equals may.
  options.block = 8;
  EXPECT_NEAR(layer.error(compressed(layer, options)), layer.error(one),
              0.01 * layer.error(one));
}

TEST(Compress, SilentInputsAndFewInputs) {
  Layer layer(40, 64, 19);
  for (int64_t i = 0; i < layer.k; ++i)
    layer.products[5 * layer.k + i] = layer.products[i * layer.k + 5] = 0;
  Report report;
  std::vector<float> ours =
      compressed(layer, optionsOf("2:4", Method::Feedback), &report);
  for (int64_t r = 0; r < layer.n; ++r)
    EXPECT_EQ(ours[r * layer.k + 5], 0);
  EXPECT_EQ(report.damping, 0.01);

  // One input: moments of rank one are singular without damping.
  for (int64_t i = 0; i < layer.k; ++i)
    for (int64_t j = 0; j < layer.k; ++j)
      layer.products[i * layer.k + j] = float(1 + i % 3) * (1 + j % 3);
  Options options = optionsOf("2:4", Method::Feedback);
  options.damping = 0;
  ours = compressed(layer, options, &report);
  EXPECT_GT(report.damping, 0);
  for (float w : ours)
    ASSERT_TRUE(std::isfinite(w));
}

TEST(Compress, NoRows) {
  Layer layer(0, 16, 23);
  Report report;
  EXPECT_TRUE(
      compressed(layer, optionsOf("2:4", Method::Feedback), &report).empty());
  EXPECT_EQ(report.outputError, 0);
}

TEST(Compress, Refusals) {
  Layer layer(4, 18, 29);
  auto refused = [&](const Layer &layer, const Options &options,
                     const Moments &moments) {
    std::vector<float> weights = layer.weights;
    Report report;
    Status status = compressLayer(weights.data(), layer.n, layer.k, moments,
                                  options, report);
    EXPECT_FALSE(status.ok());
    auto sameBits = [](float a, float b) {
      return a == b || (std::isnan(a) && std::isnan(b));
    };
    EXPECT_TRUE(std::equal(weights.begin(), weights.end(),
                           layer.weights.begin(), sameBits));
    return status.text();
  };
  Options options = optionsOf("2:4", Method::Magnitude);
  options.name = "w";
  EXPECT_EQ(refused(layer, options, {}),
            "tensor 'w': expected a number of columns that is a multiple of 4, "
            "found 4 x 18; leave this matrix dense");
  options = optionsOf("int4", Method::Feedback);
  EXPECT_EQ(refused(layer, options, {}),
            "sparsegpt and gptq need the moments of the layer's inputs, a "
            "matrix [18, 18]; give them, or choose magnitude");
  options.method = Method::Wanda;
  EXPECT_EQ(refused(layer, options, {}),
            "wanda needs the mean squares of the layer's inputs, [18]; give "
            "them, or choose magnitude");
  Layer broken = layer;
  broken.weights[20] = std::nanf("");
  EXPECT_EQ(refused(broken, options, layer.moments()),
            "expected finite weights, found NaN or infinity in row 1, column "
            "2");
  broken = layer;
  broken.products[19] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(refused(broken, options, broken.moments()),
            "expected finite moments, found NaN or infinity in row 1, column "
            "1");
  broken = layer;
  broken.products[0] = -1;
  EXPECT_EQ(refused(broken, options, broken.moments()),
            "expected mean squares that are finite and not negative, found "
            "-1.000000 for column 0");
}

TEST(Compress, Names) {
  for (const char *name : {"2:4", "1:16", "int2", "int8+2:4", "ternary2"})
    EXPECT_TRUE(formatFromName(name).ok()) << name;
  for (const char *name :
       {"", "4:2", "0:4", "2:17", "int1", "int9", "int", "2:4+6:8", "2:4+",
        "ternary+int4", "ternary3", "2:", ":4", "2:4x"})
    EXPECT_FALSE(formatFromName(name).ok()) << name;
  EXPECT_TRUE(methodFromName("gptq").ok());
  EXPECT_FALSE(methodFromName("GPTQ").ok());
}
