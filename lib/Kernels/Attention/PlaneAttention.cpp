//===- PlaneAttention.cpp - Attention on planes of keys and values --------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loop of AttentionKernel.cpp with keys, or keys and values, that come as
// trits. A page of 64 keys is so small that every warp loads it from global
// memory into registers, 16 bytes a lane, one page ahead of the MMAs, and
// unpacks it there: planes need neither shared memory nor barriers. Full values
// beside ternary keys come through the pipeline.
//
// Trits are unpacked to -2, 0 and 2. For keys the scale of the scores is half
// as large, for values the accumulators are halved at the end. Scales of keys
// multiply scores, those of values the exponentials (a scale a token) or the
// result.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/CacheAttention.h"
#include "Kernels/Attention/Planes/PlanePages.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

namespace {

/// The pages of one head of a cache.
struct Planes {
  TernaryAttr encoding;
  int64_t features = 0;
  Value head; // Where its first page is.

  explicit operator bool() const { return bool(encoding); }
  int64_t pageBytes() const { return encoding.getPageBytes(features); }
  bool isTokenScaled() const {
    return encoding.getGroup() == TernaryAttr::kTokenScale;
  }
  /// Features that share a scale, if tokens have none of their own.
  int64_t group() const {
    return encoding.getGroup() == TernaryAttr::kHeadScale ? features
                                                          : encoding.getGroup();
  }
};

class TernaryGenerator : CacheAttention {
public:
  TernaryGenerator(const AttentionKernel &spec, OpBuilder &builder)
      : CacheAttention(spec, builder) {
    keys.encoding = shape.keyPlanes;
    keys.features = shape.d;
    values.encoding = shape.valuePlanes;
    values.features = shape.dv;
  }

  gpu::GPUFuncOp run() {
    if (!values) {
      addStream(2, shape.dv, shape.valueWidth, spec.copyValues);
      openRing();
    }
    b.openRole("main", schedule.getNumWarps());
    placeBlock(b.blockId());
    boundKeys();
    placeWarp();
    pageCount = b.div(index(kKeys), TernaryAttr::kPageTokens);
    firstPage = b.div(startKey, TernaryAttr::kPageTokens);
    placePlanes(keys, 1);
    if (values)
      placePlanes(values, 2);
    loadQueries();
    // The same in every page, so they are read once.
    if (!keys.isTokenScaled())
      for (int64_t first = 0; first < shape.d; first += keys.group())
        keyScales.push_back(
            oneScale(keys, pageOf(keys, b.index(0)), first / keys.group()));
    SoftmaxState state = mainLoop();
    if (values)
      finishValues(state);
    store(state);
    return b.finish();
  }

private:
  //===--------------------------------------------------------------------===//
  // Pages
  //===--------------------------------------------------------------------===//

  static int64_t chunksOf(const Planes &planes) {
    return planes.encoding.getPageCodeBytes(planes.features) / kChunkBytes;
  }

  void placePlanes(Planes &planes, int64_t pointer) {
    Value number = b.add(b.mul(batch, shape.keyHeads), keyHead);
    Value bytes = b.mul(product(number, pageCount), planes.pageBytes());
    planes.head = advance(b.pointer(pointer), bytes, builder.getI8Type());
  }

  /// The page of stage `stage`; past the end the last one, whose data is not
  /// used.
  Value pageOf(const Planes &planes, Value stage) {
    Value page = b.min(b.add(firstPage, stage), b.add(pageCount, -1));
    return advance(planes.head, b.mul(page, planes.pageBytes()),
                   builder.getI8Type());
  }

  /// The words of a page, a fragment for each chunk.
  void loadWords(const Planes &planes, Value stage,
                 SmallVectorImpl<Value> &words) {
    int64_t count = chunksOf(planes);
    Value view = ViewOp::create(
        builder, loc,
        ViewType::get(builder.getContext(), builder.getI32Type(),
                      Order::RowMajor),
        pageOf(planes, stage), b.i64(32 * count), b.i64(4), b.i64(4));
    for (int64_t chunk = 0; chunk < count; ++chunk)
      words.push_back(LoadOp::create(builder, loc, wordType, view,
                                     b.i64(32 * chunk), b.i64(0),
                                     Access::Direct, 16));
  }

  /// The operand of 16 rows from 16 `piece` on and 16 columns of K from 16
  /// `step` on, of words, `depthWords` for the K of a row.
  Value expand(ArrayRef<Value> words, int64_t piece, int64_t step,
               int64_t depthWords) {
    SmallVector<int64_t> inChunk;
    int64_t chunk = -1;
    for (int64_t tile = 2 * piece; tile < 2 * piece + 2; ++tile) {
      int64_t word = tile * depthWords + step / 4;
      assert((chunk < 0 || chunk == word / 4) && "two chunks");
      chunk = word / 4;
      inChunk.push_back(word % 4);
    }
    FragType type = b.frag({kPiece, kPiece}, shape.operandType, cacheLayout());
    return decodePlanes(b, type, words[chunk], inChunk, kPiece * (step % 4));
  }

  //===--------------------------------------------------------------------===//
  // Scales
  //===--------------------------------------------------------------------===//

  Value scalePointer(const Planes &planes, Value page, int64_t number) {
    Type type = planes.encoding.getScaleType();
    int64_t bytes = planes.encoding.getPageCodeBytes(planes.features) +
                    number * type.getIntOrFloatBitWidth() / 8;
    return advance(page, b.index(bytes), builder.getI8Type());
  }

  /// Scale `number` of a page, the same for all lanes.
  Value oneScale(const Planes &planes, Value page, int64_t number) {
    Type type = planes.encoding.getScaleType();
    Value loaded = LLVM::LoadOp::create(builder, loc, type,
                                        scalePointer(planes, page, number),
                                        type.getIntOrFloatBitWidth() / 8);
    return toF32(builder, loaded);
  }

  /// The scales of the 16 tokens from 16 `piece` on, a column for each.
  Value tokenScales(const Planes &planes, Value page, int64_t piece) {
    Type type = planes.encoding.getScaleType();
    Value view = ViewOp::create(
        builder, loc,
        ViewType::get(builder.getContext(), type, Order::RowMajor),
        scalePointer(planes, page, 0), b.i64(1),
        b.i64(TernaryAttr::kPageTokens), b.i64(0));
    return LoadOp::create(builder, loc, b.frag({rows, kPiece}, type, accLayout),
                          view, b.i64(0), b.i64(piece * kPiece), Access::Direct,
                          2 * type.getIntOrFloatBitWidth() / 8);
  }

  //===--------------------------------------------------------------------===//
  // The loop over stages
  //===--------------------------------------------------------------------===//

  /// The words of stage `stage`: of the keys, then of ternary values.
  SmallVector<Value> loadStage(Value stage) {
    SmallVector<Value> words;
    loadWords(keys, stage, words);
    if (values)
      loadWords(values, stage, words);
    return words;
  }

  SoftmaxState mainLoop() {
    if (!values)
      for (int64_t stage = 0; stage < schedule.getStages() - 1; ++stage)
        fill(b.index(stage));
    Softmax softmax(b, shape, accLayout, rows);
    SmallVector<Value> carried = softmax.start(resultPieces, kPiece).values();
    size_t stateCount = carried.size();
    // One page ahead, where there are registers for it: accumulators that are
    // scaled group by group need them for many features.
    bool isGrouped = !keys.isTokenScaled() && keys.group() < shape.d;
    bool isAhead = isTransposed || (values && (!isGrouped || shape.d <= 64));
    if (isAhead)
      llvm::append_range(carried, loadStage(b.index(0)));
    auto loop = scf::ForOp::create(builder, loc, b.index(0), stageCount,
                                   b.index(1), carried);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value stage = loop.getInductionVar();
    ValueRange inside = loop.getRegionIterArgs();
    SoftmaxState state(inside.take_front(stateCount));
    SmallVector<Value> words(inside.drop_front(stateCount)), next;
    if (isAhead)
      next = loadStage(b.add(stage, 1));
    else
      words = loadStage(stage);
    SmallVector<Value> fullValues;
    if (!values) {
      fullValues = waitFor(stage);
      fill(b.add(stage, schedule.getStages() - 1));
    }
    ArrayRef<Value> keyWords = ArrayRef(words).take_front(chunksOf(keys));
    ArrayRef<Value> valueWords = ArrayRef(words).drop_front(chunksOf(keys));
    SmallVector<Value> scores =
        prepared(softmax, multiplyKeys(keyWords, stage), stage);
    auto [weights, factor] = softmax.exponentiate(state, scores);
    softmax.rescale(state, factor);
    for (auto [piece, weight] : llvm::enumerate(weights)) {
      if (values && values.isTokenScaled())
        weight =
            scaled(weight, tokenScales(values, pageOf(values, stage), piece));
      weight = softmax.rounded(weight, shape.operandType, kPiece);
    }
    if (values)
      multiplyPlanes(valueWords, weights, state);
    else
      multiplyFull(fullValues, weights, state);
    if (!values)
      ReleaseOp::create(builder, loc, ring, stage);
    SmallVector<Value> results = state.values();
    llvm::append_range(results, next);
    scf::YieldOp::create(builder, loc, results);
    return SoftmaxState(loop.getResults().take_front(stateCount));
  }

  /// The scaled q k^T for the keys of a page.
  SmallVector<Value> multiplyKeys(ArrayRef<Value> words, Value stage) {
    Value none = noProducts();
    Value page = pageOf(keys, stage);
    int64_t depthWords = llvm::divideCeil(shape.d, 64);
    int64_t groupSteps = keys.isTokenScaled()
                             ? depthSteps
                             : llvm::divideCeil(keys.group(), kPiece);
    SmallVector<Value> scores;
    for (int64_t first = 0; first < depthSteps; first += groupSteps) {
      SmallVector<Value> sums(keysPerStage / kPiece, none);
      int64_t end = std::min(depthSteps, first + groupSteps);
      for (int64_t step = first; step < end; ++step)
        for (auto [piece, sum] : llvm::enumerate(sums))
          sum = multiply(queries[step], expand(words, piece, step, depthWords),
                         sum);
      Value shared;
      if (!keys.isTokenScaled())
        shared = keyScales[first / groupSteps];
      for (auto [piece, sum] : llvm::enumerate(sums)) {
        Value score = scaled(fromMma(sum),
                             shared ? shared : tokenScales(keys, page, piece));
        if (first == 0)
          scores.push_back(score);
        else
          scores[piece] = b.sum(scores[piece], score);
      }
    }
    return scores;
  }

  /// Adds P V of a page to the accumulators.
  void multiplyPlanes(ArrayRef<Value> words, ArrayRef<Value> weights,
                      SoftmaxState &state) {
    for (auto [step, weight] : llvm::enumerate(weights)) {
      Value headOperand = toOperand(weight);
      for (auto [piece, sum] : llvm::enumerate(state.accumulators))
        sum = fromMma(
            multiply(headOperand, expand(words, piece, step, 1), toMma(sum)));
    }
  }

  void multiplyFull(ArrayRef<Value> stage, ArrayRef<Value> weights,
                    SoftmaxState &state) {
    auto ldmatrix = LdMatrixAttr::get(builder.getContext());
    FragType valueType =
        b.frag({kPiece, kPiece}, shape.operandType, cacheLayout());
    for (auto [piece, weight] : llvm::enumerate(weights)) {
      Value headOperand = toOperand(weight);
      for (auto [number, sum] : llvm::enumerate(state.accumulators)) {
        int64_t feature = number * kPiece;
        Value full = LoadOp::create(
            builder, loc, valueType, stage[feature / kTileCols],
            b.index(piece * kPiece), b.index(feature % kTileCols),
            Access::Transposed, ldmatrix);
        sum = fromMma(multiply(headOperand, full, toMma(sum)));
      }
    }
  }

  /// Halves the accumulators and applies scales that all tokens of a head
  /// share.
  void finishValues(SoftmaxState &state) {
    Value half =
        arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0.5f));
    Value page = pageOf(values, b.index(0));
    for (auto [piece, sum] : llvm::enumerate(state.accumulators)) {
      Value factor = half;
      if (!values.isTokenScaled()) {
        int64_t number = piece * kPiece / values.group();
        factor = arith::MulFOp::create(builder, loc, half,
                                       oneScale(values, page, number));
      }
      sum = scaled(sum, factor);
    }
  }

  Planes keys, values;
  SmallVector<Value> keyScales; // f32, of groups of features.
  Value pageCount, firstPage;
};

} // namespace

gpu::GPUFuncOp AttentionKernel::generateTernary(OpBuilder &builder) const {
  return TernaryGenerator(*this, builder).run();
}
