//===- IndexClamp.h - Indices that the compiler keeps inside ----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SPARSEFLOW_IR_INDEXCLAMP_H
#define SPARSEFLOW_DIALECT_SPARSEFLOW_IR_INDEXCLAMP_H

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::sparseflow {

/// On the arith.minsi of min(max(index, 0), size - 1) where the compiler wrote
/// it (sparseflow-simplify-sizes): the program itself says `index`, which a
/// checked run expects inside. A clamp of the program's own has no mark.
inline constexpr llvm::StringLiteral kIndexClampAttr = "sparseflow.index_clamp";

/// The index that the program says, where `index` is such a clamp; else null.
inline Value getClampedIndex(Value index) {
  auto most = index.getDefiningOp<arith::MinSIOp>();
  if (!most || !most->hasAttr(kIndexClampAttr))
    return nullptr;
  auto least = most.getLhs().getDefiningOp<arith::MaxSIOp>();
  return least ? least.getLhs() : nullptr;
}

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_DIALECT_SPARSEFLOW_IR_INDEXCLAMP_H
