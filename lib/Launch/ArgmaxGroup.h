//===- ArgmaxGroup.h - The argmax of a matmul -------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An argmax over the features of a matmul whose results nothing else reads: the
// matmul's kernels store partial maxima in their place.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_LAUNCH_ARGMAXGROUP_H
#define SPARSEFLOW_LIB_LAUNCH_ARGMAXGROUP_H

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::sparseflow {

/// The argmax that alone reads the results of `op`, whose schedules have been
/// selected; null where there is none, or where `onApart` is told why both
/// stand for themselves.
linalg::LinalgOp argmaxOf(
    MatmulOp op, function_ref<void(Operation *, const std::string &)> onApart =
                     [](Operation *, const std::string &) {});
/// What such an argmax compares, computed of its body's first argument.
Value comparedBy(linalg::LinalgOp argmax);
/// Bytes of the partial maxima that kernels store for each token in place of
/// the elements of `tensor`; 0 where they store these.
int64_t bytesOfMaxima(Value tensor);
/// The matmul that has `op` as its argmax; null where there is none.
MatmulOp matmulOfArgmax(Operation *op);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_LAUNCH_ARGMAXGROUP_H
