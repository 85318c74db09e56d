//===- OperandB.h - The activations of a matmul in its kernels --*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operand B of the MMAs are the activations [tokens, k], row by row: copied by
// all warps with cp.async, or by a producer warp with TMA, which gives every
// block of a cluster its part; or held for all of K (HeldOperandB.h).
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_OPERANDS_OPERANDB_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_OPERANDS_OPERANDB_H

#include "Kernels/Matmul/MatmulProblem.h"
#include "Kernels/Support/TokenBoxes.h"

namespace mlir::sparseflow {

class OperandB {
public:
  /// `problem` must outlive the operand.
  explicit OperandB(const MatmulProblem &problem)
      : problem(problem), schedule(problem.schedule) {}
  virtual ~OperandB() = default;

  /// That of a warp-specialized mainloop.
  static std::unique_ptr<OperandB> ofProducers(const MatmulProblem &problem);

  virtual KernelParameter parameter() const = 0;
  /// What a stage holds of it.
  virtual SmallVector<sftile::TileType> stageTiles() const = 0;
  /// Shared memory that a block has for it beside its stages.
  virtual int64_t heldBytes() const { return 0; }

protected:
  sftile::TileType tile(int64_t columns) const;

  const MatmulProblem &problem;
  sftile::ScheduleAttr schedule;
};

/// Copied by all warps of the block.
class CopiedOperandB : public OperandB {
public:
  using OperandB::OperandB;

  KernelParameter parameter() const override { return {}; }
  /// One tile.
  SmallVector<sftile::TileType> stageTiles() const override;
  /// Starts the copies into `slots` of K step `step` (i64) and the block's
  /// tokens from `token` (i64) on, of the first `count` (i64); the others are
  /// zeros. `x` is the pointer to the activations.
  void copyStage(KernelBuilder &b, Value x, Value count, Value token,
                 Value step, ArrayRef<Value> slots) const;
};

/// Copied by TMA, swizzled over 128 bytes.
class TmaOperandB : public OperandB {
public:
  using OperandB::OperandB;

  KernelParameter parameter() const override;
  /// A tile for each 128 bytes of a row.
  SmallVector<sftile::TileType> stageTiles() const override;
  /// `whole` and `last` are the tensor maps of whole tiles and the last one.
  TokenBoxes boxes(Value whole, Value last) const;
  /// Starts the copies of K step `step` (i32) from `box`, that of the tile at
  /// `token`; multicast if blocks of a cluster share it.
  void copyStage(KernelBuilder &b, TokenBoxes::Box box, Value token, Value step,
                 ArrayRef<Value> slots) const;

private:
  int64_t boxColumns() const;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_OPERANDS_OPERANDB_H
