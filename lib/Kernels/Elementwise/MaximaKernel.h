//===- MaximaKernel.h - The position of a row's maximum ---------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The second kernel of an argmax over the features of a matmul: from partial
// maxima, which the matmul's kernel stores in place of its results.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_ELEMENTWISE_MAXIMAKERNEL_H
#define SPARSEFLOW_LIB_KERNELS_ELEMENTWISE_MAXIMAKERNEL_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::sparseflow {

/// Features that share a partial maximum.
inline constexpr int64_t kFeaturesOfMaximum = 16;

/// A block for each token. Partial maxima are [tokens, parts] of f32, and
/// behind them as many positions of i32. The largest is a NaN, then the number;
/// of equal ones, as -0 and 0 are, the one of the least position.
struct MaximaKernel {
  std::string name;
  Location loc;
  int64_t parts;
  /// i32 or i64.
  Type positionType;
  bool programmatic;

  /// Parameters: partial maxima, positions; then the number of tokens.
  gpu::GPUFuncOp generate(OpBuilder &builder) const;

  /// Of `features` of a token.
  static int64_t partsOf(int64_t features) {
    return (features + kFeaturesOfMaximum - 1) / kFeaturesOfMaximum;
  }
  /// Bytes of a token's partial maxima.
  static int64_t bytesOf(int64_t features) { return 8 * partsOf(features); }
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ELEMENTWISE_MAXIMAKERNEL_H
