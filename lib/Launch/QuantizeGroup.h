//===- QuantizeGroup.h - What is computed with a quantization ---*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some numbers of tokens are quantized by the matmuls that read them: few, or,
// where a row is short, any. Of others one kernel quantizes what it reads, or
// what it computes: a norm, a rotation, or both. These functions say which, by
// the schedules of the matmuls; all who ask get one answer.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_LAUNCH_QUANTIZEGROUP_H
#define SPARSEFLOW_LIB_LAUNCH_QUANTIZEGROUP_H

#include "Kernels/Rotation/TokenQuantizer.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

namespace mlir::sparseflow {

/// Ops in front of a quantization, whose elements it gets in registers.
struct QuantizeProducers {
  Operation *rows = nullptr; // the root of a kernel of rows
  HadamardOp rotation;
};

/// Numbers of tokens up to `most` (0: any) and above the interval before.
struct TokenInterval {
  int64_t most;
  /// Whether all matmuls quantize their activations themselves.
  bool held;
};

/// All numbers of tokens, neighbours being different.
SmallVector<TokenInterval> intervalsOf(QuantizeOp op);

/// What the kernel of `op` computes, too. `onApart` is told of what it might,
/// but does not.
QuantizeProducers producersOf(
    QuantizeOp op,
    function_ref<void(Operation *, const std::string &)> onApart =
        [](Operation *, const std::string &) {});

/// How threads share a token of `producers` that is quantized.
TokenShape tokenOf(const QuantizeProducers &producers, QuantizeOp quantize,
                   bool natural);

/// Why matmuls that quantize do not compute `producers`, or an empty string.
std::string whyNotByMatmuls(QuantizeOp op, const QuantizeProducers &producers);

/// Whether `op`, a rotation or the root of a kernel of rows, is computed by the
/// kernel of the quantization behind it: nothing else reads what it computes,
/// nothing is launched in between, and a token fits in the registers of a block
/// of threads.
bool isQuantizedWith(Operation *op);

/// Whether `op` alone reads quantized activations, which no kernel computes
/// that might quantize them: then its blocks may quantize any number of tokens.
bool isHoldable(MatmulOp op);

/// The root of a kernel of rows that is computed by the matmuls which quantize
/// what `op` does, each block for itself; or null.
Operation *rowsOfMatmuls(QuantizeOp op);

/// Elements of a row of `tensor`, 0 for one without dimensions.
int64_t lastDim(Value tensor);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_LAUNCH_QUANTIZEGROUP_H
