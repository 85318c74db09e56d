//===- TensorOperands.h - Operands of tensor kernels ------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_LAUNCH_TENSOROPERANDS_H
#define SPARSEFLOW_LIB_LAUNCH_TENSOROPERANDS_H

#include "Kernels/Tensor/RowQuantize.h"
#include "Launch/HostProgramBuilder.h"

namespace mlir::sparseflow {

/// The ops of a kernel, and what it is launched with. Kernels keep a reference
/// to `group`.
struct TensorOperands {
  TensorGroup group;
  /// To its inputs, then to its outputs.
  SmallVector<Value> pointers;
  /// Integers, at least one; and what must hold of sizes (i1) so that slices
  /// are inside of what they are taken from.
  SmallVector<Value> numbers, bounds;
  /// Elements of an access, and the dimension that must be a multiple of it
  /// where that is not known.
  int64_t vector = 1;
  std::optional<std::pair<Value, int64_t>> dynamic;

  /// Finds those of `root` and of the ops that its kernel inlines.
  LogicalResult collect(Operation *root, HostProgramBuilder &program);
  /// Whether the kernel of `next` may run at the same time: it reads nothing
  /// that this one writes, and writes nothing that this one reads or writes.
  bool isApartFrom(const TensorOperands &next) const;
};

/// Rows that a kernel of other ops computes: what it is launched with for them.
struct CollectedRows {
  std::shared_ptr<const ComputedRows> rows;
  /// Pointers to the inputs, integers, and what must hold of sizes (i1).
  SmallVector<Value> inputs, numbers, bounds;

  /// Adds that the inputs are aligned to accesses, and what must hold.
  void require(Variant &variant) const;
};

/// Those of `root`, of the form rows, with one result.
FailureOr<CollectedRows> collectRows(Operation *root,
                                     HostProgramBuilder &program);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_LAUNCH_TENSOROPERANDS_H
