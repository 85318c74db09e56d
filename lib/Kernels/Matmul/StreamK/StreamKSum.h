//===- StreamKSum.h - Adds the parts of a divided wave ----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_STREAMK_STREAMKSUM_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_STREAMK_STREAMKSUM_H

#include "Kernels/Matmul/StreamK/StreamK.h"

namespace mlir::sparseflow {

/// The second kernel of stream-K: of each tile of the last wave it adds the
/// partial sums, always in the order of K, and applies the epilogue. Blocks for
/// tiles that there are not end at once.
struct StreamKSum {
  const MatmulProblem &problem;
  /// Of the kernel: the part of a warp.
  sftile::ScheduleAttr schedule;
  bool programmatic;

  /// Parameters: partial sums, each operand, result: !llvm.ptr<1>; tokens: i64.
  gpu::GPUFuncOp generate(OpBuilder &builder) const;
  Value gridSize(OpBuilder &builder, Location loc, Value tokens) const;

private:
  int64_t partsOfTile(const StreamK &streamK) const;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_STREAMK_STREAMKSUM_H
