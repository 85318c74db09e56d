//===- ChoiceTest.cpp - Schedules by predicted time -----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Schedule/Choice.h"
#include "ScheduleTestSupport.h"
#include "llvm/ADT/StringSet.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

std::string chosen(ArrayRef<std::vector<double>> times,
                   const ChoiceLimits &limits = {},
                   ArrayRef<double> dense = {}) {
  std::vector<int64_t> tokens;
  for (size_t i = 0; i < times.front().size(); ++i)
    tokens.push_back(int64_t(8) << i);
  std::string text;
  for (auto [candidate, place] :
       chooseIntervals({times, tokens, dense}, limits))
    text += char('a' + candidate) + std::to_string(place) + " ";
  return text;
}

class Chooser : public testing::Test {
protected:
  void SetUp() override { context.loadDialect<sftile::SFTileDialect>(); }

  ScheduleChoice choose(const ScheduleQuery &asked,
                        const ScheduleTable &table = ScheduleTable::builtin()) {
    return chooseSchedules(&context, table, asked, Calibration::builtin(),
                           *llvm::cantFail(parseTarget(asked.target)));
  }

  MLIRContext context;
};

} // namespace

TEST(ComparedTokens, EndAtTiles) {
  std::vector<int64_t> tokens = comparedTokens(17);
  EXPECT_EQ(tokens.front(), 24);
  EXPECT_LT(tokens.size(), 700u);
  for (int64_t end : {32, 48, 64, 96, 128, 160, 192, 256, 512, 4096})
    EXPECT_TRUE(llvm::is_contained(tokens, end)) << end;
  EXPECT_TRUE(llvm::is_sorted(tokens));
  EXPECT_EQ(comparedTokens(1).front(), 1);
}

TEST(ChooseIntervals, EachWhereItWins) {
  EXPECT_EQ(chosen({{1, 1, 3, 3}, {2, 2, 2, 2}}), "a1 b3 ");
  // The same kernel may serve two intervals.
  EXPECT_EQ(chosen({{1, 3, 1}, {2, 2, 2}}), "a0 b1 a2 ");
  // What gains nearly nothing is no kernel more.
  EXPECT_EQ(chosen({{1, 1, 1}, {1.001, 0.999, 1.001}}), "a2 ");
}

TEST(ChooseIntervals, Limits) {
  ChoiceLimits limits;
  limits.kernels = 1;
  EXPECT_EQ(chosen({{1, 9, 1}, {2, 2, 2}}, limits), "b2 ");
  limits.kernels = 8;
  limits.intervals = 2;
  EXPECT_EQ(chosen({{1, 3, 1, 3}, {3, 1, 3, 1}, {9, 9, 9, 9}}, limits).size(),
            6u);
}

// The best one of all is not among the best two.
TEST(ChooseIntervals, ExchangesKernels) {
  ChoiceLimits limits;
  limits.kernels = 2;
  EXPECT_EQ(chosen({{2, 2, 2, 2}, {1, 1, 9, 9}, {9, 9, 1, 1}}, limits),
            "b1 c3 ");
}

// One place that takes twice as long is worse than three that take 1.3 times.
TEST(ChooseIntervals, LargeLosses) {
  ChoiceLimits limits;
  limits.kernels = 1;
  std::vector<std::vector<double>> times = {{1, 1, 1, 2.6},
                                            {1.3, 1.3, 1.3, 1.3}};
  EXPECT_EQ(chosen(times, limits), "b3 ");
  limits.tail = limits.beyond = 0;
  EXPECT_EQ(chosen(times, limits), "a3 ");
}

// Little is lost at many places for one where dense weights would be faster,
// but nothing where no candidate is faster than those.
TEST(ChooseIntervals, DenseWeights) {
  ChoiceLimits limits;
  limits.kernels = 1;
  std::vector<std::vector<double>> times = {{1, 1, 1, 1.08},
                                            {1.05, 1.05, 1.05, 1}};
  EXPECT_EQ(chosen(times, limits), "a3 ");
  EXPECT_EQ(chosen(times, limits, {9, 9, 9, 1.08}), "b3 ");
  EXPECT_EQ(chosen(times, limits, {9, 9, 9, 9}), "a3 ");
  times = {{1, 1, 1, 1.08}, {1.05, 1.05, 1.05, 1.08}};
  EXPECT_EQ(chosen(times, limits, {9, 9, 9, 1}), "a3 ");
}

TEST(ChooseIntervals, WhereNoneCan) {
  // One serves few tokens only, another many.
  EXPECT_EQ(chosen({{1, kNever}, {kNever, 5}}), "a0 b1 ");
  EXPECT_EQ(chosen({{kNever, 1}, {kNever, 2}}), "");
}

TEST_F(Chooser, CoversAllTokens) {
  for (StringRef weights :
       {"2:4", "ternary", "ternary_i8", "ternary24", "ternary24_i8"})
    for (auto [n, k] : {std::pair<int64_t, int64_t>{640, 2560},
                        {384, 3584},
                        {4096, 4096},
                        {28672, 8192},
                        {3584, 18944}}) {
      ScheduleChoice choice = choose(test::matmulQuery(weights, n, k));
      ASSERT_FALSE(choice.schedules.empty()) << weights.str() << " " << n;
      EXPECT_LE(choice.schedules.size(), 64u);
      EXPECT_EQ(choice.schedules.back().maxTokens, 0);
      EXPECT_TRUE(choice.isMeasured);
      llvm::StringSet<> kernels;
      int64_t last = choice.minTokens - 1;
      for (const ChosenSchedule &one : choice.schedules) {
        kernels.insert(one.schedule.getName());
        EXPECT_GT(one.maxTokens ? one.maxTokens : INT64_MAX, last);
        last = one.maxTokens;
        EXPECT_GT(one.microseconds, 0);
        EXPECT_EQ(one.schedule.getMaxTokens(), one.maxTokens);
      }
      EXPECT_LE(kernels.size(), 10u);
    }
}

// 132 SMs are filled although 640 features are 5 tiles of 128.
TEST_F(Chooser, FewFeatures) {
  ScheduleQuery asked = test::matmulQuery("ternary_i8", 640, 2560);
  asked.tokens = 768;
  ScheduleChoice choice = choose(asked);
  ASSERT_EQ(choice.schedules.size(), 1u);
  sftile::ScheduleAttr schedule = choice.schedules.front().schedule;
  int64_t blocks = llvm::divideCeil(640, schedule.getBlock()[0]) *
                   llvm::divideCeil(768, schedule.getBlock()[1]) *
                   schedule.getSplitK();
  EXPECT_GE(blocks, 80);
  EXPECT_LE(blocks, 132);
}

TEST_F(Chooser, ClassesDecideOtherwise) {
  // Rows are for fewer tokens than families.
  ScheduleQuery asked = test::matmulQuery("ternary_i8", 4096, 4096);
  asked.tokens = 4;
  EXPECT_TRUE(choose(asked).schedules.empty());
  // Accesses of less than 16 bytes have no families.
  asked = test::matmulQuery("2:4", 4096, 4096);
  asked.unaligned = true;
  EXPECT_TRUE(choose(asked).schedules.empty());
  // Nor does a table without any.
  EXPECT_TRUE(choose(test::matmulQuery("2:4", 4096, 4096), ScheduleTable())
                  .schedules.empty());
}

// Tiles that spill with two planes are for one, and what MMAs of a unit cannot
// divide is for wider groups.
TEST_F(Chooser, PlanesAndScales) {
  auto members = [](StringRef weights, StringRef name, int64_t planes,
                    int64_t columns, bool exact = false) {
    ScheduleQuery asked = test::matmulQuery(weights, 4096, 4096);
    asked.facts.planes = planes;
    asked.facts.scaleColumns = columns;
    asked.exactScales = exact;
    return llvm::count_if(
        candidatesFor(ScheduleTable::builtin(), asked,
                      Calibration::builtin().machine.limits),
        [&](const ScheduleCandidate &candidate) {
          return StringRef(candidate.row.name).ends_with(name);
        });
  };
  for (StringRef kind : {"ternary_groups", "ternary_groups_i8"}) {
    EXPECT_EQ(members(kind, ".persistent.64x256", 1, 32), 1);
    EXPECT_EQ(members(kind, ".persistent.64x256", 2, 4096), 0);
    EXPECT_GE(members(kind, ".128x64", 2, 4096), 1);
  }
  EXPECT_EQ(members("ternary24_groups", "groups.64x64", 1, 64), 1);
  EXPECT_EQ(members("ternary24_groups", "groups.64x64", 1, 32), 0);
  EXPECT_EQ(members("ternary24_groups", "groups.64x64", 1, 32, true), 1);
}

// A row that needs results of whole chunks is for no other N.
TEST_F(Chooser, WholeResults) {
  auto members = [](int64_t n) {
    int found = 0;
    for (const ScheduleCandidate &candidate : candidatesFor(
             ScheduleTable::builtin(), test::matmulQuery("ternary", n, 4096),
             Calibration::builtin().machine.limits))
      found += StringRef(candidate.row.name)
                   .starts_with("sm90a.ternary.256.split.256x128");
    return found;
  };
  EXPECT_EQ(members(4096), 2);
  EXPECT_EQ(members(4097), 0);
}

// Rows of classes that remain count, too.
TEST_F(Chooser, FewerKernelsBesideClasses) {
  ScheduleQuery asked = test::matmulQuery("ternary_i8", 256, 896);
  auto kernels = [&](size_t rows) {
    std::vector<sftile::ScheduleAttr> classes(
        rows, ScheduleTable::builtin()
                  .select(
                      &context, asked,
                      [&] { return emitError(UnknownLoc::get(&context)); },
                      [](StringRef, StringRef) {})
                  .front());
    llvm::StringSet<> names;
    for (const ChosenSchedule &one :
         chooseSchedules(&context, ScheduleTable::builtin(), asked,
                         Calibration::builtin(),
                         *llvm::cantFail(parseTarget(asked.target)), classes)
             .schedules)
      names.insert(one.schedule.getName());
    return names.size();
  };
  EXPECT_GT(kernels(0), 4u);
  EXPECT_LE(kernels(8), 4u);
  EXPECT_EQ(kernels(20), 1u);
}

TEST_F(Chooser, Avoids) {
  ScheduleQuery asked = test::matmulQuery("2:4", 4096, 4096);
  std::vector<std::string> avoid = {
      choose(asked).schedules.front().schedule.getName().str()};
  asked.avoid = avoid;
  for (const ChosenSchedule &one : choose(asked).schedules)
    EXPECT_NE(one.schedule.getName(), avoid.front());
}

TEST_F(Chooser, AvoidsLargerTilesOfAFamily) {
  ScheduleQuery asked = test::matmulQuery("2:4", 4096, 4096);
  ModelMachine machine = Calibration::builtin().machineOf(
      *llvm::cantFail(parseTarget(asked.target)));
  auto remain = [&](StringRef text) {
    return llvm::any_of(
        candidatesFor(ScheduleTable::builtin(), asked, machine.limits),
        [&](const ScheduleCandidate &one) { return one.row.name == text; });
  };
  std::vector<std::string> avoid = {
      "sm90a.sparse.256.wide.persistent.256x160.cluster1"};
  ASSERT_TRUE(remain("sm90a.sparse.256.wide.persistent.256x192.cluster2"));
  asked.avoid = avoid;
  EXPECT_FALSE(remain("sm90a.sparse.256.wide.persistent.256x160.cluster2"));
  EXPECT_FALSE(remain("sm90a.sparse.256.wide.persistent.256x192.cluster2"));
  EXPECT_TRUE(remain("sm90a.sparse.256.wide.persistent.256x144.cluster1"));
  EXPECT_TRUE(remain("sm90a.sparse.shared.persistent.128x224"));
}

TEST(Families, Errors) {
  auto refused = [](StringRef from, StringRef to, StringRef expected) {
    std::string text = R"({"format": "sparseflow-schedules", "version": 1,
      "rows": [], "families": [{"name": "f", "weights": ["2:4"],
        "targets": ["sm_90a"], "where": [{"min_tokens": 17}],
        "features": [[64, 16]], "tokens": [32, 64],
        "row": {"pipeline": {"kind": "warp_specialized", "k": 64,
                             "stages": 8}},
        "vary": {"split_k": [1, 2]}}]})";
    size_t at = text.find(from.str());
    ASSERT_NE(at, std::string::npos) << from.str();
    auto parsed =
        ScheduleTable::parse(text.replace(at, from.size(), to.str()), "t.json");
    if (expected.empty()) {
      ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
      EXPECT_EQ(parsed->families().front().members("2:4").size(), 4u);
      EXPECT_EQ(parsed->families().front().members("2:4").back().name,
                "f.64x64.split_k2");
      return;
    }
    ASSERT_FALSE(bool(parsed)) << expected.str();
    std::string message = llvm::toString(parsed.takeError());
    EXPECT_TRUE(StringRef(message).contains(expected)) << message;
  };
  refused("17", "1", "");
  refused("[{\"name\"", "{\"name\"", "not JSON");
  refused("\"where\": [{\"min_tokens\": 17}]", "\"where\": []",
          "family 0 (f): expected \"where\" to be a list of limits, not empty");
  refused("17", "0", "expected \"min_tokens\" to be an integer of at least 1");
  refused("[[64, 16]]", "[[64]]", "[features of a block, of a warp]");
  refused("[32, 64]", "[0]", "\"tokens\" to be a list of positive integers");
  refused("\"split_k\"", "\"split\"", "there is no \"split\"");
  refused("[1, 2]", "[]", "lists of integers, none empty");
  refused("\"2:4\"", "\"4:8\"", "expected \"weights\" to be a list of \"2:4\"");
  refused("{\"min_tokens\": 17}", "17",
          "expected \"where\" to be a list of objects");
  std::string tiles = R"("features": [[64, 16]], "tokens": [32, 64])";
  refused(tiles, tiles + ", \"tiles\": []",
          "\"tiles\" to be given without \"features\" and \"tokens\"");
  refused(tiles, R"("tiles": [{"block": [64, 32]}])",
          "\"tiles\" to be a list of {\"block\": [features, tokens], "
          "\"warp\": [features, tokens]}");
  refused("[[64, 16]]", "[]",
          "\"tiles\" to be a list, or \"features\" and \"tokens\" two lists, "
          "not empty");
  refused("\"row\": {\"pipeline\"", "\"rows\": {\"pipeline\"",
          "\"row\" to be an object with a \"pipeline\"");
  std::string many = "[1";
  for (int i = 0; i < 5000; ++i)
    many += ", 1";
  refused("[1, 2]", many + "]", "at most 10000 combinations with the tiles");
  refused("\"k\": 64", "\"k\": 65", "f): row");
}
