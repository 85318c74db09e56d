//===- HalfTest.cpp - Ops on f16 and bf16 ---------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops whose operands are 16 bits wide, for all 65536 of them: arithmetic gives
// the bits of one rounding, functions the rounded value of a result whose f32
// error is within the bound of the function.
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

using namespace sparseflow::test;

namespace {

Lanes allInputs() {
  Lanes inputs;
  for (uint32_t bits = 0; bits < 0x10000; ++bits)
    inputs.push_back(bits);
  return inputs;
}

struct Function {
  const char *name;
  std::function<double(double)> reference;
  /// Bound of the f32 function, in ulp of f32.
  double bound;
};

const Function kFunctions[] = {
    {"exp", [](double x) { return std::exp(x); }, 3},
    {"exp2", [](double x) { return std::exp2(x); }, 2.75},
    {"expm1", [](double x) { return std::expm1(x); }, 2},
    {"log", [](double x) { return std::log(x); }, 1},
    {"log2", [](double x) { return std::log2(x); }, 2},
    {"sqrt", [](double x) { return std::sqrt(x); }, 0.5},
    {"rsqrt", [](double x) { return 1 / std::sqrt(x); }, 2},
    {"tanh", [](double x) { return std::tanh(x); }, 3},
    {"erf", [](double x) { return std::erf(x); }, 3},
    {"erfc", [](double x) { return std::erfc(x); }, 8},
    {"log1p", [](double x) { return std::log1p(x); }, 2},
    {"cbrt", [](double x) { return std::cbrt(x); }, 2},
    {"atan", [](double x) { return std::atan(x); }, 3},
    {"sinh", [](double x) { return std::sinh(x); }, 6},
    {"cosh", [](double x) { return std::cosh(x); }, 4},
    {"sin", [](double x) { return std::sin(x); }, 2.25},
    {"cos", [](double x) { return std::cos(x); }, 2.25},
    {"floor", [](double x) { return std::floor(x); }, 0},
    {"ceil", [](double x) { return std::ceil(x); }, 0},
    {"trunc", [](double x) { return std::trunc(x); }, 0},
    {"roundeven", [](double x) { return std::nearbyint(x); }, 0},
    {"absf", [](double x) { return std::fabs(x); }, 0},
};

class HalfFunctions
    : public testing::TestWithParam<std::tuple<Function, Format>> {};

TEST_P(HalfFunctions, RoundsAnAccurateResult) {
  auto [function, format] = GetParam();
  Evaluator evaluator(unary(std::string("math.") + function.name, format.name));
  ASSERT_TRUE(evaluator.valid());
  Lanes inputs = allInputs();
  // The last place of f32 in units of this format's, with room for a result
  // at the lower end of the wider ulp.
  double bound = 0.5 + function.bound * std::ldexp(1.0, format.digits - 23);
  bool periodic = function.name == std::string("sin") ||
                  function.name == std::string("cos");
  for (const Errors &errors : evaluator.extremes()) {
    Lanes results = evaluator.run({inputs}, errors);
    for (size_t i = 0; i < inputs.size(); ++i) {
      double x = decode(inputs[i], format), reference = function.reference(x);
      double got = decode(results[i], format);
      if (periodic && std::isfinite(x) && std::fabs(x) > 1e5) {
        ASSERT_LE(std::fabs(got), 1.0);
        continue;
      }
      ASSERT_LE(ulps(got, reference, format), bound)
          << function.name << "(" << x << "): expected " << reference
          << ", found " << got;
      if (reference == 0 && x == 0) {
        ASSERT_EQ(std::signbit(got), std::signbit(reference)) << x;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, HalfFunctions,
                         testing::Combine(testing::ValuesIn(kFunctions),
                                          testing::Values(kF16, kBF16)),
                         [](const auto &info) {
                           return std::string(std::get<0>(info.param).name) +
                                  "_" + std::get<1>(info.param).name;
                         });

struct Arithmetic {
  const char *name;
  std::function<double(double, double)> reference;
};

double maximumOf(double x, double y) {
  if (std::isnan(x) || std::isnan(y))
    return std::nan("");
  return x == y ? (std::signbit(x) ? y : x) : std::max(x, y);
}

const Arithmetic kArithmetic[] = {
    {"addf", [](double x, double y) { return x + y; }},
    {"subf", [](double x, double y) { return x - y; }},
    {"mulf", [](double x, double y) { return x * y; }},
    {"divf", [](double x, double y) { return x / y; }},
    {"maximumf", maximumOf},
    {"minimumf", [](double x, double y) { return -maximumOf(-x, -y); }},
    {"maxnumf", [](double x, double y) { return std::fmax(x, y); }},
    {"minnumf", [](double x, double y) { return std::fmin(x, y); }},
};

class HalfArithmetic
    : public testing::TestWithParam<std::tuple<Arithmetic, Format>> {};

TEST_P(HalfArithmetic, GivesTheBitsOfOneRounding) {
  auto [arithmetic, format] = GetParam();
  Evaluator evaluator(
      binary(std::string("arith.") + arithmetic.name, format.name));
  ASSERT_TRUE(evaluator.valid());
  Lanes x, y;
  // Every input against the special values, and against scattered ones.
  uint32_t one = encode(1, format), infinity = encode(HUGE_VAL, format);
  for (uint32_t other : {0u, 0x8000u, 1u, 0x8001u, one, one | 0x8000u, one + 1,
                         infinity, infinity - 1, infinity | 1})
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
      x.push_back(bits);
      y.push_back(other);
    }
  for (uint32_t i = 0; i < 1 << 18; ++i) {
    x.push_back(i & 0xffff);
    y.push_back((i * 2654435761u) >> 16);
  }
  Lanes results = evaluator.run({x, y});
  for (size_t i = 0; i < x.size(); ++i) {
    double a = decode(x[i], format), b = decode(y[i], format);
    double reference = arithmetic.reference(a, b);
    uint32_t expected = encode(reference, format);
    bool bothNaN =
        std::isnan(reference) && std::isnan(decode(results[i], format));
    // maxnumf and minnumf may return either zero.
    bool bothZero = (expected & 0x7fff) == 0 && (results[i] & 0x7fff) == 0 &&
                    std::string(arithmetic.name).find("num") == 3;
    ASSERT_TRUE(results[i] == expected || bothNaN || bothZero)
        << arithmetic.name << "(" << a << ", " << b << "): expected "
        << decode(expected, format) << ", found " << decode(results[i], format);
  }
}

INSTANTIATE_TEST_SUITE_P(All, HalfArithmetic,
                         testing::Combine(testing::ValuesIn(kArithmetic),
                                          testing::Values(kF16, kBF16)),
                         [](const auto &info) {
                           return std::string(std::get<0>(info.param).name) +
                                  "_" + std::get<1>(info.param).name;
                         });

} // namespace
