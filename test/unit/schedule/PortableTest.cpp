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

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

/// 2:4 weights on targets whose kernels are mma.sync's.
class Portable : public testing::TestWithParam<const char *> {
protected:
  Portable() : target(*llvm::cantFail(parseTarget(GetParam()))) {
    context.loadDialect<sftile::SFTileDialect>();
  }

  /// Microseconds of the row that the table has for so many tokens, and what it
  /// asks of an SM.
  double time(int64_t n, int64_t k, int64_t tokens) {
    ScheduleQuery query = test::matmulQuery("2:4", n, k);
    query.target = target.name;
    query.tokens = tokens;
    SmallVector<sftile::ScheduleAttr> rows = ScheduleTable::builtin().select(
        &context, query, [&] { return emitError(UnknownLoc::get(&context)); },
        [](StringRef, StringRef) {});
    EXPECT_EQ(rows.size(), 1u);
    std::vector<double> times =
        predictedTimes(rows.front(), query, Calibration::builtin(),
                       Calibration::builtin().machineOf(target));
    // There are none of a row that does not fit.
    EXPECT_EQ(times.size(), 1u) << rows.front().getName().str();
    return times.empty() ? 0 : times.front();
  }

  MLIRContext context;
  const TargetInfo &target;
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

// Every row of the table fits, whatever the size.
TEST_P(Portable, RowsFit) {
  for (int64_t n : {64, 384, 1536, 4096, 28672})
    for (int64_t k : {64, 576, 4096, 28672})
      for (int64_t tokens : {1, 16, 17, 64, 65, 512, 4096})
        EXPECT_GT(time(n, k, tokens), 0) << n << " x " << k << ", " << tokens;
}

INSTANTIATE_TEST_SUITE_P(Targets, Portable,
                         testing::Values("sm_80", "sm_86", "sm_89"));
