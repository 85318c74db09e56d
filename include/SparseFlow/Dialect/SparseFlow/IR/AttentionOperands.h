//===- AttentionOperands.h - The operands of attention by name --*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SPARSEFLOW_IR_ATTENTIONOPERANDS_H
#define SPARSEFLOW_DIALECT_SPARSEFLOW_IR_ATTENTIONOPERANDS_H

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

namespace mlir::sparseflow {

/// The operands of `op` but those of the score region, in the order in which
/// kernels take them, with their names: q, k and v, then lengths, pages,
/// cu_seqlens_q, cu_seqlens_k and sink_logits, as far as there are any.
SmallVector<std::pair<StringRef, Value>> getNamedOperands(AttentionOp op);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_DIALECT_SPARSEFLOW_IR_ATTENTIONOPERANDS_H
