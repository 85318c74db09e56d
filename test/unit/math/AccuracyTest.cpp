//===- AccuracyTest.cpp - Bounds of the f32 functions ---------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every function on a sample of at least 2^20 f32 inputs, for every extreme of
// the hardware approximations, against double. The bounds are those that
// docs/Rationale/Math.md states.
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

using namespace sparseflow::test;

namespace {

struct Case {
  const char *name;
  /// The op, or a whole function where it is no single op.
  std::string source;
  std::function<double(double)> reference;
  /// Largest error in ulp, as a function of the input where it varies.
  double bound;
  /// The interval that the documented bound holds on, sampled densely.
  double low, high;
  /// Fast-math form.
  bool fast = false;
  /// Bound on the absolute error instead; 0 when the ulp bound holds.
  double absolute = 0;
};

std::ostream &operator<<(std::ostream &stream, const Case &c) {
  return stream << c.name;
}

/// Every 4097th bit pattern: 2^20 inputs, subnormals, infinities, NaN and
/// both zeros among them, and 2^19 spread evenly over the interval.
Lanes sample(const Case &c) {
  Lanes inputs;
  inputs.reserve((3 << 19) + 64);
  for (uint32_t i = 0; i < 1 << 20; ++i)
    inputs.push_back(i * 4097u);
  for (uint32_t i = 0; i < 1 << 19; ++i)
    inputs.push_back(toBits(
        static_cast<float>(c.low + (c.high - c.low) * i / double(1 << 19))));
  for (uint32_t sign : {0u, 0x80000000u})
    for (uint32_t bits : {0u, 1u, 0x007fffffu, 0x00800000u, 0x3f800000u,
                          0x3f7fffffu, 0x3f800001u, 0x7f7fffffu, 0x7f800000u,
                          0x7f800001u, 0x7fc00000u, 0x42b17217u, 0x42b17218u,
                          0x42b17219u, 0x42cff1b4u, 0x42cff1b5u, 0x4b000000u})
      inputs.push_back(sign | bits);
  return inputs;
}

class Accuracy : public testing::TestWithParam<Case> {};

TEST_P(Accuracy, StaysWithinTheStatedBound) {
  const Case &c = GetParam();
  Evaluator evaluator(c.source, c.fast);
  ASSERT_TRUE(evaluator.valid());
  Lanes inputs = sample(c);
  // Inputs outside the interval count only for infinities and NaN.
  std::vector<double> references;
  for (uint32_t bits : inputs)
    references.push_back(c.reference(double(toFloat(bits))));

  double worst = 0, worstInput = 0;
  for (const Errors &errors : evaluator.extremes()) {
    Lanes results = evaluator.run({inputs}, errors);
    for (size_t i = 0; i < inputs.size(); ++i) {
      double x = toFloat(inputs[i]), reference = references[i];
      if (x < c.low || x > c.high) {
        ASSERT_TRUE(!std::isnan(reference) || std::isnan(toFloat(results[i])))
            << "input " << x;
        continue;
      }
      double got = toFloat(results[i]);
      double error = ulps(got, reference, kF32);
      if (c.absolute != 0 && error != 0)
        error = std::fabs(got - reference);
      if (!(error <= worst)) {
        worst = error;
        worstInput = x;
      }
    }
  }
  std::printf("  %-14s worst %.4g %s at %.9g (bound %.4g)\n", c.name, worst,
              c.absolute == 0 ? "ulp" : "absolute", worstInput,
              c.absolute == 0 ? c.bound : c.absolute);
  EXPECT_LE(worst, c.absolute == 0 ? c.bound : c.absolute)
      << "input " << worstInput;
}

std::string onePlus(const char *op, const char *function) {
  return std::string("func.func @f(%x: f32) -> f32 {\n"
                     "  %one = arith.constant 1.0 : f32\n"
                     "  %t = ") +
         function + " %x : f32\n  %r = " + op +
         " %one, %t : f32\n  return %r : f32\n}\n";
}

constexpr double kMax = 3.4028234663852886e38;

const Case kCases[] = {
    {"exp", unary("math.exp", "f32"), [](double x) { return std::exp(x); }, 3.0,
     -kMax, kMax},
    {"exp_inner", unary("math.exp", "f32"),
     [](double x) { return std::exp(x); }, 3.0, -104, 89},
    {"exp2", unary("math.exp2", "f32"), [](double x) { return std::exp2(x); },
     2.75, -150, 128},
    {"expm1", unary("math.expm1", "f32"),
     [](double x) { return std::expm1(x); }, 2.0, -20, 89},
    {"expm1_near0", unary("math.expm1", "f32"),
     [](double x) { return std::expm1(x); }, 2.0, -1, 1},
    {"log", unary("math.log", "f32"), [](double x) { return std::log(x); }, 1.0,
     0.25, 4},
    {"log_all", unary("math.log", "f32"), [](double x) { return std::log(x); },
     1.0, 0, kMax},
    {"log2", unary("math.log2", "f32"), [](double x) { return std::log2(x); },
     2.0, 0.25, 4},
    {"log2_all", unary("math.log2", "f32"),
     [](double x) { return std::log2(x); }, 2.0, 0, kMax},
    {"sqrt", unary("math.sqrt", "f32"), [](double x) { return std::sqrt(x); },
     0.5, 0, kMax},
    {"rsqrt", unary("math.rsqrt", "f32"),
     [](double x) { return 1 / std::sqrt(x); }, 2.0, 0, kMax},
    {"tanh", unary("math.tanh", "f32"), [](double x) { return std::tanh(x); },
     3.0, -10, 10},
    {"erf", unary("math.erf", "f32"), [](double x) { return std::erf(x); }, 3.0,
     -5, 5},
    {"erfc", unary("math.erfc", "f32"), [](double x) { return std::erfc(x); },
     8.0, -5, 10.5},
    {"one_plus_tanh", onePlus("arith.addf", "math.tanh"),
     [](double x) { return 2 / (1 + std::exp(-2 * x)); }, 6.5, -43, 20},
    {"one_minus_tanh", onePlus("arith.subf", "math.tanh"),
     [](double x) { return 2 / (1 + std::exp(2 * x)); }, 6.5, -20, 43},
    {"one_plus_erf", onePlus("arith.addf", "math.erf"),
     [](double x) { return std::erfc(-x); }, 8.0, -10.5, 5},
    {"one_minus_erf", onePlus("arith.subf", "math.erf"),
     [](double x) { return std::erfc(x); }, 8.0, -5, 10.5},
    {"sin", unary("math.sin", "f32"), [](double x) { return std::sin(x); },
     2.25, -1e5, 1e5},
    {"sin_inner", unary("math.sin", "f32"),
     [](double x) { return std::sin(x); }, 2.25, -10, 10},
    {"cos", unary("math.cos", "f32"), [](double x) { return std::cos(x); },
     2.25, -1e5, 1e5},
    {"cos_inner", unary("math.cos", "f32"),
     [](double x) { return std::cos(x); }, 2.25, -10, 10},
    {"log1p", unary("math.log1p", "f32"),
     [](double x) { return std::log1p(x); }, 2.0, -1, kMax},
    {"log1p_inner", unary("math.log1p", "f32"),
     [](double x) { return std::log1p(x); }, 2.0, -1, 3},
    {"cbrt", unary("math.cbrt", "f32"), [](double x) { return std::cbrt(x); },
     2.0, -kMax, kMax},
    {"cbrt_inner", unary("math.cbrt", "f32"),
     [](double x) { return std::cbrt(x); }, 2.0, -8, 8},
    {"atan", unary("math.atan", "f32"), [](double x) { return std::atan(x); },
     3.0, -kMax, kMax},
    {"atan_inner", unary("math.atan", "f32"),
     [](double x) { return std::atan(x); }, 3.0, -4, 4},
    {"sinh", unary("math.sinh", "f32"), [](double x) { return std::sinh(x); },
     6.0, -kMax, kMax},
    {"sinh_inner", unary("math.sinh", "f32"),
     [](double x) { return std::sinh(x); }, 6.0, -4, 4},
    {"cosh", unary("math.cosh", "f32"), [](double x) { return std::cosh(x); },
     4.0, -kMax, kMax},
    {"cosh_inner", unary("math.cosh", "f32"),
     [](double x) { return std::cosh(x); }, 4.0, -90, 90},
};

const Case kFastCases[] = {
    {"fast_exp", unary("math.exp", "f32"), [](double x) { return std::exp(x); },
     75.0, -87, 88, true},
    {"fast_exp2", unary("math.exp2", "f32"),
     [](double x) { return std::exp2(x); }, 2.75, -125.9, 128, true},
    {"fast_log_outer", unary("math.log", "f32"),
     [](double x) { return std::log(x); }, 6.0, 2, kMax, true},
    {"fast_log_near1", unary("math.log", "f32"),
     [](double x) { return std::log(x); }, 0, 0.5, 2, true, 0x1p-22},
    {"fast_sqrt", unary("math.sqrt", "f32"),
     [](double x) { return std::sqrt(x); }, 2.0, 0, kMax, true},
    {"fast_tanh", unary("math.tanh", "f32"),
     [](double x) { return std::tanh(x); }, 0, -kMax, kMax, true, 3e-7},
    {"fast_inverse",
     "func.func @f(%x: f32) -> f32 {\n"
     "  %c = arith.constant 30.0 : f32\n"
     "  %r = arith.divf %x, %c fastmath<afn> : f32\n"
     "  return %r : f32\n}\n",
     [](double x) { return x / 30; }, 1.5, -kMax, kMax, true},
    {"fast_one_plus_tanh", onePlus("arith.addf", "math.tanh"),
     [](double x) { return 2 / (1 + std::exp(-2 * x)); }, 80.0, -43, 20, true},
    // 2^-14 of relative error in the tail.
    {"fast_erfc", unary("math.erfc", "f32"),
     [](double x) { return std::erfc(x); }, 1400.0, -5, 9.1, true},
};

std::string nameOf(const testing::TestParamInfo<Case> &info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Exact, Accuracy, testing::ValuesIn(kCases), nameOf);
INSTANTIATE_TEST_SUITE_P(Fast, Accuracy, testing::ValuesIn(kFastCases), nameOf);

TEST(AccuracyOfPow, StaysWithinTheStatedBound) {
  Evaluator evaluator(binary("math.powf", "f32"));
  ASSERT_TRUE(evaluator.valid());
  // Pairs whose power is in range, spread over exponents of both sizes, and
  // pairs of any bits.
  Lanes x, y;
  uint64_t state = 1;
  auto next = [&] {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<uint32_t>(state >> 32);
  };
  for (int i = 0; i < 1 << 20; ++i) {
    uint32_t base = next() & 0x7fffffff;
    if (i & 1)
      base = 0x3f000000 + base % 0x01400000;
    float logarithm = std::log2(toFloat(base));
    float exponent = (next() / 4294967296.0f * 300 - 150) / logarithm;
    x.push_back(base);
    y.push_back(i & 2 ? next() : toBits(exponent));
  }
  double worst = 0, worstX = 0, worstY = 0;
  for (const Errors &errors : evaluator.extremes()) {
    Lanes results = evaluator.run({x, y}, errors);
    for (size_t i = 0; i < x.size(); ++i) {
      double reference = std::pow(double(toFloat(x[i])), toFloat(y[i]));
      double error = ulps(toFloat(results[i]), reference, kF32);
      if (!(error <= worst)) {
        worst = error;
        worstX = toFloat(x[i]);
        worstY = toFloat(y[i]);
      }
    }
  }
  std::printf("  powf worst %.4g ulp at (%.9g, %.9g)\n", worst, worstX, worstY);
  EXPECT_LE(worst, 3.0) << worstX << " to the power " << worstY;
}

TEST(AccuracyOfDivision, IsIEEEUnlessAFlagAllowsLess) {
  Lanes x, y;
  for (uint32_t i = 0; i < 1 << 20; ++i) {
    x.push_back(i * 4097u);
    y.push_back(i * 2654435761u + 12345u);
  }
  for (const char *flags : {"", "fastmath<arcp>", "fastmath<afn>"}) {
    Evaluator evaluator(binary("arith.divf", "f32", flags));
    ASSERT_TRUE(evaluator.valid());
    double bound = *flags ? 2.25 : 0.5, worst = 0;
    for (double sign : {-1.0, 1.0}) {
      Errors errors;
      errors.other = sign;
      Lanes results = evaluator.run({x, y}, errors);
      for (size_t i = 0; i < x.size(); ++i) {
        double reference = double(toFloat(x[i])) / double(toFloat(y[i]));
        worst = std::max(worst, ulps(toFloat(results[i]), reference, kF32));
      }
    }
    EXPECT_LE(worst, bound) << flags;
  }
}

} // namespace
