//===- CpuMathTest.cpp - Conversions and functions of the CPU device ------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CpuTestSupport.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace cputest;

namespace {
struct Function {
  const char *op;
  double (*reference)(double);
  /// Units in the last place of f32; what was measured, rounded up.
  double bound;
};
} // namespace

static const Function kFunctions[] = {
    {"absf", std::fabs, 0},
    {"atan", std::atan, 1.5},
    {"cbrt", std::cbrt, 1.5},
    {"ceil", std::ceil, 0},
    {"cos", std::cos, 1},
    {"cosh", std::cosh, 2},
    {"erf", std::erf, 5},
    {"erfc", std::erfc, 3},
    {"exp", std::exp, 1.5},
    {"exp2", std::exp2, 1.5},
    {"expm1", std::expm1, 3},
    {"floor", std::floor, 0},
    {"log", std::log, 1},
    {"log10", std::log10, 2.5},
    {"log1p", std::log1p, 3},
    {"log2", std::log2, 1},
    {"rsqrt", [](double x) { return 1 / std::sqrt(x); }, 2},
    {"sin", std::sin, 1},
    {"sinh", std::sinh, 2},
    {"sqrt", std::sqrt, 0.5},
    {"tanh", std::tanh, 5},
};

/// Random bits, moderate values and the edges of the formats.
static std::vector<float> makeArguments(int64_t count) {
  std::vector<float> values = {
      0.0f,     -0.0f,     1.0f,     -1.0f,           INFINITY,      -INFINITY,
      NAN,      1e-45f,    -1e-45f,  1.17549435e-38f, 3.4028235e38f, 88.7228f,
      88.7229f, -87.3366f, -103.97f, -103.98f,        128.0f,        -126.0f,
      -149.0f,  -150.0f,   0.5f,     -0.5f,           2.5f};
  std::mt19937 generator(17);
  while (static_cast<int64_t>(values.size()) < count) {
    uint32_t bits = generator();
    float value;
    std::memcpy(&value, &bits, 4);
    if (values.size() % 4)
      value = static_cast<float>(static_cast<int32_t>(bits)) *
              (values.size() % 2 ? 0x1p-28f : 0x1p-24f);
    values.push_back(value);
  }
  return values;
}

TEST(CpuMath, FunctionsAreAccurate) {
  Compiler compiler;
  std::vector<float> x = makeArguments(200003);
  for (const Function &function : kFunctions) {
    SCOPED_TRACE(function.op);
    auto device = compiler.compile(elementwiseModule(
        HostType::F32, HostType::F32,
        "%v = math." + std::string(function.op) + " %a : f32"));
    ASSERT_TRUE(device);
    std::vector<float> y(x.size());
    HostBuffer args[] = {
        {x.data(), HostType::F32, {static_cast<int64_t>(x.size())}}};
    HostBuffer results[] = {
        {y.data(), HostType::F32, {static_cast<int64_t>(x.size())}}};
    llvm::cantFail(device->run("f", args, results));
    for (size_t i = 0; i < x.size(); ++i) {
      double expected = function.reference(x[i]);
      float rounded = static_cast<float>(expected);
      if (std::isnan(rounded)) {
        ASSERT_TRUE(std::isnan(y[i])) << x[i];
      } else if (std::isinf(rounded)) {
        ASSERT_EQ(y[i], rounded) << x[i];
      } else {
        double bound =
            2 * function.bound * roundingError(HostType::F32, rounded) * 1.0001;
        ASSERT_LE(std::fabs(y[i] - expected), bound) << x[i];
      }
    }
  }
}

/// 1 + erf and 1 + tanh keep the digits that the sum would cancel.
TEST(CpuMath, TailsKeepTheirDigits) {
  Compiler compiler;
  std::vector<float> x;
  for (float value = -8.0f; value < 8.0f; value += 0.0137f)
    x.push_back(value);
  for (bool isErf : {true, false}) {
    auto device = compiler.compile(elementwiseModule(
        HostType::F32, HostType::F32,
        std::string("%one = arith.constant 1.0 : f32\n%0 = math.") +
            (isErf ? "erf" : "tanh") +
            " %a : f32\n%v = arith.addf %0, %one : f32"));
    ASSERT_TRUE(device);
    std::vector<float> y(x.size());
    int64_t count = x.size();
    HostBuffer args[] = {{x.data(), HostType::F32, {count}}};
    HostBuffer results[] = {{y.data(), HostType::F32, {count}}};
    llvm::cantFail(device->run("f", args, results));
    for (size_t i = 0; i < x.size(); ++i) {
      double u = x[i];
      double expected = isErf ? std::erfc(-u) : 2 / (1 + std::exp(-2 * u));
      ASSERT_NEAR(y[i] / expected, 1, 5e-7) << u;
    }
  }
}

/// Compiles a conversion for the host and with integer arithmetic only.
static std::vector<std::unique_ptr<CpuDevice>>
compileConversion(Compiler &compiler, HostType from, HostType to) {
  std::string types = mlir::sparseflow::getHostTypeName(from).str() + " to " +
                      mlir::sparseflow::getHostTypeName(to).str();
  std::string body = std::string("%v = arith.") +
                     (to == HostType::F32 ? "extf" : "truncf") +
                     " %a : " + types;
  std::string text = elementwiseModule(from, to, body);
  CpuOptions integers;
  integers.schedule = mlir::sparseflow::CpuSchedule::forHost();
  integers.schedule->nativeHalf = false;
  std::vector<std::unique_ptr<CpuDevice>> devices;
  devices.push_back(compiler.compile(text));
  devices.push_back(compiler.compile(text, integers));
  return devices;
}

/// All 65536 values of both formats.
TEST(CpuMath, WideningIsExact) {
  Compiler compiler;
  for (HostType type : {HostType::F16, HostType::BF16})
    for (auto &device : compileConversion(compiler, type, HostType::F32)) {
      ASSERT_TRUE(device);
      std::vector<uint16_t> x(65536);
      for (size_t i = 0; i < x.size(); ++i)
        x[i] = i;
      std::vector<float> y(x.size());
      HostBuffer args[] = {{x.data(), type, {65536}}};
      HostBuffer results[] = {{y.data(), HostType::F32, {65536}}};
      llvm::cantFail(device->run("f", args, results));
      for (size_t i = 0; i < x.size(); ++i) {
        double expected = decode(type, &x[i]);
        if (std::isnan(expected)) {
          ASSERT_TRUE(std::isnan(y[i])) << i;
          continue;
        }
        ASSERT_EQ(y[i], expected) << i;
        ASSERT_EQ(std::signbit(y[i]), std::signbit(expected)) << i;
      }
    }
}

/// Around every value of the narrow format: itself, its neighbours in f32, the
/// ties between two values and their neighbours, and random bits.
TEST(CpuMath, NarrowingRoundsToNearestEven) {
  Compiler compiler;
  for (HostType type : {HostType::F16, HostType::BF16}) {
    std::vector<float> x;
    for (uint32_t i = 0; i < 65536; ++i) {
      uint16_t bits = i, above = i + 1;
      double value = decode(type, &bits), next = decode(type, &above);
      for (double center : {value, (value + next) / 2})
        for (float neighbour : {-INFINITY, 0.0f, INFINITY}) {
          float exact = static_cast<float>(center);
          x.push_back(neighbour == 0 ? exact
                                     : std::nextafter(exact, neighbour));
        }
    }
    std::mt19937 generator(19);
    for (int i = 0; i < 100000; ++i) {
      uint32_t bits = generator();
      float value;
      std::memcpy(&value, &bits, 4);
      x.push_back(value);
    }
    int64_t count = x.size();
    for (auto &device : compileConversion(compiler, HostType::F32, type)) {
      ASSERT_TRUE(device);
      std::vector<uint16_t> y(x.size());
      HostBuffer args[] = {{x.data(), HostType::F32, {count}}};
      HostBuffer results[] = {{y.data(), type, {count}}};
      llvm::cantFail(device->run("f", args, results));
      for (size_t i = 0; i < x.size(); ++i) {
        uint16_t expected;
        encode(type, x[i], &expected);
        if (std::isnan(x[i]))
          ASSERT_TRUE(std::isnan(decode(type, &y[i]))) << x[i];
        else
          ASSERT_EQ(y[i], expected) << x[i];
      }
    }
  }
}

/// Arithmetic on narrow types rounds after every op: the bits are exact.
TEST(CpuMath, NarrowArithmetic) {
  Compiler compiler;
  for (HostType type : {HostType::F16, HostType::BF16}) {
    std::string t = mlir::sparseflow::getHostTypeName(type).str();
    auto device = compiler.compile(elementwiseModule(
        type, type,
        "%c = arith.constant 1.5 : " + t + "\n%0 = arith.mulf %a, %c : " + t +
            "\n%1 = arith.addf %0, %a : " + t + "\n%2 = arith.divf %1, %c : " +
            t + "\n%3 = math.sqrt %2 : " + t + "\n%4 = arith.cmpf ogt, %1, " +
            "%c : " + t + "\n%5 = arith.minimumf %3, %1 : " + t +
            "\n%v = arith.select %4, %5, %2 : " + t));
    ASSERT_TRUE(device);
    std::mt19937_64 generator(23);
    Array x = Array::random(type, {1001}, generator, -3, 3), y(type, {1001});
    HostBuffer args[] = {x.buffer()};
    HostBuffer results[] = {y.buffer()};
    llvm::cantFail(device->run("f", args, results));
    Array step(type, {1});
    auto round = [&](double value) {
      step.set(0, value);
      return step[0];
    };
    for (int64_t i = 0; i < x.size(); ++i) {
      double sum = round(round(x[i] * 1.5) + x[i]);
      double quotient = round(sum / 1.5);
      double expected =
          sum > 1.5 ? std::fmin(round(std::sqrt(quotient)), sum) : quotient;
      ASSERT_EQ(y[i], expected) << x[i];
    }
  }
}
