//===- Calibration.h - The cost model's constants on a GPU ------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file holds the constants for one GPU at one clock, for each kind of weights
// and pipeline that was measured there, with how well they predict. Format:
// docs/formats/calibration.md. Of those that ship the H200's serves every
// target unless another or a GPU is named: cycles, bytes a cycle and shares of
// peak rates are taken over, SMs, clock and rates are those of the target's
// board. What is derived so is called predicted.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_SCHEDULE_CALIBRATION_H
#define SPARSEFLOW_SCHEDULE_CALIBRATION_H

#include "SparseFlow/Schedule/CostModel.h"
#include "SparseFlow/Target/NVPTX/Model.h"

#include <map>
#include <string>
#include <vector>

namespace mlir::sparseflow {

/// How well constants predict the points that they were fitted to.
struct CalibrationQuality {
  int64_t points = 0;
  /// Spearman's, of times at one shape and number of tokens; median over these.
  double rankCorrelation = 0;
  /// Measured time of the row that the model takes by the best measured.
  double medianRegret = 0, p95Regret = 0;
  /// The same, geometric mean; files do not have it.
  double meanRegret = 0;
  /// Predicted time by measured: 5th and 95th percentile.
  double p5Ratio = 0, p95Ratio = 0;
};

struct CalibratedModel {
  /// Kinds of weights that it is for; one pipeline of schedule tables.
  std::vector<std::string> weights;
  std::string pipeline;
  /// The GPU that was measured, if it is another than the calibration's.
  std::string gpu;
  ModelConstants constants;
  /// By the name of a schedule: how much longer it was measured to take than
  /// the constants say, whatever the shape.
  std::map<std::string, double, std::less<>> rows;
  CalibrationQuality quality;

  /// What a predicted time of this schedule is multiplied by.
  double factorOf(StringRef row) const {
    auto known = rows.find(row);
    return known == rows.end() ? 1 : known->second;
  }
};

/// A calibration by name, and why it is that one: the end of a sentence.
struct CalibrationPick {
  std::string name;
  std::string why;
};

class Calibration {
public:
  /// Errors name `origin`, the member and what was expected.
  static llvm::Expected<Calibration> parse(StringRef text, StringRef origin);
  /// `name` is that of one that ships, h200 or h100, or a file's path.
  static llvm::Expected<Calibration> load(StringRef name);
  /// That of the H200, which ships with the compiler.
  static const Calibration &builtin();
  /// The name of the one that ships for a GPU, as its driver calls it; empty
  /// if there is none.
  static StringRef shippedFor(StringRef gpu);
  /// The one to choose by for `target` on `gpu`, as its driver calls it; empty:
  /// no GPU is known. Of a GPU that was not measured it is that of the same
  /// target whose name has most words in common with it.
  static CalibrationPick pickFor(StringRef gpu, StringRef target);
  /// The GPUs whose names decide what schedules of `target` are chosen by:
  /// those that were measured, or else the boards whose figures are known.
  static std::vector<std::string> gpusOf(StringRef target);
  /// Whether `gpu` is measured or has a number in common with one of these.
  static bool knows(StringRef gpu, StringRef target);
  /// The file's text.
  std::string text() const;

  /// The machine of a target: the one that was measured, or the target's board,
  /// which `gpu`, a driver's name, may tell from others of the target.
  ModelMachine machineOf(const TargetInfo &target, StringRef gpu = {}) const;
  /// The machine of a board, of whose target kernels multiply by mma.sync.
  ModelMachine machineOf(const TargetInfo &target,
                         const TargetPeaks &board) const;
  /// Its name.
  std::string boardOf(const TargetInfo &target, StringRef named = {}) const;
  /// Whether a target is the one that was measured.
  bool isMeasured(StringRef target) const {
    return llvm::is_contained(targets, target);
  }
  /// The model for a kind of weights and a pipeline, or null.
  const CalibratedModel *modelOf(StringRef weights, StringRef pipeline) const;

  std::string gpu;
  std::vector<std::string> targets;
  ModelMachine machine;
  std::vector<CalibratedModel> models;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_SCHEDULE_CALIBRATION_H
