//===- RotationStep.h - Rotations beside other ops --------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_ROTATIONSTEP_H
#define SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_ROTATIONSTEP_H

#include "Conversion/SparseFlowToSFTile/Steps.h"

namespace mlir::sparseflow {

/// Generates the kernels of `op` and returns the variants of the step that
/// launches them. With `second` they rotate what that does, too.
FailureOr<SmallVector<Variant>> rotationVariants(HadamardOp op,
                                                 const StepContext &context,
                                                 HadamardOp second = {});

/// The variants of a step that rotates by `op` and quantizes. `results` are the
/// values, scales and sums.
FailureOr<SmallVector<Variant>>
rotatedQuantizeVariants(HadamardOp op, const StepContext &context,
                        ArrayRef<Value> results, bool natural);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_ROTATIONSTEP_H
