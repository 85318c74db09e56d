//===- CpuMatmulTest.cpp - Matmuls of the CPU device against f64 ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CpuTestSupport.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace cputest;

static const int64_t kSizes[] = {1, 7, 8, 9, 59, 97, 111, 257};
static const HostType kFloats[] = {HostType::F16, HostType::BF16,
                                   HostType::F32};

/// Every triple of odd sizes, all dimensions dynamic.
TEST(CpuMatmul, EverySize) {
  Compiler compiler;
  const Epilogue &epilogue = epilogues()[1];
  auto device = compiler.compile(
      matmulModule(HostType::F16, HostType::F32, epilogue, dynamic, dynamic));
  ASSERT_TRUE(device);
  std::mt19937_64 generator(std::random_device{}());
  for (int64_t t : kSizes)
    for (int64_t n : kSizes)
      for (int64_t k : kSizes) {
        checkMatmul(*device, HostType::F16, HostType::F32, epilogue, t, n, k,
                    generator);
        if (HasFailure())
          return;
      }
}

/// Every pair of types and every epilogue, static weights. A third of the
/// combinations, because each is compiled: every pair meets two epilogues.
TEST(CpuMatmul, EveryTypeAndEpilogue) {
  Compiler compiler;
  std::mt19937_64 generator(std::random_device{}());
  unsigned combination = 0;
  for (HostType from : kFloats)
    for (HostType to : kFloats) {
      ++combination;
      for (const Epilogue &epilogue : epilogues()) {
        if (++combination % 3)
          continue;
        int64_t n = kSizes[generator() % 8], k = kSizes[generator() % 8];
        auto device = compiler.compile(matmulModule(from, to, epilogue, n, k));
        ASSERT_TRUE(device);
        for (int64_t t : {1, 9, 59}) {
          checkMatmul(*device, from, to, epilogue, t, n, k, generator);
          if (HasFailure())
            return;
        }
      }
    }
}

/// The code for other classes of CPU, with other tiles.
TEST(CpuMatmul, OtherSchedules) {
  Compiler compiler;
  std::mt19937_64 generator(std::random_device{}());
  std::vector<CpuOptions> variants;
  for (const char *cpu : {"x86-64", "x86-64-v3"}) {
    CpuOptions options;
#if defined(__x86_64__)
    if (std::string(cpu) == "x86-64-v3" && !__builtin_cpu_supports("avx2"))
      continue;
    options.cpu = cpu;
    variants.push_back(options);
#else
    (void)cpu;
#endif
  }
  CpuOptions odd;
  odd.schedule.emplace();
  odd.schedule->lanes = 4;
  odd.schedule->tileRows = 3;
  odd.schedule->tileVectors = 1;
  odd.schedule->blockRows = 5;
  odd.schedule->blockColumns = 7;
  odd.schedule->blockDepth = 13;
  odd.schedule->elementwiseUnit = 3;
  odd.schedule->nativeHalf = false;
  variants.push_back(odd);
  for (const CpuOptions &options : variants)
    for (HostType type : {HostType::F16, HostType::BF16}) {
      const Epilogue &epilogue = epilogues()[2];
      auto device = compiler.compile(
          matmulModule(type, type, epilogue, dynamic, dynamic), options);
      ASSERT_TRUE(device);
      for (auto [t, n, k] : {std::array<int64_t, 3>{1, 7, 97},
                             {59, 111, 9},
                             {97, 257, 59},
                             {8, 8, 8}}) {
        checkMatmul(*device, type, type, epilogue, t, n, k, generator);
        if (HasFailure())
          return;
      }
    }
}

TEST(CpuMatmul, EmptyDimensions) {
  Compiler compiler;
  std::mt19937_64 generator(1);
  for (const Epilogue &epilogue : epilogues()) {
    auto device = compiler.compile(
        matmulModule(HostType::F16, HostType::F16, epilogue, dynamic, dynamic));
    ASSERT_TRUE(device);
    for (auto [t, n, k] : {std::array<int64_t, 3>{0, 16, 16},
                           {9, 17, 0},
                           {16, 0, 16},
                           {0, 0, 0},
                           {1, 1, 0}})
      checkMatmul(*device, HostType::F16, HostType::F16, epilogue, t, n, k,
                  generator);
  }
}

/// Elements beyond a row or a buffer stay as they were.
TEST(CpuMatmul, WritesOnlyTheResult) {
  Compiler compiler;
  const Epilogue &epilogue = epilogues()[0];
  auto device = compiler.compile(
      matmulModule(HostType::BF16, HostType::F32, epilogue, dynamic, dynamic));
  ASSERT_TRUE(device);
  std::mt19937_64 generator(3);
  for (int64_t n : kSizes) {
    int64_t t = 11, k = 5, guard = 64;
    Array x = Array::random(HostType::BF16, {t, k}, generator);
    Array w = Array::random(HostType::BF16, {n, k}, generator);
    Array b = Array::random(HostType::BF16, {n}, generator);
    Array s = Array::random(HostType::BF16, {t}, generator);
    Array r = Array::random(HostType::BF16, {t, n}, generator);
    std::vector<float> y(t * n + 2 * guard, 12345.0f);
    HostBuffer args[] = {x.buffer(), w.buffer(), b.buffer(), s.buffer(),
                         r.buffer()};
    HostBuffer results[] = {{y.data() + guard, HostType::F32, {t, n}}};
    llvm::cantFail(device->run("f", args, results));
    for (int64_t i = 0; i < guard; ++i) {
      ASSERT_EQ(y[i], 12345.0f);
      ASSERT_EQ(y[guard + t * n + i], 12345.0f);
    }
  }
}

/// One NaN or infinity in x reaches its row and no other.
TEST(CpuMatmul, SpecialValuesPropagate) {
  Compiler compiler;
  const Epilogue &epilogue = epilogues()[0];
  for (HostType type : kFloats) {
    auto device =
        compiler.compile(matmulModule(type, type, epilogue, dynamic, dynamic));
    ASSERT_TRUE(device);
    int64_t t = 19, n = 53, k = 37;
    std::mt19937_64 generator(5);
    Array x = Array::random(type, {t, k}, generator);
    Array w = Array::random(type, {n, k}, generator, 0.5, 1);
    Array b = Array::random(type, {n}, generator);
    Array s = Array::random(type, {t}, generator);
    Array r = Array::random(type, {t, n}, generator);
    x.set(3 * k + 36, std::nan(""));
    x.set(18 * k, INFINITY);
    x.set(7 * k + 1, -INFINITY);
    Array y(type, {t, n});
    HostBuffer args[] = {x.buffer(), w.buffer(), b.buffer(), s.buffer(),
                         r.buffer()};
    HostBuffer results[] = {y.buffer()};
    llvm::cantFail(device->run("f", args, results));
    for (int64_t i = 0; i < t; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double found = y[i * n + j];
        if (i == 3)
          ASSERT_TRUE(std::isnan(found));
        else if (i == 18)
          ASSERT_EQ(found, INFINITY);
        else if (i == 7)
          ASSERT_EQ(found, -INFINITY);
        else
          ASSERT_TRUE(std::isfinite(found));
      }
  }
}

/// Where the body skips zero weights, infinity times zero adds nothing.
TEST(CpuMatmul, SkipsZeroWeights) {
  Compiler compiler;
  const Epilogue &epilogue = epilogues()[0];
  for (bool skip : {false, true}) {
    auto device = compiler.compile(matmulModule(
        HostType::F16, HostType::F32, epilogue, dynamic, dynamic, skip));
    ASSERT_TRUE(device);
    int64_t t = 13, n = 61, k = 20;
    std::mt19937_64 generator(7);
    Array x = Array::random(HostType::F16, {t, k}, generator);
    Array w = Array::random(HostType::F16, {n, k}, generator, 0.5, 1);
    Array b = Array::random(HostType::F16, {n}, generator);
    Array s = Array::random(HostType::F16, {t}, generator);
    Array r = Array::random(HostType::F16, {t, n}, generator);
    for (int64_t i = 0; i < t; ++i)
      x.set(i * k + 6, i % 2 ? INFINITY : std::nan(""));
    for (int64_t j = 0; j < n; ++j) {
      w.set(j * k + 5, -0.0);
      if (j % 3)
        w.set(j * k + 6, j % 3 == 1 ? 0.0 : -0.0);
    }
    Array y(HostType::F32, {t, n});
    HostBuffer args[] = {x.buffer(), w.buffer(), b.buffer(), s.buffer(),
                         r.buffer()};
    HostBuffer results[] = {y.buffer()};
    llvm::cantFail(device->run("f", args, results));
    for (int64_t i = 0; i < t; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double expected = 0;
        for (int64_t l = 0; l < k; ++l)
          if (w[j * k + l] != 0 || !skip)
            expected += x[i * k + l] * w[j * k + l];
        double found = y[i * n + j];
        if (std::isfinite(expected))
          ASSERT_NEAR(found, expected, 1e-5);
        else if (std::isnan(expected))
          ASSERT_TRUE(std::isnan(found));
        else
          ASSERT_EQ(found, expected);
      }
  }
}

/// The same bits whatever the number of threads, and in every run.
TEST(CpuMatmul, ThreadsDoNotChangeResults) {
  Compiler compiler;
  const Epilogue &epilogue = epilogues()[3];
  int64_t t = 257, n = 513, k = 777;
  std::mt19937_64 generator(9);
  Array x = Array::random(HostType::F16, {t, k}, generator);
  Array w = Array::random(HostType::F16, {n, k}, generator);
  Array b = Array::random(HostType::F16, {n}, generator);
  Array s = Array::random(HostType::F16, {t}, generator);
  Array r = Array::random(HostType::F16, {t, n}, generator);
  HostBuffer args[] = {x.buffer(), w.buffer(), b.buffer(), s.buffer(),
                       r.buffer()};
  std::optional<Array> first;
  for (unsigned threads : {1, 2, 3, 8}) {
    CpuOptions options;
    options.threads = threads;
    auto device = compiler.compile(
        matmulModule(HostType::F16, HostType::F32, epilogue, n, k), options);
    ASSERT_TRUE(device);
    for (int repeat = 0; repeat < 3; ++repeat) {
      Array y(HostType::F32, {t, n});
      HostBuffer results[] = {y.buffer()};
      llvm::cantFail(device->run("f", args, results));
      if (!first)
        first = y;
      ASSERT_TRUE(y.sameBits(*first)) << threads << " threads";
    }
  }
}

/// A token's result does not depend on how many others there are: few rows
/// take a path of their own.
TEST(CpuMatmul, RowsDoNotChangeOneAnother) {
  Compiler compiler;
  const Epilogue &epilogue = epilogues()[0];
  int64_t most = 40, n = 413, k = 777;
  std::mt19937_64 generator(10);
  auto device = compiler.compile(
      matmulModule(HostType::F16, HostType::F32, epilogue, n, k));
  ASSERT_TRUE(device);
  Array x = Array::random(HostType::F16, {most, k}, generator);
  Array w = Array::random(HostType::F16, {n, k}, generator);
  // What this epilogue leaves alone.
  Array b(HostType::F16, {n});
  auto first = [&](int64_t t) {
    Array some(HostType::F16, {t, k}), s(HostType::F16, {t});
    Array r(HostType::F16, {t, n}), y(HostType::F32, {t, n});
    std::memcpy(some.buffer().data, x.buffer().data, 2 * t * k);
    HostBuffer args[] = {some.buffer(), w.buffer(), b.buffer(), s.buffer(),
                         r.buffer()};
    HostBuffer results[] = {y.buffer()};
    llvm::Error error = device->run("f", args, results);
    EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
    return y;
  };
  Array all = first(most);
  EXPECT_FALSE(all.sameBits(Array(HostType::F32, {most, n})));
  for (int64_t t = 1; t < 16; ++t) {
    Array y = first(t);
    EXPECT_EQ(std::memcmp(y.buffer().data, all.buffer().data, 4 * t * n), 0)
        << t << " rows";
  }
}

/// The sparseflow dialect, batch dimensions and two ops in one function.
TEST(CpuMatmul, SparseFlowDialect) {
  Compiler compiler;
  auto device = compiler.compile(R"(
    func.func @ffn(%x: tensor<3x?x20xf16>,
                   %w1: tensor<33x20xf16, #sparseflow.nm<2:4>>,
                   %b1: tensor<33xf16>, %w2: tensor<20x33xf16>)
        -> tensor<3x?x20xf32> {
      %h = sparseflow.matmul %x, %w1 epilogue(%b1 : tensor<33xf16>)
          as [per_feature] {
      ^bb0(%acc: f32, %b: f16):
        %zero = arith.constant 0.0 : f32
        %b32 = arith.extf %b : f16 to f32
        %0 = arith.addf %acc, %b32 : f32
        %1 = arith.maximumf %0, %zero : f32
        %2 = arith.truncf %1 : f32 to f16
        sparseflow.yield %2 : f16
      } : tensor<3x?x20xf16>, tensor<33x20xf16, #sparseflow.nm<2:4>>
          -> tensor<3x?x33xf16>
      %y = sparseflow.matmul %h, %w2 {
      ^bb0(%acc: f32):
        sparseflow.yield %acc : f32
      } : tensor<3x?x33xf16>, tensor<20x33xf16> -> tensor<3x?x20xf32>
      return %y : tensor<3x?x20xf32>
    })");
  ASSERT_TRUE(device);
  std::mt19937_64 generator(11);
  constexpr HostType f16 = HostType::F16;
  int64_t batch = 3, t = 7, k = 20, n = 33;
  Array x = Array::random(f16, {batch, t, k}, generator);
  Array w1 = Array::random(f16, {n, k}, generator);
  for (int64_t i = 0; i < n * k; i += 4)
    for (int64_t zero : {generator() % 4, generator() % 4})
      w1.set(i + zero, 0);
  Array b1 = Array::random(f16, {n}, generator);
  Array w2 = Array::random(f16, {k, n}, generator);
  Array y(HostType::F32, {batch, t, k});
  HostBuffer args[] = {x.buffer(), w1.buffer(), b1.buffer(), w2.buffer()};
  HostBuffer results[] = {y.buffer()};
  llvm::cantFail(device->run("ffn", args, results));
  for (int64_t i = 0; i < batch * t; ++i) {
    Array h(f16, {n});
    for (int64_t j = 0; j < n; ++j) {
      double sum = b1[j];
      for (int64_t l = 0; l < k; ++l)
        sum += x[i * k + l] * w1[j * k + l];
      h.set(j, std::fmax(sum, 0));
    }
    for (int64_t j = 0; j < k; ++j) {
      double sum = 0;
      for (int64_t l = 0; l < n; ++l)
        sum += h[l] * w2[j * n + l];
      ASSERT_NEAR(y[i * k + j], sum, 5e-3) << i << ", " << j;
    }
  }
}

/// Operands in other orders: w stored [K, N], w first, and a sum into a result
/// that is not empty.
TEST(CpuMatmul, OtherForms) {
  Compiler compiler;
  auto device = compiler.compile(R"(
    func.func @named(%x: tensor<?x?xf16>, %w: tensor<?x?xf16>,
                     %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %y = linalg.matmul ins(%x, %w : tensor<?x?xf16>, tensor<?x?xf16>)
          outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
      return %y : tensor<?x?xf32>
    }
    func.func @first(%w: tensor<?x?xf16>, %x: tensor<?x?xf16>,
                     %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %y = linalg.generic {indexing_maps = [
          affine_map<(t, n, k) -> (k, n)>, affine_map<(t, n, k) -> (t, k)>,
          affine_map<(t, n, k) -> (t, n)>],
          iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%w, %x : tensor<?x?xf16>, tensor<?x?xf16>)
          outs(%c : tensor<?x?xf32>) {
      ^bb0(%a: f16, %b: f16, %acc: f32):
        %0 = arith.extf %a : f16 to f32
        %1 = arith.extf %b : f16 to f32
        %2 = arith.mulf %0, %1 : f32
        %3 = arith.addf %2, %acc : f32
        linalg.yield %3 : f32
      } -> tensor<?x?xf32>
      return %y : tensor<?x?xf32>
    })");
  ASSERT_TRUE(device);
  std::mt19937_64 generator(13);
  // More rows than are multiplied without packing w.
  int64_t most = 50, n = 59, k = 434;
  Array all = Array::random(HostType::F16, {most, k}, generator);
  Array w = Array::random(HostType::F16, {k, n}, generator);
  Array sums = Array::random(HostType::F32, {most, n}, generator);
  Array whole(HostType::F32, {most, n});
  for (auto [named, t] : {std::pair<bool, int64_t>{true, 50},
                          {true, 21},
                          {true, 1},
                          {false, 50},
                          {false, 7}}) {
    Array x(HostType::F16, {t, k}), c(HostType::F32, {t, n});
    std::memcpy(x.buffer().data, all.buffer().data, 2 * t * k);
    std::memcpy(c.buffer().data, sums.buffer().data, 4 * t * n);
    Array before = c;
    Array y(HostType::F32, {t, n});
    HostBuffer args[] = {named ? x.buffer() : w.buffer(),
                         named ? w.buffer() : x.buffer(), c.buffer()};
    HostBuffer results[] = {y.buffer()};
    llvm::cantFail(device->run(named ? "named" : "first", args, results));
    EXPECT_TRUE(c.sameBits(before)) << "an argument was written";
    for (int64_t i = 0; i < t; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double sum = c[i * n + j];
        for (int64_t l = 0; l < k; ++l)
          sum += x[i * k + l] * w[l * n + j];
        ASSERT_NEAR(y[i * n + j], sum, 1e-3);
      }
    // Rows do not change one another here either.
    if (t == most)
      whole = y;
    EXPECT_EQ(std::memcmp(y.buffer().data, whole.buffer().data, 4 * t * n), 0)
        << t << " rows";
  }
}

/// Products of a batch, whose heads share weights by threes: [n, k] and [k, n],
/// dimensions in other orders, few rows and many, NaN in one entry.
TEST(CpuMatmul, Batches) {
  Compiler compiler;
  std::string text;
  for (auto [name, map, type] :
       {std::array<const char *, 3>{"rows", "(b, n, h floordiv 3, k)",
                                    "tensor<?x?x2x?xf16>"},
        {"columns", "(b, k, h floordiv 3, n)", "tensor<?x?x2x?xf16>"}})
    text += std::string(R"(
    func.func @)") +
            name + R"((%x: tensor<?x?x6x?xf16>, %w: )" + type +
            R"(, %c: tensor<?x6x?x?xf32>) -> tensor<?x6x?x?xf32> {
      %y = linalg.generic {indexing_maps = [
          affine_map<(b, h, t, n, k) -> (b, t, h, k)>,
          affine_map<(b, h, t, n, k) -> )" +
            map + R"(>,
          affine_map<(b, h, t, n, k) -> (b, h, t, n)>],
          iterator_types = ["parallel", "parallel", "parallel", "parallel",
                            "reduction"]}
          ins(%x, %w : tensor<?x?x6x?xf16>, )" +
            type + R"()
          outs(%c : tensor<?x6x?x?xf32>) {
      ^bb0(%a: f16, %b: f16, %acc: f32):
        %0 = arith.extf %a : f16 to f32
        %1 = arith.extf %b : f16 to f32
        %2 = arith.mulf %0, %1 : f32
        %3 = arith.addf %2, %acc : f32
        linalg.yield %3 : f32
      } -> tensor<?x6x?x?xf32>
      return %y : tensor<?x6x?x?xf32>
    })";
  auto device = compiler.compile(text);
  ASSERT_TRUE(device);
  std::mt19937_64 generator(17);
  int64_t batch = 2, heads = 6, groups = 2;
  for (bool columns : {false, true})
    for (auto [t, n, k] : {std::array<int64_t, 3>{1, 37, 64},
                           {5, 70, 19},
                           {41, 33, 100},
                           {3, 0, 7},
                           {2, 9, 0}}) {
      Array x = Array::random(HostType::F16, {batch, t, heads, k}, generator);
      Array w = Array::random(HostType::F16,
                              {batch, columns ? k : n, groups, columns ? n : k},
                              generator);
      Array c = Array::random(HostType::F32, {batch, heads, t, n}, generator);
      // Of entry 1, head 4, row 0.
      if (k)
        x.set((t * heads + 4) * k, std::nan(""));
      Array y(HostType::F32, {batch, heads, t, n});
      HostBuffer args[] = {x.buffer(), w.buffer(), c.buffer()};
      HostBuffer results[] = {y.buffer()};
      llvm::cantFail(device->run(columns ? "columns" : "rows", args, results));
      for (int64_t b = 0; b < batch; ++b)
        for (int64_t h = 0; h < heads; ++h)
          for (int64_t i = 0; i < t; ++i)
            for (int64_t j = 0; j < n; ++j) {
              int64_t at = ((b * heads + h) * t + i) * n + j;
              double sum = c[at];
              for (int64_t l = 0; l < k; ++l) {
                int64_t first = columns ? l : j, last = columns ? j : l;
                sum += x[((b * t + i) * heads + h) * k + l] *
                       w[((b * (columns ? k : n) + first) * groups + h / 3) *
                             (columns ? n : k) +
                         last];
              }
              if (std::isnan(sum))
                ASSERT_TRUE(std::isnan(y[at]));
              else
                ASSERT_NEAR(y[at], sum, 1e-4) << b << ", " << h << ", " << i;
            }
    }
}
