//===- AttentionParameters.h - An op's attention kernels --------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_ATTENTION_ATTENTIONPARAMETERS_H
#define SPARSEFLOW_LIB_KERNELS_ATTENTION_ATTENTIONPARAMETERS_H

#include "Kernels/Attention/AttentionKernel.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

namespace mlir::sparseflow {

/// What all kernels of `op` have in common.
AttentionShape attentionShape(AttentionOp op);

/// The kernel of `schedule` for `shape`. If `aligned` its accesses are as wide
/// as rows allow, for pointers that are multiples of that; else they are of
/// single elements.
AttentionKernel attentionKernel(std::string name, Location loc,
                                const AttentionShape &shape,
                                sftile::AttentionScheduleAttr schedule,
                                bool aligned);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ATTENTION_ATTENTIONPARAMETERS_H
