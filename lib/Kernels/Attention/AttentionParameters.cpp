//===- AttentionParameters.cpp - What an attention asks of kernels --------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/AttentionParameters.h"

using namespace mlir;
using namespace mlir::sparseflow;

/// The pairs that the score region of `op` leaves, if some bound on the keys of
/// a query is not implied by sizes and masks.
static PairRanges boundingPairs(AttentionOp op) {
  if (!op.hasScore())
    return {};
  PairRanges seen = getSeenPairs(op);
  // One key is visited where none is seen.
  if (seen.empty())
    return {PairRange{0, PairRange::kFar, 0, 0}};
  PairRange masks = getPairsOfMasks(op);
  auto isNew = [](int64_t bound, int64_t known) {
    return bound != known && PairRange::isBound(bound);
  };
  bool fewerLast = llvm::all_of(seen, [&](const PairRange &range) {
    return isNew(range.lastKey, masks.lastKey) ||
           isNew(range.mostOffset, masks.mostOffset);
  });
  bool fewerFirst = llvm::all_of(seen, [&](const PairRange &range) {
    return isNew(range.firstKey, masks.firstKey) ||
           isNew(range.leastOffset, masks.leastOffset);
  });
  if (!fewerLast && !fewerFirst)
    return {};
  // What another bound, or a size, implies is not computed.
  for (PairRange &range : seen) {
    if (range.mostOffset >= range.lastKey - range.firstQuery)
      range.mostOffset = PairRange::kFar;
    if (range.leastOffset <= range.firstKey - range.lastQuery)
      range.leastOffset = -PairRange::kFar;
    if (range.lastKey == masks.lastKey)
      range.lastKey = PairRange::kFar;
  }
  return seen;
}

AttentionShape mlir::sparseflow::attentionShape(AttentionOp op) {
  AttentionShape shape;
  shape.bhsd = op.getLayout() == AttentionLayout::Bhsd;
  shape.causal = op.getCausal();
  shape.hasLengths = bool(op.getLengths());
  shape.varlen = op.isVarlen();
  shape.hasLse = bool(op.getLse());
  shape.hasSinks = bool(op.getSinkLogits());
  shape.window = op.getWindow().value_or(0);
  shape.scale = op.getScaleValue();
  shape.heads = op.getQueryHeads();
  shape.keyHeads = op.getKeyHeads();
  shape.d = op.getD();
  shape.dv = op.getDv();
  shape.valueWidth = op.getVType().getDimSize(3);
  shape.sharesKeys = op.sharesKeys() && !getTernaryEncoding(op.getKType());
  shape.sizes[kBatch] =
      shape.varlen ? ShapedType::kDynamic : op.getQType().getDimSize(0);
  shape.sizes[kQueries] = op.getQType().getDimSize(op.getSequenceDim());
  shape.sizes[kKeys] = op.getKeyCount();
  shape.page = op.getPageSize();
  shape.operandType = op.getQType().getElementType();
  shape.resultType = op.getResultType().getElementType();
  for (auto [index, operand] : llvm::enumerate(op.getScoreOperands()))
    shape.operands.emplace_back(getElementTypeOrSelf(operand.getType()),
                                op.getScoreDims(index).str());
  shape.score = op.hasScore() ? &op.getScore().front() : nullptr;
  if (shape.score)
    shape.yielded = op.getYieldedScore();
  shape.seen = boundingPairs(op);
  shape.keyPlanes = getTernaryEncoding(op.getKType());
  shape.valuePlanes = getTernaryEncoding(op.getVType());
  if (shape.keyPlanes && !shape.isQuantized())
    shape.scale *= 0.5f;
  return shape;
}

/// How rows of `features` elements of `type` (16 bits) reach shared memory.
static sftile::CopyAtomInterface copyOf(int64_t features, Type type,
                                        bool aligned) {
  MLIRContext *context = type.getContext();
  int64_t width = aligned ? widthFor(features, type) : 2;
  if (width >= 4)
    return sftile::CpAsyncAttr::get(context, width);
  return sftile::LdStAttr::get(context, 2);
}

AttentionKernel mlir::sparseflow::attentionKernel(
    std::string name, Location loc, const AttentionShape &shape,
    sftile::AttentionScheduleAttr schedule, bool aligned) {
  auto widthOf = [&](int64_t features, Type type) {
    int64_t bytes = type.getIntOrFloatBitWidth() / 8;
    // Two neighbours are what a lane holds of a row.
    return aligned ? std::min(widthFor(features, type), 2 * bytes) : bytes;
  };
  // Every row of a score operand begins with a whole pair then.
  int64_t keys = shape.sizes[kKeys];
  return AttentionKernel{
      std::move(name),
      loc,
      shape,
      schedule,
      copyOf(shape.d, shape.operandType, aligned),
      copyOf(std::gcd(shape.dv, shape.valueWidth), shape.operandType, aligned),
      widthOf(shape.d, shape.operandType),
      widthOf(shape.dv, shape.resultType),
      aligned && !ShapedType::isDynamic(keys) && keys % 2 == 0 ? 2 : 1};
}
