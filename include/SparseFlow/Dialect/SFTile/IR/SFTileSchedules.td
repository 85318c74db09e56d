//===- SFTileSchedules.td - Schedules and their pipelines -*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SFTILE_IR_SFTILESCHEDULES
#define SPARSEFLOW_DIALECT_SFTILE_IR_SFTILESCHEDULES

include "SparseFlow/Dialect/SFTile/IR/SFTileAttrs.td"

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

/// A pipeline: the fields that ScheduleFields.h describes, `name = value`, in
/// any order; those that have their default are not printed.
class SFTile_Pipeline<string name, string mnemonic, string fieldsType>
    : SFTile_Attr<name, mnemonic> {
  let parameters = (ins fieldsType:$fields);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def SFTile_MultistageAttr
    : SFTile_Pipeline<"Multistage", "multistage", "MultistageFields"> {
  let summary = "A mainloop in which every warp copies and multiplies";
  let description = [{
    `#sftile.multistage<k = 64, stages = 4>`. With `warpgroup = true` four warps
    multiply together (wgmma): a warp then has 16 features, and its neighbours
    the other 48 of the instruction. With `k_warps = 4` four warps have the same
    features and tokens, each a quarter of the columns of every stage, and add up
    their accumulators behind the last one.
  }];
}

def SFTile_WarpSpecializedAttr
    : SFTile_Pipeline<"WarpSpecialized", "warp_specialized",
                      "WarpSpecializedFields"> {
  let summary = "Producer warps that copy by TMA, consumer warpgroups of wgmma";
  let description = [{
    `#sftile.warp_specialized<k = 64, stages = 5, cluster = 2, grid = 132>`.
    Blocks are persistent: `grid` of them (0: one for each tile) take tile after
    tile. `cluster` blocks with neighbouring features share the copies of their
    activations, and results leave through epilogue staging, `store_tokens`
    tokens of 64 features at a time, with `store_buffers` such boxes for four
    warps. A warp may have several times 16 features, one accumulator for each.
    With `k_warps = 2` two warpgroups have the same features, each every second
    stage, and behind the last one the sums of half of the tokens.
  }];
}

def SFTile_StreamedAttr
    : SFTile_Pipeline<"Streamed", "streamed", "StreamedFields"> {
  let summary = "Every warp streams its own ternary weights, for few tokens";
  let description = [{
    `#sftile.streamed<k = 128, stages = 4, k_warps = 16>`: `k_warps` warps share
    the features of a warp, each over a part of K, and the `split_k` blocks of a
    cluster likewise (a power of two up to 8). Such a block may have 16 or 32
    features. With `holds_activations` a block has the activations of all of K in
    shared memory, those of 8 bits quantized by itself; `max_tokens` then bounds
    their place.
  }];
}

def SFTile_MultistageAttentionAttr
    : SFTile_Pipeline<"MultistageAttention", "multistage_attention",
                      "MultistageAttentionFields"> {
  let summary = "Attention in which every warp copies and multiplies";
  let description = [{
    `#sftile.multistage_attention<stages = 2, holds_queries = true>`. With
    `feature_warps = 4` four warps share rows: each multiplies a quarter of the
    features of queries and keys, and owns a quarter of those of the result. With
    `key_warps` the warps of a block, on packed heads of a cache of 8 or 4 bits,
    take every so many stages of keys, and add up what they found.
  }];
}

def SFTile_WarpSpecializedAttentionAttr
    : SFTile_Pipeline<"WarpSpecializedAttention", "warp_specialized_attention",
                      "WarpSpecializedAttentionFields"> {
  let summary = "Attention with producer warps and consumer warpgroups";
  let description = [{
    `#sftile.warp_specialized_attention<stages = 2, grid = 132, ping_pong = true>`:
    each consumer warpgroup has 64 queries. `cluster` blocks (1 or 2) with
    neighbouring queries of a head share the copies of keys and values. With
    `feature_groups` = 2 two consumer warpgroups have the same 64 queries and
    divide the features of the values; with `key_blocks` that many blocks of a
    cluster divide the keys, there (2, 4 or 8) or where heads are packed. With
    `dequantizes` producer threads make tiles of numbers of 8 and 4 bits.
  }];
}

def SFTile_Int8AttentionAttr
    : SFTile_Pipeline<"Int8Attention", "int8_attention", "Int8AttentionFields"> {
  let summary = "Attention of one query by int8 MMAs on planes";
  let description = [{
    `#sftile.int8_attention<stages = 2, key_warps = 4>`: ternary keys and values
    meet queries and weights as signed bytes, two for each number. For packed
    heads, up to four of them. `key_warps` warps share the rows of a block: each
    takes every so many pages of keys, and they add up what they found.
  }];
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

def SFTile_ScheduleAttr : SFTile_Attr<"Schedule", "schedule"> {
  let summary = "The tile and the pipeline from which a matmul kernel is generated";
  let description = [{
    A row of the schedule table, or what a user pins in its place. `block` is
    the part of the result that a thread block computes and `warp` the part of a
    warp, both as features x tokens. `split_k` blocks share a tile of the result,
    each over a part of K. `group` is the number of token tiles that are visited
    before the next feature tile. `max_tokens` is the most tokens for which the
    row is meant (0: no limit). Elementwise kernels have no pipeline.

    ```mlir
    #sftile.schedule<"sm90a.large", block = [128, 256], warp = [16, 256], group = 8,
                     pipeline = #sftile.warp_specialized<k = 64, stages = 5,
                       cluster = 2, grid = 132, store_tokens = 32>>
    ```
  }];
  let parameters = (ins
    StringRefParameter<"the row of the table it came from">:$name,
    AttrParameter<"MatmulTileFields", "block, warp and tile scheduler",
                  "const MatmulTileFields &">:$tile,
    "::mlir::Attribute":$pipeline);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    ArrayRef<int64_t> getBlock() const { return getTile().block; }
    ArrayRef<int64_t> getWarp() const { return getTile().warp; }
    int64_t getSplitK() const { return getTile().splitK; }
    int64_t getGroup() const { return getTile().group; }
    int64_t getMaxTokens() const { return getTile().maxTokens; }

    /// The fields of one pipeline, null if the schedule has another.
    std::optional<MultistageFields> getMultistage() const;
    std::optional<WarpSpecializedFields> getWarpSpecialized() const;
    std::optional<StreamedFields> getStreamed() const;

    /// What pipelines have in common; of an elementwise kernel both are 0.
    int64_t getK() const;
    int64_t getStages() const;
    /// The same with another length of the ring.
    ScheduleAttr withStages(int64_t stages) const;

    /// Fields of single pipelines, for all schedules: without the pipeline they
    /// are what it means not to have it.
    bool getWarpgroup() const;
    int64_t getProducerWarps() const;
    int64_t getProducerRegisters() const;
    int64_t getCluster() const;
    int64_t getGrid() const;
    /// Most tiles of a last wave that all blocks divide along K (0: none).
    int64_t getStreamK() const;
    int64_t getStoreTokens() const;
    int64_t getStoreBuffers() const;
    /// Warps that share the features and tokens of a warp.
    int64_t getKWarps() const;
    /// Tokens of a tile that a consumer warp stores, beside producer warps: the
    /// blocks of split-K, and warps that share a part, take some each.
    int64_t getStoredTokens() const {
      return getBlock()[1] / (getSplitK() * getKWarps());
    }
    bool getHeld() const;
    /// Whether every warp copies what it multiplies, for few tokens.
    bool isStreamed() const { return getStreamed().has_value(); }

    /// Consumer warps: those that run MMAs.
    int64_t getNumConsumerWarps() const {
      return getBlock()[0] / getWarp()[0] * (getBlock()[1] / getWarp()[1]) *
             getKWarps();
    }
    int64_t getNumWarps() const {
      return getNumConsumerWarps() + getProducerWarps();
    }
  }];
}

def SFTile_AttentionScheduleAttr
    : SFTile_Attr<"AttentionSchedule", "attention_schedule"> {
  let summary = "The tile and the pipeline from which an attention kernel is generated";
  let description = [{
    A block computes `queries` rows of the result, each warp `warp` of them, over
    stages of `keys` keys. The row is used for at most `max_queries` queries (0:
    any number), and if there are at least `min_blocks` blocks of it, at most
    `max_blocks` (0: any number), `min_small_tiles` tiles of 64 queries, `min_tiles` tiles of 128 queries that meet each
    key, at most `max_tiles` (0: any number), and `min_keys` keys, at most `max_keys` (0: any number), and `min_key_ratio` times as many keys as queries. With `packed` the rows of a block are the query heads that share a key head, for
    each of some of the queries. The keys of a block are divided among several until there are
    `split_blocks`, but none gets fewer than `split_min_keys`. `group` heads are
    visited together under a causal mask; fewer where it is known that their keys
    and values are more than `group_bytes` (0: any number). With `plan` a kernel in front lists the tiles where entries
    have lengths of their own.

    ```mlir
    #sftile.attention_schedule<"sm90a.d128", queries = 128, warp = 16, keys = 128,
                               group = 16, pipeline =
      #sftile.warp_specialized_attention<stages = 2, grid = 132, ping_pong = true>>
    ```
  }];
  let parameters = (ins
    StringRefParameter<"the row of the table it came from">:$name,
    AttrParameter<"AttentionTileFields", "the tile, and when it is used",
                  "const AttentionTileFields &">:$tile,
    "::mlir::Attribute":$pipeline);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getQueries() const { return getTile().queries; }
    int64_t getWarp() const { return getTile().warp; }
    int64_t getKeys() const { return getTile().keys; }
    bool getPacked() const { return getTile().packed; }
    int64_t getMaxQueries() const { return getTile().maxQueries; }
    int64_t getMinBlocks() const { return getTile().minBlocks; }
    int64_t getMaxBlocks() const { return getTile().maxBlocks; }
    int64_t getMinSmallTiles() const { return getTile().minSmallTiles; }
    int64_t getMinTiles() const { return getTile().minTiles; }
    int64_t getMaxTiles() const { return getTile().maxTiles; }
    int64_t getMinKeys() const { return getTile().minKeys; }
    int64_t getMaxKeys() const { return getTile().maxKeys; }
    int64_t getMinKeyRatio() const { return getTile().minKeyRatio; }
    int64_t getSplit() const { return getTile().splitBlocks; }
    int64_t getSplitMinKeys() const { return getTile().splitMinKeys; }
    int64_t getGroup() const { return getTile().group; }
    int64_t getGroupBytes() const { return getTile().groupBytes; }
    bool getPlan() const { return getTile().plan; }
    int64_t getHeads() const { return getTile().heads; }

    /// The fields of one pipeline, null if the schedule has another.
    std::optional<MultistageAttentionFields> getMultistage() const;
    std::optional<WarpSpecializedAttentionFields> getWarpSpecialized() const;
    std::optional<Int8AttentionFields> getInt8() const;

    int64_t getStages() const;
    /// Fields of single pipelines, for all schedules.
    int64_t getBlocksPerSM() const;
    int64_t getProducerWarps() const;
    int64_t getProducerRegisters() const;
    int64_t getCluster() const;
    int64_t getGrid() const;
    int64_t getKeyWarps() const;
    int64_t getFeatureWarps() const;
    int64_t getFeatureGroups() const;
    int64_t getKeyBlocks() const;
    /// Warps that have the same rows.
    int64_t getWarpsOfRow() const { return getKeyWarps() * getFeatureWarps(); }
    bool getTurns() const;
    bool getDequantizes() const;
    bool getHeld() const;
    bool getBytes() const { return getInt8().has_value(); }

    /// Consumer warps: those that run MMAs.
    int64_t getNumConsumerWarps() const {
      return getQueries() / getWarp() * getWarpsOfRow() * getFeatureGroups();
    }
    int64_t getNumWarps() const {
      return getNumConsumerWarps() + getProducerWarps();
    }
  }];
}

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_SFTILESCHEDULES
