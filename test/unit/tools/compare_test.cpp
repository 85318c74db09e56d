//===- compare_test.cpp - Tolerance rules and checks ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ffn_fixture.h"
#include "run/Run.h"

#include <cmath>
#include <cstring>

using namespace sparseflow::tools;
using namespace sparseflow::test;

// A device that computes the plain reference: right by definition.
static sparseflow::rt::Status plainDevice(const Ffn &ffn,
                                          std::vector<HostTensor> &results) {
  auto plain = evaluatePlainly(ffn.set.referenceCall(ffn.reference()));
  if (!plain)
    return plain.status();
  narrow((*plain)[0].data.data(), results[0]);
  return {};
}

static RunReport run(const Ffn &ffn,
                     const std::function<void(HostTensor &, int)> &damage,
                     int64_t rows = 0, int repeat = 1) {
  RunOptions options;
  options.check = true;
  options.repeat = repeat;
  options.checking.sampleRows = rows;
  int launch = 0;
  auto report = runAndCheck(
      ffn.set, &ffn.reference(),
      [&](const ArgumentSet &, std::vector<HostTensor> &results) {
        auto status = plainDevice(ffn, results);
        if (damage)
          damage(results[0], launch++);
        return status;
      },
      options);
  EXPECT_TRUE(report) << report.status().text();
  return std::move(*report);
}

static uint16_t *bits(HostTensor &tensor) {
  return reinterpret_cast<uint16_t *>(tensor.data.data());
}

TEST(Check, AcceptsThePlainResult) {
  for (const char *dtype : {"f16", "bf16", "f16"}) {
    Ffn ffn(3, 50, dtype);
    RunReport report = run(ffn, {});
    EXPECT_TRUE(report.ok());
    EXPECT_EQ(report.check->results[0].report.elements, 1200u);
    EXPECT_GT(report.check->results[0].report.maxAbsError, 0);
  }
}

TEST(Check, RejectsOneWrongElement) {
  Ffn ffn;
  // A different element each time, moved by a few percent of a typical value.
  for (size_t element : {size_t(0), size_t(1), size_t(611), size_t(1199)}) {
    RunReport report = run(ffn, [&](HostTensor &result, int) {
      std::vector<float> values(result.count());
      widen(result, values.data());
      values[element] += 0.05f;
      narrow(values.data(), result);
    });
    EXPECT_FALSE(report.ok());
    const ResultCheck &check = report.check->results[0];
    EXPECT_EQ(check.report.wrong, 1u);
    EXPECT_EQ(check.report.worst, element);
    auto flat = static_cast<size_t>(
        (check.worstIndex[0] * 50 + check.worstIndex[1]) * 8 +
        check.worstIndex[2]);
    EXPECT_EQ(flat, element);
  }
}

TEST(Check, RejectsOneUnwrittenElement) {
  Ffn ffn;
  RunReport report =
      run(ffn, [](HostTensor &result, int) { bits(result)[777] = 0xffff; });
  EXPECT_FALSE(report.ok());
  EXPECT_EQ(report.check->results[0].report.wrong, 1u);
  EXPECT_EQ(report.check->results[0].report.worst, 777u);
  EXPECT_TRUE(std::isnan(report.check->results[0].report.found));
}

TEST(Check, RejectsSwappedAndMissingRows) {
  Ffn ffn;
  RunReport report = run(ffn, [](HostTensor &result, int) {
    std::swap_ranges(bits(result), bits(result) + 8, bits(result) + 8);
  });
  EXPECT_FALSE(report.ok());
  report = run(ffn, [](HostTensor &result, int) {
    std::memset(bits(result) + 1192, 0, 16);
  });
  EXPECT_FALSE(report.ok());
}

TEST(Check, NeedsAReference) {
  Ffn ffn;
  RunOptions options;
  options.check = true;
  auto report = runAndCheck(
      ffn.set, nullptr,
      [](const ArgumentSet &, std::vector<HostTensor> &) {
        ADD_FAILURE() << "launched";
        return sparseflow::rt::Status();
      },
      options);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.status().text(),
            "'ffn' cannot be checked: the manifest has no reference for it; "
            "compile a program of tensors, or do not check");
}

TEST(Check, SampledRowsIncludeTheEnds) {
  Ffn ffn;
  RunReport report = run(ffn, {}, 10);
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.check->checkedRows, 10);
  EXPECT_EQ(report.check->rows, 150);
  EXPECT_EQ(report.check->results[0].report.elements, 80u);
  report = run(
      ffn, [](HostTensor &result, int) { bits(result)[1199] = 0xffff; }, 10);
  EXPECT_FALSE(report.ok());
  EXPECT_EQ(report.check->results[0].worstIndex,
            (std::vector<int64_t>{2, 49, 7}));
  // As many rows as there are: a full check.
  EXPECT_EQ(run(ffn, {}, 150).check->rows, 0);
}

TEST(Check, RepeatsAreComparedBitByBit) {
  Ffn ffn;
  EXPECT_TRUE(run(ffn, {}, 0, 5).ok());
  RunReport report = run(
      ffn,
      [](HostTensor &result, int launch) {
        if (launch == 3)
          bits(result)[41] ^= 1;
      },
      0, 5);
  EXPECT_FALSE(report.ok());
  EXPECT_EQ(report.differingLaunch, 3);
  EXPECT_EQ(report.differingElement, 41u);
}

static CompareReport compareOne(float found, double exact, float plain,
                                DType dtype) {
  CompareInput input;
  input.found = &found;
  input.exact = &exact;
  input.plain = &plain;
  input.count = 1;
  input.dtype = dtype;
  input.longestK = 64;
  return compare(input);
}

TEST(Compare, NonFiniteValues) {
  float inf = INFINITY, nan = NAN;
  // Too large for f16: infinity is right, with its sign.
  EXPECT_TRUE(compareOne(inf, 70000, inf, DType::F16).ok());
  EXPECT_FALSE(compareOne(-inf, 70000, inf, DType::F16).ok());
  EXPECT_FALSE(compareOne(nan, 70000, inf, DType::F16).ok());
  EXPECT_FALSE(compareOne(65504, 90000, inf, DType::F16).ok());
  EXPECT_TRUE(compareOne(70000, 70000, 70000, DType::BF16).ok());
  EXPECT_FALSE(compareOne(inf, 70000, 70000, DType::F32).ok());
  // Near the limit both are right.
  EXPECT_TRUE(compareOne(inf, 65519, 65504, DType::F16).ok());
  EXPECT_TRUE(compareOne(65504, 65521, inf, DType::F16).ok());
  // NaN where NaN is due, and nowhere else.
  EXPECT_TRUE(compareOne(nan, NAN, nan, DType::F16).ok());
  EXPECT_FALSE(compareOne(0, NAN, nan, DType::F16).ok());
  EXPECT_FALSE(compareOne(nan, 0, 0, DType::F16).ok());
  EXPECT_TRUE(compareOne(inf, INFINITY, inf, DType::F32).ok());
  EXPECT_FALSE(compareOne(1, INFINITY, inf, DType::F32).ok());
  // A zero entry that may be multiplied: NaN or what the other entries give.
  EXPECT_TRUE(compareOne(nan, INFINITY, nan, DType::F32).ok());
  EXPECT_TRUE(compareOne(inf, INFINITY, nan, DType::F32).ok());
  EXPECT_FALSE(compareOne(-inf, INFINITY, nan, DType::F32).ok());
  EXPECT_FALSE(compareOne(1, INFINITY, nan, DType::F32).ok());
  EXPECT_TRUE(compareOne(1, 1, nan, DType::F32).ok());
  EXPECT_FALSE(compareOne(2, 1, nan, DType::F32).ok());
  // The same below a minimum with 0.5, which takes the number of the two.
  EXPECT_TRUE(compareOne(0.5f, -INFINITY, 0.5f, DType::F32).ok());
  EXPECT_TRUE(compareOne(-inf, -INFINITY, 0.5f, DType::F32).ok());
  EXPECT_FALSE(compareOne(0.25f, -INFINITY, 0.5f, DType::F32).ok());
  EXPECT_FALSE(compareOne(inf, -INFINITY, 0.5f, DType::F32).ok());
  EXPECT_FALSE(compareOne(0.5f, -INFINITY, -inf, DType::F32).ok());
  // The plain computation overflowed half way: nothing can be said.
  EXPECT_TRUE(compareOne(nan, 1, nan, DType::F16).ok());
}

TEST(Compare, SmallErrorsDoNotHideBehindLargeElements) {
  // Large elements with large rounding errors, small ones with small ones.
  std::vector<float> found, plain;
  std::vector<double> exact;
  for (int i = 0; i < 4096; ++i) {
    double value = i % 2 ? 1000.0 + i : 0.001 * (1 + i % 7);
    exact.push_back(value);
    plain.push_back(static_cast<float>(value * (1 + 4e-4)));
    found.push_back(plain.back());
  }
  CompareInput input;
  input.exact = exact.data();
  input.plain = plain.data();
  input.count = exact.size();
  input.found = found.data();
  EXPECT_TRUE(compare(input).ok());
  found[10] += 0.1f;
  CompareReport report = compare(input);
  EXPECT_EQ(report.wrong, 1u);
  EXPECT_EQ(report.worst, 10u);
}

// Element 7 of `count` ones, of which `exactly` are exact in plain arithmetic
// and the others off by 1e-4, is off by `off`.
static bool accepts(uint64_t count, uint64_t exactly, double off) {
  std::vector<double> exact(count, 1.0);
  std::vector<float> plain(count, 1.0f + 1e-4f), found(count, 1.0f);
  std::fill(plain.end() - static_cast<ptrdiff_t>(exactly), plain.end(), 1.0f);
  found[7] = static_cast<float>(1.0 + off);
  CompareInput input;
  input.exact = exact.data();
  input.plain = plain.data();
  input.found = found.data();
  input.count = count;
  input.dtype = DType::F32;
  return compare(input).ok();
}

TEST(Compare, FewErrorsAllowMore) {
  // Of many elements twice the plain error; of 24 as many deviations as
  // Student's t says, 9.1; of 8 and of fewer 26.7. The floor is 2e-6.
  EXPECT_TRUE(accepts(1024, 0, 1.9e-4));
  EXPECT_FALSE(accepts(1024, 0, 2.1e-4));
  EXPECT_TRUE(accepts(24, 0, 9.0e-4));
  EXPECT_FALSE(accepts(24, 0, 9.3e-4));
  for (uint64_t count : {8u, 9u}) {
    EXPECT_TRUE(accepts(count, count - 8, 2.6e-3));
    EXPECT_FALSE(accepts(count, count - 8, 2.75e-3));
  }
  EXPECT_TRUE(accepts(16, 12, 2.6e-3));
  EXPECT_FALSE(accepts(16, 12, 2.75e-3));
  // Exact elements, as copied ones are, tell nothing of the others' errors.
  EXPECT_TRUE(accepts(32768, 32768 - 24, 9.0e-4));
  EXPECT_FALSE(accepts(32768, 32768 - 24, 9.3e-4));
  // And where all are exact, all have to be.
  EXPECT_FALSE(accepts(32768, 32768, 5e-6));
}

TEST(Check, NothingToCheckWhenEmpty) {
  Ffn ffn(3, 0);
  RunReport report = run(ffn, {});
  EXPECT_TRUE(report.empty);
  EXPECT_TRUE(report.ok());
  EXPECT_FALSE(report.check);
}

/// y = x w^T in f16, quantized, times v^T.
static const char *const quantized = R"({
    "format": "sparseflow-bundle", "version": 1, "functions": [{
      "name": "f", "symbols": ["T"],
      "arguments": [{"name": "x", "dtype": "f16", "shape": ["T", 2]},
                    {"name": "w", "dtype": "f16", "shape": [3, 2]},
                    {"name": "v", "dtype": "f16", "shape": [2, 3]}],
      "results": [{"dtype": "f32", "shape": ["T", 2]}],
      "reference": {"values": 7, "results": [6], "steps": [
        {"op": "matmul", "x": 0, "w": 1, "out": 3, "dtype": "f16",
         "operands": [], "region": {"inputs": 1, "ops": [], "yield": 0}},
        {"op": "quantize", "x": 3, "out": 4, "scale": 5, "shape": ["T", 3]},
        {"op": "matmul", "x": 4, "w": 2, "out": 6, "dtype": "f32",
         "operands": [{"value": 5, "broadcast": "per_token"}],
         "region": {"inputs": 2, "ops": [["mulf", 0, 1]], "yield": 2}}]}}]})";

/// Whether these results of one token are right.
static bool agreesQuantized(const std::vector<std::vector<float>> &xwv,
                            float first, float second) {
  auto bundle = parseBundleManifest(quantized);
  EXPECT_TRUE(bundle) << bundle.status().text();
  const Reference &reference = *bundle->references[0];
  ArgumentRequest request;
  request.sizes = {{"T", 1}};
  auto set =
      prepareArguments(bundle->manifest.functions[0], &reference, request);
  EXPECT_TRUE(set) << set.status().text();
  for (size_t i = 0; i < xwv.size(); ++i)
    narrow(xwv[i].data(), set->arguments[i].dense);
  RunOptions options;
  options.check = true;
  auto report = runAndCheck(
      *set, &reference,
      [&](const ArgumentSet &, std::vector<HostTensor> &results) {
        float found[] = {first, second};
        narrow(found, results[0]);
        return sparseflow::rt::Status();
      },
      options);
  EXPECT_TRUE(report) << report.status().text();
  return report && report->ok();
}

TEST(Check, ASumAtATieExplainsOneStepOfAQuantizationThere) {
  // Of y = (1 + 2^-11, 84.6875, 10) the first sum lies between two f16 numbers,
  // and these on both sides of the middle between the codes 1 and 2.
  const float step = 84.6875f / 127.0f;
  auto agrees = [&](float first, float second) {
    return agreesQuantized({{1, std::ldexp(1.0f, -11)},
                            {1, 1, 84.6875f, 0, 10, 0},
                            {1, 0, 0, 0, 0, 1}},
                           first * step, second * step);
  };
  EXPECT_TRUE(agrees(1, 15));
  EXPECT_TRUE(agrees(2, 15));
  EXPECT_FALSE(agrees(3, 15));
  EXPECT_FALSE(agrees(0, 15));
  EXPECT_FALSE(agrees(1, 16));
  EXPECT_FALSE(agrees(2, 14));
}

TEST(Check, ALargestElementAtATieMovesScaleAndCodes) {
  // Of y = (1270.5, 995.5, 10) the largest is 1270 or 1271 in f16. The scale is
  // 10 or a bit more, and the code of the second 100 or 99: as the sum goes up,
  // what is computed of it goes down. Sums of codes are exact.
  const float more = 1271.0f / 127.0f;
  auto agrees = [&](float first, float second) {
    return agreesQuantized(
        {{1, 0.5f}, {1270, 1, 995.5f, 0, 10, 0}, {0, 1, 0, 0, 0, 1}}, first,
        second);
  };
  EXPECT_TRUE(agrees(1000, 10));
  EXPECT_TRUE(agrees(99 * more, more));
  EXPECT_FALSE(agrees(98 * more, more));
  EXPECT_FALSE(agrees(101 * more, more));
  EXPECT_FALSE(agrees(1000, 20));
}

/// y = epilogue(x w^T), where a token (8, 0) has the sums 8 and 2.
static CheckReport checkSums(const std::string &region, float first,
                             float second) {
  auto bundle = parseBundleManifest(R"({
    "format": "sparseflow-bundle", "version": 1, "functions": [{
      "name": "f", "symbols": ["T"],
      "arguments": [{"name": "x", "dtype": "f16", "shape": ["T", 2]},
                    {"name": "w", "dtype": "f16", "shape": [2, 2]}],
      "results": [{"dtype": "f32", "shape": ["T", 2]}],
      "reference": {"values": 3, "results": [2], "steps": [
        {"op": "matmul", "x": 0, "w": 1, "out": 2, "dtype": "f32",
         "operands": [], "region": )" +
                                    region + "}]}}]}");
  EXPECT_TRUE(bundle) << bundle.status().text();
  const Reference &reference = *bundle->references[0];
  ArgumentRequest request;
  request.sizes = {{"T", 1}};
  auto set =
      prepareArguments(bundle->manifest.functions[0], &reference, request);
  EXPECT_TRUE(set) << set.status().text();
  const float x[] = {8, 0}, w[] = {1, 0, 0.25f, 0};
  narrow(x, set->arguments[0].dense);
  narrow(w, set->arguments[1].dense);
  RunOptions options;
  options.check = true;
  auto report = runAndCheck(
      *set, &reference,
      [&](const ArgumentSet &, std::vector<HostTensor> &results) {
        const float found[] = {first, second};
        narrow(found, results[0]);
        return sparseflow::rt::Status();
      },
      options);
  EXPECT_TRUE(report) << report.status().text();
  return std::move(*report->check);
}

TEST(Check, WhatATensorCoreLosesPassesThroughTheEpilogue) {
  auto agrees = [](const char *region, double first, double second) {
    return checkSums(region, static_cast<float>(first),
                     static_cast<float>(second))
        .ok();
  };
  // The sums' root mean square is sqrt(34).
  const double lost = tensorCoreError(2) * std::sqrt(34.0);
  const char *plain = R"({"inputs": 1, "ops": [], "yield": 0})";
  EXPECT_TRUE(agrees(plain, 8 + 0.9 * lost, 2 - 0.9 * lost));
  EXPECT_FALSE(agrees(plain, 8 + 1.2 * lost, 2));
  EXPECT_FALSE(agrees(plain, 8, 2 - 1.2 * lost));
  const char *exp = R"({"inputs": 1, "ops": [["exp", 0]], "yield": 1})";
  EXPECT_TRUE(agrees(exp, std::exp(8 + 0.9 * lost), std::exp(2)));
  EXPECT_TRUE(agrees(exp, std::exp(8 - 0.9 * lost), std::exp(2)));
  EXPECT_FALSE(agrees(exp, std::exp(8 + 1.5 * lost), std::exp(2)));
  EXPECT_FALSE(agrees(exp, std::exp(8 - 1.5 * lost), std::exp(2)));
}

TEST(Compare, ErrorsThatElementsShareAreFew) {
  // 96 features of a row, all of them off by what one probability is.
  std::vector<double> exact(96, 1.0);
  std::vector<float> plain(96, 1.0f + 0x1p-20f), found(96, 1.0f - 0x1p-16f);
  CompareInput input;
  input.found = found.data();
  input.exact = exact.data();
  input.plain = plain.data();
  input.count = exact.size();
  input.dtype = DType::F32;
  EXPECT_EQ(compare(input).wrong, 96u);
  input.errors.ofElement = 2.0 / 96;
  EXPECT_TRUE(compare(input).ok());
  for (float &value : found)
    value = 1.0f - 0x1p-15f;
  EXPECT_EQ(compare(input).wrong, 96u);
}

TEST(Compare, WeightsAreRoundedOnce) {
  // The plain computation was lucky; a device was not.
  std::vector<double> exact(2048, 1.0), rounding(exact.size(), 0x1p-9);
  std::vector<float> plain(exact.size(), 1.0f + 0x1p-16f),
      found(exact.size(), 1.0f + 0x1.8p-10f);
  CompareInput input;
  input.found = found.data();
  input.exact = exact.data();
  input.plain = plain.data();
  input.count = exact.size();
  input.dtype = DType::F32;
  EXPECT_EQ(compare(input).wrong, exact.size());
  input.rounding = rounding.data();
  EXPECT_TRUE(compare(input).ok());
  found[3] = 1.0f + 0x1.2p-9f;
  rounding[5] = NAN;
  EXPECT_EQ(compare(input).wrong, 2u);
  EXPECT_EQ(compare(input).worst, 5u);
}

TEST(Compare, ARowThatSharesErrorsAllowsTwiceItsLargest) {
  // 64 rows of 64 features; the roundings of row 5 are 16 times the others'.
  constexpr uint64_t rows = 64, features = 64, coarse = 5;
  std::vector<double> exact(rows * features, 1.0);
  std::vector<float> plain(exact.size()), found(exact.size(), 1.0f);
  auto off = [](uint64_t i) {
    return i / features == coarse ? 0x1p-12f : 0x1p-16f;
  };
  for (uint64_t i = 0; i < plain.size(); ++i) {
    // Small elements of the row are as far off as its large ones.
    if (i % features == 7)
      exact[i] = found[i] = 0x1p-8f;
    plain[i] = found[i] + off(i);
  }
  CompareInput input;
  input.found = found.data();
  input.exact = exact.data();
  input.plain = plain.data();
  input.count = exact.size();
  input.dtype = DType::F32;
  uint64_t small = coarse * features + 7;
  found[small] += 1.9f * 0x1p-12f;
  EXPECT_TRUE(compare(input).ok()) << "its band takes in larger elements";
  // With small elements enough for a band of their own, the row decides.
  for (uint64_t i = 0; i < exact.size(); ++i)
    if (i / features != coarse && i % 3 != 0) {
      exact[i] = found[i] = 0x1p-8f;
      plain[i] = found[i] + off(i);
    }
  plain[small] = static_cast<float>(exact[small]);
  EXPECT_EQ(compare(input).wrong, 1u);
  input.errors.row = features;
  EXPECT_TRUE(compare(input).ok());
  found[small] += 0.2f * 0x1p-12f;
  EXPECT_EQ(compare(input).wrong, 1u);
  EXPECT_EQ(compare(input).worst, small);
  found[small] = static_cast<float>(exact[small]);
  found[small + features] += 1.9f * 0x1p-12f;
  EXPECT_EQ(compare(input).wrong, 1u) << "another row's errors";
}
