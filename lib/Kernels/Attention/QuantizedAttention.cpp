//===- QuantizedAttention.cpp - Attention on quantized caches -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loop of AttentionKernel.cpp with keys and values that come as numbers of
// 8 or 4 bits, integers or floats. Every warp loads the words of a stage from
// global memory into registers, 16 bytes a lane, and makes operands of them
// there: no shared memory, and a barrier only behind all keys where several
// warps divide them. One query is bound by that memory, so its words and scales
// are loaded a stage ahead, and entries of a page table two.
//
// Scales belong to tokens, so they stay out of the products along features:
// those of keys multiply the scores (of groups of features, partial sums of
// them), those of values the probabilities, of each group of features again.
// A probability times a scale is up to 448 times less than one times a value,
// which f16 has no digits for where values are small: scales of values are
// multiplied by a power of two, and the accumulators divided by it at the end.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/CacheAttention.h"
#include "Kernels/Attention/Planes/CacheNumbers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

namespace {

/// The words and scales of a stage.
struct Stage {
  SmallVector<Value> keyWords, valueWords, keyScales, valueScales;

  SmallVector<Value> values() const {
    SmallVector<Value> all(keyWords);
    llvm::append_range(all, valueWords);
    llvm::append_range(all, keyScales);
    llvm::append_range(all, valueScales);
    return all;
  }
  /// The same from the values of a loop.
  Stage with(ValueRange all) const {
    Stage other;
    auto take = [&](size_t count) {
      SmallVector<Value> taken(all.take_front(count));
      all = all.drop_front(count);
      return taken;
    };
    other.keyWords = take(keyWords.size());
    other.valueWords = take(valueWords.size());
    other.keyScales = take(keyScales.size());
    other.valueScales = take(valueScales.size());
    return other;
  }
};

class QuantizedGenerator : CacheAttention {
public:
  QuantizedGenerator(const AttentionKernel &spec, OpBuilder &builder)
      : CacheAttention(spec, builder),
        keys{shape.keyPlanes, shape.d, /*pointer=*/1, spec.convertsFloats},
        values{shape.valuePlanes, shape.dv, /*pointer=*/2, spec.convertsFloats},
        i32(builder.getI32Type()) {}

  gpu::GPUFuncOp run() {
    if (spec.programmatic)
      b.griddepWait();
    b.openRole("main", schedule.getNumWarps());
    placeBlock(b.blockId());
    boundKeys();
    placeWarp();
    loadQueries();
    SoftmaxState state = mainLoop();
    SmallVector<Value> places;
    for (Value piece : combineKeyWarps(state))
      places.push_back(b.mul(piece, kPiece));
    Value factor = arith::ConstantOp::create(
        builder, loc, builder.getF32FloatAttr(1.0f / values.valueFactor()));
    for (Value &sum : state.accumulators)
      sum = scaled(sum, factor);
    store(state, places);
    return b.finish();
  }

private:
  //===--------------------------------------------------------------------===//
  // Pages
  //===--------------------------------------------------------------------===//

  /// The entry of the page table for stage `stage` (index), i32; behind the
  /// last stage, where none is read, -1.
  Value entryOf(Value stage) {
    auto choice =
        scf::IfOp::create(builder, loc, i32, less(stage, stageCount), true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(choice.elseBlock());
    scf::YieldOp::create(builder, loc, b.i32(-1));
    builder.setInsertionPointToStart(choice.thenBlock());
    Value key = b.add(startKey, b.mul(stage, keysPerStage));
    Value column = b.div(key, shape.page);
    Value before = product(batch, b.div(index(kKeys), shape.page));
    Value at =
        advance(b.pointer(spec.tablePointer()), b.add(before, column), i32);
    Value entry = LLVM::LoadOp::create(builder, loc, i32, at, /*alignment=*/4);
    scf::YieldOp::create(builder, loc, entry);
    return choice.getResult(0);
  }

  /// Whether an entry names a page (i1); a negative number is a large one.
  Value isPage(Value entry) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, entry,
                                 b.toI32(b.size(kPageCount)));
  }

  /// Where the page of 64 keys that holds those of a stage begins, from the
  /// page of number 0 on, as a number of such pages. `entry`: the table's, null
  /// without one; one that names no page is as good as 0.
  Value pageOf(Value key, Value entry) {
    constexpr int64_t kTokens = TernaryAttr::kPageTokens;
    if (!entry) {
      Value number = b.add(b.mul(batch, shape.keyHeads), keyHead);
      return b.add(product(number, b.div(index(kKeys), kTokens)),
                   b.div(key, kTokens));
    }
    Value page =
        arith::SelectOp::create(builder, loc, isPage(entry), entry, b.i32(0));
    page = arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                        page);
    Value number = b.add(b.mul(page, shape.keyHeads), keyHead);
    return b.add(b.mul(number, shape.page / kTokens),
                 b.div(b.rem(key, shape.page), kTokens));
  }

  void loadNumbers(const CacheNumbers &numbers, Value page, Value token,
                   SmallVectorImpl<Value> &words,
                   SmallVectorImpl<Value> &scales) {
    MLIRContext *context = builder.getContext();
    TernaryAttr encoding = numbers.encoding;
    int64_t slabs = TernaryAttr::kPageTokens / kPiece;
    int64_t chunks = keysPerStage / kPiece * numbers.slabChunks();
    Value start = advance(b.pointer(numbers.pointer),
                          b.mul(page, encoding.getPageBytes(numbers.features)),
                          builder.getI8Type());
    // In rows of 32 lanes.
    Value first = b.mul(b.div(token, kPiece), 32 * numbers.slabChunks());
    Value view = ViewOp::create(
        builder, loc, ViewType::get(context, i32, Order::RowMajor), start,
        b.i64(32 * slabs * numbers.slabChunks()), b.i64(4), b.i64(4));
    UnitAttr inside = builder.getUnitAttr();
    auto load = [&](FragType type, Value from, Value row, Access access,
                    int64_t width) -> Value {
      auto op = LoadOp::create(builder, loc, type, from, b.toI64(row), b.i64(0),
                               access, width);
      op.setRowsInBoundsAttr(inside);
      op.setColsInBoundsAttr(inside);
      return op;
    };
    for (int64_t chunk = 0; chunk < chunks; ++chunk)
      words.push_back(load(wordType, view, b.add(first, 32 * chunk),
                           Access::Direct, /*width=*/16));
    // A row for each scale.
    Type type = encoding.getScaleType();
    Value behind =
        advance(start, b.index(encoding.getPageCodeBytes(numbers.features)),
                builder.getI8Type());
    Value rowsOfScales = ViewOp::create(
        builder, loc, ViewType::get(context, type, Order::RowMajor), behind,
        b.i64(encoding.getPageScales(numbers.features)), b.i64(1), b.i64(1));
    FragType scaleType = b.frag({rows, kPiece}, type, accLayout);
    for (int64_t group = 0; group < numbers.groups(); ++group)
      for (int64_t piece = 0; piece < keysPerStage; piece += kPiece)
        scales.push_back(
            load(scaleType, rowsOfScales,
                 b.add(token, group * TernaryAttr::kPageTokens + piece),
                 Access::Col, type.getIntOrFloatBitWidth() / 8));
  }

  /// Starts loading stage `stage` (index), one that there is.
  Stage loadStage(Value stage, Value entry) {
    Stage loaded;
    Value key = b.add(startKey, b.mul(stage, keysPerStage));
    Value page = pageOf(key, entry);
    Value token = b.rem(key, TernaryAttr::kPageTokens);
    loadNumbers(keys, page, token, loaded.keyWords, loaded.keyScales);
    loadNumbers(values, page, token, loaded.valueWords, loaded.valueScales);
    return loaded;
  }

  /// The same where there is such a stage; elsewhere `other`, or zeros.
  Stage loadStageIf(Value stage, Value entry, const Stage *other) {
    // The types are those of what is loaded.
    auto probe = scf::IfOp::create(builder, loc, less(stage, stageCount));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(probe.thenBlock());
    Stage loaded = loadStage(stage, entry);
    SmallVector<Value> results = loaded.values();
    SmallVector<Type> types(ValueRange(results).getTypes());
    builder.setInsertionPoint(probe);
    auto choice = scf::IfOp::create(builder, loc, types, probe.getCondition(),
                                    /*withElseRegion=*/true);
    choice.thenBlock()->getOperations().splice(
        choice.thenBlock()->end(), probe.thenBlock()->getOperations(),
        probe.thenBlock()->begin(), std::prev(probe.thenBlock()->end()));
    builder.setInsertionPointToEnd(choice.thenBlock());
    scf::YieldOp::create(builder, loc, results);
    builder.setInsertionPointToStart(choice.elseBlock());
    SmallVector<Value> instead;
    if (other)
      instead = other->values();
    else
      for (Type type : types)
        instead.push_back(zeroOf(cast<FragType>(type)));
    scf::YieldOp::create(builder, loc, instead);
    probe.erase();
    return loaded.with(choice.getResults());
  }

  Value zeroOf(FragType type) {
    Value zero = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(type.getElementType()));
    return BroadcastOp::create(builder, loc, type, zero);
  }

  /// The operand of 16 tokens from 16 `slab` of the stage on and 16 features
  /// from 16 `step` on.
  Value decode(const CacheNumbers &numbers, ArrayRef<Value> words, int64_t slab,
               int64_t step) {
    int64_t chunk = slab * numbers.slabChunks() + step / numbers.chunkSteps();
    return DecodeOp::create(
        builder, loc,
        b.frag({kPiece, kPiece}, shape.operandType, cacheLayout()),
        words[chunk], kPiece * (step % numbers.chunkSteps()), numbers.codec());
  }

  //===--------------------------------------------------------------------===//
  // The loop over stages
  //===--------------------------------------------------------------------===//

  SoftmaxState mainLoop() {
    Softmax softmax(b, shape, accLayout, rows);
    SmallVector<Value> carried = softmax.start(resultPieces, kPiece).values();
    size_t stateCount = carried.size();
    // A stage ahead where there are registers for it.
    bool isAhead = isTransposed, isPaged = shape.page > 0;
    int64_t step = schedule.getKeyWarps();
    Value first = keyWarp();
    Stage form;
    if (isPaged) {
      carried.push_back(entryOf(first));
      if (isAhead)
        carried.push_back(entryOf(b.add(first, step)));
    }
    if (isAhead) {
      form = loadStageIf(first, isPaged ? carried[stateCount] : Value(),
                         /*other=*/nullptr);
      llvm::append_range(carried, form.values());
    }
    auto loop = scf::ForOp::create(builder, loc, first, stageCount,
                                   b.index(step), carried);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value stage = loop.getInductionVar();
    ValueRange inside = loop.getRegionIterArgs();
    SoftmaxState state(inside.take_front(stateCount));
    inside = inside.drop_front(stateCount);
    SmallVector<Value> entries(inside.take_front(isPaged * (1 + isAhead)));
    inside = inside.drop_front(entries.size());
    Value entry = isPaged ? entries.front() : Value(), nextEntry;
    Stage now, next;
    if (isAhead) {
      now = form.with(inside);
      next =
          loadStageIf(b.add(stage, step), isPaged ? entries[1] : Value(), &now);
    } else {
      now = loadStage(stage, entry);
    }
    if (isPaged)
      nextEntry = entryOf(b.add(stage, step * (1 + isAhead)));
    Value isThere = isPaged ? isPage(entry) : Value();
    SmallVector<Value> scores =
        prepared(softmax, multiplyKeys(now, isThere), stage);
    auto [weights, factor] = softmax.exponentiate(state, scores);
    softmax.rescale(state, factor);
    multiplyValues(softmax, now, isThere, weights, state);
    SmallVector<Value> results = state.values();
    if (isPaged) {
      if (isAhead)
        results.push_back(entries[1]);
      results.push_back(nextEntry);
    }
    if (isAhead)
      llvm::append_range(results, next.values());
    scf::YieldOp::create(builder, loc, results);
    return SoftmaxState(loop.getResults().take_front(stateCount));
  }

  /// The scaled q k^T for the keys of a stage. Keys of no page, where `isThere`
  /// (i1, may be null) is false, are zeros.
  SmallVector<Value> multiplyKeys(const Stage &stage, Value isThere) {
    Value none = noProducts();
    int64_t pieces = keysPerStage / kPiece;
    SmallVector<Value> scores;
    for (int64_t group = 0; group < keys.groups(); ++group) {
      int64_t first = group * keys.groupSteps();
      int64_t end = std::min(depthSteps, first + keys.groupSteps());
      SmallVector<Value> sums(pieces, none);
      for (int64_t step = first; step < end; ++step)
        for (auto [piece, sum] : llvm::enumerate(sums))
          sum = multiply(queries[step],
                         decode(keys, stage.keyWords, piece, step), sum);
      for (auto [piece, sum] : llvm::enumerate(sums)) {
        Value scale = stage.keyScales[group * pieces + piece];
        Value score = map({fromMma(sum), scale},
                          [&](OpBuilder &inner, ValueRange in) -> Value {
                            Value product = arith::MulFOp::create(
                                inner, loc, in[0], toF32(inner, in[1]));
                            return orZero(inner, isThere, product);
                          });
        if (group == 0)
          scores.push_back(score);
        else
          scores[piece] = b.sum(scores[piece], score);
      }
    }
    return scores;
  }

  Value orZero(OpBuilder &inner, Value condition, Value value) {
    if (!condition)
      return value;
    Value zero =
        arith::ConstantOp::create(inner, loc, inner.getF32FloatAttr(0.0f));
    return arith::SelectOp::create(inner, loc, condition, value, zero);
  }

  /// Adds P V of a stage to the accumulators. Scales of tokens that are left
  /// out may be anything.
  void multiplyValues(Softmax &softmax, const Stage &stage, Value isThere,
                      ArrayRef<Value> weights, SoftmaxState &state) {
    int64_t pieces = keysPerStage / kPiece;
    for (int64_t group = 0; group < values.groups(); ++group) {
      int64_t first = group * values.groupSteps();
      int64_t end = std::min(resultPieces, first + values.groupSteps());
      for (auto [piece, weight] : llvm::enumerate(weights)) {
        Value scale = stage.valueScales[group * pieces + piece];
        Value product =
            map({weight, scale}, [&](OpBuilder &inner, ValueRange in) -> Value {
              Value zero = arith::ConstantOp::create(
                  inner, loc, inner.getF32FloatAttr(0.0f));
              Value larger = arith::MulFOp::create(
                  inner, loc, toF32(inner, in[1]),
                  arith::ConstantOp::create(
                      inner, loc, inner.getF32FloatAttr(values.valueFactor())));
              Value isSome = arith::CmpFOp::create(
                  inner, loc, arith::CmpFPredicate::UNE, in[0], zero);
              Value product = arith::MulFOp::create(inner, loc, in[0], larger);
              product =
                  arith::SelectOp::create(inner, loc, isSome, product, zero);
              return orZero(inner, isThere, product);
            });
        Value headOperand =
            toOperand(softmax.rounded(product, shape.operandType, kPiece));
        for (int64_t step = first; step < end; ++step) {
          Value &sum = state.accumulators[step];
          sum = fromMma(multiply(headOperand,
                                 decode(values, stage.valueWords, piece, step),
                                 toMma(sum)));
        }
      }
    }
  }

  CacheNumbers keys, values;
  Type i32;
};

} // namespace

gpu::GPUFuncOp AttentionKernel::generateQuantized(OpBuilder &builder) const {
  return QuantizedGenerator(*this, builder).run();
}
