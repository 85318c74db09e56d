//===- FindingTest.cpp - What the simulator finds wrong -------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatorTestSupport.h"

using namespace mlir::sparseflow::sim;

namespace {

const char *const declarations = R"(
@shared = external addrspace(3) global [0 x i8], align 16
@other = internal addrspace(3) global [4 x i32] poison, align 8
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.group(i32)
)";

std::string kernelOf(const std::string &body) {
  return std::string(declarations) +
         "define ptx_kernel void @k(ptr addrspace(1) %data) {\n"
         "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n" +
         body + "  ret void\n}\n";
}

struct Findings : testing::Test {
  std::vector<uint32_t> data = std::vector<uint32_t>(256, 7);
  SimulatorOptions options;

  LaunchReport run(const std::string &body, Dim3 block = {32, 1, 1},
                   bool writable = true) {
    TestKernel kernel(kernelOf(body), options);
    return kernel.buffer(data, writable).run({}, block, 1024);
  }
  Finding only(const LaunchReport &report) {
    EXPECT_EQ(report.findings.size(), 1u) << report.text();
    return report.findings.empty() ? Finding() : report.findings.front();
  }
};

TEST_F(Findings, GlobalMemory) {
  std::string body =
      "  %i = mul i32 %t, 9\n"
      "  %p = getelementptr i32, ptr addrspace(1) %data, i32 %i\n"
      "  store i32 1, ptr addrspace(1) %p\n";
  Finding finding = only(run(body));
  EXPECT_EQ(finding.kind, FindingKind::OutOfBounds);
  EXPECT_EQ(finding.thread.x, 29u);
  EXPECT_EQ(finding.address, reinterpret_cast<uint64_t>(&data[0]) + 29 * 36);
  EXPECT_EQ(finding.instruction, "store i32 1, ptr addrspace(1) %p, align 4");
  EXPECT_NE(finding.message.find("byte 1044 of buffer 0 with 1024 bytes"),
            std::string::npos)
      << finding.message;
  // Half of an access inside is outside, too.
  finding =
      only(run("  %p = getelementptr i8, ptr addrspace(1) %data, i32 1020\n"
               "  %v = load i64, ptr addrspace(1) %p, align 4\n"));
  EXPECT_EQ(finding.kind, FindingKind::OutOfBounds);
  finding = only(run("  store i32 1, ptr addrspace(1) %data\n", {1, 1, 1},
                     /*writable=*/false));
  EXPECT_EQ(finding.kind, FindingKind::ReadOnly);
}

TEST_F(Findings, SharedMemory) {
  for (const char *offset : {"1024", "-4", "100000"}) {
    Finding finding = only(run(
        "  %p = getelementptr i8, ptr addrspace(3) @shared, i32 " +
            std::string(offset) + "\n  %v = load i32, ptr addrspace(3) %p\n",
        {1, 1, 1}));
    EXPECT_EQ(finding.kind, FindingKind::OutOfBounds) << offset;
  }
  // Static variables have their own bounds.
  EXPECT_TRUE(run("  %p = getelementptr i8, ptr addrspace(3) @other, i32 12\n"
                  "  %v = load i32, ptr addrspace(3) %p\n")
                  .ok());
  EXPECT_EQ(
      only(run("  %p = getelementptr i8, ptr addrspace(3) @other, i32 16\n"
               "  %v = load i32, ptr addrspace(3) %p\n"))
          .kind,
      FindingKind::OutOfBounds);
}

TEST_F(Findings, Alignment) {
  Finding finding =
      only(run("  %p = getelementptr i8, ptr addrspace(1) %data, i32 2\n"
               "  %v = load i32, ptr addrspace(1) %p\n"));
  EXPECT_EQ(finding.kind, FindingKind::Misaligned);
  // @other declares 8 bytes, and has no more.
  EXPECT_EQ(only(run("  %v = load <4 x i32>, ptr addrspace(3) @other, align "
                     "16\n"))
                .kind,
            FindingKind::Misaligned);
  EXPECT_TRUE(
      run("  %v = load <4 x i32>, ptr addrspace(3) @other, align 8\n").ok());
}

TEST_F(Findings, Deadlock) {
  Finding finding =
      only(run("  %c = icmp ult i32 %t, 40\n"
               "  br i1 %c, label %yes, label %no\n"
               "yes:\n"
               "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 2)\n"
               "  br label %no\nno:\n",
               {64, 1, 1}));
  EXPECT_EQ(finding.kind, FindingKind::Deadlock);
  EXPECT_NE(finding.message.find("40 of 64 threads wait for others, 24 have "
                                 "ended"),
            std::string::npos)
      << finding.message;
  EXPECT_NE(finding.message.find("40 threads (0-39) wait at barrier 2, call "
                                 "void @llvm.nvvm.barrier"),
            std::string::npos)
      << finding.message;
  // Half a warp at a shuffle, the other half at a barrier.
  finding =
      only(run("  %c = icmp ult i32 %t, 16\n"
               "  br i1 %c, label %yes, label %no\n"
               "yes:\n"
               "  %x = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %t, "
               "i32 0, i32 31)\n  ret void\nno:\n"
               "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"));
  EXPECT_EQ(finding.kind, FindingKind::Deadlock);
  EXPECT_NE(finding.message.find("16 threads (0-15) wait at %x = call"),
            std::string::npos)
      << finding.message;
  EXPECT_NE(finding.message.find("16 threads (16-31) wait at barrier 0"),
            std::string::npos)
      << finding.message;
}

TEST_F(Findings, MaskWithoutTheLane) {
  EXPECT_EQ(only(run("  call void @llvm.nvvm.bar.warp.sync(i32 65535)\n")).kind,
            FindingKind::BadOperand);
}

const char *const exchange =
    "  %own = getelementptr i32, ptr addrspace(3) @shared, i32 %t\n"
    "  %n = add i32 %t, 1\n  %m = urem i32 %n, 64\n"
    "  %next = getelementptr i32, ptr addrspace(3) @shared, i32 %m\n"
    "  store i32 %t, ptr addrspace(3) %own\n";

TEST_F(Findings, RaceOfWarps) {
  options.races = true;
  std::string barrier =
      "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n";
  std::string load = "  %v = load i32, ptr addrspace(3) %next\n";
  EXPECT_TRUE(run(exchange + barrier + load, {64, 1, 1}).ok());
  // Meeting in a warp orders the lanes of that warp only.
  std::string warp = "  call void @llvm.nvvm.bar.warp.sync(i32 -1)\n";
  LaunchReport report = run(exchange + warp + load, {64, 1, 1});
  ASSERT_FALSE(report.ok());
  for (const Finding &finding : report.findings) {
    EXPECT_EQ(finding.kind, FindingKind::Race);
    // Both places are named.
    std::string text = finding.text();
    EXPECT_NE(text.find("store i32 %t, ptr addrspace(3) %own"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("%v = load i32, ptr addrspace(3) %next"),
              std::string::npos)
        << text;
  }
  // A write after a read: the next round begins too early.
  report =
      run(exchange + barrier + load + "  store i32 %v, ptr addrspace(3) %own\n",
          {64, 1, 1});
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.findings.front().kind, FindingKind::Race);
  EXPECT_TRUE(run(exchange + barrier + load + barrier +
                      "  store i32 %v, ptr addrspace(3) %own\n",
                  {64, 1, 1})
                  .ok());
}

TEST_F(Findings, RaceInsideAWarp) {
  options.races = true;
  std::string load = "  %m32 = urem i32 %n, 32\n"
                     "  %nl = getelementptr i32, ptr addrspace(3) @shared, i32 "
                     "%m32\n  %v = load i32, ptr addrspace(3) %nl\n";
  EXPECT_FALSE(run(exchange + load).ok());
  EXPECT_TRUE(run(exchange +
                  std::string("  call void @llvm.nvvm.bar.warp.sync(i32 "
                              "-1)\n") +
                  load)
                  .ok());
  // A shuffle makes lanes meet and orders no memory.
  EXPECT_FALSE(
      run(exchange +
          std::string("  %x = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, "
                      "i32 %t, i32 0, i32 31)\n") +
          load)
          .ok());
}

TEST_F(Findings, RaceWithACopy) {
  options.races = true;
  std::string issue =
      "  %from = getelementptr <4 x i32>, ptr addrspace(1) %data, i32 %t\n"
      "  %to = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %t\n"
      "  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) "
      "%to, ptr addrspace(1) %from)\n"
      "  call void @llvm.nvvm.cp.async.commit.group()\n";
  std::string wait = "  call void @llvm.nvvm.cp.async.wait.group(i32 0)\n";
  std::string barrier =
      "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n";
  std::string load = "  %n = xor i32 %t, 1\n"
                     "  %p = getelementptr <4 x i32>, ptr addrspace(3) "
                     "@shared, i32 %n\n  %v = load i32, ptr addrspace(3) %p\n";
  EXPECT_TRUE(run(issue + wait + barrier + load).ok());
  LaunchReport report = run(issue + barrier + load);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.findings.front().kind, FindingKind::AsyncRace);
  EXPECT_NE(report.text().find("llvm.nvvm.cp.async.cg.shared.global.16"),
            std::string::npos);
  // Waited for, but only by the thread that copied.
  report = run(issue + wait + load);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.findings.front().kind, FindingKind::Race);
}

TEST_F(Findings, Wavefronts) {
  options.wavefronts = true;
  auto traffic = [&](int stride, const char *type) {
    LaunchReport report =
        run("  %i = mul i32 %t, " + std::to_string(stride) +
            "\n  %o = and i32 %i, 1008\n  %p = getelementptr i8, ptr "
            "addrspace(3) @shared, i32 " +
            (stride % 16 ? "%i" : "%o") + "\n  %v = load " + type +
            ", ptr addrspace(3) %p, align 4\n");
    EXPECT_EQ(report.traffic.size(), 1u) << report.text();
    return std::make_pair(report.wavefronts(), report.idealWavefronts());
  };
  using Counts = std::pair<uint64_t, uint64_t>;
  EXPECT_EQ(traffic(4, "i32"), Counts(1, 1));  // neighbours
  EXPECT_EQ(traffic(8, "i32"), Counts(2, 1));  // every second bank
  EXPECT_EQ(traffic(12, "i32"), Counts(1, 1)); // odd strides are free
  EXPECT_EQ(traffic(0, "i32"), Counts(1, 1));  // one word for all
  EXPECT_EQ(traffic(16, "<4 x i32>"), Counts(4, 4));
  EXPECT_EQ(traffic(32, "<4 x i32>"), Counts(8, 4));
}

TEST_F(Findings, RefusedLaunches) {
  TestKernel kernel(kernelOf("  store i32 0, ptr addrspace(3) @other\n"
                             "  call void @llvm.nvvm.barrier.cta.sync.aligned."
                             "all(i32 0)\n"));
  EXPECT_NE(kernel.refusal().find("expected 1 arguments, found 0"),
            std::string::npos);
  kernel.buffer(data);
  EXPECT_NE(kernel.refusal({}, {1025, 1, 1}).find("expected 1 to 1024"),
            std::string::npos);
  EXPECT_NE(kernel.refusal({0, 1, 1}).find("blocks, found 0 x 1"),
            std::string::npos);
  EXPECT_NE(
      kernel.refusal({}, {32, 1, 1}, 240000)
          .find("expected at most 232448 bytes of shared memory for a block, "
                "found 240016"),
      std::string::npos);
  auto missing = kernel.simulator->launch("nothing", {}, {}, 0, {});
  EXPECT_NE(
      llvm::toString(missing.takeError())
          .find("there is no kernel 'nothing' in the module, which has k"),
      std::string::npos);
}

TEST_F(Findings, UnknownInstructions) {
  TestKernel intrinsic("declare void @llvm.nvvm.exit()\n"
                       "define ptx_kernel void @k() {\n"
                       "  call void @llvm.nvvm.exit()\n  ret void\n}\n");
  EXPECT_NE(intrinsic.refusal().find("does not know 'llvm.nvvm.exit' in "
                                     "kernel 'k'"),
            std::string::npos);
  TestKernel assembly("define ptx_kernel void @k() {\n"
                      "  call void asm sideeffect \"trap.softly 7;\", \"\"()\n"
                      "  ret void\n}\n");
  std::string refusal = assembly.refusal();
  EXPECT_NE(refusal.find("does not know 'trap.softly'; in 'trap.softly 7;'"),
            std::string::npos)
      << refusal;
  TestKernel call("declare void @outside()\n"
                  "define ptx_kernel void @k() {\n"
                  "  call void @outside()\n  ret void\n}\n");
  EXPECT_NE(call.refusal().find("calls 'outside', which has no body"),
            std::string::npos);
}

TEST_F(Findings, CancelledLaunches) {
  options.cancelled = [] { return true; };
  TestKernel kernel(kernelOf(""), options);
  EXPECT_NE(kernel.buffer(data).refusal().find("launch of 'k' was cancelled"),
            std::string::npos);
}

/// A launch after one that failed starts afresh.
TEST_F(Findings, RecoversFromAStop) {
  TestKernel kernel(
      kernelOf("  %p = getelementptr i32, ptr addrspace(1) %data, i32 %t\n"
               "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
               "  store i32 %t, ptr addrspace(1) %p\n"));
  kernel.buffer(data, true, 64);
  EXPECT_FALSE(kernel.run({3, 1, 1}, {96, 1, 1}).ok());
  EXPECT_TRUE(kernel.run({3, 1, 1}, {64, 1, 1}).ok());
  EXPECT_EQ(data[63], 63u);
  EXPECT_EQ(data[64], 7u);
}

} // namespace
