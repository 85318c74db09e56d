//===- ScheduleFit.cpp - Schedules made to fit a problem ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/ScheduleFit.h"
#include "Kernels/Matmul/Epilogue/EpilogueLoad.h"
#include "Kernels/Matmul/MatmulPipeline.h"
#include "SparseFlow/Target/NVPTX/Resources.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

ScheduleAttr
mlir::sparseflow::withRoomForEpilogueLoad(const MatmulProblem &problem) {
  ScheduleAttr schedule = problem.schedule;
  if (!schedule.getProducerWarps() || schedule.getStages() < 4 ||
      EpilogueLoad::plan(problem).stages)
    return schedule;
  MatmulProblem smaller = problem;
  smaller.schedule = schedule.withStages(schedule.getStages() - 1);
  return EpilogueLoad::plan(smaller).stages ? smaller.schedule : schedule;
}

ScheduleAttr
mlir::sparseflow::withRoomForBothWeights(const MatmulProblem &problem) {
  int64_t bytes = 0;
  std::unique_ptr<OperandB> operandB;
  if (problem.schedule.getProducerWarps())
    operandB = OperandB::ofProducers(problem);
  else
    operandB =
        MultistageOperandB::create(compositionOf(problem).activations, problem);
  for (TileType tile :
       MatmulPipeline::stageTiles(*OperandA::create(problem), *operandB))
    bytes += tile.getBytes();
  int64_t most = SMLimits::ofComputeCapability(problem.computeCapability)
                     .sharedBytesPerBlock -
                 operandB->heldBytes();
  ScheduleAttr schedule = problem.schedule;
  int64_t stages = std::min(schedule.getStages(), most / bytes);
  // All but one are on their way.
  if (stages < 2 || 2 * (stages - 1) < schedule.getStages() - 1)
    return {};
  return schedule.withStages(stages);
}
