//===- VerifySchedules.cpp - Schedules that attention can have ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/SparseFlowToSFTile/Attention/VerifySchedules.h"

using namespace mlir;
using namespace mlir::sparseflow;

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

LogicalResult mlir::sparseflow::verifySchedules(
    AttentionOp op, const AttentionShape &shape,
    ArrayRef<sftile::AttentionScheduleAttr> schedules) {
  for (sftile::AttentionScheduleAttr schedule : schedules)
    if (schedule.getProducerWarps() &&
        (shape.d % 8 || shape.dv % 8 || shape.valueWidth % 8 ||
         (shape.hasLengths && shape.keyPlanes && !shape.valuePlanes)))
      return op.emitOpError("expected rows of a multiple of 16 bytes, and no "
                            "lengths where keys alone are planes, for "
                            "schedule ")
             << schedule.getName()
             << ", whose copies are by tensor maps, found "
             << "D = " << shape.d << ", D_v = " << shape.dv
             << (shape.hasLengths ? " and lengths" : "");
  for (sftile::AttentionScheduleAttr schedule : schedules)
    if (schedule.getProducerWarps() && shape.page && schedule.getCluster() > 1)
      return op.emitOpError("expected a schedule without clusters for keys in "
                            "pages, found ")
             << schedule.getName()
             << ", whose blocks copy parts of a stage for one another; pin "
                "another";
  for (sftile::AttentionScheduleAttr schedule : schedules) {
    if (schedule.getFeatureGroups() > 1 &&
        (shape.keyPlanes || !areValuesInKeys(op)))
      return op.emitOpError("expected values that are more than 64 features of "
                            "the keys, one tensor as k and v, for schedule ")
             << schedule.getName() << ", whose warpgroups divide them, found D "
             << "= " << shape.d << " and D_v = " << shape.dv;
    if (schedule.getFeatureGroups() > 1 &&
        (schedule.getKeys() > 64 || schedule.getTurns()))
      return op.emitOpError(
                 "expected at most 64 keys in a stage and no "
                 "ping_pong with feature_groups of 2, found schedule ")
             << schedule;
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
  }
  if (shape.varlen)
    for (sftile::AttentionScheduleAttr schedule : schedules)
      if (schedule.getPacked() || schedule.getSplit() ||
          schedule.getCluster() > 1 || schedule.getFeatureGroups() > 1)
        return op.emitOpError("expected schedules of whole tiles, without "
                              "packed heads, parts of the keys, clusters and "
                              "feature_groups, beside cu_seqlens, found ")
               << schedule << "; pin another";
  if (shape.isQuantized())
    for (sftile::AttentionScheduleAttr schedule : schedules)
      if (schedule.getProducerWarps() || schedule.getBytes() ||
          TernaryAttr::kPageTokens % schedule.getKeys() ||
          (schedule.getPacked() && schedule.getQueries() != 16))
        return op.emitOpError("expected stages of 16, 32 or 64 keys without "
                              "producer warps, and 16 queries where heads are "
                              "packed, for int8 and int4 keys, found schedule ")
               << schedule;
  if (shape.keyPlanes && !shape.isQuantized())
    for (sftile::AttentionScheduleAttr schedule : schedules)
      if (schedule.getProducerWarps()
              ? schedule.getPacked() ||
                    schedule.getKeys() != 2 * TernaryAttr::kPageTokens
              : schedule.getKeys() != TernaryAttr::kPageTokens ||
                    (schedule.getPacked() && schedule.getQueries() != 16))
        return op.emitOpError("expected stages of one page, 64 keys, and 16 "
                              "queries where heads are packed, or stages of "
                              "two pages with producer warps, for ternary "
                              "keys, found schedule ")
               << schedule;
  for (sftile::AttentionScheduleAttr schedule : schedules)
    if (schedule.getBytes() &&
        (!shape.valuePlanes || shape.heads / shape.keyHeads > 4))
      return op.emitOpError("expected ternary keys and values and at most four "
                            "query heads for each key head for schedule ")
             << schedule.getName() << ", whose MMAs are of int8";
  return success();
}
