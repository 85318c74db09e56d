//===- CacheDequantizeKernel.h - Caches as f16 or bf16 ----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Many queries multiply every key and value many times: then both are decoded
// once, into the workspace, and wgmma reads tiles of them there. Keys stay
// integers, which 16 bits hold exactly, and their scales meet the scores;
// values times their scales are rounded, like the probabilities that they meet.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_CACHE_CACHEDEQUANTIZEKERNEL_H
#define SPARSEFLOW_LIB_KERNELS_CACHE_CACHEDEQUANTIZEKERNEL_H

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::sparseflow {

/// Writes the numbers of an int8 or int4 cache as [B, G, S, D] or, if `bshd`,
/// [B, S, G, D] of `type`: of keys as they are, with their scales apart, and of
/// values times their scales.
struct CacheDequantizeKernel {
  static constexpr int64_t kThreads = 256;

  std::string name;
  Location loc;
  TernaryAttr encoding; // Of keys with a scale for each token.
  Type type;            // f16 or bf16
  int64_t keyHeads, features;
  bool bshd;
  /// Keys of a page of the table; 0 without one.
  int64_t page;
  /// Pages of 64 positions that begin behind an entry's length stay unwritten.
  bool hasLengths;
  /// Whether it is launched with PDL, and waits for the kernels before it.
  bool programmatic;

  /// Parameters: cache, result, of keys their scales (f32 [B][G][S]), lengths
  /// if any, the page table if any: !llvm.ptr<1>; batch entries, positions of
  /// one, pages that there are: i64. What the table has for no page is zeros.
  gpu::GPUFuncOp generate(OpBuilder &builder) const;
  /// Blocks to launch for `batch` entries of `positions` each (i64).
  Value gridSize(OpBuilder &builder, Value batch, Value positions) const;

  /// Bytes of the numbers that it writes, and of the scales with what may be
  /// read behind them (i64).
  Value bytes(OpBuilder &builder, Value batch, Value positions) const;
  Value scaleBytes(OpBuilder &builder, Value batch, Value positions) const;

private:
  /// Chunks of 16 positions of a page of 64.
  int64_t chunksOfPage() const;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_CACHE_CACHEDEQUANTIZEKERNEL_H
