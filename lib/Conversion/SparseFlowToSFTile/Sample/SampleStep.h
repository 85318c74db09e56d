//===- SampleStep.h - Sampling becomes a kernel and a step ------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_SAMPLE_SAMPLESTEP_H
#define SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_SAMPLE_SAMPLESTEP_H

#include "Conversion/SparseFlowToSFTile/HostProgramBuilder.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

namespace mlir::sparseflow {

/// Generates the kernel of `op`, whose name begins with `prefix`, and appends
/// the step that launches it.
LogicalResult convertSample(SampleOp op, HostProgramBuilder &program,
                            OpBuilder &kernelBuilder, const std::string &prefix,
                            unsigned computeCapability);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_SAMPLE_SAMPLESTEP_H
