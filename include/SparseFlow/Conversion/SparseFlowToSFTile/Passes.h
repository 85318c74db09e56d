//===- Passes.h - From tensors to tiles ------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_CONVERSION_SPARSEFLOWTOSFTILE_PASSES_H
#define SPARSEFLOW_CONVERSION_SPARSEFLOWTOSFTILE_PASSES_H

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

namespace mlir::sparseflow {

/// The attribute that carries an operation's schedules, an array of
/// #sftile.schedule.
inline constexpr llvm::StringLiteral kSchedulesAttr = "sftile.schedules";
/// Names of rows of the schedule table that an op must not get: an array of
/// strings.
inline constexpr llvm::StringLiteral kAvoidSchedulesAttr =
    "sftile.avoid_schedules";
/// The schedule of a matmul's kernel for pointers of any alignment.
inline constexpr llvm::StringLiteral kUnalignedScheduleAttr =
    "sftile.unaligned_schedule";
/// The schedule of the kernel that adds up a matmul's partial sums.
inline constexpr llvm::StringLiteral kReduceScheduleAttr =
    "sftile.reduce_schedule";
/// The schedules of kernels that read the dense form of a packed weight.
inline constexpr llvm::StringLiteral kDenseSchedulesAttr =
    "sftile.dense_schedules";
/// Beside either list: the predicted times of the schedules at numbers of
/// tokens (kPredictedAtAttr), an array of arrays of nanoseconds, 0 for none.
inline constexpr llvm::StringLiteral kPredictedAttr = "sftile.predicted";
inline constexpr llvm::StringLiteral kDensePredictedAttr =
    "sftile.dense_predicted";
inline constexpr llvm::StringLiteral kPredictedAtAttr = "sftile.predicted_at";

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "SparseFlow/Conversion/SparseFlowToSFTile/Passes.h.inc"

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_CONVERSION_SPARSEFLOWTOSFTILE_PASSES_H
