//===- ScheduleTable.cpp - Sizes of kernels, from a data file -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"
#include "SparseFlow/System/JsonData.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::sparseflow;

static const char kBuiltinTable[] =
#include "schedules.json.inc"
    ;

ArrayRef<StringRef> mlir::sparseflow::weightKinds() {
  static constexpr StringRef kinds[] = {
      "2:4",        "dense",          "ternary",
      "ternary_i8", "ternary_groups", "ternary_groups_i8",
      "ternary24",  "ternary24_i8",   "ternary24_groups"};
  return kinds;
}

StringRef mlir::sparseflow::ternaryKind(bool pairs, bool grouped,
                                        bool integer) {
  if (pairs && grouped)
    return "ternary24_groups";
  if (pairs)
    return integer ? "ternary24_i8" : "ternary24";
  if (grouped)
    return integer ? "ternary_groups_i8" : "ternary_groups";
  return integer ? "ternary_i8" : "ternary";
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

llvm::Expected<ScheduleTable> ScheduleTable::parse(StringRef text,
                                                   StringRef origin) {
  auto error = [&](const Twine &message) {
    return llvm::createStringError(origin + ": " + message);
  };
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(text);
  if (!json)
    return error("not JSON: " + llvm::toString(json.takeError()));
  const llvm::json::Object *root = json->getAsObject();
  if (!root || root->getString("format") != StringRef("sparseflow-schedules"))
    return error(
        "expected an object with \"format\": \"sparseflow-schedules\"");
  if (root->getInteger("version") != int64_t(1))
    return error("expected \"version\": 1, the only one this compiler reads");
  const llvm::json::Array *rows = root->getArray("rows");
  if (!rows)
    return error("expected \"rows\", a list");

  ScheduleTable table;
  for (auto [index, value] : llvm::enumerate(*rows)) {
    const llvm::json::Object *object = value.getAsObject();
    std::string where = "row " + std::to_string(index);
    if (!object)
      return error(where + ": expected an object");
    std::optional<llvm::json::Object> renewed = withPipeline(*object);
    if (renewed) {
      object = &*renewed;
      if (table.obsolete.empty())
        table.obsolete =
            (origin + ": " + where + " (" +
             object->getString("name").value_or("") +
             "): rows without \"pipeline\" are read by this version for the "
             "last time; write them as docs/formats/schedules.md says")
                .str();
    }
    if (object->getString("op") == StringRef("attention")) {
      llvm::Expected<AttentionRow> row = AttentionRow::parse(*object, where);
      if (!row)
        return error(llvm::toString(row.takeError()));
      table.attention.push_back(std::move(*row));
      continue;
    }
    llvm::Expected<ScheduleRow> row = ScheduleRow::parse(*object, where);
    if (!row)
      return error(llvm::toString(row.takeError()));
    table.list.push_back(std::move(*row));
  }
  const llvm::json::Array *families = root->getArray("families");
  if (!families && root->get("families"))
    return error("expected \"families\" to be a list");
  for (size_t i = 0; families && i < families->size(); ++i) {
    const llvm::json::Object *object = (*families)[i].getAsObject();
    std::string where = "family " + std::to_string(i);
    if (!object)
      return error(where + ": expected an object");
    llvm::Expected<ScheduleFamily> family =
        ScheduleFamily::parse(*object, where);
    if (!family)
      return error(llvm::toString(family.takeError()));
    table.described.push_back(std::move(*family));
  }
  return table;
}

// The built-in table has less than a megabyte.
static constexpr uint64_t kMaxTableBytes = uint64_t(64) << 20;

llvm::Expected<ScheduleTable> ScheduleTable::load(StringRef path) {
  return loadData<ScheduleTable>(path, "the schedule file", kMaxTableBytes);
}

StringRef ScheduleTable::builtinText() { return kBuiltinTable; }

const ScheduleTable &ScheduleTable::builtin() {
  static const ScheduleTable table =
      parseBuiltin<ScheduleTable>(kBuiltinTable, "the built-in schedule table");
  return table;
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

int64_t mlir::sparseflow::splitFor(const ScheduleRow &row,
                                   const ScheduleQuery &query) {
  const MatmulSizes &sizes = row.sizes;
  const sftile::MatmulTileFields &tile = sizes.tile;
  if (!sizes.split) {
    // Of a cluster's blocks the last one takes a shorter part of K, of ternary
    // weights; of others the first ones a stage more.
    int64_t stages = llvm::divideCeil(query.k, sizes.k());
    bool ternary = StringRef(row.weights).starts_with("ternary");
    int64_t part = llvm::divideCeil(stages, tile.splitK);
    bool fits = ternary ? (tile.splitK - 1) * part < stages
                        : int64_t(tile.splitK) <= stages;
    const auto *multistage = sizes.as<sftile::MultistageFields>();
    bool isWarpgroup = sizes.as<sftile::WarpSpecializedFields>() ||
                       (multistage && multistage->warpgroup);
    return isWarpgroup && !fits ? 1 : tile.splitK;
  }
  int64_t tokens = query.tokens.value_or(tile.maxTokens);
  int64_t tiles = llvm::divideCeil(query.n, tile.block[0]) *
                  llvm::divideCeil(std::max<int64_t>(tokens, 1), tile.block[1]);
  int64_t wanted =
      llvm::divideCeil(sizes.split->blocks, std::max<int64_t>(tiles, 1));
  int64_t most = std::max<int64_t>(1, query.k / sizes.split->minK);
  // Blocks of a cluster are a power of two.
  if (sizes.as<sftile::StreamedFields>())
    return llvm::bit_floor(static_cast<uint64_t>(
        std::clamp<int64_t>(wanted, 1, std::min<int64_t>(most, 8))));
  return std::clamp<int64_t>(wanted, 1, most);
}

/// No limit sorts last.
static int64_t mostTokens(const ScheduleRow *row) {
  int64_t tokens = row->sizes.tile.maxTokens;
  return tokens ? tokens : INT64_MAX;
}

/// Whether `features` are whole tiles of so many, or more than half of the
/// last.
static bool fillTiles(int64_t features, int64_t tile) {
  return tile == 0 || features % tile == 0 || features % tile * 2 > tile;
}

/// Scales of a row of the weight that multiply partial sums, in 128 columns.
static int64_t scalesInLoop(const ScheduleQuery &query) {
  constexpr int64_t kColumns = 128;
  if (!query.facts.scaleColumns || query.exactScales)
    return 0;
  return llvm::divideCeil(kColumns, query.facts.scaleColumns) *
         query.facts.planes;
}

bool mlir::sparseflow::admits(const MatmulLimits &limits,
                              const ScheduleQuery &query) {
  return query.n >= limits.minN && query.n <= limits.maxN &&
         query.k >= limits.minK && query.k <= limits.maxK &&
         query.operands <= limits.maxOperands &&
         query.fullOperands <= limits.maxFullOperands &&
         query.resultBits <= limits.maxResultBits &&
         query.facts.planes <= limits.maxPlanes &&
         scalesInLoop(query) <= limits.maxScales &&
         (!limits.exactScales || query.exactScales) &&
         (!limits.wholeResults || query.n % 8 == 0) &&
         (!limits.soleReader || query.holdable) &&
         fillTiles(query.n, limits.filledN);
}

/// Whether blocks compute the rows that they multiply, where all that reads
/// these does.
static bool computesRows(const ScheduleRow &row) {
  const auto *multistage = row.sizes.as<sftile::MultistageFields>();
  return multistage && multistage->holdsActivations;
}

bool mlir::sparseflow::canStream(const ScheduleRow &row,
                                 const ScheduleQuery &query) {
  if (const auto *specialized = row.sizes.as<sftile::WarpSpecializedFields>();
      specialized && specialized->holdsActivations)
    return query.wholeRows && query.holdable;
  if (computesRows(row))
    return query.wholeRows && query.holdable;
  const auto *streamed = row.sizes.as<sftile::StreamedFields>();
  if (!streamed)
    return true;
  // One token begins where chunks do; elements behind its last chunk are held
  // one by one.
  constexpr int64_t kChunkColumns = 8;
  if (streamed->holdsActivations && row.sizes.tile.maxTokens == 1 &&
      !query.integer && query.k >= kChunkColumns)
    return query.streamed;
  // Rows that are no whole chunks are copied to such where they are not held.
  return query.streamed && (query.wholeRows || !streamed->holdsActivations);
}

SmallVector<const ScheduleRow *>
ScheduleTable::allRowsFor(const ScheduleQuery &query) const {
  SmallVector<const ScheduleRow *> fitting;
  for (const ScheduleRow &row : list) {
    if (row.op != query.op || !llvm::is_contained(row.targets, query.target) ||
        llvm::is_contained(query.avoid, row.name))
      continue;
    // Rows for few tokens have registers to spare for narrow accesses too, but
    // bulk copies know none.
    const MatmulLimits &limits = row.limits;
    int64_t maxTokens = row.sizes.tile.maxTokens;
    bool accesses = limits.unaligned == query.unaligned ||
                    (query.unaligned && maxTokens &&
                     !row.sizes.as<sftile::WarpSpecializedFields>());
    if (row.op == "matmul" && (row.weights != query.weights || !accesses))
      continue;
    const auto *multistage = row.sizes.as<sftile::MultistageFields>();
    if (row.op == "product" && query.unaligned && multistage &&
        multistage->warpgroup)
      continue;
    if (!admits(limits, query))
      continue;
    if (!canStream(row, query))
      continue;
    // A class that cannot hold the known number of tokens is of no use.
    if (query.tokens && maxTokens && *query.tokens > maxTokens)
      continue;
    fitting.push_back(&row);
  }
  // Rows of one class keep the order of the file.
  llvm::stable_sort(fitting, [&](const ScheduleRow *a, const ScheduleRow *b) {
    return mostTokens(a) < mostTokens(b);
  });
  return fitting;
}

/// Whether the kernel of `row` is that of `next`, a class of more tokens: of a
/// streamed one that goes through tiles of tokens, how many there are at most
/// says nothing.
static bool hasKernelOf(const ScheduleRow &row, const ScheduleRow &next) {
  const auto *streamed = row.sizes.as<sftile::StreamedFields>();
  const auto *others = next.sizes.as<sftile::StreamedFields>();
  sftile::MatmulTileFields tile = row.sizes.tile;
  if (!streamed || !others || tile.maxTokens <= tile.block[1] ||
      row.sizes.split || next.sizes.split || !row.cases.empty() ||
      !next.cases.empty())
    return false;
  tile.maxTokens = next.sizes.tile.maxTokens;
  return *streamed == *others && tile == next.sizes.tile;
}

SmallVector<const ScheduleRow *>
ScheduleTable::rowsFor(const ScheduleQuery &query) const {
  SmallVector<const ScheduleRow *> first;
  for (const ScheduleRow *row : allRowsFor(query)) {
    if (!first.empty() && mostTokens(row) == mostTokens(first.back()))
      continue;
    // One kernel serves the tokens of both classes, which leaves room for one
    // more of those that the cost model chooses.
    if (!first.empty() && !query.tokens && hasKernelOf(*first.back(), *row))
      first.pop_back();
    first.push_back(row);
  }
  // A known number of tokens has one class, and one for rows that are stored
  // after all.
  if (query.tokens && !first.empty())
    first.truncate(
        std::min<size_t>(first.size(), computesRows(*first.front()) ? 2 : 1));
  return first;
}

static Attribute pipelineOf(MLIRContext *context, const MatmulSizes &sizes) {
  if (const auto *multistage = sizes.as<sftile::MultistageFields>())
    return sftile::MultistageAttr::get(context, *multistage);
  if (const auto *specialized = sizes.as<sftile::WarpSpecializedFields>())
    return sftile::WarpSpecializedAttr::get(context, *specialized);
  if (const auto *streamed = sizes.as<sftile::StreamedFields>())
    return sftile::StreamedAttr::get(context, *streamed);
  return {};
}

sftile::ScheduleAttr
mlir::sparseflow::scheduleOf(MLIRContext *context, StringRef name,
                             const MatmulSizes &sizes,
                             function_ref<InFlightDiagnostic()> emitError) {
  return sftile::ScheduleAttr::getChecked(emitError, context, name, sizes.tile,
                                          pipelineOf(context, sizes));
}

SmallVector<sftile::ScheduleAttr>
ScheduleTable::select(MLIRContext *context, const ScheduleQuery &query,
                      function_ref<InFlightDiagnostic()> emitError,
                      CaseListener taken) const {
  SmallVector<sftile::ScheduleAttr> result;
  for (const ScheduleRow *row : rowsFor(query)) {
    MatmulSizes sizes = sizesFor(*row, query.facts, row->sizes.k(), taken);
    if (row->op == "matmul")
      sizes.tile.splitK = splitFor(*row, query);
    auto schedule = scheduleOf(context, row->name, sizes, emitError);
    if (!schedule)
      return {};
    result.push_back(schedule);
  }
  return result;
}

// Registers of a thread that the sums of both weights of a gated product may
// take, of up to two consumer warpgroups and of three, whose threads have
// fewer.
static constexpr int64_t kSumsOfTwo = 128, kSumsOfThree = 64;
static constexpr int64_t kTwoWarpgroups = 8, kLanes = 32;

StringRef mlir::sparseflow::whyWarpgroupsApart(sftile::ScheduleAttr schedule) {
  if (!schedule.getProducerWarps())
    return "warpgroups have no producer";
  if (schedule.getHeld())
    return "blocks hold the activations of one weight";
  if (schedule.getKWarps() > 1)
    return "warpgroups that share a tile exchange the sums of one weight";
  if (schedule.getSplitK() > 1)
    return "the parts of split-K exchange the sums of one weight";
  if (schedule.getStreamK())
    return "a second kernel adds the sums of one weight's last wave";
  int64_t sums = 2 * schedule.getWarp()[0] * schedule.getWarp()[1] / kLanes;
  int64_t most = schedule.getNumConsumerWarps() > kTwoWarpgroups ? kSumsOfThree
                                                                 : kSumsOfTwo;
  return sums > most ? "accumulators of both weights take too many registers"
                     : "";
}
