//===- LaunchGroup.h - Operations that share a launch -----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matmuls of few tokens take little longer than their launches, and a model has
// several of the same activations: queries, keys and values; gate and up. Their
// kernels for few tokens compute them in one launch, weights where they are:
// all of them where weights are ternary (StreamedMatmul.cpp), a gated product
// where they are dense or 2:4 (MultistageMatmul.cpp) and, of more tokens, where
// activations have 8 bits (WarpSpecializedMatmul.cpp). Others have their own.
//
// Rotations without signs, such as those of queries and keys, are two a launch.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_LAUNCH_LAUNCHGROUP_H
#define SPARSEFLOW_LIB_LAUNCH_LAUNCHGROUP_H

#include "SparseFlow/Conversion/SparseFlowToSFTile/Passes.h"
#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

namespace mlir::sparseflow {

/// Matmuls of one x in one block, in its order.
struct LaunchGroup {
  SmallVector<MatmulOp> members;
  /// Of the second of two: the epilogue operand that is the first's result,
  /// which nobody else reads. Nothing: all stand for themselves, and their
  /// epilogues are equal.
  std::optional<int64_t> gatedOperand;

  MatmulOp first() const { return members.front(); }
  /// Rows of weights of all members.
  int64_t rows() const;
};

/// The group that `op` belongs to, if it has company: weights of one form and
/// K, and everything that the members read is there when the first of them is
/// to be computed.
std::optional<LaunchGroup> launchGroupOf(MatmulOp op);

/// Whether nothing is launched for `op`.
bool isLaunchless(Operation *op);

/// The first op behind `op` that is launched, or the terminator.
Operation *nextLaunched(Operation *op);

/// The rotation before `op` with which it may share a launch, or null: of
/// equal blocks and elements, both without signs, with nothing between them
/// that is launched, and `op` reads nothing of it.
HadamardOp rotationBefore(HadamardOp op);

/// The schedules of an operation: kSchedulesAttr, or another list of them.
template <typename Schedule = sftile::ScheduleAttr>
SmallVector<Schedule> schedulesOf(Operation *op,
                                  StringRef attribute = kSchedulesAttr) {
  SmallVector<Schedule> schedules;
  if (auto list = op->getAttrOfType<ArrayAttr>(attribute))
    for (Attribute element : list)
      if (auto schedule = dyn_cast<Schedule>(element))
        schedules.push_back(schedule);
  return schedules;
}

/// Whether kernels of ternary weights with this schedule can compute several
/// matmuls.
inline bool mayShareLaunch(sftile::ScheduleAttr schedule) {
  return schedule.isStreamed();
}

/// What two schedules must have in common so that one kernel serves the tokens
/// of both; null of those that nothing shares: their kernels depend on how many
/// tokens they are for.
Attribute sharedKernelOf(sftile::ScheduleAttr schedule);

/// The most rows for which the kernel of `schedule` is launched, in all of the
/// intervals that it serves; 0 for any number.
int64_t mostRowsOf(ArrayRef<sftile::ScheduleAttr> schedules,
                   sftile::ScheduleAttr schedule);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_LAUNCH_LAUNCHGROUP_H
