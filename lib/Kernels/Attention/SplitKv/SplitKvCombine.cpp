//===- SplitKvCombine.cpp - The combine kernel of split-KV ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Partial results are weighted by exp(lse - max lse), the factor that each
// would have been rescaled by in one loop over all keys. The warps of a block
// share the splits of a row. Of many rows, which have few splits each, a block
// has up to eight. Of streamed keys only rows that have partials have a warp
// that combines them.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/Sinks/SinkLogits.h"
#include "Kernels/Attention/SplitKv/StreamKv.h"
#include "Kernels/Support/HostIntegers.h"
#include "SparseFlow/Dialect/SFTile/IR/RowLayouts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

static constexpr int64_t kWarps = 8;
// Splits of a warp whose loads are in flight at once.
static constexpr int64_t kGroup = 8;
static constexpr int64_t kLanes = 32;

bool SplitKvCombineKernel::sharesBlocks() const {
  if (streamsKeys)
    return false;
  if (shape.dv > kNarrowFeatures)
    return true;
  // One query's are few.
  if (schedule.getPacked() && schedule.getMaxQueries() == 1)
    return false;
  int64_t batch = shape.sizes[kBatch], queries = shape.sizes[kQueries];
  return ShapedType::isDynamic(batch) || ShapedType::isDynamic(queries) ||
         batch * queries * shape.heads >= 2 * fewestBlocks();
}

Value SplitKvCombineKernel::gridSize(OpBuilder &builder, Location loc,
                                     Value batch, Value queries,
                                     Value splits) const {
  HostIntegers host{builder, loc};
  if (streamsKeys)
    return host.mul(splits,
                    llvm::divideCeil(shape.heads / shape.keyHeads, kWarps));
  Value rows = host.mul(host.mul(batch, shape.heads), queries);
  if (!sharesBlocks())
    return rows;
  Value together = host.constant(1);
  for (int64_t more = 2; more <= kWarps; more *= 2) {
    Value doubled =
        host.min(host.div(rows, host.constant(fewestBlocks() * more)), 1);
    together = host.mul(together, host.add(doubled, 1));
  }
  return host.ceilDiv(rows, together);
}

namespace {

/// Builds the kernel: a row's warps, each with its splits, what they found put
/// together, and the row stored.
class Combiner {
public:
  Combiner(const SplitKvCombineKernel &spec, OpBuilder &builder)
      : spec(spec), shape(spec.shape), builder(builder), loc(spec.loc),
        b(builder, loc, spec.name,
          kPointers + shape.hasLse + spec.streamsKeys + shape.hasSinks,
          kSizeCount, kWarps, spec.schedule),
        f32(builder.getF32Type()),
        run(shape.dv > kNarrowFeatures && shape.dv % (4 * kLanes) == 0 ? 4 : 2),
        columns(llvm::alignTo(shape.dv, run * kLanes)),
        ratio(shape.heads / shape.keyHeads) {
    MLIRContext *context = builder.getContext();
    line =
        LayoutAttr::get(context, spec.interleaved ? getInterleavedLineLayout()
                                                  : getLineLayout(run));
    LayoutAttr single =
        LayoutAttr::get(context, getRowLayout(getLineLayout(run)));
    lineType = b.frag({1, columns}, f32, line);
    oneType = b.frag({1, 1}, f32, single);
  }

  gpu::GPUFuncOp build() {
    openViews();
    // Behind a kernel that lets this one start early (PDL).
    if (spec.programmatic)
      b.griddepWait();
    b.openRole("main", kWarps);
    row = b.blockId();
    warp = WarpIdOp::create(builder, loc, builder.getIndexType());
    findRow();
    combineSplits();
    scf::IfOp finish =
        streamed ? openIf(compare(arith::CmpIPredicate::ne, splits, 0))
                 : combineWarps();
    storeRow();
    builder.setInsertionPointAfter(finish);
    return b.finish();
  }

private:
  static constexpr int64_t kPointers = 3;

  Value constant(OpBuilder &inner, float value) {
    return arith::ConstantOp::create(inner, loc, inner.getF32FloatAttr(value));
  }
  Value product(Value x, Value y) {
    return builder.createOrFold<arith::MulIOp>(loc, x, y);
  }
  Value compare(arith::CmpIPredicate predicate, Value x, int64_t y) {
    return arith::CmpIOp::create(builder, loc, predicate, x, b.index(y));
  }
  Value viewOf(Value pointer, Type type, Value count, int64_t width) {
    return ViewOp::create(
        builder, loc,
        ViewType::get(builder.getContext(), type, Order::RowMajor), pointer,
        count, b.i64(width), b.i64(width));
  }
  scf::IfOp openIf(Value condition) {
    auto branch = scf::IfOp::create(builder, loc, condition);
    builder.setInsertionPointToStart(branch.thenBlock());
    return branch;
  }

  void openViews() {
    Value batch = b.toIndex(b.size(kBatch));
    queries = b.toIndex(b.size(kQueries));
    splits = b.toIndex(b.size(kSplits));
    rows = product(b.mul(batch, shape.heads), queries);
    Value all = b.toI64(spec.streamsKeys ? b.mul(splits, 2 * ratio)
                                         : product(rows, splits));
    partial = viewOf(b.pointer(0), f32, all, shape.dv);
    statistics = viewOf(b.pointer(1), f32, all, 1);
    rows64 = b.toI64(rows);
    result = viewOf(b.pointer(2), shape.resultType, rows64, shape.dv);
  }

  /// How many warps share a row, as gridSize() has it, and which of them this
  /// one is; whether it has a row.
  void findRow() {
    if (spec.streamsKeys) {
      int64_t each = llvm::divideCeil(ratio, kWarps);
      streamed = StreamKv::loadPartials(b, b.pointer(kPointers + shape.hasLse),
                                        b.div(row, each));
      // A row a warp.
      Value inTile = b.add(b.mul(b.rem(row, each), kWarps), warp);
      Value exists = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::slt, inTile, b.index(ratio));
      rowOfTile = b.min(inTile, b.index(ratio - 1));
      row = b.add(b.mul(b.toIndex(streamed->tile), ratio), rowOfTile);
      splits = arith::SelectOp::create(builder, loc, exists,
                                       b.toIndex(streamed->count), b.index(0));
    } else if (!spec.sharesBlocks()) {
      sharers = b.index(kWarps);
      rank = warp;
    } else {
      // Rows of a block: a power of two, whose logarithm this is.
      Value log = b.index(0);
      for (int64_t more = 2; more <= kWarps; more *= 2)
        log = b.add(log, arith::SelectOp::create(
                             builder, loc,
                             compare(arith::CmpIPredicate::uge, rows,
                                     spec.fewestBlocks() * more),
                             b.index(1), b.index(0)));
      Value sharersLog = arith::SubIOp::create(
          builder, loc, b.index(llvm::Log2_64(kWarps)), log);
      sharers = arith::ShLIOp::create(builder, loc, b.index(1), sharersLog);
      rank = arith::AndIOp::create(builder, loc, warp, b.add(sharers, -1));
      row = b.add(arith::ShLIOp::create(builder, loc, row, log),
                  arith::ShRUIOp::create(builder, loc, warp, sharersLog));
      hasRow = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                     row, rows);
      row = b.min(row, b.add(rows, -1));
      splits =
          arith::SelectOp::create(builder, loc, hasRow, splits, b.index(0));
    }
  }

  /// The row of the partials that a split of this row has.
  Value rowOfSplit(Value split) {
    Value exists = b.min(split, b.add(splits, -1));
    if (!streamed)
      return b.toI64(b.add(product(exists, rows), row));
    // Each block has two places; a tile that it begins with is in the first.
    Value first = b.toIndex(streamed->firstPlace);
    Value isFirst = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, exists, b.index(0));
    Value place = arith::SelectOp::create(
        builder, loc, isFirst, first, b.mul(b.add(b.div(first, 2), exists), 2));
    return b.toI64(b.add(b.mul(place, ratio), rowOfTile));
  }

  /// Log-sum-exps of several splits; -inf, whose weight is zero, where there is
  /// no such split.
  SmallVector<Value> loadGroup(Value first) {
    SmallVector<Value> loaded, results;
    for (int64_t number = 0; number < kGroup; ++number)
      loaded.push_back(LoadOp::create(builder, loc, oneType, statistics,
                                      rowOfSplit(b.add(first, number)),
                                      b.i64(0), Access::Direct, 4));
    for (auto [number, value] : llvm::enumerate(loaded)) {
      Value exists =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                b.add(first, number), splits);
      Value penalty =
          arith::SelectOp::create(builder, loc, exists, constant(builder, 0.0f),
                                  constant(builder, -INFINITY));
      Value spread = BroadcastOp::create(builder, loc, oneType, penalty);
      results.push_back(b.map(oneType, {value, spread},
                              [&](OpBuilder &inner, ValueRange in) -> Value {
                                return arith::AddFOp::create(inner, loc, in[0],
                                                             in[1]);
                              }));
    }
    return results;
  }

  Value maxOf(Value x, Value y) {
    return b.map(oneType, {x, y},
                 [&](OpBuilder &inner, ValueRange in) -> Value {
                   return arith::MaxNumFOp::create(inner, loc, in[0], in[1]);
                 });
  }
  /// exp(lse - largest); zero of an empty split, also where all are empty.
  Value weightOf(Value lse, Value largest) {
    return b.map(
        oneType, {lse, largest}, [&](OpBuilder &inner, ValueRange in) -> Value {
          Value below = arith::SubFOp::create(inner, loc, in[0], in[1]);
          Value power = math::ExpOp::create(inner, loc, below);
          Value empty =
              arith::CmpFOp::create(inner, loc, arith::CmpFPredicate::OEQ,
                                    in[0], constant(inner, -INFINITY));
          return arith::SelectOp::create(inner, loc, empty,
                                         constant(inner, 0.0f), power);
        });
  }
  Value times(FragType type, Value x, Value factor) {
    if (type != oneType)
      factor = BroadcastOp::create(builder, loc, type, factor);
    return b.map(type, {x, factor},
                 [&](OpBuilder &inner, ValueRange in) -> Value {
                   return arith::MulFOp::create(inner, loc, in[0], in[1]);
                 });
  }
  /// total + x * factor.
  Value addTimes(Value total, Value x, Value factor) {
    Value spread = BroadcastOp::create(builder, loc, lineType, factor);
    return b.map(lineType, {total, x, spread},
                 [&](OpBuilder &inner, ValueRange in) -> Value {
                   return math::FmaOp::create(inner, loc, in[1], in[2], in[0]);
                 });
  }
  Value plus(Value x, Value y) {
    return b.map(oneType, {x, y},
                 [&](OpBuilder &inner, ValueRange in) -> Value {
                   return arith::AddFOp::create(inner, loc, in[0], in[1]);
                 });
  }
  Value isZero(OpBuilder &inner, Value x) {
    return arith::CmpFOp::create(inner, loc, arith::CmpFPredicate::OEQ, x,
                                 constant(inner, 0.0f));
  }

  /// The warp's splits: the largest log-sum-exp, the weighted sum and the sum
  /// of weights, relative to the largest so far. All loads of a group are in
  /// flight at once.
  void combineSplits() {
    none = BroadcastOp::create(builder, loc, oneType,
                               constant(builder, -INFINITY));
    Value zero = constant(builder, 0.0f);
    noSum = BroadcastOp::create(builder, loc, lineType, zero);
    noWeight = BroadcastOp::create(builder, loc, oneType, zero);
    auto loop = scf::ForOp::create(
        builder, loc, streamed ? b.index(0) : b.mul(rank, kGroup), splits,
        streamed ? b.index(kGroup) : b.mul(sharers, kGroup),
        ValueRange{none, noSum, noWeight});
    OpBuilder::InsertionGuard inside(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value first = loop.getInductionVar();
    SmallVector<Value> lses = loadGroup(first), values;
    for (int64_t number = 0; number < kGroup; ++number)
      values.push_back(LoadOp::create(
          builder, loc, lineType, partial, rowOfSplit(b.add(first, number)),
          b.i64(0), spec.interleaved ? Access::Interleaved : Access::Direct,
          shape.dv % run ? 4 : 4 * run));
    Value before = loop.getRegionIterArg(0), largest = before;
    for (Value lse : lses)
      largest = maxOf(largest, lse);
    Value factor = weightOf(before, largest);
    Value total = times(lineType, loop.getRegionIterArg(1), factor);
    Value all = times(oneType, loop.getRegionIterArg(2), factor);
    for (auto [lse, value] : llvm::zip(lses, values)) {
      Value weight = weightOf(lse, largest);
      total = addTimes(total, value, weight);
      all = plus(all, weight);
    }
    scf::YieldOp::create(builder, loc, ValueRange{largest, total, all});
    maxLse = loop.getResult(0);
    sum = loop.getResult(1);
    weightSum = loop.getResult(2);
  }

  // What the warps of a row found, in shared memory as registers: the sums of
  // all warps, then largest log-sum-exps, then sums of weights.

  void put(Value frag, Value place) {
    StoreOp::create(builder, loc, frag, shared, place, b.index(0),
                    Access::Registers);
  }
  Value take(FragType type, Value place) {
    return LoadOp::create(builder, loc, type, shared, place, b.index(0),
                          Access::Registers);
  }
  void putOwn() {
    put(sum, b.mul(warp, perSum));
    put(maxLse, b.add(warp, kWarps * perSum));
    put(weightSum, b.add(warp, kWarps * (perSum + 1)));
    gpu::BarrierOp::create(builder, loc);
  }
  Value maxOfWarp(Value other) {
    return take(oneType, b.add(other, kWarps * perSum));
  }
  void addWarp(Value other, Value largest) {
    Value weight = weightOf(largest, maxLse);
    sum = addTimes(sum, take(lineType, b.mul(other, perSum)), weight);
    Value weights = take(oneType, b.add(other, kWarps * (perSum + 1)));
    weightSum = plus(weightSum, times(oneType, weights, weight));
  }

  /// Adds up what the warps of each row found. The branch in which the builder
  /// stands then is the first warp's of a row.
  scf::IfOp combineWarps() {
    perSum = lineType.getRegistersPerLane();
    shared = SharedOp::create(builder, loc,
                              TileType::get(builder.getContext(),
                                            {kWarps * (perSum + 2), 32}, f32,
                                            Order::RowMajor),
                              kWarps, /*sharers=*/kWarps);
    Value leads = compare(arith::CmpIPredicate::eq, rank, 0);
    return hasRow ? combineSomeWarps(leads) : combineAllWarps(leads);
  }

  /// Where all warps of the block share its row.
  scf::IfOp combineAllWarps(Value leads) {
    putOwn();
    scf::IfOp finish = openIf(leads);
    SmallVector<Value> maxima;
    maxLse = none;
    for (int64_t other = 0; other < kWarps; ++other) {
      maxima.push_back(maxOfWarp(b.index(other)));
      maxLse = maxOf(maxLse, maxima.back());
    }
    sum = noSum;
    weightSum = noWeight;
    for (auto [other, largest] : llvm::enumerate(maxima))
      addWarp(b.index(other), largest);
    return finish;
  }

  /// Where as many as `sharers` do.
  scf::IfOp combineSomeWarps(Value leads) {
    scf::IfOp several = openIf(compare(arith::CmpIPredicate::sgt, sharers, 1));
    putOwn();
    builder.setInsertionPointAfter(several);
    scf::IfOp finish =
        openIf(arith::AndIOp::create(builder, loc, hasRow, leads));
    Value own = maxLse, first = b.add(warp, 1), end = b.add(warp, sharers);
    auto largest = scf::ForOp::create(builder, loc, first, end, b.index(1),
                                      ValueRange{maxLse});
    {
      OpBuilder::InsertionGuard inside(builder);
      builder.setInsertionPointToStart(largest.getBody());
      scf::YieldOp::create(builder, loc,
                           maxOf(largest.getRegionIterArg(0),
                                 maxOfWarp(largest.getInductionVar())));
    }
    maxLse = largest.getResult(0);
    Value factor = weightOf(own, maxLse);
    auto others =
        scf::ForOp::create(builder, loc, first, end, b.index(1),
                           ValueRange{times(lineType, sum, factor),
                                      times(oneType, weightSum, factor)});
    {
      OpBuilder::InsertionGuard inside(builder);
      builder.setInsertionPointToStart(others.getBody());
      Value other = others.getInductionVar();
      sum = others.getRegionIterArg(0);
      weightSum = others.getRegionIterArg(1);
      addWarp(other, maxOfWarp(other));
      scf::YieldOp::create(builder, loc, ValueRange{sum, weightSum});
    }
    sum = others.getResult(0);
    weightSum = others.getResult(1);
    return finish;
  }

  void storeRow() {
    Value inverse = b.map(
        oneType, weightSum, [&](OpBuilder &inner, ValueRange in) -> Value {
          Value quotient =
              arith::DivFOp::create(inner, loc, constant(inner, 1.0f), in[0]);
          return arith::SelectOp::create(inner, loc, isZero(inner, in[0]),
                                         constant(inner, 0.0f), quotient);
        });
    if (shape.hasSinks)
      inverse = times(oneType, inverse, ofSink(SinkOf::Weight, logSum()));
    Value spread = BroadcastOp::create(builder, loc, lineType, inverse);
    Value merged =
        b.map(b.frag({1, columns}, shape.resultType, line), {sum, spread},
              [&](OpBuilder &inner, ValueRange in) -> Value {
                Value value = arith::MulFOp::create(inner, loc, in[0], in[1]);
                if (shape.resultType != f32)
                  value = arith::TruncFOp::create(inner, loc, shape.resultType,
                                                  value);
                return value;
              });
    // Rows are counted as [B][H][S_q]; a result [B][S_q][H] has them elsewhere.
    Value target = row;
    if (!shape.bhsd) {
      Value entry = b.div(row, queries), query = b.rem(row, queries);
      Value outer = b.div(entry, shape.heads), head = b.rem(entry, shape.heads);
      Value position = b.add(product(outer, queries), query);
      target = b.add(b.mul(position, shape.heads), head);
    }
    StoreOp::create(builder, loc, merged, result, b.toI64(target), b.i64(0),
                    Access::Direct, spec.storeWidth);
    if (shape.hasLse)
      storeLse();
  }

  /// What the sink of the row's head makes of the log-sum-exp of its keys.
  Value ofSink(SinkOf what, Value lse) {
    Value head = b.rem(b.div(row, queries), shape.heads);
    Value pointer =
        b.pointer(kPointers + shape.hasLse + int64_t(spec.streamsKeys));
    Value at = LLVM::GEPOp::create(builder, loc, pointer.getType(), f32,
                                   pointer, b.toI64(head));
    Value sink = BroadcastOp::create(
        builder, loc, oneType,
        LLVM::LoadOp::create(builder, loc, f32, at, /*alignment=*/4));
    return b.map(oneType, {lse, sink}, [&](OpBuilder &inner, ValueRange in) {
      return withSink(inner, loc, what, in[0], in[1]);
    });
  }

  /// The log-sum-exp of the row's keys.
  Value logSum() {
    return b.map(oneType, {maxLse, weightSum},
                 [&](OpBuilder &inner, ValueRange in) -> Value {
                   Value log = math::LogOp::create(inner, loc, in[1]);
                   Value total = arith::AddFOp::create(inner, loc, in[0], log);
                   return arith::SelectOp::create(
                       inner, loc, isZero(inner, in[1]),
                       constant(inner, -INFINITY), total);
                 });
  }

  void storeLse() {
    Value lse = logSum();
    if (shape.hasSinks)
      lse = ofSink(SinkOf::LogSum, lse);
    Value column = viewOf(b.pointer(kPointers), f32, rows64, 1);
    StoreOp::create(builder, loc, lse, column, b.toI64(row), b.i64(0),
                    Access::Direct, 4);
  }

  const SplitKvCombineKernel &spec;
  const AttentionShape &shape;
  OpBuilder &builder;
  Location loc;
  KernelBuilder b;
  Type f32;
  // A row of the result, and one number that all lanes hold. `run` neighbouring
  // features are a lane's: 16 bytes of them where all lanes have some.
  int64_t run, columns;
  LayoutAttr line;
  FragType lineType, oneType;
  // Query heads of a key head.
  int64_t ratio;
  Value queries, splits, rows, rows64, partial, statistics, result;
  Value row, warp, sharers, rank, hasRow;
  // Of streamed keys: the partials, the row of their tile.
  std::optional<StreamKv::Partials> streamed;
  Value rowOfTile;
  // What no split gives, and what the warp, then the row, has found.
  Value none, noSum, noWeight, maxLse, sum, weightSum;
  int64_t perSum = 0;
  Value shared;
};

} // namespace

gpu::GPUFuncOp SplitKvCombineKernel::generate(OpBuilder &builder) const {
  OpBuilder::InsertionGuard guard(builder);
  return Combiner(*this, builder).build();
}
