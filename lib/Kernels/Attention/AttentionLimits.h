//===- AttentionLimits.h - Kernels that an attention can have ---*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_ATTENTION_ATTENTIONLIMITS_H
#define SPARSEFLOW_LIB_KERNELS_ATTENTION_ATTENTIONLIMITS_H

#include "Kernels/Attention/AttentionKernel.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

namespace mlir::sparseflow {

/// Why keys and values cannot come by tensor maps; empty if they can.
std::string whyUnmapped(AttentionOp op);

/// Why keys, and values, of fewer bits are not dequantized by a kernel in front
/// that writes what tensor maps read; empty if they are.
std::string whyNotDequantizedInFront(AttentionOp op);

/// Why keys and values of 8 and 4 bits are not dequantized by the producer
/// warps of kernels on wgmma; empty if they can be.
std::string whyNotDequantizedBeside(AttentionOp op);

/// Why keys and values cannot meet bytes in int8 MMAs; empty if they can.
std::string whyNoBytes(AttentionOp op);

/// Whether values are features of the keys, more of them than a tile has.
bool areValuesInKeys(AttentionOp op);

/// Checks that sums of a row of `op` fit into the registers of warps.
LogicalResult verifyFeatures(AttentionOp op);

/// Checks that the kernel of each of `schedules` can be generated for `op`.
LogicalResult
verifySchedules(AttentionOp op, const AttentionShape &shape,
                ArrayRef<sftile::AttentionScheduleAttr> schedules);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ATTENTION_ATTENTIONLIMITS_H
