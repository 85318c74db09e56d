//===- Product.h - Products of two computed tensors -------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A contraction whose operands are no weights, such as a batched matmul of two
// activations, reads both as they lie in memory: through transposes, unit
// dimensions and extensions, whatever order the front end gave their
// dimensions.
//
//   linalg.batch_matmul ins(%a, %t)      // %t: a transpose of %k [B, S, H, D]
//
//   a: %a by [b, m, k]      b: %k by [b, n, h, k]      result: [b, m, n]
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SPARSEFLOW_TRANSFORMS_PRODUCT_H
#define SPARSEFLOW_DIALECT_SPARSEFLOW_TRANSFORMS_PRODUCT_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::sparseflow {

/// C[m, n] = the sum over k of A[m, k] B[n, k], for every iteration of the
/// batch loops, accumulated in f32 and rounded once.
struct ActivationProduct {
  struct Operand {
    /// A tensor of f16 or bf16, the same type for both operands.
    Value source;
    /// The loop that indexes each dimension of it, or -1 for a dimension of
    /// size 1. No loop stands twice.
    SmallVector<int64_t> loops;
    /// Whether rows (of A: m, of B: n) are adjacent in memory, and not k.
    bool isAcross = false;
  };
  Operand a, b;
  /// The loops of the result's dimensions, of which the innermost is n.
  SmallVector<int64_t> result;
  SmallVector<int64_t> batch;
  int64_t m, n, k;

  /// Whether it reads the result of `op` where it lies.
  bool reads(Operation *op) const;
};

/// Nothing where tensor cores cannot compute `op`; `reason` then says why.
std::optional<ActivationProduct> matchProduct(linalg::LinalgOp op,
                                              std::string &reason);

/// What the kernel of a product computes: a contraction, and behind it
/// elementwise arithmetic on its result alone, from the inside out.
struct ProductChain {
  linalg::LinalgOp contraction;
  SmallVector<linalg::LinalgOp> maps;
};

/// The chain that ends with `op`; the contraction is null where there is none.
ProductChain productChainOf(Operation *op);

/// Whether `op` makes the numbers of a product on tensor cores shorter.
bool roundsProduct(Operation *op);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_DIALECT_SPARSEFLOW_TRANSFORMS_PRODUCT_H
