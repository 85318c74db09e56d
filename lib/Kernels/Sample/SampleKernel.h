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

#include <vector>

namespace mlir::sparseflow {

/// Draws a token of each row, by the rule of sparseflow.sample. A cluster of
/// blocks, or one block, has a row.
struct SampleKernel {
  std::string name;
  Location loc;
  int64_t vocabulary;
  Type elementType; // f16, bf16 or f32, of the logits
  /// Whether it is launched with PDL, and waits for the kernels before it, and
  /// whether there are clusters.
  bool programmatic;
  /// Blocks that share a row, and their threads.
  int64_t blocks = 1, threads = 0;
  /// Rows that it serves, 0: any number.
  int64_t maxRows = 0;

  /// This kernel with other blocks for more and more rows, the last one for any
  /// number: few rows get large blocks, and of many several share an SM.
  std::vector<SampleKernel> forRows() const;
  /// What a user may want to know of it.
  std::string describe() const;

  /// Parameters: logits, temperature, top_k, top_p, seed, position, ids:
  /// !llvm.ptr<1>; the number of rows: i64. `blocks` blocks a row.
  gpu::GPUFuncOp generate(OpBuilder &builder) const;
  /// Loads that a thread has under way in the first pass.
  int64_t firstUnrolled() const;
  /// Logits of a warp, which are adjacent.
  int64_t segment() const;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_SAMPLE_SAMPLEKERNEL_H
