//===- TuningSpaceTest.cpp - Candidates and their model -------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Tune/Candidates.h"
#include "llvm/ADT/StringSet.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

TuneShape shape(int64_t t, int64_t n, int64_t k) {
  TuneShape result;
  result.t = t;
  result.n = n;
  result.k = k;
  return result;
}

/// Sizes of a warp-specialized row.
MatmulSizes row(int64_t features, int64_t tokens, int64_t stages,
                int64_t cluster = 1) {
  // Two warpgroups, each with half of the features.
  int64_t warpFeatures = std::max<int64_t>(16, features / 8);
  MatmulSizes sizes;
  sizes.tile.block = {features, tokens};
  sizes.tile.warp = {warpFeatures, tokens};
  sizes.tile.group = 8;
  sftile::WarpSpecializedFields pipeline;
  pipeline.k = 64;
  pipeline.stages = stages;
  pipeline.cluster = cluster;
  pipeline.grid = 132;
  sizes.pipeline = pipeline;
  return sizes;
}

TuneEstimate estimate(const MatmulSizes &sizes, const TuneShape &problem) {
  return estimateSizes(sizes, problem,
                       *TuningSpace::builtin().machine("sm_90a"));
}

const char *machineText =
    R"({"targets": ["sm_90"], "multiprocessors": 132, "shared_bytes": 232448,
        "clock_mhz": 1500, "memory_gbps": 4000, "latency_ns": 800,
        "launch_us": 2})";
const char *familyText =
    R"({"name": "a", "targets": ["sm_90"], "weights": ["2:4"],
        "row": {"pipeline": {"kind": "multistage", "k": 64}},
        "tiles": [{"block": [128, 64], "warp": [32, 32]}],
        "vary": {"pipeline.stages": [3, 4]}})";

std::string space(const std::string &machine, const std::string &family,
                  const std::string &more = "\"shapes\": [\"64x64x64\"]") {
  return R"({"format": "sparseflow-tuning-space", "version": 1,
             "machines": [)" +
         machine + "], \"families\": [" + family + "], " + more + "}";
}

void refused(const std::string &text, StringRef expected) {
  llvm::Expected<TuningSpace> parsed = TuningSpace::parse(text, "f.json");
  ASSERT_FALSE(bool(parsed)) << expected.str();
  std::string message = llvm::toString(parsed.takeError());
  EXPECT_TRUE(StringRef(message).contains(expected)) << message;
}

} // namespace

TEST(TuneModel, SharedMemory) {
  // Five stages of 128 x 256 fit with one box a warpgroup, six do not.
  TuneEstimate five = estimate(row(128, 256, 5), shape(4096, 4096, 4096));
  EXPECT_EQ(five.refusal, "");
  // Two mbarriers a stage.
  EXPECT_EQ(five.sharedBytes,
            5 * (128 * 72 + 256 * 128) + 2 * 64 * 128 + 5 * 16);
  EXPECT_NE(estimate(row(128, 256, 6), shape(4096, 4096, 4096))
                .refusal.find("of shared memory of 232448"),
            std::string::npos);
}

TEST(TuneModel, Registers) {
  // Three warpgroups with 128 accumulators: ptxas refuses 155 registers of 128.
  MatmulSizes three = row(192, 256, 3);
  three.tile.warp = {16, 256};
  EXPECT_NE(
      estimate(three, shape(4096, 4096, 4096)).refusal.find("accumulators"),
      std::string::npos);
  // 208 accumulators spilled 5 KB; 192 did fit.
  EXPECT_NE(estimate(row(256, 208, 3), shape(4096, 4096, 4096)).refusal, "");
  EXPECT_EQ(estimate(row(256, 192, 4), shape(4096, 4096, 4096)).refusal, "");
}

TEST(TuneModel, Waves) {
  // As measured: at 2048^3 a whole wave of 128 x 256 comes before 256 x 192; at
  // 3072^3 exactly two waves of 256 x 144 come before 2.2 of the others.
  auto us = [](int64_t features, int64_t tokens, int64_t stages, int64_t size) {
    return estimate(row(features, tokens, stages, 2), shape(size, size, size))
        .microseconds;
  };
  EXPECT_LT(us(128, 256, 5, 2048), us(256, 192, 4, 2048));
  EXPECT_LT(us(256, 144, 5, 3072), us(256, 128, 5, 3072));
  EXPECT_LT(us(256, 144, 5, 3072), us(128, 256, 5, 3072));
  EXPECT_EQ(estimate(row(256, 144, 5, 2), shape(3072, 3072, 3072)).waves, 2);
  // As bench/results/h200-sweep.json has it, where nothing runs for so long
  // that the clock falls far.
  EXPECT_NEAR(us(128, 256, 5, 4096), 121, 24);
}

TEST(TuneModel, FewTokensWaitForMemory) {
  MatmulSizes narrow;
  narrow.tile.block = {128, 16};
  narrow.tile.warp = {32, 16};
  sftile::MultistageFields pipeline;
  pipeline.k = 64;
  pipeline.stages = 5;
  narrow.pipeline = pipeline;
  // 32 blocks for 132 multiprocessors: more parts are faster.
  double one = estimate(narrow, shape(16, 4096, 4096)).microseconds;
  narrow.split = SplitRule{264, 256};
  TuneEstimate parts = estimate(narrow, shape(16, 4096, 4096));
  EXPECT_EQ(parts.tiles, 32 * 9);
  EXPECT_LT(parts.microseconds, one);
  // Never faster than the bytes.
  EXPECT_GT(parts.microseconds, 4096.0 * 4096 * 1.125 / 4000 / 1000);
}

TEST(TuningSpace, Builtin) {
  const TuningSpace &space = TuningSpace::builtin();
  EXPECT_EQ(space.shapes().size(), 16u);
  for (const TuneShape &problem : space.shapes()) {
    size_t dropped = 0;
    std::vector<TuneCandidate> list =
        space.candidates(problem, "sm_90a", ScheduleTable(), 12, dropped);
    EXPECT_GE(list.size(), 8u) << problem.name();
    llvm::StringSet<> names;
    double last = 0;
    for (const TuneCandidate &candidate : list) {
      EXPECT_TRUE(names.insert(*candidate.row.getString("name")).second)
          << candidate.row.getString("name")->str();
      EXPECT_EQ(*candidate.row.getString("weights"), "2:4");
      EXPECT_LE(last, candidate.estimate.microseconds);
      last = candidate.estimate.microseconds;
    }
  }
  size_t dropped = 0;
  EXPECT_TRUE(space
                  .candidates(space.shapes()[0], "sm_120",
                              ScheduleTable::builtin(), 12, dropped)
                  .empty());
}

TEST(TuningSpace, KeepsTilesApart) {
  std::string two = familyText;
  size_t dropped = 0;
  auto parsed = TuningSpace::parse(space(machineText, two), "f.json");
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  auto count = [&](const TuneShape &problem, size_t limit) {
    return parsed->candidates(problem, "sm_90", ScheduleTable(), limit, dropped)
        .size();
  };
  // One tile: a quarter of eight.
  EXPECT_EQ(count(shape(64, 64, 64), 8), 2u);
  EXPECT_EQ(count(shape(64, 64, 64), 4), 1u);
  TuneShape dense = shape(64, 64, 64);
  dense.form.kind = "dense";
  EXPECT_EQ(count(dense, 8), 0u);
}

TEST(TuningSpace, StartsFromTheTable) {
  // More shared memory than there is: the model refuses what is made of it, but
  // not what the table has.
  auto table = ScheduleTable::parse(R"({"format": "sparseflow-schedules",
      "version": 1, "rows": [
        {"name": "few", "op": "matmul", "weights": "2:4", "targets": ["sm_90"],
         "max_tokens": 16, "block": [64, 16], "warp": [16, 16], "pipeline":
          {"kind": "multistage", "k": 64, "stages": 3}},
        {"name": "elsewhere", "op": "matmul", "weights": "2:4",
         "targets": ["sm_90"], "min_n": 65, "block": [256, 64],
         "warp": [64, 32], "pipeline":
          {"kind": "multistage", "k": 64, "stages": 3}},
        {"name": "huge", "op": "matmul", "weights": "2:4",
         "targets": ["sm_90"], "max_n": 64, "block": [256, 256],
         "warp": [64, 32], "pipeline":
          {"kind": "multistage", "k": 64, "stages": 16}}]})",
                                    "t.json");
  ASSERT_TRUE(bool(table)) << llvm::toString(table.takeError());
  auto parsed = TuningSpace::parse(
      space(machineText, R"({"name": "t", "targets": ["sm_90"],
          "tiles": "schedules", "vary": {"pipeline.stages": [3, 4]}})"),
      "f.json");
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  size_t dropped = 0;
  std::vector<std::string> names;
  for (const TuneCandidate &candidate :
       parsed->candidates(shape(64, 64, 64), "sm_90", *table, 12, dropped)) {
    names.push_back(candidate.row.getString("name")->str());
    EXPECT_FALSE(candidate.row.get("min_n"));
    EXPECT_FALSE(candidate.row.get("max_n"));
  }
  llvm::sort(names);
  // Rows for other sizes are tiles too; three stages of one are the row itself.
  EXPECT_EQ(names, (std::vector<std::string>{"elsewhere", "elsewhere.stages4",
                                             "huge"}));
  EXPECT_EQ(dropped, 2u);
  // Whatever the number of candidates.
  auto one = parsed->candidates(shape(64, 64, 64), "sm_90", *table, 1, dropped);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(*one.front().row.getString("name"), "huge");
}

TEST(TuningSpace, CoversEveryFormOfWeights) {
  std::vector<TuneForm> forms(2);
  forms[1].kind = "dense";
  for (const char *storage : {"codes", "two_four", "two_four_zero"})
    for (int64_t group : {0, 32, 64, 128, 256})
      for (int64_t planes : {1, 2})
        for (bool integer : {false, true}) {
          TuneForm form;
          bool pairs = StringRef(storage) != "codes";
          form.kind = ternaryKind(pairs, group || planes > 1, integer);
          form.group = group;
          form.planes = planes;
          form.integer = integer;
          form.zeros = StringRef(storage) == "two_four_zero";
          // Weights that keep pairs have one plane.
          if (!pairs || planes == 1)
            forms.push_back(form);
        }
  EXPECT_EQ(forms.size(), 2u + 20 + 10 + 10);
  const TuningSpace &space = TuningSpace::builtin();
  const ScheduleTable &table = ScheduleTable::builtin();
  llvm::StringSet<> kinds;
  for (const TuneForm &form : forms) {
    kinds.insert(form.kind);
    auto read = parseTuneForm(form.name());
    ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
    EXPECT_EQ(read->name(), form.name());
    for (const char *target : {"sm_90", "sm_90a"})
      for (int64_t tokens : {1, 16, 17, 4096}) {
        TuneShape problem = shape(tokens, 4096, 4096);
        problem.form = form;
        size_t dropped = 0;
        // The table's own and others.
        EXPECT_GE(space.candidates(problem, target, table, 12, dropped).size(),
                  4u)
            << problem.name() << " on " << target;
      }
  }
  EXPECT_EQ(kinds.size(), weightKinds().size());
}

TEST(TuningSpace, Errors) {
  refused("{", "f.json: not JSON");
  refused("[]", "\"format\": \"sparseflow-tuning-space\"");
  refused(R"({"format": "sparseflow-tuning-space", "version": 2})",
          "\"version\": 1");
  refused(space("{}", familyText), "machine 0: expected \"targets\"");
  refused(space(machineText, "{}"), "family 0: expected \"name\"");
  refused(space(machineText, familyText, "\"shapes\": [\"64x64\"]"),
          "found '64x64'");
  refused(space(machineText, familyText, "\"shapes\": [\"1x4x4\"], \"odd\": 1"),
          "the space: unknown member \"odd\"; expected format, version");
  std::string family = familyText;
  auto with = [&](StringRef from, StringRef to) {
    std::string text = familyText;
    size_t at = text.find(from.str());
    EXPECT_NE(at, std::string::npos);
    return space(machineText, text.replace(at, from.size(), to.str()));
  };
  refused(with("[3, 4]", "[]"), "lists of values, none empty");
  refused(
      with("\"pipeline\": {\"kind\": \"multistage\", \"k\": 64}", "\"k\": 64"),
      "expected \"row\" to be an object with the \"pipeline\" of a schedule "
      "table's row");
  refused(with("[3, 4]", "3"), "lists of values, none empty");
  refused(with("\"tiles\": [{", "\"tile\": [{"), "\"tiles\" to be a list");
  refused(with("\"name\": \"a\"", "\"name\": 1"), "\"name\" to be a string");
  std::string many = "[3";
  for (int i = 0; i < 100000; ++i)
    many += ", 3";
  refused(with("[3, 4]", many + "]"),
          "at most 100000 combinations with the tiles");
  refused(space(machineText, familyText,
                R"("shapes": ["1x4x4"],
                   "calibration": {"sizes": ["64x64"], "tokens": []})"),
          "\"tokens\" to be a list of numbers of tokens");
}

TEST(TuneForm, Names) {
  auto named = [](StringRef text) {
    auto parsed = parseTuneForm(text);
    if (!parsed)
      return "error: " + llvm::toString(parsed.takeError());
    return parsed->name();
  };
  EXPECT_EQ(named("2:4"), "2:4");
  EXPECT_EQ(named("ternary_i8"), "ternary_i8");
  EXPECT_EQ(named("ternary_groups"), "ternary_groups.g128");
  EXPECT_EQ(named("ternary_groups_i8.p2.row"), "ternary_groups_i8.row.p2");
  EXPECT_EQ(named("ternary_groups.f32.g32"), "ternary_groups.g32.f32");
  EXPECT_EQ(named("ternary_groups.int4"), "ternary_groups.g128.int4");
  EXPECT_EQ(named("ternary.int8"), "ternary.int8");
  EXPECT_EQ(named("ternary24_groups.i8.zeros"),
            "ternary24_groups.g128.zeros.i8");
  EXPECT_EQ(named("ternary25"),
            "error: expected one of 2:4, dense, ternary, ternary_i8, "
            "ternary_groups, ternary_groups_i8, ternary24, ternary24_i8, "
            "ternary24_groups, the last ones perhaps with .g64 or the like, "
            "found 'ternary25'");
  // What another kind is for, what no kernel is for, what nothing says.
  for (const char *text : {"ternary.g64",
                           "ternary.p2",
                           "ternary.i8",
                           "ternary_groups.row",
                           "ternary_groups.g48",
                           "ternary_groups.g",
                           "ternary_groups.zeros",
                           "ternary_groups.i8",
                           "ternary24.i8",
                           "ternary24_groups.p2",
                           "ternary24_groups.row",
                           "2:4.zeros",
                           "dense.p2",
                           "dense.i8",
                           "ternary.f32",
                           "ternary_groups_i8.f32",
                           "ternary_groups.p2.f32",
                           "ternary_i8.int4",
                           "ternary24.int8",
                           "dense.int4",
                           "ternary24.",
                           "ternary24.zero"})
    EXPECT_NE(named(text).find("is no form of weights: expected behind"),
              std::string::npos)
        << text << ": " << named(text);
}

TEST(TuneModel, FormsOfWeights) {
  // Few tokens take as long as their bytes.
  auto us = [](const char *name) {
    MatmulSizes row;
    row.tile.block = row.tile.warp = {32, 8};
    sftile::StreamedFields pipeline;
    pipeline.k = 128;
    pipeline.stages = 3;
    pipeline.kWarps = 16;
    row.pipeline = pipeline;
    TuneShape problem = shape(1, 28672, 8192);
    problem.form = llvm::cantFail(parseTuneForm(name));
    TuneEstimate found = estimate(row, problem);
    EXPECT_EQ(found.refusal, "") << name;
    return found.microseconds;
  };
  EXPECT_LT(us("ternary"), us("ternary_groups.g256"));
  EXPECT_LT(us("ternary_groups.g256"), us("ternary_groups.g32"));
  // Twice the bytes, beside what a launch and the activations take.
  EXPECT_LT(1.5 * us("ternary_groups.g128"), us("ternary_groups.g128.p2"));
  EXPECT_LT(us("ternary24"), us("ternary24.zeros"));
  EXPECT_LT(us("ternary24.zeros"), us("ternary24_groups.zeros"));
}

TEST(TuneShape, Names) {
  auto parsed = parseTuneShape("16x4096x11008");
  ASSERT_TRUE(bool(parsed));
  EXPECT_EQ(parsed->name(), "16x4096x11008-2:4-f16");
  for (const char *text : {"", "16", "16x4096", "0x4x4", "-1x4x4", "1x6x4",
                           "1x4x5", "1x4x4x4", "ax4x4", "99999999999x4x4"}) {
    auto bad = parseTuneShape(text);
    ASSERT_FALSE(bool(bad)) << text;
    llvm::consumeError(bad.takeError());
  }
}
