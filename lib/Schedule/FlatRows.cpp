//===- FlatRows.cpp - Rows of before there were pipelines -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows used to be flat, and some of their sizes were changed by passes, by
// rules that stand in rows as cases now. Files in that form are read for one
// version more: each row becomes what it meant.
//
//===----------------------------------------------------------------------===//

#include "RowReader.h"

using namespace mlir;
using namespace mlir::sparseflow;
using llvm::json::Array;
using llvm::json::Object;

namespace {
class FlatRow {
public:
  explicit FlatRow(const Object &flat) : row(flat) {}

  Object matmul();
  Object attention();

private:
  int64_t number(StringRef name, int64_t otherwise = 0) const {
    return row.getInteger(name).value_or(otherwise);
  }
  bool flag(StringRef name) const {
    return row.getBoolean(name).value_or(false);
  }
  int64_t of(StringRef pair, size_t index) const {
    const Array *values = row.getArray(pair);
    if (!values || values->size() != 2)
      return 0;
    return (*values)[index].getAsInteger().value_or(0);
  }
  /// Takes the member `name` into the pipeline as `field`.
  void move(StringRef name, StringRef field) {
    if (const llvm::json::Value *value = row.get(name)) {
      pipeline[field] = *value;
      row.erase(name);
    }
  }
  void addCase(Object when, Object set, StringRef because) {
    cases.push_back(Object{{"if", std::move(when)},
                           {"set", std::move(set)},
                           {"because", because}});
  }
  Object finish() {
    row["pipeline"] = std::move(pipeline);
    if (!cases.empty())
      row["cases"] = std::move(cases);
    return std::move(row);
  }
  void addMatmulCases(StringRef kind, int64_t warps);
  void addQuantizedCases(int64_t sms);
  void addPageCases();

  Object row, pipeline;
  Array cases;
};
} // namespace

static constexpr StringLiteral kFewRegisters =
    "scales and planes of the weight take the registers of accumulators";
static constexpr StringLiteral kLargeUnits =
    "units with two bits a nonzero are a third larger";

void FlatRow::addMatmulCases(StringRef kind, int64_t warps) {
  std::string weights = row.getString("weights").value_or("").str();
  bool isGrouped = StringRef(weights).contains("_groups");
  int64_t stages = number("stages", 2), kWarps = number("depth_warps");
  if (kind == "streamed") {
    int64_t more = std::min<int64_t>(2 * stages, 4);
    auto withZeros = [](int64_t stages) {
      return std::max<int64_t>(stages * 3 / 4, 2);
    };
    bool isHalved = isGrouped && warps > 8 && kWarps % 2 == 0;
    bool hasZeros = StringRef(weights).starts_with("ternary24");
    auto half = [&](int64_t stages) {
      return Object{
          {"pipeline", Object{{"k_warps", kWarps / 2}, {"stages", stages}}}};
    };
    if (isHalved && hasZeros)
      addCase(Object{{"zeros", true}, {"min_scales", 5}}, half(withZeros(more)),
              kFewRegisters);
    if (isHalved)
      addCase(Object{{"min_scales", 5}}, half(more), kFewRegisters);
    if (hasZeros && withZeros(stages) != stages)
      addCase(Object{{"zeros", true}},
              Object{{"pipeline", Object{{"stages", withZeros(stages)}}}},
              kLargeUnits);
    return;
  }
  // Of a warpgroup twice the tokens fit.
  bool isInteger = StringRef(weights).ends_with("_i8");
  int64_t fitting = kind == "multistage" ? 63 : isInteger ? 128 : INT64_MAX;
  if (isGrouped && !StringRef(weights).starts_with("ternary24") &&
      of("warp", 1) > fitting)
    addCase(Object{{"min_planes", 2}},
            Object{{"block", Array{of("block", 0), of("block", 1) / 2}},
                   {"warp", Array{of("warp", 0), of("warp", 1) / 2}}},
            kFewRegisters);
}

Object FlatRow::matmul() {
  bool isSpecialized = number("producer_warps") > 0;
  bool isStreamed = number("depth_warps") > 0;
  StringRef kind = isSpecialized ? "warp_specialized"
                   : isStreamed  ? "streamed"
                                 : "multistage";
  pipeline["kind"] = kind;
  int64_t warps = 0;
  if (of("warp", 0) > 0 && of("warp", 1) > 0)
    warps = of("block", 0) / of("warp", 0) * (of("block", 1) / of("warp", 1)) *
            std::max<int64_t>(number("depth_warps"), 1);
  addMatmulCases(kind, warps);
  move("k", "k");
  move("stages", "stages");
  if (isSpecialized) {
    if (flag("warpgroup"))
      row.erase("warpgroup");
    for (StringRef name :
         {"producer_warps", "cluster", "grid", "store_tokens", "store_buffers"})
      move(name, name);
    // Three consumer warpgroups share what two have.
    if (warps > 8)
      pipeline["producer_registers"] = 32;
  } else if (isStreamed) {
    move("depth_warps", "k_warps");
    move("held", "holds_activations");
  } else {
    move("warpgroup", "warpgroup");
    for (StringRef name : {"producer_warps", "depth_warps", "grid"})
      if (row.getInteger(name) == int64_t(0))
        row.erase(name);
    if (row.getInteger("cluster") == int64_t(1))
      row.erase("cluster");
  }
  if (Object *split = row.getObject("split_k"))
    if (const llvm::json::Value *least = split->get("min_depth")) {
      (*split)["min_k"] = *least;
      split->erase("min_depth");
    }
  return finish();
}

/// Numbers of 8 or 4 bits: half a page, or of 8 bits beside the accumulators of
/// more than 8 heads a quarter, since the words of two stages are in registers
/// at once; `sms` are those of the GPU. 8 blocks of one warp have all registers
/// that a thread may; words of 4 bits leave enough to 12, unless a token has
/// several scales.
void FlatRow::addQuantizedCases(int64_t sms) {
  auto add = [&](Object when, int64_t keys, int64_t blocksPerSM) {
    Object inner{{"stages", 2}, {"holds_queries", true}};
    Object set{{"warp", 16}, {"keys", keys}};
    if (blocksPerSM) {
      inner["blocks_per_sm"] = blocksPerSM;
      set["split_blocks"] = sms * blocksPerSM;
      set["split_min_keys"] = 256;
    }
    set["pipeline"] = std::move(inner);
    if (flag("unaligned"))
      set["queries"] = std::max<int64_t>(number("queries"), 128);
    if (number("group_bytes"))
      set["group_bytes"] = 0;
    addCase(std::move(when), std::move(set),
            "keys and values of 8 and 4 bits are dequantized in registers");
  };
  if (!flag("packed"))
    return add(Object{{"min_cache_bits", 4}}, 32, 0);
  add(Object{{"key_groups", true}, {"min_cache_bits", 4}, {"min_heads", 9}}, 16,
      8);
  add(Object{{"min_cache_bits", 8}, {"min_heads", 9}}, 16, 8);
  add(Object{{"min_cache_bits", 8}}, 32, 8);
  add(Object{{"min_cache_bits", 4}, {"min_heads", 9}}, 32, 8);
  add(Object{{"key_groups", true}, {"min_cache_bits", 4}}, 32, 8);
  add(Object{{"min_cache_bits", 4}}, 32, 12);
}

/// Planes of keys and values: stages of one page of 64 keys. A warp has 16
/// rows: words, scales and queries leave no registers for more. A packed row's
/// split means 6 blocks an SM. With planes alone 16 fit, which it takes to hide
/// what each waits for; full values need shared memory for three stages, which
/// 4 blocks have, or 8 of half the features. Parts have several pages, so that
/// combining them stays cheap.
void FlatRow::addPageCases() {
  constexpr int64_t kPage = 64;
  int64_t split = 0;
  if (const Object *rule = row.getObject("split"))
    split = rule->getInteger("blocks").value_or(0);
  auto add = [&](Object when, int64_t stages, int64_t blocks, int64_t pages,
                 int64_t blocksPerSM) {
    Object inner{{"stages", stages}, {"holds_queries", true}};
    if (blocksPerSM > 1)
      inner["blocks_per_sm"] = blocksPerSM;
    Object set{{"warp", 16}, {"keys", kPage}, {"pipeline", std::move(inner)}};
    if (flag("unaligned"))
      set["queries"] = std::max<int64_t>(number("queries"), 128);
    if (number("group_bytes"))
      set["group_bytes"] = 0;
    if (blocks) {
      set["split_blocks"] = blocks;
      set["split_min_keys"] = pages * kPage;
    }
    addCase(std::move(when), std::move(set), "ternary keys come in pages");
  };
  addQuantizedCases(split / 6);
  if (!flag("packed"))
    return add(Object{{"ternary_keys", true}}, 2, 0, 0, 1);
  add(Object{{"ternary_values", true}, {"lengths", true}, {"key_groups", true}},
      2, split / 6 * 16, 8, 12);
  add(Object{{"ternary_values", true}}, 2, split / 6 * 16, 8, 16);
  add(Object{{"ternary_keys", true}, {"min_dv", 65}}, 3, split / 6 * 4, 4, 1);
  add(Object{{"ternary_keys", true}}, 3, split / 6 * 8, 4, 1);
}

Object FlatRow::attention() {
  bool isSpecialized = number("producer_warps") > 0, isInt8 = flag("bytes");
  int64_t warpgroups = number("queries") / 64;
  move("stages", "stages");
  if (isSpecialized) {
    pipeline["kind"] = "warp_specialized";
    // One consumer warpgroup leaves plenty; dequantizing takes registers, and
    // so does the other block of a cluster.
    int64_t registers = flag("planes")             ? 56
                        : number("cluster", 1) > 1 ? 40
                        : warpgroups > 2           ? 32
                        : warpgroups > 1           ? 24
                                                   : 64;
    if (registers != sftile::WarpSpecializedAttentionFields().producerRegisters)
      pipeline["producer_registers"] = registers;
    for (StringRef name : {"producer_warps", "cluster", "grid"})
      move(name, name);
    move("turns", "ping_pong");
  } else if (isInt8) {
    pipeline["kind"] = "int8";
    pipeline["blocks_per_sm"] =
        std::max<int64_t>(16 / std::max<int64_t>(number("key_warps", 1), 1), 1);
    move("key_warps", "key_warps");
    row.erase("bytes");
    row.erase("held");
  } else {
    pipeline["kind"] = "multistage";
    addPageCases();
    move("held", "holds_queries");
  }
  if (Object *split = row.getObject("split")) {
    Object rule = *split;
    row.erase("split");
    for (const auto &[name, value] : rule)
      row["split_" + StringRef(name).str()] = value;
  }
  return finish();
}

std::optional<Object> mlir::sparseflow::withPipeline(const Object &flatRow) {
  if (flatRow.get("pipeline"))
    return std::nullopt;
  if (flatRow.getString("op") == StringRef("matmul"))
    return FlatRow(flatRow).matmul();
  if (flatRow.getString("op") == StringRef("attention"))
    return FlatRow(flatRow).attention();
  return std::nullopt;
}
