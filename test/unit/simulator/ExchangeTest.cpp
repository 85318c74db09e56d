//===- ExchangeTest.cpp - Shuffles, votes, barriers, registers, mathematics
//===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatorTestSupport.h"

#include <cmath>

using namespace mlir::sparseflow::sim;

namespace {

/// Stores the i32 %v of thread t at out[t].
std::string kernelOf(const std::string &declarations, const std::string &body) {
  return "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n" + declarations +
         R"(
define ptx_kernel void @k(ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
)" + body +
         R"(
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %v, ptr addrspace(1) %p
  ret void
})";
}

std::vector<uint32_t> runWarp(const std::string &declarations,
                              const std::string &body, uint64_t seed = 0) {
  SimulatorOptions options;
  options.seed = seed;
  TestKernel kernel(kernelOf(declarations, body), options);
  std::vector<uint32_t> out(32, 0xdead);
  LaunchReport report = kernel.buffer(out).run();
  EXPECT_TRUE(report.ok()) << report.text();
  return out;
}

std::vector<uint32_t> shuffle(const std::string &mode, const std::string &b,
                              int c) {
  std::string name = "@llvm.nvvm.shfl.sync." + mode + ".i32";
  return runWarp(
      "declare i32 " + name + "(i32, i32, i32, i32)\n",
      "  %x = mul i32 %t, 10\n  %r = and i32 %t, 7\n  %v = call i32 " + name +
          "(i32 -1, i32 %x, i32 " + b + ", i32 " + std::to_string(c) + ")");
}

TEST(Shuffle, AllModes) {
  // CUDA's __shfl_sync(x, 5), __shfl_xor_sync(x, 9), up and down by 3.
  auto index = shuffle("idx", "5", 31), lane = shuffle("idx", "%r", 31);
  auto butterfly = shuffle("bfly", "9", 31);
  auto up = shuffle("up", "3", 0), down = shuffle("down", "3", 31);
  // The same in segments of 8: bits 8 to 12 of c are 32 - 8.
  auto index8 = shuffle("idx", "2", 31 | 24 << 8);
  auto butterfly8 = shuffle("bfly", "12", 31 | 24 << 8);
  auto up8 = shuffle("up", "3", 24 << 8);
  auto down8 = shuffle("down", "3", 31 | 24 << 8);
  for (uint32_t t = 0; t < 32; ++t) {
    EXPECT_EQ(index[t], 50u);
    EXPECT_EQ(lane[t], t % 8 * 10);
    EXPECT_EQ(butterfly[t], (t ^ 9) * 10);
    EXPECT_EQ(up[t], t < 3 ? t * 10 : (t - 3) * 10);
    EXPECT_EQ(down[t], t > 28 ? t * 10 : (t + 3) * 10);
    EXPECT_EQ(index8[t], (t / 8 * 8 + 2) * 10);
    EXPECT_EQ(butterfly8[t],
              (t ^ 12) <= t / 8 * 8 + 7 ? (t ^ 12) * 10 : t * 10);
    EXPECT_EQ(up8[t], t % 8 < 3 ? t * 10 : (t - 3) * 10);
    EXPECT_EQ(down8[t], t % 8 > 4 ? t * 10 : (t + 3) * 10);
  }
}

TEST(Shuffle, Predicate) {
  std::vector<uint32_t> out = runWarp(
      "declare {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32, i32, i32, i32)\n",
      "  %s = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %t, "
      "i32 4, i32 31)\n  %i = extractvalue {i32, i1} %s, 1\n"
      "  %v = zext i1 %i to i32");
  for (uint32_t t = 0; t < 32; ++t)
    EXPECT_EQ(out[t], t < 28);
}

TEST(Vote, AllForms) {
  std::string declarations =
      "declare i1 @llvm.nvvm.vote.all.sync(i32, i1)\n"
      "declare i1 @llvm.nvvm.vote.any.sync(i32, i1)\n"
      "declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)\n";
  EXPECT_EQ(runWarp(declarations,
                    "  %c = icmp ult i32 %t, 5\n  %v = call i32 "
                    "@llvm.nvvm.vote.ballot.sync(i32 -1, i1 %c)")[9],
            31u);
  for (int limit : {0, 5, 32}) {
    std::string body = "  %c = icmp ult i32 %t, " + std::to_string(limit) +
                       "\n  %a = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 "
                       "%c)\n  %b = call i1 @llvm.nvvm.vote.any.sync(i32 -1, "
                       "i1 %c)\n  %a32 = zext i1 %a to i32\n  %b32 = zext i1 "
                       "%b to i32\n  %b2 = shl i32 %b32, 1\n"
                       "  %v = or i32 %a32, %b2";
    EXPECT_EQ(runWarp(declarations, body)[31],
              (limit == 32 ? 1u : 0u) | (limit > 0 ? 2u : 0u));
  }
}

TEST(Registers, OfAThreeDimensionalLaunch) {
  std::string text;
  std::string names[] = {"tid.x",   "tid.y",    "tid.z",    "ntid.x",
                         "ntid.y",  "ntid.z",   "ctaid.x",  "ctaid.y",
                         "ctaid.z", "nctaid.x", "nctaid.y", "nctaid.z",
                         "laneid",  "warpid"};
  std::string body;
  for (int i = 0; i < 14; ++i) {
    std::string call = "i32 @llvm.nvvm.read.ptx.sreg." + names[i] + "()\n";
    text += "declare " + call;
    body += "  %r" + std::to_string(i) + " = call " + call;
  }
  // Place: 14 values for each thread, threads in order, blocks in order.
  body += "  %a0 = mul i32 %r2, %r4\n  %a1 = add i32 %a0, %r1\n"
          "  %a2 = mul i32 %a1, %r3\n  %a3 = add i32 %a2, %r0\n"
          "  %b0 = mul i32 %r8, %r10\n  %b1 = add i32 %b0, %r7\n"
          "  %b2 = mul i32 %b1, %r9\n  %b3 = add i32 %b2, %r6\n"
          "  %n = mul i32 %b3, 60\n  %m = add i32 %n, %a3\n"
          "  %place = mul i32 %m, 14\n";
  for (int i = 0; i < 14; ++i) {
    std::string n = std::to_string(i);
    body += "  %i" + n + " = add i32 %place, " + n + "\n  %p" + n +
            " = getelementptr i32, ptr addrspace(1) %out, i32 %i" + n +
            "\n  store i32 %r" + n + ", ptr addrspace(1) %p" + n + "\n";
  }
  TestKernel kernel(text +
                    "define ptx_kernel void @k(ptr addrspace(1) %out) {\n" +
                    body + "  ret void\n}\n");
  std::vector<uint32_t> out(24 * 60 * 14, 0xdead);
  LaunchReport report = kernel.buffer(out).run({2, 3, 4}, {5, 4, 3});
  ASSERT_TRUE(report.ok()) << report.text();
  EXPECT_EQ(report.blocks, 24u);
  for (uint32_t block = 0; block < 24; ++block)
    for (uint32_t thread = 0; thread < 60; ++thread) {
      const uint32_t expected[14] = {
          thread % 5,  thread / 5 % 4, thread / 20, 5, 4, 3,
          block % 2,   block / 2 % 3,  block / 6,   2, 3, 4,
          thread % 32, thread / 32};
      for (int i = 0; i < 14; ++i)
        EXPECT_EQ(out[(block * 60 + thread) * 14 + i], expected[i]) << names[i];
    }
}

/// Every thread writes its number, and reads that of the thread after it on the
/// other side of a barrier.
TEST(Barrier, OrdersABlockUnderEverySchedule) {
  std::string text =
      kernelOf("@s = internal addrspace(3) global [96 x i32] poison, align 4\n"
               "declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)\n",
               "  %own = getelementptr i32, ptr addrspace(3) @s, i32 %t\n"
               "  store i32 %t, ptr addrspace(3) %own\n"
               "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 3)\n"
               "  %n = add i32 %t, 1\n  %m = urem i32 %n, 96\n"
               "  %next = getelementptr i32, ptr addrspace(3) @s, i32 %m\n"
               "  %v = load i32, ptr addrspace(3) %next");
  for (uint64_t seed = 0; seed < 20; ++seed) {
    SimulatorOptions options;
    options.seed = seed;
    options.races = true;
    TestKernel kernel(text, options);
    std::vector<uint32_t> out(96);
    LaunchReport report = kernel.buffer(out).run({1, 1, 1}, {96, 1, 1});
    ASSERT_TRUE(report.ok()) << report.text();
    for (uint32_t t = 0; t < 96; ++t)
      EXPECT_EQ(out[t], (t + 1) % 96);
  }
}

/// Two warps meet at a barrier of 64 threads that the third never sees.
TEST(Barrier, OfSomeThreads) {
  std::string text = kernelOf(
      "declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)\n"
      "declare void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32, i32)\n",
      "  %c = icmp ult i32 %t, 64\n  br i1 %c, label %some, label %rest\n"
      "some:\n  %d = icmp ult i32 %t, 32\n"
      "  br i1 %d, label %first, label %second\n"
      "first:\n"
      "  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 1, i32 64)\n"
      "  br label %rest\n"
      "second:\n"
      "  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)\n"
      "  br label %rest\n"
      "rest:\n  %v = add i32 %t, 1");
  TestKernel kernel(text);
  std::vector<uint32_t> out(96);
  LaunchReport report = kernel.buffer(out).run({1, 1, 1}, {96, 1, 1});
  ASSERT_TRUE(report.ok()) << report.text();
  EXPECT_EQ(out[95], 96u);
}

/// Blocks on several OS threads add to one place, in global memory at once and
/// in shared memory first.
TEST(Atomics, SumOverBlocks) {
  const char *const text = R"(
@s = internal addrspace(3) global i32 poison, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
define ptx_kernel void @k(ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %clear, label %add
clear:
  store i32 0, ptr addrspace(3) @s
  br label %add
add:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %o = atomicrmw add ptr addrspace(3) @s, i32 %t monotonic
  %f = getelementptr float, ptr addrspace(1) %out, i32 1
  %p = atomicrmw fadd ptr addrspace(1) %f, float 0.5 monotonic
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %last, label %end
last:
  %v = load i32, ptr addrspace(3) @s
  %q = atomicrmw add ptr addrspace(1) %out, i32 %v monotonic
  br label %end
end:
  ret void
})";
  SimulatorOptions options;
  options.threads = 4;
  options.races = true;
  TestKernel kernel(text, options);
  std::vector<uint32_t> out(2, 0);
  LaunchReport report = kernel.buffer(out).run({50, 1, 1}, {100, 1, 1});
  ASSERT_TRUE(report.ok()) << report.text();
  EXPECT_EQ(out[0], 50u * 4950);
  float sum;
  std::memcpy(&sum, &out[1], sizeof sum);
  EXPECT_EQ(sum, 2500.0f);
}

/// The last warp of a block of 40 threads has 8 lanes. A full mask means those.
TEST(Shuffle, LastWarpIsNotFull) {
  TestKernel kernel(kernelOf(
      "declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)\n"
      "declare void @llvm.nvvm.bar.warp.sync(i32)\n",
      "  call void @llvm.nvvm.bar.warp.sync(i32 -1)\n"
      "  %v = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %t, i32 7, i32 "
      "31)"));
  std::vector<uint32_t> out(40);
  LaunchReport report = kernel.buffer(out).run({}, {40, 1, 1});
  ASSERT_TRUE(report.ok()) << report.text();
  for (uint32_t t = 0; t < 40; ++t)
    EXPECT_EQ(out[t], t < 32 ? 7u : 39u);
}

float approximate(const std::string &name, float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  std::string text = "declare float @llvm.nvvm." + name +
                     "(float)\ndefine ptx_kernel void @k(ptr addrspace(1) %p) "
                     "{\n  %x = load float, ptr addrspace(1) %p\n  %y = call "
                     "float @llvm.nvvm." +
                     name +
                     "(float %x)\n  store float %y, ptr addrspace(1) %p\n  "
                     "ret void\n}\n";
  TestKernel kernel(text);
  std::vector<float> value{x};
  EXPECT_TRUE(kernel.buffer(value).run({}, {1, 1, 1}).ok());
  return value[0];
}

TEST(Mathematics, Approximations) {
  EXPECT_EQ(approximate("ex2.approx.ftz.f32", 3), 8.0f);
  EXPECT_EQ(approximate("ex2.approx.f32", -2), 0.25f);
  EXPECT_EQ(approximate("ex2.approx.ftz.f32", -130), 0.0f);
  EXPECT_EQ(approximate("ex2.approx.f32", -130), std::ldexp(1.0f, -130));
  EXPECT_EQ(approximate("ex2.approx.ftz.f32", -INFINITY), 0.0f);
  EXPECT_EQ(approximate("lg2.approx.f", 32), 5.0f);
  EXPECT_EQ(approximate("lg2.approx.ftz.f", std::ldexp(1.0f, -140)), -INFINITY);
  EXPECT_EQ(approximate("rcp.approx.ftz.f", 4), 0.25f);
  EXPECT_EQ(approximate("rcp.approx.ftz.f", 3e38f), 0.0f);
  EXPECT_EQ(approximate("rcp.approx.ftz.f", -0.0f), -INFINITY);
  EXPECT_EQ(approximate("rsqrt.approx.f", 16), 0.25f);
  EXPECT_EQ(approximate("sqrt.approx.f", 16), 4.0f);
  EXPECT_TRUE(std::isnan(approximate("lg2.approx.f", -1)));
}

/// fptrunc to bf16 rounds to nearest, ties to even, as cvt.rn.bf16.f32 does.
TEST(Mathematics, BFloatConversions) {
  TestKernel kernel(R"(
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %x = load float, ptr addrspace(1) %p
  %y = fptrunc float %x to bfloat
  %z = fpext bfloat %y to float
  store float %z, ptr addrspace(1) %p
  ret void
})");
  std::vector<float> value(1);
  kernel.buffer(value);
  auto convert = [&](float x) {
    value[0] = x;
    EXPECT_TRUE(kernel.run({}, {1, 1, 1}).ok());
    return value[0];
  };
  EXPECT_EQ(convert(1.0f + 1.0f / 256), 1.0f);
  EXPECT_EQ(convert(1.0f + 3.0f / 256), 1.0f + 4.0f / 256);
  EXPECT_EQ(convert(1.0f + 1.0f / 256 + 1.0f / 65536), 1.0f + 2.0f / 256);
  EXPECT_EQ(convert(std::ldexp(1.0f, -130)), std::ldexp(1.0f, -130));
  EXPECT_EQ(convert(3.4e38f), INFINITY);
  EXPECT_TRUE(std::isnan(convert(NAN)));
}

} // namespace
