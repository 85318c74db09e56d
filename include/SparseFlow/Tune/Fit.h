//===- Fit.h - Constants of the cost model from measurements ----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The second half of calibration: what candidates took on a GPU, a file that
// `scripts/bench calibrate` wrote, becomes the constants of the cost model, for
// each kind of weights and pipeline that has enough points.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TUNE_FIT_H
#define SPARSEFLOW_TUNE_FIT_H

#include "SparseFlow/Schedule/Calibration.h"

namespace mlir::sparseflow {

/// One candidate at one number of tokens.
struct MeasuredTime {
  /// Points of one shape and number of tokens are compared with each other.
  std::string where;
  /// The name of the candidate's row.
  std::string row;
  MatmulSizes sizes;
  int64_t splitK = 1;
  MatmulWork work;
  ScheduleResources resources;
  int64_t tokens = 0;
  double microseconds = 0;
};

/// Points of one kind of weights and one pipeline.
struct MeasuredModel {
  std::string weights, pipeline;
  std::vector<MeasuredTime> times;
};

struct Measurements {
  std::string gpu, target;
  std::vector<MeasuredModel> models;
};

/// Reads a tuned.json. Left out are candidates that were wrong and rows whose
/// sizes depend on the op. Errors name `origin`.
llvm::Expected<Measurements> readMeasurements(StringRef text, StringRef origin,
                                              const SMLimits &limits);

/// The constants of `model`, or those of `fitted` alone, that predict `times`
/// best: the mean of squared logarithms of predicted by measured times is
/// least, of large ones of their absolute values. From what they are, one after
/// the other.
void fitConstants(ArrayRef<MeasuredTime> times, const ModelMachine &machine,
                  CalibratedModel &model,
                  ArrayRef<double ModelConstants::*> fitted = {});

/// Multiplies the factor of each row by the mean of measured by predicted
/// times, geometric; by less where few were measured: `prior` times without an
/// error count beside them.
void fitRows(ArrayRef<MeasuredTime> times, const ModelMachine &machine,
             CalibratedModel &model, double prior);

/// How well a model's constants and rows predict.
CalibrationQuality qualityOf(ArrayRef<MeasuredTime> times,
                             const ModelMachine &machine,
                             const CalibratedModel &model);

/// The same of times that no model was fitted to: those of each N and K are
/// predicted by what `calibrate` fits to the others. Models with enough points,
/// in the order of `measurements`; without points where there is one size only.
std::vector<CalibrationQuality>
leftOutQuality(const Measurements &measurements, const Calibration &known,
               const Calibration *sms = nullptr);

/// A calibration of all models with enough points; the machine is that of
/// `known` for the target, as are the other models, with the GPU's name. Models
/// that `sms` has, a calibration of a GPU with the same SMs, begin as they are
/// there, and of their constants only those of memory, of the L2 cache, of
/// clusters, of split-K and of the kernel that quantizes are fitted: what was
/// measured in few places says little of the others.
llvm::Expected<Calibration> calibrate(const Measurements &measurements,
                                      const Calibration &known,
                                      const Calibration *sms = nullptr);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_TUNE_FIT_H
