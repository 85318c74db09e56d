//===- TensorStep.h - Rows of tensor ops beside other ops -------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_TENSORSTEP_H
#define SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_TENSORSTEP_H

#include "Conversion/SparseFlowToSFTile/Steps.h"
#include "Kernels/Rotation/TokenQuantizer.h"
#include "Kernels/Tensor/TensorGroup.h"
#include "Launch/TensorOperands.h"

namespace mlir::sparseflow {

/// The variants of a step that computes `root`, of the form rows, alone.
FailureOr<SmallVector<Variant>> rowsVariants(Operation *root,
                                             const StepContext &context);

/// The variants of a step that quantizes the rows of `root`, shared by threads
/// as `token` says, times `signs` (or null) and rotated if `token` says so.
/// `results` are the values, scales and sums.
FailureOr<SmallVector<Variant>>
quantizedRowsVariants(Operation *root, const TokenShape &token, Value signs,
                      ArrayRef<Value> results, const StepContext &context);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_TENSORSTEP_H
