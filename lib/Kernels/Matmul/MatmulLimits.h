//===- MatmulLimits.h - Schedules that a matmul can have -------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_MATMULLIMITS_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_MATMULLIMITS_H

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

namespace mlir::sparseflow {

/// Checks that the kernel of `schedule` can be generated for `op`: that its
/// stages hold whole units of the weight, that warps and warpgroups multiply as
/// its kind of weight allows, and that split-K leaves work to every part. An
/// error names what `op` has, what the schedule needs, and the schedule.
LogicalResult verifySchedule(MatmulOp op, sftile::ScheduleAttr schedule);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_MATMULLIMITS_H
