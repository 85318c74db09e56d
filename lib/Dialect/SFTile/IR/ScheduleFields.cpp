//===- ScheduleFields.cpp - What schedules say ----------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/IR/ScheduleFields.h"

using namespace mlir::sftile;
using llvm::ArrayRef;

// Limits that several pipelines share.
static constexpr bool kRequired = true;
static constexpr int64_t kMostStages = 16, kAny = INT64_MAX;
// Packed weights are units of 64 columns.
static constexpr int64_t kUnit = 64;
static constexpr llvm::StringLiteral kBlocksPerSM =
    "Blocks that an SM shall hold, which bounds the registers of a thread";

ArrayRef<ScheduleField<MatmulTileFields>> MatmulTileFields::fields() {
  using T = MatmulTileFields;
  static constexpr ScheduleField<T> list[] = {
      {"block", &T::block, "The part of the result that a block computes",
       kRequired},
      {"warp", &T::warp,
       "The part that a warp computes; `block` / `warp` in both directions is "
       "the number of warps",
       kRequired},
      {"split_k", &T::splitK, "Split-K: blocks that divide K", false, 1},
      {"group", &T::group,
       "Swizzle group: token tiles that are visited before the next feature "
       "tile, so that weights stay in the L2 cache",
       false, 1},
      {"max_tokens", &T::maxTokens,
       "The row's class: for at most that many tokens; 0: for any number"},
  };
  return list;
}

ArrayRef<ScheduleField<MultistageFields>> MultistageFields::fields() {
  using T = MultistageFields;
  static constexpr ScheduleField<T> list[] = {
      {"k", &T::k, "Elements along K of a stage, before sparsity", kRequired,
       kUnit, kAny, kUnit},
      {"stages", &T::stages, "Stages of the ring; all but one are filled ahead",
       kRequired, 2, kMostStages},
      {"k_warps", &T::kWarps,
       "Warps that share the part of a warp, each over as much of every stage, "
       "64 columns or a multiple; for dense weights",
       false, 1, 16},
      {"warpgroup", &T::warpgroup,
       "Four warps multiply together (wgmma): `warp` has 16 features, `k` is "
       "64 or 128"},
      {"holds_activations", &T::holdsActivations,
       "A block computes the rows that it multiplies, a norm's, and holds them "
       "for all of K; of one token"},
  };
  return list;
}

ArrayRef<ScheduleField<WarpSpecializedFields>> WarpSpecializedFields::fields() {
  using T = WarpSpecializedFields;
  static constexpr ScheduleField<T> list[] = {
      {"k", &T::k,
       "Elements along K of a stage, before sparsity: 64, or 128 for 2:4 "
       "weights; 128 for ternary weights, or 256 with activations of 8 bits; "
       "256 for 2:4 ternary weights",
       kRequired, kUnit, 256, kUnit},
      {"stages", &T::stages, "Stages of the ring", kRequired, 2, kMostStages},
      {"k_warps", &T::kWarps,
       "Warps that share the part of a warp, each every second stage, and in "
       "the end half of the tokens; for ternary weights",
       false, 1, 2},
      {"producer_warps", &T::producerWarps, "Producer warps, which copy", false,
       4, 4},
      {"producer_registers", &T::producerRegisters,
       "Registers of a producer thread; consumers get what these leave", false,
       24, 240, 8},
      {"cluster", &T::cluster,
       "Blocks with neighbouring features that share the copies of their "
       "activations (TMA multicast)",
       false, 1, 8},
      {"grid", &T::grid,
       "At most that many blocks, which take tile after tile; 0: one for each "
       "tile"},
      {"stream_k", &T::streamK,
       "Stream-K: of a last wave of at most so many tiles (of a cluster), all "
       "blocks have equal parts along K, whose sums a second kernel adds; 0: "
       "none"},
      {"store_tokens", &T::storeTokens,
       "Results leave through epilogue staging in boxes of 64 features by so "
       "many tokens",
       false, 8, 256, 8},
      {"store_buffers", &T::storeBuffers, "Such boxes for four warps", false,
       1},
      {"holds_activations", &T::holdsActivations,
       "A block quantizes its tokens to 8 bits itself, holds them for all of "
       "K, and multiplies them by several tiles of features, so many that "
       "there are at most `grid` blocks"},
  };
  return list;
}

ArrayRef<ScheduleField<StreamedFields>> StreamedFields::fields() {
  using T = StreamedFields;
  static constexpr ScheduleField<T> list[] = {
      {"k", &T::k,
       "Columns of a unit of the packed layout: 128, or 256 for 2:4 ternary "
       "weights",
       kRequired, 128, 256, 128},
      {"stages", &T::stages, "Units that a warp has on their way", kRequired, 2,
       kMostStages},
      {"k_warps", &T::kWarps,
       "Warps that share the features of a warp, each over a part of K",
       kRequired, 1, 32},
      {"holds_activations", &T::holdsActivations,
       "A block holds the activations of all of K, and quantizes them itself "
       "if "
       "they have 8 bits"},
  };
  return list;
}

ArrayRef<ScheduleField<AttentionTileFields>> AttentionTileFields::fields() {
  using T = AttentionTileFields;
  static constexpr ScheduleField<T> list[] = {
      {"queries", &T::queries, "Rows of the result that a block computes",
       kRequired, 1},
      {"warp", &T::warp, "Rows of the result that a warp computes", kRequired,
       16, kAny, 16},
      {"keys", &T::keys, "Keys of a stage", kRequired, 16, kAny, 16},
      {"packed", &T::packed,
       "The rows of a block are the query heads of one key head, for each of "
       "at most `max_queries` queries, so that keys are read once for all of "
       "them"},
      {"max_queries", &T::maxQueries,
       "For at most that many queries, on average where sequences are packed "
       "(`cu_seqlens`); 0: for any number"},
      {"min_blocks", &T::minBlocks,
       "Only where that many blocks have work: a smaller tile behind it takes "
       "the smaller problems"},
      {"max_blocks", &T::maxBlocks,
       "Only where at most that many blocks have work; 0: for any number"},
      {"min_small_tiles", &T::minSmallTiles,
       "Only where there are that many tiles of 64 queries, one warpgroup's: "
       "fewer fit into a wave of the row behind it, which takes them. Of "
       "packed "
       "sequences whose heads share no tiles also where they have 64 queries "
       "on "
       "average: shorter ones have as many tiles of any height"},
      {"min_tiles", &T::minTiles,
       "Only where the query heads of a key head have together that many tiles "
       "of 128 queries: as often a kernel of whole tiles reads each key"},
      {"max_tiles", &T::maxTiles,
       "Only where they have together at most that many; 0: any number"},
      {"min_keys", &T::minKeys, "Only for that many keys"},
      {"max_keys", &T::maxKeys,
       "Only for at most that many keys; 0: for any number"},
      {"min_key_ratio", &T::minKeyRatio,
       "Only for that many times as many keys as queries, on average where "
       "sequences are packed; 0: for any number"},
      {"split_blocks", &T::splitBlocks,
       "Split-KV: the keys of a tile are divided among blocks until there are "
       "so many; 0: never. A second kernel combines their results"},
      {"split_min_keys", &T::splitMinKeys,
       "With `split_blocks`: no split has fewer keys"},
      {"group", &T::group,
       "Heads that are visited together under a causal mask, longest tiles "
       "first, so that their keys stay in the L2 cache",
       false, 1},
      {"group_bytes", &T::groupBytes,
       "Fewer than `group` heads if their keys and values are known to take "
       "more bytes; 0: no limit. Planes are not counted"},
      {"plan", &T::plan,
       "Beside `lengths` a kernel in front lists the tiles that have keys, "
       "longest first, up to D_v = 192: for tiles of half a wave and more, "
       "with `warp_specialized` and a `grid`, without `packed`, "
       "`split_blocks`, `cluster` and `feature_groups`"},
      {"heads", &T::heads,
       "Query heads of a key head that a tile of a plan has, each with as many "
       "queries: 1, 2, 4 or 8, or what divides that and the query heads of a "
       "key head",
       false, 1, 8},
  };
  return list;
}

ArrayRef<ScheduleField<MultistageAttentionFields>>
MultistageAttentionFields::fields() {
  using T = MultistageAttentionFields;
  static constexpr ScheduleField<T> list[] = {
      {"stages", &T::stages, "Stages of the ring", kRequired, 2, kMostStages},
      {"holds_queries", &T::holdsQueries,
       "A warp keeps its queries in registers, and does not read them from "
       "shared memory for every stage"},
      {"blocks_per_sm", &T::blocksPerSM, kBlocksPerSM, false, 1, 32},
      {"feature_warps", &T::featureWarps,
       "4: four warps share the rows that else are one warp's, and divide "
       "features: for more than 256, up to D = 576 and D_v = 512",
       false, 1, 4},
      {"key_warps", &T::keyWarps,
       "Warps of a block that divide its keys: of caches of 8 and 4 bits, with "
       "packed heads",
       false, 1, 16},
  };
  return list;
}

ArrayRef<ScheduleField<WarpSpecializedAttentionFields>>
WarpSpecializedAttentionFields::fields() {
  using T = WarpSpecializedAttentionFields;
  static constexpr ScheduleField<T> list[] = {
      {"stages", &T::stages, "Stages of the ring", kRequired, 2, kMostStages},
      {"producer_warps", &T::producerWarps, "Producer warps, which copy", false,
       4, 4},
      {"producer_registers", &T::producerRegisters,
       "Registers of a producer thread; consumers get what these leave", false,
       24, 240, 8},
      {"cluster", &T::cluster,
       "Blocks with neighbouring queries of a head that share the copies of "
       "keys and values. With `dequantizes`, blocks with the same queries of "
       "as many heads that share a key head, each of which dequantizes a part "
       "of a stage and sends it to the others; rows for other numbers of heads "
       "are passed over",
       false, 1, 2},
      {"grid", &T::grid,
       "That many blocks take tile after tile; 0: a block for each tile"},
      {"ping_pong", &T::pingPong,
       "An ordered barrier: one warpgroup runs MMAs while the other computes "
       "exponentials"},
      {"dequantizes", &T::dequantizes,
       "Producer threads dequantize keys and values of int8, int4 and e4m3 "
       "into tiles of shared memory, times their scales; `keys` is 64 or 128, "
       "with a cluster 128"},
      {"feature_groups", &T::featureGroups,
       "2: two consumer warpgroups have the same rows, and each sums half of "
       "the features of the values, which are the first features of the keys: "
       "up to D = 576 and D_v = 512",
       false, 1, 2},
      {"key_blocks", &T::keyBlocks,
       "That many blocks of a cluster divide the keys of a tile, or of a part "
       "of it, and add up what they found in distributed shared memory: 1, 2, "
       "4 or 8 with feature_groups = 2, of 128, 256, 384 or 512 features "
       "of values; any number with packed heads, up to 16 of a key head, whose "
       "tiles are whole",
       false, 1, 8},
      {"blocks_per_sm", &T::blocksPerSM, kBlocksPerSM, false, 1, 2},
  };
  return list;
}

ArrayRef<ScheduleField<Int8AttentionFields>> Int8AttentionFields::fields() {
  using T = Int8AttentionFields;
  static constexpr ScheduleField<T> list[] = {
      {"stages", &T::stages, "Pages that a warp has on their way", kRequired, 2,
       kMostStages},
      {"key_warps", &T::keyWarps, "Warps of a block that divide its keys",
       false, 1, 16},
      {"blocks_per_sm", &T::blocksPerSM, kBlocksPerSM, false, 1, 32},
  };
  return list;
}

std::string mlir::sftile::describeRange(int64_t minimum, int64_t maximum,
                                        int64_t multiple) {
  if (minimum == maximum)
    return std::to_string(minimum);
  std::string kind =
      multiple > 1 ? "a multiple of " + std::to_string(multiple) : "an integer";
  if (maximum != kAny)
    return kind + " from " + std::to_string(minimum) + " to " +
           std::to_string(maximum);
  return kind + " of at least " + std::to_string(minimum);
}
