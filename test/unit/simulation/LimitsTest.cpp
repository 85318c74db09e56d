//===- LimitsTest.cpp - What a target's blocks may use --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Limits.h"

#include <gtest/gtest.h>

using namespace mlir::sparseflow;
using namespace mlir::sparseflow::simulation;

static std::string check(const BlockNeeds &needs, const char *name) {
  auto target = parseTarget(name);
  EXPECT_TRUE(static_cast<bool>(target));
  return llvm::toString(checkLimits(needs, **target));
}

TEST(Limits, ThreadsOfABlock) {
  BlockNeeds needs;
  needs.kernel = "k";
  needs.threads = 1024;
  EXPECT_EQ(check(needs, "sm_80"), "");
  needs.threads = 1025;
  EXPECT_EQ(check(needs, "sm_80"),
            "kernel 'k' is launched with 1025 threads a block; sm_80 has at "
            "most 1024: take fewer or larger warps in the schedule");
}

TEST(Limits, SharedMemoryIsTheTargets) {
  BlockNeeds needs;
  needs.kernel = "k";
  for (auto [name, bytes] : {std::pair<const char *, int64_t>{"sm_80", 166912},
                             {"sm_86", 101376},
                             {"sm_90a", 232448}}) {
    needs.sharedBytes = bytes;
    EXPECT_EQ(check(needs, name), "");
    ++needs.sharedBytes;
    EXPECT_NE(check(needs, name)
                  .find("bytes of shared memory a block; " + std::string(name) +
                        " has at most " + std::to_string(bytes)),
              std::string::npos);
  }
}

// 65536 registers, given to warps, in eights a thread.
TEST(Limits, RegistersOfABlock) {
  BlockNeeds needs;
  needs.kernel = "k";
  auto fits = [&](int64_t threads, int64_t registers) {
    needs.threads = threads;
    needs.registers = registers;
    return check(needs, "sm_90").empty();
  };
  EXPECT_TRUE(fits(1024, 0));
  EXPECT_TRUE(fits(1024, 64));
  EXPECT_FALSE(fits(1024, 65));
  EXPECT_TRUE(fits(256, 255));
  EXPECT_TRUE(fits(257, 224));
  EXPECT_FALSE(fits(257, 255));
  EXPECT_TRUE(fits(384, 168));
  EXPECT_FALSE(fits(384, 169));
  EXPECT_EQ(check(needs, "sm_90"),
            "kernel 'k' needs 169 registers a thread, for 384 threads a block "
            "67584 in all; sm_90 has 65536: state the number of threads in the "
            "kernel (nvvm.maxntid), so that ptxas keeps to 168 registers, or "
            "take smaller warp tiles in the schedule");
}
