//===- AttentionRows.cpp - Rows for attention -----------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

using namespace mlir;
using namespace mlir::sparseflow;

static Attribute pipelineOf(MLIRContext *context, const AttentionSizes &sizes) {
  using namespace sftile;
  if (const auto *multistage = sizes.as<MultistageAttentionFields>())
    return MultistageAttentionAttr::get(context, *multistage);
  if (const auto *int8 = sizes.as<Int8AttentionFields>())
    return Int8AttentionAttr::get(context, *int8);
  return WarpSpecializedAttentionAttr::get(
      context, std::get<WarpSpecializedAttentionFields>(sizes.pipeline));
}

/// Whether the tiles of a row with producer warps can be filled for `query`.
static bool isFilled(const AttentionRow &row, const AttentionQuery &query) {
  constexpr int64_t kWarpgroup = 64, kFewFeatures = 64;
  const AttentionLimits &limits = row.limits;
  if (!limits.cached)
    return query.mapped && limits.planes == query.planes;
  const auto *mapped = row.sizes.as<sftile::WarpSpecializedAttentionFields>();
  if (!mapped->dequantizes)
    return query.dequantized;
  // Blocks of a cluster have a head each.
  if (query.facts.heads % mapped->cluster)
    return false;
  // Scales of groups of many features take registers that two warpgroups need.
  bool areMany = query.facts.keyGroups && query.features > kFewFeatures &&
                 row.sizes.tile.queries > kWarpgroup;
  return query.dequantizedBeside && !areMany;
}

SmallVector<sftile::AttentionScheduleAttr>
ScheduleTable::select(MLIRContext *context, const AttentionQuery &query,
                      function_ref<InFlightDiagnostic()> emitError,
                      CaseListener taken) const {
  SmallVector<sftile::AttentionScheduleAttr> result;
  for (const AttentionRow &row : attention) {
    const AttentionLimits &limits = row.limits;
    if (!llvm::is_contained(row.targets, query.target) ||
        llvm::is_contained(query.avoid, row.name) ||
        limits.unaligned != query.unaligned || query.features < limits.minD ||
        query.features > limits.maxD)
      continue;
    // Tensor maps serve some operations only, and so do producer warps that
    // dequantize, and kernels in front that do.
    if (row.sizes.as<sftile::WarpSpecializedAttentionFields>() &&
        !isFilled(row, query))
      continue;
    // A page is one block's copy, and no part of one that blocks share; tiles
    // of several lengths are no neighbours. Blocks that dequantize parts of the
    // same stages have the same keys.
    const auto *mapped = row.sizes.as<sftile::WarpSpecializedAttentionFields>();
    if (mapped && (query.paged || query.facts.lengths || query.facts.varlen) &&
        mapped->cluster > 1 && !mapped->dequantizes)
      continue;
    // A sequence's queries are rows of tiles, whose keys one block visits.
    if (query.facts.varlen &&
        (row.sizes.tile.packed || row.sizes.tile.splitBlocks ||
         (mapped && mapped->featureGroups > 1)))
      continue;
    // Warpgroups that divide the values read them where keys are.
    if (const auto *fields =
            row.sizes.as<sftile::WarpSpecializedAttentionFields>();
        fields && fields->featureGroups > 1 && !query.valuesInKeys)
      continue;
    // Blocks of a cluster divide both halves of the features of values, or
    // have the rows of one warp.
    if (mapped && mapped->keyBlocks > 1 &&
        (mapped->featureGroups > 1 ? query.facts.dv % 128 != 0
                                   : query.facts.heads > row.sizes.tile.warp))
      continue;
    if (row.sizes.as<sftile::Int8AttentionFields>() && !query.bytes)
      continue;
    // Warps that divide the keys dequantize them in registers.
    if (const auto *fields = row.sizes.as<sftile::MultistageAttentionFields>();
        fields && fields->keyWarps > 1 && !query.facts.cacheBits)
      continue;
    if (row.masked && *row.masked != query.masked)
      continue;
    if (row.causal && !query.causal)
      continue;
    if (!row.ragged && (query.facts.lengths || query.facts.varlen))
      continue;
    using ScoreOperands = AttentionRow::ScoreOperands;
    if (query.scoreOperands ? row.scoreOperands == ScoreOperands::Known &&
                                  !(query.queries && query.keys)
                            : row.scoreOperands == ScoreOperands::Only)
      continue;
    if (limits.minQueries && query.queries.value_or(0) < limits.minQueries)
      continue;
    // A class that cannot hold the known number of queries is of no use.
    int64_t maxQueries = row.sizes.tile.maxQueries;
    if (query.queries && maxQueries && *query.queries > maxQueries)
      continue;
    if (query.keys && *query.keys < row.sizes.tile.minKeys)
      continue;
    int64_t maxKeys = row.sizes.tile.maxKeys;
    if (query.keys && maxKeys && *query.keys > maxKeys)
      continue;
    StringRef because;
    const AttentionSizes &sizes =
        sizesFor(row, query.facts, /*k=*/0,
                 [&](StringRef, StringRef reason) { because = reason; });
    // Of a row that is passed over nothing is said.
    const sftile::AttentionTileFields &chosen = sizes.tile;
    int64_t heads = query.facts.heads, least = query.queries.value_or(1);
    if (query.queries && least < chosen.fewestQueries(heads))
      continue;
    if (chosen.maxTiles && least > chosen.mostQueries(heads))
      continue;
    // Keys that are dequantized have tiles of one warp, full ones of more.
    if (limits.cached && !mapped && !query.facts.cacheBits)
      continue;
    // All heads of a query are rows of one tile, of a warp where keys are
    // dequantized. Kernels of ternary keys have those of one query.
    bool isTernary = query.planes && !query.facts.cacheBits;
    if (chosen.packed && chosen.maxQueries > 1 &&
        (isTernary || heads > chosen.queries ||
         (query.planes && chosen.queries != chosen.warp)))
      continue;
    if (!because.empty())
      taken(row.name, because);
    auto schedule = sftile::AttentionScheduleAttr::getChecked(
        emitError, context, StringRef(row.name), sizes.tile,
        pipelineOf(context, sizes));
    if (!schedule)
      return {};
    result.push_back(schedule);
    // What comes behind a row without limits is never tested.
    bool always =
        !chosen.minBlocks && !chosen.maxBlocks && !chosen.minSmallTiles &&
        ((!chosen.maxQueries && !chosen.minTiles && !chosen.maxTiles) ||
         query.queries) &&
        ((!chosen.minKeys && !chosen.maxKeys) || query.keys);
    if (always || query.unaligned)
      break;
  }
  return result;
}
