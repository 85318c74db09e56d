//===- Rows.cpp - Rows of a schedule table --------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowReader.h"

using namespace mlir;
using namespace mlir::sparseflow;
using llvm::json::Object;
using sftile::ScheduleField;

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

ArrayRef<ScheduleField<MatmulLimits>> MatmulLimits::fields() {
  using T = MatmulLimits;
  static constexpr ScheduleField<T> list[] = {
      {"unaligned", &T::unaligned,
       "A row for kernels that cannot use accesses of 16 bytes"},
      {"min_n", &T::minN, "The row fits if N is at least that"},
      {"max_n", &T::maxN, "The row fits if N is at most that"},
      {"min_k", &T::minK, "The row fits if K is at least that"},
      {"max_k", &T::maxK, "The row fits if K is at most that"},
      {"max_operands", &T::maxOperands,
       "The row fits if the epilogue reads at most that many tensors, which "
       "cost registers"},
      {"max_full_operands", &T::maxFullOperands,
       "The row fits if at most that many of these have the result's size"},
      {"max_result_bits", &T::maxResultBits,
       "The row fits if an element of the result has at most that many bits"},
      {"max_planes", &T::maxPlanes,
       "The row fits if the weight has at most that many planes"},
      {"max_scales", &T::maxScales,
       "The row fits if a row of the weight has at most that many scales in "
       "128 columns, planes counted; those that multiply weights "
       "(`exact_scales`) do not count"},
      {"exact_scales", &T::exactScales,
       "Only for `\"ternary_groups\"`: passed over unless scales have the "
       "activations' type, one for each row or for groups of its columns: "
       "weights are multiplied by them as they are dequantized, without "
       "partial "
       "sums"},
      {"whole_results", &T::wholeResults,
       "The row fits if N is a multiple of 8: results of others leave one by "
       "one, which costs registers"},
      {"sole_reader", &T::soleReader,
       "The row fits if the matmul alone reads its quantized activations, and "
       "they lie in memory before: what computes them, or serves several "
       "readers, quantizes them too"},
      {"filled_n", &T::filledN,
       "The row fits if N is a multiple of that, or leaves more than half of "
       "it: a last tile of which some warps have no feature costs registers"},
  };
  return list;
}

ArrayRef<ScheduleField<AttentionLimits>> AttentionLimits::fields() {
  using T = AttentionLimits;
  static constexpr ScheduleField<T> list[] = {
      {"unaligned", &T::unaligned,
       "For pointers that are not aligned, and odd numbers of features"},
      {"planes", &T::planes,
       "Only with `warp_specialized`, for ternary keys: the producer warps "
       "make "
       "tiles of f16 or bf16 out of planes, for wgmma; `keys` is 128"},
      {"cached", &T::cached,
       "Only with `warp_specialized`, for keys, and values, of int8, int4, "
       "e4m3 "
       "and trits that no row with `planes` serves: a kernel in front writes "
       "them, times their scales, as f16 or bf16 into the workspace, for "
       "wgmma"},
      {"shared_heads", &T::sharedHeads,
       "Only for packed sequences (`cu_seqlens`), and where query heads of a "
       "key head share tiles (`heads`)"},
      {"min_d", &T::minD,
       "The row fits if the larger of D and D_v is at least that"},
      {"max_d", &T::maxD,
       "The row fits if the larger of D and D_v is at most that"},
      {"min_queries", &T::minQueries,
       "Only where the number of queries is known at compile time, and at "
       "least "
       "that"},
  };
  return list;
}

ArrayRef<ScheduleField<SplitRule>> SplitRule::fields() {
  using T = SplitRule;
  static constexpr ScheduleField<T> list[] = {
      {"blocks", &T::blocks, "As many parts as bring the blocks to that number",
       true, 1},
      {"min_k", &T::minK, "No part has less of K", true, 1},
  };
  return list;
}

ArrayRef<ScheduleField<CaseCondition>> CaseCondition::fields() {
  using T = CaseCondition;
  static constexpr ScheduleField<T> list[] = {
      {"zeros", &T::zeros, "Codes of nonzero columns may be zero"},
      {"min_planes", &T::minPlanes, "The ternary weight has that many planes"},
      {"min_scales", &T::minScales,
       "A row of the weight has that many scales in a stage, planes counted"},
      {"ternary_keys", &T::ternaryKeys, "The keys of a cache are ternary"},
      {"ternary_values", &T::ternaryValues, "Its values are, too"},
      {"min_cache_bits", &T::minCacheBits,
       "Keys and values are numbers of int8, int4 or e4m3, the wider of them "
       "of "
       "at least that many bits"},
      {"min_heads", &T::minHeads,
       "At least that many query heads share a key head"},
      {"lengths", &T::lengths,
       "The number of keys differs between batch entries"},
      {"varlen", &T::varlen, "Sequences follow one another (`cu_seqlens`)"},
      {"key_groups", &T::keyGroups,
       "Keys, or tokens of int8, int4 and e4m3, have scales for groups of "
       "features"},
      {"min_dv", &T::minDv, "Values have at least that many features"},
      {"max_page", &T::maxPage,
       "Keys and values lie in pages of at most that many keys"},
  };
  return list;
}

bool CaseCondition::holds(const ScheduleFacts &facts, int64_t k) const {
  int64_t scales = facts.scaleColumns
                       ? llvm::divideCeil(k, facts.scaleColumns) * facts.planes
                       : 0;
  return (!zeros || facts.zeros) && (!ternaryKeys || facts.ternaryKeys) &&
         (!ternaryValues || facts.ternaryValues) &&
         (!lengths || facts.lengths) && (!keyGroups || facts.keyGroups) &&
         (!varlen || facts.varlen) && facts.cacheBits >= minCacheBits &&
         facts.heads >= minHeads && facts.planes >= minPlanes &&
         scales >= minScales && facts.dv >= minDv &&
         (!maxPage || (facts.page > 0 && facts.page <= maxPage));
}

int64_t MatmulSizes::k() const {
  if (const auto *multistage = as<sftile::MultistageFields>())
    return multistage->k;
  if (const auto *specialized = as<sftile::WarpSpecializedFields>())
    return specialized->k;
  const auto *streamed = as<sftile::StreamedFields>();
  return streamed ? streamed->k : 0;
}

int64_t MatmulSizes::stages() const {
  if (const auto *multistage = as<sftile::MultistageFields>())
    return multistage->stages;
  if (const auto *specialized = as<sftile::WarpSpecializedFields>())
    return specialized->stages;
  const auto *streamed = as<sftile::StreamedFields>();
  return streamed ? streamed->stages : 0;
}

int64_t MatmulSizes::kWarps() const {
  if (const auto *streamed = as<sftile::StreamedFields>())
    return streamed->kWarps;
  if (const auto *specialized = as<sftile::WarpSpecializedFields>())
    return specialized->kWarps;
  const auto *multistage = as<sftile::MultistageFields>();
  return multistage ? multistage->kWarps : 1;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// Reads `T` into `result` if `kind` is `name`.
template <typename T, typename Pipeline>
static bool readAs(RowReader &reader, StringRef kind, StringRef name,
                   Pipeline &result) {
  if (kind != name)
    return false;
  T fields;
  reader.read(fields);
  result = fields;
  return true;
}

/// Reads "pipeline"; `readKind` does what is behind its "kind" and says whether
/// there is such a kind.
static void readPipeline(RowReader &row, StringRef kinds,
                         function_ref<bool(RowReader &, StringRef)> readKind) {
  const Object *object = row.objectOr("pipeline");
  if (!object)
    return row.fail("pipeline", "an object with a \"kind\"");
  RowReader reader(*object, row.where + ": pipeline");
  std::string kind = reader.text("kind");
  if (!readKind(reader, kind))
    reader.fail("kind", kinds);
  reader.finish();
  row.adopt(reader);
}

static void readSizes(RowReader &row, bool hasPipeline, MatmulSizes &sizes) {
  if (hasPipeline) {
    // A number, or a rule of which one is made.
    if (const Object *rule = row.getObject("split_k")) {
      RowReader reader(*rule, row.where + ": split_k");
      reader.read(sizes.split.emplace());
      reader.finish();
      row.adopt(reader);
      row.expected.push_back("split_k");
    }
    readPipeline(row, "\"multistage\", \"warp_specialized\" or \"streamed\"",
                 [&](RowReader &reader, StringRef kind) {
                   auto &result = sizes.pipeline;
                   return readAs<sftile::MultistageFields>(
                              reader, kind, "multistage", result) ||
                          readAs<sftile::WarpSpecializedFields>(
                              reader, kind, "warp_specialized", result) ||
                          readAs<sftile::StreamedFields>(reader, kind,
                                                         "streamed", result);
                 });
  } else {
    // Without K there is neither a part of it, nor an order for the L2 cache.
    row.without("split_k");
    row.without("group");
  }
  row.read(sizes.tile);
}

static void readSizes(RowReader &row, bool, AttentionSizes &sizes) {
  row.read(sizes.tile);
  readPipeline(row, "\"multistage\", \"warp_specialized\" or \"int8\"",
               [&](RowReader &reader, StringRef kind) {
                 auto &result = sizes.pipeline;
                 return readAs<sftile::MultistageAttentionFields>(
                            reader, kind, "multistage", result) ||
                        readAs<sftile::WarpSpecializedAttentionFields>(
                            reader, kind, "warp_specialized", result) ||
                        readAs<sftile::Int8AttentionFields>(reader, kind,
                                                            "int8", result);
               });
}

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

/// `row` with the members of `changes` in place of its own, those of the
/// pipeline one by one.
static Object changed(const Object &row, const Object &changes) {
  Object result = row;
  for (const auto &[name, value] : changes) {
    const Object *inner = value.getAsObject();
    const Object *own = row.getObject(name);
    if (StringRef(name) == "pipeline" && inner && own)
      result[name] = changed(*own, *inner);
    else
      result[name] = value;
  }
  return result;
}

// What chose the row, or is found for all its cases.
static constexpr StringLiteral kOfTheRow[] = {
    "split_k",    "max_tokens", "max_queries",
    "min_blocks", "max_blocks", "min_small_tiles",
    "min_keys",   "max_keys",   "min_key_ratio"};

/// Reads "cases", a list of {"if": {...}, "set": {...}, "because": "..."}.
template <typename Sizes>
static void readCases(RowReader &reader, const Object &object,
                      std::vector<ScheduleCase<Sizes>> &cases) {
  reader.expected.push_back("cases");
  const llvm::json::Array *list = object.getArray("cases");
  if (!list) {
    if (object.get("cases"))
      reader.fail("cases", "a list");
    return;
  }
  for (auto [index, value] : llvm::enumerate(*list)) {
    std::string where = reader.where + ": case " + std::to_string(index);
    const Object *one = value.getAsObject();
    if (!one)
      return reader.fail("cases", "a list of objects");
    ScheduleCase<Sizes> &read = cases.emplace_back();
    RowReader outer(*one, where);
    const Object *condition = outer.objectOr("if");
    const Object *set = outer.objectOr("set");
    read.because = outer.text("because");
    if (!condition || !set)
      outer.fail(condition ? "set" : "if", "an object");
    outer.finish();
    reader.adopt(outer);
    if (!reader.problem.empty())
      return;
    RowReader when(*condition, where + ": if");
    when.read(read.when);
    when.finish();
    reader.adopt(when);
    Object whole = changed(object, *set);
    RowReader sizes(whole, where);
    readSizes(sizes, /*hasPipeline=*/true, read.sizes);
    // A case changes sizes, and nothing of what chose the row.
    RowReader names(*set, where + ": set");
    names.expected = sizes.expected;
    llvm::erase_if(names.expected, [](const std::string &name) {
      return llvm::is_contained(kOfTheRow, StringRef(name));
    });
    names.finish();
    reader.adopt(sizes);
    reader.adopt(names);
  }
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

llvm::Expected<ScheduleRow> ScheduleRow::parse(const Object &object,
                                               std::string where) {
  RowReader reader(object, std::move(where));
  ScheduleRow row;
  row.name = reader.text("name");
  reader.where += " (" + row.name + ")";
  row.op = reader.text("op");
  if (row.op != "matmul" && row.op != "elementwise" && row.op != "reduce" &&
      row.op != "product")
    reader.fail("op", "\"matmul\", \"attention\", \"product\", "
                      "\"elementwise\" or \"reduce\"");
  row.targets = reader.names("targets");
  bool isMatmul = row.op == "matmul";
  if (row.op == "product")
    reader.read(row.limits);
  if (isMatmul) {
    row.weights = reader.text("weights");
    if (!llvm::is_contained(weightKinds(), StringRef(row.weights)))
      reader.fail("weights",
                  "one of \"" + llvm::join(weightKinds(), "\", \"") + "\"");
    reader.read(row.limits);
  }
  readSizes(reader, /*hasPipeline=*/isMatmul || row.op == "product", row.sizes);
  if (isMatmul)
    readCases(reader, object, row.cases);
  reader.finish();
  if (!reader.problem.empty())
    return llvm::createStringError(reader.problem);
  row.fields = object;
  return row;
}

llvm::Expected<AttentionRow> AttentionRow::parse(const Object &object,
                                                 std::string where) {
  RowReader reader(object, std::move(where));
  AttentionRow row;
  row.name = reader.text("name");
  reader.where += " (" + row.name + ")";
  (void)reader.text("op");
  row.targets = reader.names("targets");
  reader.read(row.limits);
  if (object.get("mask")) {
    std::string mask = reader.text("mask");
    if (mask == "none" || mask == "some")
      row.masked = mask == "some";
    else if (mask == "causal")
      row.causal = true;
    else
      reader.fail("mask", "\"none\", \"some\" or \"causal\"");
  } else {
    reader.expected.push_back("mask");
  }
  reader.expected.push_back("ragged");
  if (object.getBoolean("ragged") == false)
    row.ragged = AttentionRow::Ragged::None;
  else if (object.getString("ragged") == "packed")
    row.ragged = AttentionRow::Ragged::Packed;
  else if (object.get("ragged"))
    reader.fail("ragged", "false or \"packed\"");
  if (object.get("score_operands")) {
    std::string operands = reader.text("score_operands");
    if (operands == "known")
      row.scoreOperands = AttentionRow::ScoreOperands::Known;
    else if (operands == "only")
      row.scoreOperands = AttentionRow::ScoreOperands::Only;
    else
      reader.fail("score_operands", "\"known\" or \"only\"");
  } else {
    reader.expected.push_back("score_operands");
  }
  readSizes(reader, /*hasPipeline=*/true, row.sizes);
  readCases(reader, object, row.cases);
  reader.finish();
  if (!reader.problem.empty())
    return llvm::createStringError(reader.problem);
  return row;
}
