//===- TernaryScales.cpp - Scales of ternary weights ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/TernaryScales.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::sparseflow;

// Columns of the deepest unit of packed weights.
static constexpr int64_t kWholeUnits = 256;
// Tokens whose sums of a part are under way together, at least, and columns of
// a matmul with pairs.
static constexpr int64_t kTokensOfPart = 32, kLeastPairs = 64;
// Columns of a token that a warp has registers for until its scale is known.
static constexpr int64_t kMostHeldColumns = 4096;

sftile::CodecInterface mlir::sparseflow::codecOf(TernaryAttr encoding) {
  return sftile::findCodec(encoding.getContext(), encoding.getLayout());
}

std::optional<LoopScales> mlir::sparseflow::loopScales(MatmulOp op) {
  TernaryAttr ternary = op.getTernary();
  int64_t k = std::max<int64_t>(op.getK(), 1);
  if (ternary.getGroups(k) <= 1 && ternary.getPlanes() == 1)
    return std::nullopt;
  // One group is all of what is padded too.
  int64_t groups = ternary.getGroups(k), columns = ternary.getGroupColumns(k);
  if (groups == 1)
    columns = llvm::alignTo(k, kWholeUnits);
  return LoopScales{ternary.getScaleType(),
                    columns,
                    groups,
                    ternary.getPlanes(),
                    ternary.getGroup() != TernaryAttr::kTensorScale,
                    ternary.isTernary()};
}

LogicalResult mlir::sparseflow::verifyDepth(MatmulOp op,
                                            sftile::ScheduleAttr schedule) {
  if (!schedule.getPipeline())
    return op.emitOpError("expected a schedule with a pipeline, found ")
           << schedule << ", which is one for elementwise kernels";
  bool ternary = bool(op.getTernary());
  if (!ternary && schedule.getProducerWarps() && schedule.getKWarps() > 1)
    return op.emitOpError("expected k_warps = 1 for dense and 2:4 weights and "
                          "producer warps, found schedule ")
           << schedule.getName() << " with " << schedule.getKWarps();
  if ((ternary || op.isSparse()) && schedule.getMultistage() &&
      schedule.getKWarps() > 1)
    return op.emitOpError(
               "expected k_warps = 1 for packed weights, whose units "
               "warps do not divide, found schedule ")
           << schedule.getName() << " with " << schedule.getKWarps();
  if (ternary && !codecOf(op.getTernary()))
    return op.emitOpError("expected a weight that kernels read, found ")
           << op.getTernary() << "; sparseflow-verify-program says what to do";
  bool pairs = ternary && op.getTernary().isTwoFour();
  bool integer = op.getXType().getElementType().isInteger(8);
  if (ternary && schedule.isStreamed() &&
      !codecOf(op.getTernary()).isStreamed())
    return op.emitOpError("expected a multistage or warp_specialized pipeline "
                          "for weights of ")
           << op.getTernary().getLayout() << ", found schedule "
           << schedule.getName();
  if (pairs && ((!schedule.isStreamed() && !schedule.getProducerWarps()) ||
                schedule.getK() != 256))
    return op.emitOpError(
               "expected a streamed or warp_specialized pipeline, and k = "
               "256, the columns of a unit, for weights that keep two "
               "of four columns, found schedule ")
           << schedule.getName();
  if (ternary && !pairs && schedule.getProducerWarps() &&
      schedule.getK() != 128 && (!integer || schedule.getK() != 256))
    return op.emitOpError("expected k = 128 with producer warps for ternary "
                          "weights of all columns, or 256 with activations of "
                          "8 bits, found schedule ")
           << schedule.getName();
  if (ternary && schedule.getK() % 128)
    return op.emitOpError(
               "expected k as a multiple of 128, the columns of a unit "
               "of ternary weights, for schedule ")
           << schedule.getName() << ", found " << schedule.getK();
  if (schedule.isStreamed() && !pairs && (!ternary || schedule.getK() != 128))
    return op.emitOpError("expected a streamed pipeline with k = 128, and only "
                          "for ternary weights, found it in schedule ")
           << schedule.getName();
  if (ternary && schedule.getWarpgroup() && !schedule.isStreamed() &&
      !schedule.getProducerWarps())
    return op.emitOpError("expected warpgroup for ternary weights only with "
                          "producer warps, found it in schedule ")
           << schedule.getName();
  std::optional<LoopScales> scales;
  if (ternary)
    scales = loopScales(op);
  bool inParts = scales && !scales->areExactIn(op.getXType().getElementType());
  if (inParts && schedule.getProducerWarps() &&
      (schedule.getBlock()[1] % kTokensOfPart ||
       (pairs && scales->columns < kLeastPairs)))
    return op.emitOpError("expected blocks of a multiple of ")
           << kTokensOfPart << " tokens, and groups of at least " << kLeastPairs
           << " columns of weights that keep two of four, for scales of groups "
           << "or planes with producer warps, found schedule "
           << schedule.getName();
  if (inParts && schedule.getProducerWarps() && schedule.getKWarps() > 1)
    return op.emitOpError("expected k_warps = 1 for scales of groups or planes "
                          "and producer warps, found schedule ")
           << schedule.getName() << " with " << schedule.getKWarps();
  if (!ternary && schedule.getWarpgroup() && schedule.getK() != 64 &&
      (schedule.getK() != 128 || !schedule.getProducerWarps() ||
       !op.isSparse()))
    return op.emitOpError("expected k = 64 where four warps multiply together, "
                          "or 128 for 2:4 weights and producer warps, for "
                          "schedule ")
           << schedule.getName() << ", found " << schedule.getK();
  if (!schedule.getProducerWarps())
    return success();
  if (int64_t tokens = schedule.getBlock()[1];
      integer && tokens % 16 && tokens != 8 && tokens != 24)
    return op.emitOpError("expected blocks of 8, 24 or a multiple of 16 tokens "
                          "for activations of 8 bits, the sizes of a "
                          "warpgroup's MMA, found ")
           << tokens << " in schedule " << schedule.getName();
  int64_t k = op.getK();
  if (schedule.getHeld()) {
    auto quantize = op.getX().getDefiningOp<QuantizeOp>();
    Type given = quantize ? getElementTypeOrSelf(quantize.getX().getType())
                          : op.getXType().getElementType();
    if (!integer || !quantize || scales || k > kMostHeldColumns ||
        k * given.getIntOrFloatBitWidth() % 128)
      return op.emitOpError("expected activations that sparseflow.quantize "
                            "rounds, in rows of a multiple of 16 bytes and at "
                            "most ")
             << kMostHeldColumns << " elements, and weights with one scale or "
             << "one a row, for holds_activations and producer warps, found "
             << "schedule " << schedule.getName();
  }
  int64_t stages = llvm::divideCeil(k, schedule.getK());
  int64_t splits = schedule.getSplitK();
  int64_t perSplit = llvm::divideCeil(stages, splits);
  if (ternary ? (splits - 1) * perSplit >= stages : splits > stages)
    return op.emitOpError("expected split_k to leave each part some of the ")
           << stages << " stages of K = " << k << " for schedule "
           << schedule.getName() << ", found " << schedule.getSplitK();
  return success();
}

bool mlir::sparseflow::readsTokenSums(MatmulOp op) {
  TernaryAttr ternary = op.getTernary();
  Type activations = op.getXType().getElementType();
  return ternary && activations.isInteger(8) && !loopScales(op) &&
         codecOf(ternary).getBias(activations);
}

ScaledEpilogue mlir::sparseflow::scaleFirst(MatmulOp op, TernaryAttr ternary) {
  Location loc = op.getLoc();
  Block &original = op.getEpilogue().front();
  ScaledEpilogue result;
  result.block = std::make_unique<Block>();
  if (ternary.getGroup() != TernaryAttr::kTensorScale)
    result.broadcast = Broadcast::PerFeature;
  Type scaleType = ternary.getScaleType();
  OpBuilder builder(op.getContext());
  builder.setInsertionPointToEnd(result.block.get());
  Value sum, scale;
  if (op.getXType().getElementType().isInteger(8)) {
    // Codes that exceed the weights by one: the activations themselves are
    // taken away again. What is left is exact.
    Type i32 = builder.getI32Type();
    Value exact = result.block->addArgument(i32, loc);
    if (codecOf(ternary).getBias(builder.getI8Type())) {
      Value activations = result.block->addArgument(i32, loc);
      exact = arith::SubIOp::create(builder, loc, exact, activations);
    }
    scale = result.block->addArgument(scaleType, loc);
    sum = arith::SIToFPOp::create(builder, loc, builder.getF32Type(), exact);
  } else {
    sum = result.block->addArgument(builder.getF32Type(), loc);
    scale = result.block->addArgument(scaleType, loc);
  }
  if (!scaleType.isF32())
    scale = arith::ExtFOp::create(builder, loc, builder.getF32Type(), scale);
  IRMapping mapping;
  mapping.map(original.getArgument(0),
              arith::MulFOp::create(builder, loc, sum, scale).getResult());
  for (BlockArgument argument : original.getArguments().drop_front())
    mapping.map(argument, result.block->addArgument(argument.getType(), loc));
  for (Operation &op : original.without_terminator())
    builder.clone(op, mapping);
  result.yielded = mapping.lookupOrDefault(op.getYieldedValue());
  return result;
}

FailureOr<bool> mlir::sparseflow::naturalOrder(QuantizeOp op) {
  std::optional<bool> natural;
  for (Operation *user : op->getResult(0).getUsers()) {
    TernaryAttr weight = cast<MatmulOp>(user).getTernary();
    bool wanted = weight && weight.isTwoFour();
    if (natural.value_or(wanted) != wanted)
      return user->emitOpError(
          "expected matmuls that share quantized activations to have weights "
          "of one order: all of them keep two of four columns, or none does; "
          "give this one activations of its own");
    natural = wanted;
  }
  return natural.value_or(false);
}
