//===- Steps.h - Operations become kernels and launches ---------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function for each kind of operation: it generates the kernels and appends
// the step of the launch list that launches them. An operation that cannot be
// converted is reported.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_STEPS_H
#define SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_STEPS_H

#include "Launch/StepContext.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::sparseflow {

/// The first matmul of a launch group appends the launch of all of them; at the
/// others there is then nothing to do.
LogicalResult convertMatmul(MatmulOp op, const StepContext &context);
LogicalResult convertAttention(AttentionOp op, const StepContext &context);
/// With what is computed by the kernels of a quantization, too.
LogicalResult convertQuantize(QuantizeOp op, const StepContext &context);
/// `second`, or null: the op behind it, a rotation that may share its launch.
/// Whether it does.
FailureOr<bool> convertRotation(HadamardOp op, HadamardOp second,
                                const StepContext &context);
/// `op` is the argmax of `matmul` (ArgmaxGroup.h), which has been converted.
LogicalResult convertArgmax(linalg::LinalgOp op, MatmulOp matmul,
                            const StepContext &context);
LogicalResult convertSample(SampleOp op, const StepContext &context);
/// `root` is a contraction of the form product.
LogicalResult convertProduct(linalg::LinalgOp root, const StepContext &context);

/// Converts the first of `roots`, which sparseflow-form-kernels made the root
/// of a kernel, with the ops that it inlined. Those behind it have the form
/// map, as it has, and nothing is computed between them: as many as read
/// nothing of those in front of them are part of the same launch. Gives how
/// many roots have been converted.
FailureOr<size_t> convertTensorOps(ArrayRef<Operation *> roots,
                                   const StepContext &context);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_STEPS_H
