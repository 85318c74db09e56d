//===- Int8Attention.cpp - One query on ternary planes in int8 MMAs -------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attention of one query on planes of keys and values is bound by the
// instructions that unpack trits. As int8 they take half as many as as f16, and
// so do the MMAs. The other operand must be int8 then: queries and
// probabilities are quantized to 16 bits, relative to the largest of their head
// (probabilities: of their head and page), and split into two bytes. High and
// low bytes of up to four heads are the eight columns of an MMA; keys, then
// features of the result, its 16 rows.
//
// The sums of a page are exact integers. They are then converted to floats,
// relative to the row max of the page, and added to those of the pages before.
// Trits are unpacked to -64, 0 and 64.
//
// Scales of keys for a head or for quantization groups multiply the query
// before it is quantized, those for tokens the scores. Scales of values for
// tokens multiply the probabilities, which are then relative to the largest
// scale of the page.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/MultistageAttention.h"
#include "Kernels/Attention/Planes/PlanePages.h"
#include "SparseFlow/Dialect/SFTile/IR/PlaneOps.h"
#include "SparseFlow/Dialect/SFTile/IR/RowLayouts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// The largest integer of two bytes that a quantized number becomes.
static constexpr float kMost = 32512.0f;
// Divides by that and by the 64 of trits, but for the two that the scale of the
// scores and the last step divide by.
static constexpr float kUnit = 2.0f / (64.0f * kMost);
// A head of zeros is divided by this and not by zero.
static constexpr float kLeast = 1e-30f;
// K of an MMA, and of a word.
static constexpr int64_t kDepth = 32, kWordDepth = 64;

namespace {

class ByteGenerator : MultistageAttention {
public:
  ByteGenerator(const AttentionKernel &spec, OpBuilder &builder)
      : MultistageAttention(spec, builder), keys(b, shape.keyPlanes, shape.d),
        values(b, shape.valuePlanes, shape.dv) {
    MLIRContext *context = builder.getContext();
    Type byte = IntegerType::get(context, 8, IntegerType::Signed);
    mma = MmaInt8SyncAttr::get(context, kDepth, byte);
    LayoutAttr planeLayout = LayoutAttr::get(context, mma.getLayoutA());
    planeType = b.frag({kPiece, kDepth}, byte, planeLayout);
    LayoutAttr headLayout = LayoutAttr::get(context, mma.getLayoutB());
    headType = b.frag({2 * kInt8Heads, kDepth}, byte, headLayout);
    LayoutAttr sumLayout = LayoutAttr::get(context, mma.getLayoutC());
    sumType = b.frag({kPiece, 2 * kInt8Heads}, builder.getI32Type(), sumLayout);
    rows = kInt8Heads;
    accLayout = LayoutAttr::get(context, getJoinedLayout());
    accType = b.frag({rows, kPiece}, f32, accLayout);
    oneType = b.frag({rows, 1}, f32,
                     LayoutAttr::get(context, getRowLayout(getJoinedLayout())));
    wordsOfKey = llvm::divideCeil(shape.d, kWordDepth);
  }

  gpu::GPUFuncOp run() {
    b.openRole("main", schedule.getNumWarps());
    placeBlock(b.blockId());
    boundKeys();
    placeWarp();
    Value pages = b.div(index(kKeys), TernaryAttr::kPageTokens);
    Value number = b.add(b.mul(batch, shape.keyHeads), keyHead);
    keys.place(b.pointer(1), number, pages);
    values.place(b.pointer(2), number, pages);
    firstPage = b.div(startKey, TernaryAttr::kPageTokens);
    loadQueries();
    SoftmaxState state = mainLoop();
    SmallVector<Value> pieces = combineKeyWarps(state);
    SmallVector<Value> places;
    finishValues(state, pieces);
    for (Value piece : pieces)
      places.push_back(b.mul(piece, kPiece));
    store(state, places);
    return b.finish();
  }

private:
  //===--------------------------------------------------------------------===//
  // Elements
  //===--------------------------------------------------------------------===//

  Value number(OpBuilder &inner, float value) {
    return arith::ConstantOp::create(inner, loc, inner.getF32FloatAttr(value));
  }

  Value times(Value a, Value factor) {
    return b.map(cast<FragType>(a.getType()), {a, factor},
                 [&](OpBuilder &inner, ValueRange in) -> Value {
                   return arith::MulFOp::create(inner, loc, in[0], in[1]);
                 });
  }
  Value times(Value a, float factor) {
    return b.map(cast<FragType>(a.getType()), a,
                 [&](OpBuilder &inner, ValueRange in) -> Value {
                   return arith::MulFOp::create(inner, loc, in[0],
                                                number(inner, factor));
                 });
  }

  Value expanded(Value column, FragType type) {
    return BroadcastOp::create(builder, loc, type, column);
  }

  /// The largest magnitude (amax) of each row of some fragments of one type, at
  /// least kLeast.
  Value largest(ArrayRef<Value> frags) {
    auto type = cast<FragType>(frags.front().getType());
    Value amax;
    for (Value frag : frags) {
      SmallVector<Value> inputs = {frag};
      if (amax)
        inputs.push_back(amax);
      amax = b.map(type, inputs, [&](OpBuilder &inner, ValueRange in) -> Value {
        Value size = math::AbsFOp::create(inner, loc, in[0]);
        Value other = in.size() > 1 ? in[1] : number(inner, kLeast);
        return arith::MaxNumFOp::create(inner, loc, size, other);
      });
    }
    return ofRows(amax, Reduction::Max);
  }

  /// Zero for each row of some fragments of one type; NaN where an element of
  /// the row is not finite, which quantization would lose.
  Value zeroIfFinite(ArrayRef<Value> frags) {
    Value sum;
    for (Value frag : frags) {
      SmallVector<Value> inputs = {frag};
      if (sum)
        inputs.push_back(sum);
      sum = b.map(cast<FragType>(frag.getType()), inputs,
                  [&](OpBuilder &inner, ValueRange in) -> Value {
                    Value zero = arith::MulFOp::create(inner, loc, in[0],
                                                       number(inner, 0));
                    return in.size() == 1
                               ? zero
                               : arith::AddFOp::create(inner, loc, zero, in[1]);
                  });
    }
    return ofRows(sum, Reduction::Add);
  }

  Value ofRows(Value frag, Reduction reduction) {
    auto type = cast<FragType>(frag.getType());
    LinearLayout row = getRowLayout(type.getLayout().getLayout());
    FragType column = b.frag({type.getShape()[0], 1}, f32,
                             LayoutAttr::get(builder.getContext(), row));
    return ReduceOp::create(builder, loc, column, reduction, frag);
  }

  //===--------------------------------------------------------------------===//
  // Queries
  //===--------------------------------------------------------------------===//

  /// Columns `first` on of the queries times the scales of their keys, which
  /// change with quantization groups at most.
  Value loadScaled(Value view, const LinearLayout &layout, int64_t columns,
                   int64_t first) {
    LayoutAttr attribute = LayoutAttr::get(builder.getContext(), layout);
    Value loaded = LoadOp::create(
        builder, loc, b.frag({rows, columns}, shape.operandType, attribute),
        view, b.i64(0), b.i64(first), Access::Direct, spec.queryWidth);
    FragType type = b.frag({rows, columns}, f32, attribute);
    SmallVector<Value> inputs = {loaded};
    if (!keyScales.empty()) {
      // Behind the last feature there are trits of zero.
      int64_t group =
          std::min(first / keys.group(), int64_t(keyScales.size()) - 1);
      inputs.push_back(
          BroadcastOp::create(builder, loc, type, keyScales[group]));
    }
    return b.map(type, inputs, [&](OpBuilder &inner, ValueRange in) -> Value {
      Value element = arith::ExtFOp::create(inner, loc, f32, in[0]);
      if (in.size() == 1)
        return element;
      return arith::MulFOp::create(inner, loc, element, in[1]);
    });
  }

  void loadQueries() {
    // The same in every page, so they are read once.
    if (!keys.isTokenScaled())
      for (int64_t first = 0; first < shape.d; first += keys.group())
        keyScales.push_back(
            keys.scale(keys.page(b.index(0)), first / keys.group()));
    Value view =
        headView(b.pointer(0), shape.operandType, head, index(kQueries),
                 shape.heads, shape.d, rowCount, schedule.getPacked());
    // The largest of a head is wanted by two kinds of lanes: those that have
    // its bytes, and those that will have its scores.
    SmallVector<Value> pairs, lines;
    for (int64_t first = 0; first < wordsOfKey * kWordDepth; first += kDepth)
      pairs.push_back(loadScaled(view, getPairedLayout(), kDepth, first));
    LinearLayout line({{0, 1}}, {{1, 0}, {2, 0}, {0, 2}, {0, 4}, {0, 8}});
    for (int64_t first = 0; first < shape.d; first += kPiece)
      lines.push_back(loadScaled(view, line, kPiece, first));
    Value amax = times(largest(lines), kUnit);
    scoreUnit =
        b.map(cast<FragType>(amax.getType()), {amax, zeroIfFinite(lines)},
              [&](OpBuilder &inner, ValueRange in) -> Value {
                return arith::AddFOp::create(inner, loc, in[0], in[1]);
              });
    // Columns behind the last one repeat others, perhaps with another scale.
    amax =
        largest(ArrayRef(pairs).take_front(llvm::divideCeil(shape.d, kDepth)));
    Value inverse = b.map(cast<FragType>(amax.getType()), amax,
                          [&](OpBuilder &inner, ValueRange in) -> Value {
                            return arith::DivFOp::create(
                                inner, loc, number(inner, kMost), in[0]);
                          });
    for (Value &pair : pairs)
      pair = times(pair, expanded(inverse, cast<FragType>(pair.getType())));
    for (size_t i = 0; i < pairs.size(); i += 2)
      for (int64_t step = 0; step < kWordDepth / kDepth; ++step)
        queries.push_back(SplitBytesOp::create(
            builder, loc, headType, pairs[i], pairs[i + 1], step, FloatAttr()));
  }

  //===--------------------------------------------------------------------===//
  // MMAs
  //===--------------------------------------------------------------------===//

  /// Rows 16 `piece` on of some words, `depthWords` for the K of a row, times
  /// `headOperands`, an operand for every 32 of K.
  Value multiply(ArrayRef<Value> words, int64_t piece, int64_t depthWords,
                 ArrayRef<Value> headOperands) {
    Value sum = BroadcastOp::create(
        builder, loc, sumType,
        arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0)));
    int64_t steps = kWordDepth / kDepth;
    for (auto [step, operand] : llvm::enumerate(headOperands)) {
      int64_t first = 2 * piece * depthWords + step / steps;
      int64_t second = first + depthWords;
      assert(first / 4 == second / 4 && "two chunks");
      Value planeOperand =
          decodePlanes(b, planeType, words[first / 4], {first % 4, second % 4},
                       kDepth * (step % steps));
      sum = MmaOp::create(builder, loc, sumType, planeOperand, operand, sum,
                          Value(), IntegerAttr(), mma);
    }
    return b.map(accType, joined(sum),
                 [&](OpBuilder &inner, ValueRange in) -> Value {
                   return arith::SIToFPOp::create(inner, loc, f32, in[0]);
                 });
  }

  /// Sums of high bytes, in the even columns, and of low ones as sums of
  /// numbers.
  Value joined(Value sum) {
    Type i32 = builder.getI32Type();
    LinearLayout layout = mma.getLayoutC();
    SmallVector<Coord> lanes(layout.laneBits());
    for (Coord &basis : lanes)
      basis.col /= 2;
    LayoutAttr columns =
        LayoutAttr::get(builder.getContext(), LinearLayout({{8, 0}}, lanes));
    auto bytes = [&](int64_t first) -> Value {
      Value part =
          SliceOp::create(builder, loc, b.frag({kPiece, rows}, i32, columns),
                          sum, /*row=*/0, first, ArrayRef<int64_t>{1, 2});
      return TransposeOp::create(builder, loc,
                                 b.frag({rows, kPiece}, i32, accLayout), part);
    };
    Value high = bytes(0), low = bytes(1);
    return b.map(cast<FragType>(high.getType()), {high, low},
                 [&](OpBuilder &inner, ValueRange in) -> Value {
                   Value unit = arith::ConstantOp::create(
                       inner, loc, inner.getI32IntegerAttr(256));
                   Value shifted =
                       arith::MulIOp::create(inner, loc, in[0], unit);
                   return arith::AddIOp::create(inner, loc, shifted, in[1]);
                 });
  }

  //===--------------------------------------------------------------------===//
  // The loop over pages
  //===--------------------------------------------------------------------===//

  /// The words of a page: of the keys, then of the values.
  SmallVector<Value> loadPage(Value stage) {
    SmallVector<Value> words;
    Value page = b.add(firstPage, stage);
    for (const PlanePages *planes : {&keys, &values}) {
      Value place = planes->page(page);
      for (int64_t chunk = 0; chunk < planes->chunks(); ++chunk)
        words.push_back(planes->loadChunk(place, b.index(chunk)));
    }
    return words;
  }

  /// The scales of a page's tokens, a fragment for every 16.
  SmallVector<Value> tokenScales(const PlanePages &planes, int64_t features,
                                 Value stage) {
    SmallVector<Value> scales;
    if (!planes.isTokenScaled())
      return scales;
    Value page = planes.page(b.add(firstPage, stage));
    Value start =
        advance(page, b.index(shape.keyPlanes.getPageCodeBytes(features)),
                builder.getI8Type());
    Value view = ViewOp::create(
        builder, loc, ViewType::get(builder.getContext(), f32, Order::RowMajor),
        start, b.i64(1), b.i64(TernaryAttr::kPageTokens), b.i64(0));
    for (int64_t first = 0; first < keysPerStage; first += kPiece)
      scales.push_back(LoadOp::create(builder, loc, accType, view, b.i64(0),
                                      b.i64(first), Access::Direct, 4));
    return scales;
  }

  SoftmaxState mainLoop() {
    Softmax softmax(b, shape, accLayout, rows);
    SmallVector<Value> carried = softmax.start(resultPieces, kPiece).values();
    size_t stateCount = carried.size();
    Value first = keyWarp();
    llvm::append_range(carried, loadPage(first));
    auto loop = scf::ForOp::create(builder, loc, first, stageCount,
                                   b.index(schedule.getKeyWarps()), carried);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value stage = loop.getInductionVar();
    ValueRange inside = loop.getRegionIterArgs();
    SoftmaxState state(inside.take_front(stateCount));
    SmallVector<Value> words(inside.drop_front(stateCount));
    // One page ahead.
    SmallVector<Value> next = loadPage(b.add(stage, schedule.getKeyWarps()));
    SmallVector<Value> keyFactors = tokenScales(keys, shape.d, stage);
    SmallVector<Value> valueFactors = tokenScales(values, shape.dv, stage);
    SmallVector<Value> scores;
    for (int64_t piece = 0; piece < keysPerStage / kPiece; ++piece) {
      Value score = multiply(ArrayRef(words).take_front(keys.chunks()), piece,
                             wordsOfKey, queries);
      score = times(score, expanded(scoreUnit, accType));
      if (!keyFactors.empty())
        score = times(score, keyFactors[piece]);
      scores.push_back(score);
    }
    scores = prepared(softmax, scores, stage);
    addValues(softmax.exponentiatePage(state, scores), valueFactors,
              ArrayRef(words).drop_front(keys.chunks()), state);
    SmallVector<Value> results = state.values();
    llvm::append_range(results, next);
    scf::YieldOp::create(builder, loc, results);
    return SoftmaxState(loop.getResults().take_front(stateCount));
  }

  /// Adds P V of a page to the accumulators.
  void addValues(Softmax::PageWeights page, ArrayRef<Value> factors,
                 ArrayRef<Value> words, SoftmaxState &state) {
    Value unit = times(page.newFactor, kUnit);
    if (!factors.empty()) {
      // A probability of zero masks the scale of a key that is not attended to.
      for (auto [weight, factor] : llvm::zip(page.weights, factors))
        weight = times(weight, factor);
      Value amax = largest(page.weights);
      Value inverse =
          b.map(oneType, amax, [&](OpBuilder &inner, ValueRange in) -> Value {
            return arith::DivFOp::create(inner, loc, number(inner, 1.0f),
                                         in[0]);
          });
      unit = times(unit, amax);
      for (Value &weight : page.weights)
        weight = times(weight, expanded(inverse, accType));
    }
    SmallVector<Value> bytes;
    int64_t steps = kWordDepth / kDepth;
    for (int64_t step = 0; step < steps; ++step)
      bytes.push_back(
          SplitBytesOp::create(builder, loc, headType, page.weights[step],
                               page.weights[step + steps],
                               /*step=*/0, builder.getF32FloatAttr(kMost)));
    for (auto [piece, sum] : llvm::enumerate(state.accumulators)) {
      Value found = multiply(words, piece, 1, bytes);
      sum = b.map(accType,
                  {sum, expanded(page.oldFactor, accType), found,
                   expanded(unit, accType)},
                  [&](OpBuilder &inner, ValueRange in) -> Value {
                    Value old = arith::MulFOp::create(inner, loc, in[0], in[1]);
                    return math::FmaOp::create(inner, loc, in[2], in[3], old);
                  });
    }
  }

  //===--------------------------------------------------------------------===//
  // Results
  //===--------------------------------------------------------------------===//

  /// Halves the accumulators and applies scales that all tokens of a head
  /// share.
  void finishValues(SoftmaxState &state, ArrayRef<Value> pieces) {
    Value page = values.page(b.index(0));
    for (auto [piece, sum] : llvm::zip(pieces, state.accumulators)) {
      Value factor = number(builder, 0.5f);
      if (!values.isTokenScaled()) {
        int64_t last = (resultPieces - 1) * kPiece / values.group();
        Value group = b.div(b.mul(piece, kPiece), values.group());
        factor = arith::MulFOp::create(
            builder, loc, factor,
            values.scale(page, b.min(group, b.index(last))));
      }
      sum = times(sum, BroadcastOp::create(builder, loc, accType, factor));
    }
  }

  MmaInt8SyncAttr mma;
  FragType planeType, headType, sumType, accType, oneType;
  PlanePages keys, values;
  int64_t wordsOfKey;
  Value firstPage;
  SmallVector<Value> keyScales; // f32, of groups of features.
  SmallVector<Value> queries;   // An operand for every 32 features.
  Value scoreUnit;              // The factor of a head's sums.
};

} // namespace

gpu::GPUFuncOp AttentionKernel::generateInt8(OpBuilder &builder) const {
  return ByteGenerator(*this, builder).run();
}
