//===- MatmulLimits.cpp - Schedules that a matmul can have ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/MatmulLimits.h"
#include "Kernels/Matmul/TernaryScales.h"

using namespace mlir;
using namespace mlir::sparseflow;

// Tokens whose partial sums of a quantization group are under way together, at
// least.
static constexpr int64_t kTokensOfGroup = 32;
// Columns of a quantization group of 2:4 weights, at least.
static constexpr int64_t kLeastGroupOfTwoFour = 64;
// Columns of a token that a warp has registers for until its scale is known.
static constexpr int64_t kMostHeldColumns = 4096;
// Columns of a unit of packed weights: dense ones, and those that keep two of
// four.
static constexpr int64_t kUnit = 128, kTwoFourUnit = 256;

namespace {

/// A method judges one feature of a schedule.
class ScheduleVerifier {
public:
  ScheduleVerifier(MatmulOp op, sftile::ScheduleAttr schedule)
      : op(op), schedule(schedule), ternary(op.getTernary()),
        activations(op.getXType().getElementType()) {}

  LogicalResult verify();

private:
  LogicalResult verifyKWarps();
  LogicalResult verifyUnits();
  LogicalResult verifyGroupScales();
  LogicalResult verifyWarpgroup();
  LogicalResult verifyTokens();
  LogicalResult verifyHeldActivations();
  LogicalResult verifySplitK();

  /// Whether weights are quantized and keep two of four columns.
  bool keepsTwoOfFour() const { return ternary && ternary.isTwoFour(); }
  bool isInt8() const { return activations.isInteger(8); }
  bool hasProducers() const { return schedule.getProducerWarps() > 0; }

  MatmulOp op;
  sftile::ScheduleAttr schedule;
  TernaryAttr ternary;
  Type activations;
  /// Scales that the mainloop applies, if any.
  std::optional<LoopScales> scales;
};

} // namespace

LogicalResult ScheduleVerifier::verify() {
  if (!schedule.getPipeline())
    return op.emitOpError("expected a schedule with a pipeline, found ")
           << schedule << ", which is one for elementwise kernels";
  if (ternary && !codecOf(ternary))
    return op.emitOpError("expected a weight that kernels read, found ")
           << ternary << "; sparseflow-verify-program says what to do";
  if (ternary)
    scales = loopScales(op);
  return success(succeeded(verifyKWarps()) && succeeded(verifyUnits()) &&
                 succeeded(verifyGroupScales()) &&
                 succeeded(verifyWarpgroup()) && succeeded(verifyTokens()) &&
                 succeeded(verifyHeldActivations()) &&
                 succeeded(verifySplitK()));
}

/// Warps that divide the columns of a stage.
LogicalResult ScheduleVerifier::verifyKWarps() {
  if (schedule.getKWarps() <= 1)
    return success();
  if (!ternary && hasProducers())
    return op.emitOpError("expected k_warps = 1 for dense and 2:4 weights and "
                          "producer warps, found schedule ")
           << schedule.getName() << " with " << schedule.getKWarps();
  if ((ternary || op.isSparse()) && schedule.getMultistage())
    return op.emitOpError(
               "expected k_warps = 1 for packed weights, whose units "
               "warps do not divide, found schedule ")
           << schedule.getName() << " with " << schedule.getKWarps();
  return success();
}

/// Stages hold whole units of packed weights, and the pipeline is one that the
/// codec of the weights has kernels of.
LogicalResult ScheduleVerifier::verifyUnits() {
  int64_t k = schedule.getK();
  if (ternary && schedule.isStreamed() && !codecOf(ternary).isStreamed())
    return op.emitOpError("expected a multistage or warp_specialized pipeline "
                          "for weights of ")
           << ternary.getLayout() << ", found schedule " << schedule.getName();
  if (keepsTwoOfFour() &&
      ((!schedule.isStreamed() && !hasProducers()) || k != kTwoFourUnit))
    return op.emitOpError("expected a streamed or warp_specialized pipeline, "
                          "and k = ")
           << kTwoFourUnit
           << ", the columns of a unit, for weights that keep two of four "
              "columns, found schedule "
           << schedule.getName();
  if (ternary && !keepsTwoOfFour() && hasProducers() && k != kUnit &&
      (!isInt8() || k != 2 * kUnit))
    return op.emitOpError("expected k = 128 with producer warps for ternary "
                          "weights of all columns, or 256 with activations of "
                          "8 bits, found schedule ")
           << schedule.getName();
  if (ternary && k % kUnit)
    return op.emitOpError("expected k as a multiple of ")
           << kUnit << ", the columns of a unit of ternary weights, for "
           << "schedule " << schedule.getName() << ", found " << k;
  if (schedule.isStreamed() && !keepsTwoOfFour() && (!ternary || k != kUnit))
    return op.emitOpError("expected a streamed pipeline with k = 128, and only "
                          "for ternary weights, found it in schedule ")
           << schedule.getName();
  return success();
}

/// Partial sums of quantization groups and planes, which are scaled while the
/// next MMAs run.
LogicalResult ScheduleVerifier::verifyGroupScales() {
  if (!scales || scales->areExactIn(activations) || !hasProducers())
    return success();
  if (schedule.getBlock()[1] % kTokensOfGroup ||
      (keepsTwoOfFour() && scales->columns < kLeastGroupOfTwoFour))
    return op.emitOpError("expected blocks of a multiple of ")
           << kTokensOfGroup << " tokens, and groups of at least "
           << kLeastGroupOfTwoFour
           << " columns of weights that keep two of four, for scales of groups "
           << "or planes with producer warps, found schedule "
           << schedule.getName();
  if (schedule.getKWarps() > 1)
    return op.emitOpError("expected k_warps = 1 for scales of groups or planes "
                          "and producer warps, found schedule ")
           << schedule.getName() << " with " << schedule.getKWarps();
  return success();
}

LogicalResult ScheduleVerifier::verifyWarpgroup() {
  if (!schedule.getWarpgroup())
    return success();
  if (ternary && !schedule.isStreamed() && !hasProducers())
    return op.emitOpError("expected warpgroup for ternary weights only with "
                          "producer warps, found it in schedule ")
           << schedule.getName();
  if (!ternary && schedule.getK() != 64 &&
      (schedule.getK() != 128 || !hasProducers() || !op.isSparse()))
    return op.emitOpError("expected k = 64 where four warps multiply together, "
                          "or 128 for 2:4 weights and producer warps, for "
                          "schedule ")
           << schedule.getName() << ", found " << schedule.getK();
  return success();
}

/// Tokens are the N of wgmma.
LogicalResult ScheduleVerifier::verifyTokens() {
  int64_t tokens = schedule.getBlock()[1];
  if (!hasProducers() || !isInt8() || tokens % 16 == 0 || tokens == 8 ||
      tokens == 24)
    return success();
  return op.emitOpError("expected blocks of 8, 24 or a multiple of 16 tokens "
                        "for activations of 8 bits, the sizes of a "
                        "warpgroup's MMA, found ")
         << tokens << " in schedule " << schedule.getName();
}

/// Activations that consumer warps quantize and keep for all of K.
LogicalResult ScheduleVerifier::verifyHeldActivations() {
  if (!hasProducers() || !schedule.getHeld())
    return success();
  auto quantize = op.getX().getDefiningOp<QuantizeOp>();
  if (quantize && isInt8() && !scales && op.getK() <= kMostHeldColumns) {
    Type element = getElementTypeOrSelf(quantize.getX().getType());
    if (op.getK() * element.getIntOrFloatBitWidth() % 128 == 0)
      return success();
  }
  return op.emitOpError("expected activations that sparseflow.quantize "
                        "rounds, in rows of a multiple of 16 bytes and at "
                        "most ")
         << kMostHeldColumns << " elements, and weights with one scale or "
         << "one a row, for holds_activations and producer warps, found "
         << "schedule " << schedule.getName();
}

/// Parts of K of a kernel with producer warps, none of which is empty.
LogicalResult ScheduleVerifier::verifySplitK() {
  if (!hasProducers())
    return success();
  int64_t splits = schedule.getSplitK();
  int64_t stages = llvm::divideCeil(op.getK(), schedule.getK());
  int64_t perSplit = llvm::divideCeil(stages, splits);
  if (ternary ? (splits - 1) * perSplit < stages : splits <= stages)
    return success();
  return op.emitOpError("expected split_k to leave each part some of the ")
         << stages << " stages of K = " << op.getK() << " for schedule "
         << schedule.getName() << ", found " << splits;
}

LogicalResult mlir::sparseflow::verifySchedule(MatmulOp op,
                                               sftile::ScheduleAttr schedule) {
  return ScheduleVerifier(op, schedule).verify();
}
