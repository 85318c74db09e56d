//===- DequantizedMma.h - wgmma of dequantized weights ---*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// WarpgroupMma of quantized weights: operand A is dequantized in registers,
// which wgmma reads (RS). Where a stage's weights do not fit beside the
// accumulators, it is dequantized in parts.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_MAINLOOP_DEQUANTIZEDMMA_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_MAINLOOP_DEQUANTIZEDMMA_H

#include "Kernels/Matmul/Mainloop/WarpgroupMma.h"

namespace mlir::sparseflow {

class DequantizedMma : public WarpgroupMma {
public:
  using Words = QuantizedOperandA::Words;

  DequantizedMma(const MatmulProblem &problem,
                 const QuantizedOperandA &operandA, KernelBuilder &b);

  sftile::LayoutAttr accumulatorLayout() const override;
  sftile::AsyncMmaAtomInterface atom() const override { return wgmma; }
  int64_t parts() const override {
    return problem.schedule.getK() / partColumns;
  }
  void start(const MatmulStage &stage, int64_t part, const WarpgroupRows &rows,
             MutableArrayRef<Value> sums,
             SmallVectorImpl<Value> &held) override;
  bool multipliesOddStageFirst() const override { return true; }
  Value sumsOf(Value accumulator) override;

  /// Stages whose weights a thread has registers for, beside its accumulators:
  /// 2, so that it dequantizes those of one while the MMAs of another run, 1 or
  /// 0.
  static int64_t stagesWithRoom(const MatmulProblem &problem);

  int64_t unitColumns() const { return operandA.unitColumns(); }
  /// The words of unit `unit` of a stage, whose codes are `tile`, and of the 16
  /// rows from `row` on.
  Words loadUnit(Value tile, Value row, int64_t unit, int64_t plane = 0);
  /// Operand A of an MMA: columns from `k` of the stage on, times `scale` of
  /// their rows if there is one.
  Value dequantize(const Words &words, int64_t k, Value scale = {});
  /// Starts the MMA of these, and of the activations of `stage` from `token`
  /// on. Adds to `sum`, a fragment or MMAs under way, or if `cleared` only
  /// takes its registers.
  Value multiply(Value weights, const Words &words, int64_t k,
                 const MatmulStage &stage, int64_t token, Value sum,
                 bool cleared = false);

  sftile::AsyncMmaAtomInterface wgmma;
  /// Whether operand A is 64 times the codes, or with scales in the mainloop
  /// -64 times the weights.
  bool shifted;

private:
  /// The scales of 16 rows from `row` on for a group of columns of a stage.
  Value loadScale(Value tile, int64_t group, Value row);

  const MatmulProblem &problem;
  const QuantizedOperandA &operandA;
  KernelBuilder &b;
  sftile::FragType weightsType;
  int64_t partColumns;
  /// Words of the unit whose parts are being started, of accumulators and
  /// planes, these fastest.
  SmallVector<Words> words;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_MAINLOOP_DEQUANTIZEDMMA_H
