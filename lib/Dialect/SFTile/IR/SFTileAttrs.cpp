//===- SFTileAttrs.cpp - Layouts and schedules --------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"

using namespace mlir;
using namespace mlir::sftile;

//===----------------------------------------------------------------------===//
// LayoutAttr
//===----------------------------------------------------------------------===//

/// Reads `[row, col]`; nothing if `attribute` is something else.
static std::optional<Coord> readCoord(Attribute attribute) {
  auto pair = dyn_cast<ArrayAttr>(attribute);
  if (!pair || pair.size() != 2)
    return std::nullopt;
  auto row = dyn_cast<IntegerAttr>(pair[0]);
  auto col = dyn_cast<IntegerAttr>(pair[1]);
  if (!row || !col || row.getInt() < 0 || col.getInt() < 0)
    return std::nullopt;
  return Coord{row.getInt(), col.getInt()};
}

static ArrayAttr writeCoords(MLIRContext *context, ArrayRef<Coord> coords) {
  Builder builder(context);
  SmallVector<Attribute> pairs;
  for (Coord coord : coords)
    pairs.push_back(builder.getI64ArrayAttr({coord.row, coord.col}));
  return builder.getArrayAttr(pairs);
}

LayoutAttr LayoutAttr::get(MLIRContext *context, const LinearLayout &layout) {
  return LayoutAttr::get(context, writeCoords(context, layout.registerBits()),
                         writeCoords(context, layout.laneBits()));
}

LinearLayout LayoutAttr::getLayout() const {
  SmallVector<Coord> registers, lanes;
  for (Attribute pair : getRegisters())
    registers.push_back(*readCoord(pair));
  for (Attribute pair : getLanes())
    lanes.push_back(*readCoord(pair));
  return LinearLayout(registers, lanes);
}

LogicalResult
LayoutAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                   ArrayAttr registers, ArrayAttr lanes) {
  for (ArrayAttr bits : {registers, lanes})
    for (Attribute pair : bits)
      if (!readCoord(pair))
        return emitError() << "expected a [row, column] pair of non-negative "
                              "integers for each bit, found "
                           << pair;
  if (lanes.size() != 5)
    return emitError()
           << "expected 5 lane bits for the 32 lanes of a warp, found "
           << lanes.size();
  if (registers.size() > 8)
    return emitError()
           << "expected at most 8 register bits (256 elements a lane), found "
           << registers.size();
  // Lowerings compute a lane's position once and add constants for registers.
  Coord byRegister, byLane;
  for (Attribute pair : registers) {
    Coord basis = *readCoord(pair);
    byRegister = {byRegister.row | basis.row, byRegister.col | basis.col};
  }
  for (Attribute pair : lanes) {
    Coord basis = *readCoord(pair);
    byLane = {byLane.row | basis.row, byLane.col | basis.col};
  }
  if ((byRegister.row & byLane.row) || (byRegister.col & byLane.col))
    return emitError()
           << "expected registers and lanes to decide about "
              "different bits of the position, found a bit that both "
              "change";
  return success();
}

//===----------------------------------------------------------------------===//
// ScheduleAttr
//===----------------------------------------------------------------------===//

/// The conditions on schedules whose copies have warps of their own.
static LogicalResult
verifyProducers(function_ref<InFlightDiagnostic()> error,
                ArrayRef<int64_t> block, ArrayRef<int64_t> warp, int64_t splitK,
                bool warpgroup, int64_t producerWarps, int64_t cluster,
                int64_t grid, int64_t storeTokens, int64_t storeBuffers) {
  int64_t consumers = block[0] / warp[0] * (block[1] / warp[1]);
  if (!warpgroup || producerWarps != 4 || consumers % 4 || block[1] != warp[1])
    return error()
           << "expected 4 producer_warps, warpgroup = true and warps "
              "that each see all tokens of the block, four by four; found "
           << producerWarps << " producer_warps beside " << consumers << " of "
           << warp[0] << " x " << warp[1];
  // Two warpgroups that multiply may have 232 registers a thread, three 160.
  int64_t accumulators = warp[0] / 16 * warp[1] / 2;
  int64_t most = consumers > 8 ? 112 : 192;
  if (consumers > 12 || accumulators > most)
    return error() << "expected at most 12 warps that multiply and " << most
                   << " accumulators a thread for " << consumers
                   << " of them, found " << accumulators;
  if (cluster < 1 || cluster > 8 || block[1] % (8 * cluster))
    return error() << "expected a cluster of 1 to 8 blocks that share the "
                      "block's tokens in groups of 8, found "
                   << cluster;
  if (grid < 0 || grid % cluster)
    return error() << "expected grid as a multiple of the cluster's " << cluster
                   << " blocks, found " << grid;
  if (splitK > 8 || !llvm::isPowerOf2_64(splitK) ||
      (splitK > 1 && (cluster != 1 || grid != 0 || block[1] % (16 * splitK))))
    return error()
           << "expected split_k of 1, 2, 4 or 8 with producer_warps, and "
              "if it is more than 1 cluster = 1, grid = 0 and 16 tokens "
              "for each part, found "
           << splitK;
  if (storeTokens < 16 || storeTokens % 16 || storeTokens > 256 ||
      block[1] / splitK % storeTokens)
    return error() << "expected store_tokens as a multiple of 16 that divides "
                      "the block's tokens, found "
                   << storeTokens;
  if (storeBuffers < 1 || block[1] / splitK / storeTokens % storeBuffers)
    return error() << "expected store_buffers that divide the "
                   << block[1] / splitK / storeTokens
                   << " boxes of a block, found " << storeBuffers;
  return success();
}

/// What only schedules of warps that copy their own weights must meet.
static LogicalResult verifyStreamed(function_ref<InFlightDiagnostic()> error,
                                    ArrayRef<int64_t> block,
                                    ArrayRef<int64_t> warp, int64_t k,
                                    int64_t splitK, int64_t maxTokens,
                                    bool warpgroup, int64_t producerWarps,
                                    int64_t depthWarps, bool held) {
  if (producerWarps || warpgroup)
    return error() << "expected depth_warps without producer_warps and "
                      "warpgroup";
  if (splitK > 8 || !llvm::isPowerOf2_64(splitK))
    return error()
           << "expected split_k of 1, 2, 4 or 8 with depth_warps, found "
           << splitK;
  if (!llvm::is_contained({16, 32, 64}, warp[0]) || warp[1] != block[1] ||
      block[1] > (k == 256 ? 64 : 16))
    return error() << "expected warps of 16, 32 or 64 features and all 8 or 16 "
                      "tokens (8 to 64 with k = 256) of the block with "
                      "depth_warps, found "
                   << warp[0] << " x " << warp[1];
  if (block[0] % 64 && 64 % block[0])
    return error() << "expected a block of a multiple or a half or a quarter "
                      "of 64 features, the unit of packed weights, found "
                   << block[0];
  if (k != 128 && k != 256)
    return error() << "expected k = 128 or 256, the units of ternary weights, "
                      "with depth_warps, found "
                   << k;
  if (!held && block[0] > warp[0] && depthWarps > 15)
    return error()
           << "expected at most 15 depth_warps where several warps share "
              "activations, because a block has 16 barriers, found "
           << depthWarps;
  // Of weights that keep pairs tokens may come tile by tile, and held ones.
  if (maxTokens > block[1] && k != 256 && !held)
    return error() << "expected max_tokens of at most the block's " << block[1]
                   << " with depth_warps and without held, found " << maxTokens;
  if (held && (maxTokens < 1 || (maxTokens > 8 && block[1] > 8)))
    return error() << "expected max_tokens of at least 1 with held, and blocks "
                      "of 8 tokens where it is more than 8, found "
                   << maxTokens << " and blocks of " << block[1];
  return success();
}

LogicalResult ScheduleAttr::verify(
    llvm::function_ref<InFlightDiagnostic()> emitError, StringRef name,
    ArrayRef<int64_t> block, ArrayRef<int64_t> warp, int64_t k, int64_t stages,
    int64_t splitK, int64_t group, int64_t maxTokens, bool warpgroup,
    int64_t producerWarps, int64_t cluster, int64_t grid, int64_t storeTokens,
    int64_t storeBuffers, int64_t depthWarps, bool held) {
  auto error = [&]() { return emitError() << "schedule \"" << name << "\": "; };
  if (block.size() != 2 || warp.size() != 2)
    return error() << "expected block and warp as [features, tokens], found "
                   << block.size() << " and " << warp.size() << " sizes";
  if (warp[0] <= 0 || warp[1] <= 0 || warp[0] % 16 || warp[1] % 8)
    return error() << "expected a warp of a multiple of 16 features and of 8 "
                      "tokens, the sizes of an instruction, found "
                   << warp[0] << " x " << warp[1];
  if (block[0] <= 0 || block[1] <= 0 || block[0] % warp[0] ||
      block[1] % warp[1])
    return error() << "expected a block that is a multiple of the warp's "
                   << warp[0] << " x " << warp[1] << ", found " << block[0]
                   << " x " << block[1];
  int64_t warps = block[0] / warp[0] * (block[1] / warp[1]) *
                      std::max<int64_t>(depthWarps, 1) +
                  producerWarps;
  if (warps > 32)
    return error() << "expected at most 32 warps in a block, found " << warps
                   << "; enlarge the warp's part or reduce the block's";
  if (warpgroup && (warp[0] % 16 || warp[1] > 256 ||
                    (k != 64 && k != 128 && !(k == 256 && producerWarps))))
    return error() << "expected a warp of a multiple of 16 features, at most "
                      "256 tokens "
                      "and k = 64 (128 if weights are ternary, 256 if they "
                      "keep two of four columns) where four warps multiply "
                      "together, found "
                   << warp[0] << " x " << warp[1] << " and k = " << k;
  if (warpgroup && !producerWarps && warp[0] != 16)
    return error() << "expected a warp of 16 features where the warps that "
                      "multiply together copy too, found "
                   << warp[0];
  if (producerWarps && failed(verifyProducers(error, block, warp, splitK,
                                              warpgroup, producerWarps, cluster,
                                              grid, storeTokens, storeBuffers)))
    return failure();
  if (!producerWarps && (cluster != 1 || grid != 0))
    return error()
           << "expected cluster = 1 and grid = 0 without producer_warps";
  if (depthWarps < 0 || (held && !depthWarps))
    return error() << "expected depth_warps of at least 0, and of at least 1 "
                      "with held, found "
                   << depthWarps;
  if (depthWarps &&
      failed(verifyStreamed(error, block, warp, k, splitK, maxTokens, warpgroup,
                            producerWarps, depthWarps, held)))
    return failure();
  if (block[0] % 64 && !depthWarps)
    return error() << "expected a block of a multiple of 64 features, the unit "
                      "of packed weights, found "
                   << block[0];
  if (k <= 0 || k % 64)
    return error() << "expected a stage depth k that is a multiple of 64, the "
                      "unit of packed weights, found "
                   << k;
  if (stages < 2 || stages > 16)
    return error() << "expected 2 to 16 stages, found " << stages;
  if (splitK < 1)
    return error() << "expected split_k of at least 1, found " << splitK;
  if (group < 1)
    return error() << "expected group of at least 1, found " << group;
  if (maxTokens < 0)
    return error() << "expected max_tokens of at least 0, found " << maxTokens;
  return success();
}
