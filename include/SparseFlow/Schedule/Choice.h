//===- Choice.h - Schedules by predicted time -------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matmul serves any number of tokens with a few kernels, each for an interval
// of T. Which kernels, and where one follows the other, is chosen from the
// families of a schedule table by the cost model: the times of all candidates
// over T, a few candidates that lose little against the best at each T, and
// intervals of these.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_SCHEDULE_CHOICE_H
#define SPARSEFLOW_SCHEDULE_CHOICE_H

#include "SparseFlow/Schedule/Calibration.h"

namespace mlir::sparseflow {

/// Limits of a choice.
struct ChoiceLimits {
  /// Kernels that a choice has at most, since each is compiled, and those of
  /// the matmul, with rows of classes; and intervals, which cost an entry of
  /// the manifest.
  size_t kernels = 10, allKernels = 12, intervals = 64;
  /// A kernel more has to make the matmul faster by that, on average over T; a
  /// switch between kernels that exist is worth less.
  double gainOfKernel = 0.004, gainOfSwitch = 0.0001;
  /// A place that is 1 + x times as slow as it could be counts as x + tail x^2,
  /// in logarithms: few large losses are worse than many small ones. What x is
  /// beyond `tolerated` counts as `beyond` times its square on top.
  double tail = 3, tolerated = 0.1, beyond = 300;
  /// Who has smaller weights expects to lose no time. What takes longer than
  /// dense weights, less `denseMargin`, counts as `dense` times that on top,
  /// in logarithms, as far as another candidate is faster.
  double dense = 20, denseMargin = 0.04;
};

/// Numbers of tokens at which candidates are compared, from `first` on: each is
/// the last of the interval behind the one before, and the intervals get longer
/// as T does.
std::vector<int64_t> comparedTokens(int64_t first);

/// `candidate` computes numbers of tokens behind those of the interval before,
/// up to that of `place` in the list that was compared.
struct ChosenInterval {
  size_t candidate = 0, place = 0;
};

/// What there is to choose from: candidates[candidate][place] in microseconds,
/// infinite where it is not that candidate, and the numbers of tokens of the
/// places, all of them positive. `dense` are the least times with dense
/// weights, or empty where they do not matter.
struct PlaceTimes {
  ArrayRef<std::vector<double>> candidates;
  ArrayRef<int64_t> tokens;
  ArrayRef<double> dense;
};

/// Empty if no candidate serves all the last places.
std::vector<ChosenInterval> chooseIntervals(const PlaceTimes &times,
                                            const ChoiceLimits &limits = {});

/// A schedule with what the model says of it.
struct ChosenSchedule {
  sftile::ScheduleAttr schedule;
  /// For that many tokens at most; 0: any number.
  int64_t maxTokens = 0;
  /// At `atTokens`, the last of the interval, or of those that were compared;
  /// of the row and of the next best one of another tile.
  int64_t atTokens = 0;
  double microseconds = 0, nextMicroseconds = 0;
  std::string next;
};

/// The sizes of a matmul's schedule as a row of a table has them; nothing
/// without a pipeline.
std::optional<MatmulSizes> sizesOf(sftile::ScheduleAttr schedule);

/// Numbers of tokens for which a manifest says the times of kernels: those of
/// the op, where they are known, else 1 to 16,384 with two steps of a doubling.
std::vector<int64_t> predictedTokens(std::optional<int64_t> known);

/// The predicted microseconds of a schedule of the matmul of `query` at
/// predictedTokens() on `machine`, such as calibration.machineOf(target). Empty
/// where `calibration` has no model of its weights and pipeline, and where the
/// kernel does not fit.
std::vector<double> predictedTimes(sftile::ScheduleAttr schedule,
                                   const ScheduleQuery &query,
                                   const Calibration &calibration,
                                   const ModelMachine &machine);

/// A row with the sizes that an op gets, of which there is a kernel.
struct ScheduleCandidate {
  ScheduleRow row;
  ScheduleResources resources;
  /// Blocks that divide K.
  int64_t splitK = 1;
  /// Whether each matmul of a gated product has a launch of its own.
  bool isApart = false;
  /// From so many tokens on.
  int64_t minTokens = 1;
};

/// The predicted times of a candidate, its row's factor included.
class CandidateTime {
public:
  /// Nothing where `calibration` has no model of the kind of weights and the
  /// pipeline. `machine` and `calibration` must live as long as the result.
  static std::optional<CandidateTime> of(const ScheduleCandidate &candidate,
                                         const ScheduleQuery &query,
                                         const ModelMachine &machine,
                                         const Calibration &calibration);

  /// Microseconds for so many tokens; infinite for fewer than the candidate is
  /// for.
  double operator()(int64_t tokens) const;

private:
  CandidateTime(KernelTime time, double factor, double apart, int64_t minTokens)
      : time(std::move(time)), factor(factor), apart(apart),
        minTokens(minTokens) {}

  KernelTime time;
  double factor;
  /// What a gated product loses by a launch of its own.
  double apart;
  int64_t minTokens;
};

/// Candidates for `query`: members of the table's families, which `query` needs
/// not know tokens for, with as many stages as fit and as little padding of the
/// epilogue's staging. Those of which there can be no kernel are left out.
std::vector<ScheduleCandidate> candidatesFor(const ScheduleTable &table,
                                             const ScheduleQuery &query,
                                             const SMLimits &limits);

/// The schedules of a matmul from `minTokens` tokens on, in the order of their
/// tokens; rows of the table are for fewer. Without any the table's classes
/// decide: it describes no family for the matmul, or the calibration has no
/// constants.
struct ScheduleChoice {
  int64_t minTokens = 0;
  std::vector<ChosenSchedule> schedules;
  /// The GPU that times are for, and whether it is the one that was measured.
  std::string machine;
  bool isMeasured = false;
  /// The GPU that constants were measured on.
  std::string measuredOn;

  /// Whether it is for the tokens of a class of the table.
  bool serves(sftile::ScheduleAttr ofClass,
              std::optional<int64_t> tokens) const {
    int64_t most = tokens.value_or(ofClass.getMaxTokens());
    return !schedules.empty() && (!most || most >= minTokens);
  }
};

/// `classes` are the schedules of the table's classes: the choice has fewer
/// kernels where many of them remain. `gpu` is a driver's name or empty, as
/// Calibration::machineOf() has it.
ScheduleChoice chooseSchedules(MLIRContext *context, const ScheduleTable &table,
                               const ScheduleQuery &query,
                               const Calibration &calibration,
                               const TargetInfo &target,
                               ArrayRef<sftile::ScheduleAttr> classes = {},
                               StringRef gpu = {});

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_SCHEDULE_CHOICE_H
