//===- index_reference_test.cpp - References that read by their place -----===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "run/Run.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>

using namespace sparseflow;
using namespace sparseflow::tools;

/// A bundle of one function; `body` are its members but the name.
static Expected<BundleManifest> parse(const std::string &body) {
  return parseBundleManifest(R"({"format": "sparseflow-bundle", "version": 1,
    "functions": [{"name": "f", )" +
                             body + "}]}");
}

namespace {
/// A function with arguments from a seed, and both evaluations of it.
struct Evaluated {
  explicit Evaluated(const std::string &body,
                     const std::vector<std::string> &sizes = {}) {
    Expected<BundleManifest> parsed = parse(body);
    if (!parsed) {
      error = parsed.status().text();
      return;
    }
    manifest = std::move(*parsed);
    ArgumentRequest request;
    for (const std::string &size : sizes)
      EXPECT_TRUE(request.addSize(size));
    auto made = prepareArguments(function(), &reference(), request);
    if (!made) {
      error = made.status().text();
      return;
    }
    set = std::move(*made);
    auto both = evaluateExactly(set.referenceCall(reference()));
    auto rounded = evaluatePlainly(set.referenceCall(reference()));
    if (!both || !rounded) {
      error = both ? rounded.status().text() : both.status().text();
      return;
    }
    exact = std::move(*both);
    plain = std::move(*rounded);
  }
  const Function &function() const { return manifest.manifest.functions[0]; }
  const Reference &reference() const { return *manifest.references[0]; }
  std::vector<double> argument(size_t index) const {
    std::vector<double> values(set.arguments[index].dense.count());
    widen(set.arguments[index].dense, values.data());
    return values;
  }

  BundleManifest manifest;
  ArgumentSet set;
  std::vector<ReferenceResult<double>> exact;
  std::vector<ReferenceResult<float>> plain;
  std::string error;
};
} // namespace

// Ids that the seed gives are inside of the table; one row is read for each.
TEST(IndexReference, Gathers) {
  Evaluated gather(R"("symbols": ["T"], "arguments": [
     {"dtype": "i64", "shape": ["T"]}, {"dtype": "f16", "shape": [37, 5]}],
    "results": [{"dtype": "f16", "shape": ["T", 5]}],
    "reference": {"values": 3, "results": [2], "steps": [
     {"op": "map", "out": 2, "shape": ["T", 5],
      "inputs": [{"value": 0, "dims": [0]}],
      "region": {"inputs": 1, "yield": 3, "ops": [
       ["index", 1], ["const", 0], ["load", 1, 0, 1]]}}]})",
                   {"T=700"});
  ASSERT_EQ(gather.error, "");
  std::vector<double> ids = gather.argument(0), table = gather.argument(1);
  double largest = 0;
  for (size_t t = 0; t < 700; ++t) {
    largest = std::max(largest, ids[t]);
    ASSERT_GE(ids[t], 0);
    for (size_t j = 0; j < 5; ++j)
      ASSERT_EQ(gather.exact[0].data[t * 5 + j],
                table[static_cast<size_t>(ids[t]) * 5 + j]);
  }
  EXPECT_EQ(largest, 36);
  // Rows of a gather are not evaluated apart.
  EXPECT_FALSE(
      tokenCount(gather.function(), gather.reference(), gather.set.symbols));
}

/// Rows of a table [7, 5] by numbers that `steps` make of ids [2, 3], up to
/// value 3; `gather` are inputs and region of the step that reads them.
static std::string gatherOf(const std::string &steps,
                            const std::string &gather) {
  return R"("arguments": [{"dtype": "i64", "shape": [2, 3], "name": "ids"},
      {"dtype": "f16", "shape": [7, 5]}],
    "results": [{"dtype": "f16", "shape": [2, 3, 5]}],
    "reference": {"values": 5, "results": [4], "steps": [)" +
         steps + R"({"op": "map", "out": 4, "shape": [2, 3, 5], )" + gather +
         "}]}";
}

// Which argument holds an index that is outside, also through steps that only
// move elements; and what is said where no single element decides it.
TEST(IndexReference, NamesTheArgumentOfAnIndex) {
  Evaluated named(gatherOf(R"(
     {"op": "map", "out": 2, "shape": [3, 2], "dtype": "i64",
      "inputs": [{"value": 0, "dims": [1, 0]}],
      "region": {"inputs": 1, "yield": 2, "ops": [
       ["const", 100], ["addf", 0, 1]]}},
     {"op": "reshape", "value": 2, "shape": [2, 3], "out": 3},)",
                           R"(
      "inputs": [{"value": 3, "dims": [0, 1]}],
      "region": {"inputs": 1, "yield": 6,
       "checked": [{"load": 6, "dim": 0, "index": 0}], "ops": [
       ["const", 0], ["maximumf", 0, 1], ["const", 6], ["minimumf", 2, 3],
       ["index", 2], ["load", 1, 4, 5]]})"));
  EXPECT_NE(named.error.find("argument 0 ('ids') holds "), std::string::npos)
      << named.error;
  EXPECT_NE(named.error.find("at [0, 0], from which the function computes the "
                             "index 10"),
            std::string::npos)
      << named.error;
  Evaluated computed(gatherOf(R"(
     {"op": "map", "out": 2, "shape": [2, 3], "dtype": "i64",
      "inputs": [{"value": 0, "dims": [0, 1]}],
      "region": {"inputs": 1, "yield": 2, "ops": [
       ["const", 100], ["addf", 0, 1]]}},
     {"op": "map", "out": 3, "shape": [2, 3], "dtype": "i64", "inputs": [],
      "region": {"inputs": 0, "yield": 0, "ops": [["const", 0]]}},)",
                              R"(
      "inputs": [{"value": 2, "dims": [0, 1]}, {"value": 3, "dims": [0, 1]}],
      "region": {"inputs": 2, "yield": 8,
       "checked": [{"load": 8, "dim": 0, "index": 2}], "ops": [
       ["addf", 0, 1], ["const", 0], ["maximumf", 2, 3], ["const", 6],
       ["minimumf", 4, 5], ["index", 2], ["load", 1, 6, 7]]})"));
  EXPECT_EQ(computed.error.find("argument"), std::string::npos)
      << "two numbers decide it";
  EXPECT_NE(computed.error.find("the function computes the index 10"),
            std::string::npos)
      << computed.error;
  EXPECT_NE(computed.error.find(", expected 0 to 6"), std::string::npos);
}

// x [T, 6], its columns 4, 2, 0 behind its last two, by loads; outside is NaN.
TEST(IndexReference, SlicesAndConcatenates) {
  Evaluated unknown(R"("symbols": ["T"], "arguments": [
     {"dtype": "f32", "shape": ["T", 6]}],
    "results": [{"dtype": "f32", "shape": ["T", 6]}],
    "reference": {"values": 2, "results": [1], "steps": [
     {"op": "map", "out": 1, "shape": ["T", 6], "inputs": [],
      "region": {"inputs": 0, "yield": 14, "ops": [
       ["index", 0], ["index", 1], ["const", 4], ["addf", 1, 2],
       ["load", 0, 0, 3], ["const", 2], ["subf", 1, 5], ["mulf", 6, 5],
       ["subf", 2, 7], ["load", 0, 0, 8], ["cmpf", "oge", 6, 11],
       ["const", 0], ["const", 0], ["cmpf", "oge", 6, 12],
       ["select", 13, 9, 4]]}}]})",
                    {"T=270"});
  EXPECT_NE(unknown.error.find("expected"), std::string::npos)
      << "an operand that comes later";
  Evaluated good(R"("symbols": ["T"], "arguments": [
     {"dtype": "f32", "shape": ["T", 6]}],
    "results": [{"dtype": "f32", "shape": ["T", 6]}],
    "reference": {"values": 2, "results": [1], "steps": [
     {"op": "map", "out": 1, "shape": ["T", 6], "inputs": [],
      "region": {"inputs": 0, "yield": 12, "ops": [
       ["index", 0], ["index", 1], ["const", 4], ["addf", 1, 2],
       ["load", 0, 0, 3], ["const", 2], ["subf", 1, 5], ["mulf", 6, 5],
       ["subf", 2, 7], ["load", 0, 0, 8], ["const", 0],
       ["cmpf", "oge", 6, 10], ["select", 11, 9, 4]]}}]})",
                 {"T=270"});
  ASSERT_EQ(good.error, "");
  std::vector<double> x = good.argument(0);
  for (size_t t = 0; t < 270; ++t) {
    const double *found = &good.exact[0].data[t * 6], *row = &x[t * 6];
    EXPECT_EQ(found[0], row[4]);
    EXPECT_EQ(found[1], row[5]);
    EXPECT_EQ(found[2], row[4]);
    EXPECT_EQ(found[3], row[2]);
    EXPECT_EQ(found[4], row[0]);
    EXPECT_TRUE(std::isnan(found[5]));
  }
}

// The maximum of each row and its position, in one reduction.
TEST(IndexReference, ReducesToSeveralResults) {
  Evaluated argmax(R"("symbols": ["T"], "arguments": [
     {"dtype": "f16", "shape": ["T", 301]}],
    "results": [{"dtype": "i64", "shape": ["T"]},
                {"dtype": "f16", "shape": ["T"]}],
    "reference": {"values": 3, "results": [2, 1], "steps": [
     {"op": "reduce", "out": 1, "shape": ["T"], "reduced": [301],
      "dtype": "f16", "init": "-inf", "inputs": [{"value": 0, "dims": [0, 1]}],
      "more": [{"out": 2, "init": 0, "dtype": "i64", "yield": 6}],
      "region": {"inputs": 3, "yield": 3, "ops": [
       ["maximumf", 0, 2], ["cmpf", "ogt", 2, 0], ["index", 1],
       ["select", 4, 5, 1]]}}]})",
                   {"T=9"});
  ASSERT_EQ(argmax.error, "");
  std::vector<double> x = argmax.argument(0);
  for (size_t t = 0; t < 9; ++t) {
    size_t best = 0;
    for (size_t i = 1; i < 301; ++i)
      if (x[t * 301 + i] > x[t * 301 + best])
        best = i;
    EXPECT_EQ(argmax.exact[0].data[t], static_cast<double>(best));
    EXPECT_EQ(argmax.plain[0].data[t], static_cast<float>(best));
    EXPECT_EQ(argmax.exact[1].data[t], x[t * 301 + best]);
  }
}

TEST(IndexReference, IntegerArithmetic) {
  auto evaluate = [](const std::string &op, double a, double b) {
    Evaluated one(R"("arguments": [], "results": [
      {"dtype": "i64", "shape": []}],
      "reference": {"values": 1, "results": [0], "steps": [
       {"op": "map", "out": 0, "shape": [], "inputs": [],
        "region": {"inputs": 0, "yield": 2, "ops": [["const", )" +
                  std::to_string(a) + R"(], ["const", )" + std::to_string(b) +
                  R"(], [")" + op + R"(", 0, 1]]}}]})");
    EXPECT_EQ(one.error, "");
    return one.error.empty() ? one.exact[0].data[0] : NAN;
  };
  EXPECT_EQ(evaluate("divsi", -7, 2), -3);
  EXPECT_EQ(evaluate("floordivsi", -7, 2), -4);
  EXPECT_EQ(evaluate("remsi", -7, 2), -1);
  EXPECT_TRUE(std::isnan(evaluate("divsi", 7, 0)));
  EXPECT_EQ(evaluate("andi", 12, 10), 8);
  EXPECT_EQ(evaluate("ori", 12, 10), 14);
  EXPECT_EQ(evaluate("xori", 12, 10), 6);
  EXPECT_EQ(evaluate("shli", 3, 40), 3.0 * (int64_t(1) << 40));
  EXPECT_EQ(evaluate("shrsi", -5, 1), -3);
}

TEST(IndexReference, BadRegionsAreRefused) {
  auto refused = [](const std::string &ops, const std::string &what) {
    Expected<BundleManifest> parsed = parse(R"("arguments": [
       {"dtype": "f32", "shape": [4]}],
      "results": [{"dtype": "f32", "shape": [4]}],
      "reference": {"values": 2, "results": [1], "steps": [
       {"op": "map", "out": 1, "shape": [4], "inputs": [],
        "region": {"inputs": 0, "yield": 0, "ops": )" +
                                            ops + "}}]}");
    ASSERT_FALSE(parsed) << ops;
    EXPECT_NE(parsed.status().text().find(what), std::string::npos)
        << parsed.status().text();
  };
  refused(R"([["index", 1]])", "expected");
  refused(R"([["size", "S"]])", "not in the function's symbols");
  refused(R"([["load", 1]])", "used before a step defines it");
  refused(R"([["const", 0], ["load", 0, 5]])", "expected");
  auto checked = [&](const std::string &list, const std::string &what) {
    refused(R"([["index", 0], ["load", 0, 0]], "checked": )" + list, what);
  };
  checked(R"([{"load": 0, "dim": 0, "index": 0}])",
          "expected the number of a load that has indices");
  checked(R"([{"load": 2, "dim": 0, "index": 0}])", "expected an integer");
  checked(R"([{"load": 1, "dim": 1, "index": 0}])", "expected an integer");
  checked(R"([{"load": 1, "dim": 0, "index": 1}])", "expected an integer");
  checked(R"([{"load": 1, "dim": 0}])", "index");
  // The rank of what is loaded is known with the shapes.
  Evaluated rank(R"("arguments": [{"dtype": "f32", "shape": [4]}],
    "results": [{"dtype": "f32", "shape": [4]}],
    "reference": {"values": 2, "results": [1], "steps": [
     {"op": "map", "out": 1, "shape": [4], "inputs": [],
      "region": {"inputs": 0, "yield": 1,
                 "ops": [["index", 0], ["load", 0, 0, 0]]}}]})");
  EXPECT_NE(rank.error.find("a load of 4 by 2 indices"), std::string::npos)
      << rank.error;
}

// An integer is right where it is what the exact or the plain computation
// gives.
TEST(IndexReference, ComparesIntegersExactly) {
  std::vector<double> exact = {1, 2, 9007199254740991.0, 4, NAN};
  std::vector<float> plain = {1, 3, 4, 4, 7};
  std::vector<double> found = exact;
  found[4] = -1;
  EXPECT_TRUE(
      compareIntegers(found.data(), exact.data(), plain.data(), 5).ok());
  found[1] = 3;
  EXPECT_TRUE(
      compareIntegers(found.data(), exact.data(), plain.data(), 5).ok());
  found[1] = 4;
  EXPECT_EQ(compareIntegers(found.data(), exact.data(), plain.data(), 5).wrong,
            1u);
  found[1] = 2;
  found[2] -= 1;
  CompareReport report =
      compareIntegers(found.data(), exact.data(), plain.data(), 5);
  EXPECT_EQ(report.wrong, 1u);
  EXPECT_EQ(report.worst, 2u);
}

TEST(IndexReference, IntegerTensorsWidenExactly) {
  for (DType dtype : {DType::I1, DType::I8, DType::I32, DType::I64}) {
    HostTensor tensor = HostTensor::allocate(dtype, {3});
    int64_t values[] = {0, 1, dtype == DType::I64 ? (int64_t(1) << 40) + 1 : 1};
    for (int i = 0; i < 3; ++i)
      std::memcpy(tensor.data.data() + rt::dtypeBytes(dtype) * i, &values[i],
                  rt::dtypeBytes(dtype));
    double wide[3];
    widen(tensor, wide);
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(wide[i], static_cast<double>(values[i]));
    tensor.poison();
    widen(tensor, wide);
    EXPECT_EQ(wide[0], dtype == DType::I1 ? 255 : -1);
  }
}
