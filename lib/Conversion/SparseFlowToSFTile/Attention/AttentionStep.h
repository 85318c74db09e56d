//===- AttentionStep.h - Attention in a launch list -------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_ATTENTION_ATTENTIONSTEP_H
#define SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_ATTENTION_ATTENTIONSTEP_H

#include "Conversion/SparseFlowToSFTile/HostProgramBuilder.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

namespace mlir::sparseflow {

/// Generates the kernels of `op`, whose names begin with `prefix`, and appends
/// the step that launches them.
LogicalResult convertAttention(AttentionOp op, HostProgramBuilder &program,
                               OpBuilder &kernelBuilder,
                               const std::string &prefix,
                               unsigned computeCapability);

/// Checks that sums of a row of `op` fit into the registers of warps.
LogicalResult verifyFeatures(AttentionOp op);

/// Why keys and values cannot come by tensor maps; empty if they can.
std::string whyUnmapped(AttentionOp op);

/// Why keys and values cannot meet bytes in int8 MMAs; empty if they can.
std::string whyNoBytes(AttentionOp op);

/// Whether values are features of the keys, more of them than a tile has.
bool areValuesInKeys(AttentionOp op);

/// What convertAttention does, for the kernel of an append, which one step
/// launches (CacheAppendKernel.cpp).
LogicalResult convertAppend(CacheAppendOp op, HostProgramBuilder &program,
                            OpBuilder &kernelBuilder, const std::string &prefix,
                            unsigned computeCapability);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_ATTENTION_ATTENTIONSTEP_H
