//===- UnseenRows.cpp - Rows of a plan that see no key --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// They are zeros, and half of what entries of several lengths store. The warp
// beside the one that copies stores them while the others compute: it starts
// bulk copies of zeros in shared memory, of up to a kilobyte a lane at a time,
// so that the copies of keys never queue behind more than a few. How long that
// takes depends on the layout and on what else the memory does, so a block's
// warps draw its tiles without keys one by one: those that multiply take what
// is left when they are done.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/Warpgroup/WarpgroupAttention.h"
#include "Kernels/Support/ThreadCode.h"
#include "SparseFlow/Dialect/SFTile/IR/ThreadOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <limits>
#include <tuple>

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Bytes of zeros in shared memory, what the barriers leave at the least beside
// the number of tiles drawn.
static constexpr int64_t kZeroBytes = 1024;
static constexpr int64_t kBytes = 16, kLanes = 32;

bool AttentionKernel::storesZerosBeside() const {
  return storesBoth() && shape.hasLengths && !shape.varlen;
}

void WarpgroupAttention::openDraws() {
  ThreadCode code(builder, loc);
  drawn = SharedOp::create(builder, loc, kBytes);
  code.ifTrue(code.equal(code.threadId(), 0),
              [&] { code.store(code.integer(0), drawn, /*alignment=*/4); });
}

/// Builds `body` for the tiles without keys that the warp draws from its
/// block's, each of them placed.
void WarpgroupAttention::forEachDrawn(function_ref<void()> body) {
  ThreadCode code(builder, loc);
  Value lane = code.rem(code.threadId(), kLanes);
  Value first = b.add(plannedTiles(/*seeing=*/true), b.blockId());
  Value all = plannedTiles(), step = gridSize();
  auto draw = [&] {
    Value own = scf::IfOp::create(
                    builder, loc, code.equal(lane, 0),
                    [&](OpBuilder &, Location) {
                      scf::YieldOp::create(builder, loc, code.count(drawn));
                    },
                    [&](OpBuilder &, Location) {
                      scf::YieldOp::create(builder, loc, code.integer(0));
                    })
                    .getResult(0);
    return b.add(first, product(shuffled(b.toIndex(own)), step));
  };
  scf::WhileOp::create(
      builder, loc, TypeRange{builder.getIndexType()}, ValueRange{},
      [&](OpBuilder &, Location, ValueRange) {
        Value tile = draw();
        Value isOne = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::ult, tile, all);
        scf::ConditionOp::create(builder, loc, isOne, tile);
      },
      [&](OpBuilder &, Location, ValueRange tile) {
        placePlanned(tile.front());
        body();
        scf::YieldOp::create(builder, loc);
      });
}

/// The first row of the placed tile's first head in the result, and of its
/// log-sum-exps, null where these are not wanted.
std::pair<Value, Value> WarpgroupAttention::unseenRows() {
  Value start =
      b.add(elementOf(head, index(kQueries), shape.heads, shape.dv),
            b.mul(firstRow, shape.bhsd ? shape.dv : shape.heads * shape.dv));
  start = advance(b.pointer(spec.resultPointer()), start, shape.resultType);
  Value statistic;
  if (shape.hasLse)
    statistic =
        advance(b.pointer(spec.firstOutput() + 1),
                b.add(firstStatistic(/*partial=*/false), firstRow), f32);
  return {start, statistic};
}

/// The log-sum-exp of a row that sees no key, of a head (index) of the placed
/// tile.
Value WarpgroupAttention::unseenSum(Value ofHead) {
  ThreadCode code(builder, loc);
  if (!shape.hasSinks)
    return code.floating(-std::numeric_limits<float>::infinity());
  Value sink = advance(b.pointer(spec.sinkPointer()), b.add(head, ofHead), f32);
  return code.load(f32, sink, /*alignment=*/4);
}

void WarpgroupAttention::storeUnseenBeside() {
  ThreadCode code(builder, loc);
  auto bulk = BulkAttr::get(builder.getContext());
  Value lane = code.rem(code.threadId(), kLanes);
  Value zeros = SharedOp::create(builder, loc, kZeroBytes);
  auto words = VectorType::get({kBytes / 4}, code.i32);
  Value zero = arith::ConstantOp::create(builder, loc, words,
                                         builder.getZeroAttr(words));
  for (int64_t byte = 0; byte < kZeroBytes; byte += kBytes * kLanes)
    code.store(zero, code.at(code.at(zeros, code.mul(lane, kBytes)), byte),
               kBytes);
  sftile::BarrierOp::create(builder, loc, BarrierScope::Role);
  // Bytes that lie together are a run: of a head its rows, or of a row the
  // tile's heads. Of short ones a lane has several on their way.
  int64_t heads = spec.headsOfTile(), rowBytes = shape.dv * 2;
  int64_t most =
      shape.bhsd ? spec.queriesOfTile() * rowBytes : heads * rowBytes;
  int64_t pieces = llvm::divideCeil(most, kZeroBytes);
  int64_t others = std::max<int64_t>(kZeroBytes / most, 1) - 1;
  forEachDrawn([&] {
    Value rowsHere = toI32(
        sub(b.min(b.add(firstRow, spec.queriesOfTile()), rowCount), firstRow));
    Value start, statistic;
    std::tie(start, statistic) = unseenRows();
    Value runs = shape.bhsd ? code.integer(heads) : rowsHere;
    Value runBytes = shape.bhsd ? code.mul(rowsHere, rowBytes)
                                : code.integer(heads * rowBytes);
    Value pitch = shape.bhsd ? product(index(kQueries), b.index(rowBytes))
                             : b.index(shape.heads * rowBytes);
    forEachOfWarp(code.mul(runs, pieces), [&](Value number) {
      Value inRun = code.mul(code.rem(number, pieces), kZeroBytes);
      Value left = code.sub(runBytes, inRun);
      Value count =
          arith::MinSIOp::create(builder, loc, left, code.integer(kZeroBytes));
      Value to = b.add(product(b.toIndex(code.div(number, pieces)), pitch),
                       b.toIndex(inRun));
      WaitGroupOp::create(builder, loc, others, bulk);
      code.ifTrue(code.less(code.integer(0), count), [&] {
        ThreadCopyOp::create(builder, loc, code.at(start, b.toI64(to)), zeros,
                             count, bulk, /*stored=*/true);
        CommitGroupOp::create(builder, loc, bulk);
      });
    });
    if (!statistic)
      return;
    forEachOfWarp(
        code.integer(heads * spec.queriesOfTile()), [&](Value number) {
          Value row = code.rem(number, spec.queriesOfTile());
          Value ofHead = b.toIndex(code.div(number, spec.queriesOfTile()));
          code.ifTrue(code.less(row, rowsHere), [&] {
            Value at = b.add(product(ofHead, index(kQueries)), b.toIndex(row));
            code.store(unseenSum(ofHead), advance(statistic, at, f32),
                       /*alignment=*/4);
          });
        });
  });
  // The zeros must stay until they have been read.
  WaitGroupOp::create(builder, loc, /*pending=*/0, bulk);
}

/// Builds `body` for numbers below `count`, dealt out to the lanes. Unrolled,
/// it would take more registers than there are.
void WarpgroupAttention::forEachOfWarp(Value count,
                                       function_ref<void(Value)> body) {
  ThreadCode code(builder, loc);
  auto loop =
      scf::ForOp::create(builder, loc, code.rem(code.threadId(), kLanes), count,
                         code.integer(kLanes));
  b.keepRolled(loop);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

void WarpgroupAttention::storeUnseen() {
  if (spec.storesZerosBeside())
    return forEachDrawn([&] { storeZeros(); });
  int64_t warps = schedule.getNumConsumerWarps();
  Value warp = WarpIdOp::create(builder, loc, builder.getIndexType());
  Value first = b.add(b.add(plannedTiles(/*seeing=*/true), warp),
                      b.mul(b.blockId(), warps));
  auto loop = scf::ForOp::create(builder, loc, first, plannedTiles(),
                                 b.mul(gridSize(), warps));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  placePlanned(loop.getInductionVar());
  storeZeros();
}

/// Stores the rows of the placed tile, a lane 16 bytes of a row of a head at a
/// time.
void WarpgroupAttention::storeZeros() {
  ThreadCode code(builder, loc);
  Value end = b.min(b.add(firstRow, spec.queriesOfTile()), rowCount);
  Value start, statistic;
  std::tie(start, statistic) = unseenRows();
  int64_t heads = spec.headsOfTile(), chunks = shape.dv * 2 / kBytes;
  Value count = code.mul(b.toI32(sub(end, firstRow)), heads * chunks);
  forEachOfWarp(count, [&](Value piece) {
    Value number = code.div(piece, chunks);
    Value inside = code.rem(piece, chunks);
    Value row = b.toIndex(code.div(number, heads));
    Value ofHead = b.toIndex(code.rem(number, heads));
    Value rowOfHead = b.add(product(ofHead, index(kQueries)), row);
    Value place =
        shape.bhsd ? rowOfHead : b.add(b.mul(row, shape.heads), ofHead);
    auto words = VectorType::get({kBytes / 4}, code.i32);
    Value zeros = arith::ConstantOp::create(builder, loc, words,
                                            builder.getZeroAttr(words));
    code.store(zeros,
               code.at(advance(start, b.mul(place, shape.dv), shape.resultType),
                       code.mul(inside, kBytes)),
               kBytes);
    if (statistic)
      code.ifTrue(code.equal(inside, 0), [&] {
        code.store(unseenSum(ofHead), advance(statistic, rowOfHead, f32),
                   /*alignment=*/4);
      });
  });
}
