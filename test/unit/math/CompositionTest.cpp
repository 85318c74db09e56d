//===- CompositionTest.cpp - Activation functions in 16 bits --------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GELU (both forms) and SiLU as an epilogue holds them: computed in f32 from
// and rounded to a 16-bit type. At most one step from the rounded double, for
// every finite input of that type and every extreme of the approximations.
// (bf16 reaches further down than f32 formulas do; see below.)
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace sparseflow::test;

namespace {

struct Activation {
  const char *name;
  const char *body;
  double (*reference)(double);
};

double geluErf(double x) { return 0.5 * x * std::erfc(-x / std::sqrt(2.0)); }

double geluTanh(double x) {
  double u = std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x);
  return x / (1 + std::exp(-2 * u));
}

double silu(double x) { return x / (1 + std::exp(-x)); }

const Activation kActivations[] = {
    {"gelu_erf", R"(
  %c = arith.constant 0.70710678118654752 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %u = arith.mulf %v, %c : f32
  %t = math.erf %u : f32
  %s = arith.addf %one, %t : f32
  %h = arith.mulf %v, %half : f32
  %w = arith.mulf %h, %s : f32)",
     geluErf},
    {"gelu_tanh", R"(
  %c = arith.constant 0.79788456080286536 : f32
  %k = arith.constant 0.044715 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %v2 = arith.mulf %v, %v : f32
  %v3 = arith.mulf %v2, %v : f32
  %k3 = arith.mulf %v3, %k : f32
  %i = arith.addf %v, %k3 : f32
  %u = arith.mulf %i, %c : f32
  %t = math.tanh %u : f32
  %s = arith.addf %t, %one : f32
  %h = arith.mulf %v, %half : f32
  %w = arith.mulf %h, %s : f32)",
     geluTanh},
    {"gelu_tanh_powf", R"(
  %c = arith.constant 0.79788456080286536 : f32
  %k = arith.constant 0.044715 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %three = arith.constant 3.0 : f32
  %v3 = math.powf %v, %three : f32
  %k3 = arith.mulf %v3, %k : f32
  %i = arith.addf %v, %k3 : f32
  %u = arith.mulf %i, %c : f32
  %t = math.tanh %u : f32
  %s = arith.addf %t, %one : f32
  %h = arith.mulf %v, %half : f32
  %w = arith.mulf %h, %s : f32)",
     geluTanh},
    {"silu", R"(
  %one = arith.constant 1.0 : f32
  %n = arith.negf %v : f32
  %t = math.exp %n : f32
  %s = arith.addf %one, %t : f32
  %w = arith.divf %v, %s : f32)",
     silu},
};

std::string source(const Activation &activation, const Format &format) {
  std::string type = format.name;
  return "func.func @f(%x: " + type + ") -> " + type +
         " {\n  %v = arith.extf %x : " + type + " to f32" + activation.body +
         "\n  %r = arith.truncf %w : f32 to " + type +
         "\n  return %r : " + type + "\n}\n";
}

/// The position of a number among the numbers of its format.
int position(uint32_t bits) {
  int magnitude = static_cast<int>(bits & 0x7fff);
  return bits & 0x8000 ? -magnitude : magnitude;
}

class Composition
    : public testing::TestWithParam<std::tuple<Activation, Format, bool>> {};

TEST_P(Composition, IsWithinOneStep) {
  auto [activation, format, fast] = GetParam();
  Evaluator evaluator(source(activation, format), fast);
  ASSERT_TRUE(evaluator.valid());
  Lanes inputs;
  for (uint32_t bits = 0; bits < 0x10000; ++bits)
    if (std::isfinite(decode(bits, format)))
      inputs.push_back(bits);
  size_t inexact = 0;
  for (const Errors &errors : evaluator.extremes()) {
    Lanes results = evaluator.run({inputs}, errors);
    for (size_t i = 0; i < inputs.size(); ++i) {
      double x = decode(inputs[i], format);
      uint32_t expected = encode(activation.reference(x), format);
      int distance = std::abs(position(results[i]) - position(expected));
      // Far out on the negative side 1 + exp(-x) exceeds f32, and with it
      // the formula; what is lost there is smaller than 2^-120.
      double reference = decode(expected, format);
      if (std::fabs(reference) < 0x1p-120 &&
          std::fabs(decode(results[i], format) - reference) < 0x1p-120)
        distance = 0;
      inexact += distance != 0;
      ASSERT_LE(distance, 1) << "input " << x << ": expected " << reference
                             << ", found " << decode(results[i], format);
    }
  }
  std::printf("  %s %s%s: %zu of %zu results one step off\n", activation.name,
              format.name, fast ? " fast" : "", inexact,
              inputs.size() * evaluator.extremes().size());
}

INSTANTIATE_TEST_SUITE_P(Activations, Composition,
                         testing::Combine(testing::ValuesIn(kActivations),
                                          testing::Values(kF16, kBF16),
                                          testing::Bool()),
                         [](const auto &info) {
                           return std::string(std::get<0>(info.param).name) +
                                  "_" + std::get<1>(info.param).name +
                                  (std::get<2>(info.param) ? "_fast" : "");
                         });

} // namespace
