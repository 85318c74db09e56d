//===- RowQuantize.h - Rows of tensor ops to 8 bits -------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_TENSOR_ROWQUANTIZE_H
#define SPARSEFLOW_LIB_KERNELS_TENSOR_ROWQUANTIZE_H

#include "Kernels/Rotation/TokenQuantizer.h"
#include "Kernels/Tensor/TensorKernel.h"

namespace mlir::sparseflow {

/// sparseflow.quantize of rows that tensor ops compute, a norm's, rotated in
/// between or not: what QuantizeKernel writes for tokens that are not stored
/// themselves.
struct RowQuantizeKernel {
  /// Of the form rows, with one result, of which a row is the last dimension.
  TensorKernel rows;
  /// `isPower`, and of a multiple of 16 elements.
  TokenShape token;
  /// What elements are multiplied by before the rotation, or null.
  Type signsType;

  /// Parameters: the group's inputs, the signs if there are some, values,
  /// scales, sums: !llvm.ptr<1>; the group's integers, at least one. A block
  /// for each token.
  gpu::GPUFuncOp generate(OpBuilder &builder) const;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_TENSOR_ROWQUANTIZE_H
