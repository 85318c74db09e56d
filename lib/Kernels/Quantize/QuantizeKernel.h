//===- QuantizeKernel.h - Activations to 8 bits -----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_QUANTIZE_QUANTIZEKERNEL_H
#define SPARSEFLOW_LIB_KERNELS_QUANTIZE_QUANTIZEKERNEL_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"

namespace mlir::sparseflow {

/// Quantizes activations to 8 bits, a scale for each token, by the rule of
/// sparseflow.quantize. What it writes for T tokens, K columns and
/// P = quantizedPitch(K):
///   values [T][P] i8   in the order of columns in which MMAs of tern.v1 read
///                      them (docs/formats/ternary.md), or `natural`;
///                      zeros from K on
///   scales [T] f32
///   sums   [T] i32     of a token's values, if `sums`
struct QuantizeKernel {
  std::string name;
  Location loc;
  int64_t k;
  Type inputType; // f16, bf16 or f32
  /// Whether the activations are multiples of 16 bytes, row by row.
  bool aligned;
  /// Whether it is launched with PDL, and waits for the kernels before it.
  bool programmatic;
  /// Whether values are in the order of their columns.
  bool natural = false;
  /// Whether a matmul reads the sums of tokens: they take a barrier.
  bool sums = true;
  /// Whether there are many more tokens than SMs, so that blocks which share
  /// one hide each other's latency; of few tokens each should be done soon.
  bool manyTokens = false;
  /// Whether there are so many that blocks of a short token would take longer
  /// to start than to run: a warp has a token then.
  bool warpTokens = false;

  /// Parameters: x, values, scales, sums: !llvm.ptr<1>; tokens: i64.
  gpu::GPUFuncOp generate(OpBuilder &builder) const;
  int64_t threads() const;
  /// Whether a warp has registers for a token of `k` elements.
  static bool fitsWarp(int64_t k, bool natural);
  /// Shared memory that a block is given and does not use, for up to so many
  /// tokens (0: any): it limits the blocks on an SM.
  struct Limit {
    int64_t tokens, sharedBytes;
  };
  /// Of launches for up to `most` tokens; none of the last.
  SmallVector<Limit> limits(unsigned computeCapability, int64_t most) const;
  /// Blocks to launch for `tokens` (i64).
  Value gridSize(OpBuilder &builder, Value tokens) const;
};

/// Bytes from a token's quantized values to the next one's: whole units of
/// packed weights, of 2:4 sparse ones if `natural`.
int64_t quantizedPitch(int64_t k, bool natural = false);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_QUANTIZE_QUANTIZEKERNEL_H
