//===- ClusterTest.cpp - CTAs that run together ---------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatorTestSupport.h"

#include <set>

using namespace mlir::sparseflow::sim;

namespace {

const char *const declarations = R"(
@shared = external addrspace(3) global [0 x i8], align 1024
@bar = internal addrspace(3) global i64 poison, align 8
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.clusterid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.nctarank()
declare ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3), i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare void @llvm.nvvm.barrier.cluster.arrive.aligned()
declare void @llvm.nvvm.barrier.cluster.wait.aligned()
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare void @llvm.nvvm.fence.mbarrier_init.release.cluster()
declare i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3), i32)
declare void @llvm.nvvm.mbarrier.arrive.scope.cta.space.cluster(ptr addrspace(7), i32)
declare i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3), i32)
declare void @llvm.nvvm.cp.async.bulk.global.to.shared.cluster(ptr addrspace(7), ptr addrspace(3), ptr addrspace(1), i32, i16, i64, i1, i1)
declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d(ptr addrspace(7), ptr addrspace(3), ptr, i32, i32, i16, i64, i1, i1, i32)
declare void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d(ptr addrspace(3), ptr, i32, i32, i64, i1)
declare {i32, i1} @llvm.nvvm.elect.sync(i32)
declare void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32)
declare void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32)
declare void @llvm.nvvm.griddepcontrol.wait()
declare void @llvm.nvvm.griddepcontrol.launch.dependents()
)";

const char *const clusterBarrier =
    "  call void @llvm.nvvm.barrier.cluster.arrive.aligned()\n"
    "  call void @llvm.nvvm.barrier.cluster.wait.aligned()\n";

/// %t thread, %cta, %rank, %o the thread's word of the output.
std::string kernelOf(const std::string &body, const char *size = "2") {
  return std::string(declarations) + R"(
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %cta = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %rows = mul i32 %cta, 32
  %index = add i32 %rows, %t
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %index
  %w = getelementptr i32, ptr addrspace(3) @shared, i32 %t
  %first = icmp eq i32 %t, 0
)" + body +
         "  ret void\n}\nattributes #0 = { \"nvvm.cluster_dim\"=\"" + size +
         "\" }\n";
}

struct Clusters : testing::Test {
  LaunchReport run(const std::string &text, uint32_t grid = 4,
                   uint32_t threads = 32) {
    TestKernel kernel(text, options);
    return kernel.buffer(in).buffer(out).run({grid, 1, 1}, {threads, 1, 1},
                                             4096);
  }
  Finding only(const LaunchReport &report) {
    EXPECT_EQ(report.findings.size(), 1u) << report.text();
    return report.findings.empty() ? Finding() : report.findings.front();
  }
  std::vector<uint32_t> in = [] {
    std::vector<uint32_t> values(1024);
    for (uint32_t i = 0; i < values.size(); ++i)
      values[i] = i * 3 + 1;
    return values;
  }();
  std::vector<uint32_t> out = std::vector<uint32_t>(1024, 0);
  SimulatorOptions options;
};

TEST_F(Clusters, Registers) {
  LaunchReport report = run(kernelOf(
      "  %id = call i32 @llvm.nvvm.read.ptx.sreg.clusterid.x()\n"
      "  %size = call i32 @llvm.nvvm.read.ptx.sreg.cluster.nctarank()\n"
      "  %b = mul i32 %id, 100\n  %c = mul i32 %size, 10\n"
      "  %d = add i32 %b, %c\n  %e = add i32 %d, %rank\n"
      "  %f = call i32 asm \"mov.u32 $0, %cluster_ctarank;\", \"=r\"()\n"
      "  %g = mul i32 %f, 1000\n  %h = add i32 %e, %g\n"
      "  store i32 %h, ptr addrspace(1) %o\n"));
  ASSERT_TRUE(report.ok()) << report.text();
  EXPECT_EQ(report.blocks, 4u);
  EXPECT_EQ(out[0], 20u);
  EXPECT_EQ(out[32], 1021u);
  EXPECT_EQ(out[64], 120u);
  EXPECT_EQ(out[96], 1121u);
}

TEST_F(Clusters, GridHasToFit) {
  TestKernel kernel(kernelOf(""));
  EXPECT_NE(kernel.buffer(in).buffer(out).refusal({3, 1, 1}).find(
                "expected a grid of multiples of the cluster's 2 x 1 x 1"),
            std::string::npos);
}

TEST_F(Clusters, DistributedSharedMemory) {
  // Each thread writes into its twin of the other CTA.
  const std::string exchange =
      "  %other = xor i32 %rank, 1\n"
      "  %there = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr "
      "addrspace(3) %w, i32 %other)\n"
      "  store i32 %index, ptr addrspace(7) %there\n";
  const std::string read = "  %v = load i32, ptr addrspace(3) %w\n"
                           "  store i32 %v, ptr addrspace(1) %o\n";
  for (uint64_t seed : {0, 1, 2, 3}) {
    options.seed = seed;
    LaunchReport report = run(kernelOf(exchange + clusterBarrier + read));
    ASSERT_TRUE(report.ok()) << report.text();
    for (uint32_t i = 0; i < 128; ++i)
      EXPECT_EQ(out[i], i ^ 32);
  }
  // The same by inline assembly.
  LaunchReport report = run(kernelOf(
      "  %other = xor i32 %rank, 1\n"
      "  call void asm sideeffect \"{ .reg .b32 there; "
      "mapa.shared::cluster.u32 there, $0, $1; st.shared::cluster.u32 "
      "[there+128], $2; }\", \"r,r,r\"(ptr addrspace(3) %w, i32 %other, i32 "
      "%index)\n" +
      std::string(clusterBarrier) +
      "  %v = call i32 asm sideeffect \"ld.shared.u32 $0, [$1+128];\", "
      "\"=r,r\"(ptr addrspace(3) %w)\n"
      "  store i32 %v, ptr addrspace(1) %o\n"));
  ASSERT_TRUE(report.ok()) << report.text();
  EXPECT_EQ(out[33], 1u);
  // A CTA that has ended has no shared memory.
  Finding finding = only(run(kernelOf(
      "  %z = icmp eq i32 %rank, 0\n  br i1 %z, label %end, label %go\ngo:\n" +
      exchange + "  br label %end\nend:\n")));
  EXPECT_EQ(finding.kind, FindingKind::OutOfBounds);
  EXPECT_NE(finding.message.find("which has ended"), std::string::npos)
      << finding.message;
}

// Addresses of CTAs that there are not may be computed, as LLVM does ahead of a
// condition, but not used.
TEST_F(Clusters, RanksBeyondTheCluster) {
  const std::string map =
      "  %there = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr "
      "addrspace(3) %w, i32 %t)\n";
  auto storeBelow = [&](const char *lanes) {
    return kernelOf(map + "  %few = icmp ult i32 %t, " + lanes +
                    "\n  br i1 %few, label %go, label %end\ngo:\n"
                    "  store i32 %t, ptr addrspace(7) %there\n"
                    "  br label %end\nend:\n" +
                    clusterBarrier);
  };
  LaunchReport report = run(storeBelow("2"));
  EXPECT_TRUE(report.ok()) << report.text();
  Finding finding = only(run(storeBelow("3")));
  EXPECT_EQ(finding.kind, FindingKind::OutOfBounds);
  EXPECT_EQ(finding.thread.x, 2u);
}

TEST_F(Clusters, Multicast) {
  // Rank 0 loads for both; each CTA waits at its own mbarrier, and tells rank
  // 0's that it is done.
  const std::string text = kernelOf(
      "  br i1 %first, label %init, label %go\ninit:\n"
      "  %count = xor i32 %rank, 3\n"
      "  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 "
      "1)\n"
      "  call void @llvm.nvvm.fence.mbarrier_init.release.cluster()\n"
      "  %e = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space."
      "cta(ptr addrspace(3) @bar, i32 128)\n"
      "  br label %go\ngo:\n" +
      std::string(clusterBarrier) +
      "  %zero = icmp eq i32 %index, 0\n"
      "  %second = icmp eq i32 %index, 64\n"
      "  %loads = or i1 %zero, %second\n"
      "  br i1 %loads, label %load, label %wait\nload:\n"
      "  %s7 = addrspacecast ptr addrspace(3) @shared to ptr addrspace(7)\n"
      "  %from = getelementptr i32, ptr addrspace(1) %in, i32 %index\n"
      "  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cluster(ptr "
      "addrspace(7) %s7, ptr addrspace(3) @bar, ptr addrspace(1) %from, i32 "
      "128, i16 3, i64 0, i1 true, i1 false)\n"
      "  br label %wait\nwait:\n"
      "  %done = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space."
      "cta(ptr addrspace(3) @bar, i32 0)\n"
      "  br i1 %done, label %ready, label %wait\nready:\n"
      "  %v = load i32, ptr addrspace(3) %w\n"
      "  store i32 %v, ptr addrspace(1) %o\n" +
      clusterBarrier);
  for (uint64_t seed : {0, 1, 2, 3}) {
    options.seed = seed;
    LaunchReport report = run(text);
    ASSERT_TRUE(report.ok()) << report.text();
    for (uint32_t i = 0; i < 128; ++i)
      EXPECT_EQ(out[i], in[i / 64 * 64 + i % 32]) << i;
  }
}

TEST_F(Clusters, RemoteArrive) {
  // Thread 0 of rank 0 waits for one arrival of each CTA.
  for (const std::string arrive :
       {"  call void @llvm.nvvm.mbarrier.arrive.scope.cta.space.cluster(ptr "
        "addrspace(7) %there, i32 1)\n",
        "  %a = ptrtoint ptr addrspace(7) %there to i32\n"
        "  call void asm sideeffect \"mbarrier.arrive.release.cluster.shared::"
        "cluster.b64 _, [$0];\", \"r\"(i32 %a)\n"}) {
    LaunchReport report = run(kernelOf(
        "  br i1 %first, label %init, label %go\ninit:\n"
        "  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, "
        "i32 2)\n  br label %go\ngo:\n" +
        std::string(clusterBarrier) +
        "  br i1 %first, label %one, label %end\none:\n"
        "  %there = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr "
        "addrspace(3) @bar, i32 0)\n" +
        arrive +
        "  %z = icmp eq i32 %rank, 0\n"
        "  br i1 %z, label %wait, label %end\nwait:\n"
        "  %done = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space."
        "cta(ptr addrspace(3) @bar, i32 0)\n"
        "  br i1 %done, label %ready, label %wait\nready:\n"
        "  store i32 77, ptr addrspace(1) %o\n  br label %end\nend:\n" +
        clusterBarrier));
    ASSERT_TRUE(report.ok()) << report.text();
    EXPECT_EQ(out[0], 77u);
    EXPECT_EQ(out[64], 77u);
    out.assign(1024, 0);
  }
}

TEST_F(Clusters, BarrierDeadlock) {
  Finding finding = only(run(kernelOf(
      "  %z = icmp eq i32 %rank, 0\n  br i1 %z, label %go, label %end\ngo:\n"
      "  call void @llvm.nvvm.barrier.cluster.arrive.aligned()\n"
      "  call void @llvm.nvvm.barrier.cluster.wait.aligned()\n"
      "  br label %end2\nend:\n"
      "  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)\n"
      "  br label %end2\nend2:\n")));
  EXPECT_EQ(finding.kind, FindingKind::Deadlock);
  EXPECT_NE(finding.message.find("of CTA 0 of the cluster wait at the "
                                 "cluster's barrier"),
            std::string::npos)
      << finding.message;
}

TEST_F(Clusters, Elect) {
  std::set<uint32_t> leaders;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    options.seed = seed;
    out.assign(1024, 0);
    LaunchReport report = run(
        kernelOf("  %e = call {i32, i1} @llvm.nvvm.elect.sync(i32 -1)\n"
                 "  %p = extractvalue {i32, i1} %e, 1\n"
                 "  %l = extractvalue {i32, i1} %e, 0\n"
                 "  %q = call i32 asm sideeffect \"{ .reg .pred p; elect.sync "
                 "_|p, $1; selp.b32 $0, 1, 0, p; }\", \"=r,r\"(i32 -1)\n"
                 "  %pz = zext i1 %p to i32\n  %same = icmp eq i32 %pz, %q\n"
                 "  %both = and i1 %p, %same\n"
                 "  br i1 %both, label %yes, label %no\nyes:\n"
                 "  %v = add i32 %l, 1\n  store i32 %v, ptr addrspace(1) %o\n"
                 "  br label %no\nno:\n"),
        2);
    ASSERT_TRUE(report.ok()) << report.text();
    int elected = 0;
    for (uint32_t i = 0; i < 32; ++i)
      if (out[i]) {
        ++elected;
        EXPECT_EQ(out[i], i + 1);
        leaders.insert(i);
      }
    EXPECT_EQ(elected, 1);
  }
  EXPECT_GT(leaders.size(), 2u);
}

TEST_F(Clusters, SetMaxRegisters) {
  // 384 threads have 168 registers each: 3 x 128 x 168 in all.
  auto kernel = [&](int producer, int consumers) {
    return kernelOf(
        "  call void @llvm.nvvm.griddepcontrol.launch.dependents()\n"
        "  %p = icmp ult i32 %t, 128\n"
        "  br i1 %p, label %less, label %more\nless:\n"
        "  call void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32 " +
            std::to_string(producer) +
            ")\n  br label %end\nmore:\n"
            "  call void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 " +
            std::to_string(consumers) +
            ")\n  br label %end\nend:\n"
            "  call void @llvm.nvvm.griddepcontrol.wait()\n",
        "1");
  };
  EXPECT_TRUE(run(kernel(24, 240), 1, 384).ok());
  EXPECT_TRUE(run(kernel(40, 232), 1, 384).ok());
  Finding finding = only(run(kernel(40, 240), 1, 384));
  EXPECT_EQ(finding.kind, FindingKind::Deadlock);
  EXPECT_NE(finding.message.find("setmaxnreg for more registers than the block "
                                 "has free"),
            std::string::npos)
      << finding.message;
  finding = only(run(kernel(28, 240), 1, 384));
  EXPECT_NE(finding.message.find("setmaxnreg 28: expected a multiple of 8"),
            std::string::npos)
      << finding.message;
}

TEST_F(Clusters, WaitsForTheKernelBefore) {
  const std::string dependents =
      "  call void @llvm.nvvm.griddepcontrol.launch.dependents()\n";
  const std::string wait = "  call void @llvm.nvvm.griddepcontrol.wait()\n";
  const std::string store = "  store i32 %index, ptr addrspace(1) %o\n";
  const std::string assembly =
      "  call void asm sideeffect \"griddepcontrol.wait;\", \"\"()\n";
  for (const std::string &body :
       {dependents + wait + store, dependents + assembly + store, store}) {
    LaunchReport report = run(kernelOf(body));
    EXPECT_TRUE(report.ok()) << report.text();
  }
  for (const std::string &body :
       {dependents + store + wait, dependents + store}) {
    Finding finding = only(run(kernelOf(body)));
    EXPECT_EQ(finding.kind, FindingKind::MissingFence);
    EXPECT_NE(finding.message.find("expected griddepcontrol.wait first"),
              std::string::npos)
        << finding.message;
  }
}

TEST_F(Clusters, RacesInGlobalMemory) {
  options.races = true;
  // Blocks one after another: at the same time both sides of a race may see it.
  options.threads = 1;
  // Two blocks write one word.
  Finding finding = only(
      run(kernelOf("  %p = getelementptr i32, ptr addrspace(1) %out, i32 %t\n"
                   "  store i32 %cta, ptr addrspace(1) %p\n",
                   "1"),
          2));
  EXPECT_EQ(finding.kind, FindingKind::Race);
  EXPECT_NE(finding.message.find("of buffer 1 was written by another block"),
            std::string::npos)
      << finding.message;
  // One reads what the other writes.
  finding = only(run(kernelOf("  %z = icmp eq i32 %cta, 0\n"
                              "  br i1 %z, label %w1, label %r1\nw1:\n"
                              "  store i32 1, ptr addrspace(1) %out\n"
                              "  br label %end\nr1:\n"
                              "  %v = load i32, ptr addrspace(1) %out\n"
                              "  br label %end\nend:\n",
                              "1"),
                     2));
  EXPECT_EQ(finding.kind, FindingKind::Race);
  // Atomic operations do not conflict, and a counter orders what comes after.
  const std::string ordered =
      "  %p = getelementptr i32, ptr addrspace(1) %out, i32 %index\n"
      "  store i32 7, ptr addrspace(1) %p\n"
      "  %counter = getelementptr i32, ptr addrspace(1) %out, i32 1000\n"
      "  br i1 %first, label %count, label %end\ncount:\n"
      "  %old = atomicrmw add ptr addrspace(1) %counter, i32 1 acq_rel\n"
      "  %last = icmp eq i32 %old, 3\n"
      "  br i1 %last, label %sum, label %end\nsum:\n"
      "  %q = getelementptr i32, ptr addrspace(1) %out, i32 32\n"
      "  %v = load i32, ptr addrspace(1) %q\n"
      "  %r = load i32, ptr addrspace(1) %out\n"
      "  %s = add i32 %v, %r\n"
      "  store i32 %s, ptr addrspace(1) %out\n"
      "  br label %end\nend:\n";
  for (int i = 0; i < 20; ++i) {
    out.assign(1024, 0);
    LaunchReport report = run(kernelOf(ordered, "1"), 4);
    ASSERT_TRUE(report.ok()) << report.text();
    EXPECT_EQ(out[0], 14u);
  }
  std::string wrong = ordered;
  size_t at = wrong.find("  %old = atomicrmw");
  wrong.replace(at, wrong.find('\n', at) - at, "  %old = add i32 %cta, 0");
  EXPECT_FALSE(run(kernelOf(wrong, "1"), 4).ok());
}

} // namespace
