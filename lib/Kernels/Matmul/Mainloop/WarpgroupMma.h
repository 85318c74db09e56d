//===- WarpgroupMma.h - wgmma of a stage ------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a consumer warpgroup does with a stage: it starts the MMAs of its rows,
// of 64 for each accumulator, and all tokens of the block.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_MAINLOOP_WARPGROUPMMA_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_MAINLOOP_WARPGROUPMMA_H

#include "Kernels/Matmul/MatmulPipeline.h"

namespace mlir::sparseflow {

/// The rows of a stage that a warpgroup multiplies, index: for each accumulator
/// the first of the warpgroup's 64, and the first of the warp's 16 in these.
struct WarpgroupRows {
  SmallVector<Value> ofGroup, ofWarp;
};

class WarpgroupMma {
public:
  virtual ~WarpgroupMma() = default;

  virtual sftile::LayoutAttr accumulatorLayout() const = 0;
  virtual sftile::AsyncMmaAtomInterface atom() const = 0;
  /// Weights that the activations of a stage are multiplied by.
  virtual int64_t weights() const { return 1; }
  /// Parts of a stage's columns whose MMAs are started one after the other:
  /// one, or an even number.
  virtual int64_t parts() const { return 1; }
  /// Starts the MMAs of part `part` of a stage, after those before it. `sums`,
  /// one of each weight for each of `rows`, are fragments or MMAs under way.
  /// What the MMAs read in registers is appended to `held`.
  virtual void start(const MatmulStage &stage, int64_t part,
                     const WarpgroupRows &rows, MutableArrayRef<Value> sums,
                     SmallVectorImpl<Value> &held) = 0;
  /// Whether of an even number of stages the second one is multiplied before
  /// the loop, not behind it: there ptxas would move operand A from registers
  /// to others.
  virtual bool multipliesOddStageFirst() const { return false; }
  /// The sums, when all MMAs have ended, of a fragment that they have added to.
  virtual Value sumsOf(Value accumulator) { return accumulator; }
};

/// Operand A in shared memory (SS).
class SharedMma : public WarpgroupMma {
public:
  SharedMma(const MatmulProblem &problem, const SharedOperandA &operandA,
            KernelBuilder &b)
      : problem(problem), operandA(operandA), b(b),
        wgmma(operandA.warpgroupMma()) {}

  sftile::LayoutAttr accumulatorLayout() const override;
  sftile::AsyncMmaAtomInterface atom() const override { return wgmma; }
  void start(const MatmulStage &stage, int64_t part, const WarpgroupRows &rows,
             MutableArrayRef<Value> sums,
             SmallVectorImpl<Value> &held) override;

private:
  const MatmulProblem &problem;
  const SharedOperandA &operandA;
  KernelBuilder &b;
  sftile::AsyncMmaAtomInterface wgmma;
};

/// Both weights of a gated product, the one that gates first.
class GatedWarpgroupMma : public WarpgroupMma {
public:
  using OfOne = std::unique_ptr<WarpgroupMma>;

  /// MMAs of either weight, as if it were alone.
  GatedWarpgroupMma(OfOne gating, OfOne gated)
      : mmas{std::move(gating), std::move(gated)} {}

  sftile::LayoutAttr accumulatorLayout() const override {
    return mmas.front()->accumulatorLayout();
  }
  sftile::AsyncMmaAtomInterface atom() const override {
    return mmas.front()->atom();
  }
  int64_t weights() const override { return GatedOperandA::kWeights; }
  int64_t parts() const override { return mmas.front()->parts(); }
  void start(const MatmulStage &stage, int64_t part, const WarpgroupRows &rows,
             MutableArrayRef<Value> sums,
             SmallVectorImpl<Value> &held) override;
  bool multipliesOddStageFirst() const override {
    return mmas.front()->multipliesOddStageFirst();
  }
  Value sumsOf(Value accumulator) override {
    return mmas.front()->sumsOf(accumulator);
  }

private:
  std::array<OfOne, GatedOperandA::kWeights> mmas;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_MAINLOOP_WARPGROUPMMA_H
