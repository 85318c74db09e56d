//===- SelectOps.cpp - Schedules of attention and of products -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/SelectSchedule/SelectOps.h"
#include "Kernels/Attention/AttentionLimits.h"
#include "SparseFlow/Conversion/SparseFlowToSFTile/Passes.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/KernelForm.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Product.h"
#include "SparseFlow/Support/Remarks.h"

using namespace mlir;
using namespace mlir::sparseflow;

SmallVector<std::string> mlir::sparseflow::avoidedRows(Operation *op) {
  SmallVector<std::string> names;
  if (auto list = op->getAttrOfType<ArrayAttr>(kAvoidSchedulesAttr))
    for (auto name : list.getAsRange<StringAttr>())
      names.push_back(name.str());
  return names;
}

void mlir::sparseflow::explainCase(Operation *op, StringRef row,
                                   StringRef because) {
  explain(op, "schedule") << row << " with other sizes: " << because;
}

/// What `op` asks of the table, but for rows that it avoids.
static AttentionQuery queryOf(AttentionOp op, StringRef target) {
  AttentionQuery query;
  query.target = target;
  query.features = std::max(op.getD(), op.getDv());
  int64_t queries = op.getQType().getDimSize(op.getSequenceDim());
  if (!ShapedType::isDynamic(queries))
    query.queries = queries;
  if (int64_t keys = op.getKeyCount(); !ShapedType::isDynamic(keys))
    query.keys = keys;
  query.mapped = whyUnmapped(op).empty();
  query.dequantized = whyNotDequantizedInFront(op).empty();
  query.dequantizedBeside = whyNotDequantizedBeside(op).empty();
  query.masked = op.getCausal() || op.getWindow();
  query.causal = op.getCausal() && !op.getWindow();
  query.planes = op.getMode() != AttentionMode::FullPrecision;
  query.paged = bool(op.getPages());
  query.scoreOperands = !op.getScoreOperands().empty();
  query.facts.varlen = op.isVarlen();
  query.valuesInKeys = !query.planes && areValuesInKeys(op);
  query.bytes = whyNoBytes(op).empty();
  query.facts.ternaryKeys = query.planes;
  if (query.planes && !getTernaryEncoding(op.getKType()).isTernary())
    query.facts.cacheBits =
        std::max(getTernaryEncoding(op.getKType()).getCacheBits(),
                 getTernaryEncoding(op.getVType()).getCacheBits());
  query.facts.ternaryValues = op.getMode() == AttentionMode::TernaryKeysValues;
  query.facts.lengths = bool(op.getLengths());
  query.facts.keyGroups =
      query.planes && getTernaryEncoding(op.getKType()).getGroup() > 0;
  if (query.facts.cacheBits)
    for (Type type : {op.getKType(), op.getVType()})
      query.facts.keyGroups |= getTernaryEncoding(type).getScaleFeatures(
                                   cast<RankedTensorType>(type).getDimSize(3)) <
                               cast<RankedTensorType>(type).getDimSize(3);
  query.facts.heads = op.getQueryHeads() / op.getKeyHeads();
  query.facts.dv = op.getDv();
  query.facts.page = op.getPageSize();
  return query;
}

/// Says what the schedules are, and why others are none of them.
static void
explainSchedules(AttentionOp op, const AttentionQuery &query,
                 ArrayRef<sftile::AttentionScheduleAttr> schedules) {
  for (sftile::AttentionScheduleAttr schedule : schedules) {
    Remark remark = explain(op, "schedule");
    remark << schedule.getName();
    if (schedule.getMaxQueries())
      remark << " for up to " << schedule.getMaxQueries() << " queries";
    if (schedule.getMinBlocks())
      remark << " from " << schedule.getMinBlocks() << " blocks on";
    if (schedule.getMaxBlocks())
      remark << " up to " << schedule.getMaxBlocks() << " blocks";
    if (schedule.getMinSmallTiles())
      remark << " and from " << schedule.getMinSmallTiles() << " tiles of "
             << kStoreRows << " queries on";
    if (schedule.getMinTiles())
      remark << " and " << schedule.getMinTiles()
             << " tiles of 128 queries for a key head";
    if (schedule.getMaxTiles())
      remark << " and up to " << schedule.getMaxTiles()
             << " tiles of 128 queries for a key head";
    if (schedule.getMinKeys())
      remark << " and " << schedule.getMinKeys() << " keys";
    if (schedule.getMaxKeys())
      remark << " and up to " << schedule.getMaxKeys() << " keys";
    if (schedule.getMinKeyRatio())
      remark << " and " << schedule.getMinKeyRatio() << " keys a query";
    remark << ": " << schedule.getQueries() << " queries a block, "
           << schedule.getWarp() << " a warp, " << schedule.getStages()
           << " stages of " << schedule.getKeys() << " keys";
    if (schedule.getDequantizes())
      remark << ", which producer warps dequantize";
    if (schedule.getDequantizes() && schedule.getCluster() > 1)
      remark << ", of " << schedule.getCluster()
             << " blocks of a cluster a part each";
    else if (schedule.getCluster() > 1)
      remark << " that " << schedule.getCluster()
             << " blocks of a cluster share";
    if (schedule.getKeyWarps() > 1)
      remark << ", divided among " << schedule.getKeyWarps() << " warps";
    if (schedule.getFeatureWarps() > 1)
      remark << ", " << schedule.getFeatureWarps()
             << " warps for the features of a row";
    if (schedule.getFeatureGroups() > 1)
      remark << ", " << schedule.getFeatureGroups()
             << " warpgroups for the features of a value";
    if (schedule.getKeyBlocks() > 1)
      remark << ", " << schedule.getKeyBlocks()
             << " blocks of a cluster for the keys";
    if (schedule.getBytes())
      remark << ", int8 MMAs, " << schedule.getKeyWarps()
             << " warps for the keys of a block";
  }
  std::string reason = whyUnmapped(op);
  if (query.facts.cacheBits && !query.dequantized)
    reason = whyNotDequantizedInFront(op);
  auto isMapped = [](sftile::AttentionScheduleAttr schedule) {
    return schedule.getProducerWarps() > 0 || schedule.getBytes();
  };
  if (query.mapped && llvm::none_of(schedules, isMapped))
    reason = "the table has no row of one for " +
             std::to_string(query.features) + " features";
  if (!reason.empty() && llvm::none_of(schedules, isMapped) &&
      query.target.ends_with("a"))
    explain(op, "schedule")
        << (query.planes ? "no kernel that dequantizes planes for warpgroups: "
                         : "no kernel with tensor maps: ")
        << reason;
  bool isTernary = query.planes && !query.facts.cacheBits;
  if (isTernary && query.dequantized && llvm::any_of(schedules, isMapped))
    explain(op, "schedule")
        << "a kernel in front dequantizes planes, not warps beside those that "
           "multiply: "
        << reason;
  if (op.getLengths() && !query.planes && llvm::any_of(schedules, isMapped))
    explain(op, "schedule")
        << "values of the stage that a length cuts are overwritten with "
           "zeros behind it: by tensor maps they come as they are";
  if (query.queries == 1 && query.planes && !query.bytes)
    explain(op, "schedule") << "no int8 MMAs: " << whyNoBytes(op);
}

LogicalResult mlir::sparseflow::selectSchedules(AttentionOp op,
                                                const ScheduleTable &table,
                                                StringRef target) {
  AttentionQuery query = queryOf(op, target);
  SmallVector<std::string> avoid = avoidedRows(op);
  query.avoid = avoid;
  bool invalid = false;
  auto find = [&] {
    return table.select(
        op->getContext(), query,
        [&] {
          invalid = true;
          return op->emitError();
        },
        [&](StringRef row, StringRef because) {
          explainCase(op, row, because);
        });
  };
  // Rows that are no multiple of 4 bytes allow copies of single elements
  // only.
  query.unaligned = op.getD() % 2 || op.getVType().getDimSize(3) % 2;
  SmallVector<sftile::AttentionScheduleAttr> schedules;
  bool pinned = op->hasAttr(kSchedulesAttr);
  if (!pinned)
    schedules = find();
  query.unaligned = true;
  SmallVector<sftile::AttentionScheduleAttr> unaligned = find();
  if (invalid)
    return failure();
  if (!op->hasAttr(kUnalignedScheduleAttr) && !unaligned.empty())
    op->setAttr(kUnalignedScheduleAttr, unaligned.front());
  if (pinned) {
    explain(op, "schedule") << "pinned in the IR";
    return success();
  }
  // Every row's kernel spilled: that for operands in any place is left.
  if (schedules.empty() && !avoid.empty())
    schedules = unaligned;
  if (schedules.empty()) {
    if (failed(verifyFeatures(op)))
      return failure();
    op.emitOpError("expected a row of the schedule table for attention with "
                   "D = ")
        << op.getD() << ", D_v = " << op.getDv() << " on " << target
        << ", found none; add one to the schedule file";
    return failure();
  }
  explainSchedules(op, query, schedules);
  op->setAttr(kSchedulesAttr,
              ArrayAttr::get(
                  op->getContext(),
                  SmallVector<Attribute>(schedules.begin(), schedules.end())));
  return success();
}

/// A size that the type says, or the largest: then no row for few fits.
static int64_t sizeOf(ArrayRef<int64_t> loops, Value tensor, int64_t loop) {
  auto type = cast<RankedTensorType>(tensor.getType());
  for (auto [dim, own] : llvm::enumerate(loops))
    if (own == loop && !type.isDynamicDim(dim))
      return type.getDimSize(dim);
  return INT64_MAX;
}

LogicalResult mlir::sparseflow::selectProductSchedule(
    Operation *op, const ScheduleTable &table, StringRef target) {
  if (kernelFormOf(op) != KernelForm::Product || op->hasAttr(kSchedulesAttr))
    return success();
  std::string reason;
  std::optional<ActivationProduct> product;
  if (linalg::LinalgOp contraction = productChainOf(op).contraction)
    product = matchProduct(contraction, reason);
  if (!product)
    return op->emitOpError("expected a product that tensor cores compute, as "
                           "its form says; ")
           << reason << "; run sparseflow-form-kernels again";
  ScheduleQuery query;
  query.op = "product";
  query.target = target;
  query.n = sizeOf(product->result, op->getResult(0), product->n);
  query.k = sizeOf(product->a.loops, product->a.source, product->k);
  SmallVector<Attribute> schedules;
  // One for wide copies, and one that does without.
  for (bool unaligned : {product->a.isAcross, true}) {
    query.unaligned = unaligned;
    bool hasRow = !table.rowsFor(query).empty();
    SmallVector<sftile::ScheduleAttr> found =
        (hasRow ? table : ScheduleTable::builtin())
            .select(op->getContext(), query, [&] { return op->emitOpError(); });
    if (found.empty())
      return failure();
    sftile::ScheduleAttr schedule = found.back();
    if (llvm::is_contained(schedules, schedule))
      continue;
    schedules.push_back(schedule);
    explain(op, "schedule")
        << schedule.getName() << " for a product"
        << (schedules.size() > 1 ? " of narrow copies" : "") << ": block "
        << schedule.getBlock()[0] << "x" << schedule.getBlock()[1] << ", "
        << schedule.getStages() << " stages of K " << schedule.getK();
  }
  op->setAttr(kSchedulesAttr, ArrayAttr::get(op->getContext(), schedules));
  return success();
}
