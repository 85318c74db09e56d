//===- Passes.h - Passes on tiles -------------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SFTILE_TRANSFORMS_PASSES_H
#define SPARSEFLOW_DIALECT_SFTILE_TRANSFORMS_PASSES_H

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/Pass.h"

namespace mlir::sftile {

/// On a kernel: the names of the kernels that sftile-merge-kernels found to be
/// equal to it, an array of strings.
inline constexpr llvm::StringLiteral kMergedAttr = "sftile.merged";

/// On a kernel that serves several intervals of tokens: the least and the most
/// tokens of each behind its schedule's, in order, 0 for no most; an array of
/// i64, two an interval.
inline constexpr llvm::StringLiteral kFurtherTokensAttr =
    "sftile.further_tokens";

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "SparseFlow/Dialect/SFTile/Transforms/Passes.h.inc"

} // namespace mlir::sftile

#endif // SPARSEFLOW_DIALECT_SFTILE_TRANSFORMS_PASSES_H
