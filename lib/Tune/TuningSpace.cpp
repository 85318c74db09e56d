//===- TuningSpace.cpp - The space of schedules, from a data file ---------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Tune/Candidates.h"

#include "SparseFlow/System/JsonData.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>
#include <set>

using namespace mlir;
using namespace mlir::sparseflow;
using llvm::json::Array;
using llvm::json::Object;

static const char kBuiltinSpace[] =
#include "tuning-space.json.inc"
    ;

// More combinations than anyone could mean.
static constexpr size_t kMaxCombinations = 100000;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static TuneMachine readMachine(const Object &object, std::string where,
                               std::string &problem) {
  JsonReader reader(object, std::move(where), problem);
  TuneMachine machine;
  machine.targets = reader.names("targets");
  machine.multiprocessors = int64_t(reader.number("multiprocessors"));
  machine.sharedBytes = int64_t(reader.number("shared_bytes"));
  machine.clockMHz = reader.number("clock_mhz");
  machine.memoryGBps = reader.number("memory_gbps");
  // Were constants of an older model.
  for (const char *unused : {"latency_ns", "launch_us"})
    if (object.get(unused))
      (void)reader.number(unused);
  reader.finish();
  return machine;
}

static TuneFamily readFamily(const Object &object, std::string where,
                             std::string &problem) {
  JsonReader reader(object, where, problem);
  TuneFamily family;
  family.name = reader.text("name");
  family.targets = reader.names("targets");
  if (object.get("weights"))
    family.weights = reader.names("weights");
  family.minTokens = reader.integerOr("min_tokens", 0);
  family.maxTokens = reader.integerOr("max_tokens", INT64_MAX);
  // Those of a table have all their fields.
  family.ofTable = object.getString("tiles") == StringRef("schedules");
  if (family.ofTable) {
    (void)reader.text("tiles");
  } else {
    if (const Object *row = reader.inner("row"))
      family.row = *row;
    if (!family.row.getObject("pipeline"))
      reader.fail("row",
                  "an object with the \"pipeline\" of a schedule table's "
                  "row");
    family.tiles = reader.objects("tiles");
  }
  size_t combinations = std::max<size_t>(family.tiles.size(), 1);
  // Sorted, because JSON objects have no order.
  std::map<std::string, std::vector<llvm::json::Value>> lists;
  static const Object none;
  const Object *vary = reader.inner("vary");
  for (const auto &entry : vary ? *vary : none) {
    const Array *values = entry.second.getAsArray();
    if (!values || values->empty())
      reader.fail("vary", "lists of values, none empty");
    else
      lists[StringRef(entry.first).str()] = {values->begin(), values->end()};
    combinations *= values ? std::max<size_t>(values->size(), 1) : 1;
  }
  if (combinations > kMaxCombinations)
    reader.fail("vary", "at most 100000 combinations with the tiles");
  family.vary = {lists.begin(), lists.end()};
  reader.finish();
  return family;
}

llvm::Expected<TuningSpace> TuningSpace::parse(StringRef text,
                                               StringRef origin) {
  auto error = [&](const Twine &message) {
    return llvm::createStringError(origin + ": " + message);
  };
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(text);
  if (!json)
    return error("not JSON: " + llvm::toString(json.takeError()));
  const Object *root = json->getAsObject();
  if (!root ||
      root->getString("format") != StringRef("sparseflow-tuning-space"))
    return error(
        "expected an object with \"format\": \"sparseflow-tuning-space\"");
  if (root->getInteger("version") != int64_t(1))
    return error("expected \"version\": 1, the only one this compiler reads");
  std::string problem;
  JsonReader reader(*root, "the space", problem);
  (void)reader.text("format");
  (void)reader.integerOr("version", 1);
  TuningSpace space;
  std::vector<Object> machines = reader.objects("machines");
  std::vector<Object> families = reader.objects("families");
  for (auto [i, object] : llvm::enumerate(machines))
    space.machines.push_back(
        readMachine(object, llvm::formatv("machine {0}", i), problem));
  for (auto [i, object] : llvm::enumerate(families))
    space.families.push_back(
        readFamily(object, llvm::formatv("family {0}", i), problem));
  std::vector<std::string> names = reader.names("shapes");
  for (const std::string &name : names) {
    llvm::Expected<TuneShape> shape = parseTuneShape(name);
    if (!shape)
      return error(llvm::toString(shape.takeError()));
    space.defaultShapes.push_back(*shape);
  }
  if (const Object *spread = root->getObject("calibration")) {
    (void)reader.inner("calibration");
    JsonReader inner(*spread, "calibration", problem);
    std::vector<std::string> sizes = inner.names("sizes");
    const Array *tokens = spread->getArray("tokens");
    for (const std::string &size : sizes)
      for (size_t i = 0; tokens && i < tokens->size(); ++i) {
        int64_t count = (*tokens)[i].getAsInteger().value_or(0);
        llvm::Expected<TuneShape> shape =
            parseTuneShape(llvm::formatv("{0}x{1}", count, size).str());
        if (!shape)
          return error("calibration: " + llvm::toString(shape.takeError()));
        space.spreadShapes.push_back(*shape);
      }
    if (space.spreadShapes.empty())
      inner.fail("tokens", "a list of numbers of tokens");
  }
  reader.finish();
  if (!problem.empty())
    return error(problem);
  return space;
}

// The built-in space has a few kilobytes.
static constexpr uint64_t kMaxSpaceBytes = uint64_t(16) << 20;

llvm::Expected<TuningSpace> TuningSpace::load(StringRef path) {
  return loadData<TuningSpace>(path, "the tuning space", kMaxSpaceBytes);
}

const TuningSpace &TuningSpace::builtin() {
  static const TuningSpace space =
      parseBuiltin<TuningSpace>(kBuiltinSpace, "the built-in tuning space");
  return space;
}

const TuneMachine *TuningSpace::machine(StringRef target) const {
  for (const TuneMachine &machine : machines)
    if (llvm::is_contained(machine.targets, target))
      return &machine;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

/// A field's value in a name: "128x256" for a pair.
static std::string brief(const llvm::json::Value &value) {
  std::string text;
  for (char c : llvm::formatv("{0}", value).str())
    if (c == ',')
      text += 'x';
    else if (llvm::isAlnum(c))
      text += c;
  return text;
}

/// Sets the member of `row` that `path` names: "group", "pipeline.stages".
static void setMember(Object &row, StringRef path, llvm::json::Value value) {
  auto [first, rest] = path.split('.');
  if (rest.empty()) {
    row[first.str()] = std::move(value);
    return;
  }
  if (!row.getObject(first))
    row[first.str()] = Object{};
  setMember(*row.getObject(first), rest, std::move(value));
}

/// Calls `visit` with `row` and every combination of what the family varies; a
/// row's name is `name` and what it varies.
static void forEachCombination(const TuneFamily &family, Object row,
                               const std::string &name,
                               llvm::function_ref<void(const Object &)> visit) {
  std::vector<size_t> digits(family.vary.size(), 0);
  while (true) {
    std::string whole = name;
    for (auto [i, field] : llvm::enumerate(family.vary)) {
      const llvm::json::Value &value = field.second[digits[i]];
      setMember(row, field.first, value);
      // "pipeline.stages 5" is ".stages5".
      StringRef last = StringRef(field.first);
      last = last.substr(last.rfind('.') + 1);
      whole += "." + last.str() + brief(value);
    }
    row["name"] = whole;
    visit(row);
    size_t i = 0;
    while (i < digits.size() && ++digits[i] == family.vary[i].second.size())
      digits[i++] = 0;
    if (i == digits.size())
      break;
  }
}

/// The row of a table for any N and K: limits are for the sake of other rows.
static Object withoutLimits(const ScheduleRow &row) {
  Object fields = row.fields;
  for (const char *limit : {"max_tokens", "min_n", "max_n", "min_k", "max_k"})
    fields.erase(limit);
  return fields;
}

/// Calls `visit` with every row that the family has for `shape`, and a name of
/// its tile.
static void forEachRow(
    const TuneFamily &family, const ScheduleTable &table,
    const TuneShape &shape, StringRef target,
    llvm::function_ref<void(const Object &, const std::string &)> visit) {
  for (const Object &tile : family.tiles) {
    std::string name = family.name;
    Object row = family.row;
    for (const auto &entry : tile)
      setMember(row, entry.first, entry.second);
    for (const char *field : {"block", "warp"})
      if (const llvm::json::Value *value = row.get(field))
        name += "." + brief(*value);
    forEachCombination(family, std::move(row), name,
                       [&](const Object &row) { visit(row, name); });
  }
  for (const ScheduleRow &row : table.rows()) {
    int64_t maxTokens = row.sizes.tile.maxTokens;
    if (!family.ofTable || row.op != "matmul" || row.limits.unaligned ||
        row.weights != shape.form.kind ||
        !llvm::is_contained(row.targets, target) ||
        (maxTokens && maxTokens < shape.t))
      continue;
    Object fields = withoutLimits(row);
    visit(fields, row.name);
    forEachCombination(family, std::move(fields), row.name,
                       [&](const Object &varied) { visit(varied, row.name); });
  }
}

/// The row that `table` has for the shape, or null.
static const ScheduleRow *rowOfTable(const ScheduleTable &table,
                                     const TuneShape &shape, StringRef target) {
  ScheduleQuery query = queryOf(shape.form, shape.n, shape.k);
  query.target = target;
  query.tokens = shape.t;
  SmallVector<const ScheduleRow *> rows = table.rowsFor(query);
  return rows.empty() ? nullptr : rows.front();
}

std::vector<TuneCandidate> TuningSpace::candidates(const TuneShape &shape,
                                                   StringRef target,
                                                   const ScheduleTable &table,
                                                   size_t limit,
                                                   size_t &refused) const {
  refused = 0;
  std::vector<TuneCandidate> list;
  const TuneMachine *known = machine(target);
  if (!known)
    return list;
  struct Entry {
    TuneCandidate candidate;
    std::string tile;
    bool ofTable;
  };
  std::vector<Entry> entries;
  // Families overlap: the same sizes under another name are nothing new.
  std::set<std::string> seen;
  auto add = [&](const Object &row, const std::string &tile, bool ofTable) {
    Object whole = row;
    whole["op"] = "matmul";
    whole["weights"] = shape.form.kind;
    whole["targets"] = Array{target.str()};
    Object sizes = whole;
    sizes.erase("name");
    if (!seen.insert(llvm::formatv("{0}", llvm::json::Value(std::move(sizes))))
             .second)
      return;
    TuneEstimate estimate;
    llvm::Expected<ScheduleRow> read = ScheduleRow::parse(whole, "candidate");
    if (read)
      estimate = estimateSizes(read->sizes, shape, *known);
    else
      estimate.refusal = llvm::toString(read.takeError());
    if (!estimate.refusal.empty() && !ofTable)
      ++refused;
    else
      entries.push_back(
          {{std::move(whole), std::move(estimate)}, tile, ofTable});
  };
  if (const ScheduleRow *row = rowOfTable(table, shape, target))
    add(withoutLimits(*row), row->name, /*ofTable=*/true);
  for (const TuneFamily &family : families)
    if (llvm::is_contained(family.targets, target) &&
        (family.weights.empty() ||
         llvm::is_contained(family.weights, shape.form.kind)) &&
        shape.t >= family.minTokens && shape.t <= family.maxTokens)
      forEachRow(family, table, shape, target,
                 [&](const Object &row, const std::string &tile) {
                   add(row, tile, /*ofTable=*/false);
                 });
  llvm::stable_sort(entries, [](const Entry &a, const Entry &b) {
    return a.candidate.estimate.microseconds <
           b.candidate.estimate.microseconds;
  });
  // Rows of one tile differ by less than the model can tell; the table's own
  // has a place of its own.
  size_t most = std::max<size_t>(1, (limit + 3) / 4);
  std::map<std::string, size_t> taken;
  size_t others = limit - llvm::count_if(entries, [](const Entry &entry) {
                    return entry.ofTable;
                  });
  for (Entry &entry : entries) {
    if (!entry.ofTable) {
      if (others == 0 || taken[entry.tile]++ >= most)
        continue;
      --others;
    }
    list.push_back(std::move(entry.candidate));
  }
  return list;
}
