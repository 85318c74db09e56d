//===- WarpMma.h - mma.sync of a stage --------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// StageMma on mma.sync. A warp has several accumulators, each of few tokens, so
// that MMAs on one of them need the activations of its tokens only: few
// registers, and loads that interleave with MMAs.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_MAINLOOP_WARPMMA_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_MAINLOOP_WARPMMA_H

#include "Kernels/Matmul/Mainloop/StageMma.h"

namespace mlir::sparseflow {

class WarpMma : public StageMma {
public:
  WarpMma(const MatmulProblem &problem, const OperandA &operandA,
          KernelBuilder &b, WarpTile warp);

  sftile::LayoutAttr accumulatorLayout() const override { return accLayout; }
  int64_t fragmentTokens() const override;
  void multiply(const MatmulStage &stage, MutableArrayRef<Value> acc,
                ValueRange ahead) override;
  bool overlapsStages() const override;
  SmallVector<Value> loadFirst(const MatmulStage &stage) override;
  SmallVector<Value>
  multiplyOverlapped(const MatmulStage &stage, MutableArrayRef<Value> acc,
                     ArrayRef<Value> first,
                     function_ref<SmallVector<Value>()> next) override;

protected:
  /// Adds the MMAs of `a`, operand A of the columns from `k` on, to `acc`.
  void multiplyFragment(const OperandA::Fragment &a, const MatmulStage &stage,
                        int64_t k, MutableArrayRef<Value> acc);
  /// Operand B of the MMAs of accumulator `number` and the columns from `k` on.
  Value loadActivations(const MatmulStage &stage, int64_t number, int64_t k);
  Value multiplyTile(const OperandA::Fragment &a, Value x, Value acc);
  /// Operand A of the columns from `k` on, behind `last`.
  OperandA::Fragment loadWeights(const MatmulStage &stage, int64_t k,
                                 const OperandA::Fragment &last);
  /// Columns of a stage that this warp multiplies.
  int64_t warpColumns() const {
    return problem.schedule.getK() / problem.schedule.getKWarps();
  }

  const MatmulProblem &problem;
  const OperandA &operandA;
  KernelBuilder &b;
  WarpTile warp;
  sftile::MmaAtomInterface mma;
  sftile::LayoutAttr accLayout;
  int64_t warpFeatures, warpTokens;
};

/// The same for the weights of a gated product: each fragment of activations
/// meets both.
class GatedWarpMma : public WarpMma {
public:
  using WarpMma::WarpMma;

  int64_t weights() const override { return GatedOperandA::kWeights; }
  bool overlapsStages() const override { return false; }
  void multiply(const MatmulStage &stage, MutableArrayRef<Value> acc,
                ValueRange ahead) override;
};

/// The same for quantized weights whose quantization groups or planes have
/// scales: partial sums of a group are multiplied by its scales and
/// added up in f32.
class GroupScaledWarpMma : public WarpMma {
public:
  /// `scales` points to all scales; `blockFeature` (i64) is the block's first.
  GroupScaledWarpMma(const MatmulProblem &problem,
                     const QuantizedOperandA &operandA, KernelBuilder &b,
                     WarpTile warp, Value scales, Value blockFeature);

  /// The scales of a stage: a fragment for each unit of columns, its planes,
  /// and the groups inside of them.
  SmallVector<Value> loadAhead(Value step) override;
  void multiply(const MatmulStage &stage, MutableArrayRef<Value> acc,
                ValueRange scales) override;

private:
  /// Columns of a unit that share scales.
  int64_t scaledColumns() const;
  Value zeroPartialSum();
  Value addScaled(Value acc, Value partial, Value scale);

  const QuantizedOperandA &quantized;
  const LoopScales &info;
  Value scales, blockFeature;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_MAINLOOP_WARPMMA_H
