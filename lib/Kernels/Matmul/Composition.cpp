//===- Composition.cpp - Which parts a matmul kernel is made of -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Composition.h"
#include "Kernels/Matmul/Mainloop/DequantizedMma.h"

using namespace mlir;
using namespace mlir::sparseflow;

static MmaKind multistageMma(const MatmulProblem &problem) {
  if (problem.schedule.getWarpgroup())
    return MmaKind::WarpgroupByStage;
  if (problem.gatedOperand)
    return MmaKind::WarpGated;
  return problem.scales ? MmaKind::WarpGroupScaled : MmaKind::Warp;
}

static MmaKind warpSpecializedMma(const MatmulProblem &problem) {
  if (problem.weights != WeightKind::Quantized)
    return MmaKind::Warpgroup;
  // Scales that are exact in the operands' type are part of dequantization.
  if (problem.scales && !problem.scales->areExactIn(problem.operandType))
    return MmaKind::WarpgroupGroupScaled;
  // Where MMAs of other warpgroups run, waiting for one's own costs nothing.
  return DequantizedMma::stagesWithRoom(problem) == 1
             ? MmaKind::WarpgroupDequantizedByStage
             : MmaKind::WarpgroupDequantized;
}

static ActivationSource activationSource(const MatmulProblem &problem) {
  if (problem.computedRows)
    return ActivationSource::Computed;
  return problem.schedule.getHeld() && problem.isInteger()
             ? ActivationSource::Quantized
             : ActivationSource::Copied;
}

MatmulComposition
mlir::sparseflow::compositionOf(const MatmulProblem &problem) {
  // No kernel writes packed weights: they may come while the kernels before
  // still run. Dense ones may be what such a kernel computes, unless the
  // program says otherwise.
  bool pdl = problem.computeCapability >= 90;
  bool early =
      pdl && (problem.weights != WeightKind::Dense || problem.constantWeight);
  ActivationSource activations = activationSource(problem);
  if (problem.schedule.isStreamed())
    return {Pipelining::Streamed, MmaKind::Warp, activations,
            Storage::Direct,      early,         early};
  if (problem.schedule.getProducerWarps()) {
    // TMA stores rows of a multiple of 16 bytes, and staging holds 16 bits. A
    // gated product is finished in registers.
    bool staged = problem.resultType.getIntOrFloatBitWidth() == 16 &&
                  problem.storeWidth == 16 && !problem.gatedOperand;
    return {Pipelining::WarpSpecialized,
            warpSpecializedMma(problem),
            activations,
            problem.isArgmax() ? Storage::PartialMaxima
            : staged           ? Storage::Tma
                               : Storage::Direct,
            pdl,
            problem.weights == WeightKind::Quantized};
  }
  return {Pipelining::Multistage,
          multistageMma(problem),
          activations,
          problem.schedule.getSplitK() > 1 ? Storage::PartialSums
          : problem.isArgmax()             ? Storage::PartialMaxima
                                           : Storage::Direct,
          pdl,
          early};
}
