//===- ScheduleTable.cpp - Sizes of kernels, from a data file -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Schedule/ScheduleTable.h"
#include "RowReader.h"
#include "SparseFlow/System/Files.h"
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
    RowReader reader(*object, where);
    ScheduleRow row;
    row.name = reader.text("name");
    reader.where += " (" + row.name + ")";
    row.op = reader.text("op");
    if (row.op == "attention") {
      AttentionRow read = readAttention(reader);
      if (!reader.problem.empty())
        return error(reader.problem);
      table.attention.push_back(std::move(read));
      continue;
    }
    if (row.op != "matmul" && row.op != "elementwise" && row.op != "reduce")
      reader.fail("op",
                  "\"matmul\", \"attention\", \"elementwise\" or \"reduce\"");
    row.targets = reader.names("targets");
    row.maxTokens = reader.integerOr("max_tokens", 0, 0);
    row.block = reader.pair("block");
    row.warp = reader.pair("warp");
    if (row.op == "matmul") {
      row.weights = reader.text("weights");
      if (!llvm::is_contained(weightKinds(), StringRef(row.weights)))
        reader.fail("weights",
                    "one of \"" + llvm::join(weightKinds(), "\", \"") + "\"");
      row.unaligned = reader.flag("unaligned");
      row.warpgroup = reader.flag("warpgroup");
      row.minN = reader.integerOr("min_n", 0, row.minN);
      row.maxN = reader.integerOr("max_n", 0, row.maxN);
      row.minK = reader.integerOr("min_k", 0, row.minK);
      row.maxK = reader.integerOr("max_k", 0, row.maxK);
      row.maxOperands = reader.integerOr("max_operands", 0, row.maxOperands);
      row.k = reader.integer("k", 1);
      row.stages = reader.integer("stages", 2);
      row.group = reader.integer("group", 1);
      if (const llvm::json::Object *split = object->getObject("split_k")) {
        RowReader splitReader(*split, reader.where + ": split_k");
        row.splitBlocks = splitReader.integer("blocks", 1);
        row.splitMinDepth = splitReader.integer("min_depth", 1);
        splitReader.only({"blocks", "min_depth"});
        if (!splitReader.problem.empty())
          return error(splitReader.problem);
      } else {
        row.splitK = reader.integer("split_k", 1);
      }
      row.producerWarps = reader.integerOr("producer_warps", 0, 0);
      row.cluster = reader.integerOr("cluster", 1, 1);
      row.grid = reader.integerOr("grid", 0, 0);
      row.storeTokens = reader.integerOr("store_tokens", 16, row.storeTokens);
      row.storeBuffers = reader.integerOr("store_buffers", 1, 1);
      row.depthWarps = reader.integerOr("depth_warps", 0, 0);
      row.held = reader.flag("held");
      row.exactScales = reader.flag("exact_scales");
      reader.only({"name",
                   "op",
                   "weights",
                   "targets",
                   "unaligned",
                   "max_tokens",
                   "min_n",
                   "max_n",
                   "min_k",
                   "max_k",
                   "max_operands",
                   "block",
                   "warp",
                   "warpgroup",
                   "k",
                   "stages",
                   "group",
                   "split_k",
                   "producer_warps",
                   "cluster",
                   "grid",
                   "store_tokens",
                   "store_buffers",
                   "depth_warps",
                   "held",
                   "exact_scales"});
    } else {
      reader.only({"name", "op", "targets", "max_tokens", "block", "warp"});
    }
    if (!reader.problem.empty())
      return error(reader.problem);
    row.fields = *object;
    table.list.push_back(std::move(row));
  }
  return table;
}

// The built-in table has less than a megabyte.
static constexpr uint64_t kMaxTableBytes = uint64_t(64) << 20;

llvm::Expected<ScheduleTable> ScheduleTable::load(StringRef path) {
  llvm::Expected<std::string> text = readRegularFile(path, kMaxTableBytes);
  if (!text)
    return llvm::createStringError("the schedule file: " +
                                   llvm::toString(text.takeError()));
  return parse(*text, path);
}

StringRef ScheduleTable::builtinText() { return kBuiltinTable; }

const ScheduleTable &ScheduleTable::builtin() {
  static const ScheduleTable table = [] {
    llvm::Expected<ScheduleTable> parsed =
        parse(kBuiltinTable, "the built-in schedule table");
    if (!parsed)
      llvm::report_fatal_error(parsed.takeError());
    return std::move(*parsed);
  }();
  return table;
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

/// Parts of the depth for `row`: as given, or as many as fill the machine when
/// the most tokens of the class are computed.
static int64_t splitFor(const ScheduleRow &row, const ScheduleQuery &query) {
  if (!row.splitBlocks) {
    // Blocks of a cluster take equal parts of the depth, or, of ternary
    // weights, the last one a shorter part.
    int64_t stages = llvm::divideCeil(query.k, row.k);
    bool ternary = StringRef(row.weights).starts_with("ternary");
    int64_t part = llvm::divideCeil(stages, row.splitK);
    bool fits =
        ternary ? (row.splitK - 1) * part < stages : stages % row.splitK == 0;
    return (row.producerWarps || row.warpgroup) && !fits ? 1 : row.splitK;
  }
  int64_t tokens = query.tokens.value_or(row.maxTokens);
  int64_t tiles = llvm::divideCeil(query.n, row.block[0]) *
                  llvm::divideCeil(std::max<int64_t>(tokens, 1), row.block[1]);
  int64_t wanted =
      llvm::divideCeil(row.splitBlocks, std::max<int64_t>(tiles, 1));
  int64_t most = std::max<int64_t>(1, query.k / row.splitMinDepth);
  // Blocks of a cluster are a power of two.
  if (row.depthWarps)
    return llvm::bit_floor(static_cast<uint64_t>(
        std::clamp<int64_t>(wanted, 1, std::min<int64_t>(most, 8))));
  return std::clamp<int64_t>(wanted, 1, most);
}

SmallVector<const ScheduleRow *>
ScheduleTable::rowsFor(const ScheduleQuery &query) const {
  SmallVector<const ScheduleRow *> fitting;
  for (const ScheduleRow &row : list) {
    if (row.op != query.op || !llvm::is_contained(row.targets, query.target) ||
        llvm::is_contained(query.avoid, row.name))
      continue;
    // Rows for few tokens have registers to spare for narrow accesses too, but
    // bulk copies know none.
    bool accesses = row.unaligned == query.unaligned ||
                    (query.unaligned && row.maxTokens && !row.producerWarps);
    if (row.op == "matmul" &&
        (row.weights != query.weights || !accesses || query.n < row.minN ||
         query.n > row.maxN || query.k < row.minK || query.k > row.maxK ||
         query.operands > row.maxOperands))
      continue;
    // Kernels of warps that copy their own weights read whole chunks of 16
    // bytes; what was quantised before has them.
    if (row.depthWarps && !query.wholeRows &&
        (row.held || row.weights == "ternary" ||
         row.weights == "ternary_groups"))
      continue;
    if (row.exactScales && !query.exactScales)
      continue;
    // A class that cannot hold the known number of tokens is of no use.
    if (query.tokens && row.maxTokens && *query.tokens > row.maxTokens)
      continue;
    fitting.push_back(&row);
  }
  // No limit sorts last; rows of one class keep the order of the file.
  auto limit = [](const ScheduleRow *row) {
    return row->maxTokens ? row->maxTokens : INT64_MAX;
  };
  llvm::stable_sort(fitting, [&](const ScheduleRow *a, const ScheduleRow *b) {
    return limit(a) < limit(b);
  });
  SmallVector<const ScheduleRow *> first;
  for (const ScheduleRow *row : fitting)
    if (first.empty() || limit(row) != limit(first.back()))
      first.push_back(row);
  // A known number of tokens has one class.
  if (query.tokens && !first.empty())
    first.truncate(1);
  return first;
}

SmallVector<sftile::ScheduleAttr>
ScheduleTable::select(MLIRContext *context, const ScheduleQuery &query,
                      function_ref<InFlightDiagnostic()> emitError) const {
  SmallVector<sftile::ScheduleAttr> result;
  for (const ScheduleRow *row : rowsFor(query)) {
    // Elementwise kernels have neither depth nor ring; the attribute has both.
    bool matmul = row->op == "matmul";
    auto schedule = sftile::ScheduleAttr::getChecked(
        emitError, context, StringRef(row->name), ArrayRef<int64_t>(row->block),
        ArrayRef<int64_t>(row->warp), matmul ? row->k : 64,
        matmul ? row->stages : 2, matmul ? splitFor(*row, query) : 1,
        row->group, row->maxTokens, row->warpgroup, row->producerWarps,
        row->cluster, row->grid, row->storeTokens, row->storeBuffers,
        row->depthWarps, row->held);
    if (!schedule)
      return {};
    result.push_back(schedule);
  }
  return result;
}
