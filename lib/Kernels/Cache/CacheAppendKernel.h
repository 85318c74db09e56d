//===- CacheAppendKernel.h - New tokens of a quantized cache ----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_CACHE_CACHEAPPENDKERNEL_H
#define SPARSEFLOW_LIB_KERNELS_CACHE_CACHEAPPENDKERNEL_H

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::sparseflow {

/// Appends tokens to a ternary or quantized cache, in place, by the rule of
/// sparseflow.cache_append.
struct CacheAppendKernel {
  static constexpr int64_t kThreads = 256;

  std::string name;
  Location loc;
  TernaryAttr encoding;
  TernaryMethod method;
  Type tokenType; // f16 or bf16
  int64_t keyHeads, features;
  /// Whether it is launched with PDL, and waits for the kernels before it.
  bool programmatic;
  /// Keys of a page of the table; 0 without one. Of quantized caches only.
  int64_t page = 0;
  /// A second quantized cache, with as many heads, new tokens and lengths,
  /// which the second half of the blocks append to.
  struct Cache {
    TernaryAttr encoding;
    int64_t features;
  };
  std::optional<Cache> second = std::nullopt;

  /// Parameters of a ternary cache: cache, tokens, lengths: !llvm.ptr<1>;
  /// tokens of a head, positions of the cache: i64. Of others: cache, tokens,
  /// lengths, the page table if any: !llvm.ptr<1>; batch entries, tokens of a
  /// head, positions of a batch entry, pages that there are: i64. Of a second
  /// cache, the cache and its tokens behind the pointers, and positions and
  /// pages behind the numbers.
  gpu::GPUFuncOp generate(OpBuilder &builder) const;
  /// Blocks to launch for `batch` entries of `tokens` each (i64).
  Value gridSize(OpBuilder &builder, Location loc, Value batch,
                 Value tokens) const;

private:
  // QuantizedAppendKernel.cpp
  gpu::GPUFuncOp generateQuantized(OpBuilder &builder) const;
  Value quantizedGridSize(OpBuilder &builder, Location loc, Value batch,
                          Value tokens) const;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_CACHE_CACHEAPPENDKERNEL_H
