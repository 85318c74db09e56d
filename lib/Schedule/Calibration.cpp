//===- Calibration.cpp - The cost model's constants on a GPU --------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Schedule/Calibration.h"

#include "SparseFlow/System/JsonData.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <set>

using namespace mlir;
using namespace mlir::sparseflow;
using llvm::json::Array;
using llvm::json::Object;

static const char kH200[] =
#include "calibration.json.inc"
    ;
static const char kH100[] =
#include "calibration-h100.json.inc"
    ;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

// A row that is further off is another kernel than the model is of.
static constexpr double kLeastFactor = 0.5, kMostFactor = 2;

static CalibratedModel readModel(const Object &object, const std::string &where,
                                 std::string &problem) {
  CalibratedModel model;
  JsonReader reader(object, where, problem);
  model.weights = reader.names("weights");
  for (const std::string &kind : model.weights)
    if (!llvm::is_contained(weightKinds(), StringRef(kind)))
      reader.fail("weights", "a list of " + llvm::join(weightKinds(), ", "));
  model.pipeline = reader.text("pipeline");
  if (!llvm::is_contained({"multistage", "warp_specialized", "streamed"},
                          StringRef(model.pipeline)))
    reader.fail("pipeline", "multistage, warp_specialized or streamed");
  if (object.get("gpu"))
    model.gpu = reader.text("gpu");
  CalibrationQuality &quality = model.quality;
  quality.points = int64_t(reader.number("points"));
  quality.rankCorrelation = reader.number("rank_correlation", true);
  quality.medianRegret = reader.number("median_regret");
  quality.p95Regret = reader.number("p95_regret");
  quality.p5Ratio = reader.number("p5_ratio");
  quality.p95Ratio = reader.number("p95_ratio");
  if (const Object *inner = reader.inner("constants")) {
    JsonReader constants(*inner, where + ": constants", problem);
    for (const ModelConstants::Field &field : ModelConstants::fields())
      model.constants.*field.member =
          constants.between(field.name, field.least, field.most);
    constants.finish();
  }
  if (const Object *inner = reader.inner("rows")) {
    JsonReader rows(*inner, where + ": rows", problem);
    for (const auto &entry : *inner)
      model.rows[entry.first.str()] =
          rows.between(entry.first, kLeastFactor, kMostFactor);
  }
  reader.finish();
  return model;
}

llvm::Expected<Calibration> Calibration::parse(StringRef text,
                                               StringRef origin) {
  auto error = [&](const Twine &message) {
    return llvm::createStringError(origin + ": " + message);
  };
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(text);
  if (!json)
    return error("not JSON: " + llvm::toString(json.takeError()));
  const Object *root = json->getAsObject();
  if (!root || root->getString("format") != StringRef("sparseflow-calibration"))
    return error("expected an object with \"format\": "
                 "\"sparseflow-calibration\"");
  if (root->getInteger("version") != int64_t(1))
    return error("expected \"version\": 1, the only one this compiler reads");
  std::string problem;
  JsonReader reader(*root, "the calibration", problem);
  (void)reader.text("format");
  (void)reader.number("version");
  Calibration result;
  result.gpu = reader.text("gpu");
  result.targets = reader.names("targets");
  result.machine.multiprocessors = int64_t(reader.number("multiprocessors"));
  result.machine.clockGHz = reader.number("clock_mhz") / 1000;
  result.machine.memoryGBps = reader.number("memory_gbps");
  result.machine.mmaRate = reader.number("mma_rate");
  if (const Array *blocks = reader.list("cluster_blocks")) {
    auto &counts = result.machine.clusterBlocks;
    for (size_t i = 0; i < counts.size(); ++i) {
      std::optional<int64_t> count;
      if (i < blocks->size())
        count = (*blocks)[i].getAsInteger();
      if (!count || *count < 1 || blocks->size() != counts.size())
        reader.fail("cluster_blocks", "four positive integers");
      counts[i] = count.value_or(1);
    }
  }
  if (const Array *models = reader.list("models"))
    for (auto [i, value] : llvm::enumerate(*models)) {
      const Object *object = value.getAsObject();
      if (!object)
        reader.fail("models", "a list of objects");
      else
        result.models.push_back(
            readModel(*object, llvm::formatv("model {0}", i).str(), problem));
    }
  reader.finish();
  for (const std::string &name : result.targets) {
    llvm::Expected<const TargetInfo *> target = parseTarget(name);
    if (target)
      result.machine.limits = SMLimits::of(**target);
    else if (problem.empty())
      problem = llvm::toString(target.takeError());
    else
      llvm::consumeError(target.takeError());
  }
  if (!problem.empty())
    return error(problem);
  return result;
}

// Those that ship have a few kilobytes.
static constexpr uint64_t kMaxBytes = uint64_t(16) << 20;

/// Those that ship, by name.
static const std::map<StringRef, Calibration> &shipped() {
  static const std::map<StringRef, Calibration> calibrations = {
      {"h200", parseBuiltin<Calibration>(kH200, "the calibration h200")},
      {"h100", parseBuiltin<Calibration>(kH100, "the calibration h100")}};
  return calibrations;
}

llvm::Expected<Calibration> Calibration::load(StringRef name) {
  auto known = shipped().find(name);
  if (known != shipped().end())
    return known->second;
  return loadData<Calibration>(name, "the calibration", kMaxBytes);
}

const Calibration &Calibration::builtin() { return shipped().at("h200"); }

StringRef Calibration::shippedFor(StringRef gpu) {
  for (const auto &[name, calibration] : shipped())
    if (calibration.gpu == gpu)
      return name;
  return {};
}

/// The words of a GPU's name in small letters: "h100", "hbm3", of
/// "A100-SXM4-80GB" "a100", "sxm4" and "80gb".
static std::set<std::string> wordsOf(StringRef name) {
  SmallVector<StringRef> parts;
  llvm::SplitString(name, parts, " -");
  std::set<std::string> words;
  for (StringRef part : parts)
    words.insert(part.lower());
  return words;
}

/// How many words of `name` are words of `other`.
static size_t wordsInCommon(StringRef name, StringRef other) {
  std::set<std::string> others = wordsOf(other);
  return llvm::count_if(wordsOf(name), [&](const std::string &word) {
    return others.count(word) > 0;
  });
}

std::vector<std::string> Calibration::gpusOf(StringRef target) {
  std::vector<std::string> names;
  for (const auto &[name, calibration] : shipped())
    if (calibration.isMeasured(target))
      names.push_back(calibration.gpu);
  if (!names.empty())
    return names;
  if (const TargetPeaks *board = findPeaks(target))
    names.push_back(board->board.str());
  for (const TargetPeaks &board : otherBoards())
    if (board.target == target)
      names.push_back(board.board.str());
  return names;
}

bool Calibration::knows(StringRef gpu, StringRef target) {
  if (!shippedFor(gpu).empty())
    return true;
  // Numbers tell GPUs apart, a maker's name does not.
  std::set<std::string> words = wordsOf(gpu);
  return llvm::any_of(gpusOf(target), [&](const std::string &known) {
    return llvm::any_of(wordsOf(known), [&](const std::string &word) {
      return llvm::any_of(word, llvm::isDigit) && words.count(word);
    });
  });
}

CalibrationPick Calibration::pickFor(StringRef gpu, StringRef target) {
  if (gpu.empty())
    return {"h200", "the default where no GPU is named"};
  if (StringRef name = shippedFor(gpu); !name.empty())
    return {name.str(), "that of " + gpu.str()};
  CalibrationPick best;
  size_t least = SIZE_MAX, most = 0;
  for (const auto &[name, calibration] : shipped()) {
    if (!calibration.isMeasured(target))
      continue;
    size_t words = wordsInCommon(calibration.gpu, gpu);
    least = std::min(least, words);
    if (words > most) {
      most = words;
      best.name = name.str();
    }
  }
  if (least == SIZE_MAX)
    return {"h200", "the default: nothing was measured on " + gpu.str() +
                        " or another GPU of " + target.str()};
  // What all names have, such as the maker's, tells them not apart.
  if (most == least)
    return {"h200", "the default: nothing was measured on " + gpu.str() +
                        ", and no name of the others is nearer to it"};
  best.why = "the nearest by name: nothing was measured on " + gpu.str();
  return best;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Four digits tell no two fits apart that differ.
static llvm::json::Value rounded(double value) {
  double digits = value == 0 ? 0 : std::floor(std::log10(std::abs(value)));
  double unit = std::pow(10, digits - 3);
  std::string text = llvm::formatv("{0:e10}", std::round(value / unit) * unit);
  double result = 0;
  (void)StringRef(text).getAsDouble(result);
  return result;
}

std::string Calibration::text() const {
  Array list;
  for (const CalibratedModel &model : models) {
    Object constants;
    for (const ModelConstants::Field &field : ModelConstants::fields())
      constants[field.name] = rounded(model.constants.*field.member);
    Object rows;
    for (const auto &[name, factor] : model.rows)
      rows[name] = rounded(std::clamp(factor, kLeastFactor, kMostFactor));
    const CalibrationQuality &quality = model.quality;
    list.push_back(
        Object{{"weights", Array(model.weights)},
               {"pipeline", model.pipeline},
               {"points", quality.points},
               {"rank_correlation", rounded(quality.rankCorrelation)},
               {"median_regret", rounded(quality.medianRegret)},
               {"p95_regret", rounded(quality.p95Regret)},
               {"p5_ratio", rounded(quality.p5Ratio)},
               {"p95_ratio", rounded(quality.p95Ratio)},
               {"constants", std::move(constants)},
               {"rows", std::move(rows)}});
    if (!model.gpu.empty())
      (*list.back().getAsObject())["gpu"] = model.gpu;
  }
  llvm::json::Value root =
      Object{{"format", "sparseflow-calibration"},
             {"version", 1},
             {"gpu", gpu},
             {"targets", Array(targets)},
             {"multiprocessors", machine.multiprocessors},
             {"clock_mhz", rounded(machine.clockGHz * 1000)},
             {"memory_gbps", rounded(machine.memoryGBps)},
             {"mma_rate", rounded(machine.mmaRate)},
             {"cluster_blocks", Array(machine.clusterBlocks)},
             {"models", std::move(list)}};
  return llvm::formatv("{0:2}\n", root).str();
}

//===----------------------------------------------------------------------===//
// Asking
//===----------------------------------------------------------------------===//

ModelMachine Calibration::machineOf(const TargetInfo &target,
                                    StringRef gpu) const {
  const TargetPeaks *board = findPeaks(target.name, gpu);
  return isMeasured(target.name) || !board ? machine
                                           : machineOf(target, *board);
}

ModelMachine Calibration::machineOf(const TargetInfo &target,
                                    const TargetPeaks &board) const {
  const TargetPeaks *measured = findPeaks(targets.front());
  if (!measured)
    return machine;
  ModelMachine other = machine;
  other.limits = SMLimits::of(target);
  other.multiprocessors = board.multiprocessors;
  for (int64_t &blocks : other.clusterBlocks)
    blocks = std::max<int64_t>(1, blocks * board.multiprocessors /
                                      machine.multiprocessors);
  other.memoryGBps = board.memoryGBps;
  other.clockGHz = machine.clockGHz * board.clockGHz / measured->clockGHz;
  // What constants say that MMAs reach is of kernels with mma.sync.
  auto rate = [](const TargetPeaks &one) {
    return one.denseTflops * one.syncShare / one.clockGHz /
           double(one.multiprocessors);
  };
  other.mmaRate = machine.mmaRate * rate(board) / rate(*measured);
  return other;
}

std::string Calibration::boardOf(const TargetInfo &target,
                                 StringRef named) const {
  const TargetPeaks *peaks = findPeaks(target.name, named);
  return isMeasured(target.name) || !peaks ? gpu : peaks->board.str();
}

const CalibratedModel *Calibration::modelOf(StringRef weights,
                                            StringRef pipeline) const {
  for (const CalibratedModel &model : models)
    if (model.pipeline == pipeline &&
        llvm::is_contained(model.weights, weights))
      return &model;
  return nullptr;
}
