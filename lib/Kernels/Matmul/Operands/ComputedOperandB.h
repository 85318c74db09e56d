//===- ComputedOperandB.h - Activations that a block computes ---*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operand B of a multistage mainloop whose blocks compute the rows that they
// multiply, a norm's, of one token, while their first weights arrive: no kernel
// before computes them, and nothing but weights comes by stages.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_OPERANDS_COMPUTEDOPERANDB_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_OPERANDS_COMPUTEDOPERANDB_H

#include "Kernels/Matmul/MatmulPipeline.h"

namespace mlir::sparseflow {

class ComputedOperandB : public MultistageOperandB {
public:
  using MultistageOperandB::MultistageOperandB;

  /// The inputs of the rows.
  SmallVector<KernelParameter> parameters() const override;
  int64_t numbers() const override;
  SmallVector<sftile::TileType> stageTiles() const override { return {}; }
  int64_t heldBytes() const override;

  /// The token's columns, 64 in each row of a tile. MMAs read the rows behind
  /// as those of tokens that there are none of: an MMA mixes no tokens.
  Value hold(KernelBuilder &b) const override;
  void addTo(KernelBuilder &b, Value held, Value step,
             MatmulStage &stage) const override;

private:
  /// Columns of all stages; behind K they are zeros.
  int64_t columns() const;
  sftile::TileType heldType() const;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_OPERANDS_COMPUTEDOPERANDB_H
