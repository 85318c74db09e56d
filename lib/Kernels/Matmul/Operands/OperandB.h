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
// block of a cluster its part; or held for all of K (HeldOperandB.h,
// ComputedOperandB.h).
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_OPERANDS_OPERANDB_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_OPERANDS_OPERANDB_H

#include "Kernels/Matmul/Composition.h"
#include "Kernels/Support/TokenBoxes.h"

namespace mlir::sparseflow {

struct MatmulStage;

class OperandB {
public:
  /// `problem` must outlive the operand.
  explicit OperandB(const MatmulProblem &problem)
      : problem(problem), schedule(problem.schedule) {}
  virtual ~OperandB() = default;

  /// That of a warp-specialized mainloop.
  static std::unique_ptr<OperandB> ofProducers(const MatmulProblem &problem);

  /// The kernel's first ones.
  virtual SmallVector<KernelParameter> parameters() const = 0;
  /// Integers in front of the number of tokens.
  virtual int64_t numbers() const { return 0; }
  /// What a stage holds of it.
  virtual SmallVector<sftile::TileType> stageTiles() const = 0;
  /// Shared memory that a block has for it beside its stages.
  virtual int64_t heldBytes() const { return 0; }

protected:
  sftile::TileType tile(int64_t columns) const;

  const MatmulProblem &problem;
  sftile::ScheduleAttr schedule;
};

/// That of a multistage mainloop, whose warps do everything themselves.
class MultistageOperandB : public OperandB {
public:
  using OperandB::OperandB;

  /// The class for `activations`.
  static std::unique_ptr<MultistageOperandB>
  create(ActivationSource activations, const MatmulProblem &problem);

  /// Starts the copies into `slots` of K step `step` (i64) and the block's
  /// tokens from `token` (i64) on, of the first `count` (i64); the others are
  /// zeros.
  virtual void copyStage(KernelBuilder &b, Value count, Value token, Value step,
                         ArrayRef<Value> slots) const {}
  /// What the block holds for all of K, or null. All warps execute it, behind
  /// the kernels before; it is there behind the first stage's barrier.
  virtual Value hold(KernelBuilder &b) const { return {}; }
  /// Adds what the MMAs of K step `step` (i64) read of `held` to a stage.
  virtual void addTo(KernelBuilder &b, Value held, Value step,
                     MatmulStage &stage) const {}
};

/// Copied by all warps of the block.
class CopiedOperandB : public MultistageOperandB {
public:
  using MultistageOperandB::MultistageOperandB;

  SmallVector<KernelParameter> parameters() const override { return {{}}; }
  /// One tile.
  SmallVector<sftile::TileType> stageTiles() const override;
  void copyStage(KernelBuilder &b, Value count, Value token, Value step,
                 ArrayRef<Value> slots) const override;
};

/// Copied by TMA, swizzled over 128 bytes.
class TmaOperandB : public OperandB {
public:
  using OperandB::OperandB;

  SmallVector<KernelParameter> parameters() const override;
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
