//===- OnlineSoftmax.cpp - The softmax on fragments -----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/OnlineSoftmax.h"
#include "SparseFlow/Dialect/SFTile/IR/RowLayouts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

static constexpr float kLog2E = 1.44269504088896341f;
static constexpr float kLn2 = 0.693147180559945309f;

/// Whether scores may be so far from 0 that log2(e) times one, rounded, is off
/// by more than exponents can be: numbers that stand for -inf in masks, from
/// operands of the score region or constants of it.
static bool mayBeFar(const AttentionShape &shape) {
  if (!shape.score)
    return false;
  if (!shape.operands.empty())
    return true;
  static constexpr double kNear = 1 << 17;
  return shape.score
      ->walk([&](arith::ConstantOp constant) {
        auto value = dyn_cast<FloatAttr>(constant.getValue());
        bool isFar = value && value.getValue().isFinite() &&
                     std::abs(value.getValueAsDouble()) > kNear;
        return isFar ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

Softmax::Softmax(KernelBuilder &b, const AttentionShape &shape, LayoutAttr acc,
                 int64_t rows, Value factor)
    : b(b), shape(shape), builder(b.builder), loc(b.loc), rows(rows),
      isFar(mayBeFar(shape)), f32(b.builder.getF32Type()), acc(acc) {
  MLIRContext *context = builder.getContext();
  LinearLayout layout = acc.getLayout();
  LinearLayout parts = getRowPartLayout(layout);
  columnType =
      b.frag({rows, 1}, f32, LayoutAttr::get(context, getRowLayout(layout)));
  partsType = b.frag({rows, parts.tileShape().col}, f32,
                     LayoutAttr::get(context, parts));
  if (factor)
    givenUnit = arith::MulFOp::create(
        builder, loc, factor,
        arith::ConstantOp::create(builder, loc,
                                  builder.getF32FloatAttr(constantUnit())));
}

float Softmax::constantUnit() const {
  // The max of scores is that of scaled scores only if the scale is positive.
  bool isFolded = !shape.score && shape.scale > 0.0f;
  return isFolded ? shape.scale * kLog2E : kLog2E;
}

static Value number(OpBuilder &builder, Location loc, float value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getF32FloatAttr(value));
}

Value Softmax::unit(OpBuilder &inner) const {
  return givenUnit ? givenUnit : number(inner, loc, constantUnit());
}

static Value exp2(OpBuilder &builder, Location loc, Value x) {
  return math::Exp2Op::create(builder, loc, x, arith::FastMathFlags::afn);
}

/// exp2 of the distance of a score to the offset of its row. Of scores that may
/// be far from 0 it is taken before it is scaled: what is equal is 0 apart.
Value Softmax::exponential(OpBuilder &inner, Value score, Value offset) {
  if (isFar) {
    Value distance = arith::SubFOp::create(inner, loc, score, offset);
    return exp2(inner, loc,
                arith::MulFOp::create(inner, loc, distance, unit(inner)));
  }
  Value negated = arith::NegFOp::create(inner, loc, offset);
  return exp2(inner, loc,
              math::FmaOp::create(inner, loc, score, unit(inner), negated));
}

/// The offset of exponentials: the row max, scaled but where scores may be far
/// from 0. A row without a key so far has the row max -inf, from which nothing
/// can be subtracted: its offset is 0.
Value Softmax::offsetOf(Value rowMax) {
  return b.map(
      columnType, rowMax, [&](OpBuilder &inner, ValueRange in) -> Value {
        Value none =
            arith::CmpFOp::create(inner, loc, arith::CmpFPredicate::OEQ, in[0],
                                  number(inner, loc, -INFINITY));
        Value offset =
            isFar
                ? in[0]
                : Value(arith::MulFOp::create(inner, loc, in[0], unit(inner)));
        return arith::SelectOp::create(inner, loc, none,
                                       number(inner, loc, 0.0f), offset);
      });
}

/// The difference of two rounded offsets, not a fused one: where the row max
/// stays, the factor must be exactly one in every stage.
Value Softmax::factorFrom(Value oldMax, Value offset) {
  return b.map(columnType, {oldMax, offset},
               [&](OpBuilder &inner, ValueRange in) -> Value {
                 return factorOf(inner, in[0], in[1]);
               });
}

Value Softmax::factorOf(OpBuilder &inner, Value oldMax, Value offset) {
  if (isFar)
    return exponential(inner, oldMax, offset);
  Value old = arith::MulFOp::create(inner, loc, oldMax, unit(inner));
  return exp2(inner, loc, arith::SubFOp::create(inner, loc, old, offset));
}

Value Softmax::broadcast(Value column, Value like) {
  auto type = cast<FragType>(like.getType());
  Type element = cast<FragType>(column.getType()).getElementType();
  return BroadcastOp::create(
      builder, loc, b.frag(type.getShape(), element, type.getLayout()), column);
}

SoftmaxState Softmax::start(int64_t pieces, int64_t columns) {
  Value zero = number(builder, loc, 0.0f);
  Value none = number(builder, loc, -INFINITY);
  SoftmaxState state;
  Value sum = BroadcastOp::create(builder, loc,
                                  b.frag({rows, columns}, f32, acc), zero);
  state.accumulators.assign(pieces, sum);
  state.rowMax = BroadcastOp::create(builder, loc, columnType, none);
  state.rowSum = BroadcastOp::create(builder, loc, partsType, zero);
  return state;
}

SmallVector<Value> Softmax::scaled(ArrayRef<Value> scores) {
  SmallVector<Value> results;
  for (Value score : scores)
    results.push_back(b.map(cast<FragType>(score.getType()), score,
                            [&](OpBuilder &inner, ValueRange in) -> Value {
                              return arith::MulFOp::create(
                                  inner, loc, in[0],
                                  number(inner, loc, shape.scale));
                            }));
  return results;
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

SmallVector<Value> Softmax::mask(ArrayRef<Value> scores, int64_t columns,
                                 const MaskPlace &place) {
  Type i32 = builder.getI32Type();
  FragType rowType = b.frag(columnType.getShape(), i32, columnType.getLayout());
  FragType keyType = b.frag({rows, columns}, i32, acc);
  auto constant = [&](OpBuilder &inner, int64_t value) -> Value {
    return arith::ConstantOp::create(inner, loc,
                                     inner.getI32IntegerAttr(value));
  };
  Value zero = constant(builder, 0);
  Value from = place.counted ? place.position : zero;
  auto seen = [&](Value number) {
    return builder.createOrFold<arith::SubIOp>(loc, number, from);
  };
  Value firstRow = place.counted ? zero : place.position;
  auto rowsFrom = [&](Value first) -> Value {
    return PositionsOp::create(builder, loc, rowType, Dimension::Row, first);
  };
  Value positions;
  if (place.rowsOfPosition > 1) {
    Value first = BroadcastOp::create(builder, loc, rowType, firstRow);
    positions =
        b.map(rowType, {rowsFrom(place.row), first},
              [&](OpBuilder &inner, ValueRange in) -> Value {
                Value before = arith::DivUIOp::create(
                    inner, loc, in[0], constant(inner, place.rowsOfPosition));
                return arith::AddIOp::create(inner, loc, before, in[1]);
              });
  } else {
    positions =
        place.onePosition
            ? BroadcastOp::create(builder, loc, rowType, firstRow).getResult()
            : rowsFrom(firstRow);
  }
  Value lengths =
      BroadcastOp::create(builder, loc, rowType, seen(place.length));
  // The keys from `first` to before `end`, both relative.
  Value end =
      b.map(rowType, {lengths, positions},
            [&](OpBuilder &inner, ValueRange in) -> Value {
              Value limit = in[0];
              auto atMost = [&](int64_t behind) {
                Value other = arith::AddIOp::create(inner, loc, in[1],
                                                    constant(inner, behind));
                limit = arith::MinSIOp::create(inner, loc, limit, other);
              };
              if (shape.causal)
                atMost(1);
              if (shape.window)
                atMost(shape.window);
              return limit;
            });
  Value first;
  if (shape.window)
    first = b.map(rowType, positions,
                  [&](OpBuilder &inner, ValueRange in) -> Value {
                    return arith::AddIOp::create(
                        inner, loc, in[0], constant(inner, 1 - shape.window));
                  });
  SmallVector<Value> results;
  for (auto [piece, score] : llvm::enumerate(scores)) {
    Value keys = PositionsOp::create(builder, loc, keyType, Dimension::Col,
                                     seen(constant(builder, piece * columns)));
    SmallVector<Value> inputs = {score, keys, broadcast(end, score)};
    if (first)
      inputs.push_back(broadcast(first, score));
    results.push_back(
        b.map(cast<FragType>(score.getType()), inputs,
              [&](OpBuilder &inner, ValueRange in) -> Value {
                Value visible = arith::CmpIOp::create(
                    inner, loc, arith::CmpIPredicate::slt, in[1], in[2]);
                if (first)
                  visible = arith::AndIOp::create(
                      inner, loc, visible,
                      arith::CmpIOp::create(
                          inner, loc, arith::CmpIPredicate::sge, in[1], in[3]));
                return arith::SelectOp::create(inner, loc, visible, in[0],
                                               number(inner, loc, -INFINITY));
              }));
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Row max, exponentials, row sum
//===----------------------------------------------------------------------===//

// A lazy row max may lag behind by that many powers of two. Exponentials then
// stay below 256, where f16 has its full precision.
static constexpr float kLag = 8.0f;

std::pair<SmallVector<Value>, Value>
Softmax::exponentiate(SoftmaxState &state, ArrayRef<Value> scores, bool lazy) {
  auto combined = [&](Value a, Value c, auto create) {
    return b.map(cast<FragType>(a.getType()), {a, c},
                 [&](OpBuilder &inner, ValueRange in) -> Value {
                   return create(inner, in[0], in[1]);
                 });
  };
  auto larger = [&](OpBuilder &inner, Value x, Value y) -> Value {
    return arith::MaxNumFOp::create(inner, loc, x, y);
  };
  auto added = [&](OpBuilder &inner, Value x, Value y) -> Value {
    return arith::AddFOp::create(inner, loc, x, y);
  };
  auto multiplied = [&](OpBuilder &inner, Value x, Value y) -> Value {
    return arith::MulFOp::create(inner, loc, x, y);
  };

  // The row max: within each lane first, then once across lanes.
  Value rowMax;
  for (Value score : scores) {
    Value part =
        ReduceOp::create(builder, loc, partsType, Reduction::Max, score);
    rowMax = rowMax ? combined(rowMax, part, larger) : part;
  }
  rowMax = ReduceOp::create(builder, loc, columnType, Reduction::Max, rowMax);
  rowMax = combined(state.rowMax, rowMax, larger);
  if (lazy)
    rowMax =
        combined(state.rowMax, rowMax,
                 [&](OpBuilder &inner, Value old, Value found) -> Value {
                   // NaN where no key was seen yet.
                   Value growth = arith::SubFOp::create(inner, loc, found, old);
                   Value limit = number(inner, loc, kLag / constantUnit());
                   if (givenUnit) {
                     growth =
                         arith::MulFOp::create(inner, loc, growth, givenUnit);
                     limit = number(inner, loc, kLag);
                   }
                   Value far = arith::CmpFOp::create(
                       inner, loc, arith::CmpFPredicate::OGT, growth, limit);
                   return arith::SelectOp::create(inner, loc, far, found, old);
                 });

  Value offset = offsetOf(rowMax);
  Value factor = factorFrom(state.rowMax, offset);
  state.rowMax = rowMax;

  SmallVector<Value> weights;
  Value rowSum =
      combined(state.rowSum, broadcast(factor, state.rowSum), multiplied);
  for (Value score : scores) {
    auto type = cast<FragType>(score.getType());
    Value weight = b.map(type, {score, broadcast(offset, score)},
                         [&](OpBuilder &inner, ValueRange in) -> Value {
                           return exponential(inner, in[0], in[1]);
                         });
    Value part =
        ReduceOp::create(builder, loc, partsType, Reduction::Add, weight);
    rowSum = combined(rowSum, part, added);
    weights.push_back(weight);
  }
  state.rowSum = rowSum;
  return {weights, factor};
}

Value Softmax::adopt(SoftmaxState &state, Value rowMax) {
  Value factor = factorFrom(state.rowMax, offsetOf(rowMax));
  state.rowMax = rowMax;
  state.rowSum =
      b.map(partsType, {state.rowSum, broadcast(factor, state.rowSum)},
            [&](OpBuilder &inner, ValueRange in) -> Value {
              return arith::MulFOp::create(inner, loc, in[0], in[1]);
            });
  return factor;
}

Softmax::PageWeights Softmax::exponentiatePage(SoftmaxState &state,
                                               ArrayRef<Value> scores) {
  SoftmaxState alone;
  alone.rowMax = BroadcastOp::create(builder, loc, columnType,
                                     number(builder, loc, -INFINITY));
  alone.rowSum =
      BroadcastOp::create(builder, loc, partsType, number(builder, loc, 0.0f));
  PageWeights page;
  page.weights = exponentiate(alone, scores).first;
  SmallVector<Value> factors = combine(state, {state.rowMax, alone.rowMax},
                                       {state.rowSum, alone.rowSum});
  page.oldFactor = factors[0];
  page.newFactor = factors[1];
  return page;
}

SmallVector<Value> Softmax::combine(SoftmaxState &state,
                                    ArrayRef<Value> rowMaxes,
                                    ArrayRef<Value> rowSums) {
  Value rowMax = rowMaxes.front();
  for (Value other : rowMaxes.drop_front())
    rowMax = b.map(columnType, {rowMax, other},
                   [&](OpBuilder &inner, ValueRange in) -> Value {
                     return arith::MaxNumFOp::create(inner, loc, in[0], in[1]);
                   });
  Value offset = offsetOf(rowMax);
  SmallVector<Value> factors;
  Value sum;
  for (auto [other, sumOfOther] : llvm::zip(rowMaxes, rowSums)) {
    Value factor = b.map(columnType, {other, offset},
                         [&](OpBuilder &inner, ValueRange in) -> Value {
                           return factorOf(inner, in[0], in[1]);
                         });
    SmallVector<Value> inputs = {sumOfOther, broadcast(factor, sumOfOther)};
    if (sum)
      inputs.push_back(sum);
    sum =
        b.map(partsType, inputs, [&](OpBuilder &inner, ValueRange in) -> Value {
          if (in.size() == 2)
            return arith::MulFOp::create(inner, loc, in[0], in[1]);
          return math::FmaOp::create(inner, loc, in[0], in[1], in[2]);
        });
    factors.push_back(factor);
  }
  state.rowMax = rowMax;
  state.rowSum = sum;
  return factors;
}

void Softmax::rescale(SoftmaxState &state, Value factor) {
  for (Value &sum : state.accumulators)
    sum = b.map(cast<FragType>(sum.getType()), {sum, broadcast(factor, sum)},
                [&](OpBuilder &inner, ValueRange in) -> Value {
                  return arith::MulFOp::create(inner, loc, in[0], in[1]);
                });
}

void Softmax::rescaleIf(SoftmaxState &state, Value factor, Value condition) {
  SmallVector<Type> types(ValueRange(state.accumulators).getTypes());
  auto choice = scf::IfOp::create(builder, loc, types, condition,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(builder, loc, state.accumulators);
  builder.setInsertionPointToStart(choice.thenBlock());
  rescale(state, factor);
  scf::YieldOp::create(builder, loc, state.accumulators);
  state.accumulators.assign(choice.getResults().begin(),
                            choice.getResults().end());
}

SmallVector<Value> Softmax::update(SoftmaxState &state,
                                   ArrayRef<Value> scores) {
  auto [weights, factor] = exponentiate(state, scores);
  rescale(state, factor);
  for (Value &weight : weights)
    weight = rounded(weight, shape.operandType,
                     cast<FragType>(weight.getType()).getShape()[1]);
  return weights;
}

static Value isEmpty(OpBuilder &builder, Location loc, Value sum) {
  return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, sum,
                               number(builder, loc, 0.0f));
}

Value Softmax::wholeSums(const SoftmaxState &state) {
  return ReduceOp::create(builder, loc, columnType, Reduction::Add,
                          state.rowSum);
}

Value Softmax::inverseSums(const SoftmaxState &state) {
  return b.map(columnType, wholeSums(state),
               [&](OpBuilder &inner, ValueRange in) -> Value {
                 Value one = number(inner, loc, 1.0f);
                 Value quotient = arith::DivFOp::create(inner, loc, one, in[0]);
                 return arith::SelectOp::create(
                     inner, loc, isEmpty(inner, loc, in[0]),
                     number(inner, loc, 0.0f), quotient);
               });
}

std::pair<SmallVector<Value>, Value>
Softmax::finish(const SoftmaxState &state) {
  Value inverse = inverseSums(state);
  Value lse = b.map(
      columnType, {wholeSums(state), state.rowMax},
      [&](OpBuilder &inner, ValueRange in) -> Value {
        Value log = math::LogOp::create(inner, loc, in[0]);
        Value natural = in[1];
        // Of scores in natural units it is the row max itself, which log2(e)
        // times might not be finite.
        if (!isFar || givenUnit) {
          Value offset = arith::MulFOp::create(inner, loc, in[1], unit(inner));
          natural = arith::MulFOp::create(inner, loc, offset,
                                          number(inner, loc, kLn2));
        }
        Value sum = arith::AddFOp::create(inner, loc, natural, log);
        return arith::SelectOp::create(inner, loc, isEmpty(inner, loc, in[0]),
                                       number(inner, loc, -INFINITY), sum);
      });
  SoftmaxState divided = state;
  rescale(divided, inverse);
  return {divided.accumulators, lse};
}

Value Softmax::rounded(Value frag, Type type, int64_t columns) {
  auto source = cast<FragType>(frag.getType());
  if (source.getElementType() == type)
    return frag;
  return b.map(
      b.frag({source.getShape()[0], columns}, type, source.getLayout()), frag,
      [&](OpBuilder &inner, ValueRange in) -> Value {
        return arith::TruncFOp::create(inner, loc, type, in[0]);
      });
}
