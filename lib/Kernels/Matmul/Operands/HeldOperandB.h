//===- HeldOperandB.h - Activations that a block quantizes ------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operand B of a warp-specialized mainloop whose blocks read the activations of
// their tokens once, round them to 8 bits and keep them for all of K while they
// multiply one tile of features after the other. No kernel before quantizes,
// and nothing but weights comes by stages.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_OPERANDS_HELDOPERANDB_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_OPERANDS_HELDOPERANDB_H

#include "Kernels/Matmul/MatmulPipeline.h"

namespace mlir::sparseflow {

class HeldOperandB : public OperandB {
public:
  using OperandB::OperandB;

  SmallVector<KernelParameter> parameters() const override { return {{}}; }
  SmallVector<sftile::TileType> stageTiles() const override { return {}; }
  int64_t heldBytes() const override;

  /// In shared memory: the values of 128 columns of all tokens, then those of
  /// the next 128; a scale (f32) and the sum of its values (i32) for each
  /// token.
  struct Tokens {
    Value values, scales, sums;
  };
  /// Quantizes the block's tokens from `first` (i64) on, of which rows of `x`
  /// have those below count(); the others become copies of the last. All
  /// consumer warps execute it.
  Tokens hold(KernelBuilder &b, Value x, Value first) const;
  /// Adds what the MMAs of K step `step` (i32) read to a stage.
  void addTo(KernelBuilder &b, const Tokens &tokens, Value step,
             MatmulStage &stage) const;
  /// `views` of the epilogue's operands with `tokens` for those that the block
  /// has found itself.
  SmallVector<Value> operandViews(ArrayRef<Value> views,
                                  const Tokens &tokens) const;

private:
  int64_t blockTokens() const { return schedule.getBlock()[1]; }
  /// Columns of all stages, a multiple of 128.
  int64_t columns() const;
  sftile::TileType valuesType() const;
  sftile::TileType wordsType(Type type) const;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_OPERANDS_HELDOPERANDB_H
