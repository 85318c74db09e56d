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

  Moments moments() const { return {products.data(), nullptr, nullptr}; }
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

/// Solves the symmetric [size][size] system a x = b.
std::vector<double> solve(Matrix a, std::vector<double> b) {
  size_t size = b.size();
  for (size_t p = 0; p < size; ++p)
    for (size_t i = 0; i < size; ++i) {
      double factor = i == p ? 0 : a[i * size + p] / a[p * size + p];
      for (size_t j = 0; j < size; ++j)
        a[i * size + j] -= factor * a[p * size + j];
      b[i] -= factor * b[p];
    }
  for (size_t p = 0; p < size; ++p)
    b[p] /= a[p * size + p];
  return b;
}

/// The published sweep, then block coordinate descent: for each group every set
/// of `keep` columns is solved for, given all other columns, from the normal
/// equations, in float64.
std::vector<float> referenceRefit(const Layer &layer, int keep, int group,
                                  int sweeps) {
  int64_t n = layer.n, k = layer.k;
  Matrix h(layer.products.begin(), layer.products.end());
  double mean = 0;
  for (int64_t i = 0; i < k; ++i)
    mean += h[i * k + i] / k;
  for (int64_t i = 0; i < k; ++i)
    h[i * k + i] += 0.01 * mean;
  std::vector<float> result = referenceSweep(layer, keep, group);
  for (int64_t row = 0; row < n; ++row) {
    const float *w = layer.weights.data() + row * k;
    float *q = result.data() + row * k;
    for (int64_t step = 0; step < sweeps * k / group; ++step) {
      int64_t first = step * group % k;
      // With the group at zero: what its columns should make up for.
      std::vector<double> wish(group);
      for (int i = 0; i < group; ++i)
        for (int64_t j = 0; j < k; ++j) {
          bool inside = j >= first && j < first + group;
          wish[i] += h[(first + i) * k + j] * (w[j] - (inside ? 0.0 : q[j]));
        }
      double most = -1;
      std::vector<double> best(group);
      for (int set = 0; set < 1 << group; ++set) {
        std::vector<int> columns;
        for (int i = 0; i < group; ++i)
          if (set >> i & 1)
            columns.push_back(i);
        if (int(columns.size()) != keep)
          continue;
        Matrix a;
        std::vector<double> b;
        for (int i : columns) {
          b.push_back(wish[i]);
          for (int j : columns)
            a.push_back(h[(first + i) * k + first + j]);
        }
        std::vector<double> x = solve(a, b);
        double gain = std::inner_product(x.begin(), x.end(), b.begin(), 0.0);
        if (gain <= most)
          continue;
        most = gain;
        std::fill(best.begin(), best.end(), 0);
        for (int i = 0; i < keep; ++i)
          best[columns[i]] = x[i];
      }
      std::copy(best.begin(), best.end(), q + first);
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

TEST(Compress, RefitIsTheDescentOfTheReference) {
  for (auto [name, keep, group] :
       {std::tuple("2:4", 2, 4), {"1:4", 1, 4}, {"4:8", 4, 8}, {"6:8", 6, 8}}) {
    Layer layer(70, 96, 5 * group + keep);
    double reference = layer.error(referenceRefit(layer, keep, group, 3));
    Options options = optionsOf(name, Method::Refit);
    options.sweeps = 3;
    Report report;
    std::vector<float> ours = compressed(layer, options, &report);
    EXPECT_NEAR(layer.error(ours), reference, 0.01 * reference) << name;
    EXPECT_NEAR(report.outputError, layer.error(ours), 1e-3 * reference);
    EXPECT_EQ(mostOf(ours, group), keep) << name;
  }
}

TEST(Compress, RefitNeverLosesByGoingOn) {
  // Of 16 columns too many sets may go: columns go one by one.
  for (const char *name : {"2:4", "5:16", "3:8", "15:16", "4:4"}) {
    Layer layer(65, 144, 31);
    Options options = optionsOf(name, Method::Refit);
    options.damping = 1e-4;
    Format format = options.format;
    options.method = Method::Feedback;
    double first = layer.error(compressed(layer, options));
    options.method = Method::Refit;
    double last = first;
    for (int sweeps : {1, 2, 8}) {
      options.sweeps = sweeps;
      std::vector<float> ours = compressed(layer, options);
      EXPECT_LE(layer.error(ours), last * 1.0005 + 1e-6) << name;
      EXPECT_LE(mostOf(ours, format.group), format.keep) << name;
      last = layer.error(ours);
    }
    if (format.keep < format.group)
      EXPECT_LT(last, 0.97 * first) << name;
    else
      EXPECT_LT(last, 1e-5) << name;
  }
}

TEST(Compress, TargetsMoveTheWeights) {
  // y = V x of other weights V: what comes out approximates V, whatever W was.
  Layer layer(66, 96, 41), other(66, 96, 43);
  std::vector<float> targets(layer.n * layer.k);
  for (int64_t r = 0; r < layer.n; ++r)
    for (int64_t j = 0; j < layer.k; ++j) {
      double sum = 0;
      for (int64_t i = 0; i < layer.k; ++i)
        sum += double(other.weights[r * layer.k + i]) *
               layer.products[i * layer.k + j];
      targets[r * layer.k + j] = static_cast<float>(sum);
    }
  Moments moments = layer.moments();
  moments.targets = targets.data();
  Layer wanted = layer;
  wanted.weights = other.weights;
  // The damping's part of W, from the float64 inverse.
  Matrix u = inverseFactor(layer, 1e-3);
  for (int64_t r = 0; r < layer.n; ++r) {
    std::vector<double> step(layer.k), half(layer.k);
    for (int64_t j = 0; j < layer.k; ++j) {
      step[j] = targets[r * layer.k + j];
      for (int64_t i = 0; i < layer.k; ++i)
        step[j] -= double(layer.weights[r * layer.k + i]) *
                   layer.products[i * layer.k + j];
    }
    for (int64_t i = 0; i < layer.k; ++i)
      for (int64_t j = i; j < layer.k; ++j)
        half[i] += u[i * layer.k + j] * step[j];
    for (int64_t j = 0; j < layer.k; ++j) {
      double sum = layer.weights[r * layer.k + j];
      for (int64_t i = 0; i <= j; ++i)
        sum += u[i * layer.k + j] * half[i];
      wanted.weights[r * layer.k + j] = static_cast<float>(sum);
    }
  }
  for (Method method : {Method::Wanda, Method::Feedback, Method::Refit}) {
    Options options = optionsOf("2:4", method);
    options.damping = 1e-3;
    std::vector<float> ours = layer.weights, plain = wanted.weights;
    Report report, expected;
    ASSERT_TRUE(
        compressLayer(ours.data(), layer.n, layer.k, moments, options, report)
            .ok());
    ASSERT_TRUE(compressLayer(plain.data(), layer.n, layer.k, layer.moments(),
                              options, expected)
                    .ok());
    EXPECT_NEAR(report.outputError, expected.outputError,
                0.01 * expected.outputError);
    EXPECT_NEAR(wanted.error(ours), expected.outputError,
                0.01 * expected.outputError);
  }
  Options options = optionsOf("2:4", Method::Magnitude);
  Report report;
  std::vector<float> weights = layer.weights;
  moments.products = nullptr;
  EXPECT_EQ(
      compressLayer(weights.data(), layer.n, layer.k, moments, options, report)
          .text(),
      "targets need the moments of the layer's inputs, a matrix [96, "
      "96]");
  moments = layer.moments();
  targets[97] = std::nanf("");
  moments.targets = targets.data();
  EXPECT_EQ(
      compressLayer(weights.data(), layer.n, layer.k, moments, options, report)
          .text(),
      "expected finite targets, found NaN or infinity in row 1, column "
      "1");
}

TEST(Compress, MethodsAreOrderedAndTheReportIsTheError) {
  Layer layer(65, 192, 3);
  double last = std::numeric_limits<double>::infinity();
  for (Method method :
       {Method::Magnitude, Method::Wanda, Method::Feedback, Method::Refit}) {
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
  for (Method method : {Method::Feedback, Method::Refit}) {
    SCOPED_TRACE(method == Method::Refit ? "refit" : "feedback");
    Options options = optionsOf("2:4", method);
    options.threads = 1;
    std::vector<float> one = compressed(layer, options);
    options.threads = 5;
    EXPECT_EQ(compressed(layer, options), one);
    // The order of additions differs, a choice between near equals may.
    options.block = 8;
    EXPECT_NEAR(layer.error(compressed(layer, options)), layer.error(one),
                0.01 * layer.error(one));
  }
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
  ours = compressed(layer, optionsOf("2:4", Method::Refit));
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
  options.method = Method::Refit;
  for (float w : compressed(layer, options, &report))
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
  Layer without = layer;
  without.k = 0;
  EXPECT_EQ(refused(without, options, {}),
            "tensor 'w': expected n >= 0 rows of k > 0 columns, found 4 x 0");
  EXPECT_EQ(refused(layer, options, {}),
            "tensor 'w': expected a number of columns that is a multiple of 4, "
            "found 4 x 18; leave this matrix dense");
  options = optionsOf("int4", Method::Feedback);
  EXPECT_EQ(
      refused(layer, options, {}),
      "sparsegpt, gptq and refit need the moments of the layer's inputs, a "
      "matrix [18, 18]; give them, or choose magnitude");
  options.method = Method::Refit;
  EXPECT_EQ(
      refused(layer, options, layer.moments()),
      "refit chooses again which weights of an N:M pattern stay: expected "
      "N:M alone; for integers and trits there is gptq");
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
  // No addend to the diagonal makes up for what lies beside it.
  broken = layer;
  broken.products[1] = broken.products[18] = 1e6f;
  EXPECT_EQ(
      refused(broken, optionsOf("int4", Method::Feedback), broken.moments()),
      "the moments of the inputs are not positive definite, even with "
      "their mean added to the diagonal; expected the mean of x x^T over "
      "many more inputs than columns (18): calibrate with more text");
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
