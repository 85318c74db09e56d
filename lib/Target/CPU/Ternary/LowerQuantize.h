//===- LowerQuantize.h - 8-bit activations as linalg ------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_TARGET_CPU_TERNARY_LOWERQUANTIZE_H
#define SPARSEFLOW_LIB_TARGET_CPU_TERNARY_LOWERQUANTIZE_H

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::sparseflow::cpu {

/// Replaces `op` by elementwise linalg and one maximum over bits, to the bit
/// what the op describes.
void lowerQuantize(RewriterBase &rewriter, QuantizeOp op);

} // namespace mlir::sparseflow::cpu

#endif // SPARSEFLOW_LIB_TARGET_CPU_TERNARY_LOWERQUANTIZE_H
