//===- AttentionKernel.h - Generators of attention kernels ------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel computes a tile of queries of one head over all keys that they may
// attend to, or (split-KV) over some of them; the combine kernel then merges
// the partial results.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_ATTENTION_ATTENTIONKERNEL_H
#define SPARSEFLOW_LIB_KERNELS_ATTENTION_ATTENTIONKERNEL_H

#include "Kernels/Support/KernelBuilder.h"
#include "SparseFlow/Dialect/SparseFlow/IR/ScoreMask.h"
#include <numeric>

namespace mlir::sparseflow {

/// The integer parameters of both kernels, behind the pointers, in this order:
/// batch entries, queries, keys, splits of the keys (split-KV).
enum AttentionSize : int64_t { kBatch, kQueries, kKeys, kSplits, kSizeCount };

/// Behind these, where keys and values lie in pages: how many there are.
constexpr int64_t kPageCount = kSizeCount;

/// Beside the sums of more features of values no registers are left for the
/// place of a planned tile.
constexpr int64_t kMaxPlannedFeatures = 192;

/// Keys of a piece of a stage that a length may leave out.
constexpr int64_t kPieceKeys = 32;

/// What is the same for all kernels of one operation.
struct AttentionShape {
  bool bhsd, causal, hasLengths, hasLse;
  /// The softmax of each query head has one more entry, without a value.
  bool hasSinks;
  /// Sequences follow one another in one batch entry of the tensors. The batch
  /// entries of AttentionSize are sequences then.
  bool varlen;
  /// Their keys do too, or each has an entry of keys, with a length.
  bool hasKeyOffsets() const { return varlen && !hasLengths; }
  bool hasOwnCaches() const { return varlen && hasLengths; }
  int64_t window; // 0: none
  float scale;
  int64_t heads, keyHeads, d, dv;
  /// Features of a row of v in memory, at least dv.
  int64_t valueWidth;
  /// Keys and values are one tensor: values are the first features of a key.
  bool sharesKeys;
  /// Batch entries, queries and keys where they are known, else kDynamic.
  int64_t sizes[3];
  /// Keys of a page; 0 where keys and values of an entry follow one another.
  int64_t page;
  /// Pages from one of the keys, or of the values, to the next one in memory:
  /// more than 1 where they are parts of a pool's entries.
  int64_t keyPitch = 1, valuePitch = 1;
  Type operandType, resultType;
  /// Element types of the score operands, and the letters that index them.
  SmallVector<std::pair<Type, std::string>> operands;
  /// The score region; null if there is none. The value that it yields.
  Block *score;
  Value yielded;
  /// The pairs of a query and a key whose score may be other than -inf, where
  /// that bounds the keys of a tile; else none.
  PairRanges seen;
  /// The encodings of ternary keys and values, or of quantized ones; null
  /// for full ones. `scale` is half of the op's where they are ternary: keys
  /// come as -2, 0 and 2.
  TernaryAttr keyPlanes, valuePlanes;
  /// Both are of int8, int4 or e4m3.
  bool isQuantized() const { return keyPlanes && !keyPlanes.isTernary(); }
};

/// Whether a score operand whose dimensions are `letters` has an element for
/// each key.
inline bool isIndexedByKey(llvm::StringRef letters) {
  return letters.contains('k');
}

/// Rows of a TMA box of the result: those of a warpgroup.
constexpr int64_t kStoreRows = 64;

/// Rows of up to that many features are combined by a block each where they are
/// few.
constexpr int64_t kNarrowFeatures = 256;

/// Query heads of a key head that int8 MMAs take at most: the two bytes of each
/// are columns of one MMA (Int8Attention.cpp).
constexpr int64_t kInt8Heads = 4;

struct AttentionKernel {
  std::string name;
  Location loc;
  AttentionShape shape;
  sftile::AttentionScheduleAttr schedule;
  /// How keys, and how values reach shared memory.
  sftile::CopyAtomInterface copyKeys, copyValues;
  /// Bytes of one access to queries and to the result.
  int64_t queryWidth, storeWidth;
  /// Neighbouring keys of a score operand that are loaded at once.
  int64_t operandKeys;
  /// It starts while the kernel before it ends, and waits for that (PDL).
  bool programmatic = false;
  /// An instruction of the target makes f16 of f8E4M3FN.
  bool convertsFloats = false;
  /// It is launched for one batch entry only, whose tiles are equally long.
  bool oneEntry = false;

  /// True for split-KV: the kernel then writes partial results.
  bool partial() const { return schedule.getSplit() > 0; }
  /// True if the kernel has producer and consumer warps
  /// (Warpgroup/).
  bool isWarpSpecialized() const { return schedule.getProducerWarps() > 0; }
  /// True if the rows of a tile are the query heads of a key head for each of
  /// several queries, heads first: few queries, such as those of speculative
  /// decoding, fill tiles so. With one query they are its heads alone.
  bool packsQueries() const {
    return schedule.getPacked() && schedule.getMaxQueries() != 1;
  }
  /// True if several rows of such a tile have one position.
  bool sharesPositions() const { return packsQueries() && rowsOfTile() > 1; }
  /// True if a row's query decides up to which key it sees.
  bool masksCausally() const {
    return shape.causal && (!schedule.getPacked() || packsQueries());
  }
  /// True if persistent blocks divide the stages of all entries equally,
  /// because these have lengths of their own (SplitKv/StreamKv.h). A tile is
  /// the query heads of a key head. Tiles that a block has as a whole it
  /// stores; the combine kernel computes the others.
  bool streamsKeys() const {
    return !oneEntry && partial() && isWarpSpecialized() && shape.hasLengths &&
           !dequantizesKv() && !dividesValues() && schedule.getGrid() &&
           schedule.getPacked() && !packsQueries() &&
           rowsOfTile() <= schedule.getQueries();
  }
  /// True if it is launched for several splits only: for one there is a kernel
  /// of whole tiles, behind which nothing is combined.
  bool needsSeveralSplits() const {
    return partial() && isWarpSpecialized() && !oneEntry && !streamsKeys();
  }
  /// True if blocks find their tiles in a plan that a kernel in front of this
  /// one makes from lengths on the device (Plan/TilePlan.h): tiles of sequences
  /// that follow one another, and of lengths where the schedule says so and
  /// accumulators leave registers for a tile's place.
  bool planned() const {
    return shape.varlen ||
           (schedule.getPlan() && shape.hasLengths && !dequantizesKv() &&
            shape.dv <= kMaxPlannedFeatures);
  }
  /// Query heads of one key head whose rows are in one tile, one head's behind
  /// the other's, where a plan lists the tiles. A short sequence fills more of
  /// a tile's rows then.
  int64_t headsOfTile() const {
    return planned() && isWarpSpecialized()
               ? std::gcd(schedule.getHeads(), shape.heads / shape.keyHeads)
               : 1;
  }
  /// Queries of each of these heads in a tile, or of each packed one.
  int64_t queriesOfTile() const {
    return schedule.getQueries() /
           (packsQueries() ? rowsOfTile() : headsOfTile());
  }
  /// True if `other`, of the same shape, is generated as this one is, up to its
  /// name: their schedules may differ in what they are used for.
  bool isSameCode(const AttentionKernel &other) const;
  /// Queries that a launch has at most where heads are packed.
  int64_t mostQueries() const {
    int64_t known = shape.sizes[kQueries];
    return ShapedType::isDynamic(known)
               ? schedule.getMaxQueries()
               : std::min(known, schedule.getMaxQueries());
  }
  /// Query heads of a key head.
  int64_t rowsOfTile() const { return shape.heads / shape.keyHeads; }
  /// True if two consumer warpgroups have the same rows and divide the features
  /// of values, which are the first features of the keys
  /// (Warpgroup/LatentAttention.cpp).
  bool dividesValues() const { return schedule.getFeatureGroups() > 1; }
  /// True if these compute the scores of every other stage each
  /// (Warpgroup/AlternatingAttention.cpp), where the heads of a key head have
  /// several tiles: with one the bytes of keys bound, not the MMAs. Blocks
  /// of a cluster need room for their sums in a split of the keys.
  bool alternatesScores() const {
    return dividesValues() && schedule.getPacked() &&
           rowsOfTile() > schedule.getQueries() &&
           schedule.getKeys() == schedule.getQueries() && !schedule.getGrid() &&
           (ShapedType::isDynamic(shape.sizes[2]) ||
            shape.sizes[2] > 4 * schedule.getKeys()) &&
           (schedule.getKeyBlocks() <= 4 || shape.dv >= 384);
  }
  /// True if a stage of keys is read by the tiles of its key head alone, all at
  /// about the same time: no later query of the entry needs it. Entries may
  /// share pages.
  bool readsKeysOnce() const {
    return schedule.getPacked() && !packsQueries() &&
           (dividesValues() ||
            (rowsOfTile() <= schedule.getQueries() && !shape.page));
  }
  /// True if partial results have their columns as accumulators hold them (the
  /// access `interleaved`), so that a lane stores 16 bytes at a time.
  bool interleavesPartials() const {
    return partial() && dividesValues() && shape.dv > kNarrowFeatures &&
           shape.dv % 128 == 0 && schedule.getKeyBlocks() == 1;
  }
  /// True if producer warps dequantize planes of keys, or of keys and values,
  /// into tiles of shared memory.
  bool dequantizesKv() const {
    return isWarpSpecialized() && bool(shape.keyPlanes);
  }
  /// Query heads of a key head that blocks of a cluster have, one each, where
  /// they share stages that producer warps dequantize; 1 where they have rows
  /// of one head, one behind the other's.
  int64_t headsOfCluster() const {
    int64_t cluster = schedule.getCluster();
    return dequantizesKv() && rowsOfTile() % cluster == 0 ? cluster : 1;
  }
  /// Rows of a head that the blocks of a cluster have.
  int64_t rowsOfCluster() const {
    return queriesOfTile() * schedule.getCluster() / headsOfCluster();
  }
  /// Boxes of 64 features in shared memory through which results are stored by
  /// TMA while the warps go on with the next tile: as many as there are, or as
  /// fit beside the stages. 0: threads store what they hold.
  int64_t storeBoxes() const;
  bool storesByTma() const { return storeBoxes() > 0; }
  /// Whether threads store the rows of tiles that end inside a box.
  bool storesBoth() const { return storesByTma() && planned(); }
  /// True if rows that see no key are stored beside the others: with lengths
  /// they are many, but of packed queries.
  bool storesZerosBeside() const;
  /// True if the first stage of a tile is visited beside the last P V of the
  /// one before it in its block: of packed sequences, all of whose planned
  /// tiles visit stages.
  bool overlapsTiles() const;
  /// Heads for which one block tile is computed: key heads if packed, else one
  /// of those that share a tile, or a cluster.
  int64_t tileHeads() const {
    return schedule.getPacked()
               ? shape.keyHeads
               : shape.heads / (headsOfTile() * headsOfCluster());
  }
  /// Writes the kernel at the builder's insertion point. Parameters, in order:
  ///   q, k, v, lengths if any, the page table if any, cumulative lengths of
  ///   queries if any, and of keys if any, sink logits if any, each score
  ///   operand, the plan if planned(),
  ///   then result and log-sum-exp if it is wanted, or, if partial,
  ///   f32 results [splits][B][H][S_q][D_v], log-sum-exps [splits][B][H][S_q]:
  ///   !llvm.ptr<1>; the sizes of AttentionSize, kPageCount if any: i64
  /// If it streamsKeys(), both: result, log-sum-exp if it is wanted, f32
  ///   results [2 * splits][rowsOfTile()][D_v] of the first and the last tile
  ///   of each block, their log-sum-exps, and what there is to combine
  ///   (StreamKv::Partials) for each block; splits are the blocks of the grid.
  /// If warp-specialized, q, k and v are tensor maps, where they are no planes:
  /// [B][H][S][D], indexed by feature, position, head and batch entry, boxes of
  /// 64 features of boxRows() positions, of queries of headsOfTile() heads; if
  /// it packsQueries() q is [B][S][H][D], in boxes of boxRows() heads of
  /// queriesOfTile() positions;
  /// keys and values in pages [P][H][page][D], boxes inside one page; if it
  /// storesByTma() so is the result, with boxes of kStoreRows rows, which is
  /// the last pointer, too, if it storesBoth().
  gpu::GPUFuncOp generate(OpBuilder &builder) const;
  /// The numbers of parameters: behind q, k, v and lengths the page table,
  /// behind that and cumulative lengths sink logits, score operands, the
  /// plan, the results that are no partials, and the partials.
  int64_t tablePointer() const { return 3 + shape.hasLengths; }
  int64_t offsetsPointer() const { return tablePointer() + (shape.page > 0); }
  int64_t sinkPointer() const {
    return offsetsPointer() + shape.varlen + shape.hasKeyOffsets();
  }
  int64_t firstOperand() const { return sinkPointer() + shape.hasSinks; }
  int64_t planPointer() const { return firstOperand() + shape.operands.size(); }
  int64_t firstOutput() const { return planPointer() + planned(); }
  int64_t firstPartial() const {
    return firstOutput() + (streamsKeys() ? 1 + shape.hasLse : 0);
  }
  /// The result where threads store it.
  int64_t resultPointer() const {
    return firstOutput() + (storesBoth() ? 1 + shape.hasLse : 0);
  }
  int64_t pointerCount() const {
    return firstPartial() + (partial() || shape.hasLse ? 2 : 1) +
           streamsKeys() + storesBoth();
  }
  /// The numbers of q, k and v, as far as they are tensor maps.
  SmallVector<int64_t> mapped() const;
  /// True if stages are copied in pieces, of which those behind a length are
  /// not read: where one query of each of many entries reads all keys once.
  /// Pages are pieces already.
  bool copiesPieces() const {
    return streamsKeys() && !shape.page && schedule.getCluster() == 1;
  }
  std::array<int64_t, 3> boxRows() const {
    int64_t keys = schedule.getKeys() / schedule.getCluster();
    if (shape.page)
      keys = std::gcd(keys, shape.page);
    if (copiesPieces())
      keys = std::gcd(keys, kPieceKeys);
    return {packsQueries() ? rowsOfTile() : queriesOfTile(), keys, keys};
  }
  /// Tiles of the result for one split of the keys (i64), for each head a
  /// multiple of the cluster's blocks.
  Value tileCount(OpBuilder &builder, Location loc, Value batch,
                  Value queries) const;
  /// Splits of the keys (i64), 1 without split-KV; of a kernel that
  /// streamsKeys() its blocks.
  Value splitCount(OpBuilder &builder, Location loc, Value batch, Value queries,
                   Value keys) const;
  /// Splits that there are at most, and room for: `splits`, or of kernels with
  /// several queries, which a program has some of, a bound that is short.
  Value splitRoom(OpBuilder &builder, Location loc, Value batch, Value queries,
                  Value keys, Value splits) const;
  /// Blocks that share `tiles` tiles, all i64.
  Value gridSize(OpBuilder &builder, Location loc, Value tiles) const;

private:
  gpu::GPUFuncOp generateWarpSpecialized(OpBuilder &builder) const;
  /// With values that are features of keys (Warpgroup/LatentAttention.cpp).
  gpu::GPUFuncOp generateLatent(OpBuilder &builder) const;
  /// With warpgroups that score in turn (Warpgroup/AlternatingAttention.cpp).
  gpu::GPUFuncOp generateAlternating(OpBuilder &builder) const;
  /// With several warps for the features of a row (WideAttention.cpp).
  gpu::GPUFuncOp generateWide(OpBuilder &builder) const;
  /// With ternary keys (PlaneAttention.cpp).
  gpu::GPUFuncOp generateTernary(OpBuilder &builder) const;
  /// With quantized keys and values (QuantizedAttention.cpp).
  gpu::GPUFuncOp generateQuantized(OpBuilder &builder) const;
  /// With ternary keys and values, in int8 MMAs (Int8Attention.cpp).
  gpu::GPUFuncOp generateInt8(OpBuilder &builder) const;
};

/// Merges the partial results of split-KV: weights each row by its log-sum-exp.
/// The warps of a block share the splits of one row, always the same ones, and
/// add what they found in the order of their numbers.
struct SplitKvCombineKernel {
  /// Whether the partials are those of a kernel that streamsKeys().
  bool streamsKeys;
  /// Whether they are those of a kernel that interleavesPartials().
  bool interleaved;
  std::string name;
  Location loc;
  AttentionShape shape;
  sftile::AttentionScheduleAttr schedule;
  int64_t storeWidth;
  bool programmatic;

  /// True if rows share blocks where a launch has many of them.
  bool sharesBlocks() const;
  /// Blocks that there are before one of them has more than one row.
  int64_t fewestBlocks() const {
    return shape.dv > kNarrowFeatures ? 128 : 512;
  }
  /// Parameters: partial results, their log-sum-exps, result, log-sum-exp if it
  /// is wanted, what there is to combine if it streamsKeys, sink logits if any:
  /// !llvm.ptr<1>; the sizes of AttentionSize: i64
  gpu::GPUFuncOp generate(OpBuilder &builder) const;
  /// True if `other`, of the same op, is generated as this one is, up to its
  /// name. The schedule says only which kernel's partials these are.
  bool isSameCode(const SplitKvCombineKernel &other) const {
    return streamsKeys == other.streamsKeys &&
           sharesBlocks() == other.sharesBlocks() &&
           interleaved == other.interleaved && storeWidth == other.storeWidth &&
           programmatic == other.programmatic;
  }
  /// A block for each row; of streamed keys one for the tile that a block's
  /// share begins in, or some where it has more rows than the block has warps.
  Value gridSize(OpBuilder &builder, Location loc, Value batch, Value queries,
                 Value splits) const;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ATTENTION_ATTENTIONKERNEL_H
