//===- AttentionRows.cpp - Rows for attention -----------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

#include <numeric>

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
static bool isFilled(const AttentionRow &row, const AttentionQuery &query,
                     const sftile::WarpSpecializedAttentionFields &mapped) {
  constexpr int64_t kWarpgroup = 64, kFewFeatures = 64;
  const AttentionLimits &limits = row.limits;
  if (!limits.cached)
    return query.mapped && limits.planes == query.planes;
  if (!mapped.dequantizes)
    return query.dequantized;
  // Blocks of a cluster have a head each.
  if (query.facts.heads % mapped.cluster)
    return false;
  // Scales of groups of many features take registers that two warpgroups need.
  bool areMany = query.facts.keyGroups && query.features > kFewFeatures &&
                 row.sizes.tile.queries > kWarpgroup;
  return query.dequantizedBeside && !areMany;
}

/// Whether a row with producer warps has kernels for `query`.
static bool
fitsProducers(const AttentionRow &row, const AttentionQuery &query,
              const sftile::WarpSpecializedAttentionFields &mapped) {
  // Tensor maps serve some operations only, and so do producer warps that
  // dequantize, and kernels in front that do.
  if (!isFilled(row, query, mapped))
    return false;
  // A page is one block's copy, and no part of one that blocks share; tiles of
  // several lengths are no neighbours. Blocks that dequantize parts of the same
  // stages have the same keys.
  bool isRagged = query.facts.lengths || query.facts.varlen;
  if ((query.paged || isRagged) && mapped.cluster > 1 && !mapped.dequantizes)
    return false;
  // Warpgroups that divide the values read them where keys are, and have
  // entries that are no rows of packed sequences.
  if (mapped.featureGroups > 1 && (!query.valuesInKeys || query.facts.varlen))
    return false;
  // Blocks of a cluster divide both halves of the features of values, or have
  // the rows of one warp.
  if (mapped.keyBlocks > 1)
    return mapped.featureGroups > 1 ? query.facts.dv % 128 == 0
                                    : query.facts.heads <= row.sizes.tile.warp;
  return true;
}

/// Whether the pipeline of `row` has kernels for `query`.
static bool fitsPipeline(const AttentionRow &row, const AttentionQuery &query) {
  if (const auto *mapped =
          row.sizes.as<sftile::WarpSpecializedAttentionFields>())
    return fitsProducers(row, query, *mapped);
  if (row.sizes.as<sftile::Int8AttentionFields>() && !query.bytes)
    return false;
  // Warps that divide the keys dequantize them in registers.
  const auto *multistage = row.sizes.as<sftile::MultistageAttentionFields>();
  if (multistage && multistage->keyWarps > 1 && !query.facts.cacheBits)
    return false;
  // Keys that are dequantized have tiles of one warp, full ones of more.
  return !row.limits.cached || query.facts.cacheBits;
}

/// Whether `row` is for attentions of the masks and score operands of `query`.
static bool fitsMasks(const AttentionRow &row, const AttentionQuery &query) {
  if (row.masked && *row.masked != query.masked)
    return false;
  if (row.causal && !query.causal)
    return false;
  using Ragged = AttentionRow::Ragged;
  bool isRagged = query.facts.lengths || query.facts.varlen;
  if ((row.ragged == Ragged::None && isRagged) ||
      (row.ragged == Ragged::Packed && !query.facts.varlen))
    return false;
  // A packed sequence's queries are rows of tiles, whose keys one block visits.
  if (query.facts.varlen &&
      (row.sizes.tile.packed || row.sizes.tile.splitBlocks))
    return false;
  using ScoreOperands = AttentionRow::ScoreOperands;
  if (!query.scoreOperands)
    return row.scoreOperands != ScoreOperands::Only;
  bool areSizesKnown = query.queries && query.keys;
  return row.scoreOperands != ScoreOperands::Known || areSizesKnown;
}

/// Whether the numbers of queries and keys that `query` knows, if any, are in
/// the interval of `row`: a class that cannot hold them is of no use. Of packed
/// sequences only all queries together are known.
static bool fitsSizes(const AttentionRow &row, const AttentionQuery &query) {
  const sftile::AttentionTileFields &tile = row.sizes.tile;
  if (query.queries.value_or(0) < row.limits.minQueries)
    return false;
  if (query.queries && tile.maxQueries && !query.facts.varlen &&
      *query.queries > tile.maxQueries)
    return false;
  return !query.keys || (*query.keys >= tile.minKeys &&
                         (!tile.maxKeys || *query.keys <= tile.maxKeys));
}

/// Whether heads of a key head share tiles of a plan.
static bool sharesHeads(const AttentionRow &row, const AttentionQuery &query) {
  return query.facts.varlen &&
         std::gcd(row.sizes.tile.heads, query.facts.heads) > 1;
}

static bool isFor(const AttentionRow &row, const AttentionQuery &query) {
  const AttentionLimits &limits = row.limits;
  return llvm::is_contained(row.targets, query.target) &&
         !llvm::is_contained(query.avoid, row.name) &&
         limits.unaligned == query.unaligned &&
         (!limits.sharedHeads || sharesHeads(row, query)) &&
         query.features >= limits.minD && query.features <= limits.maxD &&
         fitsPipeline(row, query) && fitsMasks(row, query) &&
         fitsSizes(row, query);
}

/// Whether queries fill the tiles that a case of a row has for `query`.
static bool fillsTiles(const sftile::AttentionTileFields &tile,
                       const AttentionQuery &query) {
  int64_t heads = query.facts.heads, least = query.queries.value_or(1);
  if (query.queries && least < tile.fewestQueries(heads))
    return false;
  if (tile.maxTiles && least > tile.mostQueries(heads))
    return false;
  // All heads of a query are rows of one tile, of a warp where keys are
  // dequantized. Kernels of ternary keys have those of one query.
  bool isTernary = query.planes && !query.facts.cacheBits;
  return !tile.packed || tile.maxQueries <= 1 ||
         (!isTernary && heads <= tile.queries &&
          (!query.planes || tile.queries == tile.warp));
}

/// Whether a kernel serves every call of `query`: what comes behind it is never
/// tested.
static bool isAlwaysTaken(const sftile::AttentionTileFields &tile,
                          const AttentionQuery &query) {
  bool hasQueryLimits = tile.maxQueries || tile.minTiles || tile.maxTiles;
  bool hasKeyLimits = tile.minKeys || tile.maxKeys;
  // Of packed sequences they count for one.
  bool areQueriesKnown = query.queries && !query.facts.varlen;
  return !tile.minBlocks && !tile.maxBlocks && !tile.minSmallTiles &&
         !tile.minKeyRatio && (!hasQueryLimits || areQueriesKnown) &&
         (!hasKeyLimits || query.keys);
}

SmallVector<sftile::AttentionScheduleAttr>
ScheduleTable::select(MLIRContext *context, const AttentionQuery &query,
                      function_ref<InFlightDiagnostic()> emitError,
                      CaseListener taken) const {
  SmallVector<sftile::AttentionScheduleAttr> result;
  for (const AttentionRow &row : attention) {
    if (!isFor(row, query))
      continue;
    StringRef because;
    const AttentionSizes &sizes =
        sizesFor(row, query.facts, /*k=*/0,
                 [&](StringRef, StringRef reason) { because = reason; });
    // Of a row that is passed over nothing is said.
    if (!fillsTiles(sizes.tile, query))
      continue;
    if (!because.empty())
      taken(row.name, because);
    auto schedule = sftile::AttentionScheduleAttr::getChecked(
        emitError, context, StringRef(row.name), sizes.tile,
        pipelineOf(context, sizes));
    if (!schedule)
      return {};
    result.push_back(schedule);
    if (query.unaligned || isAlwaysTaken(sizes.tile, query))
      break;
  }
  return result;
}
