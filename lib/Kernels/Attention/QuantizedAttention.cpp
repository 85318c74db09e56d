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
// which f16 has no digits for where values are small: probabilities are
// multiplied by a power of two, and the accumulators divided by it at the end.
//
// Integers become operands of f16 by one instruction a register: denormals,
// whose bits are the number plus a constant. What the constant adds to sums is
// taken away by an MMA: once for keys, whose queries stay, for values in each
// step; the unit of denormals is part of the scale, and of that division.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/CacheAttention.h"
#include "Kernels/Attention/Planes/CacheNumbers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
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
        keys{shape.keyPlanes, shape.d, /*pointer=*/1, spec.convertsFloats,
             shape.operandType.isF16()},
        values{shape.valuePlanes, shape.dv, /*pointer=*/2, spec.convertsFloats,
               shape.operandType.isF16()},
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
    for (Value &sum : state.accumulators)
      sum = inOwnUnit(sum);
    store(state, places);
    return b.finish();
  }

private:
  //===--------------------------------------------------------------------===//
  // Pages
  //===--------------------------------------------------------------------===//

  /// The entry of the page table for stage `stage` (index), i32; behind the
  /// last stage, where none is read, -1.
  Value entryIf(Value stage) {
    auto choice =
        scf::IfOp::create(builder, loc, i32, less(stage, stageCount), true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(choice.elseBlock());
    scf::YieldOp::create(builder, loc, b.i32(-1));
    builder.setInsertionPointToStart(choice.thenBlock());
    scf::YieldOp::create(builder, loc, entryOf(stage));
    return choice.getResult(0);
  }

  /// The same for a stage that there is.
  Value entryOf(Value stage) {
    Value key = b.add(startKey, b.mul(stage, keysPerStage));
    Value column = b.div(key, shape.page);
    Value before = product(keyEntry(), b.div(index(kKeys), shape.page));
    Value at =
        advance(b.pointer(spec.tablePointer()), b.add(before, column), i32);
    return LLVM::LoadOp::create(builder, loc, i32, at, /*alignment=*/4);
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
      Value number = b.add(b.mul(keyEntry(), shape.keyHeads), keyHead);
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

  /// Where the keys of a stage lie: the number of their page, and the first of
  /// its tokens.
  struct Place {
    Value page, token;
  };
  Place placeOf(Value stage, Value entry) {
    Value key = b.add(startKey, b.mul(stage, keysPerStage));
    return {pageOf(key, entry), b.rem(key, TernaryAttr::kPageTokens)};
  }

  Value load(FragType type, Value from, Value row, Value col, Access access,
             int64_t width) {
    auto op = LoadOp::create(builder, loc, type, from, b.toI64(row),
                             b.toI64(col), access, width);
    op.setRowsInBoundsAttr(builder.getUnitAttr());
    op.setColsInBoundsAttr(builder.getUnitAttr());
    return op;
  }

  Value pageStart(const CacheNumbers &numbers, Value page) {
    return advance(b.pointer(numbers.pointer),
                   b.mul(page, numbers.encoding.getPageBytes(numbers.features)),
                   builder.getI8Type());
  }

  void loadWords(const CacheNumbers &numbers, const Place &place,
                 SmallVectorImpl<Value> &words) {
    int64_t slabs = TernaryAttr::kPageTokens / kPiece;
    int64_t chunks = keysPerStage / kPiece * numbers.slabChunks();
    // In rows of 32 lanes.
    Value first = b.mul(b.div(place.token, kPiece), 32 * numbers.slabChunks());
    Value view = ViewOp::create(
        builder, loc, ViewType::get(builder.getContext(), i32, Order::RowMajor),
        pageStart(numbers, place.page),
        b.i64(32 * slabs * numbers.slabChunks()), b.i64(4), b.i64(4));
    for (int64_t chunk = 0; chunk < chunks; ++chunk)
      words.push_back(load(wordType, view, b.add(first, 32 * chunk), b.index(0),
                           Access::Direct, /*width=*/16));
  }

  /// Scales of keys, one for each, or of values, as probabilities are operands:
  /// neighbouring tokens together.
  void loadScales(const CacheNumbers &numbers, const Place &place, bool ofKeys,
                  SmallVectorImpl<Value> &scales) {
    TernaryAttr encoding = numbers.encoding;
    Type type = encoding.getScaleType();
    int64_t bytes = type.getIntOrFloatBitWidth() / 8;
    Value behind = advance(pageStart(numbers, place.page),
                           b.index(encoding.getPageCodeBytes(numbers.features)),
                           builder.getI8Type());
    int64_t count = encoding.getPageScales(numbers.features);
    // A row for each scale of keys; all rows of values are the same one.
    Value view = ViewOp::create(
        builder, loc,
        ViewType::get(builder.getContext(), type, Order::RowMajor), behind,
        b.i64(ofKeys ? count : rows), b.i64(ofKeys ? 1 : count),
        b.i64(ofKeys ? 1 : 0));
    for (int64_t group = 0; group < numbers.groups(); ++group)
      for (int64_t piece = 0; piece < keysPerStage; piece += kPiece) {
        Value at = b.add(place.token, group * TernaryAttr::kPageTokens + piece);
        scales.push_back(
            ofKeys ? load(b.frag({1, kPiece}, type, columnLayout()), view, at,
                          b.index(0), Access::Col, bytes)
                   : load(b.frag({rows, kPiece}, type, headLayout()), view,
                          b.index(0), at, Access::Direct, 2 * bytes));
      }
  }

  /// Starts loading stage `stage` (index), one that there is.
  Stage loadStage(Value stage, Value entry) {
    Stage loaded;
    Place place = placeOf(stage, entry);
    loadWords(keys, place, loaded.keyWords);
    loadScales(keys, place, /*ofKeys=*/true, loaded.keyScales);
    loadWords(values, place, loaded.valueWords);
    loadScales(values, place, /*ofKeys=*/false, loaded.valueScales);
    return loaded;
  }

  /// The same where there is such a stage; elsewhere zeros.
  Stage loadStageIf(Value stage, Value entry) {
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
      carried.push_back(entryIf(first));
      if (isAhead)
        carried.push_back(entryIf(b.add(first, step)));
    }
    if (isAhead) {
      form = loadStageIf(first, isPaged ? carried[stateCount] : Value());
      llvm::append_range(carried, form.values());
    }
    // Queries are waited for here, the first stage is on its way.
    prepareOffsets();
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
    Stage now = isAhead ? form.with(inside) : loadStage(stage, entry), next;
    // The next stage is on its way while this one is multiplied. Behind the
    // last stage that one is loaded again: a branch around loads would be a
    // place to wait for them.
    if (isAhead) {
      Value number = b.add(stage, step);
      Value goesOn = less(number, stageCount);
      number = arith::SelectOp::create(builder, loc, goesOn, number, stage);
      Value its;
      if (isPaged)
        its = arith::SelectOp::create(builder, loc, goesOn, entries[1], entry);
      next = loadStage(number, its);
    }
    if (isPaged)
      nextEntry = entryOf(
          b.min(b.add(stage, step * (1 + isAhead)), b.add(stageCount, -1)));
    Value isThere = isPaged ? isPage(entry) : Value();
    SmallVector<Value> scores = multiplyKeys(now, isThere);
    scores = prepared(softmax, scores, stage);
    auto [weights, factor] = softmax.exponentiate(state, scores);
    softmax.rescale(state, factor);
    multiplyValues(softmax, now, isThere, weights, stage, state);
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
    int64_t pieces = keysPerStage / kPiece;
    SmallVector<Value> scores;
    for (int64_t group = 0; group < keys.groups(); ++group) {
      int64_t first = group * keys.groupSteps();
      int64_t end = std::min(depthSteps, first + keys.groupSteps());
      SmallVector<Value> sums(pieces, keyStarts[group]);
      for (int64_t step = first; step < end; ++step)
        for (auto [piece, sum] : llvm::enumerate(sums))
          sum = multiply(queries[step],
                         decode(keys, stage.keyWords, piece, step), sum);
      for (auto [piece, sum] : llvm::enumerate(sums)) {
        SmallVector<Value> inputs = {
            fromMma(sum), scaleOfKeys(stage.keyScales[group * pieces + piece])};
        if (group > 0)
          inputs.push_back(scores[piece]);
        bool isWhole = group + 1 == keys.groups();
        Value score =
            map(inputs, [&](OpBuilder &inner, ValueRange in) -> Value {
              Value sum;
              if (in.size() == 2)
                sum = arith::MulFOp::create(inner, loc, in[0], in[1]);
              else
                sum = math::FmaOp::create(inner, loc, in[0], in[1], in[2]);
              return isWhole ? orZero(inner, isThere, sum) : sum;
            });
        if (group == 0)
          scores.push_back(score);
        else
          scores[piece] = score;
      }
    }
    return scores;
  }

  /// Scales of 16 keys in the layout of their scores, as f32.
  Value scaleOfKeys(Value scale) {
    Value wide = b.map(
        b.frag({1, kPiece}, f32, columnLayout()), scale,
        [&](OpBuilder &inner, ValueRange in) { return toF32(inner, in[0]); });
    return BroadcastOp::create(builder, loc, accType, wide);
  }

  Value orZero(OpBuilder &inner, Value condition, Value value) {
    if (!condition)
      return value;
    Value zero = arith::ConstantOp::create(inner, loc,
                                           inner.getZeroAttr(value.getType()));
    return arith::SelectOp::create(inner, loc, condition, value, zero);
  }

  /// Adds P V of stage number `number` to the accumulators.
  void multiplyValues(Softmax &softmax, const Stage &stage, Value isThere,
                      ArrayRef<Value> weights, Value number,
                      SoftmaxState &state) {
    SmallVector<Value> operands;
    for (Value weight : weights) {
      Value larger = map(weight, [&](OpBuilder &inner, ValueRange in) -> Value {
        return arith::MulFOp::create(
            inner, loc, in[0],
            arith::ConstantOp::create(
                inner, loc, inner.getF32FloatAttr(values.valueFactor())));
      });
      operands.push_back(
          toOperand(softmax.rounded(larger, shape.operandType, kPiece)));
    }
    SmallVector<Value> scales =
        withoutMasked(stage.valueScales, operands, number);
    int64_t pieces = operands.size();
    for (int64_t group = 0; group < values.groups(); ++group) {
      int64_t first = group * values.groupSteps();
      int64_t end = std::min(resultPieces, first + values.groupSteps());
      for (auto [piece, operand] : llvm::enumerate(operands)) {
        Value scaledOperand = weighted(operand, scales[group * pieces + piece]);
        if (isThere)
          scaledOperand = arith::SelectOp::create(
              builder, loc, isThere, scaledOperand,
              zeroOf(cast<FragType>(scaledOperand.getType())));
        for (int64_t step = first; step < end; ++step) {
          Value &sum = state.accumulators[step];
          Value found = toMma(sum);
          if (valueOffset)
            found = multiply(scaledOperand, valueOffset, found);
          found =
              multiply(scaledOperand,
                       decode(values, stage.valueWords, piece, step), found);
          sum = fromMma(found);
        }
      }
    }
  }

  /// Probabilities times scales, rounded to 16 bits.
  Value weighted(Value operand, Value scale) {
    return b.map(cast<FragType>(operand.getType()), {operand, scale},
                 [&](OpBuilder &inner, ValueRange in) -> Value {
                   Value a = in[0], c = in[1];
                   if (a.getType() == c.getType())
                     return arith::MulFOp::create(inner, loc, a, c);
                   Value wide = arith::MulFOp::create(
                       inner, loc, toF32(inner, a), toF32(inner, c));
                   return arith::TruncFOp::create(inner, loc, a.getType(),
                                                  wide);
                 });
  }

  /// Scales of tokens that are left out may be anything, and zero times that
  /// must be zero: they are replaced where a stage has such tokens.
  SmallVector<Value> withoutMasked(ArrayRef<Value> scales,
                                   ArrayRef<Value> operands, Value number) {
    if (!hasMasks() && !shape.score)
      return llvm::to_vector(scales);
    auto replaced = [&] {
      SmallVector<Value> results;
      for (auto [index, scale] : llvm::enumerate(scales))
        results.push_back(
            b.map(cast<FragType>(scale.getType()),
                  {operands[index % operands.size()], scale},
                  [&](OpBuilder &inner, ValueRange in) -> Value {
                    Value none = arith::ConstantOp::create(
                        inner, loc, inner.getZeroAttr(in[0].getType()));
                    Value isSome = arith::CmpFOp::create(
                        inner, loc, arith::CmpFPredicate::UNE, in[0], none);
                    return orZero(inner, isSome, in[1]);
                  }));
      return results;
    };
    // What an op yields for a key nobody knows.
    if (shape.score)
      return replaced();
    auto branch = scf::IfOp::create(builder, loc, ValueRange(scales).getTypes(),
                                    isMasked(number), /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(builder, loc, replaced());
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, scales);
    return llvm::to_vector_of<Value>(branch.getResults());
  }

  //===--------------------------------------------------------------------===//
  // Offsets
  //===--------------------------------------------------------------------===//

  /// `of(feature)` for `feature` (i32) of 16, where it differs between the
  /// halves alone.
  Value ofHalf(OpBuilder &inner, Value feature, bool differs,
               function_ref<Value(int64_t)> of) {
    if (!differs)
      return of(0);
    Value eight =
        arith::ConstantOp::create(inner, loc, inner.getI32IntegerAttr(8));
    Value isLess = arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::slt,
                                         feature, eight);
    return arith::SelectOp::create(inner, loc, isLess, of(0), of(8));
  }

  /// An operand of `numbers` whose decoded elements are all the least number,
  /// what bare ones exceed theirs by, negated.
  Value leastNumbers(const CacheNumbers &numbers) {
    FragType type = b.frag({kPiece, kPiece}, shape.operandType, cacheLayout());
    Value features = PositionsOp::create(
        builder, loc, b.frag({kPiece, kPiece}, i32, cacheLayout()),
        Dimension::Row, b.i32(0));
    return b.map(type, features, [&](OpBuilder &inner, ValueRange in) {
      return ofHalf(
          inner, in[0], numbers.hasTwoUnits(), [&](int64_t feature) -> Value {
            double number = -numbers.offset() * numbers.unit(feature);
            return arith::ConstantOp::create(
                inner, loc, inner.getFloatAttr(shape.operandType, number));
          });
    });
  }

  /// What sums over features of keys begin with, and what is added to those of
  /// values with each probability: bare numbers are too large by a constant.
  void prepareOffsets() {
    Value none = noProducts();
    keyStarts.assign(keys.groups(), none);
    if (keys.isBare()) {
      Value least = leastNumbers(keys);
      for (auto [step, query] : llvm::enumerate(queries)) {
        Value &start = keyStarts[step / keys.groupSteps()];
        start = multiply(query, least, start);
      }
    }
    if (values.isBare())
      valueOffset = leastNumbers(values);
  }

  /// The sums of values in their own unit, from those of bare numbers and of
  /// enlarged scales.
  Value inOwnUnit(Value sum) {
    Value features = PositionsOp::create(builder, loc,
                                         b.frag({rows, kPiece}, i32, accLayout),
                                         Dimension::Col, b.i32(0));
    return map({sum, features}, [&](OpBuilder &inner, ValueRange in) -> Value {
      Value factor = ofHalf(
          inner, in[1], values.hasTwoUnits(), [&](int64_t feature) -> Value {
            float factor = 1.0 / (values.valueFactor() * values.unit(feature));
            return arith::ConstantOp::create(inner, loc,
                                             inner.getF32FloatAttr(factor));
          });
      return arith::MulFOp::create(inner, loc, in[0], factor);
    });
  }

  CacheNumbers keys, values;
  Type i32;
  SmallVector<Value> keyStarts; // For each group.
  Value valueOffset;            // Null if numbers are not bare.
};

} // namespace

gpu::GPUFuncOp AttentionKernel::generateQuantized(OpBuilder &builder) const {
  // Scores of bare numbers are in their unit.
  AttentionKernel own(*this);
  CacheNumbers keys{shape.keyPlanes, shape.d, /*pointer=*/1, convertsFloats,
                    shape.operandType.isF16()};
  own.shape.scale /= keys.unit(0);
  return QuantizedGenerator(own, builder).run();
}
