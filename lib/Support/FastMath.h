//===- FastMath.h - Leave to approximate a function -------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_SUPPORT_FASTMATH_H
#define SPARSEFLOW_LIB_SUPPORT_FASTMATH_H

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::sparseflow {

/// Adds the fast-math flag afn to those of `op`, which has such flags.
inline void approximate(Operation *op) {
  auto flags = cast<arith::ArithFastMathInterface>(op);
  op->setAttr(flags.getFastMathAttrName(),
              arith::FastMathFlagsAttr::get(
                  op->getContext(), flags.getFastMathFlagsAttr().getValue() |
                                        arith::FastMathFlags::afn));
}

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_SUPPORT_FASTMATH_H
