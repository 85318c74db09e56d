//===- ElementwiseKernel.h - Partial sums and an epilogue -------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_ELEMENTWISE_ELEMENTWISEKERNEL_H
#define SPARSEFLOW_LIB_KERNELS_ELEMENTWISE_ELEMENTWISEKERNEL_H

#include "Kernels/Support/KernelBuilder.h"

namespace mlir::sparseflow {

/// The second half of a split-K matmul: adds up partial sums of a [rows, cols]
/// result, in order, and applies the epilogue.
struct ElementwiseKernel {
  std::string name;
  Location loc;
  int64_t cols;
  Type resultType;
  sftile::ScheduleAttr schedule;
  int64_t storeWidth;
  int64_t partialSums;
  SmallVector<ElementOperand> operands;
  /// Its first argument is the sum.
  ElementBody body;
  Type partialType; // f32 or i32
  /// Whether the kernel waits by itself for those before it.
  bool programmatic;

  int64_t threads() const { return schedule.getNumWarps() * 32; }
  /// Parameters: partial sums, each operand, result: !llvm.ptr<1>; rows: i64.
  gpu::GPUFuncOp generate(OpBuilder &builder) const;
  Value gridSize(OpBuilder &builder, Location loc, Value rows) const;

private:
  Value addPartialSums(KernelBuilder &b,
                       function_ref<Value(Value split)> load) const;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ELEMENTWISE_ELEMENTWISEKERNEL_H
