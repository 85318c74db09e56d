//===- LowerAttention.cpp - Attention to dense linalg ---------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The meaning of attention, step by step, for the CPU: all scores, masked; the
// maximum of each row; exponentials and their sum; the weighted sum of values.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/Transforms/LowerAttention.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

class Lowering {
public:
  Lowering(RewriterBase &b, AttentionOp op, Value k, Value v)
      : b(b), op(op), k(k ? k : op.getK()), v(v ? v : op.getV()),
        loc(op.getLoc()), f32(b.getF32Type()),
        bhsd(op.getLayout() == AttentionLayout::Bhsd) {}

  void run() {
    b.setInsertionPoint(op);
    batch = dim(op.getQ(), 0);
    queries = dim(op.getQ(), op.getSequenceDim());
    keys = dim(k, op.getSequenceDim());
    if (op.getPages())
      keys = pagedKeys();
    if (op.hasOwnCaches()) {
      entryKeys = toValue(keys);
      Value entries =
          toValue(dim(op.getPages() ? op.getPages() : k, /*position=*/0));
      keys = getAsOpFoldResult(
          b.createOrFold<arith::MulIOp>(loc, entries, entryKeys));
    }
    if (op.getPages() || entryKeys) {
      k = gathered(k);
      v = gathered(v);
    }
    if (op.getValueFeatures())
      v = firstFeatures(v);
    Value zero = number(0.0f), none = number(-INFINITY);
    Value scores = maskedScores(products(zero));
    Value most = reduce<arith::MaximumFOp>(scores, none);
    Value weights = exponentials(scores, most);
    Value sums = reduce<arith::AddFOp>(weights, zero);
    Value mixed = mixValues(weights, zero);
    SmallVector<Value> results = {normalise(mixed, sums, most)};
    if (op.getLse())
      results.push_back(logSumExp(sums, most));
    b.replaceOp(op, results);
  }

private:
  using Body = function_ref<Value(OpBuilder &, ValueRange)>;

  Value number(float value) {
    return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(value));
  }

  OpFoldResult dim(Value tensor, int64_t position) {
    auto type = cast<RankedTensorType>(tensor.getType());
    if (!type.isDynamicDim(position))
      return b.getIndexAttr(type.getDimSize(position));
    return tensor::DimOp::create(b, loc, tensor, position).getResult();
  }

  Value toValue(OpFoldResult size) {
    return getValueOrCreateConstantIndexOp(b, loc, size);
  }

  Value empty(ArrayRef<OpFoldResult> sizes, Type element) {
    return tensor::EmptyOp::create(b, loc, sizes, element);
  }

  Value filled(ArrayRef<OpFoldResult> sizes, Value value) {
    return linalg::FillOp::create(b, loc, value, empty(sizes, value.getType()))
        .getResult(0);
  }

  SmallVector<OpFoldResult> rowSizes() {
    return {batch, b.getIndexAttr(op.getQueryHeads()), queries};
  }

  SmallVector<OpFoldResult> scoreSizes() {
    SmallVector<OpFoldResult> sizes = rowSizes();
    sizes.push_back(keys);
    return sizes;
  }

  /// Keys of a batch entry: the pages in a row of the table. Where there are no
  /// pages there are none, whatever the table says.
  OpFoldResult pagedKeys() {
    Value columns = toValue(dim(op.getPages(), 1));
    Value page = arith::ConstantIndexOp::create(b, loc, op.getPageSize());
    Value count = b.createOrFold<arith::MulIOp>(loc, columns, page);
    Value none = arith::ConstantIndexOp::create(b, loc, 0);
    Value any = b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ne,
                                              toValue(dim(op.getK(), 0)), none);
    return getAsOpFoldResult(
        b.createOrFold<arith::SelectOp>(loc, any, count, none));
  }

  /// The rows of `pages` in the order of the keys; zeros behind a length, and
  /// where the table names a page that there is not. Behind packed queries the
  /// keys of all entries are those of one, pages or not.
  Value gathered(Value pages) {
    auto type = cast<RankedTensorType>(pages.getType());
    SmallVector<OpFoldResult> sizes = {batch};
    for (unsigned position = 1; position < 4; ++position)
      sizes.push_back(position == op.getSequenceDim() ? keys
                                                      : dim(pages, position));
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    if (op.getLengths() && !entryKeys) {
      inputs.push_back(op.getLengths());
      maps.push_back(select(4, {0}));
    }
    maps.push_back(b.getMultiDimIdentityMap(4));
    Value page = arith::ConstantIndexOp::create(
        b, loc, std::max<int64_t>(op.getPageSize(), 1));
    Value first = arith::ConstantIndexOp::create(b, loc, 0);
    Value end = toValue(dim(pages, 0));
    using Predicate = arith::CmpIPredicate;
    return generic(
        inputs, empty(sizes, type.getElementType()), maps, {},
        [&](OpBuilder &inner, ValueRange in) -> Value {
          SmallVector<Value> index;
          for (int64_t loop = 0; loop < 4; ++loop)
            index.push_back(linalg::IndexOp::create(inner, loc, loop));
          Value &row = index[op.getSequenceDim()], given;
          if (entryKeys) {
            index[0] = arith::DivUIOp::create(inner, loc, row, entryKeys);
            row = arith::RemUIOp::create(inner, loc, row, entryKeys);
            given = tensor::ExtractOp::create(inner, loc, op.getLengths(),
                                              index[0]);
          } else if (op.getLengths()) {
            given = in[0];
          }
          Value key = row, there;
          if (op.getPages()) {
            Value column = arith::DivUIOp::create(inner, loc, key, page);
            Value entry = tensor::ExtractOp::create(
                inner, loc, op.getPages(), ValueRange{index[0], column});
            entry = arith::IndexCastOp::create(inner, loc, inner.getIndexType(),
                                               entry);
            // A negative entry is a large one.
            there =
                arith::CmpIOp::create(inner, loc, Predicate::ult, entry, end);
            index[0] = arith::SelectOp::create(inner, loc, there, entry, first);
            row = arith::RemUIOp::create(inner, loc, key, page);
          }
          Value element = tensor::ExtractOp::create(inner, loc, pages, index);
          if (given) {
            Value length = arith::IndexCastOp::create(
                inner, loc, inner.getIndexType(), given);
            Value inside =
                arith::CmpIOp::create(inner, loc, Predicate::slt, key, length);
            there = there ? arith::AndIOp::create(inner, loc, there, inside)
                                .getResult()
                          : inside;
          }
          Value zero = arith::ConstantOp::create(
              inner, loc, inner.getZeroAttr(type.getElementType()));
          return arith::SelectOp::create(inner, loc, there, element, zero);
        });
  }

  /// The sequence of each of `count` rows that `offsets`, cumulative lengths,
  /// divide: how many of them begin behind the first one at a row or before it.
  Value sequencesOf(Value offsets, OpFoldResult count) {
    Type i32 = b.getI32Type();
    Value none = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
    Value init =
        linalg::FillOp::create(b, loc, none, empty({count}, i32)).getResult(0);
    return generic(
        offsets, init, {select(2, {1}), select(2, {0})}, {1},
        [&](OpBuilder &inner, ValueRange in) -> Value {
          using Predicate = arith::CmpIPredicate;
          Value row = arith::IndexCastOp::create(
              inner, loc, i32, linalg::IndexOp::create(inner, loc, 0));
          Value number = linalg::IndexOp::create(inner, loc, 1);
          Value zero = arith::ConstantIndexOp::create(inner, loc, 0);
          Value counts = arith::AndIOp::create(
              inner, loc,
              arith::CmpIOp::create(inner, loc, Predicate::sle, in[0], row),
              arith::CmpIOp::create(inner, loc, Predicate::ne, number, zero));
          return arith::AddIOp::create(
              inner, loc, in[1],
              arith::ExtUIOp::create(inner, loc, i32, counts));
        });
  }

  /// The first `length` (i32) of the keys of an entry, no more than there are.
  Value clamped(OpBuilder &inner, Value length, Value count) {
    length =
        arith::IndexCastOp::create(inner, loc, inner.getIndexType(), length);
    Value zero = arith::ConstantIndexOp::create(inner, loc, 0);
    length = arith::MaxSIOp::create(inner, loc, length, zero);
    return arith::MinSIOp::create(inner, loc, length, count);
  }

  /// Of query `index`[2] and key `index`[3], whose sequences are `ofQuery` and
  /// `ofKey` (null where each has an entry of keys): counts all four indices
  /// from those of the query's sequence on, and gives the numbers of its
  /// queries and keys and whether the key is one.
  std::tuple<Value, Value, Value> inSequence(OpBuilder &inner, Value ofQuery,
                                             Value ofKey,
                                             MutableArrayRef<Value> index) {
    using Predicate = arith::CmpIPredicate;
    Value one = arith::ConstantIndexOp::create(inner, loc, 1);
    Value offsets = tensor::DimOp::create(inner, loc, op.getCuSeqlensQ(), 0);
    Value count = arith::SubIOp::create(inner, loc, offsets, one);
    if (!ofKey) {
      Value entries = tensor::DimOp::create(inner, loc, op.getLengths(), 0);
      count = arith::MinSIOp::create(inner, loc, count, entries);
    }
    Value number =
        arith::IndexCastOp::create(inner, loc, inner.getIndexType(), ofQuery);
    Value next = arith::MinSIOp::create(
        inner, loc, arith::AddIOp::create(inner, loc, number, one), count);
    auto extent = [&](Value tensor, Value &position) -> Value {
      auto at = [&](Value place) -> Value {
        return arith::IndexCastOp::create(
            inner, loc, inner.getIndexType(),
            tensor::ExtractOp::create(inner, loc, tensor, place));
      };
      Value first = at(number), end = at(next);
      position = arith::SubIOp::create(inner, loc, position, first);
      return arith::SubIOp::create(inner, loc, end, first);
    };
    index[0] = number;
    Value rows = extent(op.getCuSeqlensQ(), index[2]), length, isOfSequence;
    if (ofKey) {
      length = extent(op.getCuSeqlensK(), index[3]);
      isOfSequence =
          arith::CmpIOp::create(inner, loc, Predicate::eq, ofQuery, ofKey);
    } else {
      Value entry = arith::DivUIOp::create(inner, loc, index[3], entryKeys);
      index[3] = arith::RemUIOp::create(inner, loc, index[3], entryKeys);
      length = clamped(
          inner, tensor::ExtractOp::create(inner, loc, op.getLengths(), entry),
          entryKeys);
      isOfSequence =
          arith::CmpIOp::create(inner, loc, Predicate::eq, number, entry);
    }
    Value same = arith::AndIOp::create(
        inner, loc, isOfSequence,
        arith::CmpIOp::create(inner, loc, Predicate::slt, number, count));
    return {rows, length, same};
  }

  /// The features of `rows` that are values.
  Value firstFeatures(Value rows) {
    SmallVector<OpFoldResult> sizes;
    for (int64_t position = 0; position < 3; ++position)
      sizes.push_back(dim(rows, position));
    sizes.push_back(b.getIndexAttr(op.getDv()));
    SmallVector<OpFoldResult> offsets(4, b.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(4, b.getIndexAttr(1));
    return tensor::ExtractSliceOp::create(b, loc, rows, offsets, sizes,
                                          strides);
  }

  /// The map of `loops` loops that selects these of them.
  AffineMap select(unsigned loops, ArrayRef<unsigned> dims) {
    SmallVector<AffineExpr> exprs;
    for (unsigned position : dims)
      exprs.push_back(b.getAffineDimExpr(position));
    return AffineMap::get(loops, 0, exprs, b.getContext());
  }

  /// The map of a tensor of five loops: batch entry 0, head 1, position
  /// `sequence`, feature `feature`. Keys and values have a head for several.
  AffineMap tensorMap(unsigned sequence, unsigned feature, bool ofKeys) {
    AffineExpr head = b.getAffineDimExpr(1);
    int64_t ratio = op.getQueryHeads() / op.getKeyHeads();
    if (ofKeys && ratio > 1)
      head = head.floorDiv(ratio);
    AffineExpr position = b.getAffineDimExpr(sequence);
    AffineExpr first = bhsd ? head : position, second = bhsd ? position : head;
    return AffineMap::get(
        5, 0,
        {b.getAffineDimExpr(0), first, second, b.getAffineDimExpr(feature)},
        b.getContext());
  }

  /// One op with the last map for its output.
  Value generic(ValueRange inputs, Value init, ArrayRef<AffineMap> maps,
                ArrayRef<unsigned> reductions, Body body) {
    SmallVector<utils::IteratorType> iterators(maps[0].getNumDims(),
                                               utils::IteratorType::parallel);
    for (unsigned loop : reductions)
      iterators[loop] = utils::IteratorType::reduction;
    return linalg::GenericOp::create(
               b, loc, init.getType(), inputs, init, maps, iterators,
               [&](OpBuilder &inner, Location l, ValueRange arguments) {
                 linalg::YieldOp::create(inner, l, body(inner, arguments));
               })
        .getResult(0);
  }

  Value extend(OpBuilder &inner, Value value) {
    return value.getType() == f32
               ? value
               : arith::ExtFOp::create(inner, loc, f32, value).getResult();
  }

  /// q k^T in f32: [B, H, S_q, S_k].
  Value products(Value zero) {
    AffineMap maps[] = {tensorMap(2, 4, false), tensorMap(3, 4, true),
                        select(5, {0, 1, 2, 3})};
    return generic({op.getQ(), k}, filled(scoreSizes(), zero), maps, {4},
                   [&](OpBuilder &inner, ValueRange in) -> Value {
                     Value product =
                         arith::MulFOp::create(inner, loc, extend(inner, in[0]),
                                               extend(inner, in[1]));
                     return arith::AddFOp::create(inner, loc, in[2], product);
                   });
  }

  /// The scores of the keys that count, -inf for the others.
  Value maskedScores(Value products) {
    SmallVector<Value> inputs = {products};
    SmallVector<AffineMap> maps = {b.getMultiDimIdentityMap(4)};
    for (auto [index, operand] : llvm::enumerate(op.getScoreOperands())) {
      SmallVector<unsigned> dims;
      for (char letter : op.getScoreDims(index))
        dims.push_back(StringRef("bhqk").find(letter));
      inputs.push_back(operand);
      maps.push_back(select(4, dims));
    }
    if (op.getLengths() && !entryKeys) {
      inputs.push_back(op.getLengths());
      maps.push_back(select(4, {0}));
    }
    if (op.isVarlen()) {
      inputs.push_back(sequencesOf(op.getCuSeqlensQ(), queries));
      maps.push_back(select(4, {2}));
    }
    if (op.getCuSeqlensK()) {
      inputs.push_back(sequencesOf(op.getCuSeqlensK(), keys));
      maps.push_back(select(4, {3}));
    }
    maps.push_back(b.getMultiDimIdentityMap(4));
    Value scale = number(op.getScaleValue()), none = number(-INFINITY);
    Value queryCount = toValue(queries), keyCount = toValue(keys);
    Value init = empty(scoreSizes(), f32);
    return generic(
        inputs, init, maps, {}, [&](OpBuilder &inner, ValueRange in) -> Value {
          Value index[4];
          for (int64_t loop = 0; loop < 4; ++loop)
            index[loop] = linalg::IndexOp::create(inner, loc, loop);
          Value length = keyCount, rowCount = queryCount, same;
          if (op.isVarlen())
            std::tie(rowCount, length, same) =
                inSequence(inner, in[1], entryKeys ? Value() : in[2], index);
          Value score = arith::MulFOp::create(inner, loc, in[0], scale);
          if (op.hasScore())
            score = applyRegion(inner, score, index, in);
          if (op.getLengths() && !entryKeys)
            length =
                clamped(inner, in[1 + op.getScoreOperands().size()], keyCount);
          Value visible =
              isVisible(inner, index[2], index[3], length, rowCount);
          if (same)
            visible = arith::AndIOp::create(inner, loc, visible, same);
          return arith::SelectOp::create(inner, loc, visible, score, none);
        });
  }

  Value applyRegion(OpBuilder &inner, Value score, ArrayRef<Value> index,
                    ValueRange in) {
    Block &block = op.getScore().front();
    IRMapping map;
    map.map(block.getArgument(0), score);
    for (unsigned i = 0; i < 4; ++i)
      map.map(
          block.getArgument(i + 1),
          arith::IndexCastOp::create(inner, loc, inner.getI32Type(), index[i])
              .getResult());
    for (unsigned i = 0, e = op.getScoreOperands().size(); i < e; ++i)
      map.map(block.getArgument(5 + i), in[1 + i]);
    for (Operation &scalar : block.without_terminator())
      inner.clone(scalar, map);
    return map.lookupOrDefault(op.getYieldedScore());
  }

  Value isVisible(OpBuilder &inner, Value query, Value key, Value length,
                  Value queryCount) {
    using Predicate = arith::CmpIPredicate;
    auto compare = [&](Predicate predicate, Value x, Value y) -> Value {
      return arith::CmpIOp::create(inner, loc, predicate, x, y);
    };
    auto both = [&](Value x, Value y) -> Value {
      return arith::AndIOp::create(inner, loc, x, y);
    };
    Value visible = compare(Predicate::slt, key, length);
    Value shift = arith::SubIOp::create(inner, loc, length, queryCount);
    Value position = arith::AddIOp::create(inner, loc, query, shift);
    if (op.getCausal())
      visible = both(visible, compare(Predicate::sle, key, position));
    if (std::optional<uint64_t> window = op.getWindow()) {
      Value width = arith::ConstantIndexOp::create(inner, loc, *window);
      Value before = arith::SubIOp::create(inner, loc, position, width);
      Value behind = arith::AddIOp::create(inner, loc, position, width);
      visible = both(visible, compare(Predicate::sgt, key, before));
      visible = both(visible, compare(Predicate::slt, key, behind));
    }
    return visible;
  }

  /// Reduces the keys: [B, H, S_q].
  template <typename OpT>
  Value reduce(Value scores, Value init) {
    AffineMap maps[] = {b.getMultiDimIdentityMap(4), select(4, {0, 1, 2})};
    return generic(scores, filled(rowSizes(), init), maps, {3},
                   [&](OpBuilder &inner, ValueRange in) -> Value {
                     return OpT::create(inner, loc, in[1], in[0]);
                   });
  }

  Value isNone(OpBuilder &inner, Value score) {
    Value none =
        arith::ConstantOp::create(inner, loc, inner.getF32FloatAttr(-INFINITY));
    return arith::CmpFOp::create(inner, loc, arith::CmpFPredicate::OEQ, score,
                                 none);
  }

  Value exponentials(Value scores, Value most) {
    AffineMap all = b.getMultiDimIdentityMap(4);
    AffineMap maps[] = {all, select(4, {0, 1, 2}), all};
    Value init = empty(scoreSizes(), f32);
    return generic({scores, most}, init, maps, {},
                   [&](OpBuilder &inner, ValueRange in) -> Value {
                     Value below =
                         arith::SubFOp::create(inner, loc, in[0], in[1]);
                     Value power = math::ExpOp::create(inner, loc, below);
                     Value zero = arith::ConstantOp::create(
                         inner, loc, inner.getF32FloatAttr(0.0f));
                     return arith::SelectOp::create(
                         inner, loc, isNone(inner, in[0]), zero, power);
                   });
  }

  /// The sum of values, not yet divided: [B, H, S_q, D_v]. The loop over keys
  /// stands outside that over features, which is a loop over neighbours.
  Value mixValues(Value weights, Value zero) {
    AffineMap maps[] = {select(5, {0, 1, 2, 3}), tensorMap(3, 4, true),
                        select(5, {0, 1, 2, 4})};
    SmallVector<OpFoldResult> sizes = rowSizes();
    sizes.push_back(b.getIndexAttr(op.getDv()));
    return generic(
        {weights, v}, filled(sizes, zero), maps, {3},
        [&](OpBuilder &inner, ValueRange in) -> Value {
          Value product =
              arith::MulFOp::create(inner, loc, in[0], extend(inner, in[1]));
          // Another sequence's value may be infinite.
          if (op.isVarlen()) {
            Value none = arith::ConstantOp::create(inner, loc,
                                                   inner.getF32FloatAttr(0.0f));
            Value left = arith::CmpFOp::create(
                inner, loc, arith::CmpFPredicate::OEQ, in[0], none);
            product = arith::SelectOp::create(inner, loc, left, none, product);
          }
          return arith::AddFOp::create(inner, loc, in[2], product);
        });
  }

  Value normalise(Value mixed, Value sums, Value most) {
    AffineMap row = select(4, {0, 1, 2});
    SmallVector<AffineMap> maps = {b.getMultiDimIdentityMap(4), row, row};
    SmallVector<Value> inputs = {mixed, sums, most};
    addSinks(inputs, maps, 4);
    maps.push_back(bhsd ? b.getMultiDimIdentityMap(4)
                        : select(4, {0, 2, 1, 3}));
    SmallVector<OpFoldResult> sizes = rowSizes();
    sizes.push_back(b.getIndexAttr(op.getDv()));
    if (!bhsd)
      std::swap(sizes[1], sizes[2]);
    Type element = op.getResultType().getElementType();
    return generic(
        inputs, empty(sizes, element), maps, {},
        [&](OpBuilder &inner, ValueRange in) -> Value {
          Value zero = arith::ConstantOp::create(inner, loc,
                                                 inner.getF32FloatAttr(0.0f));
          Value sum = in[1];
          if (op.getSinkLogits())
            sum = arith::AddFOp::create(
                inner, loc, sum,
                math::ExpOp::create(
                    inner, loc,
                    arith::SubFOp::create(inner, loc, in[3], in[2])));
          Value mean = arith::DivFOp::create(inner, loc, in[0], sum);
          Value result = arith::SelectOp::create(
              inner, loc, isNone(inner, in[2]), zero, mean);
          if (element != f32)
            result = arith::TruncFOp::create(inner, loc, element, result);
          return result;
        });
  }

  Value logSumExp(Value sums, Value most) {
    AffineMap all = b.getMultiDimIdentityMap(3);
    SmallVector<Value> inputs = {sums, most};
    SmallVector<AffineMap> maps = {all, all};
    addSinks(inputs, maps, 3);
    maps.push_back(all);
    return generic(inputs, empty(rowSizes(), f32), maps, {},
                   [&](OpBuilder &inner, ValueRange in) -> Value {
                     Value log = math::LogOp::create(inner, loc, in[0]);
                     Value sum = arith::AddFOp::create(inner, loc, in[1], log);
                     if (op.getSinkLogits())
                       sum = logOfBoth(inner, sum, in[2]);
                     return arith::SelectOp::create(
                         inner, loc, isNone(inner, in[1]),
                         op.getSinkLogits() ? in[2] : in[1], sum);
                   });
  }

  /// A sink logit for each head, the second of `loops` loops, where there are.
  void addSinks(SmallVectorImpl<Value> &inputs,
                SmallVectorImpl<AffineMap> &maps, unsigned loops) {
    if (!op.getSinkLogits())
      return;
    inputs.push_back(op.getSinkLogits());
    maps.push_back(select(loops, {1}));
  }

  /// log(exp(x) + exp(y)); x is a number.
  Value logOfBoth(OpBuilder &inner, Value x, Value y) {
    Value largest = arith::MaximumFOp::create(inner, loc, x, y);
    Value apart = math::AbsFOp::create(inner, loc,
                                       arith::SubFOp::create(inner, loc, x, y));
    Value below = math::ExpOp::create(inner, loc,
                                      arith::NegFOp::create(inner, loc, apart));
    return arith::AddFOp::create(inner, loc, largest,
                                 math::Log1pOp::create(inner, loc, below));
  }

  RewriterBase &b;
  AttentionOp op;
  Value k, v;
  Location loc;
  Type f32;
  bool bhsd;
  OpFoldResult batch, queries, keys;
  // Keys of an entry, where packed queries are behind entries of their own: all
  // of them then are keys of one entry. Null elsewhere.
  Value entryKeys;
};

} // namespace

void mlir::sparseflow::lowerAttention(RewriterBase &rewriter, AttentionOp op,
                                      Value k, Value v) {
  Lowering(rewriter, op, k, v).run();
}
