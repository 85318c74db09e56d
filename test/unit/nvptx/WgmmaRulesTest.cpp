//===- WgmmaRulesTest.cpp - Rules for registers of wgmma ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/NVPTX/WgmmaRules.h"

#include <gtest/gtest.h>

using namespace mlir::sparseflow;

/// A kernel with these instructions.
static std::string kernelOf(const std::string &body) {
  return ".version 8.5\n.target sm_90a\n.visible .entry k(\n\t.param .u64 "
         "p\n)\n"
         ".maxntid 128, 1, 1\n{\n.reg .pred %p<3>;\n.reg .b32 %r<20>;\n" +
         body + "ret;\n}\n";
}

static const std::string kFence = "wgmma.fence.sync.aligned;\n",
                         kCommit = "wgmma.commit_group.sync.aligned;\n",
                         kWait0 = "wgmma.wait_group.sync.aligned 0;\n",
                         kWait1 = "wgmma.wait_group.sync.aligned 1;\n",
                         kLabel = "$L__BB0_1:\n",
                         kLoop = "@%p2 bra $L__BB0_1;\n";

/// An MMA as the back end writes them, with accumulators %r<acc>, %r<acc + 1>
/// and A in %r<a>, %r<a + 1>.
static std::string mma(int acc, int a) {
  auto pair = [](int first) {
    return "{%r" + std::to_string(first) + ", %r" + std::to_string(first + 1) +
           "}";
  };
  return "\t// begin inline asm\n\t{ .reg .pred p; setp.eq.u32 p, 0, 0; "
         "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 " +
         pair(acc) + ", " + pair(a) +
         ", %rd1, p, 1, 1, 0; }\n\t// end inline asm\n";
}

static std::string read(int reg) {
  return "st.shared.b32 [%r19], %r" + std::to_string(reg) + ";\n";
}
static std::string write(int reg) {
  return "mov.b32 %r" + std::to_string(reg) + ", 0;\n";
}

static std::vector<std::string> hazards(const std::string &body) {
  std::string text = kernelOf(body);
  std::vector<PtxKernel> kernels = readPtx(text);
  EXPECT_EQ(kernels.size(), 1u);
  return findWgmmaHazards(kernels.front());
}

static void expectOne(const std::string &body, const std::string &text) {
  std::vector<std::string> found = hazards(body);
  ASSERT_FALSE(found.empty()) << body;
  EXPECT_NE(found.front().find(text), std::string::npos) << found.front();
}

TEST(WgmmaRules, ReadsInstructionsScopesAndLoops) {
  std::string text = kernelOf(
      "{ .reg .pred p; WAIT: mbarrier.try_wait.parity.shared::cta.b64 p, "
      "[%r1], %r2; @p bra DONE; bra WAIT; DONE: }\n" +
      kLabel + "setp.lt.s32 %p2, %r1, %r2;\n" +
      "shfl.sync.bfly.b32 %r3|%p1, %r4, 1, 31, -1;\n" + kLoop);
  std::vector<PtxKernel> kernels = readPtx(text);
  ASSERT_EQ(kernels.size(), 1u);
  const PtxKernel &kernel = kernels.front();
  EXPECT_EQ(kernel.name, "k");
  ASSERT_EQ(kernel.instructions.size(), 7u);
  EXPECT_TRUE(kernel.instructions[0].is("mbarrier.try_wait"));
  EXPECT_FALSE(kernel.instructions[0].is("mbarrier.try"));
  EXPECT_TRUE(kernel.instructions[0].writesFirst);
  EXPECT_EQ(kernel.instructions[0].line, 10u);
  EXPECT_EQ(kernel.instructions[4].operands[0].registers.size(), 2u);
  EXPECT_TRUE(kernel.instructions[5].guarded);
  // The wait loops, and so does the block behind the label.
  std::vector<llvm::BitVector> loops = findLoops(kernel);
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_EQ(loops[0].count(), 2u);
  EXPECT_EQ(loops[1].count(), 1u);
}

TEST(WgmmaRules, AllowsWhatPtxAllows) {
  // Two groups under way, the older read while the younger runs.
  EXPECT_TRUE(hazards(write(0) + write(4) + kFence + mma(0, 4) + mma(0, 4) +
                      kCommit + kFence + mma(2, 6) + kCommit + kWait1 +
                      read(0) + write(0) + write(4) + kWait0 + read(2))
                  .empty());
  // In a loop.
  EXPECT_TRUE(hazards(kFence + mma(0, 4) + kCommit + kLabel + write(6) +
                      kFence + mma(2, 6) + kCommit + kWait1 + read(0) +
                      write(4) + kFence + mma(0, 4) + kCommit + kWait1 +
                      read(2) + kLoop + kWait0)
                  .empty());
}

TEST(WgmmaRules, FindsWritesBehindTheFence) {
  expectOne(kFence + write(1) + mma(0, 4) + kCommit + kWait0,
            "expected wgmma.fence between a write to %r1 and the wgmma that "
            "takes it, found the write in line 11");
  expectOne(kFence + write(5) + mma(0, 4) + kCommit + kWait0, "a write to %r5");
  // Along the back edge alone.
  expectOne(kFence + kLabel + mma(0, 4) + kCommit + kWait0 + write(4) + kLoop,
            "a write to %r4");
}

TEST(WgmmaRules, FindsAMissingFence) {
  expectOne(mma(0, 4) + kCommit + kWait0, "before the first wgmma, found none");
  // On one of two paths.
  expectOne("@%p1 bra $L__BB0_1;\n" + kFence + kLabel + mma(0, 4) + kCommit +
                kWait0,
            "found none on some path");
}

TEST(WgmmaRules, FindsAccessesBeforeTheWait) {
  expectOne(kFence + mma(0, 4) + kCommit + read(0) + kWait0,
            "before accumulator %r0 of an MMA under way is read, found "
            "'st.shared.b32'");
  expectOne(kFence + mma(0, 4) + kCommit + write(1) + kWait0,
            "accumulator %r1 of an MMA under way is written");
  expectOne(kFence + mma(0, 4) + kCommit + write(5) + kWait0,
            "operand %r5 of an MMA under way is written");
  expectOne(kFence + mma(0, 4) + kCommit + kFence + mma(2, 0) + kCommit +
                kWait0,
            "found it as an operand");
  expectOne(kFence + mma(0, 4) + kCommit + kFence + mma(4, 6) + kCommit +
                kWait0,
            "found it as an accumulator");
}

TEST(WgmmaRules, FindsAWaitThatLeavesTooMany) {
  std::string two = kFence + mma(0, 4) + kCommit + kFence + mma(2, 6) + kCommit;
  EXPECT_TRUE(hazards(two + kWait1 + read(0) + kWait0 + read(2)).empty());
  expectOne(two + kWait1 + read(2), "accumulator %r2");
  // In no group: no wait covers it.
  expectOne(kFence + mma(0, 4) + kWait0 + read(0), "accumulator %r0");
  // The younger of two paths counts.
  expectOne(kFence + mma(0, 4) + kCommit + "@%p1 bra $L__BB0_1;\n" + kFence +
                mma(2, 6) + kCommit + kLabel + kWait1 + read(0),
            "accumulator %r0");
}

TEST(WgmmaRules, SurvivesAnyText) {
  std::string text =
      kernelOf(kFence + mma(0, 4) + kCommit + kWait0 + kLabel + kLoop);
  for (size_t size = 0; size < text.size(); ++size)
    for (const PtxKernel &kernel :
         readPtx(llvm::StringRef(text).take_front(size))) {
      findWgmmaHazards(kernel);
      findLoops(kernel);
    }
  for (char c : std::string("{}[](),;:.@%$ \n/"))
    for (size_t at = 0; at < text.size(); ++at) {
      std::string changed = text;
      changed[at] = c;
      for (const PtxKernel &kernel : readPtx(changed))
        findWgmmaHazards(kernel);
    }
}
