//===- MultistageMainloop.h - Every warp copies and multiplies --*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The multistage mainloop: all warps of a block copy the next stages with
// cp.async while they multiply one.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_MAINLOOP_MULTISTAGEMAINLOOP_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_MAINLOOP_MULTISTAGEMAINLOOP_H

#include "Kernels/Matmul/Mainloop/StageMma.h"
#include "Kernels/Support/TileScheduler.h"

namespace mlir::sparseflow {

class MultistageMainloop {
public:
  /// Of the block's tile `tile`, and of part `split` (index) of a split K;
  /// null: of all of it. `views` are those of operand A. With `pdl` the kernel
  /// waits for those before it; with `copiesWeightsEarly` the weights of the
  /// first stages, which no kernel computes, are copied before it does.
  MultistageMainloop(const MatmulProblem &problem, KernelBuilder &b,
                     const OperandA &operandA,
                     const MultistageOperandB &operandB, ArrayRef<Value> views,
                     MatmulPipeline &pipeline, TileScheduler::Tile tile,
                     Value split, bool pdl, bool copiesWeightsEarly);

  /// Waits for the kernels before, fills the pipeline as far as it may run
  /// ahead, and computes what the block holds meanwhile; `mma` will run.
  void start(const StageMma &mma);
  /// The accumulators of this block's part of K, weight by weight; behind
  /// start().
  SmallVector<Value> run(StageMma &mma);

private:
  SmallVector<Value> zeroSums(const StageMma &mma);
  /// run() of MMAs that overlap stages.
  SmallVector<Value> runOverlapped(StageMma &mma);
  void fill(Value position);
  void fillA(Value position, ArrayRef<Value> slots);
  void fillB(Value position, ArrayRef<Value> slots);
  Value isInside(Value position);
  Value stepAt(Value position);
  void chooseSteps(Value split);

  const MatmulProblem &problem;
  KernelBuilder &b;
  const OperandA &operandA;
  const MultistageOperandB &operandB;
  SmallVector<Value> views;
  MatmulPipeline &pipeline;
  TileScheduler::Tile tile;
  bool pdl, copiesWeightsEarly;
  Value firstStep, stepCount; // index
  Value held;                 // of operand B
  bool repeatsLast = false;   // weights, behind the last step
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_MAINLOOP_MULTISTAGEMAINLOOP_H
