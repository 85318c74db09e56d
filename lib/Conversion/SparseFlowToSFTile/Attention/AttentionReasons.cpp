//===- AttentionReasons.cpp - Which kernels an attention cannot have ------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/SparseFlowToSFTile/Attention/AttentionStep.h"
#include "Kernels/Attention/AttentionKernel.h"

using namespace mlir;
using namespace mlir::sparseflow;

// Features of a tile in shared memory.
static constexpr int64_t kTileFeatures = 64;
// Keys of two stages of such a kernel.
static constexpr int64_t kFewKeys = 256;

/// Why planes cannot be dequantized for MMAs of warpgroups. Scales of a head
/// are taken out of the MMAs, those of values per feature too; others
/// differ inside them.
static std::string whyNotDequantized(AttentionOp op) {
  if (op.getMode() == AttentionMode::FullPrecision)
    return "";
  TernaryAttr keys = getTernaryEncoding(op.getKType());
  TernaryAttr values = getTernaryEncoding(op.getVType());
  if (!keys.isTernary())
    return "keys of " + std::to_string(keys.getCacheBits()) +
           " bits are dequantized in the registers of the warps that "
           "multiply them";
  if (keys.getGroup() == TernaryAttr::kTokenScale)
    return "keys have a scale for each token";
  if (keys.getGroup() != TernaryAttr::kHeadScale && keys.getGroup() < op.getD())
    return "keys have scales for groups of " + std::to_string(keys.getGroup()) +
           " features";
  if (values && values.getGroup() == TernaryAttr::kTokenScale)
    return "values have a scale for each token";
  // Dequantizing leaves 224 registers to a thread that multiplies. Loops of
  // one or two stages are unrolled.
  bool isMasked = op.getCausal() || op.getWindow();
  if (std::max(op.getD(), op.getDv()) <= 64 || !isMasked)
    return "";
  if (op.getWindow())
    return "the mask of a window takes registers that dequantizing more than "
           "64 "
           "features needs";
  if (!op.getQType().hasStaticShape() || !op.getKType().hasStaticShape() ||
      op.getLengths())
    return "the mask of lengths that are not known takes registers that "
           "dequantizing more than 64 features needs";
  if (op.getKType().getDimSize(op.getSequenceDim()) <= kFewKeys)
    return "a mask of at most " + std::to_string(kFewKeys) +
           " keys takes registers that dequantizing more than 64 features "
           "needs";
  return "";
}

std::string mlir::sparseflow::whyUnmapped(AttentionOp op) {
  if (int64_t width = op.getVType().getDimSize(3);
      width % 8 && op.getValueFeatures())
    return "rows of " + std::to_string(width) +
           " features, some of which are values, are no multiples of 16 "
           "bytes";
  if (op.getD() % 8 || op.getDv() % 8)
    return "rows of D = " + std::to_string(op.getD()) +
           " and D_v = " + std::to_string(op.getDv()) +
           " are no multiples of 16 bytes";
  // A division takes registers that the thread which copies does not have.
  if (int64_t page = op.getPageSize(); page && !llvm::isPowerOf2_64(page))
    return "pages of " + std::to_string(page) + " keys are no power of two";
  // Beside keys that threads dequantize, values behind a length, which may be
  // NaN, are not overwritten. Planes hold numbers everywhere.
  if (op.getLengths() && op.getMode() == AttentionMode::TernaryKeys)
    return "the number of keys differs between batch entries";
  if (!op.getScoreOperands().empty())
    return "the score region reads tensors, which takes the registers of the "
           "MMAs";
  return whyNotDequantized(op);
}

std::string mlir::sparseflow::whyNoBytes(AttentionOp op) {
  if (op.getMode() != AttentionMode::TernaryKeysValues)
    return "values are no planes";
  if (!getTernaryEncoding(op.getKType()).isTernary())
    return "keys and values are no trits";
  if (int64_t ratio = op.getQueryHeads() / op.getKeyHeads(); ratio > kInt8Heads)
    return std::to_string(ratio) + " heads share a key head, more than " +
           std::to_string(kInt8Heads);
  for (Type type : {op.getKType(), op.getVType()}) {
    TernaryAttr encoding = getTernaryEncoding(type);
    if (encoding.getGroup() == TernaryAttr::kTokenScale &&
        !encoding.getScaleType().isF32())
      return "scales of tokens are no f32";
  }
  return "";
}

bool mlir::sparseflow::areValuesInKeys(AttentionOp op) {
  return op.sharesKeys() && op.getDv() > kTileFeatures &&
         op.getDv() <= op.getD();
}
