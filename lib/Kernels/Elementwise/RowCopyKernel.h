//===- RowCopyKernel.h - Rows copied to whole chunks ------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_ELEMENTWISE_ROWCOPYKERNEL_H
#define SPARSEFLOW_LIB_KERNELS_ELEMENTWISE_ROWCOPYKERNEL_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"

namespace mlir::sparseflow {

/// Copies adjacent rows [T, cols] of elements of 16 bits to rows that are
/// `pitch` elements, a multiple of 8, apart; those behind `cols` become zeros.
struct RowCopyKernel {
  std::string name;
  Location loc;
  int64_t cols, pitch;
  /// 2, 4 or 8: every row begins at a multiple of so many bytes.
  int64_t width;
  /// Whether it is launched with PDL, and waits for the kernels before it.
  bool programmatic;
  /// So many rows of another matrix are copied in the same way.
  int64_t weightRows = 0;

  /// Parameters: rows, copies [, rows and copies of the other matrix]:
  /// !llvm.ptr<1>, copies a multiple of 16 bytes; T: i64.
  gpu::GPUFuncOp generate(OpBuilder &builder) const;
  /// Blocks to launch for `rows` (i64).
  Value gridSize(OpBuilder &builder, Value rows) const;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ELEMENTWISE_ROWCOPYKERNEL_H
