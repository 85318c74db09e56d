//===- ScheduleFit.cpp - Schedules made to fit a problem ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/ScheduleFit.h"
#include "Kernels/Matmul/Epilogue/EpilogueLoad.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Threads of a block that may have all registers, and scales of a row and unit
// for which twice as many threads have enough.
static constexpr int64_t kFewThreads = 256, kFewScales = 4, kMostStages = 4;
// Tokens of a warp whose MMAs with two planes need more than there are.
static constexpr int64_t kManyTokens = 64;
// Tokens of a warpgroup that leave room for the weights of two planes.
static constexpr int64_t kMostTokens = 128;

ScheduleAttr
mlir::sparseflow::withRoomForEpilogueLoad(const MatmulProblem &problem) {
  ScheduleAttr schedule = problem.schedule;
  if (!schedule.getProducerWarps() || schedule.getStages() < 4 ||
      EpilogueLoad::plan(problem).stages)
    return schedule;
  MatmulProblem smaller = problem;
  smaller.schedule = ScheduleAttr::get(
      schedule.getContext(), schedule.getName(), schedule.getBlock(),
      schedule.getWarp(), schedule.getK(), schedule.getStages() - 1,
      schedule.getSplitK(), schedule.getGroup(), schedule.getMaxTokens(),
      schedule.getWarpgroup(), schedule.getProducerWarps(),
      schedule.getCluster(), schedule.getGrid(), schedule.getStoreTokens(),
      schedule.getStoreBuffers(), schedule.getDepthWarps(), schedule.getHeld());
  return EpilogueLoad::plan(smaller).stages ? smaller.schedule : schedule;
}

ScheduleAttr mlir::sparseflow::withRoomForScales(const MatmulProblem &problem) {
  ScheduleAttr schedule = problem.schedule;
  if (!problem.scales)
    return schedule;
  const LoopScales &scales = *problem.scales;
  bool twoPlanes = scales.planes > 1, streamed = schedule.isStreamed();
  if (schedule.getProducerWarps() && (!problem.isInteger() || !twoPlanes ||
                                      schedule.getWarp()[1] <= kMostTokens))
    return schedule;
  int64_t perUnit =
      llvm::divideCeil(schedule.getK(), scales.columns) * scales.planes;
  int64_t stages = schedule.getStages(), depthWarps = schedule.getDepthWarps();
  int64_t threads = schedule.getNumWarps() * 32;
  SmallVector<int64_t> block(schedule.getBlock()), warp(schedule.getWarp());
  if (streamed && threads > kFewThreads && perUnit > kFewScales &&
      depthWarps % 2 == 0) {
    depthWarps /= 2;
    stages = std::min(2 * stages, kMostStages);
  } else if (!streamed && twoPlanes && warp[1] >= kManyTokens) {
    block[1] /= 2;
    warp[1] /= 2;
  } else {
    return schedule;
  }
  return ScheduleAttr::get(
      schedule.getContext(), schedule.getName(), block, warp, schedule.getK(),
      stages, schedule.getSplitK(), schedule.getGroup(),
      schedule.getMaxTokens(), schedule.getWarpgroup(),
      schedule.getProducerWarps(), schedule.getCluster(), schedule.getGrid(),
      schedule.getStoreTokens(), schedule.getStoreBuffers(), depthWarps,
      schedule.getHeld());
}
