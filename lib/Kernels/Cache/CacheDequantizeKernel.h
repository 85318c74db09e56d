//===- CacheDequantizeKernel.h - Caches as f16 or bf16 ----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Many queries multiply every key and value many times: then both are
// dequantized once, into the workspace, and attention reads them there as if
// they had never been packed. A number times its scale is rounded to 16 bits,
// as an f16 or bf16 cache holds it.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_CACHE_CACHEDEQUANTIZEKERNEL_H
#define SPARSEFLOW_LIB_KERNELS_CACHE_CACHEDEQUANTIZEKERNEL_H

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::sparseflow {

/// Writes the numbers of quantized keys and values times their scales as
/// [B, G, S, D] of `type`. What is beyond the largest number of f16 becomes
/// that; where a scale is infinite or NaN all is NaN.
struct CacheDequantizeKernel {
  /// Keys, or values: multiples of 8 features. Values may have no encoding,
  /// and are left alone then.
  struct Part {
    TernaryAttr encoding;
    int64_t features;

    /// Warps of a block for it.
    int64_t warps() const;
  };

  std::string name;
  Location loc;
  Part keys, values;
  Type type; // f16 or bf16
  int64_t keyHeads;
  /// Keys of a page of the table; 0 without one.
  int64_t page;
  /// Positions behind an entry's length stay unwritten, 16 at a time.
  bool hasLengths;
  /// With a window those stay unwritten that no query sees and that lie in no
  /// stage with one that a query sees. 0: none
  int64_t window;
  /// Whether it is launched with PDL, and waits for the kernels before it.
  bool programmatic;

  /// Parameters: keys, values, their results, lengths if any, the page table if
  /// any: !llvm.ptr<1>; positions and queries of an entry, pages that there
  /// are: i64. What the table has for no page is zeros.
  gpu::GPUFuncOp generate(OpBuilder &builder) const;
  /// Blocks to launch for `batch` entries of `positions` each (i64).
  Value gridSize(OpBuilder &builder, Value batch, Value positions) const;
  /// Bytes of the numbers of a part that it writes (i64).
  Value bytes(OpBuilder &builder, const Part &part, Value batch,
              Value positions) const;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_CACHE_CACHEDEQUANTIZEKERNEL_H
