//===- ElementwiseKernel.h - Elementwise ops and split-K sums ---*- C++ -*-===//
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

/// An elementwise kernel over a [rows, cols] result, or the second half of a
/// split-K matmul, which first adds up the partial sums in order.
struct ElementwiseKernel {
  std::string name;
  Location loc;
  int64_t cols;
  Type resultType;
  sftile::ScheduleAttr schedule;
  int64_t storeWidth;
  /// The number of partial sums that make the body's first argument; 0 if
  /// there are none.
  int64_t partialSums;
  SmallVector<ElementOperand> operands;
  /// Without a block the result is the only operand, copied.
  ElementBody body;
  Type partialType = {}; // f32 or i32, if there are partial sums
  /// Whether the kernel waits by itself for those before it.
  bool programmatic = false;
  /// Elements from a row of the result to the next one; 0: `cols`.
  int64_t resultPitch = 0;

  int64_t threads() const { return schedule.getNumWarps() * 32; }
  /// Parameters: [partial sums,] each operand, result: !llvm.ptr<1>; rows: i64.
  gpu::GPUFuncOp generate(OpBuilder &builder) const;
  Value gridSize(OpBuilder &builder, Location loc, Value rows) const;

private:
  Value addPartialSums(KernelBuilder &b,
                       function_ref<Value(Value split)> load) const;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ELEMENTWISE_ELEMENTWISEKERNEL_H
