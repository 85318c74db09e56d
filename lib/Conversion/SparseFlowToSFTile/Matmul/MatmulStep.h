//===- MatmulStep.h - A matmul becomes kernels and a step ------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_MATMUL_MATMULSTEP_H
#define SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_MATMUL_MATMULSTEP_H

#include "Conversion/SparseFlowToSFTile/HostProgramBuilder.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

namespace mlir::sparseflow {

/// What matmuls of a function are converted with.
struct MatmulContext {
  HostProgramBuilder &program;
  OpBuilder &kernelBuilder;
  /// The names of the kernels begin with it.
  std::string prefix;
  /// major * 10 + minor
  unsigned computeCapability;
  /// Of quantized activations: the sum of every token's values.
  const DenseMap<Value, Value> &sums;
};

/// Generates the kernels of `op` and appends the step that launches them. The
/// first matmul of a launch group appends the launch of all of them; at the
/// others there is then nothing to do.
LogicalResult convertMatmul(MatmulOp op, const MatmulContext &context);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_MATMUL_MATMULSTEP_H
