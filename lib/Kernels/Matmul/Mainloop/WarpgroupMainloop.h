//===- WarpgroupMainloop.h - The mainloop of consumer warps -----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The consumer side of a warp-specialized mainloop: what a warpgroup does with
// the stages of a tile until it has the tile's accumulators.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_MAINLOOP_WARPGROUPMAINLOOP_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_MAINLOOP_WARPGROUPMAINLOOP_H

#include "Kernels/Matmul/Composition.h"
#include "Kernels/Matmul/Mainloop/WarpgroupMma.h"

#include <functional>

namespace mlir::sparseflow {

class WarpgroupMainloop {
public:
  WarpgroupMainloop(const MatmulProblem &problem, KernelBuilder &b,
                    MatmulPipeline &pipeline);
  virtual ~WarpgroupMainloop() = default;
  /// Adds to a stage what is in shared memory all the time, for K step (i32) of
  /// a tile; null if all comes with the stage.
  using AddHeld = std::function<void(Value step, MatmulStage &stage)>;
  /// The class for `kind`; executed by the consumer warps before anything that
  /// follows. `views` are those of `operandA`.
  static std::unique_ptr<WarpgroupMainloop>
  create(MmaKind kind, const MatmulProblem &problem, const OperandA &operandA,
         KernelBuilder &b, MatmulPipeline &pipeline, ArrayRef<Value> views,
         AddHeld addHeld = {});

  /// The accumulators of a tile whose first stage has `position` (i32) in the
  /// pipeline, of `stages` of it: of each weight one for each 64 rows of the
  /// warpgroup.
  virtual SmallVector<Value> multiplyTile(Value position, int64_t stages) = 0;
  /// The same of `pairs` (i32, at least one) times two of its stages.
  virtual SmallVector<Value> multiplyPairs(Value position, Value pairs);
  virtual sftile::LayoutAttr accumulatorLayout() const = 0;

  /// The first of the 16 rows of this warp in an MMA's 64, index.
  Value warpRow;
  /// With `k_warps`, which of the stages this warp multiplies, index.
  Value kPart;
  /// Those of each accumulator in the block's, computed where the builder
  /// stands.
  WarpgroupRows rows() const;

  /// Stages of a block's part of a tile, the longest one of a split K; of
  /// warpgroups that share it as many for each. Of quantized weights all parts
  /// have as many: the last ones multiply zeros behind the last column.
  static int64_t stepsOfTile(const MatmulProblem &problem);
  /// The first parts of a split K that have as many stages; those behind have
  /// one less, since weights that may be infinite must not meet such zeros.
  static int64_t wholeParts(const MatmulProblem &problem);
  /// Whether part `rank` is one of those; null where all are.
  static Value isWholePart(const MatmulProblem &problem, KernelBuilder &b,
                           Value rank);
  /// Columns that MMAs of a tile's first stage read. Where K ends within the
  /// last step, and sums have no order, that step is the first: its MMAs end
  /// with K, and those of the loop behind it are whole stages.
  static int64_t firstColumns(const MatmulProblem &problem);
  /// The K step of stage `number` (i32) of a tile.
  static Value stepOfStage(const MatmulProblem &problem, KernelBuilder &b,
                           Value number);

protected:
  const MatmulProblem &problem;
  KernelBuilder &b;
  OpBuilder &builder;
  Location loc;
  MatmulPipeline &pipeline;
  /// Accumulators of a warp, stages of a tile, and warpgroups that share it.
  int64_t accumulators, steps, sharers;

private:
  Value groupRow; // the first of the warpgroup in the block's, index
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_MAINLOOP_WARPGROUPMAINLOOP_H
