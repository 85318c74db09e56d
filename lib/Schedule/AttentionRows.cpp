//===- AttentionRows.cpp - Rows for attention -----------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowReader.h"
#include "SparseFlow/Schedule/ScheduleTable.h"

using namespace mlir;
using namespace mlir::sparseflow;

AttentionRow ScheduleTable::readAttention(RowReader &reader) {
  AttentionRow row;
  row.name = reader.text("name");
  row.targets = reader.names("targets");
  row.unaligned = reader.flag("unaligned");
  row.minFeatures = reader.integerOr("min_d", 0, row.minFeatures);
  row.maxFeatures = reader.integerOr("max_d", 0, row.maxFeatures);
  row.queries = reader.integer("queries", 1);
  row.warp = reader.integer("warp", 1);
  row.keys = reader.integer("keys", 1);
  row.stages = reader.integer("stages", 2);
  row.held = reader.flag("held");
  row.packed = reader.flag("packed");
  row.maxQueries = reader.integerOr("max_queries", 0, 0);
  row.minQueries = reader.integerOr("min_queries", 0, 0);
  row.minBlocks = reader.integerOr("min_blocks", 0, 0);
  row.group = reader.integerOr("group", 1, 1);
  row.producerWarps = reader.integerOr("producer_warps", 0, 0);
  row.grid = reader.integerOr("grid", 0, 0);
  row.turns = reader.flag("turns");
  row.cluster = reader.integerOr("cluster", 1, 1);
  row.groupBytes = reader.integerOr("group_bytes", 0, 0);
  row.planes = reader.flag("planes");
  row.bytes = reader.flag("bytes");
  row.keyWarps = reader.integerOr("key_warps", 1, 1);
  if (reader.object.get("mask")) {
    std::optional<StringRef> mask = reader.object.getString("mask");
    if (mask && (*mask == "none" || *mask == "some"))
      row.masked = *mask == "some";
    else if (mask && *mask == "causal")
      row.causal = true;
    else
      reader.fail("mask", "\"none\", \"some\" or \"causal\"");
  }
  if (const llvm::json::Object *split = reader.object.getObject("split")) {
    RowReader inner(*split, reader.where + ": split");
    row.splitBlocks = inner.integer("blocks", 1);
    row.splitMinKeys = inner.integer("min_keys", 1);
    inner.only({"blocks", "min_keys"});
    if (!inner.problem.empty() && reader.problem.empty())
      reader.problem = inner.problem;
  } else if (reader.object.get("split")) {
    reader.fail("split", "{\"blocks\": ..., \"min_keys\": ...}");
  }
  reader.only({"name",           "op",         "targets",     "unaligned",
               "min_d",          "max_d",      "queries",     "warp",
               "keys",           "stages",     "held",        "packed",
               "max_queries",    "min_blocks", "group",       "split",
               "producer_warps", "grid",       "turns",       "mask",
               "planes",         "cluster",    "group_bytes", "min_queries",
               "bytes",          "key_warps"});
  return row;
}

SmallVector<sftile::AttentionScheduleAttr>
ScheduleTable::select(MLIRContext *context, const AttentionQuery &query,
                      function_ref<InFlightDiagnostic()> emitError) const {
  SmallVector<sftile::AttentionScheduleAttr> result;
  for (const AttentionRow &row : attention) {
    if (!llvm::is_contained(row.targets, query.target) ||
        llvm::is_contained(query.avoid, row.name) ||
        row.unaligned != query.unaligned || query.features < row.minFeatures ||
        query.features > row.maxFeatures)
      continue;
    // Tensor maps serve some operations only, and so do warps that expand.
    if (row.producerWarps && (!query.mapped || row.planes != query.planes))
      continue;
    if (row.bytes && !query.bytes)
      continue;
    if (row.masked && *row.masked != query.masked)
      continue;
    if (row.causal && !query.causal)
      continue;
    if (row.minQueries && query.queries.value_or(0) < row.minQueries)
      continue;
    // A class that cannot hold the known number of queries is of no use.
    if (query.queries && row.maxQueries && *query.queries > row.maxQueries)
      continue;
    auto schedule = sftile::AttentionScheduleAttr::getChecked(
        emitError, context, StringRef(row.name), row.queries, row.warp,
        row.keys, row.stages, row.held, row.packed, row.maxQueries,
        row.minBlocks, row.splitBlocks, row.splitMinKeys, row.group,
        row.producerWarps, row.grid, row.turns, row.cluster, row.groupBytes,
        row.bytes, row.keyWarps);
    if (!schedule)
      return {};
    result.push_back(schedule);
    // What comes behind a row without limits is never tested.
    bool always = !row.minBlocks && (!row.maxQueries || query.queries);
    if (always || query.unaligned)
      break;
  }
  return result;
}
