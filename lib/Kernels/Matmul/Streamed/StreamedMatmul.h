//===- StreamedMatmul.h - Warps stream their own weights --------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_STREAMED_STREAMEDMATMUL_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_STREAMED_STREAMEDMATMUL_H

#include "Kernels/Matmul/MatmulGenerator.h"

namespace mlir::sparseflow {

/// Each warp copies its own weights and multiplies them (StreamedMatmul.cpp).
class StreamedMatmul : public MatmulGenerator {
public:
  explicit StreamedMatmul(const MatmulProblem &problem)
      : MatmulGenerator(problem) {}

  gpu::GPUFuncOp generate(OpBuilder &builder) const override;
  /// Behind those of the problem, those of its companions.
  SmallVector<KernelParameter> parameters() const override;
  Value gridSize(OpBuilder &builder, Location loc, Value tokens) const override;
};

/// Features that a block of a streamed kernel has of its result.
int64_t streamedFeatures(const MatmulProblem &problem);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_STREAMED_STREAMEDMATMUL_H
