//===- ScheduleFit.h - Schedules made to fit a problem ----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row of the schedule table serves problems of many kinds. Some need more of
// a block's resources than the row was tuned with: their kernels take a changed
// row.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_SCHEDULEFIT_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_SCHEDULEFIT_H

#include "Kernels/Matmul/MatmulProblem.h"

namespace mlir::sparseflow {

/// The schedule with a stage less, where that makes room for epilogue operands
/// that come by TMA; otherwise the schedule as it is.
sftile::ScheduleAttr withRoomForEpilogueLoad(const MatmulProblem &problem);

/// The schedule of a gated product with as many of its stages as a block has
/// room for when they hold both weights; null if fewer bytes of weights would
/// be on their way than of one.
sftile::ScheduleAttr withRoomForBothWeights(const MatmulProblem &problem);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_SCHEDULEFIT_H
