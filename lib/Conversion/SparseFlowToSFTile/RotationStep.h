//===- RotationStep.h - A rotation becomes kernels and a step ---*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_ROTATIONSTEP_H
#define SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_ROTATIONSTEP_H

#include "HostProgramBuilder.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

namespace mlir::sparseflow {

/// Generates the kernels of `op`, whose names begin with `prefix`, and returns
/// the variants of the step that launches them.
FailureOr<SmallVector<Variant>> rotationVariants(HadamardOp op,
                                                 HostProgramBuilder &program,
                                                 OpBuilder &kernelBuilder,
                                                 const std::string &prefix,
                                                 unsigned computeCapability);

/// The variants of a step that rotates by `op` and quantizes. `results` are the
/// values, scales and sums.
FailureOr<SmallVector<Variant>>
rotatedQuantizeVariants(HadamardOp op, HostProgramBuilder &program,
                        OpBuilder &kernelBuilder, const std::string &prefix,
                        unsigned computeCapability, ArrayRef<Value> results,
                        bool natural);

/// Appends the step of `op`.
LogicalResult convertRotation(HadamardOp op, HostProgramBuilder &program,
                              OpBuilder &kernelBuilder,
                              const std::string &prefix,
                              unsigned computeCapability);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_ROTATIONSTEP_H
