//===- CpuTernaryTest.cpp - Products with ternary weights -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Weights are packed by the runtime's packer; the expected values are loops
// over its trits and scales.
//
//===----------------------------------------------------------------------===//

#include "CpuTestSupport.h"
#include "ternary/pack.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace cputest;
using namespace sparseflow::rt;

namespace {

struct Weight {
  TernaryFormat format;
  std::vector<int8_t> trits;
  std::vector<float> scales;
  std::vector<uint8_t> blob;

  int trit(int64_t plane, int64_t row, int64_t col) const {
    return trits[(plane * format.n + row) * format.k + col];
  }
  float scale(int64_t plane, int64_t row, int64_t group) const {
    int64_t index = plane * format.scalesPerPlane();
    if (format.group != kTensorScale)
      index += group * format.n + row;
    return scales[index];
  }
  HostBuffer buffer() {
    return {blob.data(), HostType::I8, {int64_t(blob.size())}};
  }
  /// The type of the weight in MLIR.
  std::string type(const char *element) const {
    static const char *const storages[] = {"",      "codes",    "bit_planes",
                                           "base3", "two_four", "two_four_zero",
                                           "int4",  "int8"};
    const char *keyword =
        format.storage >= TernaryStorage::Int4 ? "quantized<" : "ternary<";
    std::string scale = format.group == kTensorScale ? "tensor"
                        : format.group == kRowScale
                            ? "row"
                            : std::to_string(format.group);
    std::string scaleType = format.scaleType == SF_DTYPE_F16    ? "f16"
                            : format.scaleType == SF_DTYPE_BF16 ? "bf16"
                                                                : "f32";
    return "tensor<" + std::to_string(format.n) + "x" +
           std::to_string(format.k) + "x" + element + ", #sparseflow." +
           keyword + storages[int(format.storage)] + ", scale = " + scale +
           " : " + scaleType + ", planes = " + std::to_string(format.planes) +
           ">>";
  }
};

Weight makeWeight(const TernaryFormat &format, std::mt19937_64 &random) {
  Weight w;
  w.format = format;
  w.trits.resize(format.tritCount());
  const Storage &storage = storageOf(format.storage);
  for (size_t i = 0; i < w.trits.size(); ++i)
    w.trits[i] = int(random() % (storage.high - storage.low + 1)) + storage.low;
  if (isTwoFour(format.storage))
    for (size_t i = 0; i < w.trits.size(); i += 4) {
      unsigned first = random() % 4, second = (first + 1 + random() % 3) % 4;
      for (unsigned j = 0; j < 4; ++j)
        if (j != first && j != second)
          w.trits[i + j] = 0;
        else if (format.storage == TernaryStorage::TwoFour)
          w.trits[i + j] = random() % 2 ? 1 : -1;
    }
  w.scales.resize(format.planes * format.scalesPerPlane());
  for (float &scale : w.scales)
    scale = float(random() % 4096) / 4096 + 0.001f;
  roundScales(w.scales.data(), w.scales.size(), format.scaleType);
  w.blob.resize(format.blobBytes());
  Status status = packTernary(w.trits.data(), w.scales.data(), format, "w", 1,
                              w.blob.data());
  EXPECT_TRUE(status) << status.text();
  return w;
}

std::string matmulText(const Weight &w, const char *x, const char *element,
                       const std::string &tokens = "?") {
  std::string k = std::to_string(w.format.k), n = std::to_string(w.format.n);
  std::string xType = "tensor<" + tokens + "x" + k + "x" + x + ">";
  std::string yType = "tensor<" + tokens + "x" + n + "xf32>";
  std::string sType = "tensor<" + tokens + "xf32>";
  return "func.func @f(%x: " + xType + ", %w: " + w.type(element) +
         ", %s: " + sType + ") -> " + yType +
         " {\n  %y = sparseflow.matmul %x, %w epilogue(%s : " + sType +
         ") as [per_token] {\n  ^bb0(%acc: f32, %scale: f32):\n"
         "    %0 = arith.mulf %acc, %scale : f32\n"
         "    sparseflow.yield %0 : f32\n  } : " +
         xType + ", " + w.type(element) + " -> " + yType +
         "\n  return %y : " + yType + "\n}\n";
}

/// The formats that the tests go through: every storage and scope, odd sizes.
std::vector<TernaryFormat> formats() {
  using S = TernaryStorage;
  return {{65, 129, S::Codes, 1, kTensorScale, SF_DTYPE_F32},
          {7, 100, S::Codes, 2, 32, SF_DTYPE_F16},
          {33, 256, S::Codes, 1, 128, SF_DTYPE_BF16},
          {5, 70, S::BitPlanes, 2, kRowScale, SF_DTYPE_F32},
          {9, 67, S::Base3, 1, 64, SF_DTYPE_F32},
          {70, 260, S::TwoFour, 1, kRowScale, SF_DTYPE_F32},
          {66, 264, S::TwoFourZero, 1, 256, SF_DTYPE_F16}};
}

/// Those that are multiplied with activations of 16 bits.
std::vector<TernaryFormat> floatFormats() {
  std::vector<TernaryFormat> all = formats();
  for (const TernaryFormat &format :
       {TernaryFormat{70, 131, TernaryStorage::Int4, 1, 32, SF_DTYPE_F16},
        TernaryFormat{33, 67, TernaryStorage::Int4, 1, kRowScale, SF_DTYPE_F32},
        TernaryFormat{65, 300, TernaryStorage::Int4, 1, 128, SF_DTYPE_BF16},
        TernaryFormat{70, 131, TernaryStorage::Int8, 1, 32, SF_DTYPE_F16},
        TernaryFormat{65, 67, TernaryStorage::Int8, 1, kRowScale,
                      SF_DTYPE_F32}})
    all.push_back(format);
  return all;
}

} // namespace

/// 8-bit activations: the same bits as the sums that the op describes.
TEST(CpuTernary, IntegerProductsAreExact) {
  std::mt19937_64 random(1);
  Compiler compiler;
  for (const TernaryFormat &format : formats()) {
    SCOPED_TRACE(format.text());
    Weight w = makeWeight(format, random);
    auto device = compiler.compile(matmulText(w, "i8", "f16"));
    ASSERT_TRUE(device);
    for (int64_t tokens : {1, 3}) {
      std::vector<int8_t> x(tokens * format.k);
      for (int8_t &value : x)
        value = random() % 256;
      std::vector<float> s(tokens), y(tokens * format.n, NAN);
      for (float &value : s)
        value = float(random() % 1000) / 997;
      HostBuffer args[] = {{x.data(), HostType::I8, {tokens, format.k}},
                           w.buffer(),
                           {s.data(), HostType::F32, {tokens}}};
      HostBuffer results[] = {{y.data(), HostType::F32, {tokens, format.n}}};
      ASSERT_FALSE(bool(device->run("f", args, results)));
      int64_t width = format.group > kRowScale ? format.group : format.k;
      for (int64_t t = 0; t < tokens; ++t)
        for (int64_t n = 0; n < format.n; ++n) {
          volatile float acc = 0; // each operation rounds by itself
          for (int64_t g = 0; g < format.groups(); ++g)
            for (int64_t p = 0; p < format.planes; ++p) {
              int32_t sum = 0;
              for (int64_t k = g * width;
                   k < std::min(format.k, (g + 1) * width); ++k)
                sum += x[t * format.k + k] * w.trit(p, n, k);
              volatile float part = w.scale(p, n, g) * float(sum);
              acc = acc + part;
            }
          volatile float expected = acc * s[t];
          ASSERT_EQ(y[t * format.n + n], expected) << t << " " << n;
        }
    }
  }
}

namespace {
/// Runs @f of `device` on integers and compares every bit; weights without
/// groups.
void expectExact(const CpuDevice &device, Weight &w, int64_t tokens,
                 llvm::function_ref<int8_t(int64_t)> value) {
  SCOPED_TRACE(std::to_string(tokens) + " tokens");
  const TernaryFormat &format = w.format;
  std::vector<int8_t> x(tokens * format.k);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = value(i / format.k);
  std::vector<float> s(tokens, 1), y(tokens * format.n, NAN);
  HostBuffer args[] = {{x.data(), HostType::I8, {tokens, format.k}},
                       w.buffer(),
                       {s.data(), HostType::F32, {tokens}}};
  HostBuffer results[] = {{y.data(), HostType::F32, {tokens, format.n}}};
  ASSERT_FALSE(bool(device.run("f", args, results)));
  for (int64_t t = 0; t < tokens; ++t)
    for (int64_t n = 0; n < format.n; ++n) {
      volatile float expected = 0;
      for (int64_t p = 0; p < format.planes; ++p) {
        int32_t sum = 0;
        for (int64_t k = 0; k < format.k; ++k)
          sum += x[t * format.k + k] * w.trit(p, n, k);
        volatile float part = w.scale(p, n, 0) * float(sum);
        expected = expected + part;
      }
      ASSERT_EQ(y[t * format.n + n], expected) << t << " " << n;
    }
}
} // namespace

/// The vector loops over tern.v1 with every kind of byte product: sums of rows
/// and tokens that fill a tile or do not, the largest integers, two planes.
TEST(CpuTernary, VectorLoops) {
  std::mt19937_64 random(7);
  Compiler compiler;
  using S = TernaryStorage;
  const TernaryFormat cases[] = {
      {80, 384, S::Codes, 1, kRowScale, SF_DTYPE_F32},
      {17, 301, S::Codes, 2, kRowScale, SF_DTYPE_BF16},
      {3, 5, S::Codes, 1, kRowScale, SF_DTYPE_F16},
      {130, 1100, S::Codes, 1, kTensorScale, SF_DTYPE_F32}};
  std::vector<std::string> kinds{"portable"};
  // A machine that has the best has the others.
  std::string best = mlir::sparseflow::CpuSchedule::forHost().int8Dot;
  if (best != "portable")
    kinds.push_back("avx2");
  if (best == "avx512vnni")
    kinds.push_back(best);
  for (const std::string &kind : kinds)
    for (const TernaryFormat &format : cases) {
      SCOPED_TRACE(kind + ", " + format.text());
      Weight w = makeWeight(format, random);
      CpuOptions options;
      options.schedule = mlir::sparseflow::CpuSchedule::forHost();
      options.schedule->int8Dot = kind;
      options.schedule->lookupTokens = 0;
      auto device = compiler.compile(matmulText(w, "i8", "f16"), options);
      ASSERT_TRUE(device);
      for (int64_t tokens : {1, 4, 7, 33})
        expectExact(*device, w, tokens, [&](int64_t) -> int8_t {
          return tokens == 7 ? -128 : random() % 256;
        });
    }
}

/// Sums out of tables: blocks of rows, of columns and of tokens that are whole
/// or not, and rows whose trits and tokens whose integers are all the same, the
/// largest sums of 16 bits.
TEST(CpuTernary, Lookups) {
  if (mlir::sparseflow::CpuSchedule::forHost().int8Dot != "avx512vnni")
    GTEST_SKIP() << "this CPU has no AVX-512 VNNI, which tables need";
  std::mt19937_64 random(9);
  Compiler compiler;
  using S = TernaryStorage;
  const TernaryFormat cases[] = {
      {160, 768, S::Codes, 1, kRowScale, SF_DTYPE_F32},
      {17, 301, S::Codes, 2, kRowScale, SF_DTYPE_BF16},
      {3, 5, S::Codes, 1, kRowScale, SF_DTYPE_F16},
      {79, 128, S::Codes, 1, kTensorScale, SF_DTYPE_F32},
      {130, 1100, S::Codes, 1, kTensorScale, SF_DTYPE_F32}};
  for (const TernaryFormat &format : cases)
    for (const char *shape : {"?", "16"}) {
      SCOPED_TRACE(format.text() + ", " + shape);
      Weight w = makeWeight(format, random);
      for (int64_t i = 0; i < format.k; ++i) {
        w.trits[i] = 1;
        w.trits[format.k + i] = -1;
      }
      Status status = packTernary(w.trits.data(), w.scales.data(), format, "w",
                                  1, w.blob.data());
      ASSERT_TRUE(status) << status.text();
      CpuOptions options;
      options.schedule = mlir::sparseflow::CpuSchedule::forHost();
      options.schedule->lookupTokens = 8;
      options.keepLLVMIR = true;
      auto device =
          compiler.compile(matmulText(w, "i8", "f16", shape), options);
      ASSERT_TRUE(device);
      // The name of the instruction's intrinsic.
      ASSERT_NE(device->getLLVMIR().find("permvar.hi.512"),
                llvm::StringRef::npos);
      for (int64_t tokens : {7, 8, 13, 16, 139})
        if (shape[0] == '?' || std::to_string(tokens) == shape)
          expectExact(*device, w, tokens, [&](int64_t token) -> int8_t {
            return token % 5 == 1   ? -128
                   : token % 5 == 3 ? 127
                                    : random() % 256;
          });
    }
}

/// Integers and scales to the bit, in every type and with strange tokens.
TEST(CpuTernary, Quantize) {
  std::mt19937_64 random(8);
  Compiler compiler;
  for (HostType type : {HostType::F16, HostType::BF16, HostType::F32}) {
    const char *names[] = {"f16", "bf16", "f32"};
    std::string name = names[int(type)];
    SCOPED_TRACE(name);
    auto device = compiler.compile(
        "func.func @f(%x: tensor<2x?x67x" + name +
        ">) -> (tensor<2x?x67xi8>, tensor<2x?xf32>) {\n"
        "  %q, %s = sparseflow.quantize %x : tensor<2x?x67x" +
        name +
        "> -> tensor<2x?x67xi8>, tensor<2x?xf32>\n"
        "  return %q, %s : tensor<2x?x67xi8>, tensor<2x?xf32>\n}\n");
    ASSERT_TRUE(device);
    constexpr int64_t rows = 5, k = 67;
    Array x = Array::random(type, {2, rows, k}, random, -3, 3);
    for (int64_t i = 0; i < k; ++i) {
      x.set(i, i % 2 ? 0.0 : -0.0);     // zeros
      x.set(k + i, x[k + i] * 1e-7);    // small
      x.set(4 * k + i, (i - 33) * 0.5); // ties
    }
    x.set(2 * k + 66, INFINITY);
    x.set(3 * k + 1, NAN);
    x.set(4 * k, 127);
    x.set(5 * k, type == HostType::F16 ? 65504 : 3e38);
    std::vector<int8_t> q(2 * rows * k, 99);
    std::vector<float> s(2 * rows, -1);
    HostBuffer args[] = {x.buffer()};
    HostBuffer results[] = {{q.data(), HostType::I8, {2, rows, k}},
                            {s.data(), HostType::F32, {2, rows}}};
    ASSERT_FALSE(bool(device->run("f", args, results)));
    for (int64_t row = 0; row < 2 * rows; ++row) {
      float largest = 1e-5f;
      bool finite = true;
      for (int64_t i = 0; i < k; ++i) {
        finite &= std::isfinite(x[row * k + i]);
        largest = std::fmax(largest, std::fabs(float(x[row * k + i])));
      }
      if (finite) {
        ASSERT_EQ(s[row], largest / 127.0f) << row;
      } else {
        ASSERT_TRUE(std::isnan(s[row])) << row;
      }
      float inverse = 127.0f / largest;
      for (int64_t i = 0; i < k; ++i) {
        volatile float scaled = float(x[row * k + i]) * inverse;
        int expected = finite ? int(std::nearbyint(scaled)) : 0;
        ASSERT_EQ(q[row * k + i], std::min(127, std::max(-127, expected)))
            << row << " " << i;
      }
    }
  }
}

/// f16 and bf16 activations: within the rounding of f32 sums.
TEST(CpuTernary, FloatProducts) {
  std::mt19937_64 random(2);
  Compiler compiler;
  for (HostType type : {HostType::F16, HostType::BF16})
    for (const TernaryFormat &format : floatFormats()) {
      SCOPED_TRACE(format.text());
      Weight w = makeWeight(format, random);
      const char *name = type == HostType::F16 ? "f16" : "bf16";
      auto device = compiler.compile(matmulText(w, name, name));
      ASSERT_TRUE(device);
      int64_t tokens = 5;
      Array x = Array::random(type, {tokens, format.k}, random);
      std::vector<float> s(tokens, 0.5f), y(tokens * format.n, NAN);
      HostBuffer args[] = {
          x.buffer(), w.buffer(), {s.data(), HostType::F32, {tokens}}};
      HostBuffer results[] = {{y.data(), HostType::F32, {tokens, format.n}}};
      ASSERT_FALSE(bool(device->run("f", args, results)));
      int64_t width = format.group > kRowScale ? format.group : format.k;
      for (int64_t t = 0; t < tokens; ++t)
        for (int64_t n = 0; n < format.n; ++n) {
          double expected = 0, size = 0;
          for (int64_t p = 0; p < format.planes; ++p)
            for (int64_t k = 0; k < format.k; ++k) {
              double term = double(w.scale(p, n, k / width)) * w.trit(p, n, k) *
                            x[t * format.k + k];
              expected += term;
              size += std::fabs(term);
            }
          // Each of the additions rounds to 24 bits.
          double tolerance = (format.k * format.planes + 4) * 0x1p-24 * size;
          ASSERT_NEAR(y[t * format.n + n], 0.5 * expected, tolerance + 1e-30);
        }
    }
}

/// unpack gives the values, planes what the trits say.
TEST(CpuTernary, WeightsAndPlanes) {
  std::mt19937_64 random(3);
  Compiler compiler;
  for (TernaryFormat format : formats()) {
    SCOPED_TRACE(format.text());
    Weight w = makeWeight(format, random);
    int64_t n = format.n, k = format.k, last = format.planes - 1;
    std::string nk = std::to_string(n) + "x" + std::to_string(k) + "x";
    std::string type = w.type("f16"), bits = "tensor<" + nk + "i1>";
    std::string counts = "tensor<" + std::to_string(n) + "xi32>";
    std::string dense = "tensor<" + nk + "f16>", x = "tensor<" + nk + "f32>";
    std::string split = "  %p, %m = sparseflow.plane_split %w plane " +
                        std::to_string(last) + " : " + type + " -> " + bits +
                        "\n";
    std::string count =
        " = sparseflow.plane_popcount %q : " + bits + " -> " + counts + "\n";
    auto device = compiler.compile(
        "func.func @f(%w: " + type + ", %x: " + x + ") -> (" + dense + ", " +
        counts + ", " + x + ") {\n" + split +
        "  %d = sparseflow.unpack %w : " + type + " -> " + dense +
        "\n  %q = sparseflow.plane_or %p, %m : " + bits + "\n  %c" + count +
        "  %y = sparseflow.plane_mask %x, %p : " + x + ", " + bits +
        "\n  return %d, %c, %y : " + dense + ", " + counts + ", " + x +
        "\n}\nfunc.func @both(%w: " + type + ") -> " + counts + " {\n" + split +
        "  %q = sparseflow.plane_and %p, %m : " + bits + "\n  %z" + count +
        "  return %z : " + counts + "\n}\n");
    ASSERT_TRUE(device);
    Array d(HostType::F16, {n, k});
    std::vector<int32_t> c(n, -1), z(n, -1);
    std::vector<float> from(n * k), y(n * k, NAN);
    for (float &value : from)
      value = float(random() % 1000) + 1;
    HostBuffer args[] = {w.buffer(), {from.data(), HostType::F32, {n, k}}};
    HostBuffer results[] = {d.buffer(),
                            {c.data(), HostType::I32, {n}},
                            {y.data(), HostType::F32, {n, k}}};
    ASSERT_FALSE(bool(device->run("f", args, results)));
    HostBuffer weight[] = {w.buffer()};
    HostBuffer none[] = {{z.data(), HostType::I32, {n}}};
    ASSERT_FALSE(bool(device->run("both", weight, none)));
    std::vector<float> values(n * k);
    expandTernary(w.trits.data(), w.scales.data(), format, 1, values.data());
    Array expected(HostType::F16, {n, k});
    for (int64_t i = 0; i < n * k; ++i)
      expected.set(i, values[i]);
    for (int64_t row = 0; row < n; ++row) {
      int32_t count = 0;
      for (int64_t col = 0; col < k; ++col) {
        int64_t i = row * k + col;
        int trit = w.trit(last, row, col);
        count += trit != 0;
        ASSERT_EQ(d[i], expected[i]) << row << " " << col;
        ASSERT_EQ(y[i], trit > 0 ? from[i] : 0.f);
      }
      ASSERT_EQ(c[row], count);
      ASSERT_EQ(z[row], 0);
    }
  }
}

/// Two sums of one shape begin with equal zeros, and have their own memory.
TEST(CpuTernary, TwoProductsOfOneShape) {
  std::mt19937_64 random(4);
  Compiler compiler;
  TernaryFormat format{5, 40, TernaryStorage::Codes};
  Weight weights[] = {makeWeight(format, random), makeWeight(format, random)};
  std::string type = weights[0].type("f16");
  auto product = [&](const char *y, const char *w) {
    return std::string("  ") + y + " = sparseflow.matmul %x, " + w +
           " {\n  ^bb0(%acc: f32):\n    sparseflow.yield %acc : f32\n  } : "
           "tensor<3x40xi8>, " +
           type + " -> tensor<3x5xf32>\n";
  };
  auto device = compiler.compile(
      "func.func @f(%x: tensor<3x40xi8>, %a: " + type + ", %b: " + type +
      ") -> (tensor<3x5xf32>, tensor<3x5xf32>) {\n" + product("%y", "%a") +
      product("%z", "%b") +
      "  return %y, %z : tensor<3x5xf32>, tensor<3x5xf32>\n}\n");
  ASSERT_TRUE(device);
  std::vector<int8_t> x(3 * 40);
  for (int8_t &value : x)
    value = random() % 256;
  std::vector<float> results[] = {std::vector<float>(15, NAN),
                                  std::vector<float>(15, NAN)};
  HostBuffer args[] = {{x.data(), HostType::I8, {3, 40}},
                       weights[0].buffer(),
                       weights[1].buffer()};
  HostBuffer buffers[] = {{results[0].data(), HostType::F32, {3, 5}},
                          {results[1].data(), HostType::F32, {3, 5}}};
  ASSERT_FALSE(bool(device->run("f", args, buffers)));
  for (int which : {0, 1})
    for (int64_t t = 0; t < 3; ++t)
      for (int64_t n = 0; n < 5; ++n) {
        int32_t sum = 0;
        for (int64_t k = 0; k < 40; ++k)
          sum += x[t * 40 + k] * weights[which].trit(0, n, k);
        EXPECT_EQ(results[which][t * 5 + n],
                  weights[which].scale(0, n, 0) * float(sum));
      }
}

TEST(CpuTernary, WhatIsRefused) {
  Compiler compiler;
  std::string type = "tensor<8x64xf16, #sparseflow.ternary<codes, scale = row "
                     ": f32>>";
  EXPECT_NE(compiler
                .compileError("func.func @f(%w: tensor<8x64xf16>) -> "
                              "tensor<8x64xf16> {\n  %0 = sparseflow.ternarize "
                              "%w by <lloyd> : tensor<8x64xf16> -> " +
                              type + "\n  %1 = sparseflow.unpack %0 : " + type +
                              " -> tensor<8x64xf16>\n  return %1 : "
                              "tensor<8x64xf16>\n}\n")
                .find("cannot run inside a compiled function"),
            std::string::npos);
  EXPECT_NE(compiler
                .compileError("func.func @f(%w: " + type + ") -> " + type +
                              " {\n  return %w : " + type + "\n}\n")
                .find("cannot read argument 0, which is ternary"),
            std::string::npos);
}
