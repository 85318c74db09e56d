//===- ChoicePropertiesTest.cpp - What holds of every choice --------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matmuls that nobody listed, others whenever the schedule table changes: its
// text is the seed.
//
//===----------------------------------------------------------------------===//

#include "ScheduleTestSupport.h"
#include "SparseFlow/Schedule/Choice.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include "gtest/gtest.h"

#include <cmath>
#include <ctime>
#include <random>

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

constexpr int64_t kMostTokens = 8192;
// Kernels of a matmul but the one for unaligned pointers.
constexpr size_t kMostKernels = 12;
constexpr double kMostSeconds = 3;
// Ten kernels of up to two hundred cannot be the best at each number of
// tokens. Their time by that of the best, at any; how much of log T may be
// beyond what is tolerated; and on average over it.
constexpr double kMostLoss = 1.35, kTolerated = 1.15, kShareBeyond = 0.2;
constexpr double kMostMeanLoss = 1.06;

double secondsOfThisProcess() { return double(std::clock()) / CLOCKS_PER_SEC; }

class AnyMatmul : public testing::Test {
protected:
  void SetUp() override {
    context.loadDialect<sftile::SFTileDialect>();
    auto text = llvm::MemoryBuffer::getFile(SPARSEFLOW_SOURCE_DIR
                                            "/lib/Schedule/schedules.json");
    ASSERT_TRUE(bool(text));
    random.seed(llvm::xxh3_64bits((*text)->getBuffer()));
  }

  /// A size of 2^low to 2^high, each power as likely.
  int64_t size(double low, double high) {
    return int64_t(
        std::exp2(std::uniform_real_distribution<>(low, high)(random)));
  }
  bool coin() { return random() % 2; }

  /// A matmul as SelectSchedule asks for it. Half of them have sizes that are
  /// multiples of 64.
  ScheduleQuery any(StringRef weights, StringRef target) {
    bool dense = weights == "dense", ternary = weights.starts_with("ternary");
    bool even = coin();
    int64_t n = size(3, 15), k = size(5, 14.5);
    ScheduleQuery query = test::matmulQuery(weights, n, k);
    if (even) {
      query.n = llvm::alignTo(n, 64);
      query.k = llvm::alignTo(k, 64);
    } else if (!ternary || weights.starts_with("ternary24")) {
      query.k = llvm::alignTo(k, 4);
    }
    query.target = target;
    query.operands = int64_t(random() % 3);
    query.fullOperands = query.operands && coin() ? 1 : 0;
    query.unaligned = dense && query.k % 8 != 0;
    query.wholeRows = query.k * 16 % 128 == 0;
    query.holdable = query.integer && coin();
    if (weights.contains("groups"))
      query.facts.scaleColumns = 64;
    return query;
  }

  MLIRContext context;
  std::mt19937_64 random;
};

std::string textOf(const ScheduleQuery &query) {
  std::string text;
  llvm::raw_string_ostream(text)
      << query.target << " " << query.weights << " " << query.n << " x "
      << query.k << ", " << query.operands << " operands, "
      << query.fullOperands << " full" << (query.holdable ? ", holdable" : "");
  return text;
}

/// What a matmul with any number of tokens gets, in the order of launches'
/// tests.
std::vector<sftile::ScheduleAttr> kernelsOf(ArrayRef<sftile::ScheduleAttr> rows,
                                            const ScheduleChoice &choice) {
  std::vector<sftile::ScheduleAttr> all;
  for (sftile::ScheduleAttr row : rows)
    if (!choice.serves(row, std::nullopt))
      all.push_back(row);
  for (const ChosenSchedule &one : choice.schedules)
    all.push_back(one.schedule);
  return all;
}

/// How many times as long as the best candidate a choice takes.
class Losses {
public:
  Losses(const ScheduleQuery &query, const Calibration &calibration,
         const ModelMachine &machine) {
    for (ScheduleCandidate &candidate :
         candidatesFor(ScheduleTable::builtin(), query, machine.limits))
      if (auto time =
              CandidateTime::of(candidate, query, machine, calibration)) {
        byName[candidate.row.name] = times.size();
        times.push_back(std::move(*time));
      }
  }

  double operator()(StringRef name, int64_t tokens) const {
    double best = std::numeric_limits<double>::infinity();
    for (const CandidateTime &time : times)
      best = std::min(best, time(tokens));
    return times[byName.lookup(name)](tokens) / best;
  }

private:
  std::vector<CandidateTime> times;
  llvm::StringMap<size_t> byName;
};

} // namespace

TEST_F(AnyMatmul, HasFewKernelsThatFitForAllTokens) {
  constexpr int kEach = 12;
  double longest = 0;
  for (const TargetInfo &target : knownTargets())
    for (StringRef weights : weightKinds())
      for (int i = 0; i < kEach; ++i) {
        ScheduleQuery query = any(weights, target.name);
        SCOPED_TRACE(textOf(query));
        SmallVector<sftile::ScheduleAttr> rows =
            ScheduleTable::builtin().select(
                &context, query,
                [&] { return emitError(UnknownLoc::get(&context)); },
                [](StringRef, StringRef) {});
        double begin = secondsOfThisProcess();
        ScheduleChoice choice =
            chooseSchedules(&context, ScheduleTable::builtin(), query,
                            Calibration::builtin(), target, rows);
        longest = std::max(longest, secondsOfThisProcess() - begin);
        std::vector<sftile::ScheduleAttr> kernels = kernelsOf(rows, choice);
        ASSERT_FALSE(kernels.empty());
        llvm::StringSet<> names;
        int64_t last = 0;
        for (sftile::ScheduleAttr kernel : kernels) {
          names.insert(kernel.getName());
          // Each begins behind the one before, and the last has no end.
          bool isLast = kernel == kernels.back();
          EXPECT_EQ(kernel.getMaxTokens() == 0, isLast);
          EXPECT_TRUE(isLast || kernel.getMaxTokens() > last);
          last = kernel.getMaxTokens();
        }
        EXPECT_LE(names.size(), kMostKernels);
        for (const ChosenSchedule &one : choice.schedules) {
          std::vector<double> times =
              predictedTimes(one.schedule, query, Calibration::builtin(),
                             Calibration::builtin().machineOf(target));
          // Where it fits no SM it has no time.
          EXPECT_FALSE(times.empty()) << one.schedule.getName().str();
          EXPECT_TRUE(llvm::all_of(
              times, [](double us) { return us > 0 && us < 1e7; }));
        }
      }
  EXPECT_LT(longest, kMostSeconds);
}

TEST_F(AnyMatmul, IsNearTheBestAtEveryNumberOfTokens) {
  constexpr int kEach = 5;
  using Pair = std::pair<StringRef, StringRef>;
  for (auto [calibration, name] :
       {Pair("h200", "sm_90a"), Pair("h100", "sm_90a"), Pair("h200", "sm_80"),
        Pair("h200", "sm_86"), Pair("h200", "sm_89")})
    for (StringRef weights : weightKinds())
      for (int i = 0; i < kEach; ++i) {
        Calibration constants = llvm::cantFail(Calibration::load(calibration));
        ScheduleQuery query = any(weights, name);
        const TargetInfo &target = *llvm::cantFail(parseTarget(name));
        ScheduleChoice choice = chooseSchedules(
            &context, ScheduleTable::builtin(), query, constants, target);
        if (choice.schedules.empty())
          continue;
        SCOPED_TRACE(textOf(query) + ", " + calibration.str());
        ModelMachine machine = constants.machineOf(target);
        Losses losses(query, constants, machine);
        const ChosenSchedule *one = choice.schedules.data();
        double sum = 0, all = 0, beyond = 0;
        for (int64_t t = choice.minTokens; t <= kMostTokens; ++t) {
          if (one->maxTokens && one->maxTokens < t)
            ++one;
          double loss = losses(one->schedule.getName(), t);
          EXPECT_LE(loss, kMostLoss)
              << t << " tokens, " << one->schedule.getName().str();
          double weight = 1 / double(t);
          all += weight;
          sum += weight * std::log(loss);
          beyond += loss > kTolerated ? weight : 0;
        }
        EXPECT_LE(std::exp(sum / all), kMostMeanLoss);
        EXPECT_LE(beyond, kShareBeyond * all);
      }
}
