//===- Estimate.cpp - What the cost model says of a candidate -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Schedule/Calibration.h"
#include "SparseFlow/Tune/Candidates.h"

using namespace mlir;
using namespace mlir::sparseflow;

TuneEstimate mlir::sparseflow::estimateSizes(const MatmulSizes &sizes,
                                             const TuneShape &shape,
                                             const TuneMachine &machine) {
  const Calibration &calibration = Calibration::builtin();
  ModelMachine model = calibration.machine;
  if (llvm::Expected<const TargetInfo *> target =
          parseTarget(machine.targets.front()))
    model = calibration.machineOf(**target);
  else
    llvm::consumeError(target.takeError());
  // What a space says of its machine counts.
  if (model.multiprocessors != machine.multiprocessors)
    model.clusterBlocks.fill(machine.multiprocessors);
  model.multiprocessors = machine.multiprocessors;
  model.limits.sharedBytesPerBlock = machine.sharedBytes;
  ScheduleQuery query = queryOf(shape.form, shape.n, shape.k);
  query.tokens = shape.t;
  MatmulWork work = MatmulWork::of(query);
  ScheduleResources resources = resourcesOf(sizes, work, model.limits);
  TuneEstimate result;
  result.refusal = resources.refusal;
  result.sharedBytes = resources.sharedBytes;
  result.accumulators = resources.accumulators;
  if (!result.refusal.empty())
    return result;
  ScheduleRow row;
  row.weights = shape.form.kind;
  row.sizes = sizes;
  const CalibratedModel *known =
      calibration.modelOf(shape.form.kind, pipelineName(sizes));
  static const ModelConstants usual;
  KernelTime time(sizes, splitFor(row, query), work, resources, model,
                  known ? known->constants : usual);
  result.tiles = time.tiles(shape.t);
  result.waves = time.waves(shape.t);
  result.microseconds = time(shape.t);
  return result;
}
