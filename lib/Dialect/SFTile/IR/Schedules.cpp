//===- Schedules.cpp - Schedules and their pipelines ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of matmuls: what several fields must be together. Fields are parsed, printed
// and held to their ranges by ScheduleText.h.
//
//===----------------------------------------------------------------------===//

#include "ScheduleText.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::sftile;

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

// NOLINTNEXTLINE(bugprone-macro-parentheses): names of classes.
#define SPARSEFLOW_PIPELINE(Name)                                              \
  Attribute Name##Attr::parse(AsmParser &parser, Type) {                       \
    return parsePipeline<Name##Attr, Name##Fields>(parser);                    \
  }                                                                            \
  void Name##Attr::print(AsmPrinter &printer) const {                          \
    printPipeline(printer, getFields());                                       \
  }                                                                            \
  LogicalResult Name##Attr::verify(                                            \
      function_ref<InFlightDiagnostic()> emitError, Name##Fields fields) {     \
    return verifyRanges(emitError, fields);                                    \
  }
SPARSEFLOW_PIPELINE(Multistage)
SPARSEFLOW_PIPELINE(WarpSpecialized)
SPARSEFLOW_PIPELINE(Streamed)
SPARSEFLOW_PIPELINE(MultistageAttention)
SPARSEFLOW_PIPELINE(WarpSpecializedAttention)
SPARSEFLOW_PIPELINE(Int8Attention)
#undef SPARSEFLOW_PIPELINE

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

Attribute ScheduleAttr::parse(AsmParser &parser, Type) {
  return parseSchedule<ScheduleAttr, MatmulTileFields>(parser);
}

void ScheduleAttr::print(AsmPrinter &printer) const {
  printSchedule(printer, *this);
}

std::optional<MultistageFields> ScheduleAttr::getMultistage() const {
  return fieldsOf<MultistageAttr>(getPipeline());
}

std::optional<WarpSpecializedFields> ScheduleAttr::getWarpSpecialized() const {
  return fieldsOf<WarpSpecializedAttr>(getPipeline());
}

std::optional<StreamedFields> ScheduleAttr::getStreamed() const {
  return fieldsOf<StreamedAttr>(getPipeline());
}

int64_t ScheduleAttr::getK() const {
  return TypeSwitch<Attribute, int64_t>(getPipeline())
      .Case<MultistageAttr, WarpSpecializedAttr, StreamedAttr>(
          [](auto pipeline) { return pipeline.getFields().k; })
      .Default([](Attribute) { return int64_t(0); });
}

int64_t ScheduleAttr::getStages() const {
  return TypeSwitch<Attribute, int64_t>(getPipeline())
      .Case<MultistageAttr, WarpSpecializedAttr, StreamedAttr>(
          [](auto pipeline) { return pipeline.getFields().stages; })
      .Default([](Attribute) { return int64_t(0); });
}

ScheduleAttr ScheduleAttr::withStages(int64_t stages) const {
  Attribute pipeline =
      TypeSwitch<Attribute, Attribute>(getPipeline())
          .Case<MultistageAttr, WarpSpecializedAttr, StreamedAttr>(
              [&](auto pipeline) {
                auto fields = pipeline.getFields();
                fields.stages = stages;
                return pipeline.get(getContext(), fields);
              })
          .Default(Attribute());
  return get(getContext(), getName(), getTile(), pipeline);
}

bool ScheduleAttr::getWarpgroup() const {
  auto multistage = getMultistage();
  return multistage ? multistage->warpgroup : getWarpSpecialized().has_value();
}

int64_t ScheduleAttr::getProducerWarps() const {
  auto fields = getWarpSpecialized();
  return fields ? fields->producerWarps : 0;
}

int64_t ScheduleAttr::getProducerRegisters() const {
  auto fields = getWarpSpecialized();
  return fields ? fields->producerRegisters : 0;
}

int64_t ScheduleAttr::getCluster() const {
  return getWarpSpecialized().value_or(WarpSpecializedFields()).cluster;
}

int64_t ScheduleAttr::getGrid() const {
  return getWarpSpecialized().value_or(WarpSpecializedFields()).grid;
}

int64_t ScheduleAttr::getStreamK() const {
  return getWarpSpecialized().value_or(WarpSpecializedFields()).streamK;
}

int64_t ScheduleAttr::getStoreTokens() const {
  return getWarpSpecialized().value_or(WarpSpecializedFields()).storeTokens;
}

int64_t ScheduleAttr::getStoreBuffers() const {
  return getWarpSpecialized().value_or(WarpSpecializedFields()).storeBuffers;
}

int64_t ScheduleAttr::getKWarps() const {
  if (auto streamed = getStreamed())
    return streamed->kWarps;
  if (auto specialized = getWarpSpecialized())
    return specialized->kWarps;
  return getMultistage().value_or(MultistageFields()).kWarps;
}

bool ScheduleAttr::getHeld() const {
  return getMultistage().value_or(MultistageFields()).holdsActivations ||
         getStreamed().value_or(StreamedFields()).holdsActivations ||
         getWarpSpecialized()
             .value_or(WarpSpecializedFields())
             .holdsActivations;
}

// Of a stage that warps divide along K, the least that each has.
static constexpr int64_t kColumns = 64;

/// What the tile and a multistage pipeline must be together.
static LogicalResult verifyMultistage(function_ref<InFlightDiagnostic()> error,
                                      const MatmulTileFields &tile,
                                      const MultistageFields &pipeline) {
  int64_t warps = tile.block[0] / tile.warp[0] *
                  (tile.block[1] / tile.warp[1]) * pipeline.kWarps;
  if (pipeline.kWarps > 1 &&
      (pipeline.warpgroup || pipeline.k % (kColumns * pipeline.kWarps)))
    return error() << "expected k as a multiple of " << kColumns
                   << " columns for each of the k_warps and no warpgroup where "
                      "several warps share a part of the result, found "
                   << pipeline.kWarps << " k_warps and k = " << pipeline.k;
  if (pipeline.holdsActivations && (tile.maxTokens != 1 || pipeline.warpgroup ||
                                    !llvm::isPowerOf2_64(warps)))
    return error() << "expected max_tokens = 1, a power of two of warps and no "
                      "warpgroup with holds_activations where every warp "
                      "copies, found "
                   << tile.maxTokens << " and " << warps << " warps";
  if (!pipeline.warpgroup)
    return success();
  if (tile.warp[0] != 16 || tile.warp[1] > 256 ||
      (pipeline.k != 64 && pipeline.k != 128))
    return error()
           << "expected warps of 16 features and at most 256 tokens, "
              "and k = 64 (128 if weights are ternary), where the warps "
              "that multiply together copy too, found "
           << tile.warp[0] << " x " << tile.warp[1]
           << " and k = " << pipeline.k;
  return success();
}

/// The same of producer and consumer warps.
static LogicalResult
verifyWarpSpecialized(function_ref<InFlightDiagnostic()> error,
                      const MatmulTileFields &tile,
                      const WarpSpecializedFields &pipeline) {
  const auto &[block, warp, splitK, group, maxTokens] = tile;
  int64_t consumers = block[0] / warp[0] * (block[1] / warp[1]);
  if (consumers % 4 || block[1] != warp[1] || warp[1] > 256)
    return error() << "expected consumer warps that each see all tokens of the "
                      "block, at most 256, four by four; found "
                   << consumers << " of " << warp[0] << " x " << warp[1];
  consumers *= pipeline.kWarps;
  if (!llvm::isPowerOf2_64(pipeline.k))
    return error() << "expected k = 64, 128 or 256, found " << pipeline.k;
  // Two warpgroups that multiply may have 232 registers a thread, three 160,
  // and four 112: enough for a few tokens that they quantize together.
  int64_t accumulators = warp[0] / 16 * warp[1] / 2;
  int64_t mostWarps = pipeline.holdsActivations ? 16 : 12;
  int64_t most = consumers > 12 ? 32 : consumers > 8 ? 112 : 192;
  if (consumers > mostWarps || accumulators > most)
    return error() << "expected at most " << mostWarps << " consumer warps and "
                   << most << " accumulators a thread for " << consumers
                   << " of them, found " << accumulators;
  if (block[1] % (8 * pipeline.cluster))
    return error() << "expected a cluster of blocks that share the block's "
                      "tokens in groups of 8, found "
                   << pipeline.cluster;
  if (pipeline.grid % pipeline.cluster)
    return error() << "expected grid as a multiple of the cluster's "
                   << pipeline.cluster << " blocks, found " << pipeline.grid;
  if (splitK > 8 || !llvm::isPowerOf2_64(splitK) ||
      (splitK > 1 && (pipeline.cluster != 1 || pipeline.grid != 0 ||
                      block[1] % (8 * splitK))))
    return error()
           << "expected split_k of 1, 2, 4 or 8 with producer warps, and "
              "if it is more than 1 cluster = 1, grid = 0 and a multiple of 8 "
              "tokens for each part, found "
           << splitK;
  if (pipeline.holdsActivations &&
      (pipeline.cluster != 1 || splitK != 1 || !pipeline.grid))
    return error() << "expected cluster = 1, split_k = 1 and a grid with "
                      "holds_activations and producer warps, found "
                   << pipeline.cluster << ", " << splitK << " and "
                   << pipeline.grid;
  if (pipeline.streamK &&
      (pipeline.streamK >= pipeline.grid / pipeline.cluster || splitK != 1 ||
       pipeline.kWarps != 1 || pipeline.holdsActivations))
    return error() << "expected stream_k less than the "
                   << pipeline.grid / pipeline.cluster
                   << " blocks or clusters of grid, split_k = 1, k_warps = 1 "
                      "and no holds_activations with stream_k, found "
                   << pipeline.streamK << ", " << splitK << " and "
                   << pipeline.kWarps;
  int64_t parts = splitK * pipeline.kWarps;
  // A warpgroup releases the stages of a turn when it has its next one.
  if (pipeline.kWarps > 1 &&
      (pipeline.cluster > 1 || pipeline.holdsActivations ||
       pipeline.stages < 2 * pipeline.kWarps || block[1] % (8 * parts)))
    return error() << "expected cluster = 1, no holds_activations, at least "
                   << 2 * pipeline.kWarps
                   << " stages and a multiple of 8 tokens for each part of "
                      "split_k and of "
                   << pipeline.kWarps << " k_warps with producer warps, found "
                   << pipeline.cluster << ", " << pipeline.stages
                   << " stages and " << block[1] << " tokens";
  if (block[1] / parts % pipeline.storeTokens)
    return error() << "expected store_tokens that divide the block's tokens, "
                      "found "
                   << pipeline.storeTokens;
  if (int64_t boxes = block[1] / parts / pipeline.storeTokens;
      boxes % pipeline.storeBuffers)
    return error() << "expected store_buffers that divide the " << boxes
                   << " boxes of a block, found " << pipeline.storeBuffers;
  return success();
}

/// The same of warps that stream their own weights.
static LogicalResult verifyStreamed(function_ref<InFlightDiagnostic()> error,
                                    const MatmulTileFields &tile,
                                    const StreamedFields &pipeline) {
  const auto &[block, warp, splitK, group, maxTokens] = tile;
  if (splitK > 8 || !llvm::isPowerOf2_64(splitK))
    return error() << "expected split_k of 1, 2, 4 or 8 where warps stream "
                      "their weights, found "
                   << splitK;
  if (!llvm::is_contained({16, 32, 64}, warp[0]) || warp[1] != block[1] ||
      block[1] > 64)
    return error() << "expected warps of 16, 32 or 64 features and all 8 to 64 "
                      "tokens of the block where they stream their weights, "
                      "found "
                   << warp[0] << " x " << warp[1];
  if (block[0] % 64 && 64 % block[0])
    return error() << "expected a block of a multiple or a half or a quarter "
                      "of 64 features, the unit of packed weights, found "
                   << block[0];
  if (!pipeline.holdsActivations && block[0] > warp[0] && pipeline.kWarps > 15)
    return error() << "expected at most 15 k_warps where several warps share "
                      "activations, because a block has 16 barriers, found "
                   << pipeline.kWarps;
  if (pipeline.holdsActivations &&
      (maxTokens < 1 || (maxTokens > 8 && block[1] > 8)))
    return error() << "expected max_tokens of at least 1 with "
                      "holds_activations, and blocks of 8 tokens where it is "
                      "more than 8, found "
                   << maxTokens << " and blocks of " << block[1];
  return success();
}

LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   StringRef name, MatmulTileFields tile,
                                   Attribute pipeline) {
  auto error = [&]() { return emitError() << "schedule \"" << name << "\": "; };
  if (failed(verifyRanges(error, tile)))
    return failure();
  const auto &[block, warp, splitK, group, maxTokens] = tile;
  if (warp[0] <= 0 || warp[1] <= 0 || warp[0] % 16 || warp[1] % 8)
    return error() << "expected a warp of a multiple of 16 features and of 8 "
                      "tokens, the sizes of an instruction, found "
                   << warp[0] << " x " << warp[1];
  if (block[0] <= 0 || block[1] <= 0 || block[0] % warp[0] ||
      block[1] % warp[1])
    return error() << "expected a block that is a multiple of the warp's "
                   << warp[0] << " x " << warp[1] << ", found " << block[0]
                   << " x " << block[1];
  auto streamed = fieldsOf<StreamedAttr>(pipeline);
  auto specialized = fieldsOf<WarpSpecializedAttr>(pipeline);
  auto multistage = fieldsOf<MultistageAttr>(pipeline);
  if (pipeline && !streamed && !specialized && !multistage)
    return error() << "expected a pipeline of multistage, warp_specialized or "
                      "streamed, found "
                   << pipeline;
  int64_t warps = block[0] / warp[0] * (block[1] / warp[1]) *
                      (streamed      ? streamed->kWarps
                       : multistage  ? multistage->kWarps
                       : specialized ? specialized->kWarps
                                     : 1) +
                  (specialized ? specialized->producerWarps : 0);
  if (warps > 32)
    return error() << "expected at most 32 warps in a block, found " << warps
                   << "; enlarge the warp's part or reduce the block's";
  if (block[0] % 64 && specialized)
    return error() << "expected a block of a multiple of 64 features where "
                      "producer warps copy, found "
                   << block[0];
  if (streamed)
    return verifyStreamed(error, tile, *streamed);
  if (specialized)
    return verifyWarpSpecialized(error, tile, *specialized);
  return multistage ? verifyMultistage(error, tile, *multistage) : success();
}
