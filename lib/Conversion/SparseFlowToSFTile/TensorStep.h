//===- TensorStep.h - Kernels of tensor ops, and their launches -*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_TENSORSTEP_H
#define SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_TENSORSTEP_H

#include "HostProgramBuilder.h"
#include "Kernels/Rotation/TokenQuantizer.h"
#include "Kernels/Tensor/TensorGroup.h"

namespace mlir::sparseflow {

/// Converts the first of `roots`, which sparseflow-form-kernels made the root
/// of a kernel, with the ops that it inlined, to a step of `program`. Those
/// behind it have the form map, as it has, and nothing is computed between
/// them: as many as read nothing of those in front of them are part of the same
/// launch. Gives how many roots have been converted. Kernels go to `kernels`
/// and have names that begin with `prefix`. `programmatic`: they are launched
/// with PDL.
FailureOr<size_t> convertTensorOps(ArrayRef<Operation *> roots,
                                   HostProgramBuilder &program,
                                   OpBuilder &kernels,
                                   const std::string &prefix,
                                   bool programmatic);

/// The variants of a step that computes `root`, of the form rows, alone.
FailureOr<SmallVector<Variant>>
rowsVariants(Operation *root, HostProgramBuilder &program, OpBuilder &kernels,
             const std::string &prefix, bool programmatic);

/// Rows that a kernel of other ops computes: what it is launched with for them.
struct CollectedRows {
  std::shared_ptr<const ComputedRows> rows;
  /// Pointers to the inputs, and integers.
  SmallVector<Value> inputs, numbers;

  /// Adds that the inputs are aligned to accesses.
  void require(Variant &variant) const;
};

/// Those of `root`, of the form rows, with one result.
FailureOr<CollectedRows> collectRows(Operation *root,
                                     HostProgramBuilder &program);

/// The variants of a step that quantizes the rows of `root`, shared by threads
/// as `token` says, times `signs` (or null) and rotated if `token` says so.
/// `results` are the values, scales and sums.
FailureOr<SmallVector<Variant>>
quantizedRowsVariants(Operation *root, const TokenShape &token, Value signs,
                      ArrayRef<Value> results, HostProgramBuilder &program,
                      OpBuilder &kernels, const std::string &prefix,
                      bool programmatic);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_TENSORSTEP_H
