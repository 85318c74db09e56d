//===- AttentionLimits.cpp - Kernels that an attention can have -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/AttentionLimits.h"
#include "Kernels/Attention/Warpgroup/ClusterRows.h"

using namespace mlir;
using namespace mlir::sparseflow;

//===----------------------------------------------------------------------===//
// Which schedules are looked for
//===----------------------------------------------------------------------===//

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
  if (!op.getScoreOperands().empty())
    return "what the score region reads takes registers that dequantizing "
           "needs";
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

/// Why a score operand leaves no registers for wgmma, or "". Bounds and
/// addresses that are computed at run time would spill, as would those of keys
/// beside the mask of a window.
static std::string whyNoOperands(AttentionOp op) {
  if (!ShapedType::isDynamic(op.getKeyCount()) &&
      !op.getQType().isDynamicDim(op.getSequenceDim()))
    return "";
  for (unsigned i = 0, e = op.getScoreOperands().size(); i < e; ++i) {
    StringRef letters = op.getScoreDims(i);
    if (!letters.contains('k') || !(letters.contains('q') || op.getWindow()))
      continue;
    return "score operand #" + std::to_string(i) + " has an element for each " +
           (letters.contains('q') ? "query and " : "") +
           "key, and the numbers of queries and keys are not known";
  }
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
  if (std::string why = whyNoOperands(op); !why.empty())
    return why;
  return whyNotDequantized(op);
}

std::string mlir::sparseflow::whyNotDequantizedInFront(AttentionOp op) {
  TernaryAttr keys = getTernaryEncoding(op.getKType());
  if (!keys)
    return "keys have no encoding";
  if (keys.isTernary() && whyUnmapped(op).empty())
    return "producer warps dequantize planes";
  if (op.getD() % 8 || op.getDv() % 8)
    return "rows of D = " + std::to_string(op.getD()) +
           " and D_v = " + std::to_string(op.getDv()) +
           " are no multiples of 16 bytes";
  return whyNoOperands(op);
}

std::string mlir::sparseflow::whyNotDequantizedBeside(AttentionOp op) {
  std::string why = whyNotDequantizedInFront(op);
  if (!why.empty())
    return why;
  Type element = cast<RankedTensorType>(op.getQType()).getElementType();
  for (Type type : {op.getKType(), op.getVType()}) {
    TernaryAttr encoding = getTernaryEncoding(type);
    if (!encoding || encoding.isTernary())
      return "keys or values are no numbers of 8 and 4 bits";
    if (!encoding.getScaleType().isF16() || !element.isF16())
      return "queries or scales are no f16";
  }
  return op.isVarlen() ? "sequences follow one another" : "";
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
  return op.sharesKeys() && !op.getSinkLogits() && op.getDv() > kTileFeatures &&
         op.getDv() <= op.getD();
}

//===----------------------------------------------------------------------===//
// Which schedules are right
//===----------------------------------------------------------------------===//

// The largest number of features for which a warp's sums fit its registers;
// beside them the queries and the words of two pages, with ternary keys. Four
// warps that share rows hold sums of more, and a quarter of the queries.
static constexpr int64_t kMaxFeatures = 256, kMaxTernaryFeatures = 128,
                         kMaxWideFeatures = 576, kMaxWideSums = 512;

LogicalResult mlir::sparseflow::verifyFeatures(AttentionOp op) {
  const char *advice = "; the sums of a row would not fit into registers: use "
                       "the cpu device, or divide D_v among several ops";
  int64_t d = op.getD(), dv = op.getDv();
  if (getTernaryEncoding(op.getKType()) &&
      std::max(d, dv) > kMaxTernaryFeatures)
    return op.emitOpError("expected at most ")
           << kMaxTernaryFeatures << " features, found D = " << d
           << " and D_v = " << dv << advice;
  if (d > kMaxWideFeatures || dv > kMaxWideSums)
    return op.emitOpError("expected at most D = ")
           << kMaxWideFeatures << " and D_v = " << kMaxWideSums
           << " features, found D = " << d << " and D_v = " << dv << advice;
  return success();
}

namespace {

/// Whether the kernel of one schedule can be generated for one attention. A
/// method judges what one feature of the schedule asks for.
class ScheduleVerifier {
public:
  ScheduleVerifier(AttentionOp op, const AttentionShape &shape,
                   sftile::AttentionScheduleAttr schedule, bool isInFront)
      : op(op), shape(shape), schedule(schedule), isInFront(isInFront) {}

  LogicalResult verify() {
    return success(
        succeeded(verifyTensorMaps()) && succeeded(verifyFeatureGroups()) &&
        succeeded(verifyKeyBlocks()) && succeeded(verifyFeatureWarps()) &&
        succeeded(verifyPackedQueries()) && succeeded(verifyVarlen()) &&
        succeeded(verifyDequantization()) && succeeded(verifyKeyWarps()) &&
        succeeded(verifyStagesOfNumbers()) &&
        succeeded(verifyStagesOfPlanes()) && succeeded(verifyInt8()));
  }

private:
  LogicalResult verifyTensorMaps();
  LogicalResult verifyFeatureGroups();
  LogicalResult verifyKeyBlocks();
  LogicalResult verifyFeatureWarps();
  LogicalResult verifyPackedQueries();
  LogicalResult verifyVarlen();
  LogicalResult verifyDequantization();
  LogicalResult verifyKeyWarps();
  LogicalResult verifyStagesOfNumbers();
  LogicalResult verifyStagesOfPlanes();
  LogicalResult verifyInt8();

  int64_t queryHeadsPerKeyHead() const { return shape.heads / shape.keyHeads; }

  AttentionOp op;
  const AttentionShape &shape;
  sftile::AttentionScheduleAttr schedule;
  /// A kernel in front dequantizes keys and values of fewer bits.
  bool isInFront;
};

} // namespace

/// Producer warps copy by TMA: whole 16-byte chunks, and boxes that do not end
/// with a sequence.
LogicalResult ScheduleVerifier::verifyTensorMaps() {
  if (!schedule.getProducerWarps())
    return success();
  bool isLengthUnknown =
      shape.hasLengths && shape.keyPlanes && !shape.valuePlanes && !isInFront;
  if (shape.d % 8 || shape.dv % 8 || shape.valueWidth % 8 || isLengthUnknown)
    return op.emitOpError("expected rows of a multiple of 16 bytes, and no "
                          "lengths where keys alone are planes, for "
                          "schedule ")
           << schedule.getName() << ", whose copies are by tensor maps, found "
           << "D = " << shape.d << ", D_v = " << shape.dv
           << (shape.hasLengths ? " and lengths" : "");
  if (shape.page && schedule.getCluster() > 1 && !schedule.getDequantizes())
    return op.emitOpError("expected a schedule without clusters for keys in "
                          "pages, found ")
           << schedule.getName()
           << ", whose blocks each copy a part of a stage for all of them "
              "(multicast); pin another";
  return success();
}

/// Latent attention: warpgroups divide values that are features of the keys.
LogicalResult ScheduleVerifier::verifyFeatureGroups() {
  if (schedule.getFeatureGroups() <= 1)
    return success();
  if (shape.keyPlanes || !areValuesInKeys(op))
    return op.emitOpError("expected values that are more than 64 features of "
                          "the keys, one tensor as k and v, and no sink "
                          "logits, for schedule ")
           << schedule.getName() << ", whose warpgroups divide them, found D "
           << "= " << shape.d << " and D_v = " << shape.dv;
  if (schedule.getKeys() > 64 || schedule.getTurns())
    return op.emitOpError("expected at most 64 keys in a stage and no "
                          "ping_pong with feature_groups of 2, found schedule ")
           << schedule;
  return success();
}

/// Blocks of a cluster divide the keys, and add up what they have in
/// distributed shared memory.
LogicalResult ScheduleVerifier::verifyKeyBlocks() {
  if (schedule.getKeyBlocks() <= 1)
    return success();
  if (schedule.getFeatureGroups() == 1 &&
      queryHeadsPerKeyHead() > ClusterRows::kMostRows)
    return op.emitOpError("expected at most ")
           << ClusterRows::kMostRows
           << " query heads for each key head, the rows of one warp, for "
              "schedule "
           << schedule.getName() << ", found " << queryHeadsPerKeyHead()
           << "; pin one without key_blocks";
  if (schedule.getFeatureGroups() > 1 && shape.dv % 128)
    return op.emitOpError("expected a multiple of 128 features of values, "
                          "which the blocks of a cluster divide, for "
                          "schedule ")
           << schedule.getName() << ", found D_v = " << shape.dv
           << "; pin one without key_blocks";
  return success();
}

/// Warps share rows whose sums do not fit into the registers of one.
LogicalResult ScheduleVerifier::verifyFeatureWarps() {
  if (schedule.getFeatureWarps() == 1 && schedule.getFeatureGroups() == 1 &&
      std::max(shape.d, shape.dv) > kMaxFeatures)
    return op.emitOpError(
               "expected schedules with feature_warps = 4 or feature_groups "
               "= 2 for more than ")
           << kMaxFeatures << " features, found D = " << shape.d
           << ", D_v = " << shape.dv << " and " << schedule;
  if (schedule.getFeatureWarps() > 1 && shape.keyPlanes)
    return op.emitOpError("expected a schedule without feature_warps for "
                          "caches of fewer bits, found ")
           << schedule;
  return success();
}

/// Several queries of all heads that share a key head are rows of one tile.
LogicalResult ScheduleVerifier::verifyPackedQueries() {
  bool isTernary = shape.keyPlanes && !shape.isQuantized();
  if (!schedule.getPacked() || schedule.getMaxQueries() <= 1 ||
      (!isTernary && queryHeadsPerKeyHead() <= schedule.getQueries()))
    return success();
  return op.emitOpError("expected keys and values that are not ternary, and "
                        "at most ")
         << schedule.getQueries()
         << " query heads for each key head, the rows of a tile, for schedule "
         << schedule.getName() << ", which packs those of several queries, "
         << "found " << queryHeadsPerKeyHead() << "; pin another";
}

/// Tiles of packed sequences: each has queries and keys of its own.
LogicalResult ScheduleVerifier::verifyVarlen() {
  if (!shape.varlen ||
      (!schedule.getPacked() && !schedule.getSplit() &&
       schedule.getCluster() <= 1 && schedule.getFeatureGroups() <= 1))
    return success();
  return op.emitOpError("expected schedules of whole tiles, without packed "
                        "heads, split-KV, clusters and feature_groups, beside "
                        "cu_seqlens, found ")
         << schedule << "; pin another";
}

/// Producer warps that dequantize keys and values into shared memory.
LogicalResult ScheduleVerifier::verifyDequantization() {
  if (!schedule.getDequantizes())
    return success();
  constexpr int64_t kPage = TernaryAttr::kPageTokens;
  std::string why = whyNotDequantizedBeside(op);
  bool isShared = schedule.getCluster() > 1;
  bool isStage = schedule.getKeys() == 2 * kPage ||
                 (schedule.getKeys() == kPage && !isShared);
  if (why.empty() && schedule.getCluster() <= 2 && isStage)
    return success();
  return op.emitOpError("expected queries and scales of f16, numbers of 8 "
                        "and 4 bits, and stages of 64 or 128 keys, or of "
                        "128 that two blocks share, where producer warps "
                        "dequantize, found schedule ")
         << schedule << (why.empty() ? "" : ": ") << why;
}

LogicalResult ScheduleVerifier::verifyKeyWarps() {
  if (shape.isQuantized() || schedule.getBytes() || schedule.getKeyWarps() <= 1)
    return success();
  return op.emitOpError("expected keys and values of 8 or 4 bits with "
                        "key_warps, found schedule ")
         << schedule;
}

/// Whether a kernel on mma.sync packs heads into a tile of another height than
/// that of its only warp.
static bool packsOtherRows(sftile::AttentionScheduleAttr schedule) {
  return schedule.getPacked() && schedule.getQueries() != 16;
}

/// Keys and values of int8, int4 and e4m3.
LogicalResult ScheduleVerifier::verifyStagesOfNumbers() {
  if (!shape.isQuantized())
    return success();
  bool isRight = schedule.getProducerWarps()
                     ? !schedule.getPacked() && isInFront
                     : !schedule.getBytes() &&
                           TernaryAttr::kPageTokens % schedule.getKeys() == 0 &&
                           !packsOtherRows(schedule);
  if (isRight)
    return success();
  return op.emitOpError("expected stages of 16, 32 or 64 keys, and 16 "
                        "queries where heads are packed, or producer "
                        "warps without packed heads, for int8 and int4 "
                        "keys, found schedule ")
         << schedule;
}

/// Ternary keys, with or without ternary values.
LogicalResult ScheduleVerifier::verifyStagesOfPlanes() {
  if (!shape.keyPlanes || shape.isQuantized())
    return success();
  constexpr int64_t kPage = TernaryAttr::kPageTokens;
  bool isRight = schedule.getProducerWarps()
                     ? !schedule.getPacked() &&
                           (isInFront || schedule.getKeys() == 2 * kPage)
                     : schedule.getKeys() == kPage && !packsOtherRows(schedule);
  if (isRight)
    return success();
  return op.emitOpError("expected stages of one page, 64 keys, and 16 "
                        "queries where heads are packed, or stages of "
                        "two pages with producer warps, for ternary "
                        "keys, found schedule ")
         << schedule;
}

LogicalResult ScheduleVerifier::verifyInt8() {
  if (!schedule.getBytes() ||
      (shape.valuePlanes && queryHeadsPerKeyHead() <= kInt8Heads))
    return success();
  return op.emitOpError("expected ternary keys and values and at most four "
                        "query heads for each key head for schedule ")
         << schedule.getName() << ", whose MMAs are of int8";
}

LogicalResult mlir::sparseflow::verifySchedules(
    AttentionOp op, const AttentionShape &shape,
    ArrayRef<sftile::AttentionScheduleAttr> schedules) {
  bool isInFront = whyNotDequantizedInFront(op).empty();
  return success(
      llvm::all_of(schedules, [&](sftile::AttentionScheduleAttr schedule) {
        return succeeded(
            ScheduleVerifier(op, shape, schedule, isInFront).verify());
      }));
}
