//===- reference_test.cpp - The reference evaluator against naive loops ---===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ffn_fixture.h"
#include "reference/Gemm.h"
#include "reference/RegionEvaluator.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

using namespace sparseflow::tools;
using namespace sparseflow::test;

TEST(Reference, MatchesNaiveLoops) {
  for (const char *dtype : {"f16", "bf16"}) {
    Ffn ffn(3, 50, dtype);
    auto results = evaluateExactly(ffn.set.referenceCall(ffn.reference()));
    ASSERT_TRUE(results) << results.status().text();
    std::vector<double> naive = naiveFfn(ffn.set);
    ASSERT_EQ((*results)[0].data.size(), naive.size());
    EXPECT_EQ((*results)[0].shape, (std::vector<int64_t>{3, 50, 8}));
    for (size_t i = 0; i < naive.size(); ++i)
      ASSERT_NEAR((*results)[0].data[i], naive[i], 1e-12) << i;
  }
}

TEST(Reference, PlainOneIsNearAndRounded) {
  Ffn ffn;
  auto plain = evaluatePlainly(ffn.set.referenceCall(ffn.reference()));
  ASSERT_TRUE(plain) << plain.status().text();
  std::vector<double> naive = naiveFfn(ffn.set);
  double worst = 0;
  for (size_t i = 0; i < naive.size(); ++i)
    worst = std::max(worst, std::fabs((*plain)[0].data[i] - naive[i]));
  EXPECT_LT(worst, 0.02);
  EXPECT_GT(worst, 1e-5);
  std::vector<float> rounded = (*plain)[0].data;
  roundTo(DType::F16, rounded.data(), rounded.size());
  EXPECT_EQ(rounded, (*plain)[0].data);
}

TEST(Reference, RowsAreThoseOfTheWhole) {
  Ffn ffn;
  ReferenceCall call = ffn.set.referenceCall(ffn.reference());
  auto whole = evaluateExactly(call);
  ASSERT_TRUE(whole);
  EXPECT_EQ(*tokenCount(ffn.function(), ffn.reference(), ffn.set.symbols), 150);
  call.rows = {0, 7, 77, 149};
  auto rows = evaluateExactly(call);
  ASSERT_TRUE(rows) << rows.status().text();
  ASSERT_EQ((*rows)[0].data.size(), 32u);
  for (size_t r = 0; r < call.rows.size(); ++r)
    for (size_t n = 0; n < 8; ++n)
      EXPECT_EQ((*rows)[0].data[r * 8 + n],
                (*whole)[0].data[call.rows[r] * 8 + n]);
  call.rows = {150};
  rows = evaluateExactly(call);
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.status().text(),
            "row 150 does not exist: the results have 150, counted from 0");
}

TEST(Reference, WorkAndEmptySizes) {
  Ffn ffn(2, 0);
  EXPECT_TRUE(ffn.set.empty());
  auto results = evaluateExactly(ffn.set.referenceCall(ffn.reference()));
  ASSERT_TRUE(results);
  EXPECT_TRUE((*results)[0].data.empty());
  Ffn some(2, 3);
  auto work = estimateWork(some.function(), some.reference(), some.set.symbols);
  ASSERT_TRUE(work);
  EXPECT_EQ(work->flops, 2.0 * 6 * (24 * 32 + 8 * 24));
  EXPECT_EQ(work->longestK, 32);
}

// y = softmax over the last dimension of x [T, 2, 3] as [T, 6], by a maximum, a
// sum of exponentials and a map; then the product of y with itself.
TEST(Reference, ReducesAndReshapes) {
  auto manifest = parseBundleManifest(R"({"format": "sparseflow-bundle",
    "version": 1, "functions": [{"name": "f", "symbols": ["T"], "arguments": [
     {"dtype": "f32", "shape": ["T", 2, 3]}],
     "results": [{"dtype": "f32", "shape": ["T", "T"]}],
     "reference": {"values": 6, "results": [5], "steps": [
      {"op": "reshape", "value": 0, "out": 1, "shape": ["T", 6]},
      {"op": "reduce", "out": 2, "shape": ["T"], "reduced": [6],
       "init": "-inf", "inputs": [{"value": 1, "dims": [0, 1]}],
       "region": {"inputs": 2, "ops": [["maximumf", 0, 1]], "yield": 2}},
      {"op": "reduce", "out": 3, "shape": ["T"], "reduced": [6], "init": 0,
       "inputs": [{"value": 1, "dims": [0, 1]}, {"value": 2, "dims": [0]}],
       "region": {"inputs": 3, "yield": 5,
        "ops": [["subf", 1, 2], ["exp", 3], ["addf", 0, 4]]}},
      {"op": "map", "out": 4, "shape": ["T", 6],
       "inputs": [{"value": 1, "dims": [0, 1]}, {"value": 2, "dims": [0]},
                  {"value": 3, "dims": [0]}],
       "region": {"inputs": 3, "yield": 5,
        "ops": [["subf", 0, 1], ["exp", 3], ["divf", 4, 2]]}},
      {"op": "reduce", "out": 5, "shape": ["T", "T"], "reduced": [6],
       "init": 0.5,
       "inputs": [{"value": 4, "dims": [0, 2]}, {"value": 4, "dims": [1, 2]}],
       "region": {"inputs": 3, "yield": 4,
        "ops": [["mulf", 1, 2], ["addf", 0, 3]]}}]}}]})");
  ASSERT_TRUE(manifest) << manifest.status().text();
  const Function &function = manifest->manifest.functions[0];
  const Reference &reference = *manifest->references[0];
  // More rows than a thread takes at once, and more columns than a block.
  constexpr size_t kRows = 300;
  ArgumentRequest request;
  ASSERT_TRUE(request.addSize("T=300"));
  auto set = prepareArguments(function, &reference, request);
  ASSERT_TRUE(set) << set.status().text();
  auto results = evaluateExactly(set->referenceCall(reference));
  ASSERT_TRUE(results) << results.status().text();
  std::vector<double> x(kRows * 6), y(kRows * 6);
  widen(set->arguments[0].dense, x.data());
  for (size_t t = 0; t < kRows; ++t) {
    double sum = 0;
    for (size_t n = 0; n < 6; ++n)
      sum += std::exp(x[t * 6 + n]);
    for (size_t n = 0; n < 6; ++n)
      y[t * 6 + n] = std::exp(x[t * 6 + n]) / sum;
  }
  for (size_t a = 0; a < kRows; a += 7)
    for (size_t b = 0; b < kRows; ++b) {
      double expected = 0.5;
      for (size_t n = 0; n < 6; ++n)
        expected += y[a * 6 + n] * y[b * 6 + n];
      ASSERT_NEAR((*results)[0].data[a * kRows + b], expected, 1e-12);
    }
  // Rows cannot be evaluated apart.
  auto tokens = tokenCount(function, reference, set->symbols);
  ASSERT_FALSE(tokens);
  EXPECT_EQ(tokens.status().text(),
            "rows cannot be checked apart: step 4 is a reduction; use a full "
            "check");
}

TEST(Reference, BadReductionsAndReshapesAreRefused) {
  auto evaluate = [](const std::string &step) {
    std::string text = R"({"format": "sparseflow-bundle", "version": 1,
      "functions": [{"name": "f",
       "arguments": [{"dtype": "f32", "shape": [4, 3]}],
       "results": [{"dtype": "f32", "shape": [4]}],
       "reference": {"values": 2, "results": [1], "steps": [)" +
                       step + "]}}]}";
    auto manifest = parseBundleManifest(text);
    if (!manifest)
      return manifest.status().text();
    const Function &function = manifest->manifest.functions[0];
    auto set = prepareArguments(function, &*manifest->references[0], {});
    if (!set)
      return set.status().text();
    auto results =
        evaluateExactly(set->referenceCall(*manifest->references[0]));
    return results ? std::string() : results.status().text();
  };
  auto reduce = [&](const std::string &reduced, const std::string &dims) {
    return evaluate(R"({"op": "reduce", "out": 1, "shape": [4], "reduced": )" +
                    reduced +
                    R"(, "init": 0, "inputs": [{"value": 0, "dims": )" + dims +
                    R"(}], "region": {"inputs": 2,
                    "ops": [["addf", 0, 1]], "yield": 2}})");
  };
  EXPECT_EQ(reduce("[3]", "[0, 1]"), "");
  EXPECT_NE(reduce("[2]", "[0, 1]").find("does not fit its dims"),
            std::string::npos);
  EXPECT_NE(reduce("[]", "[0, 0]").find("at least one reduced loop"),
            std::string::npos);
  EXPECT_NE(reduce("[3]", "[0, 2]"), "");
  EXPECT_NE(evaluate(R"({"op": "reshape", "value": 0, "out": 1, "shape": [4]})")
                .find("another number of elements"),
            std::string::npos);
}

// A function with one map over a transposed and a partial input.
TEST(Reference, MapsFollowTheirDims) {
  auto manifest = parseBundleManifest(R"({"format": "sparseflow-bundle",
    "version": 1, "functions": [{"name": "f", "arguments": [
     {"dtype": "f32", "shape": [5, 3]}, {"dtype": "f32", "shape": [4]},
     {"dtype": "f32", "shape": []}],
     "results": [{"dtype": "f32", "shape": [3, 4, 5]}],
     "reference": {"values": 4, "results": [3], "steps": [
      {"op": "map", "out": 3, "shape": [3, 4, 5], "dtype": "f32",
       "inputs": [{"value": 0, "dims": [2, 0]}, {"value": 1, "dims": [1]},
                  {"value": 2, "dims": []}],
       "region": {"inputs": 3, "ops": [["mulf", 0, 1], ["addf", 3, 2]],
                  "yield": 4}}]}}]})");
  ASSERT_TRUE(manifest) << manifest.status().text();
  const Function &function = manifest->manifest.functions[0];
  auto set = prepareArguments(function, &*manifest->references[0], {});
  ASSERT_TRUE(set) << set.status().text();
  auto results = evaluateExactly(set->referenceCall(*manifest->references[0]));
  ASSERT_TRUE(results) << results.status().text();
  std::vector<double> a(15), b(4), c(1);
  widen(set->arguments[0].dense, a.data());
  widen(set->arguments[1].dense, b.data());
  widen(set->arguments[2].dense, c.data());
  for (size_t i = 0; i < 3; ++i)
    for (size_t j = 0; j < 4; ++j)
      for (size_t k = 0; k < 5; ++k)
        EXPECT_DOUBLE_EQ((*results)[0].data[(i * 4 + j) * 5 + k],
                         a[k * 3 + i] * b[j] + c[0]);
  // Rows of a transposed input are not rows of the result.
  EXPECT_FALSE(tokenCount(function, *manifest->references[0], set->symbols));
}

template <typename Scalar>
static void checkProduct(int64_t rows, int64_t n, int64_t k) {
  std::vector<Scalar> x(rows * k), w(n * k), out(rows * n, Scalar(7));
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<Scalar>(static_cast<int>(i * 7 % 23) - 11);
  for (size_t i = 0; i < w.size(); ++i)
    w[i] = static_cast<Scalar>(static_cast<int>(i * 5 % 19) - 9);
  multiply(x.data(), w.data(), out.data(), rows, n, k, 2);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < n; ++c) {
      Scalar sum = 0;
      for (int64_t i = 0; i < k; ++i)
        sum += x[r * k + i] * w[c * k + i];
      ASSERT_EQ(out[r * n + c], sum) << rows << " " << n << " " << k;
    }
}

TEST(Gemm, EveryEdge) {
  for (int64_t rows : {0, 1, 5, 6, 7, 13})
    for (int64_t n : {0, 1, 15, 16, 17, 33, 70, 130})
      for (int64_t k : {0, 1, 9, 511, 512, 513}) {
        checkProduct<double>(rows, n, k);
        checkProduct<float>(rows, n, k);
      }
}

static double evaluate(const std::string &op, std::vector<double> inputs) {
  nlohmann::json ops = nlohmann::json::parse(op);
  nlohmann::json manifest = nlohmann::json::parse(ffnManifest());
  nlohmann::json &step = manifest["functions"][0]["reference"]["steps"][2];
  step["inputs"] = nlohmann::json::array();
  for (size_t i = 0; i < inputs.size(); ++i)
    step["inputs"].push_back({{"value", 6}, {"dims", {2}}});
  step["region"] = {{"inputs", inputs.size()},
                    {"ops", nlohmann::json::array({ops})},
                    {"yield", inputs.size()}};
  auto parsed = parseBundleManifest(manifest.dump());
  EXPECT_TRUE(parsed) << parsed.status().text();
  if (!parsed)
    return 0;
  RegionEvaluator<double> region(parsed->references[0]->steps[2].region,
                                 DType::F16);
  for (size_t i = 0; i < inputs.size(); ++i)
    region.input(static_cast<int>(i))[0] = inputs[i];
  return region.run(1)[0];
}

TEST(Region, EveryOperation) {
  EXPECT_EQ(evaluate(R"(["const", 0.5])", {}), 0.5);
  EXPECT_EQ(evaluate(R"(["const", "-inf"])", {}), -INFINITY);
  EXPECT_TRUE(std::isnan(evaluate(R"(["const", "nan"])", {})));
  struct Unary {
    const char *name;
    double (*function)(double);
  };
  for (Unary unary : std::initializer_list<Unary>{{"exp", std::exp},
                                                  {"exp2", std::exp2},
                                                  {"log", std::log},
                                                  {"log2", std::log2},
                                                  {"sqrt", std::sqrt},
                                                  {"tanh", std::tanh},
                                                  {"erf", std::erf},
                                                  {"sin", std::sin},
                                                  {"cos", std::cos},
                                                  {"floor", std::floor},
                                                  {"ceil", std::ceil},
                                                  {"absf", std::fabs}})
    EXPECT_EQ(evaluate(std::string("[\"") + unary.name + "\", 0]", {1.7}),
              unary.function(1.7))
        << unary.name;
  EXPECT_EQ(evaluate(R"(["rsqrt", 0])", {4}), 0.5);
  EXPECT_EQ(evaluate(R"(["negf", 0])", {4}), -4);
  EXPECT_EQ(evaluate(R"(["extf", 0])", {4}), 4);
  EXPECT_EQ(evaluate(R"(["truncf", 0])", {0.1}), 0.1);
  EXPECT_EQ(evaluate(R"(["addf", 0, 1])", {4, 3}), 7);
  EXPECT_EQ(evaluate(R"(["subf", 0, 1])", {4, 3}), 1);
  EXPECT_EQ(evaluate(R"(["mulf", 0, 1])", {4, 3}), 12);
  EXPECT_EQ(evaluate(R"(["divf", 0, 1])", {3, 4}), 0.75);
  EXPECT_EQ(evaluate(R"(["powf", 0, 1])", {2, 3}), 8);
  EXPECT_EQ(evaluate(R"(["fma", 0, 1, 2])", {2, 3, 4}), 10);
  EXPECT_EQ(evaluate(R"(["select", 0, 1, 2])", {1, 3, 4}), 3);
  EXPECT_EQ(evaluate(R"(["select", 0, 1, 2])", {0, 3, 4}), 4);
  EXPECT_TRUE(std::isnan(evaluate(R"(["maximumf", 0, 1])", {NAN, 3})));
  EXPECT_EQ(evaluate(R"(["maxnumf", 0, 1])", {NAN, 3}), 3);
  EXPECT_TRUE(std::isnan(evaluate(R"(["minimumf", 0, 1])", {3, NAN})));
  EXPECT_EQ(evaluate(R"(["minnumf", 0, 1])", {3, NAN}), 3);
  EXPECT_FALSE(std::signbit(evaluate(R"(["maximumf", 0, 1])", {-0.0, 0.0})));
  EXPECT_TRUE(std::signbit(evaluate(R"(["minimumf", 0, 1])", {0.0, -0.0})));
}

TEST(Reference, ReportsProgress) {
  Ffn ffn(5, 400);
  ReferenceCall call = ffn.set.referenceCall(ffn.reference());
  for (bool sampled : {false, true}) {
    std::vector<double> reports;
    call.progress = [&](double done) { reports.push_back(done); };
    ASSERT_TRUE(evaluateExactly(call));
    // Three steps; 2000 rows are several parts of the products.
    EXPECT_GE(reports.size(), sampled ? 3u : 9u);
    EXPECT_TRUE(std::is_sorted(reports.begin(), reports.end()));
    EXPECT_LT(reports.front(), sampled ? 0.9 : 0.3);
    EXPECT_NEAR(reports.back(), 1, 1e-9);
    EXPECT_TRUE(evaluatePlainly(call));
    call.rows = {0, 7};
  }
}

TEST(Region, Comparisons) {
  auto compare = [&](const char *predicate, double a, double b) {
    return evaluate(std::string("[\"cmpf\", \"") + predicate + "\", 0, 1]",
                    {a, b}) != 0;
  };
  EXPECT_TRUE(compare("olt", 1, 2));
  EXPECT_FALSE(compare("olt", NAN, 2));
  EXPECT_TRUE(compare("ult", NAN, 2));
  EXPECT_TRUE(compare("oge", 2, 2));
  EXPECT_TRUE(compare("one", 1, 2));
  EXPECT_FALSE(compare("one", NAN, 2));
  EXPECT_TRUE(compare("une", NAN, 2));
  EXPECT_TRUE(compare("oeq", 2, 2));
  EXPECT_TRUE(compare("ogt", 3, 2));
  EXPECT_TRUE(compare("ole", 2, 2));
  EXPECT_TRUE(compare("ord", 2, 2));
  EXPECT_TRUE(compare("uno", 2, NAN));
  EXPECT_TRUE(compare("true", 2, NAN));
  EXPECT_FALSE(compare("false", 2, 2));
}

TEST(ReferenceManifest, HostileGraphs) {
  nlohmann::json good = nlohmann::json::parse(ffnManifest());
  auto refused = [&](const char *pointer, nlohmann::json value,
                     const std::string &message = "") {
    nlohmann::json bad = good;
    bad["functions"][0]["reference"][nlohmann::json::json_pointer(pointer)] =
        std::move(value);
    auto parsed = parseBundleManifest(bad.dump());
    ASSERT_FALSE(parsed) << pointer;
    EXPECT_NE(parsed.status().text().find(message), std::string::npos)
        << parsed.status().text();
  };
  ASSERT_TRUE(parseBundleManifest(good.dump()));
  refused("/values", 6);
  refused("/values", 1 << 20);
  refused("/steps/0/x", 7);
  refused("/steps/0/x", -1);
  refused("/steps/0/out", 10);
  refused("/steps/1/out", 7, "value 7 is defined twice");
  refused("/steps/1/out", 0);
  refused("/steps/0/op", "conv");
  refused("/steps/0/dtype", "f8");
  refused("/steps/0/region/yield", 7);
  refused("/steps/0/region/inputs", 1);
  refused("/steps/0/region/ops/1", {"addf", 0});
  refused("/steps/0/region/ops/1", {"addf", 0, 3});
  refused("/steps/0/region/ops/1", {"system", 0, 1},
          "unknown scalar operation 'system'");
  refused("/steps/0/region/ops/1", {"index", 0},
          "'index' stands in regions of maps and reductions only");
  refused("/steps/0/region/ops/1", nlohmann::json::array());
  refused("/steps/0/region/ops/1", {"cmpf", "less", 0, 1});
  refused("/steps/0/operands/0/broadcast", "diagonal");
  refused("/steps/2/inputs/0/dims", {0, 1, 3});
  refused("/steps/2/shape", {"B", "X", 8});
  refused("/results", nlohmann::json::array(),
          "values, one for each result of the function");
  refused("/results/0", 10);
}

TEST(ReferenceManifest, ShapesThatDoNotFit) {
  nlohmann::json good = nlohmann::json::parse(ffnManifest());
  auto refused = [&](const char *pointer, nlohmann::json value) {
    nlohmann::json bad = good;
    bad["functions"][0][nlohmann::json::json_pointer(pointer)] =
        std::move(value);
    auto parsed = parseBundleManifest(bad.dump());
    ASSERT_TRUE(parsed) << pointer << parsed.status().text();
    auto work = estimateWork(parsed->manifest.functions[0],
                             *parsed->references[0], {2, 3});
    EXPECT_FALSE(work) << pointer;
    EXPECT_EQ(work.status().code(), SF_ERROR_FORMAT) << pointer;
  };
  refused("/arguments/0/shape", {"B", "T", 36});
  refused("/arguments/2/shape", {25});
  refused("/arguments/3/shape", {8, 25});
  refused("/arguments/4/shape", {"B", "T", 9});
  refused("/arguments/5/shape", {"T"});
  refused("/arguments/6/shape", {9});
  refused("/results/0/shape", {"B", "T", 9});
  refused("/reference/steps/2/shape", {"B", "T", 9});
}
