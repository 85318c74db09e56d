//===- CpuDeviceTest.cpp - The interface of the CPU device ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CpuTestSupport.h"
#include <atomic>
#include <cmath>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <thread>

using namespace cputest;

static const char *kAdd = R"(
  func.func @f(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<?x?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = tensor.dim %x, %c0 : tensor<?x?xf32>
    %b = tensor.dim %x, %c1 : tensor<?x?xf32>
    %e = tensor.empty(%a, %b) : tensor<?x?xf32>
    %z = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
        affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]}
        ins(%x, %y : tensor<?x?xf32>, tensor<?xf32>)
        outs(%e : tensor<?x?xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %s = arith.addf %p, %q : f32
      linalg.yield %s : f32
    } -> tensor<?x?xf32>
    return %z : tensor<?x?xf32>
  })";

static bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}
#define EXPECT_SAYS(text, part)                                                \
  EXPECT_TRUE(contains(text, part)) << "found: " << (text)

TEST(CpuDevice, RefusesWrongBuffers) {
  Compiler compiler;
  auto device = compiler.compile(kAdd);
  ASSERT_TRUE(device);
  std::vector<float> memory(64);
  HostBuffer x{memory.data(), HostType::F32, {2, 3}};
  HostBuffer y{memory.data() + 6, HostType::F32, {3}};
  HostBuffer z{memory.data() + 16, HostType::F32, {2, 3}};
  auto run = [&](std::vector<HostBuffer> args, std::vector<HostBuffer> results,
                 const char *name = "f") {
    return llvm::toString(device->run(name, args, results));
  };
  EXPECT_EQ(run({x, y}, {z}), "");
  EXPECT_SAYS(run({x, y}, {z}, "g"), "expected a function of the module (f)");
  EXPECT_SAYS(run({x}, {z}), "expected 2 arguments and 1 results");
  HostBuffer bad = x;
  bad.dtype = HostType::F16;
  EXPECT_SAYS(run({bad, y}, {z}), "expected elements of f32, found f16");
  bad = x;
  bad.shape = {6};
  EXPECT_SAYS(run({bad, y}, {z}), "expected the shape [?, ?]");
  bad.shape = {-1, 3};
  EXPECT_SAYS(run({bad, y}, {z}), "sizes of at least 0, found [-1, 3]");
  bad.shape = {int64_t(1) << 40, int64_t(1) << 40};
  EXPECT_SAYS(run({bad, y}, {z}),
              ": expected fewer than 2^63 bytes, found the shape");
  bad = x;
  bad.data = nullptr;
  EXPECT_SAYS(run({bad, y}, {z}), "found a null pointer");
  bad.data = reinterpret_cast<char *>(memory.data()) + 1;
  EXPECT_SAYS(run({bad, y}, {z}), "aligned to its elements of 4 bytes");
  bad = y;
  bad.shape = {4};
  EXPECT_SAYS(
      run({x, bad}, {z}),
      "expected dimension 0 of argument 1 of 'f' to be 3 like dimension "
      "1 of argument 0 of 'f', found 4");
  bad = z;
  bad.shape = {3, 3};
  EXPECT_SAYS(run({x, y}, {bad}), "dimension 0 of result 0 of 'f' to be 2");
  bad = z;
  bad.data = memory.data() + 5;
  EXPECT_SAYS(run({x, y}, {bad}),
              " to be its own, found that it overlaps argument");
  HostBuffer none{nullptr, HostType::F32, {0, 3}};
  EXPECT_EQ(run({none, y}, {none}), "");
}

TEST(CpuDevice, RefusesWhatItCannotCompile) {
  Compiler compiler;
  EXPECT_SAYS(compiler.compileError("module {}"),
              "expected a module with at least one public function");
  EXPECT_SAYS(
      compiler.compileError("func.func @f(%x: f32) -> tensor<f32> {\n"
                            "%y = tensor.from_elements %x : tensor<f32>\n"
                            "return %y : tensor<f32> }"),
      "expected a ranked tensor (a scalar is a tensor of rank 0), found "
      "'f32'");
  EXPECT_SAYS(
      compiler.compileError("func.func @f(%x: tensor<4xcomplex<f32>>) -> "
                            "tensor<4xcomplex<f32>> { return %x : "
                            "tensor<4xcomplex<f32>> }"),
      "expected elements of f16");
  EXPECT_SAYS(compiler.compileError(
                  "func.func @f(%x: tensor<4xindex>) -> tensor<?xf32> {\n"
                  "%c0 = arith.constant 0 : index\n"
                  "%n = tensor.extract %x[%c0] : tensor<4xindex>\n"
                  "%e = tensor.empty(%n) : tensor<?xf32>\n"
                  "return %e : tensor<?xf32> }"),
              " is computed in another way; give it a static size");
  EXPECT_SAYS(compiler.compileError(
                  "func.func private @missing(tensor<4xf32>) -> "
                  "tensor<4xf32>\n"
                  "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                  "%y = call @missing(%x) : (tensor<4xf32>) -> tensor<4xf32>\n"
                  "return %y : tensor<4xf32> }"),
              "missing");
  auto elementwise = [&](const std::string &body) {
    return compiler.compileError(R"(
      func.func @f(%x: tensor<4xi64>) -> tensor<4xi64> {
        %e = tensor.empty() : tensor<4xi64>
        %y = linalg.map ins(%x : tensor<4xi64>) outs(%e : tensor<4xi64>)
          (%a: i64, %out: i64) {
)" + body + R"(
          linalg.yield %z : i64
        }
        return %y : tensor<4xi64>
      })");
  };
  // A call of the compiler's own library, which is not linked.
  EXPECT_SAYS(elementwise("%w = arith.extsi %a : i64 to i128\n"
                          "%c = arith.constant 1000000000000000000000 : i128\n"
                          "%d = arith.divsi %c, %w : i128\n"
                          "%z = arith.trunci %d : i128 to i64"),
              "the CPU device cannot link its code, which may call the C "
              "library's mathematics and nothing else; divide integers of at "
              "most 64 bits: Symbols not found: [ __divti3 ]");
  CpuOptions options;
  options.cpu = "abacus";
  EXPECT_SAYS(compiler.compileError(kAdd, options),
              "expected the name of a CPU that LLVM knows for ");
  options = {};
  options.schedule.emplace();
  options.schedule->lanes = 12;
  EXPECT_SAYS(compiler.compileError(kAdd, options),
              "expected lanes to be a power of two");
}

TEST(CpuDevice, ElementwiseFormsAndRanks) {
  Compiler compiler;
  auto device = compiler.compile(R"(
    // A permuted operand, a broadcast row, two results, an unused operand.
    func.func @f(%x: tensor<5x?x17xf32>, %r: tensor<?xf32>, %s: tensor<f32>)
        -> (tensor<?x5x17xf32>, tensor<5x?x17xf32>) {
      %c1 = arith.constant 1 : index
      %d = tensor.dim %x, %c1 : tensor<5x?x17xf32>
      %e0 = tensor.empty(%d) : tensor<?x5x17xf32>
      %e1 = tensor.empty(%d) : tensor<5x?x17xf32>
      %y:2 = linalg.generic {indexing_maps = [
          affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (b)>,
          affine_map<(a, b, c) -> ()>, affine_map<(a, b, c) -> (b, a, c)>,
          affine_map<(a, b, c) -> (a, b, c)>],
          iterator_types = ["parallel", "parallel", "parallel"]}
          ins(%x, %r, %s : tensor<5x?x17xf32>, tensor<?xf32>, tensor<f32>)
          outs(%e0, %e1 : tensor<?x5x17xf32>, tensor<5x?x17xf32>) {
      ^bb0(%p: f32, %q: f32, %k: f32, %o0: f32, %o1: f32):
        %0 = arith.mulf %p, %q : f32
        %1 = arith.subf %p, %k : f32
        linalg.yield %0, %1 : f32, f32
      } -> (tensor<?x5x17xf32>, tensor<5x?x17xf32>)
      return %y#0, %y#1 : tensor<?x5x17xf32>, tensor<5x?x17xf32>
    }
    // No vector form: a transposition and a reduction run as scalar loops.
    func.func @g(%x: tensor<?x9xf32>, %e: tensor<9xf32>)
        -> (tensor<9x?xf32>, tensor<9xf32>) {
      %c0 = arith.constant 0 : index
      %d = tensor.dim %x, %c0 : tensor<?x9xf32>
      %t = tensor.empty(%d) : tensor<9x?xf32>
      %y = linalg.transpose ins(%x : tensor<?x9xf32>)
          outs(%t : tensor<9x?xf32>) permutation = [1, 0]
      %s = linalg.reduce ins(%x : tensor<?x9xf32>) outs(%e : tensor<9xf32>)
          dimensions = [0] (%a: f32, %b: f32) {
            %0 = arith.addf %a, %b : f32
            linalg.yield %0 : f32
          }
      return %y, %s : tensor<9x?xf32>, tensor<9xf32>
    }
    // An argument is a result; a rank of zero.
    func.func @h(%x: tensor<3xi32>, %s: tensor<f32>)
        -> (tensor<3xi32>, tensor<f32>) {
      %e = tensor.empty() : tensor<f32>
      %y = linalg.generic {indexing_maps = [affine_map<() -> ()>,
          affine_map<() -> ()>], iterator_types = []}
          ins(%s : tensor<f32>) outs(%e : tensor<f32>) {
      ^bb0(%a: f32, %o: f32):
        %0 = arith.addf %a, %a : f32
        linalg.yield %0 : f32
      } -> tensor<f32>
      return %x, %y : tensor<3xi32>, tensor<f32>
    })");
  ASSERT_TRUE(device);
  constexpr HostType f32 = HostType::F32;
  std::mt19937_64 generator(29);
  for (int64_t b : {0, 1, 23}) {
    Array x = Array::random(f32, {5, b, 17}, generator);
    Array r = Array::random(f32, {b}, generator);
    Array s = Array::random(f32, {}, generator);
    Array y0(f32, {b, 5, 17}), y1(f32, {5, b, 17});
    HostBuffer args[] = {x.buffer(), r.buffer(), s.buffer()};
    HostBuffer results[] = {y0.buffer(), y1.buffer()};
    llvm::cantFail(device->run("f", args, results));
    for (int64_t i = 0; i < 5; ++i)
      for (int64_t j = 0; j < b; ++j)
        for (int64_t k = 0; k < 17; ++k) {
          double value = x[(i * b + j) * 17 + k];
          ASSERT_FLOAT_EQ(y0[(j * 5 + i) * 17 + k], value * r[j]);
          ASSERT_FLOAT_EQ(y1[(i * b + j) * 17 + k], value - s[0]);
        }
    Array x2 = Array::random(f32, {b, 9}, generator);
    Array e = Array::random(f32, {9}, generator);
    Array t(f32, {9, b}), sum(f32, {9});
    HostBuffer args2[] = {x2.buffer(), e.buffer()};
    HostBuffer results2[] = {t.buffer(), sum.buffer()};
    llvm::cantFail(device->run("g", args2, results2));
    for (int64_t i = 0; i < 9; ++i) {
      double expected = e[i];
      for (int64_t j = 0; j < b; ++j) {
        ASSERT_EQ(t[i * b + j], x2[j * 9 + i]);
        expected += x2[j * 9 + i];
      }
      ASSERT_NEAR(sum[i], expected, 1e-5);
    }
  }
  int32_t in[3] = {1, -2, 3}, out[3] = {};
  float s = 4, y = NAN;
  HostBuffer args[] = {{in, HostType::I32, {3}}, {&s, f32, {}}};
  HostBuffer results[] = {{out, HostType::I32, {3}}, {&y, f32, {}}};
  llvm::cantFail(device->run("h", args, results));
  EXPECT_EQ(out[1], -2);
  EXPECT_EQ(y, 8.0f);
}

/// Calls from several threads share the pool without mixing their work.
TEST(CpuDevice, RunsFromSeveralThreads) {
  Compiler compiler;
  CpuOptions options;
  options.threads = 3;
  auto device = compiler.compile(kAdd, options);
  ASSERT_TRUE(device);
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([&, caller] {
      int64_t rows = 300, columns = 257;
      std::vector<float> x(rows * columns, float(caller)), y(columns, 0.5f);
      for (int repeat = 0; repeat < 50; ++repeat) {
        std::vector<float> z(rows * columns, NAN);
        HostBuffer args[] = {{x.data(), HostType::F32, {rows, columns}},
                             {y.data(), HostType::F32, {columns}}};
        HostBuffer results[] = {{z.data(), HostType::F32, {rows, columns}}};
        if (device->run("f", args, results)) {
          ++wrong;
          return;
        }
        for (float value : z)
          wrong += value != caller + 0.5f;
      }
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(wrong, 0);
}

/// Large temporary buffers of a call serve the next one, of any thread: the
/// system clears no pages for them again.
TEST(CpuDevice, KeepsTemporaryMemory) {
  Compiler compiler;
  const Epilogue &epilogue = epilogues()[1];
  int64_t t = 300, n = 700, k = 40;
  CpuOptions options;
  options.threads = 1;
  auto device = compiler.compile(
      matmulModule(HostType::F16, HostType::F16, epilogue, n, k), options);
  ASSERT_TRUE(device);
  std::mt19937_64 generator(21);
  Array x = Array::random(HostType::F16, {t, k}, generator);
  Array w = Array::random(HostType::F16, {n, k}, generator);
  Array b = Array::random(HostType::F16, {n}, generator);
  Array s = Array::random(HostType::F16, {t}, generator);
  Array r = Array::random(HostType::F16, {t, n}, generator);
  Array y(HostType::F16, {t, n});
  HostBuffer args[] = {x.buffer(), w.buffer(), b.buffer(), s.buffer(),
                       r.buffer()};
  HostBuffer results[] = {y.buffer()};
  auto faults = [&] {
    rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    llvm::cantFail(device->run("f", args, results));
    getrusage(RUSAGE_SELF, &after);
    return after.ru_minflt - before.ru_minflt;
  };
  faults();
  Array first = y;
  // The sums alone are 205 pages of 4 KiB.
  EXPECT_LT(faults(), 50);
  EXPECT_TRUE(y.sameBits(first));
  // What a larger call leaves behind does not matter.
  checkMatmul(*device, HostType::F16, HostType::F16, epilogue, 333, n, k,
              generator);
  std::thread([&] { faults(); }).join();
  EXPECT_TRUE(y.sameBits(first));
}

TEST(CpuDevice, DescribesItself) {
  Compiler compiler;
  CpuOptions options;
  options.threads = 2;
  options.keepLLVMIR = true;
  auto device = compiler.compile(kAdd, options);
  ASSERT_TRUE(device);
  ASSERT_EQ(device->getFunctions().size(), 1u);
  EXPECT_EQ(device->getFunctions()[0], "f");
  EXPECT_TRUE(device->getFunctionType("f"));
  EXPECT_FALSE(device->getFunctionType("g"));
  EXPECT_EQ(device->getNumThreads(), 2u);
  EXPECT_FALSE(device->getCpu().empty());
  EXPECT_TRUE(device->getLLVMIR().contains("sparseflow_cpu_entry_f"));
  options.keepLLVMIR = false;
  device = compiler.compile(kAdd, options);
  ASSERT_TRUE(device);
  EXPECT_TRUE(device->getLLVMIR().empty());
}
