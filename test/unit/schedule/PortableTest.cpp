//===- PortableTest.cpp - What is predicted for boards not measured -------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduleTestSupport.h"
#include "SparseFlow/Schedule/Choice.h"
#include "SparseFlow/Target/NVPTX/Model.h"
#include "gtest/gtest.h"

#include <cmath>
#include <map>

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

/// 2:4 weights on targets whose kernels are mma.sync's.
class Portable : public testing::TestWithParam<const char *> {
protected:
  Portable() : target(*llvm::cantFail(parseTarget(GetParam()))) {
    context.loadDialect<sftile::SFTileDialect>();
  }

  ScheduleQuery ask(int64_t n, int64_t k) {
    ScheduleQuery query = test::matmulQuery("2:4", n, k);
    query.target = target.name;
    return query;
  }

  /// Microseconds for so many tokens; none of a schedule that does not fit.
  double timeOf(sftile::ScheduleAttr schedule, ScheduleQuery query,
                int64_t tokens) {
    query.tokens = tokens;
    std::vector<double> times =
        predictedTimes(schedule, query, Calibration::builtin(),
                       Calibration::builtin().machineOf(target));
    EXPECT_EQ(times.size(), 1u) << schedule.getName().str();
    return times.empty() ? 0 : times.front();
  }

  /// Of the row that the table's classes have.
  double timeOfClass(int64_t n, int64_t k, int64_t tokens) {
    ScheduleQuery query = ask(n, k);
    query.tokens = tokens;
    SmallVector<sftile::ScheduleAttr> rows = ScheduleTable::builtin().select(
        &context, query, [&] { return emitError(UnknownLoc::get(&context)); },
        [](StringRef, StringRef) {});
    EXPECT_EQ(rows.size(), 1u);
    return timeOf(rows.front(), query, tokens);
  }

  /// Of the kernels of a matmul of any number of tokens that one with so many
  /// runs.
  double time(int64_t n, int64_t k, int64_t tokens) {
    ScheduleQuery query = ask(n, k);
    ScheduleChoice &choice = choices[{n, k}];
    if (choice.schedules.empty())
      choice = chooseSchedules(&context, ScheduleTable::builtin(), query,
                               Calibration::builtin(), target);
    EXPECT_FALSE(choice.schedules.empty());
    if (tokens < choice.minTokens)
      return timeOfClass(n, k, tokens);
    for (const ChosenSchedule &one : choice.schedules)
      if (!one.maxTokens || one.maxTokens >= tokens)
        return timeOf(one.schedule, query, tokens);
    return 0;
  }

  MLIRContext context;
  const TargetInfo &target;
  std::map<std::pair<int64_t, int64_t>, ScheduleChoice> choices;
};

constexpr double kBytes = 1.125;

} // namespace

// Few tokens take as long as the board reads the weights, at least.
TEST_P(Portable, FewTokensReadWeights) {
  const TargetPeaks &board = *findPeaks(target.name);
  for (auto [n, k] : {std::pair<int64_t, int64_t>{28672, 8192}, {8192, 28672}})
    for (int64_t tokens : {1, 8, 16}) {
      double least = double(n) * double(k) * kBytes / board.memoryGBps / 1000;
      double us = time(n, k, tokens);
      EXPECT_GT(us, least) << n << " x " << k << ", " << tokens;
      EXPECT_LT(us, 1.6 * least) << n << " x " << k << ", " << tokens;
    }
}

// Many tokens take as long as the board's tensor cores, at least.
TEST_P(Portable, ManyTokensMultiply) {
  const TargetPeaks &board = *findPeaks(target.name);
  for (int64_t tokens : {2048, 8192}) {
    double least =
        2.0 * 8192 * 8192 * double(tokens) / board.sparseTflops / 1e6;
    double us = time(8192, 8192, tokens);
    EXPECT_GT(us, least) << tokens;
    EXPECT_LT(us, 2.5 * least) << tokens;
  }
}

// Every row of the table and every choice fits, whatever the size.
TEST_P(Portable, RowsFit) {
  for (int64_t n : {64, 384, 1536, 4096, 28672})
    for (int64_t k : {64, 576, 4096, 28672})
      for (int64_t tokens : {1, 16, 17, 64, 65, 512, 4096}) {
        EXPECT_GT(timeOfClass(n, k, tokens), 0) << n << " x " << k;
        EXPECT_GT(time(n, k, tokens), 0) << n << " x " << k << ", " << tokens;
      }
}

// By the model's own times a choice is seldom slower than the class that it
// replaces, and never by much: a kernel serves many numbers of tokens.
TEST_P(Portable, ChoicesBeatClasses) {
  constexpr double kMost = 1.25, kMean = 0.75;
  double sum = 0;
  int count = 0;
  for (int64_t n : {320, 896, 2752, 5440, 14336})
    for (int64_t k : {448, 1216, 3456, 11008})
      for (int64_t tokens :
           {17, 30, 64, 65, 90, 150, 257, 400, 700, 1100, 2100, 5000}) {
        double ratio = time(n, k, tokens) / timeOfClass(n, k, tokens);
        EXPECT_LT(ratio, kMost) << n << " x " << k << ", " << tokens;
        sum += std::log(ratio);
        ++count;
      }
  EXPECT_LT(std::exp(sum / count), kMean);
}

INSTANTIATE_TEST_SUITE_P(Targets, Portable,
                         testing::Values("sm_80", "sm_86", "sm_89"));
