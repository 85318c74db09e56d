//===- SinkLogits.h - Entries of the softmax without values -----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sink is known before the first key and counts once, so the loops over keys
// do not know it: whole rows get it when they are stored, from the log-sum-exp
// of their keys, and rows of several parts when these have been combined.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_ATTENTION_SINKS_SINKLOGITS_H
#define SPARSEFLOW_LIB_KERNELS_ATTENTION_SINKS_SINKLOGITS_H

#include "mlir/IR/Builders.h"

namespace mlir::sparseflow {

/// Of a row's keys beside its sink: the share of the weights that they keep,
/// which means over the keys alone are multiplied by, or the log-sum-exp of
/// both.
enum class SinkOf { Weight, LogSum };

/// `lse`: the log-sum-exp of the keys, -inf of a row without any; `sink`: the
/// logit, -inf for none. Both are f32, as is the result.
Value withSink(OpBuilder &builder, Location loc, SinkOf what, Value lse,
               Value sink);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ATTENTION_SINKS_SINKLOGITS_H
