//===- TernaryCache.h - Attention on pages of a cache -----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_TARGET_CPU_TERNARY_TERNARYCACHE_H
#define SPARSEFLOW_LIB_TARGET_CPU_TERNARY_TERNARYCACHE_H

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::sparseflow::cpu {

/// Makes ternary caches among the arguments of `function` pages of bytes,
/// tensors [B, G, pages, bytes of a page] of i8, and lowers the attention that
/// reads them. Other readers are refused.
LogicalResult lowerCaches(func::FuncOp function);

} // namespace mlir::sparseflow::cpu

#endif // SPARSEFLOW_LIB_TARGET_CPU_TERNARY_TERNARYCACHE_H
