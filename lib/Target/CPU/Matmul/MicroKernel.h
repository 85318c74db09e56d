//===- MicroKernel.h - The inner kernel of a matmul -------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_TARGET_CPU_MATMUL_MICROKERNEL_H
#define SPARSEFLOW_LIB_TARGET_CPU_MATMUL_MICROKERNEL_H

#include "Target/CPU/Transforms/IndexBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::sparseflow::cpu {

/// The kernel's tile: rows x (vectors * lanes) sums, all in registers.
struct KernelShape {
  int64_t rows, vectors, lanes;
  /// Weights (the packed b) that are zero contribute nothing.
  bool skipZeroWeights;

  int64_t columns() const { return vectors * lanes; }
  std::string symbol() const;
};

/// The kernel of `shape` in `module`, created at first use:
///
///   kernel(a: memref<? x ? x rows x f32>, b: memref<? x ? x columns x f32>,
///          c: memref<? x ? x f32, strided>, m, n, k0, k1)
///
/// adds the product over k0 <= k < k1 to the tile of c whose corner is (m, n);
/// m and n are multiples of the tile's sides. Elements outside c are not
/// touched.
func::FuncOp getOrCreateKernel(ModuleOp module, const KernelShape &shape);

} // namespace mlir::sparseflow::cpu

#endif // SPARSEFLOW_LIB_TARGET_CPU_MATMUL_MICROKERNEL_H
