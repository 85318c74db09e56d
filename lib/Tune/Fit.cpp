//===- Fit.cpp - Constants of the cost model from measurements ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Tune/Fit.h"

#include "SparseFlow/Tune/Candidates.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <map>

using namespace mlir;
using namespace mlir::sparseflow;
using llvm::json::Array;
using llvm::json::Object;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

llvm::Expected<Measurements>
mlir::sparseflow::readMeasurements(StringRef text, StringRef origin,
                                   const SMLimits &limits) {
  auto error = [&](const Twine &message) {
    return llvm::createStringError(origin + ": " + message);
  };
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(text);
  if (!json)
    return error("not JSON: " + llvm::toString(json.takeError()));
  const Object *root = json->getAsObject();
  const Array *shapes = root ? root->getArray("shapes") : nullptr;
  if (!shapes || root->getString("format") != StringRef("sparseflow-tuned"))
    return error("expected an object with \"format\": \"sparseflow-tuned\" and "
                 "\"shapes\", a list");
  Measurements result;
  result.target = root->getString("target").value_or("").str();
  if (const Object *machine = root->getObject("machine"))
    if (const Object *gpu = machine->getObject("gpu"))
      result.gpu = gpu->getString("name").value_or("").str();
  std::map<std::pair<std::string, std::string>, std::vector<MeasuredTime>> all;
  for (auto [i, value] : llvm::enumerate(*shapes)) {
    std::string where = llvm::formatv("shape {0}", i);
    const Object *shape = value.getAsObject();
    const Array *candidates = shape ? shape->getArray("candidates") : nullptr;
    auto size = [&](StringRef name) {
      std::optional<int64_t> found =
          shape ? shape->getInteger(name) : std::nullopt;
      return found && *found > 0 ? *found : 0;
    };
    int64_t t = size("t"), n = size("n"), k = size("k");
    if (!candidates || !t || !n || !k)
      return error(where + ": expected \"t\", \"n\" and \"k\", positive "
                           "integers, and \"candidates\", a list");
    llvm::Expected<TuneForm> form =
        parseTuneForm(shape->getString("weights").value_or(""));
    if (!form)
      return error(where + ": " + llvm::toString(form.takeError()));
    if (result.gpu.empty())
      result.gpu =
          shape->getString("device").value_or("").split(',').first.str();
    ScheduleQuery query = queryOf(*form, n, k);
    for (const llvm::json::Value &one : *candidates) {
      const Object *candidate = one.getAsObject();
      const Object *fields = candidate ? candidate->getObject("row") : nullptr;
      std::optional<double> us =
          candidate ? candidate->getNumber("us") : std::nullopt;
      if (!fields || !us || !(*us > 0))
        continue;
      llvm::Expected<ScheduleRow> row = ScheduleRow::parse(*fields, where);
      if (!row)
        return error(llvm::toString(row.takeError()));
      if (!row->cases.empty())
        continue;
      MeasuredTime time;
      time.where = llvm::formatv("{0} {1} {2} {3}", form->name(), n, k, t);
      time.row = row->name;
      time.splitK = splitFor(*row, query);
      time.sizes = row->sizes;
      time.sizes.tile.splitK = time.splitK;
      time.work = MatmulWork::of(query);
      time.resources = resourcesOf(time.sizes, time.work, limits);
      time.tokens = t;
      time.microseconds = *us;
      all[{form->kind, pipelineName(row->sizes).str()}].push_back(
          std::move(time));
    }
  }
  for (auto &[name, times] : all)
    result.models.push_back({name.first, name.second, std::move(times)});
  return result;
}

//===----------------------------------------------------------------------===//
// Fitting
//===----------------------------------------------------------------------===//

static double predicted(const MeasuredTime &time, const ModelMachine &machine,
                        const CalibratedModel &model) {
  return KernelTime(time.sizes, time.splitK, time.work, time.resources, machine,
                    model.constants)(time.tokens) *
         model.factorOf(time.row);
}

/// Squares of small errors, and the absolute values of large ones.
static double lossOf(ArrayRef<MeasuredTime> times, const ModelMachine &machine,
                     const CalibratedModel &model) {
  constexpr double kLarge = 0.1;
  double sum = 0;
  for (const MeasuredTime &time : times) {
    double error =
        std::abs(std::log(predicted(time, machine, model) / time.microseconds));
    sum += error < kLarge ? error * error : kLarge * (2 * error - kLarge);
  }
  return sum / double(times.size());
}

void mlir::sparseflow::fitConstants(ArrayRef<MeasuredTime> times,
                                    const ModelMachine &machine,
                                    CalibratedModel &model,
                                    ArrayRef<double ModelConstants::*> fitted) {
  constexpr int kRounds = 200;
  constexpr double kFirstStep = 0.5, kLastStep = 0.004, kShrink = 0.6;
  double least = lossOf(times, machine, model);
  std::vector<double> steps(ModelConstants::fields().size(), kFirstStep);
  for (int round = 0; round < kRounds; ++round) {
    for (auto [field, step] : llvm::zip(ModelConstants::fields(), steps)) {
      bool isBetter = false;
      for (double factor : {1 + step, 1 / (1 + step)}) {
        if (!fitted.empty() && !llvm::is_contained(fitted, field.member))
          continue;
        double &value = model.constants.*field.member, before = value;
        value = std::clamp(value * factor, field.least, field.most);
        double loss = lossOf(times, machine, model);
        if (loss < least) {
          least = loss;
          isBetter = true;
          break;
        }
        value = before;
      }
      if (!isBetter)
        step *= kShrink;
    }
    if (*llvm::max_element(steps) < kLastStep)
      break;
  }
}

void mlir::sparseflow::fitRows(ArrayRef<MeasuredTime> times,
                               const ModelMachine &machine,
                               CalibratedModel &model, double prior) {
  std::map<std::string, std::pair<double, double>, std::less<>> sums;
  for (const MeasuredTime &time : times) {
    auto &[sum, count] = sums[time.row];
    sum += std::log(time.microseconds / predicted(time, machine, model));
    ++count;
  }
  for (const auto &[row, entry] : sums)
    model.rows[row] =
        model.factorOf(row) * std::exp(entry.first / (entry.second + prior));
}

//===----------------------------------------------------------------------===//
// Quality
//===----------------------------------------------------------------------===//

/// The value that a share of `values` is not above.
static double percentile(std::vector<double> values, double share) {
  llvm::sort(values);
  return values[size_t(share * double(values.size() - 1) + 0.5)];
}

static std::vector<double> ranksOf(ArrayRef<double> values) {
  std::vector<size_t> order(values.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  llvm::sort(order, [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (auto [rank, i] : llvm::enumerate(order))
    ranks[i] = double(rank);
  return ranks;
}

/// Spearman's correlation of two lists without ties.
static double rankCorrelation(ArrayRef<double> a, ArrayRef<double> b) {
  std::vector<double> ranksOfA = ranksOf(a), ranksOfB = ranksOf(b);
  auto n = double(a.size());
  double sum = 0;
  for (auto [x, y] : llvm::zip(ranksOfA, ranksOfB))
    sum += (x - y) * (x - y);
  return 1 - 6 * sum / (n * (n * n - 1));
}

/// The quality of `predictions`, those of `times` in their order.
static CalibrationQuality qualityOf(ArrayRef<MeasuredTime> times,
                                    ArrayRef<double> predictions) {
  // Two candidates have no order to speak of.
  constexpr size_t kLeastCandidates = 4;
  struct Place {
    std::vector<double> measured, predicted;
  };
  std::map<std::string, Place> places;
  std::vector<double> ratios, regrets, correlations;
  for (auto [time, us] : llvm::zip(times, predictions)) {
    Place &place = places[time.where];
    place.measured.push_back(time.microseconds);
    place.predicted.push_back(us);
    ratios.push_back(us / time.microseconds);
  }
  double logarithms = 0;
  for (const auto &[where, place] : places) {
    if (place.measured.size() < kLeastCandidates)
      continue;
    size_t taken = llvm::min_element(place.predicted) - place.predicted.begin();
    regrets.push_back(place.measured[taken] /
                      *llvm::min_element(place.measured));
    logarithms += std::log(regrets.back());
    correlations.push_back(rankCorrelation(place.measured, place.predicted));
  }
  CalibrationQuality quality;
  quality.points = int64_t(times.size());
  quality.p5Ratio = percentile(ratios, 0.05);
  quality.p95Ratio = percentile(ratios, 0.95);
  quality.medianRegret = quality.p95Regret = quality.meanRegret = 1;
  if (!regrets.empty()) {
    quality.rankCorrelation = percentile(correlations, 0.5);
    quality.medianRegret = percentile(regrets, 0.5);
    quality.p95Regret = percentile(regrets, 0.95);
    quality.meanRegret = std::exp(logarithms / double(regrets.size()));
  }
  return quality;
}

CalibrationQuality mlir::sparseflow::qualityOf(ArrayRef<MeasuredTime> times,
                                               const ModelMachine &machine,
                                               const CalibratedModel &model) {
  std::vector<double> predictions;
  for (const MeasuredTime &time : times)
    predictions.push_back(predicted(time, machine, model));
  return ::qualityOf(times, predictions);
}

/// The model of one kind and pipeline that fits from the start.
static CalibratedModel fitFreely(const MeasuredModel &measured,
                                 const ModelMachine &machine,
                                 const CalibratedModel *known) {
  CalibratedModel best;
  best.weights = {measured.weights};
  best.pipeline = measured.pipeline;
  CalibratedModel other = best;
  fitConstants(measured.times, machine, best);
  // A search along one constant after the other ends where it began, nearly:
  // the known constants are another place to begin.
  if (known) {
    other.constants = known->constants;
    fitConstants(measured.times, machine, other);
    if (lossOf(measured.times, machine, other) <
        lossOf(measured.times, machine, best))
      return other;
  }
  return best;
}

/// The same from a model of a GPU with the same SMs.
static CalibratedModel fitToCard(const MeasuredModel &measured,
                                 const ModelMachine &machine,
                                 const CalibratedModel &sms) {
  // What is nothing would stay nothing.
  constexpr double kLeastUs = 0.1;
  CalibratedModel model = sms;
  model.weights = {measured.weights};
  model.gpu.clear();
  model.constants.clusterUs = std::max(model.constants.clusterUs, kLeastUs);
  fitConstants(measured.times, machine, model,
               {&ModelConstants::l2TotalBytesPerCycle,
                &ModelConstants::clusterUs, &ModelConstants::clusterCycles,
                &ModelConstants::reductionUs, &ModelConstants::memoryEfficiency,
                &ModelConstants::quantizeUs, &ModelConstants::quantizeGBps});
  return model;
}

// Several for each constant.
static size_t leastTimes() { return 5 * ModelConstants::fields().size(); }

/// The model of one kind and pipeline, rows and all; `sms` or null as calibrate
/// has it.
static CalibratedModel fitModel(const MeasuredModel &measured,
                                const ModelMachine &machine,
                                const Calibration &known,
                                const Calibration *sms) {
  // Factors that were measured on a GPU with the same SMs count for more than
  // none.
  constexpr double kPrior = 4, kKnownPrior = 30;
  const CalibratedModel *start =
      sms ? sms->modelOf(measured.weights, measured.pipeline) : nullptr;
  CalibratedModel fitted =
      start ? fitToCard(measured, machine, *start)
            : fitFreely(measured, machine,
                        known.modelOf(measured.weights, measured.pipeline));
  fitRows(measured.times, machine, fitted, start ? kKnownPrior : kPrior);
  return fitted;
}

std::vector<CalibrationQuality>
mlir::sparseflow::leftOutQuality(const Measurements &measurements,
                                 const Calibration &known,
                                 const Calibration *sms) {
  const TargetInfo *target = llvm::cantFail(parseTarget(measurements.target));
  ModelMachine machine = known.machineOf(*target);
  std::vector<CalibrationQuality> qualities;
  for (const MeasuredModel &model : measurements.models) {
    if (model.times.size() < leastTimes())
      continue;
    std::map<std::pair<int64_t, int64_t>, std::vector<size_t>> sizes;
    for (auto [i, time] : llvm::enumerate(model.times))
      sizes[{time.work.n, time.work.k}].push_back(i);
    if (sizes.size() < 2) {
      qualities.emplace_back();
      continue;
    }
    std::vector<double> predictions(model.times.size());
    for (const auto &[size, places] : sizes) {
      MeasuredModel others{model.weights, model.pipeline, {}};
      for (const MeasuredTime &time : model.times)
        if (std::pair(time.work.n, time.work.k) != size)
          others.times.push_back(time);
      CalibratedModel fitted = fitModel(others, machine, known, sms);
      for (size_t place : places)
        predictions[place] = predicted(model.times[place], machine, fitted);
    }
    qualities.push_back(::qualityOf(model.times, predictions));
  }
  return qualities;
}

llvm::Expected<Calibration>
mlir::sparseflow::calibrate(const Measurements &measurements,
                            const Calibration &known, const Calibration *sms) {
  size_t least = leastTimes();
  llvm::Expected<const TargetInfo *> target = parseTarget(measurements.target);
  if (!target)
    return target.takeError();
  Calibration result;
  result.gpu = measurements.gpu;
  result.targets = {measurements.target};
  result.machine = known.machineOf(**target);
  for (const MeasuredModel &model : measurements.models) {
    if (model.times.size() < least)
      continue;
    CalibratedModel fitted = fitModel(model, result.machine, known, sms);
    fitted.quality = qualityOf(model.times, result.machine, fitted);
    result.models.push_back(std::move(fitted));
  }
  if (result.models.empty())
    return llvm::createStringError(
        llvm::formatv("expected at least {0} times of one kind of weights and "
                      "pipeline, found fewer; measure more candidates",
                      least)
            .str());
  for (const CalibratedModel &other : known.models) {
    if (llvm::any_of(other.weights, [&](const std::string &kind) {
          return result.modelOf(kind, other.pipeline);
        }))
      continue;
    result.models.push_back(other);
    std::string &gpu = result.models.back().gpu;
    if (gpu.empty())
      gpu = known.gpu;
    if (gpu == result.gpu)
      gpu.clear();
  }
  return result;
}
