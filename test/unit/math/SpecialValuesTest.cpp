//===- SpecialValuesTest.cpp - Zeros, infinities, NaN ---------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace sparseflow::test;

namespace {

constexpr float kInf = HUGE_VALF;
const float kNaN = std::nanf("");

float call(const std::string &source, std::vector<float> arguments) {
  Evaluator evaluator(source);
  EXPECT_TRUE(evaluator.valid());
  std::vector<Lanes> lanes;
  for (float argument : arguments)
    lanes.push_back({toBits(argument)});
  return toFloat(evaluator.run(lanes).front());
}

void expectSame(float got, float expected, const std::string &what) {
  if (std::isnan(expected))
    EXPECT_TRUE(std::isnan(got)) << what << " gave " << got;
  else
    EXPECT_EQ(toBits(got), toBits(expected))
        << what << ": expected " << expected << ", found " << got;
}

struct Point {
  const char *function;
  float x, expected;
};

TEST(SpecialValues, OfUnaryFunctions) {
  const Point points[] = {
      {"exp", 0.0f, 1.0f},           {"exp", -0.0f, 1.0f},
      {"exp", kInf, kInf},           {"exp", -kInf, 0.0f},
      {"exp", kNaN, kNaN},           {"exp", 89.0f, kInf},
      {"exp", -1e30f, 0.0f},         {"exp", 1e30f, kInf},
      {"exp2", 0.0f, 1.0f},          {"exp2", -149.0f, 0x1p-149f},
      {"exp2", 127.0f, 0x1p127f},    {"exp2", 128.0f, kInf},
      {"exp2", -kInf, 0.0f},         {"exp2", kNaN, kNaN},
      {"expm1", 0.0f, 0.0f},         {"expm1", -0.0f, -0.0f},
      {"expm1", -kInf, -1.0f},       {"expm1", kInf, kInf},
      {"expm1", kNaN, kNaN},         {"expm1", 0x1p-149f, 0x1p-149f},
      {"expm1", 200.0f, kInf},       {"expm1", -200.0f, -1.0f},
      {"log", 1.0f, 0.0f},           {"log", 0.0f, -kInf},
      {"log", -0.0f, -kInf},         {"log", -1.0f, kNaN},
      {"log", kInf, kInf},           {"log", -kInf, kNaN},
      {"log", kNaN, kNaN},           {"log2", 1.0f, 0.0f},
      {"log2", 0x1p-149f, -149.0f},  {"log2", 8.0f, 3.0f},
      {"log2", 0x1p127f, 127.0f},    {"log2", 0.0f, -kInf},
      {"log2", -2.0f, kNaN},         {"log2", kInf, kInf},
      {"sqrt", -0.0f, -0.0f},        {"sqrt", -1.0f, kNaN},
      {"rsqrt", 0.0f, kInf},         {"rsqrt", -0.0f, -kInf},
      {"rsqrt", kInf, 0.0f},         {"rsqrt", -1.0f, kNaN},
      {"tanh", 0.0f, 0.0f},          {"tanh", -0.0f, -0.0f},
      {"tanh", kInf, 1.0f},          {"tanh", -kInf, -1.0f},
      {"tanh", kNaN, kNaN},          {"tanh", 0x1p-149f, 0x1p-149f},
      {"tanh", 1e30f, 1.0f},         {"erf", 0.0f, 0.0f},
      {"erf", -0.0f, -0.0f},         {"erf", kInf, 1.0f},
      {"erf", -kInf, -1.0f},         {"erf", kNaN, kNaN},
      {"erfc", kInf, 0.0f},          {"erfc", -kInf, 2.0f},
      {"erfc", kNaN, kNaN},          {"sin", 0.0f, 0.0f},
      {"sin", -0.0f, -0.0f},         {"sin", kInf, kNaN},
      {"sin", -kInf, kNaN},          {"sin", kNaN, kNaN},
      {"sin", 0x1p-149f, 0x1p-149f}, {"cos", -0.0f, 1.0f},
      {"cos", kInf, kNaN},           {"cos", kNaN, kNaN},
      {"log1p", -0.0f, -0.0f},       {"log1p", 0.0f, 0.0f},
      {"log1p", -1.0f, -kInf},       {"log1p", -1.5f, kNaN},
      {"log1p", kInf, kInf},         {"log1p", -kInf, kNaN},
      {"log1p", kNaN, kNaN},         {"log1p", -0x1p-149f, -0x1p-149f},
      {"cbrt", -0.0f, -0.0f},        {"cbrt", 0.0f, 0.0f},
      {"cbrt", kInf, kInf},          {"cbrt", -kInf, -kInf},
      {"cbrt", kNaN, kNaN},          {"atan", -0.0f, -0.0f},
      {"atan", kInf, 1.57079637f},   {"atan", -kInf, -1.57079637f},
      {"atan", kNaN, kNaN},          {"atan", 0x1p-149f, 0x1p-149f},
      {"atan", 3e38f, 1.57079637f},  {"sinh", -0.0f, -0.0f},
      {"sinh", kInf, kInf},          {"sinh", -kInf, -kInf},
      {"sinh", kNaN, kNaN},          {"sinh", -0x1p-149f, -0x1p-149f},
      {"sinh", -90.0f, -kInf},       {"cosh", -0.0f, 1.0f},
      {"cosh", -kInf, kInf},         {"cosh", kNaN, kNaN},
      {"cosh", 90.0f, kInf},         {"floor", -0.0f, -0.0f},
      {"ceil", -0.5f, -0.0f},        {"absf", -0.0f, 0.0f},
      {"absf", -kInf, kInf},
  };
  for (const Point &point : points)
    expectSame(
        call(unary(std::string("math.") + point.function, "f32"), {point.x}),
        point.expected,
        std::string(point.function) + "(" + std::to_string(point.x) + ")");
}

TEST(SpecialValues, OfPowAgreeWithTheStandard) {
  Evaluator evaluator(binary("math.powf", "f32"));
  ASSERT_TRUE(evaluator.valid());
  const float values[] = {
      0.0f,  -0.0f,  0x1p-149f,   -0x1p-149f,   0.5f,  -0.5f, 1.0f,
      -1.0f, 2.0f,   -2.0f,       3.0f,         -3.0f, 1.5f,  -1.5f,
      1e30f, -1e30f, 16777215.0f, -16777215.0f, kInf,  -kInf, kNaN};
  for (float x : values)
    for (float y : values) {
      float got =
          toFloat(evaluator.run({Lanes{toBits(x)}, Lanes{toBits(y)}}).front());
      double exact = std::pow(double(x), double(y));
      float expected = static_cast<float>(exact);
      std::string what =
          "pow(" + std::to_string(x) + ", " + std::to_string(y) + ")";
      if (std::isnan(expected) || std::isinf(expected) || expected == 0)
        expectSame(got, expected, what);
      else
        EXPECT_LE(ulps(got, exact, kF32), 3) << what << " gave " << got;
    }
}

TEST(SpecialValues, OfMinimaAndMaxima) {
  auto f = [](const char *name, float x, float y) {
    return call(binary(std::string("arith.") + name, "f32"), {x, y});
  };
  // maximumf and minimumf propagate NaN and order the zeros.
  expectSame(f("maximumf", kNaN, 1.0f), kNaN, "maximumf(NaN, 1)");
  expectSame(f("minimumf", 1.0f, kNaN), kNaN, "minimumf(1, NaN)");
  expectSame(f("maximumf", -0.0f, 0.0f), 0.0f, "maximumf(-0, 0)");
  expectSame(f("minimumf", 0.0f, -0.0f), -0.0f, "minimumf(0, -0)");
  // maxnumf and minnumf prefer the number.
  expectSame(f("maxnumf", kNaN, 1.0f), 1.0f, "maxnumf(NaN, 1)");
  expectSame(f("minnumf", 1.0f, kNaN), 1.0f, "minnumf(1, NaN)");
}

TEST(SpecialValues, OfPowersThatBecomeProducts) {
  for (float exponent : {1.0f, 2.0f, 3.0f}) {
    std::string source =
        "func.func @f(%x: f32) -> f32 {\n  %y = arith.constant " +
        std::to_string(exponent) +
        " : f32\n  %r = math.powf %x, %y : f32\n  return %r : f32\n}\n";
    for (float x : {-0.0f, -2.0f, 3.0f, kInf, -kInf, 1e20f})
      expectSame(call(source, {x}),
                 static_cast<float>(std::pow(double(x), double(exponent))),
                 "pow(" + std::to_string(x) + ", " + std::to_string(exponent) +
                     ")");
  }
}

TEST(LowerMath, RefusesWhatItDoesNotKnow) {
  EXPECT_FALSE(Evaluator(unary("math.asin", "f32")).valid());
  EXPECT_FALSE(Evaluator(unary("math.exp", "f64")).valid());
}

} // namespace
