//===- ternarize_test.cpp - Methods of ternarisation ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ternary/pack.h"
#include "ternary/span_kernels.h"
#include "ternary/ternarize.h"
#include "weights/convert.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace sparseflow::rt;

namespace {

struct Made {
  Status status;
  std::vector<int8_t> trits;
  std::vector<float> scales;
  TernaryReport report;
};

std::vector<float> gaussian(int64_t count, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, 0.02f);
  std::vector<float> result(count);
  for (float &value : result)
    value = normal(random);
  return result;
}

Made make(const std::vector<float> &w, const TernaryFormat &format,
          TernaryMethod method = TernaryMethod::Lloyd,
          const float *importance = nullptr, int threads = 2) {
  Made made;
  made.trits.resize(format.tritCount(), 7);
  made.scales.resize(format.planes * format.scalesPerPlane());
  TernarizeOptions options;
  options.name = "w";
  options.method = method;
  options.format = format;
  options.importance = importance;
  options.threads = threads;
  made.status = ternarize(w.data(), SF_DTYPE_F32, options, made.trits.data(),
                          made.scales.data(), &made.report);
  return made;
}

TernaryFormat formatOf(int64_t n, int64_t k, int64_t group = kTensorScale,
                       int planes = 1,
                       TernaryStorage storage = TernaryStorage::Codes) {
  return {n, k, storage, planes, group, SF_DTYPE_F32};
}

double squaredError(const std::vector<float> &w, const Made &made,
                    const TernaryFormat &format) {
  std::vector<float> back(w.size());
  expandTernary(made.trits.data(), made.scales.data(), format, 1, back.data());
  double sum = 0;
  for (size_t i = 0; i < w.size(); ++i)
    sum += (double(w[i]) - back[i]) * (double(w[i]) - back[i]);
  return sum;
}

/// The least error of any threshold, by trying all of them.
double bestError(std::vector<float> w) {
  double energy = 0;
  for (float &value : w) {
    value = std::fabs(value);
    energy += double(value) * value;
  }
  std::sort(w.begin(), w.end(), std::greater<float>());
  double sum = 0, best = 0;
  for (size_t i = 0; i < w.size(); ++i) {
    sum += w[i];
    best = std::max(best, sum * sum / double(i + 1));
  }
  return energy - best;
}

} // namespace

// Four bits: numbers are the nearest ones to the scale that is stored, no scale
// near it is better, and every number of the range is used.
TEST(Ternarize, Int4HasTheLeastError) {
  std::vector<float> w = gaussian(37 * 70);
  w[5] = 0;
  for (int64_t group : {kTensorScale, kRowScale, int64_t(32)}) {
    TernaryFormat f = formatOf(37, 70, group, 1, TernaryStorage::Int4);
    Made made = make(w, f);
    ASSERT_TRUE(made.status) << made.status.text();
    double error = squaredError(w, made, f);
    EXPECT_NEAR(made.report.error, error, 1e-6 * error);
    EXPECT_EQ(made.report.positives + made.report.negatives + made.report.zeros,
              37 * 70);
    EXPECT_LT(made.report.relativeError(), 0.13);
    int64_t width = group > 1 ? group : 70;
    for (int64_t row = 0; row < 37; ++row)
      for (int64_t col = 0; col < 70; ++col) {
        float scale =
            made.scales[group == kTensorScale ? 0 : col / width * 37 + row];
        float number = std::nearbyint(w[row * 70 + col] * (1 / scale));
        ASSERT_EQ(made.trits[row * 70 + col],
                  std::min(7.f, std::max(-8.f, number)));
      }
    Made other = made;
    for (float factor : {0.999f, 1.001f}) {
      for (size_t i = 0; i < made.scales.size(); ++i)
        other.scales[i] = made.scales[i] * factor;
      EXPECT_GE(squaredError(w, other, f), error * (1 - 1e-6));
    }
  }
  EXPECT_EQ(make(std::vector<float>(8, 0.f),
                 formatOf(2, 4, kRowScale, 1, TernaryStorage::Int4))
                .trits,
            std::vector<int8_t>(8, 0));
  EXPECT_NE(
      make(w, formatOf(37, 70, 0, 1, TernaryStorage::Int4), TernaryMethod::Twn)
          .status.text()
          .find("other numbers choose by lloyd"),
      std::string::npos);
}

// Eight bits: the nearest numbers to the scale of each row; and rows that are
// whole numbers of a scale already come back as they are, whether or not their
// largest number is the end of the range.
TEST(Ternarize, Int8HasTheLeastErrorAndKeepsWholeNumbers) {
  std::vector<float> w = gaussian(37 * 270);
  TernaryFormat f = formatOf(37, 270, kRowScale, 1, TernaryStorage::Int8);
  Made made = make(w, f);
  ASSERT_TRUE(made.status) << made.status.text();
  double error = squaredError(w, made, f);
  EXPECT_LT(made.report.relativeError(), 0.01);
  Made other = made;
  for (float factor : {0.9999f, 1.0001f}) {
    for (size_t i = 0; i < made.scales.size(); ++i)
      other.scales[i] = made.scales[i] * factor;
    EXPECT_GE(squaredError(w, other, f), error * (1 - 1e-6));
  }
  f.scaleType = SF_DTYPE_F16;
  std::mt19937 random(7);
  std::vector<int8_t> numbers(w.size());
  std::vector<uint16_t> half(w.size());
  for (int64_t row = 0; row < 37; ++row)
    for (int64_t col = 0; col < 270; ++col) {
      int64_t i = row * 270 + col, end = row == 0 ? 127 : 60 + row;
      numbers[i] = col == 0 ? end : int(random() % (2 * end + 1)) - end;
      float scale = halfToFloat(floatToHalf(0.001f * float(row + 1)));
      half[i] = floatToHalf(float(numbers[i]) * scale);
    }
  std::vector<int8_t> found(w.size());
  std::vector<float> scales(37);
  TernarizeOptions options;
  options.format = f;
  ASSERT_TRUE(ternarize(half.data(), SF_DTYPE_F16, options, found.data(),
                        scales.data(), nullptr));
  EXPECT_EQ(found, numbers);
}

TEST(Ternarize, AbsmeanIsTheRuleOfBitnet) {
  std::vector<float> w = gaussian(37 * 50);
  w[5] = 0;
  w[6] = -0.f;
  TernaryFormat f = formatOf(37, 50);
  Made made = make(w, f, TernaryMethod::Absmean);
  ASSERT_TRUE(made.status) << made.status.text();
  double sum = 0;
  for (float value : w)
    sum += std::fabs(value);
  float mean = float(sum / double(w.size()));
  float scale = 1.0f / std::max(mean, 1e-5f);
  std::vector<float> back(w.size());
  expandTernary(made.trits.data(), made.scales.data(), f, 1, back.data());
  for (size_t i = 0; i < w.size(); ++i) {
    float q = std::min(1.f, std::max(-1.f, std::nearbyint(w[i] * scale)));
    ASSERT_EQ(made.trits[i], q) << i;
    ASSERT_EQ(back[i], q / scale) << i;
  }
  // A half rounds to even, and a mean near zero is 1e-5.
  std::vector<float> halves = {1, -1, 0.5f, -0.5f, 1.5f, 1.5f, 1, 1};
  made = make(halves, formatOf(1, 8), TernaryMethod::Absmean);
  EXPECT_EQ(made.trits, (std::vector<int8_t>{1, -1, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(made.scales[0], 1.f);
  made =
      make(std::vector<float>(8, 0.f), formatOf(1, 8), TernaryMethod::Absmean);
  EXPECT_EQ(made.scales[0], 1.0f / (1.0f / 1e-5f));
  EXPECT_EQ(made.report.zeroShare(), 1);
  EXPECT_EQ(made.report.relativeError(), 0);
}

TEST(Ternarize, TwnByHand) {
  std::vector<float> w = {4, -3, 1, 0}; // mean 2, threshold 1.4
  Made made = make(w, formatOf(1, 4), TernaryMethod::Twn);
  EXPECT_EQ(made.trits, (std::vector<int8_t>{1, -1, 0, 0}));
  EXPECT_EQ(made.scales[0], 3.5f);
  EXPECT_EQ(made.report.positives, 1);
  EXPECT_EQ(made.report.negatives, 1);
  EXPECT_EQ(made.report.zeros, 2);
  EXPECT_NEAR(made.report.relativeError(), std::sqrt(1.5 / 26), 1e-12);
  EXPECT_NEAR(made.report.snr(), 10 * std::log10(26 / 1.5), 1e-9);
}

TEST(Ternarize, ThresholdByHand) {
  std::vector<float> w = {4, -3, 1, 0}; // mean 2
  TernarizeOptions options;
  options.name = "w";
  options.method = TernaryMethod::Twn;
  options.format = formatOf(1, 4);
  std::vector<int8_t> trits(4);
  float scale = 0;
  auto at = [&](double threshold) {
    options.threshold = threshold;
    return ternarize(w.data(), SF_DTYPE_F32, options, trits.data(), &scale);
  };
  // Above 3.2, above 0.8, and above 0: zero itself is never kept.
  ASSERT_TRUE(at(1.6));
  EXPECT_EQ(trits, (std::vector<int8_t>{1, 0, 0, 0}));
  EXPECT_EQ(scale, 4.0f);
  ASSERT_TRUE(at(0.4));
  EXPECT_EQ(trits, (std::vector<int8_t>{1, -1, 1, 0}));
  EXPECT_EQ(scale, float(8.0 / 3));
  ASSERT_TRUE(at(0));
  EXPECT_EQ(trits, (std::vector<int8_t>{1, -1, 1, 0}));
  // Nothing is as large.
  ASSERT_TRUE(at(100));
  EXPECT_EQ(trits, std::vector<int8_t>(4, 0));
  EXPECT_EQ(scale, 0.0f);
  for (double bad : {-0.1, double(NAN), double(INFINITY)}) {
    Status status = at(bad);
    EXPECT_NE(status.text().find("expected a threshold of at least 0 mean "
                                 "magnitudes, found"),
              std::string::npos)
        << status.text();
  }
  // Other methods do not read it.
  options.method = TernaryMethod::Lloyd;
  ASSERT_TRUE(at(0.7));
  std::vector<int8_t> before = trits;
  ASSERT_TRUE(at(1.6));
  EXPECT_EQ(trits, before);
}

TEST(Ternarize, LloydFindsTheLeastError) {
  for (unsigned seed = 1; seed < 6; ++seed) {
    std::vector<float> w = gaussian(64 * 96, seed);
    TernaryFormat f = formatOf(64, 96);
    Made made = make(w, f);
    ASSERT_TRUE(made.status);
    EXPECT_NEAR(squaredError(w, made, f) / bestError(w), 1, 1e-4);
    EXPECT_NEAR(squaredError(w, made, f), made.report.error,
                1e-6 * made.report.energy);
    EXPECT_LE(made.report.error,
              make(w, f, TernaryMethod::Twn).report.error * (1 + 1e-9));
  }
}

TEST(Ternarize, ErrorsOfNormalWeights) {
  // Independent of the library: the integrals of the normal distribution give
  // these, and a simulation of 4 million weights the same.
  std::vector<float> w = gaussian(512 * 1024);
  auto made = [&](const TernaryFormat &f, TernaryMethod method) {
    Made result = make(w, f, method);
    EXPECT_TRUE(result.status) << result.status.text();
    return result.report;
  };
  auto expect = [&](TernaryMethod method, double error, double zeros) {
    TernaryReport report = made(formatOf(512, 1024), method);
    EXPECT_NEAR(report.relativeError(), error, 0.004) << methodName(method);
    EXPECT_NEAR(report.zeroShare(), zeros, 0.01) << methodName(method);
  };
  expect(TernaryMethod::Absmean, 0.513, 0.31);
  expect(TernaryMethod::Twn, 0.438, 0.42);
  expect(TernaryMethod::Lloyd, 0.436, 0.46);
  auto lloyd = [&](const TernaryFormat &f) {
    return made(f, TernaryMethod::Lloyd).relativeError();
  };
  EXPECT_NEAR(lloyd(formatOf(512, 1024, 128)), 0.433, 0.004);
  EXPECT_NEAR(lloyd(formatOf(512, 1024, 32)), 0.422, 0.004);
  EXPECT_NEAR(lloyd(formatOf(512, 1024, 0, 1, TernaryStorage::TwoFour)), 0.543,
              0.004);
  EXPECT_NEAR(lloyd(formatOf(512, 1024, 0, 1, TernaryStorage::TwoFourZero)),
              0.510, 0.004);
  // Nine levels cannot be better than the best nine, nor worse than nine evenly
  // spaced ones: squared errors of 0.0279 and 0.0308.
  double two = lloyd(formatOf(512, 1024, 0, 2));
  EXPECT_GT(two, std::sqrt(0.0279) - 0.001);
  EXPECT_LT(two, std::sqrt(0.0308) + 0.001);
}

TEST(Ternarize, TwoPlanesTakeTheNearestOfNine) {
  std::vector<float> w = gaussian(8 * 64, 3);
  for (int64_t group : {kTensorScale, kRowScale, int64_t(32)}) {
    TernaryFormat f = formatOf(8, 64, group, 2);
    Made made = make(w, f);
    ASSERT_TRUE(made.status);
    int64_t half = made.scales.size() / 2;
    for (int64_t row = 0; row < 8; ++row)
      for (int64_t col = 0; col < 64; ++col) {
        int64_t s = group == 0 ? 0 : group == 1 ? row : col / 32 * 8 + row;
        float a = made.scales[s], b = made.scales[half + s];
        EXPECT_GE(a, b);
        int64_t i = row * 64 + col;
        float found = a * made.trits[i] + b * made.trits[8 * 64 + i];
        for (int x = -1; x <= 1; ++x)
          for (int y = -1; y <= 1; ++y)
            EXPECT_LE(std::fabs(w[i] - found),
                      std::fabs(w[i] - (a * x + b * y)) * 1.0001f + 1e-7f);
      }
  }
  // Weights that are such sums come back exactly.
  for (size_t i = 0; i < w.size(); ++i)
    w[i] = 0.5f * float(int(i % 3) - 1) + 0.125f * float(int(i / 3 % 3) - 1);
  Made made = make(w, formatOf(8, 64, 0, 2));
  EXPECT_LT(made.report.relativeError(), 1e-6);
}

TEST(Ternarize, PairsKeepTheMostUseful) {
  std::vector<float> w = {4, -3, 2, 1, 0.1f, 0.2f, -0.1f, 0, 5, 5, 5, 5};
  Made zeros = make(w, formatOf(1, 12, 0, 1, TernaryStorage::TwoFourZero));
  EXPECT_EQ(zeros.trits,
            (std::vector<int8_t>{1, -1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0}));
  EXPECT_EQ(zeros.scales[0], 4.25f);
  Made exact = make(w, formatOf(1, 12, 0, 1, TernaryStorage::TwoFour));
  EXPECT_EQ(exact.trits,
            (std::vector<int8_t>{1, -1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0}));
  // What was made packs.
  for (TernaryStorage storage :
       {TernaryStorage::TwoFour, TernaryStorage::TwoFourZero}) {
    TernaryFormat f = formatOf(70, 260, kRowScale, 1, storage);
    Made made = make(gaussian(70 * 260), f);
    std::vector<uint8_t> blob(f.blobBytes());
    Status status = packTernary(made.trits.data(), made.scales.data(), f, "w",
                                1, blob.data());
    EXPECT_TRUE(status) << status.text();
  }
}

TEST(Ternarize, ImportanceLowersTheErrorWhereItCounts) {
  std::vector<float> w = gaussian(32 * 64, 4), h(64);
  for (int col = 0; col < 64; ++col) {
    h[col] = col % 8 == 0 ? 100 : 1;
    for (int row = 0; row < 32; ++row)
      w[row * 64 + col] *= col % 8 == 0 ? 3 : 1;
  }
  for (TernaryFormat f : {formatOf(32, 64), formatOf(32, 64, kRowScale),
                          formatOf(32, 64, 0, 1, TernaryStorage::TwoFourZero),
                          formatOf(32, 64, 0, 2)}) {
    SCOPED_TRACE(f.text());
    Made plain = make(w, f),
         weighted = make(w, f, TernaryMethod::Lloyd, h.data());
    ASSERT_TRUE(weighted.status) << weighted.status.text();
    // The plain result, measured with the same importance.
    TernaryReport before =
        reportTernary(w.data(), SF_DTYPE_F32, f, h.data(), 1,
                      plain.trits.data(), plain.scales.data());
    EXPECT_LT(weighted.report.weightedError, before.weightedError);
    EXPECT_GE(weighted.report.error, plain.report.error);
  }
}

TEST(Ternarize, ResultsDoNotDependOnThreadsOrProcessor) {
  std::vector<float> w = gaussian(100 * 72, 6);
  for (int64_t group : {kTensorScale, kRowScale, int64_t(64)})
    for (int planes : {1, 2}) {
      Made one = make(w, formatOf(100, 72, group, planes), TernaryMethod::Lloyd,
                      nullptr, 1);
      Made many = make(w, formatOf(100, 72, group, planes),
                       TernaryMethod::Lloyd, nullptr, 5);
      EXPECT_EQ(one.trits, many.trits);
      EXPECT_EQ(one.scales, many.scales);
      EXPECT_EQ(one.report.error, many.report.error);
    }
  const SpanKernels &a = portableSpanKernels(), &b = spanKernels();
  std::vector<float> h = gaussian(1000, 9);
  for (float &value : h)
    value = std::fabs(value);
  for (int64_t count : {0, 4, 16, 36, 1000}) {
    for (const float *weights :
         {(const float *)nullptr, (const float *)h.data()}) {
      EXPECT_EQ(a.absSum(w.data(), count), b.absSum(w.data(), count));
      KeptSums x = a.above(w.data(), weights, count, 0.01f),
               y = b.above(w.data(), weights, count, 0.01f);
      EXPECT_EQ(x.magnitude, y.magnitude);
      EXPECT_EQ(x.weight, y.weight);
      std::vector<int8_t> s(2 * count + 1), t(s.size());
      a.assignTwo(w.data(), count, 0.02f, 0.007f, s.data(), s.data() + count);
      b.assignTwo(w.data(), count, 0.02f, 0.007f, t.data(), t.data() + count);
      EXPECT_EQ(s, t);
      PlaneSums p = a.planes(w.data(), weights, s.data(), s.data() + count,
                             count),
                q = b.planes(w.data(), weights, s.data(), s.data() + count,
                             count);
      EXPECT_EQ(p.ab, q.ab);
      EXPECT_EQ(p.bw, q.bw);
      for (const int8_t *second :
           {(const int8_t *)nullptr, (const int8_t *)s.data() + count}) {
        ErrorSums e = a.errors(w.data(), weights, s.data(), 0.02f, second,
                               0.007f, count),
                  f = b.errors(w.data(), weights, s.data(), 0.02f, second,
                               0.007f, count);
        EXPECT_EQ(e.error, f.error);
        EXPECT_EQ(e.positives, f.positives);
        EXPECT_EQ(e.negatives, f.negatives);
        EXPECT_EQ(e.weightedError, f.weightedError);
      }
      x = a.assignPairs(w.data(), weights, count, 0.02f, true, s.data());
      y = b.assignPairs(w.data(), weights, count, 0.02f, true, t.data());
      EXPECT_EQ(x.magnitude, y.magnitude);
      EXPECT_EQ(s, t);
      a.assign(w.data(), count, 50, 0.5f, s.data());
      b.assign(w.data(), count, 50, 0.5f, t.data());
      EXPECT_EQ(s, t);
    }
  }
}

TEST(Ternarize, HalfTypesGiveWhatTheirFloatsGive) {
  std::vector<float> w = gaussian(20 * 48, 2);
  for (sf_dtype dtype : {SF_DTYPE_F16, SF_DTYPE_BF16}) {
    std::vector<uint16_t> half(w.size());
    std::vector<float> rounded(w.size());
    ASSERT_TRUE(
        convert(w.data(), SF_DTYPE_F32, half.data(), dtype, w.size(), {}));
    ASSERT_TRUE(convert(half.data(), dtype, rounded.data(), SF_DTYPE_F32,
                        w.size(), {}));
    TernarizeOptions options;
    options.format = formatOf(20, 48, 32);
    Made expected = make(rounded, options.format);
    std::vector<int8_t> trits(w.size());
    std::vector<float> scales(expected.scales.size());
    ASSERT_TRUE(
        ternarize(half.data(), dtype, options, trits.data(), scales.data()));
    EXPECT_EQ(trits, expected.trits);
    EXPECT_EQ(scales, expected.scales);
  }
}

TEST(Ternarize, ScalesAreOfTheirType) {
  std::vector<float> w = gaussian(16 * 64);
  TernaryFormat f = formatOf(16, 64, 32);
  f.scaleType = SF_DTYPE_BF16;
  Made made = make(w, f);
  ASSERT_TRUE(made.status);
  std::vector<float> rounded = made.scales;
  roundScales(rounded.data(), rounded.size(), SF_DTYPE_BF16);
  EXPECT_EQ(rounded, made.scales);
  for (float &value : w)
    value *= 1e7f;
  f.scaleType = SF_DTYPE_F16;
  EXPECT_NE(make(w, f).status.text().find("exceeds the range of F16; use "
                                          "BF16 or F32 scales"),
            std::string::npos);
}

TEST(Ternarize, EmptyMatrices) {
  for (auto [n, k] : {std::pair<int64_t, int64_t>{0, 8}, {8, 0}})
    for (int64_t group : {kTensorScale, kRowScale, int64_t(32)}) {
      Made made = make({}, formatOf(n, k, group));
      EXPECT_TRUE(made.status) << made.status.text();
      EXPECT_EQ(made.report.weights, 0);
    }
}

TEST(Ternarize, WhatIsRefused) {
  std::vector<float> w = gaussian(40 * 16);
  w[20 * 16 + 3] = NAN;
  w[39 * 16] = INFINITY;
  Made made = make(w, formatOf(40, 16));
  EXPECT_EQ(made.status.code(), SF_ERROR_FORMAT);
  EXPECT_EQ(made.status.text(), "tensor 'w', row 20, column 3: expected a "
                                "finite weight, found NaN; repair the source");
  w[20 * 16 + 3] = 0;
  EXPECT_NE(
      make(w, formatOf(40, 16))
          .status.text()
          .find("row 39, column 0: expected a finite weight, found infinity"),
      std::string::npos);
  w[39 * 16] = 0;
  std::vector<float> h(16, 1.f);
  for (float bad : {-1.f, NAN, INFINITY}) {
    h[5] = bad;
    EXPECT_NE(make(w, formatOf(40, 16), TernaryMethod::Lloyd, h.data())
                  .status.text()
                  .find("'w', importance of column 5: expected a finite "
                        "number of at least 0, found " +
                        std::to_string(bad)),
              std::string::npos);
  }
  for (const TernaryFormat &f :
       {formatOf(40, 16, 0, 2),
        formatOf(40, 16, 0, 1, TernaryStorage::TwoFour)})
    EXPECT_NE(make(w, f, TernaryMethod::Twn)
                  .status.text()
                  .find("the method twn makes one plane of trits without a"),
              std::string::npos);
  TernarizeOptions options;
  options.format = formatOf(40, 16);
  EXPECT_EQ(ternarize(w.data(), SF_DTYPE_I8, options, nullptr, nullptr).text(),
            "expected weights of type F16, BF16 or F32, found I8");
  options.format.group = 48;
  EXPECT_EQ(options.format.verify().text(),
            "expected a scale for the tensor, a row, or a group of 32, 64, 128 "
            "or 256 columns, found a group of 48");
  options.format.storage = static_cast<TernaryStorage>(0);
  EXPECT_NE(options.format.verify().text().find("expected a storage from 1 to"),
            std::string::npos);
  EXPECT_EQ(*methodFromName("twn"), TernaryMethod::Twn);
  EXPECT_NE(methodFromName("best").status().text().find("found 'best'"),
            std::string::npos);
}
