//===- GroupScaledMainloop.h - Partial sums with scales --------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The consumer mainloop of quantized weights with scales for quantization
// groups or planes. The MMAs of one group and plane in a stage give partial
// sums of whole numbers times activations, of some of the tokens at a time.
// While those of the next tokens run they are multiplied by the scales of their
// rows and added up in f32.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_MAINLOOP_GROUPSCALEDMAINLOOP_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_MAINLOOP_GROUPSCALEDMAINLOOP_H

#include "Kernels/Matmul/Mainloop/DequantizedMma.h"
#include "Kernels/Matmul/Mainloop/WarpgroupMainloop.h"

namespace mlir::sparseflow {

class GroupScaledMainloop : public WarpgroupMainloop {
public:
  /// `scales` points to all scales. Executed by the consumer warps, before
  /// anything else.
  GroupScaledMainloop(const MatmulProblem &problem,
                      const QuantizedOperandA &operandA, KernelBuilder &b,
                      MatmulPipeline &pipeline, Value scales);

  /// In f32.
  SmallVector<Value> multiplyTile(Value position, int64_t stages) override;
  sftile::LayoutAttr accumulatorLayout() const override {
    return mma.accumulatorLayout();
  }

private:
  /// Sums in f32, slice by slice of each accumulator, and the partial sums that
  /// are under way, if any. There are two sets of registers for partial sums:
  /// `spare` holds their last values, `set` is the next one.
  struct Running {
    SmallVector<Value> sums, spare;
    int64_t set = 0, pendingSet = 0;
    Value pending, scale;
    SmallVector<Value> held;
    int64_t slice = 0; // among `sums`
  };

  /// Adds the stage at `position` to `values`, which are sums and then spare
  /// registers, and releases it.
  SmallVector<Value> multiplyStage(Value position, ValueRange values);
  /// Waits for the partial sums under way, not for the `younger` groups of MMAs
  /// behind them, and adds them up.
  void waitGroup(Running &state, int64_t younger);
  Value scaleOf(const MatmulStage &stage, int64_t plane, int64_t group,
                Value row);

  DequantizedMma mma;
  SmallVector<Value> warpRows; // rows().ofWarp
  SmallVector<Value> scalars;
  int64_t tokens, slices, stageK, columns;
  sftile::FragType partType, sumType, scaleType;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_MAINLOOP_GROUPSCALEDMAINLOOP_H
