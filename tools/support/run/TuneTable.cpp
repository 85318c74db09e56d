//===- TuneTable.cpp - The files of tuning --------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "run/TuneTable.h"

#include "device/manifest/json.h"
#include "device/manifest/manifest.h"
#include "run/Result.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

using namespace sparseflow;
using namespace sparseflow::tools;
using nlohmann::json;
using rt::JsonCursor;

static constexpr size_t fileLimit = size_t(64) << 20;
// Characters of a form of weights.
static constexpr size_t maxWeights = 64;

std::string TuneShapeInput::name() const {
  return std::to_string(t) + "x" + std::to_string(n) + "x" + std::to_string(k) +
         "-" + weights + "-" + type;
}

// A path below the directory, and no way out of it.
static bool staysInside(const std::string &path) {
  return !path.empty() && path[0] != '/' &&
         path.find("..") == std::string::npos &&
         path.find('\0') == std::string::npos;
}

static TuneShapeInput readShape(const JsonCursor &source) {
  constexpr int64_t most = int64_t(1) << 31;
  TuneShapeInput shape;
  shape.t = source.member("t").integer(1, most);
  shape.n = source.member("n").integer(1, most);
  shape.k = source.member("k").integer(1, most);
  shape.weights = source.member("weights").string(1, maxWeights);
  shape.type = source.member("type").string(1, 16);
  JsonCursor candidates = source.member("candidates");
  for (size_t i = 0, n = candidates.size(100000); i < n; ++i) {
    JsonCursor element = candidates.element(i);
    TuneCandidateInput candidate;
    JsonCursor row = element.member("row");
    candidate.name = row.member("name").string(1, 1024);
    candidate.row = row.text();
    JsonCursor bundle = element.member("bundle");
    candidate.bundle = bundle.string(1, 4096);
    if (!staysInside(candidate.bundle))
      bundle.expected("a path below the directory");
    candidate.modelUs = element.member("model_us").number();
    shape.candidates.push_back(std::move(candidate));
  }
  return shape;
}

Expected<TuneInput>
sparseflow::tools::readTuneInput(const std::string &directory) {
  std::string path = directory + "/tune.json";
  Expected<std::string> text = rt::readSmallFile(path, fileLimit);
  if (!text)
    return text.status().withContext(
        "expected what sparseflow tune --compile-only writes");
  try {
    json document = rt::parseJson(*text);
    JsonCursor root(document, path);
    JsonCursor format = root.member("format");
    if (format.string(0, 64) != "sparseflow-tune")
      format.expected("'sparseflow-tune'");
    JsonCursor version = root.member("version");
    if (version.integer(0, 1 << 30) != 1)
      version.expected("1, the only version this program reads");
    TuneInput input;
    input.producer = root.member("producer").string(0, 256);
    input.target = root.member("target").string(1, 16);
    JsonCursor shapes = root.member("shapes");
    for (size_t i = 0, n = shapes.size(100000); i < n; ++i)
      input.shapes.push_back(readShape(shapes.element(i)));
    (void)root.member("base_rows").size(100000);
    input.baseRows = document["base_rows"];
    return input;
  } catch (const rt::JsonError &e) {
    return e.status;
  }
}

Expected<json> sparseflow::tools::readTuned(const std::string &directory,
                                            const TuneInput &input,
                                            bool fresh) {
  json start = {{"format", "sparseflow-tuned"},
                {"version", 1},
                {"producer", input.producer},
                {"target", input.target},
                {"shapes", json::array()}};
  std::string path = directory + "/tuned.json";
  if (fresh || !std::filesystem::exists(path))
    return start;
  Expected<std::string> text = rt::readSmallFile(path, fileLimit);
  if (!text)
    return text.status();
  try {
    json document = rt::parseJson(*text);
    JsonCursor root(document, path);
    JsonCursor shapes = root.member("shapes");
    for (const char *name : {"format", "version", "producer", "target"})
      if (!document.contains(name) || document[name] != start[name])
        return start;
    for (size_t i = 0, n = shapes.size(100000); i < n; ++i) {
      JsonCursor shape = shapes.element(i);
      for (const char *name : {"t", "n", "k"})
        (void)shape.member(name).integer(1, int64_t(1) << 31);
      (void)shape.member("weights").string(1, maxWeights);
      (void)shape.member("type").string(1, 16);
      JsonCursor list = shape.member("candidates");
      for (size_t c = 0, m = list.size(100000); c < m; ++c) {
        (void)list.element(c).member("name").string(1, 1024);
        (void)list.element(c).member("row").member("name").string(1, 1024);
      }
      if (shape.has("best"))
        (void)shape.member("best").string(1, 1024);
    }
    return document;
  } catch (const rt::JsonError &e) {
    return e.status;
  }
}

bool sparseflow::tools::isTuned(const json &tuned,
                                const TuneShapeInput &shape) {
  for (const json &entry : tuned["shapes"])
    if (entry["t"] == shape.t && entry["n"] == shape.n &&
        entry["k"] == shape.k && entry["weights"] == shape.weights &&
        entry["type"] == shape.type)
      return true;
  return false;
}

/// The kind of weights of a shape, which a table knows: the part of their form
/// before the first dot.
static std::string kindOf(const json &entry) {
  std::string form = entry["weights"];
  return form.substr(0, form.find('.'));
}

json sparseflow::tools::tunedRows(const TuneInput &input, const json &tuned) {
  // Tables do not tell f16 from bf16, nor the forms of one kind of weights: the
  // first one that was tuned counts.
  using Key = std::tuple<std::string, int64_t, int64_t>;
  std::map<Key, std::map<int64_t, const json *>> winners;
  for (const json &entry : tuned["shapes"]) {
    if (!entry.contains("best"))
      continue;
    Key key{kindOf(entry), entry["n"], entry["k"]};
    winners[key].emplace(entry["t"].get<int64_t>(), &entry);
  }
  json rows = json::array();
  for (const auto &[key, tokens] : winners)
    for (const auto &[t, entry] : tokens) {
      const auto &[kind, n, k] = key;
      json row;
      for (const json &candidate : (*entry)["candidates"])
        if (candidate["name"] == (*entry)["best"])
          row = candidate["row"];
      bool any = t == tokens.rbegin()->first && t >= manyTokens;
      row["name"] = input.target + "." + (kind == "2:4" ? "sparse" : kind) +
                    ".n" + std::to_string(n) + ".k" + std::to_string(k) +
                    (any ? "" : ".t" + std::to_string(t));
      row["min_n"] = row["max_n"] = n;
      row["min_k"] = row["max_k"] = k;
      row["max_tokens"] = any ? 0 : t;
      rows.push_back(std::move(row));
    }
  return rows;
}

// One row a line, so that `diff` shows what changed.
static std::string lines(const json &object) {
  std::string text = "{";
  const char *comma = "\n";
  for (const auto &[name, value] : object.items()) {
    text += comma + json(name).dump() + ": ";
    comma = ",\n";
    if (!value.is_array()) {
      text += value.dump();
      continue;
    }
    text += "[";
    for (size_t i = 0; i < value.size(); ++i)
      text += (i ? ",\n  " : "\n  ") + value[i].dump();
    text += "\n]";
  }
  return text + "\n}\n";
}

Status sparseflow::tools::writeTuned(const std::string &directory,
                                     const TuneInput &input,
                                     const json &tuned) {
  if (Status status = writeText(directory + "/tuned.json", lines(tuned));
      !status)
    return status;
  json rows = tunedRows(input, tuned);
  json evidence = json::array();
  for (const json &entry : tuned["shapes"]) {
    if (!entry.contains("best"))
      continue;
    // The winner and the next ones.
    json kept = entry;
    json &candidates = kept["candidates"];
    while (candidates.size() > 4)
      candidates.erase(candidates.size() - 1);
    for (json &candidate : candidates)
      candidate.erase("row");
    evidence.push_back(std::move(kept));
  }
  for (const json &row : input.baseRows)
    rows.push_back(row);
  return writeText(directory + "/schedules.json",
                   lines({{"format", "sparseflow-schedules"},
                          {"version", 1},
                          {"rows", std::move(rows)},
                          {"evidence", std::move(evidence)}}));
}
