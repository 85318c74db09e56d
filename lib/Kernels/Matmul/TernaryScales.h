//===- TernaryScales.h - Scales of ternary weights -------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_TERNARYSCALES_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_TERNARYSCALES_H

#include "Kernels/Matmul/MatmulProblem.h"

namespace mlir::sparseflow {

/// How kernels read a weight of this encoding; null if none does.
sftile::CodecInterface codecOf(TernaryAttr encoding);

/// The scales of a ternary weight that belong into the loop; nothing if there
/// is one for the tensor or for each row.
std::optional<LoopScales> loopScales(MatmulOp op);

/// The epilogue of a matmul whose sums are to be multiplied by a scale first:
/// its block has the scale as an argument more, behind the accumulator. Owns
/// the block.
struct ScaledEpilogue {
  std::unique_ptr<Block> block;
  Value yielded;
  /// How the scale meets the result: one for all or one for each feature.
  Broadcast broadcast = Broadcast::Scalar;

  ElementBody body() const { return {block.get(), yielded}; }
};

/// `op`'s epilogue behind a multiplication by the scale of its weight, which
/// has one for the tensor or for each row. If the activations have 8 bits, the
/// block takes sums of codes, i32, and, where codes are one more than weights,
/// between them and the scale the sum of each token's activations, i32.
ScaledEpilogue scaleFirst(MatmulOp op, TernaryAttr ternary);

/// Whether `op` subtracts the sum of each token's activations of 8 bits from
/// sums of codes that are one more than weights.
bool readsTokenSums(MatmulOp op);

/// Whether quantized activations are in the order of their columns: that is for
/// the matmuls that read them to say. Fails if they disagree.
FailureOr<bool> naturalOrder(QuantizeOp op);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_TERNARYSCALES_H
