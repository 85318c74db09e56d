//===- Schedules.cpp - Schedules and their pipelines ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text and verification of schedules. Fields are parsed, printed and held to
// their ranges as ScheduleFields.cpp describes them; here stands what several
// fields must be together.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::sftile;

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

static ParseResult parseValue(AsmParser &parser, int64_t &value) {
  return parser.parseInteger(value);
}

static ParseResult parseValue(AsmParser &parser, bool &value) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  value = keyword == "true";
  if (!value && keyword != "false")
    return parser.emitError(loc, "expected true or false, found '")
           << keyword << "'";
  return success();
}

static ParseResult parseValue(AsmParser &parser, Extent &value) {
  return failure(parser.parseLSquare() || parser.parseInteger(value[0]) ||
                 parser.parseComma() || parser.parseInteger(value[1]) ||
                 parser.parseRSquare());
}

static void printValue(AsmPrinter &printer, int64_t value) { printer << value; }

static void printValue(AsmPrinter &printer, bool value) {
  printer << (value ? "true" : "false");
}

static void printValue(AsmPrinter &printer, const Extent &value) {
  printer << "[" << value[0] << ", " << value[1] << "]";
}

/// Parses `name = value` for fields of `value`, separated by commas, up to and
/// with `>`. In front of the first a comma, if `afterComma`. Another name is
/// `other`'s, which says whether it knows it and fails as parsers do.
template <typename T>
static ParseResult parseFields(
    AsmParser &parser, T &value, bool afterComma = false,
    function_ref<OptionalParseResult(StringRef)> other = [](StringRef) {
      return OptionalParseResult();
    }) {
  SmallVector<StringRef> seen;
  auto parseOne = [&]() -> ParseResult {
    StringRef name;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    if (llvm::is_contained(seen, name))
      return parser.emitError(loc, "expected '") << name << "' once, found it "
                                                 << "again";
    seen.push_back(name);
    OptionalParseResult known = other(name);
    if (known.has_value())
      return *known;
    ParseResult parsed = failure();
    bool found = false;
    forEachField(value, [&](const auto &field, auto &member) {
      if (field.name == name) {
        found = true;
        parsed = parseValue(parser, member);
      }
    });
    if (found)
      return parsed;
    return parser.emitError(loc, "expected one of the fields ")
           << llvm::join(llvm::map_range(T::fields(),
                                         [](const auto &field) {
                                           return field.name.str();
                                         }),
                         ", ")
           << ", found '" << name << "'";
  };
  SMLoc loc = parser.getCurrentLocation();
  if (afterComma && parser.parseComma())
    return failure();
  if (parser.parseCommaSeparatedList(parseOne) || parser.parseGreater())
    return failure();
  for (const ScheduleField<T> &field : T::fields())
    if (field.required && !llvm::is_contained(seen, field.name))
      return parser.emitError(loc, "expected a value for ") << field.name;
  return success();
}

/// Prints the fields that are required or have not their default, each behind
/// `separator`, which is a comma from then on.
template <typename T>
static void printFields(AsmPrinter &printer, const T &value,
                        StringRef separator) {
  const T usual{};
  for (const ScheduleField<T> &field : T::fields())
    std::visit(
        [&](auto member) {
          if (!field.required && value.*member == usual.*member)
            return;
          printer << separator << field.name << " = ";
          printValue(printer, value.*member);
          separator = ", ";
        },
        field.member);
}

/// Holds the integers of `value` to their ranges.
template <typename T>
static LogicalResult verifyRanges(function_ref<InFlightDiagnostic()> emitError,
                                  const T &value) {
  LogicalResult result = success();
  forEachField(value, [&](const auto &field, const auto &member) {
    if constexpr (std::is_same_v<decltype(member), const int64_t &>)
      if (succeeded(result) && !isInRange(field, member))
        result = emitError() << "expected " << field.name << " to be "
                             << describeRange(field) << ", found " << member;
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

template <typename PipelineAttr, typename T>
static Attribute parsePipeline(AsmParser &parser) {
  T fields;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseFields(parser, fields))
    return {};
  return parser.getChecked<PipelineAttr>(loc, parser.getContext(), fields);
}

template <typename T>
static void printPipeline(AsmPrinter &printer, const T &fields) {
  printer << "<";
  printFields(printer, fields, "");
  printer << ">";
}

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

template <typename PipelineAttr>
static auto fieldsOf(Attribute pipeline) {
  auto attr = dyn_cast_or_null<PipelineAttr>(pipeline);
  return attr ? std::optional(attr.getFields()) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

/// `<"name", field = value, ..., pipeline = #...>`.
template <typename ScheduleType, typename T>
static Attribute parseSchedule(AsmParser &parser) {
  std::string name;
  T tile;
  Attribute pipeline;
  SMLoc loc = parser.getCurrentLocation();
  auto parseOther = [&](StringRef field) -> OptionalParseResult {
    if (field != "pipeline")
      return std::nullopt;
    return parser.parseAttribute(pipeline);
  };
  if (parser.parseLess() || parser.parseString(&name) ||
      parseFields(parser, tile, /*afterComma=*/true, parseOther))
    return {};
  return parser.getChecked<ScheduleType>(loc, parser.getContext(),
                                         StringRef(name), tile, pipeline);
}

template <typename ScheduleType>
static void printSchedule(AsmPrinter &printer, ScheduleType schedule) {
  printer << "<";
  printer.printString(schedule.getName());
  printFields(printer, schedule.getTile(), ", ");
  if (schedule.getPipeline())
    printer << ", pipeline = " << schedule.getPipeline();
  printer << ">";
}

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

int64_t ScheduleAttr::getStoreTokens() const {
  return getWarpSpecialized().value_or(WarpSpecializedFields()).storeTokens;
}

int64_t ScheduleAttr::getStoreBuffers() const {
  return getWarpSpecialized().value_or(WarpSpecializedFields()).storeBuffers;
}

int64_t ScheduleAttr::getKWarps() const {
  return getStreamed().value_or(StreamedFields()).kWarps;
}

bool ScheduleAttr::getHeld() const {
  return getStreamed().value_or(StreamedFields()).holdsActivations;
}

/// What the tile and a multistage pipeline must be together.
static LogicalResult verifyMultistage(function_ref<InFlightDiagnostic()> error,
                                      const MatmulTileFields &tile,
                                      const MultistageFields &pipeline) {
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
  if (!llvm::isPowerOf2_64(pipeline.k))
    return error() << "expected k = 64, 128 or 256, found " << pipeline.k;
  // Two warpgroups that multiply may have 232 registers a thread, three 160.
  int64_t accumulators = warp[0] / 16 * warp[1] / 2;
  int64_t most = consumers > 8 ? 112 : 192;
  if (consumers > 12 || accumulators > most)
    return error() << "expected at most 12 consumer warps and " << most
                   << " accumulators a thread for " << consumers
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
  if (block[1] / splitK % pipeline.storeTokens)
    return error() << "expected store_tokens that divide the block's tokens, "
                      "found "
                   << pipeline.storeTokens;
  if (int64_t boxes = block[1] / splitK / pipeline.storeTokens;
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
  bool pairs = pipeline.k == 256;
  if (splitK > 8 || !llvm::isPowerOf2_64(splitK))
    return error() << "expected split_k of 1, 2, 4 or 8 where warps stream "
                      "their weights, found "
                   << splitK;
  if (!llvm::is_contained({16, 32, 64}, warp[0]) || warp[1] != block[1] ||
      block[1] > (pairs ? 64 : 16))
    return error() << "expected warps of 16, 32 or 64 features and all 8 or 16 "
                      "tokens (8 to 64 with k = 256) of the block where they "
                      "stream their weights, found "
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
                      (streamed ? streamed->kWarps : 1) +
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

//===----------------------------------------------------------------------===//
// Schedules of attention
//===----------------------------------------------------------------------===//

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

bool AttentionScheduleAttr::getTurns() const {
  auto fields = getWarpSpecialized();
  return fields && fields->pingPong;
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
  if (pipeline.cluster != 1 && shared)
    return error() << "expected a cluster of 1 block where heads are packed, "
                      "or keys or features divided, found "
                   << pipeline.cluster;
  if (pipeline.grid % pipeline.cluster)
    return error() << "expected grid as a multiple of the cluster's "
                   << pipeline.cluster << " blocks, found " << pipeline.grid;
  return success();
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
  if (tile.packed && tile.maxQueries != 1)
    return error() << "expected max_queries = 1 where heads are packed, found "
                   << tile.maxQueries;
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
    return success();
  }
  if (isa_and_nonnull<Int8AttentionAttr>(pipeline)) {
    if (!tile.packed || tile.queries != 16)
      return error() << "expected packed heads of 16 queries for int8 MMAs, "
                        "found "
                     << tile.queries << " queries";
    return success();
  }
  if (auto specialized = fieldsOf<WarpSpecializedAttentionAttr>(pipeline))
    return verifyWarpSpecialized(error, tile, *specialized);
  return error() << "expected a pipeline of multistage_attention, "
                    "warp_specialized_attention or int8_attention, found "
                 << pipeline;
}
