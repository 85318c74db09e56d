//===- StreamK.cpp - The last wave of tiles, divided along K --------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/StreamK/StreamK.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;

static Value product(KernelBuilder &b, Value x, Value y) {
  return b.builder.createOrFold<arith::MulIOp>(b.loc, x, y);
}
static Value difference(KernelBuilder &b, Value x, Value y) {
  return b.builder.createOrFold<arith::SubIOp>(b.loc, x, y);
}

StreamK::StreamK(const MatmulProblem &problem)
    : tokens(problem.schedule.getBlock()[1]),
      features(problem.schedule.getBlock()[0] * problem.schedule.getCluster()),
      mostTiles(problem.schedule.getStreamK()),
      sumType(problem.accumulatorType()),
      scheduler(problem.schedule, problem.n),
      rule({problem.schedule.getGrid() / problem.schedule.getCluster(),
            problem.k,
            int64_t(llvm::divideCeil(problem.k,
                                     problem.schedule.getK() * kStages))}),
      cluster(problem.schedule.getCluster()) {}

StringRef StreamK::whyNot(const MatmulProblem &problem) {
  if (problem.weights != WeightKind::Quantized)
    return "weights are not quantized";
  if (problem.scales)
    return "partial sums of groups are scaled in the mainloop";
  if (problem.gatedOperand || !problem.companions.empty())
    return "a kernel computes several matmuls";
  if (problem.isArgmax())
    return "partial maxima are stored in place of results";
  return "";
}

sftile::ScheduleAttr StreamK::without(sftile::ScheduleAttr schedule) {
  sftile::WarpSpecializedFields fields = *schedule.getWarpSpecialized();
  fields.streamK = 0;
  MLIRContext *context = schedule.getContext();
  return sftile::ScheduleAttr::get(
      context, schedule.getName(), schedule.getTile(),
      sftile::WarpSpecializedAttr::get(context, fields));
}

StreamK::Wave StreamK::lastWave(KernelBuilder &b) const {
  OpBuilder &builder = b.builder;
  auto compare = [&](arith::CmpIPredicate how, Value x, Value y) -> Value {
    return arith::CmpIOp::create(builder, b.loc, how, x, y);
  };
  auto choose = [&](Value condition, Value x, Value y) -> Value {
    return arith::SelectOp::create(builder, b.loc, condition, x, y);
  };
  using Predicate = arith::CmpIPredicate;
  constexpr int64_t columns = StreamKRule::kColumns;
  int64_t blocks = rule.blocks;
  // As the rule says.
  Value all = scheduler.allTiles(b);
  Value rest = b.rem(all, blocks);
  Value pays =
      compare(Predicate::ugt, b.mul(difference(b, b.i32(blocks), rest), rule.k),
              b.mul(b.add(rest, blocks), columns * blocks));
  Value few = compare(Predicate::ule, rest, b.i32(mostTiles));
  Value divides = arith::AndIOp::create(builder, b.loc, pays, few);
  Value tiles = choose(divides, rest, b.i32(0));
  Value first = difference(b, all, tiles);
  Value some = arith::MaxUIOp::create(builder, b.loc, tiles, b.i32(1));
  int64_t parts = std::min(StreamKRule::kParts, rule.pairs);
  Value each = b.min(b.div(b.i32(blocks), some), b.i32(parts));
  Value shared = product(b, each, tiles);
  Value idle = difference(b, b.i32(blocks), shared);
  Value whole =
      compare(Predicate::ule, b.mul(idle, rule.k),
              b.mul(product(b, each, b.add(idle, tiles)), columns * blocks));
  whole = arith::OrIOp::create(builder, b.loc, whole,
                               compare(Predicate::eq, each, b.i32(parts)));
  return {first, tiles, choose(whole, shared, b.i32(blocks))};
}

void StreamK::forEachPart(KernelBuilder &b, const Wave &wave, Value position,
                          function_ref<void(const Part &)> body) const {
  OpBuilder &builder = b.builder;
  Value all = b.mul(wave.tiles, rule.pairs);
  // Who has no share begins and ends behind the last tile.
  Value sharers =
      arith::MaxUIOp::create(builder, b.loc, wave.sharers, b.i32(1));
  Value block = b.min(b.toI32(b.div(b.blockId(), cluster)), wave.sharers);
  Value next = b.min(b.add(block, 1), wave.sharers);
  Value begin = b.div(product(b, block, all), sharers);
  Value end = b.div(product(b, next, all), sharers);
  Value behind = b.div(b.add(end, rule.pairs - 1), rule.pairs);
  auto loop = scf::ForOp::create(builder, b.loc, b.div(begin, rule.pairs),
                                 behind, b.i32(1), ValueRange{position});
  b.keepRolled(loop);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value tile = loop.getInductionVar();
  Value start = b.mul(tile, rule.pairs);
  Value from = difference(
      b, arith::MaxUIOp::create(builder, b.loc, begin, start).getResult(),
      start);
  Value count = difference(
      b, difference(b, b.min(end, b.add(start, rule.pairs)), start), from);
  Value at = loop.getRegionIterArg(0);
  body({b.add(wave.first, tile), b.mul(from, kStages), count,
        b.add(block, tile), at});
  scf::YieldOp::create(builder, b.loc,
                       ValueRange{b.add(at, b.mul(count, kStages))});
}

std::pair<Value, Value> StreamK::sharersOf(KernelBuilder &b, const Wave &wave,
                                           Value number) const {
  Value all = b.mul(wave.tiles, rule.pairs);
  // The last that begins at a pair or before it.
  auto sharerOf = [&](Value behind) -> Value {
    return b.div(b.add(product(b, behind, wave.sharers), -1), all);
  };
  Value start = b.mul(number, rule.pairs);
  return {sharerOf(b.add(start, 1)), sharerOf(b.add(start, rule.pairs))};
}

Value StreamK::view(KernelBuilder &b, Value pointer) const {
  return b.view(pointer, sumType, b.i64(slots() * tokens), features);
}
