//===- TilePlan.cpp - Which tiles sequences of many lengths have ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp writes one tile. It goes through the sequences twice, a lane each: to
// find its tile, and to count those that come before it in the list, which
// needs no sorting, since the tiles of a sequence are in order: stages of keys
// never become fewer from a tile to the next. Tiles with as many stages stand
// in the order of sequences, and of rows.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/Plan/TilePlan.h"
#include "Kernels/Support/HostIntegers.h"
#include "Kernels/Support/ThreadCode.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr int64_t kLanes = 32, kThreads = 128;

Value TilePlanKernel::mostTiles(OpBuilder &builder, Value batch,
                                Value queries) const {
  HostIntegers host{builder, loc};
  // Rows that see no key and those behind them have tiles of their own, and so
  // have rows behind the last sequence. Without rows there are none.
  Value each = host.ceilDiv(queries, tileRows);
  if (shape.varlen)
    return host.min(host.add(each, host.mul(host.add(batch, 1), 2)), queries);
  return host.min(host.mul(batch, host.add(each, 1)), host.mul(batch, queries));
}

Value TilePlanKernel::bytes(OpBuilder &builder, Value tiles) const {
  HostIntegers host{builder, loc};
  return host.mul(host.add(tiles, 1), kPlanBytes);
}

Value TilePlanKernel::gridSize(OpBuilder &builder, Value tiles) const {
  return HostIntegers{builder, loc}.ceilDiv(tiles, kThreads / kLanes);
}

namespace {

/// A sequence, in i32: its first row and the one behind its last, its first key
/// and how many there are, its rows that see no key, which are the first, and
/// how many tiles those and the others have.
struct Sequence {
  Value row, endRow, key, keys, blind, blindTiles, seeingTiles;
};

class Generator {
public:
  Generator(const TilePlanKernel &spec, OpBuilder &builder)
      : spec(spec), shape(spec.shape), tileRows(spec.tileRows),
        stageKeys(spec.stageKeys), code(builder, spec.loc) {}

  gpu::GPUFuncOp run() {
    int64_t pointers = shape.varlen ? 3 : 2;
    gpu::GPUFuncOp kernel = code.openKernel(spec.name, pointers, kSizeCount,
                                            kThreads, spec.programmatic);
    if (spec.programmatic)
      code.griddepWait(/*launchFirst=*/true);
    arguments = kernel.getArguments();
    auto size = [&](AttentionSize which) -> Value {
      return arith::TruncIOp::create(code.builder, spec.loc, code.i32,
                                     arguments[pointers + which]);
    };
    sequences = size(kBatch);
    queries = size(kQueries);
    keys = size(kKeys);
    Value slots = size(kSplits);
    lane = code.rem(code.threadId(), kLanes);
    Value slot = code.add(code.mul(code.blockId(), kThreads / kLanes),
                          code.div(code.threadId(), kLanes));
    code.ifTrue(code.less(slot, slots),
                [&] { writeTile(slot, arguments[pointers - 1]); });
    code.closeKernel(kernel);
    return kernel;
  }

private:
  Value max(Value a, Value b) {
    return code.builder.createOrFold<arith::MaxSIOp>(spec.loc, a, b);
  }
  Value min(Value a, Value b) {
    return code.builder.createOrFold<arith::MinSIOp>(spec.loc, a, b);
  }
  Value both(Value a, Value b) {
    return code.builder.createOrFold<arith::AndIOp>(spec.loc, a, b);
  }
  /// Tiles of so many rows.
  Value tilesOf(Value rows) {
    return code.div(code.add(rows, tileRows - 1), tileRows);
  }
  /// Word `index` if `inside`, else `other`: nothing is read then.
  Value loadWord(Value pointer, Value index, Value inside, Value other) {
    auto branch = scf::IfOp::create(code.builder, spec.loc, code.i32, inside,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(code.builder);
    code.builder.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(
        code.builder, spec.loc,
        code.load(code.i32, code.advance(pointer, index, 1, code.i32), 4));
    code.builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(code.builder, spec.loc, other);
    return branch.getResult(0);
  }
  /// `value` of all lanes up to the own one, combined.
  Value scan(Value value, function_ref<Value(Value, Value)> combine) {
    for (int64_t step = 1; step < kLanes; step *= 2) {
      Value left = code.shuffle(value, code.add(lane, -step));
      value = code.select(code.less(lane, code.integer(step)), value,
                          combine(value, left));
    }
    return value;
  }
  Value ofLastLane(Value value) {
    return code.shuffle(value, code.integer(kLanes - 1));
  }

  /// Builds `body` in a loop over the sequences, a lane each, with the number
  /// and the sequence; one of varlen holds the rows behind the last one, and
  /// those that follow have no rows.
  SmallVector<Value> forEachTurn(
      ArrayRef<Value> start,
      function_ref<SmallVector<Value>(Value, const Sequence &, ValueRange)>
          body) {
    Value zero = code.integer(0), turn = code.integer(kLanes);
    if (!shape.varlen)
      return code.forLoop(
          zero, sequences, turn, start, [&](Value first, ValueRange carried) {
            Value number = code.add(first, lane);
            Value exists = code.less(number, sequences);
            Value given = loadWord(arguments[0], number, exists, zero);
            Value rows = code.select(exists, queries, zero);
            return body(
                number,
                sequenceOf(zero, rows, zero, min(max(given, zero), keys)),
                carried);
          });
    // Where the turn's first sequence begins is carried, and its first key
    // where keys follow one another, too. Offsets that decrease make a sequence
    // empty, so that they never overlap: there is room for no more tiles.
    size_t firsts = shape.hasKeyOffsets() ? 2 : 1;
    SmallVector<Value> all(firsts, zero);
    llvm::append_range(all, start);
    SmallVector<Value> results = code.forLoop(
        zero, code.add(sequences, 1), turn, all,
        [&](Value first, ValueRange carried) -> SmallVector<Value> {
          Value number = code.add(first, lane), next = code.add(number, 1);
          Value exists = code.less(number, sequences);
          auto bounds = [&](int64_t pointer, Value before, Value behind,
                            Value limit) {
            Value end = loadWord(arguments[pointer], next, exists, behind);
            end = scan(min(max(end, before), limit),
                       [&](Value a, Value b) { return max(a, b); });
            Value left = code.shuffle(end, code.add(lane, -1));
            Value begin = code.select(code.equal(lane, 0), before, left);
            return std::pair(begin, end);
          };
          auto [row, endRow] = bounds(0, carried[0], queries, queries);
          Value key = zero, count;
          SmallVector<Value> then;
          if (shape.hasKeyOffsets()) {
            Value endKey;
            std::tie(key, endKey) = bounds(1, carried[1], zero, keys);
            then = {ofLastLane(endRow), ofLastLane(endKey)};
            count = code.sub(endKey, key);
          } else {
            Value given = loadWord(arguments[1], number, exists, zero);
            count = min(max(given, zero), keys);
            then = {ofLastLane(endRow)};
          }
          llvm::append_range(then,
                             body(number, sequenceOf(row, endRow, key, count),
                                  carried.drop_front(firsts)));
          return then;
        });
    return SmallVector<Value>(ArrayRef(results).drop_front(firsts));
  }

  Sequence sequenceOf(Value row, Value endRow, Value key, Value count) {
    Value rows = code.sub(endRow, row), zero = code.integer(0), blind;
    if (shape.causal)
      blind = max(code.sub(rows, count), zero);
    else
      blind = code.select(code.less(zero, count), zero, rows);
    return {row,
            endRow,
            key,
            count,
            blind,
            tilesOf(blind),
            tilesOf(code.sub(rows, blind))};
  }

  /// Stages that a tile visits of a sequence's first `count` keys: a window
  /// leaves none but the last.
  Value stagesOf(Value count) {
    if (shape.window) {
      int64_t width = (shape.causal ? 1 : 2) * shape.window + tileRows;
      count = min(count, code.integer(width));
    }
    return code.div(code.add(count, stageKeys - 1), stageKeys);
  }

  /// Keys up to the last one that tile `tile` of those that see keys may see.
  Value keysOf(const Sequence &sequence, Value tile) {
    if (!shape.causal)
      return sequence.keys;
    Value rows =
        code.sub(code.sub(sequence.endRow, sequence.row), sequence.blind);
    Value passed = code.mul(code.add(tile, 1), tileRows);
    return code.sub(sequence.keys,
                    max(code.sub(rows, passed), code.integer(0)));
  }

  /// How many of the sequence's tiles that see keys visit more than `stages`
  /// stages.
  Value tilesAbove(const Sequence &sequence, Value stages) {
    Value zero = code.integer(0);
    Value any = code.less(stages, stagesOf(sequence.keys));
    if (!shape.causal)
      return code.select(any, sequence.seeingTiles, zero);
    // Those whose last row comes behind the stages' last key.
    Value rows =
        code.sub(code.sub(sequence.endRow, sequence.row), sequence.blind);
    Value first =
        code.sub(rows, code.sub(sequence.keys, code.mul(stages, stageKeys)));
    Value below =
        min(code.div(max(first, zero), tileRows), sequence.seeingTiles);
    return code.select(any, code.sub(sequence.seeingTiles, below), zero);
  }

  void writeTile(Value slot, Value plan) {
    Value zero = code.integer(0), one = code.integer(1);
    // Tiles of all turns so far, and of the lane's sequences those that see
    // keys. Of the tile, in the lane whose sequence has it: 1, its stages, 0
    // where it sees no key, how many tiles of its sequence with as many come
    // before it, and its words.
    enum Found { kPassed, kSeeing, kHere, kStages, kEarlier, kWords };
    SmallVector<Value> start(kWords + kPlanSequenceRow + 1, zero);
    SmallVector<Value> found = forEachTurn(
        start,
        [&](Value number, const Sequence &sequence,
            ValueRange carried) -> SmallVector<Value> {
          Value tiles = code.add(sequence.blindTiles, sequence.seeingTiles);
          Value upTo =
              scan(tiles, [&](Value a, Value b) { return code.add(a, b); });
          Value passed = code.sub(code.add(carried[kPassed], upTo), tiles);
          Value tile = code.sub(slot, passed);
          Value isHere =
              both(code.less(code.integer(-1), tile), code.less(tile, tiles));
          Value sees = code.less(tile, sequence.seeingTiles);
          Value behind = code.sub(tile, sequence.seeingTiles);
          Value seeingRow = code.add(sequence.row, sequence.blind);
          Value stages =
              code.select(sees, stagesOf(keysOf(sequence, tile)), zero);
          Value fewer = code.sub(sequence.seeingTiles,
                                 tilesAbove(sequence, code.add(stages, -1)));
          Value firstRow =
              code.add(code.select(sees, seeingRow, sequence.row),
                       code.mul(code.select(sees, tile, behind), tileRows));
          SmallVector<Value> next = {
              code.add(carried[kPassed], ofLastLane(upTo)),
              code.add(carried[kSeeing], sequence.seeingTiles),
              one,
              stages,
              code.select(sees, code.sub(tile, fewer), behind),
              firstRow,
              code.select(sees, sequence.endRow, seeingRow),
              code.sub(sequence.keys, sequence.endRow),
              sequence.key,
              code.select(sees, sequence.keys, zero),
              number,
              sequence.row};
          for (size_t word = kHere; word < next.size(); ++word)
            next[word] = code.select(isHere, next[word], carried[word]);
          return next;
        });
    // One lane has the tile, the others have zeros.
    Value count = found[kPassed], stages = code.warpSum(found[kStages]);
    Value mine = code.warpSum(found[kWords + kPlanSequence]);
    Value sees = code.less(zero, stages), fewer = code.add(stages, -1);
    // In front of it are the tiles with more stages, and of those with as many
    // the ones of earlier sequences.
    Value before =
        forEachTurn({zero},
                    [&](Value number, const Sequence &sequence,
                        ValueRange carried) -> SmallVector<Value> {
                      Value more = tilesAbove(sequence, stages);
                      Value asMany = code.select(
                          sees, code.sub(tilesAbove(sequence, fewer), more),
                          sequence.blindTiles);
                      Value isEarlier = code.less(number, mine);
                      return {code.add(code.add(carried[0], more),
                                       code.select(isEarlier, asMany, zero))};
                    })[0];
    Value place = code.add(code.warpSum(before), found[kEarlier]);
    Value isTile = code.less(slot, count);
    place = code.select(isTile, place, slot);
    Value isFirst = code.equal(lane, 0);
    Value writes = code.select(isTile, code.equal(found[kHere], 1), isFirst);
    code.ifTrue(writes, [&] {
      Value entry =
          code.advance(plan, code.add(place, 1), kPlanWords, code.i32);
      for (int64_t word = 0; word <= kPlanSequenceRow; ++word)
        code.store(found[kWords + word],
                   code.advance(entry, code.integer(word), 1, code.i32),
                   /*alignment=*/4);
    });
    Value seeing = code.warpSum(found[kSeeing]);
    code.ifTrue(both(code.equal(slot, 0), isFirst), [&] {
      for (auto [word, value] :
           {std::pair(kPlanTiles, count), std::pair(kPlanSeeingTiles, seeing)})
        code.store(value, code.advance(plan, code.integer(word), 1, code.i32),
                   /*alignment=*/4);
    });
  }

  const TilePlanKernel &spec;
  const AttentionShape &shape;
  int64_t tileRows, stageKeys;
  ThreadCode code;
  ValueRange arguments;
  // i32.
  Value sequences, queries, keys, lane;
};

} // namespace

gpu::GPUFuncOp TilePlanKernel::generate(OpBuilder &builder) const {
  OpBuilder::InsertionGuard guard(builder);
  return Generator(*this, builder).run();
}
