//===- Spread.cpp - Candidates for a calibration --------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Schedule/Calibration.h"
#include "SparseFlow/Schedule/Choice.h"
#include "SparseFlow/Tune/Candidates.h"

#include <cmath>

using namespace mlir;
using namespace mlir::sparseflow;
using llvm::json::Object;

// One of so many candidates is among the best by the model.
static constexpr size_t kBestShare = 3;

/// The places of the `count` candidates that the cost model takes first.
static std::vector<size_t> bestOf(ArrayRef<ScheduleCandidate> candidates,
                                  const TuneShape &shape,
                                  const ScheduleQuery &query,
                                  const TargetInfo &target, size_t count) {
  const Calibration &calibration = Calibration::builtin();
  ModelMachine machine = calibration.machineOf(target);
  std::vector<std::pair<double, size_t>> times;
  for (auto [i, candidate] : llvm::enumerate(candidates))
    if (std::optional<CandidateTime> time =
            CandidateTime::of(candidate, query, machine, calibration))
      if (double us = (*time)(shape.t); std::isfinite(us))
        times.emplace_back(us, i);
  llvm::sort(times);
  std::vector<size_t> best;
  for (auto [time, i] : ArrayRef(times).take_front(count))
    best.push_back(i);
  return best;
}

std::vector<Object>
mlir::sparseflow::spreadCandidates(const ScheduleTable &table,
                                   const TuneShape &shape,
                                   const TargetInfo &target, size_t limit) {
  ScheduleQuery query = queryOf(shape.form, shape.n, shape.k);
  query.target = target.name;
  std::vector<ScheduleCandidate> all =
      candidatesFor(table, query, SMLimits::of(target));
  std::vector<Object> rows;
  auto take = [&](ScheduleCandidate &candidate) {
    ScheduleRow &row = candidate.row;
    row.sizes.tile.maxTokens = 0;
    row.sizes.tile.splitK = candidate.splitK;
    row.targets = {target.name.str()};
    rows.push_back(fieldsOf(row));
  };
  // What the model takes for these tokens: where it is wrong, that is what
  // costs.
  std::vector<bool> taken(all.size());
  for (size_t best : bestOf(all, shape, query, target, limit / kBestShare)) {
    take(all[best]);
    taken[best] = true;
  }
  // Neighbours differ by the last thing that varies: every so manieth differs
  // by others, too. A stride that shares no factor with what varies is odd.
  size_t stride = std::max<size_t>(1, all.size() / std::max<size_t>(limit, 1));
  stride += stride % 2 == 0;
  for (size_t i = 0; i < all.size() && rows.size() < limit; i += stride)
    if (!taken[i])
      take(all[i]);
  return rows;
}

bool mlir::sparseflow::isSensible(const Object &row, int64_t tokens) {
  constexpr int64_t kMostTiles = 24, kLargeTile = 160, kSmallTile = 32;
  const llvm::json::Array *block = row.getArray("block");
  const Object *pipeline = row.getObject("pipeline");
  if (!block || !pipeline)
    return false;
  int64_t tile = (*block)[1].getAsInteger().value_or(1);
  if (pipeline->getString("kind") == StringRef("multistage") &&
      tile <= kSmallTile)
    return tokens <= 4 * tile;
  return tile < std::max<int64_t>(17, 2 * tokens) &&
         (tokens <= kMostTiles * tile || tile >= kLargeTile);
}
