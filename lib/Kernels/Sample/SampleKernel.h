//===- SampleKernel.h - Tokens drawn from logits ----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_SAMPLE_SAMPLEKERNEL_H
#define SPARSEFLOW_LIB_KERNELS_SAMPLE_SAMPLEKERNEL_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"

namespace mlir::sparseflow {

/// Draws a token of each row, by the rule of sparseflow.sample. A cluster of
/// blocks, or one block, has a row.
struct SampleKernel {
  std::string name;
  Location loc;
  int64_t vocabulary;
  Type elementType; // f16, bf16 or f32, of the logits
  /// Blocks that share a row.
  int64_t blocks;
  /// Whether it is launched with PDL, and waits for the kernels before it.
  bool programmatic;

  /// How many blocks share a row of `vocabulary` logits, on a target that has
  /// clusters or not.
  static int64_t blocksOf(int64_t vocabulary, bool hasClusters);

  /// Parameters: logits, temperature, top_k, top_p, seed, position, ids:
  /// !llvm.ptr<1>; the number of rows: i64. `blocks` blocks a row.
  gpu::GPUFuncOp generate(OpBuilder &builder) const;
  int64_t threads() const;
  /// Logits of a warp, which are adjacent.
  int64_t segment() const;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_SAMPLE_SAMPLEKERNEL_H
