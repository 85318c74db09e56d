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
