//===- Families.cpp - Rows that are described together --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowReader.h"
#include "SparseFlow/Schedule/CostModel.h"

using namespace mlir;
using namespace mlir::sparseflow;
using llvm::json::Array;
using llvm::json::Object;

// More members than anyone could mean.
static constexpr size_t kMostMembers = 10000;

/// The integer that `name` says of a row, or null.
static int64_t *fieldOf(MatmulSizes &sizes, StringRef name) {
  int64_t *found = nullptr;
  auto search = [&](auto &fields) {
    sftile::forEachField(fields, [&](const auto &field, auto &member) {
      if constexpr (std::is_same_v<decltype(member), int64_t &>)
        if (field.name == name)
          found = &member;
    });
  };
  search(sizes.tile);
  std::visit(
      [&](auto &pipeline) {
        if constexpr (!std::is_same_v<decltype(pipeline), std::monostate &>)
          search(pipeline);
      },
      sizes.pipeline);
  return found;
}

/// [a, b], two positive integers.
static std::optional<sftile::Extent> readPair(const llvm::json::Value *value) {
  const Array *array = value ? value->getAsArray() : nullptr;
  if (!array || array->size() != 2)
    return std::nullopt;
  sftile::Extent pair;
  for (size_t i = 0; i < 2; ++i) {
    std::optional<int64_t> size = (*array)[i].getAsInteger();
    if (!size || *size < 1)
      return std::nullopt;
    pair[i] = *size;
  }
  return pair;
}

/// Every pair of `features` with each of `tokens`, whose warps have all tokens
/// of their block; or the list `tiles`.
static void readTiles(RowReader &reader, const Object &object,
                      ScheduleFamily &family) {
  for (const char *name : {"features", "tokens", "tiles"})
    reader.expected.push_back(name);
  const Array *features = object.getArray("features");
  const Array *tokens = object.getArray("tokens");
  if (const Array *tiles = object.getArray("tiles")) {
    if (features || tokens)
      return reader.fail("tiles", "given without \"features\" and \"tokens\"");
    for (const llvm::json::Value &value : *tiles) {
      const Object *tile = value.getAsObject();
      auto block = tile ? readPair(tile->get("block")) : std::nullopt;
      auto warp = tile ? readPair(tile->get("warp")) : std::nullopt;
      if (!block || !warp || tile->size() != 2)
        return reader.fail("tiles", "a list of {\"block\": [features, tokens], "
                                    "\"warp\": [features, tokens]}");
      family.tiles.push_back({*block, *warp});
    }
  } else if (features && tokens) {
    for (const llvm::json::Value &value : *features) {
      auto pair = readPair(&value);
      if (!pair)
        return reader.fail("features", "a list of [features of a block, of a "
                                       "warp]");
      for (const llvm::json::Value &count : *tokens) {
        std::optional<int64_t> size = count.getAsInteger();
        if (!size || *size < 1)
          return reader.fail("tokens", "a list of positive integers");
        family.tiles.push_back({{(*pair)[0], *size}, {(*pair)[1], *size}});
      }
    }
  }
  if (family.tiles.empty())
    reader.fail("tiles",
                "a list, or \"features\" and \"tokens\" two lists, not empty");
}

/// "where": a list of limits, each with "min_tokens".
static void readPlaces(RowReader &reader, const Object &object,
                       ScheduleFamily &family) {
  reader.expected.push_back("where");
  const Array *list = object.getArray("where");
  if (!list || list->empty())
    return reader.fail("where", "a list of limits, not empty");
  for (const llvm::json::Value &value : *list) {
    const Object *limits = value.getAsObject();
    if (!limits)
      return reader.fail("where", "a list of objects");
    ScheduleFamily::Place &place = family.places.emplace_back();
    RowReader inner(*limits, reader.where + ": where");
    inner.without("unaligned");
    inner.read(place.limits);
    inner.expected.push_back("min_tokens");
    place.minTokens = limits->getInteger("min_tokens").value_or(0);
    if (place.minTokens < 1)
      inner.fail("min_tokens", "an integer of at least 1");
    inner.finish();
    reader.adopt(inner);
  }
}

const ScheduleFamily::Place *
ScheduleFamily::placeOf(const ScheduleQuery &query) const {
  for (const Place &place : places)
    if (admits(place.limits, query))
      return &place;
  return nullptr;
}

static void readVaried(RowReader &reader, ScheduleFamily &family) {
  const Object *vary = reader.objectOr("vary");
  if (!vary)
    return;
  size_t members = family.tiles.size();
  for (const auto &[name, value] : *vary) {
    const Array *array = value.getAsArray();
    std::vector<int64_t> values;
    for (size_t i = 0; array && i < array->size(); ++i)
      if (std::optional<int64_t> number = (*array)[i].getAsInteger())
        values.push_back(*number);
    if (!array || values.empty() || values.size() != array->size())
      return reader.fail("vary", "lists of integers, none empty");
    if (!fieldOf(family.sizes, name))
      return reader.fail("vary", "about integers of the tile or the pipeline; "
                                 "there is no \"" +
                                     StringRef(name) + "\"");
    members *= values.size();
    family.vary.emplace_back(StringRef(name).str(), std::move(values));
  }
  if (members > kMostMembers)
    reader.fail("vary", "at most 10000 combinations with the tiles");
  // Objects have no order.
  llvm::sort(family.vary);
}

llvm::Expected<ScheduleFamily> ScheduleFamily::parse(const Object &object,
                                                     std::string where) {
  RowReader reader(object, std::move(where));
  ScheduleFamily family;
  family.name = reader.text("name");
  reader.where += " (" + family.name + ")";
  family.targets = reader.names("targets");
  family.weights = reader.names("weights");
  for (const std::string &kind : family.weights)
    if (!llvm::is_contained(weightKinds(), StringRef(kind)))
      reader.fail("weights",
                  "a list of \"" + llvm::join(weightKinds(), "\", \"") + "\"");
  readPlaces(reader, object, family);
  readTiles(reader, object, family);
  const Object *row = reader.objectOr("row");
  if (!row)
    reader.fail("row", "an object with a \"pipeline\"");
  if (!reader.problem.empty())
    return llvm::createStringError(reader.problem);
  // What is wrong in a row is wrong in all members.
  auto [block, warp] = family.tiles.front();
  Object first = *row;
  first["name"] = family.name;
  first["op"] = "matmul";
  first["weights"] = family.weights.front();
  first["targets"] = Array(family.targets);
  first["block"] = Array{block[0], block[1]};
  first["warp"] = Array{warp[0], warp[1]};
  for (const char *member : {"cases", "max_tokens", "block", "warp"})
    if (row->get(member))
      reader.fail("row", "without \"" + Twine(member) + "\"");
  llvm::Expected<ScheduleRow> read =
      ScheduleRow::parse(first, reader.where + ": row");
  if (!read)
    return read.takeError();
  family.sizes = read->sizes;
  readVaried(reader, family);
  reader.finish();
  if (!reader.problem.empty())
    return llvm::createStringError(reader.problem);
  return family;
}

/// The members of a row that differ from their defaults, or are required.
template <typename T>
static void writeFields(const T &fields, Object &object) {
  static const T defaults;
  sftile::forEachField(fields, [&](const auto &field, const auto &value) {
    using Member = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<Member, sftile::Extent>) {
      object[field.name] = Array{value[0], value[1]};
    } else {
      auto member = std::get<Member T::*>(field.member);
      if (field.required || value != defaults.*member)
        object[field.name] = value;
    }
  });
}

Object mlir::sparseflow::fieldsOf(const ScheduleRow &row) {
  Object object{{"name", row.name},
                {"op", row.op},
                {"weights", row.weights},
                {"targets", Array(row.targets)}};
  writeFields(row.sizes.tile, object);
  std::visit(
      [&](const auto &pipeline) {
        using Pipeline = std::decay_t<decltype(pipeline)>;
        if constexpr (!std::is_same_v<Pipeline, std::monostate>) {
          Object inner;
          inner["kind"] = pipelineName(row.sizes);
          writeFields(pipeline, inner);
          object["pipeline"] = std::move(inner);
        }
      },
      row.sizes.pipeline);
  return object;
}

std::vector<ScheduleRow> ScheduleFamily::members(StringRef kind) const {
  std::vector<ScheduleRow> rows;
  for (const auto &[block, warp] : tiles) {
    std::vector<size_t> digits(vary.size(), 0);
    while (true) {
      ScheduleRow row;
      row.op = "matmul";
      row.weights = kind.str();
      row.targets = targets;
      row.sizes = sizes;
      row.sizes.tile.block = block;
      row.sizes.tile.warp = warp;
      row.name = name + "." + std::to_string(block[0]) + "x" +
                 std::to_string(block[1]);
      for (auto [field, digit] : llvm::zip(vary, digits)) {
        int64_t value = field.second[digit];
        *fieldOf(row.sizes, field.first) = value;
        if (field.second.size() > 1)
          row.name += "." + field.first + std::to_string(value);
      }
      rows.push_back(std::move(row));
      size_t i = 0;
      while (i < digits.size() && ++digits[i] == vary[i].second.size())
        digits[i++] = 0;
      if (i == digits.size())
        break;
    }
  }
  return rows;
}
