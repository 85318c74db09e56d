//===- Choice.cpp - Schedules by predicted time ---------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Schedule/Choice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>
#include <utility>

using namespace mlir;
using namespace mlir::sparseflow;

//===----------------------------------------------------------------------===//
// Intervals
//===----------------------------------------------------------------------===//

// Compared are 64 numbers of tokens for each doubling, but none nearer to each
// other than tiles may end. Behind the end of a wave of tiles times leap; of 16
// numbers none is near enough.
static constexpr int64_t kLeastStep = 8, kStepsOfDoubling = 128;
static constexpr int64_t kMostCompared = 16384;
static constexpr double kNever = std::numeric_limits<double>::infinity();

// Beyond it times grow with tokens, for all kernels alike.
static constexpr int64_t kMostPredicted = 16384;

std::vector<int64_t> mlir::sparseflow::comparedTokens(int64_t first) {
  std::vector<int64_t> tokens;
  if (first < kLeastStep)
    tokens.push_back(first);
  for (int64_t t = llvm::alignTo(first, kLeastStep); t <= kMostCompared;) {
    tokens.push_back(t);
    auto step = int64_t(llvm::bit_floor(uint64_t(t))) / kStepsOfDoubling;
    t += std::max(step, kLeastStep);
  }
  return tokens;
}

/// Each place counts by the logarithm of its interval: as many users have 16 to
/// 32 tokens as have 1,024 to 2,048.
static std::vector<double> weightsOf(ArrayRef<int64_t> tokens) {
  std::vector<double> weights(tokens.size());
  double all = 0;
  for (auto [i, t] : llvm::enumerate(tokens)) {
    double before = i ? double(tokens[i - 1]) : double(t) / 2;
    weights[i] = std::log(double(t) / before);
    all += weights[i];
  }
  for (double &weight : weights)
    weight /= all;
  return weights;
}

namespace {
/// What times at a place cost beside the best there, weighted.
class Losses {
public:
  Losses(const PlaceTimes &times, const ChoiceLimits &limits)
      : losses(times.candidates.begin(), times.candidates.end()) {
    std::vector<double> weights = weightsOf(times.tokens);
    for (size_t place = 0; place < times.tokens.size(); ++place) {
      double best = kNever;
      for (const std::vector<double> &ofCandidate : losses)
        best = std::min(best, ofCandidate[place]);
      double enough = times.dense.empty()
                          ? kNever
                          : times.dense[place] * (1 - limits.denseMargin);
      double unavoidable = std::max(0.0, std::log(best / enough));
      for (std::vector<double> &ofCandidate : losses) {
        double &loss = ofCandidate[place];
        if (loss == kNever)
          continue;
        double slower = std::log(loss / best);
        double beyond = std::max(0.0, slower - limits.tolerated);
        double behindDense =
            std::max(0.0, std::log(loss / enough)) - unavoidable;
        loss = weights[place] *
               (slower + limits.tail * slower * slower +
                limits.beyond * beyond * beyond + limits.dense * behindDense);
      }
    }
  }

  size_t candidates() const { return losses.size(); }
  size_t places() const { return losses.front().size(); }
  double at(size_t candidate, size_t place) const {
    return losses[candidate][place];
  }

private:
  std::vector<std::vector<double>> losses;
};
} // namespace

// What a place without any candidate costs while kernels are collected.
static constexpr double kUnserved = 1000;

/// The candidates that matter: one after the other the one that helps most.
static std::vector<size_t> chooseKernels(const Losses &losses,
                                         const ChoiceLimits &limits) {
  std::vector<size_t> chosen;
  std::vector<double> least(losses.places(), kUnserved);
  while (chosen.size() < limits.kernels) {
    size_t best = losses.candidates();
    double most = chosen.empty() ? 0 : limits.gainOfKernel;
    for (size_t c = 0; c < losses.candidates(); ++c) {
      double gain = 0;
      for (size_t place = 0; place < losses.places(); ++place)
        gain += std::max(0.0, least[place] - losses.at(c, place));
      if (gain > most) {
        most = gain;
        best = c;
      }
    }
    if (best == losses.candidates())
      break;
    chosen.push_back(best);
    for (size_t place = 0; place < losses.places(); ++place)
      least[place] = std::min(least[place], losses.at(best, place));
  }
  return chosen;
}

/// Exchanges one of `kernels` for another candidate as long as that helps: what
/// was taken first may matter little beside what came later.
static void exchangeKernels(const Losses &losses,
                            std::vector<size_t> &kernels) {
  constexpr double kLeastGain = 1e-5;
  std::vector<double> others(losses.places());
  auto costWith = [&](size_t candidate) {
    double cost = 0;
    for (size_t place = 0; place < losses.places(); ++place)
      cost += std::min(others[place], losses.at(candidate, place));
    return cost;
  };
  for (bool improved = true; std::exchange(improved, false);)
    for (size_t &kernel : kernels) {
      others.assign(losses.places(), kUnserved);
      for (size_t other : kernels)
        for (size_t place = 0; other != kernel && place < losses.places();
             ++place)
          others[place] = std::min(others[place], losses.at(other, place));
      double least = costWith(kernel) - kLeastGain;
      for (size_t c = 0; c < losses.candidates(); ++c)
        if (double cost = costWith(c); cost < least) {
          least = cost;
          kernel = c;
          improved = true;
        }
    }
}

/// The kernels that cost least of those that searches find. An exchange of one
/// kernel after the other ends near where it began: searches begin with what is
/// best where large losses count as much as small ones, too.
static std::vector<size_t> searchKernels(const PlaceTimes &times,
                                         const Losses &losses,
                                         const ChoiceLimits &limits) {
  ChoiceLimits square = limits, linear = limits;
  square.beyond = linear.beyond = linear.tail = 0;
  std::vector<size_t> best;
  double least = kNever;
  for (const ChoiceLimits &first : {limits, square, linear}) {
    Losses begin(times, first);
    std::vector<size_t> kernels = chooseKernels(begin, first);
    exchangeKernels(begin, kernels);
    exchangeKernels(losses, kernels);
    double cost = 0;
    for (size_t place = 0; place < losses.places(); ++place) {
      double served = kUnserved;
      for (size_t kernel : kernels)
        served = std::min(served, losses.at(kernel, place));
      cost += served;
    }
    if (cost < least) {
      least = cost;
      best = std::move(kernels);
    }
  }
  return best;
}

/// The cheapest sequence of `kernels` over the places, where each change costs
/// `change`.
static std::vector<ChosenInterval> cheapestSequence(const Losses &losses,
                                                    ArrayRef<size_t> kernels,
                                                    double change) {
  size_t places = losses.places();
  std::vector<double> cost(kernels.size(), 0);
  // Where a sequence comes from that ends at a place with a kernel.
  std::vector<std::vector<size_t>> from(places);
  for (size_t place = 0; place < places; ++place) {
    size_t cheapest = llvm::min_element(cost) - cost.begin();
    std::vector<double> next(kernels.size());
    from[place].resize(kernels.size());
    for (size_t i = 0; i < kernels.size(); ++i) {
      bool changes = place > 0 && cost[cheapest] + change < cost[i];
      from[place][i] = changes ? cheapest : i;
      next[i] = (changes ? cost[cheapest] + change : cost[i]) +
                losses.at(kernels[i], place);
    }
    cost = std::move(next);
  }
  size_t kernel = llvm::min_element(cost) - cost.begin();
  if (cost[kernel] == kNever)
    return {};
  std::vector<ChosenInterval> intervals;
  for (size_t place = places; place-- > 0;) {
    if (intervals.empty() || intervals.back().candidate != kernels[kernel])
      intervals.push_back({kernels[kernel], place});
    kernel = from[place][kernel];
  }
  std::reverse(intervals.begin(), intervals.end());
  return intervals;
}

std::vector<ChosenInterval>
mlir::sparseflow::chooseIntervals(const PlaceTimes &times,
                                  const ChoiceLimits &limits) {
  if (times.candidates.empty() || times.tokens.empty())
    return {};
  Losses losses(times, limits);
  std::vector<size_t> kernels = searchKernels(times, losses, limits);
  for (double change = limits.gainOfSwitch;; change *= 2) {
    std::vector<ChosenInterval> intervals =
        cheapestSequence(losses, kernels, change);
    if (intervals.size() <= limits.intervals)
      return intervals;
  }
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// Gives `sizes` boxes of results that its tokens are a multiple of, and as
/// many stages as fit, or no others if `allStages`. False if there is no such
/// kernel.
static bool makeFit(MatmulSizes &sizes, const MatmulWork &work,
                    const SMLimits &limits, bool allStages) {
  // Of 16 tokens an epilogue stores four matrices at once, of 8 two.
  constexpr int64_t kBoxTokens = 16, kLeastBox = 8;
  int64_t *stages = nullptr, leastStages = 2, part = 0;
  if (auto *specialized =
          std::get_if<sftile::WarpSpecializedFields>(&sizes.pipeline)) {
    part = sizes.tile.block[1] / (sizes.tile.splitK * specialized->kWarps);
    int64_t &box = specialized->storeTokens;
    while (box > kBoxTokens && part % box)
      box -= kBoxTokens;
    if (part % box)
      box = part % kBoxTokens == kLeastBox && part < 2 * kBoxTokens ? part
                                                                    : kLeastBox;
    stages = &specialized->stages;
    leastStages *= specialized->kWarps;
  } else if (auto *multistage =
                 std::get_if<sftile::MultistageFields>(&sizes.pipeline)) {
    stages = &multistage->stages;
  } else if (auto *streamed =
                 std::get_if<sftile::StreamedFields>(&sizes.pipeline)) {
    stages = &streamed->stages;
  }
  if (!stages)
    return false;
  auto fits = [&] { return resourcesOf(sizes, work, limits).refusal.empty(); };
  while (!allStages && *stages > leastStages && !fits())
    --*stages;
  if (!fits())
    return false;
  auto *specialized =
      std::get_if<sftile::WarpSpecializedFields>(&sizes.pipeline);
  if (!specialized || allStages || *stages > leastStages)
    return true;
  // Two stages hide no latency: smaller boxes of results leave room for one
  // more.
  int64_t whole = specialized->storeTokens;
  ++*stages;
  for (int64_t &box = specialized->storeTokens; box > kBoxTokens;) {
    box -= kBoxTokens;
    if (part % box == 0 && fits())
      return true;
  }
  --*stages;
  specialized->storeTokens = whole;
  return true;
}

namespace {
/// Asks whether sizes make a schedule, in a context of its own: what is wrong
/// with a member of a family is nobody's error.
class ScheduleCheck {
public:
  ScheduleCheck() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<sftile::SFTileDialect>();
    context.getDiagEngine().registerHandler(
        [](Diagnostic &) { return success(); });
  }

  /// The schedule, or null.
  sftile::ScheduleAttr operator()(StringRef name, const MatmulSizes &sizes) {
    return scheduleOf(&context, name, sizes,
                      [&] { return emitError(UnknownLoc::get(&context)); });
  }

private:
  MLIRContext context;
};
} // namespace

/// The blocks of those rows of the families of one name that `query` avoids.
static std::vector<sftile::Extent> avoidedBlocks(const ScheduleTable &table,
                                                 StringRef name,
                                                 const ScheduleQuery &query) {
  std::vector<sftile::Extent> blocks;
  if (query.avoid.empty())
    return blocks;
  for (const ScheduleFamily &family : table.families())
    if (family.name == name)
      for (const ScheduleRow &row : family.members(query.weights))
        if (llvm::is_contained(query.avoid, row.name))
          blocks.push_back(row.sizes.tile.block);
  return blocks;
}

/// Whether a block is as large as one of `avoided` in both directions. What
/// makes a kernel spill does so in its family's larger tiles, too: each of them
/// would cost a compilation to find that out.
static bool isAsLarge(sftile::Extent block, ArrayRef<sftile::Extent> avoided) {
  return llvm::any_of(avoided, [&](const sftile::Extent &other) {
    return block[0] >= other[0] && block[1] >= other[1];
  });
}

std::vector<ScheduleCandidate>
mlir::sparseflow::candidatesFor(const ScheduleTable &table,
                                const ScheduleQuery &query,
                                const SMLimits &limits) {
  std::vector<ScheduleCandidate> candidates;
  // Families are for accesses of 16 bytes.
  if (query.op != "matmul" || query.unaligned)
    return candidates;
  MatmulWork work = MatmulWork::of(query);
  std::optional<ScheduleCheck> isSchedule;
  for (const ScheduleFamily &family : table.families()) {
    const ScheduleFamily::Place *place = family.placeOf(query);
    if (!place || !llvm::is_contained(family.targets, query.target) ||
        !llvm::is_contained(family.weights, query.weights))
      continue;
    // Where stages vary, fewer of them are another member.
    bool allStages = llvm::any_of(
        family.vary, [](const auto &field) { return field.first == "stages"; });
    std::vector<sftile::Extent> avoided =
        avoidedBlocks(table, family.name, query);
    for (ScheduleRow &row : family.members(query.weights)) {
      if (isAsLarge(row.sizes.tile.block, avoided) || !canStream(row, query) ||
          !makeFit(row.sizes, work, limits, allStages))
        continue;
      row.sizes.tile.maxTokens = 0;
      int64_t split = splitFor(row, query);
      // What cannot be split so is another member.
      if (!row.sizes.split && split != row.sizes.tile.splitK)
        continue;
      MatmulSizes sizes = row.sizes;
      sizes.tile.splitK = split;
      if (!isSchedule)
        isSchedule.emplace();
      sftile::ScheduleAttr schedule = (*isSchedule)(row.name, sizes);
      if (!schedule)
        continue;
      ScheduleResources resources = resourcesOf(sizes, work, limits);
      candidates.push_back({std::move(row), std::move(resources), split,
                            !whyWarpgroupsApart(schedule).empty(),
                            place->minTokens});
    }
  }
  return candidates;
}

std::optional<CandidateTime>
CandidateTime::of(const ScheduleCandidate &candidate,
                  const ScheduleQuery &query, const ModelMachine &machine,
                  const Calibration &calibration) {
  MatmulSizes sizes = candidate.row.sizes;
  const CalibratedModel *model =
      calibration.modelOf(query.weights, pipelineName(sizes));
  if (!model)
    return std::nullopt;
  sizes.tile.splitK = candidate.splitK;
  // Of a gated product's two launches each has its pipeline to fill.
  const ModelConstants &constants = model->constants;
  bool isApart = query.gated && candidate.isApart;
  double apart = constants.launchUs + constants.latencyNs / 1000;
  return CandidateTime(KernelTime(sizes, candidate.splitK,
                                  MatmulWork::of(query), candidate.resources,
                                  machine, constants),
                       model->factorOf(candidate.row.name), isApart ? apart : 0,
                       candidate.minTokens);
}

double CandidateTime::operator()(int64_t tokens) const {
  if (tokens < minTokens)
    return kNever;
  // More waves hide the end of a launch.
  return time(tokens) * factor + (time.waves(tokens) == 1 ? apart : 0);
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

/// Whether two rows compute the same tile, so that they differ by little.
static bool isSameTile(const ScheduleRow &a, const ScheduleRow &b) {
  return a.sizes.tile.block == b.sizes.tile.block &&
         a.sizes.tile.splitK == b.sizes.tile.splitK;
}

std::vector<int64_t>
mlir::sparseflow::predictedTokens(std::optional<int64_t> known) {
  if (known)
    return {std::max(*known, int64_t(1))};
  std::vector<int64_t> tokens = {1, 2, 4, 8};
  for (int64_t t = 16; t < kMostPredicted; t *= 2) {
    tokens.push_back(t);
    tokens.push_back(t + t / 2);
  }
  tokens.push_back(kMostPredicted);
  return tokens;
}

std::optional<MatmulSizes>
mlir::sparseflow::sizesOf(sftile::ScheduleAttr schedule) {
  MatmulSizes sizes;
  sizes.tile = schedule.getTile();
  if (auto fields = schedule.getMultistage())
    sizes.pipeline = *fields;
  else if (auto fields = schedule.getWarpSpecialized())
    sizes.pipeline = *fields;
  else if (auto fields = schedule.getStreamed())
    sizes.pipeline = *fields;
  else
    return std::nullopt;
  return sizes;
}

std::vector<double> mlir::sparseflow::predictedTimes(
    sftile::ScheduleAttr schedule, const ScheduleQuery &query,
    const Calibration &calibration, const ModelMachine &machine) {
  std::optional<MatmulSizes> sizes = sizesOf(schedule);
  if (!sizes)
    return {};
  ScheduleCandidate candidate;
  candidate.row.name = schedule.getName().str();
  candidate.row.sizes = *sizes;
  candidate.splitK = schedule.getSplitK();
  candidate.resources =
      resourcesOf(*sizes, MatmulWork::of(query), machine.limits);
  std::optional<CandidateTime> time =
      CandidateTime::of(candidate, query, machine, calibration);
  std::vector<double> times;
  if (time && candidate.resources.refusal.empty())
    for (int64_t tokens : predictedTokens(query.tokens))
      times.push_back((*time)(tokens));
  return times;
}

/// The least times predicted for the matmul of `query` with dense weights;
/// empty where no kernel of those serves all `tokens` or its model is not
/// known.
static std::vector<double> denseTimes(const ScheduleTable &table,
                                      const ScheduleQuery &query,
                                      const Calibration &calibration,
                                      const ModelMachine &machine,
                                      ArrayRef<int64_t> tokens) {
  ScheduleQuery dense = query;
  dense.weights = "dense";
  dense.integer = false;
  dense.facts = {};
  dense.gated = false;
  dense.avoid = {};
  std::vector<double> times(tokens.size(), kNever);
  for (const ScheduleCandidate &candidate :
       candidatesFor(table, dense, machine.limits)) {
    std::optional<CandidateTime> time =
        CandidateTime::of(candidate, dense, machine, calibration);
    if (!time)
      continue;
    for (auto [best, t] : llvm::zip_equal(times, tokens))
      best = std::min(best, (*time)(t));
  }
  if (llvm::is_contained(ArrayRef(times).take_back(), kNever))
    return {};
  return times;
}

ScheduleChoice mlir::sparseflow::chooseSchedules(
    MLIRContext *context, const ScheduleTable &table,
    const ScheduleQuery &query, const Calibration &calibration,
    const TargetInfo &target, ArrayRef<sftile::ScheduleAttr> classes,
    StringRef gpu) {
  ModelMachine machine = calibration.machineOf(target, gpu);
  std::vector<ScheduleCandidate> candidates;
  std::vector<CandidateTime> times;
  int64_t least = INT64_MAX;
  for (ScheduleCandidate &candidate :
       candidatesFor(table, query, machine.limits)) {
    std::optional<CandidateTime> time =
        CandidateTime::of(candidate, query, machine, calibration);
    if (!time)
      continue;
    times.push_back(std::move(*time));
    least = std::min(least, candidate.minTokens);
    candidate.row.sizes.tile.splitK = candidate.splitK;
    candidates.push_back(std::move(candidate));
  }
  if (candidates.empty())
    return {};
  if (query.tokens && *query.tokens < least)
    return {};
  std::vector<int64_t> tokens = query.tokens
                                    ? std::vector<int64_t>{*query.tokens}
                                    : comparedTokens(least);
  std::vector<std::vector<double>> microseconds(candidates.size());
  for (size_t c = 0; c < candidates.size(); ++c)
    for (int64_t t : tokens)
      microseconds[c].push_back(times[c](t));
  ScheduleChoice choice;
  choice.minTokens = least;
  const CalibratedModel *model = calibration.modelOf(
      query.weights, pipelineName(candidates.front().row.sizes));
  choice.isMeasured = calibration.isMeasured(target.name) && model->gpu.empty();
  choice.machine = calibration.boardOf(target, gpu);
  choice.measuredOn = model->gpu.empty() ? calibration.gpu : model->gpu;
  ChoiceLimits limits;
  auto remaining =
      size_t(llvm::count_if(classes, [&](sftile::ScheduleAttr ofClass) {
        int64_t most = query.tokens.value_or(ofClass.getMaxTokens());
        return most && most < least;
      }));
  limits.kernels =
      std::min(limits.kernels,
               limits.allKernels - std::min(remaining, limits.allKernels - 1));
  std::vector<double> dense;
  if (query.weights != "dense")
    dense = denseTimes(table, query, calibration, machine, tokens);
  for (auto [c, place] :
       chooseIntervals({microseconds, tokens, dense}, limits)) {
    const ScheduleRow &row = candidates[c].row;
    ChosenSchedule entry;
    entry.atTokens = tokens[place];
    entry.microseconds = microseconds[c][place];
    entry.nextMicroseconds = kNever;
    for (size_t other = 0; other < candidates.size(); ++other)
      if (!isSameTile(candidates[other].row, row) &&
          microseconds[other][place] < entry.nextMicroseconds) {
        entry.nextMicroseconds = microseconds[other][place];
        entry.next = candidates[other].row.name;
      }
    bool isLast = place + 1 == tokens.size();
    entry.maxTokens = isLast ? 0 : tokens[place];
    MatmulSizes sizes = row.sizes;
    sizes.tile.maxTokens = entry.maxTokens;
    entry.schedule = scheduleOf(context, row.name, sizes, [&] {
      return emitError(UnknownLoc::get(context));
    });
    choice.schedules.push_back(std::move(entry));
  }
  return choice;
}
