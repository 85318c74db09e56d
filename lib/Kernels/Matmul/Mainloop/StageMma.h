//===- StageMma.h - The MMAs of a stage -------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the warps of a multistage mainloop do with a stage: each multiplies its
// tile of the block's, with mma.sync, or four warps together with wgmma.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_MAINLOOP_STAGEMMA_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_MAINLOOP_STAGEMMA_H

#include "Kernels/Matmul/Composition.h"
#include "Kernels/Matmul/MatmulPipeline.h"

namespace mlir::sparseflow {

/// The tile of this warp in its block's: first feature and token, index; and
/// where several warps share one, the first of its columns in a stage, index,
/// else null.
struct WarpTile {
  Value feature, token, column;
};

class StageMma {
public:
  virtual ~StageMma() = default;
  /// The class for `kind`. `views` are those of `operandA`; `blockFeature`
  /// (i64) is the block's first.
  static std::unique_ptr<StageMma>
  create(MmaKind kind, const MatmulProblem &problem, const OperandA &operandA,
         KernelBuilder &b, ArrayRef<Value> views, Value blockFeature,
         WarpTile warp);

  /// Weights that the activations of a stage are multiplied by.
  virtual int64_t weights() const { return 1; }
  /// Accumulators of a warp: of each weight one fragment for every
  /// `fragmentTokens` tokens.
  virtual sftile::LayoutAttr accumulatorLayout() const = 0;
  virtual int64_t fragmentTokens() const = 0;
  /// Starts the loads from global memory that the stage of K step `step`
  /// (index) needs, a stage ahead.
  virtual SmallVector<Value> loadAhead(Value step) { return {}; }
  /// Adds the MMAs of a stage to `acc`; `ahead` are those loads.
  virtual void multiply(const MatmulStage &stage, MutableArrayRef<Value> acc,
                        ValueRange ahead) = 0;

  /// Whether the next stage is waited for while MMAs of a stage are left, which
  /// is what the rest is for.
  virtual bool overlapsStages() const { return false; }
  /// What the first MMAs of a stage read of it.
  virtual SmallVector<Value> loadFirst(const MatmulStage &stage) {
    llvm_unreachable("expected MMAs that overlap stages");
  }
  /// As multiply(), of a stage whose first operands are `first`. Once all that
  /// it reads of the stage is loaded it calls `next`, which waits for the next
  /// stage and returns the first operands of that; so does this.
  virtual SmallVector<Value>
  multiplyOverlapped(const MatmulStage &stage, MutableArrayRef<Value> acc,
                     ArrayRef<Value> first,
                     function_ref<SmallVector<Value>()> next) {
    llvm_unreachable("expected MMAs that overlap stages");
  }
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_MAINLOOP_STAGEMMA_H
