//===- AttentionBounds.cpp - Which keys a tile of attention visits --------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All of it is computed before the loop over stages: lengths and masks bound
// the keys of a tile, a score region may leave out some of them, and splits and
// blocks that share a tile divide the stages that are left.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/AttentionTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sparseflow;

void AttentionTile::boundKeys() {
  // A plan has it, and the shift.
  if (!spec.planned())
    length = keysOfEntry();
  // There is no tensor map of no pages.
  if (shape.page && !spec.isWarpSpecialized()) {
    // Where there are no pages there are no keys, whatever the table says.
    Value any = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                      b.size(kPageCount), b.i64(0));
    length = arith::SelectOp::create(builder, loc, any, length, b.index(0));
  }
  if (!spec.planned())
    shift = sub(length, index(kQueries));
  // Positions of the first and the last query of the block, and of the cluster.
  Value clusterFirst, clusterLast;
  bool packsQueries = spec.packsQueries();
  Value firstOfTile = packsQueries ? firstQuery : firstRow;
  Value behindLast = packsQueries ? index(kQueries) : rowCount;
  auto lastOf = [&](Value query, int64_t queries) {
    Value last = b.min(b.add(query, queries), behindLast);
    return b.add(b.add(last, shift), -1);
  };
  if (schedule.getPacked() && !packsQueries) {
    firstPosition = lastPosition = b.add(length, -1);
    clusterFirst = clusterLast = firstPosition;
  } else {
    firstPosition = b.add(firstOfTile, shift);
    lastPosition = lastOf(firstOfTile, spec.queriesOfTile());
    clusterFirst = b.add(clusterRow, shift);
    clusterLast = lastOf(clusterRow, spec.rowsOfCluster());
  }
  Value first = b.index(0), end = length;
  if (shape.causal)
    end = b.min(end, b.add(clusterLast, 1));
  if (shape.window) {
    end = b.min(end, b.add(clusterLast, shape.window));
    first = max(first, b.add(clusterFirst, 1 - shape.window));
  }
  end = max(end, b.index(0));
  boundByScore(first, end, behindLast);
  Value firstStage = b.div(first, keysPerStage);
  Value endStage = b.div(b.add(end, keysPerStage - 1), keysPerStage);
  stageCount = max(sub(endStage, firstStage), b.index(0));
  if (spec.partial() || keyRank) {
    Value splits = spec.partial() ? index(kSplits) : b.index(1);
    if (spec.streamsKeys()) {
      whole = arith::AndIOp::create(
          builder, loc,
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                shareFirst, b.index(0)),
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle,
                                stageCount, shareEnd));
      firstStage = b.add(firstStage, shareFirst);
      stageCount =
          max(sub(b.min(stageCount, shareEnd), shareFirst), b.index(0));
    } else {
      Value number = split;
      if (keyRank) {
        number = b.add(b.mul(split, schedule.getKeyBlocks()), keyRank);
        splits = b.mul(splits, schedule.getKeyBlocks());
      }
      Value each = b.div(b.add(b.add(stageCount, splits), -1), splits);
      Value skipped = product(number, each);
      firstStage = b.add(firstStage, skipped);
      stageCount = max(b.min(sub(stageCount, skipped), each), b.index(0));
    }
  }
  startKey = b.mul(firstStage, keysPerStage);
  boundMasks();
}

bool AttentionTile::seesMoreLater() const {
  auto grows = [](const PairRange &range) {
    return PairRange::isBound(range.mostOffset);
  };
  return shape.causal || llvm::any_of(shape.seen, grows);
}

/// Queries count as the region counts them. At least one key is left, so that
/// tiles without keys are those that they are without a region.
void AttentionTile::boundByScore(Value &first, Value &end, Value behindLast) {
  // The shares of blocks are computed from lengths alone.
  if (shape.seen.empty() || spec.streamsKeys())
    return;
  Value firstQuery = b.index(0), endQuery = b.index(1);
  if (!schedule.getPacked() || spec.packsQueries()) {
    firstQuery = clusterRow;
    endQuery = b.min(b.add(clusterRow, spec.rowsOfCluster()), behindLast);
    if (sequenceRow) {
      firstQuery = sub(firstQuery, sequenceRow);
      endQuery = sub(endQuery, sequenceRow);
    }
  }
  Value from, behind;
  for (const PairRange &range : shape.seen) {
    Value lowest = b.index(range.firstKey), highest;
    if (PairRange::isBound(range.leastOffset))
      lowest = max(lowest, b.add(firstQuery, range.leastOffset));
    if (PairRange::isBound(range.mostOffset))
      highest = b.add(endQuery, range.mostOffset);
    if (PairRange::isBound(range.lastKey)) {
      Value last = b.index(range.lastKey + 1);
      highest = highest ? b.min(highest, last) : last;
    }
    highest = highest ? highest : end;
    from = from ? b.min(from, lowest) : lowest;
    behind = behind ? max(behind, highest) : highest;
  }
  end = b.min(end, max(behind, b.index(1)));
  first = max(first, b.min(from, max(b.add(end, -1), b.index(0))));
}

void AttentionTile::boundMasks() {
  Value whole = length;
  if (spec.masksCausally())
    whole = b.min(whole, b.add(firstPosition, 1));
  if (shape.window && !shape.causal)
    whole = b.min(whole, b.add(firstPosition, shape.window));
  maskedFrom = b.div(max(sub(whole, startKey), b.index(0)), keysPerStage);
  if (shape.window) {
    Value seen = b.add(lastPosition, 1 - shape.window);
    Value before = max(sub(seen, startKey), b.index(0));
    maskedBefore = b.div(b.add(before, keysPerStage - 1), keysPerStage);
  }
}
