//===- AttentionSchedules.cpp - Schedules of attention --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What several of their fields must be together.
//
//===----------------------------------------------------------------------===//

#include "ScheduleText.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::sftile;

Attribute AttentionScheduleAttr::parse(AsmParser &parser, Type) {
  return parseSchedule<AttentionScheduleAttr, AttentionTileFields>(parser);
}

void AttentionScheduleAttr::print(AsmPrinter &printer) const {
  printSchedule(printer, *this);
}

std::optional<MultistageAttentionFields>
AttentionScheduleAttr::getMultistage() const {
  return fieldsOf<MultistageAttentionAttr>(getPipeline());
}

std::optional<WarpSpecializedAttentionFields>
AttentionScheduleAttr::getWarpSpecialized() const {
  return fieldsOf<WarpSpecializedAttentionAttr>(getPipeline());
}

std::optional<Int8AttentionFields> AttentionScheduleAttr::getInt8() const {
  return fieldsOf<Int8AttentionAttr>(getPipeline());
}

int64_t AttentionScheduleAttr::getStages() const {
  return TypeSwitch<Attribute, int64_t>(getPipeline())
      .Case<MultistageAttentionAttr, WarpSpecializedAttentionAttr,
            Int8AttentionAttr>(
          [](auto pipeline) { return pipeline.getFields().stages; });
}

int64_t AttentionScheduleAttr::getBlocksPerSM() const {
  if (auto int8 = getInt8())
    return int8->blocksPerSM;
  if (auto fields = getWarpSpecialized())
    return fields->blocksPerSM;
  auto multistage = getMultistage();
  return multistage ? multistage->blocksPerSM : 1;
}

int64_t AttentionScheduleAttr::getProducerWarps() const {
  auto fields = getWarpSpecialized();
  return fields ? fields->producerWarps : 0;
}

int64_t AttentionScheduleAttr::getProducerRegisters() const {
  auto fields = getWarpSpecialized();
  return fields ? fields->producerRegisters : 0;
}

int64_t AttentionScheduleAttr::getCluster() const {
  auto fields = getWarpSpecialized();
  return fields ? fields->cluster : 1;
}

int64_t AttentionScheduleAttr::getGrid() const {
  return getWarpSpecialized().value_or(WarpSpecializedAttentionFields()).grid;
}

int64_t AttentionScheduleAttr::getKeyWarps() const {
  if (auto fields = getMultistage())
    return fields->keyWarps;
  auto fields = getInt8();
  return fields ? fields->keyWarps : 1;
}

int64_t AttentionScheduleAttr::getFeatureWarps() const {
  auto fields = getMultistage();
  return fields ? fields->featureWarps : 1;
}

int64_t AttentionScheduleAttr::getFeatureGroups() const {
  auto fields = getWarpSpecialized();
  return fields ? fields->featureGroups : 1;
}

int64_t AttentionScheduleAttr::getKeyBlocks() const {
  auto fields = getWarpSpecialized();
  return fields ? fields->keyBlocks : 1;
}

bool AttentionScheduleAttr::getTurns() const {
  auto fields = getWarpSpecialized();
  return fields && fields->pingPong;
}

bool AttentionScheduleAttr::getDequantizes() const {
  auto fields = getWarpSpecialized();
  return fields && fields->dequantizes;
}

bool AttentionScheduleAttr::getHeld() const {
  auto fields = getMultistage();
  return fields ? fields->holdsQueries : getBytes();
}

/// What the tile and producer and consumer warps must be together.
static LogicalResult
verifyWarpSpecialized(function_ref<InFlightDiagnostic()> error,
                      const AttentionTileFields &tile,
                      const WarpSpecializedAttentionFields &pipeline) {
  if (tile.warp != 16 || tile.queries % 64 || tile.queries > 192)
    return error() << "expected one to three consumer warpgroups of four warps "
                      "with 16 queries each, found "
                   << tile.queries / tile.warp << " warps of " << tile.warp;
  bool shared = tile.packed || tile.splitBlocks || pipeline.featureGroups > 1;
  if (shared && tile.queries != 64)
    return error()
           << "expected 64 queries, one warpgroup, where producer warps "
              "meet packed heads, split-KV or feature_groups, found "
           << tile.queries;
  if (tile.keys > 256)
    return error() << "expected at most 256 keys in a stage, the columns of an "
                      "MMA, with producer warps, found "
                   << tile.keys;
  // A box of results, 64 rows, holds whole heads or is inside one.
  if (tile.heads > 1 &&
      (!llvm::isPowerOf2_64(tile.heads) || !llvm::isPowerOf2_64(tile.queries) ||
       tile.queries < tile.heads * tile.warp))
    return error() << "expected heads of 1, or of 2, 4 or 8 with 64 or 128 "
                      "queries, at least 16 of each head, found "
                   << tile.heads << " heads in " << tile.queries << " queries";
  if (tile.heads > 1 && (shared || pipeline.cluster > 1))
    return error() << "expected one head in a tile where heads are packed, "
                      "keys or features divided, or blocks in clusters, found "
                   << tile.heads << " heads";
  if (tile.plan && (shared || pipeline.cluster > 1 || !pipeline.grid))
    return error() << "expected a plan of whole tiles, without packed heads, "
                      "split_blocks, feature_groups and cluster, for a grid of "
                      "1 block and more, found plan = true";
  if (pipeline.cluster != 1 && shared)
    return error() << "expected a cluster of 1 block where heads are packed, "
                      "or keys or features divided, found "
                   << pipeline.cluster;
  if (pipeline.featureGroups > 1 && !llvm::isPowerOf2_64(pipeline.keyBlocks))
    return error() << "expected key_blocks of 1, 2, 4 or 8, found "
                   << pipeline.keyBlocks;
  bool isShared = pipeline.featureGroups > 1 || tile.packed;
  if (pipeline.keyBlocks > 1 && (!isShared || pipeline.grid))
    return error() << "expected feature_groups = 2 or packed heads, and no "
                      "grid, with key_blocks, found feature_groups = "
                   << pipeline.featureGroups << " and grid = " << pipeline.grid;
  if (pipeline.keyBlocks > 1 && pipeline.featureGroups == 1 && tile.splitBlocks)
    return error() << "expected no split_blocks with key_blocks, whose blocks "
                      "divide all keys of a tile, found "
                   << tile.splitBlocks;
  if (pipeline.grid % pipeline.cluster)
    return error() << "expected grid as a multiple of the cluster's "
                   << pipeline.cluster << " blocks, found " << pipeline.grid;
  return success();
}

/// Whether several blocks, or warps, have the same rows.
static bool sharesRows(Attribute pipeline) {
  if (auto fields = fieldsOf<WarpSpecializedAttentionAttr>(pipeline))
    return fields->featureGroups > 1 || fields->keyBlocks > 1;
  if (auto fields = fieldsOf<MultistageAttentionAttr>(pipeline))
    return fields->featureWarps > 1 || fields->keyWarps > 1;
  return true;
}

LogicalResult
AttentionScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                              StringRef name, AttentionTileFields tile,
                              Attribute pipeline) {
  auto error = [&]() { return emitError() << "schedule \"" << name << "\": "; };
  if (failed(verifyRanges(error, tile)))
    return failure();
  if (tile.queries % tile.warp || tile.queries / tile.warp > 32)
    return error() << "expected 1 to 32 warps of " << tile.warp
                   << " queries in a block, found " << tile.queries
                   << " queries";
  if (tile.splitBlocks > 0 && tile.splitMinKeys < 1)
    return error()
           << "expected split_min_keys of at least 1 with split_blocks, "
              "found "
           << tile.splitMinKeys;
  if (tile.packed && tile.maxQueries < 1)
    return error() << "expected max_queries of at least 1 where heads are "
                      "packed, found "
                   << tile.maxQueries;
  auto specialized = fieldsOf<WarpSpecializedAttentionAttr>(pipeline);
  if (tile.packed && tile.maxQueries > 1 && sharesRows(pipeline))
    return error() << "expected max_queries = 1 where heads are packed and "
                      "blocks or warps divide the keys or the features of a "
                      "tile, found "
                   << tile.maxQueries;
  if (tile.heads > 1 && !specialized)
    return error() << "expected one head in a tile without producer warps, "
                      "found "
                   << tile.heads << " heads";
  if (tile.plan && !specialized)
    return error() << "expected no plan without producer warps, found "
                      "plan = true";
  if (auto multistage = fieldsOf<MultistageAttentionAttr>(pipeline)) {
    int64_t warps = multistage->featureWarps;
    if (warps != 1 && (warps != 4 || tile.warp != 16))
      return error()
             << "expected feature_warps of 1, or of 4 with 16 queries a "
                "warp, found "
             << warps << " with " << tile.warp << " queries";
    if (tile.queries / tile.warp * warps > 32)
      return error() << "expected at most 32 warps in a block, found "
                     << tile.queries / tile.warp * warps;
    if (multistage->keyWarps > 1 && (!tile.packed || tile.queries != tile.warp))
      return error() << "expected packed heads of one warp's queries with "
                        "key_warps, found "
                     << tile.queries << " queries";
    return success();
  }
  if (isa_and_nonnull<Int8AttentionAttr>(pipeline)) {
    if (!tile.packed || tile.queries != 16)
      return error() << "expected packed heads of 16 queries for int8 MMAs, "
                        "found "
                     << tile.queries << " queries";
    return success();
  }
  if (specialized)
    return verifyWarpSpecialized(error, tile, *specialized);
  return error() << "expected a pipeline of multistage_attention, "
                    "warp_specialized_attention or int8_attention, found "
                 << pipeline;
}
