//===- RotatedQuantize.h - Activations rotated to 8 bits --------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_ROTATION_ROTATEDQUANTIZE_H
#define SPARSEFLOW_LIB_KERNELS_ROTATION_ROTATEDQUANTIZE_H

#include "Kernels/Rotation/HadamardKernel.h"
#include "Kernels/Rotation/TokenQuantizer.h"

namespace mlir::sparseflow {

/// sparseflow.quantize of sparseflow.hadamard: what QuantizeKernel writes for
/// rotated tokens, which are not stored themselves.
struct RotatedQuantizeKernel {
  /// k, block, scale and types; names of kernels and launches, too.
  HadamardKernel rotation;
  /// Whether values are in the order of their columns.
  bool natural;

  /// Parameters: x, the signs if there are some, values, scales, sums:
  /// !llvm.ptr<1>; tokens: i64. A block for each token.
  gpu::GPUFuncOp generate(OpBuilder &builder) const;
  TokenShape shape() const;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ROTATION_ROTATEDQUANTIZE_H
