//===- ProducerMainloop.h - The mainloop of producer warps ------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The producer side of a warp-specialized mainloop: one thread starts the
// copies of the stages of a tile, as far ahead as the pipeline is long.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_MAINLOOP_PRODUCERMAINLOOP_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_MAINLOOP_PRODUCERMAINLOOP_H

#include "Kernels/Matmul/MatmulPipeline.h"
#include "Kernels/Support/TileScheduler.h"

namespace mlir::sparseflow {

class ProducerMainloop {
public:
  /// `viewsOfA` and `boxesOfB` are those of the operands, nothing of an operand
  /// B that is held; a tile takes `steps` stages.
  ProducerMainloop(const MatmulProblem &problem, KernelBuilder &b,
                   const TileScheduler &scheduler, const OperandA &operandA,
                   const OperandB &operandB, ArrayRef<Value> viewsOfA,
                   std::optional<TokenBoxes> boxesOfB, MatmulPipeline &pipeline,
                   int64_t steps)
      : problem(problem), b(b), scheduler(scheduler), operandA(operandA),
        operandB(operandB), viewsOfA(viewsOfA), boxesOfB(boxesOfB),
        pipeline(pipeline), steps(steps) {}

  /// The first stages of the block's first tile: the weights of all of them,
  /// then, when the kernels before have ended, the activations.
  void copyFirstStages();
  /// The stages of a tile, the first of which has `position` (i32), without
  /// those that copyFirstStages() has filled.
  void copyTile(TileScheduler::Tile tile, Value position);
  /// `count` stages of it, from K step `first` on (both i32).
  void copyPart(TileScheduler::Tile tile, Value first, Value count,
                Value position);

private:
  /// The K step of stage `step` (i32) of this block's part of a tile, and how
  /// many stages that has (i32).
  Value stepOfPart(Value step);
  Value stepsOfPart();
  /// The box of operand B of a tile that begins at `token`, if it comes so.
  std::optional<TokenBoxes::Box> boxAt(Value token);
  void copyStage(TileScheduler::Tile tile,
                 const std::optional<TokenBoxes::Box> &box, Value step,
                 Value position);
  void copyB(const std::optional<TokenBoxes::Box> &box, Value token, Value step,
             ArrayRef<Value> slots);

  const MatmulProblem &problem;
  KernelBuilder &b;
  const TileScheduler &scheduler;
  const OperandA &operandA;
  const OperandB &operandB;
  SmallVector<Value> viewsOfA;
  std::optional<TokenBoxes> boxesOfB;
  MatmulPipeline &pipeline;
  int64_t steps, firstStages = 0;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_MAINLOOP_PRODUCERMAINLOOP_H
