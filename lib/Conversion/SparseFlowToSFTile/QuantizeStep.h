//===- QuantizeStep.h - Activations to 8 bits in a launch list --*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_QUANTIZESTEP_H
#define SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_QUANTIZESTEP_H

#include "HostProgramBuilder.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

namespace mlir::sparseflow {

/// What quantizations of a function are converted with.
struct QuantizeContext {
  HostProgramBuilder &program;
  OpBuilder &kernelBuilder;
  /// The names of the kernels begin with it.
  std::string prefix;
  /// major * 10 + minor
  unsigned computeCapability;
  /// Of quantized activations: the sum of every token's values. Gets those of
  /// the op.
  DenseMap<Value, Value> &sums;
};

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

/// Generates the kernels of `op`, with those of what is computed with it, and
/// appends the step that launches them.
LogicalResult convertQuantize(QuantizeOp op, const QuantizeContext &context);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_QUANTIZESTEP_H
