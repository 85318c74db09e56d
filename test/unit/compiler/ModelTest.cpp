//===- ModelTest.cpp - What bounds a kernel, by hand ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/NVPTX/Model.h"
#include "SparseFlow/Target/NVPTX/TargetInfo.h"

#include "gtest/gtest.h"

using namespace mlir::sparseflow;

// Round numbers: 100 SMs at 1 GHz.
static constexpr TargetPeaks kChip = {"chip", "board", 100, 200,
                                      10,     1000,    100, 1};

TEST(Model, EveryTargetHasPeaks) {
  for (const TargetInfo &target : knownTargets()) {
    const TargetPeaks *peaks = findPeaks(target.name);
    ASSERT_NE(peaks, nullptr) << target.name.str();
    // A 2:4 product is twice as fast, up to what data sheets round.
    EXPECT_NEAR(peaks->sparseTflops / peaks->denseTflops, 2, 0.03);
    EXPECT_GT(peaks->memoryGBps, 0);
  }
  EXPECT_EQ(findPeaks("sm_75"), nullptr);
  EXPECT_EQ(findPeaks("sm_89", "NVIDIA L4")->board, "L4");
  EXPECT_EQ(findPeaks("sm_89", "NVIDIA L40S")->board, "L40S");
  EXPECT_EQ(findPeaks("sm_86", "NVIDIA GeForce RTX 3090")->multiprocessors, 82);
  EXPECT_EQ(findPeaks("sm_86", "NVIDIA RTX A5000")->board, "A40");
}

TEST(Model, DenseProductOfFullWaves) {
  KernelWork work;
  work.tokens = 1280;
  work.n = 1280;
  work.k = 1000;
  work.block[0] = work.block[1] = 128;
  work.warp[0] = work.warp[1] = 64;
  work.memoryBytes = 1e6;
  Prediction p = predict(kChip, work);
  EXPECT_EQ(p.blocks, 100);
  EXPECT_EQ(p.utilization, 1);
  EXPECT_EQ(p.flops, 2.0 * 1280 * 1280 * 1000);
  EXPECT_DOUBLE_EQ(p.compute, p.flops / 100e6);
  EXPECT_DOUBLE_EQ(p.memory, 1);
  // A block writes (128 + 128) * 2 bytes for each element of the depth; its
  // four warps read (64 + 64) * 2 each.
  EXPECT_EQ(p.sharedBytes, 100.0 * 1000 * (512 + 1024));
  EXPECT_DOUBLE_EQ(p.shared, p.sharedBytes / (128 * 100 * 1e3));
  EXPECT_EQ(p.bound, "compute");
  EXPECT_EQ(p.time, p.compute);
}

TEST(Model, SparseWeightsHalveTheTimeAndTheBytes) {
  KernelWork work;
  work.tokens = 128;
  work.n = 12800;
  work.k = 64;
  work.isSparse = true;
  work.block[0] = work.block[1] = 128;
  work.warp[0] = 16;
  work.warp[1] = 128;
  work.warpgroup = 4;
  Prediction p = predict(kChip, work);
  EXPECT_DOUBLE_EQ(p.compute, p.flops / 200e6);
  // 1.125 bytes an element; eight warps, four of which read tokens together.
  EXPECT_EQ(p.sharedBytes,
            100.0 * 64 * (128 * 1.125 + 256 + 8 * (16 * 1.125 + 64)));
}

TEST(Model, IdleMultiprocessorsCost) {
  KernelWork work;
  work.tokens = 16;
  work.n = 1280;
  work.k = 1024;
  work.block[0] = 128;
  work.block[1] = 16;
  work.warp[0] = 32;
  work.warp[1] = 16;
  Prediction ten = predict(kChip, work);
  EXPECT_EQ(ten.blocks, 10);
  EXPECT_DOUBLE_EQ(ten.utilization, 0.1);
  work.splitK = 10;
  Prediction hundred = predict(kChip, work);
  EXPECT_EQ(hundred.blocks, 100);
  EXPECT_DOUBLE_EQ(hundred.compute * 10, ten.compute);
  // One block more than a wave takes a second one.
  work.splitK = 1;
  work.n = 128 * 101;
  EXPECT_DOUBLE_EQ(predict(kChip, work).utilization, 101.0 / 200);
}

TEST(Model, ElementwiseKernelsAreBoundByMemory) {
  KernelWork work;
  work.tokens = 4096;
  work.n = 4096;
  work.elementOps = 3;
  work.memoryBytes = 2.0 * 4096 * 4096 * 2;
  work.block[0] = 128;
  work.block[1] = 16;
  work.warp[0] = 64;
  work.warp[1] = 8;
  Prediction p = predict(kChip, work);
  EXPECT_EQ(p.bound, "memory");
  EXPECT_EQ(p.flops, 3.0 * 4096 * 4096);
  EXPECT_EQ(p.sharedBytes, 0);
}

TEST(Model, NothingTakesNoTime) {
  Prediction p = predict(kChip, KernelWork());
  EXPECT_EQ(p.blocks, 0);
  EXPECT_EQ(p.time, 0);
}
