//===- ProductKernel.h - Products of two activations ------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_TENSOR_PRODUCTKERNEL_H
#define SPARSEFLOW_LIB_KERNELS_TENSOR_PRODUCTKERNEL_H

#include "Kernels/Support/KernelBuilder.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::sparseflow {

/// The integers of a product; behind them follow, for each batch loop, its size
/// and how many elements apart its iterations are in A, B and the result.
enum ProductSize { kRows, kColumns, kDepth, kPitchA, kPitchB, kPitchC };
inline constexpr int64_t kFirstBatch = kPitchC + 1, kPerBatch = 4;

/// A kernel of C[m, n] = the sum over k of A[m, k] B[n, k] for every iteration
/// of batch loops: every warp copies, and multiplies with mma.sync, or four
/// together with wgmma, which reads rows of A with K adjacent only.
struct ProductKernel {
  std::string name;
  Location loc;
  sftile::ScheduleAttr schedule;
  /// f16 or bf16; f16, bf16 or f32.
  Type operandType, resultType;
  /// Whether rows of A, or of B, are adjacent in memory, and not K.
  bool aIsAcross, bIsAcross;
  /// How they reach shared memory, and bytes of one store.
  sftile::CopyAtomInterface copyA, copyB;
  int64_t storeWidth;
  /// A number for each of ProductSize and of batch loops; those that are
  /// dynamic are parameters of the kernel, in their order, behind the pointers
  /// to A, B and C.
  SmallVector<int64_t> sizes;
  /// Whether it is launched with PDL, and waits for the kernels before it.
  bool programmatic;
  /// What is computed of each sum, from the inside out.
  SmallVector<linalg::LinalgOp> maps = {};

  /// Of C, by a block and by a warp. The block of a schedule is columns x rows
  /// of C, or, with wgmma, rows x columns.
  struct TileShape {
    int64_t rows, columns, warpRows, warpColumns;
  };
  TileShape tileShape() const;
  bool isWarpgroup() const;

  gpu::GPUFuncOp generate(OpBuilder &builder) const;
  /// Blocks to launch, i64, for all of the sizes, i64.
  Value gridSize(OpBuilder &builder, ArrayRef<Value> all) const;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_TENSOR_PRODUCTKERNEL_H
