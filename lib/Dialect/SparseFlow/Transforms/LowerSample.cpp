//===- LowerSample.cpp - Sampling as loops over a row ---------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A linalg op over the rows, whose body goes through the row's logits: for the
// largest, for the least key that top_k and top_p keep, by bisection, for the
// sum of what is kept, and for the token.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/Transforms/LowerAttention.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/SampleArithmetic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

/// Writes the body, for one row.
class SampleBody {
public:
  SampleBody(OpBuilder &b, SampleOp op)
      : b(b), op(op), loc(op.getLoc()), math(b, loc) {}

  /// The token (i32). `parameters`: temperature, top_k, top_p, seed, position.
  Value token(ValueRange parameters) {
    int64_t rank = cast<RankedTensorType>(op.getIds().getType()).getRank();
    for (int64_t dim = 0; dim < rank; ++dim)
      row.push_back(linalg::IndexOp::create(b, loc, dim));
    SmallVector<Value> first =
        forLogits({integer(0), integer(0)}, [&](Value index, Value logit,
                                                ValueRange best) {
          Value key = math.keyOf(logit);
          Value isMore = compare(arith::CmpIPredicate::ugt, key, best[0]);
          Value at = arith::IndexCastOp::create(b, loc, b.getI32Type(), index);
          return SmallVector<Value>{select(isMore, key, best[0]),
                                    select(isMore, at, best[1])};
        });
    largestKey = first[0];
    largest = math.logitOf(largestKey);
    Value isFinite = math.isFinite(largestKey);
    Value isDrawn =
        arith::AndIOp::create(b, loc, isFinite, math.isRandom(parameters[0]));
    auto drawn = scf::IfOp::create(
        b, loc, isDrawn,
        [&](OpBuilder &, Location) {
          scf::YieldOp::create(b, loc, draw(parameters));
        },
        [&](OpBuilder &, Location) {
          scf::YieldOp::create(b, loc, select(isFinite, first[1], integer(-1)));
        });
    return drawn.getResult(0);
  }

private:
  Value integer(int64_t value) {
    return arith::ConstantOp::create(
        b, loc, b.getI32IntegerAttr(static_cast<int32_t>(value)));
  }
  Value wide(int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  }
  Value wide(Value value) {
    return arith::ExtUIOp::create(b, loc, b.getI64Type(), value);
  }
  Value compare(arith::CmpIPredicate predicate, Value a, Value c) {
    return arith::CmpIOp::create(b, loc, predicate, a, c);
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(b, loc, condition, yes, no);
  }

  /// Carries `values` through the row: `body` gets a logit's index and itself,
  /// in f32, and returns the next values.
  SmallVector<Value>
  forLogits(ValueRange values,
            function_ref<SmallVector<Value>(Value, Value, ValueRange)> body) {
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(b, loc, value);
    };
    auto loop = scf::ForOp::create(
        b, loc, index(0), index(op.getVocabulary()), index(1), values,
        [&](OpBuilder &, Location, Value i, ValueRange carried) {
          SmallVector<Value> place(row);
          place.push_back(i);
          Value logit = math.widen(
              tensor::ExtractOp::create(b, loc, op.getLogits(), place));
          scf::YieldOp::create(b, loc, body(i, logit, carried));
        });
    return llvm::to_vector(ValueRange(loop.getResults()));
  }

  /// The sum of `measure` (i64) of logits whose keys are `least` (i32) or more.
  Value sumOf(Value least, function_ref<Value(Value)> measure) {
    return forLogits(wide(0),
                     [&](Value, Value logit, ValueRange sum) {
                       Value isKept = compare(arith::CmpIPredicate::uge,
                                              math.keyOf(logit), least);
                       Value more = arith::AddIOp::create(b, loc, sum[0],
                                                          measure(logit));
                       return SmallVector<Value>{select(isKept, more, sum[0])};
                     })
        .front();
  }

  /// The largest key, from `least` (i32) on, of which sumOf reaches `target`;
  /// that of `least` does.
  Value search(Value least, Value target, function_ref<Value(Value)> measure) {
    Value end = arith::AddIOp::create(b, loc, wide(largestKey), wide(1));
    auto loop = scf::WhileOp::create(
        b, loc, TypeRange{b.getI64Type(), b.getI64Type()},
        ValueRange{wide(least), end},
        [&](OpBuilder &, Location, ValueRange bounds) {
          Value width = arith::SubIOp::create(b, loc, bounds[1], bounds[0]);
          scf::ConditionOp::create(
              b, loc, compare(arith::CmpIPredicate::ugt, width, wide(1)),
              bounds);
        },
        [&](OpBuilder &, Location, ValueRange bounds) {
          Value both = arith::AddIOp::create(b, loc, bounds[0], bounds[1]);
          Value middle = arith::ShRUIOp::create(b, loc, both, wide(1));
          Value key = arith::TruncIOp::create(b, loc, b.getI32Type(), middle);
          Value reaches =
              compare(arith::CmpIPredicate::uge, sumOf(key, measure), target);
          scf::YieldOp::create(b, loc,
                               ValueRange{select(reaches, middle, bounds[0]),
                                          select(reaches, bounds[1], middle)});
        });
    return arith::TruncIOp::create(b, loc, b.getI32Type(), loop.getResult(0));
  }

  /// `otherwise`, or a search where `condition` holds.
  Value searchIf(Value condition, Value otherwise, function_ref<Value()> body) {
    auto branch = scf::IfOp::create(
        b, loc, condition,
        [&](OpBuilder &, Location) { scf::YieldOp::create(b, loc, body()); },
        [&](OpBuilder &, Location) {
          scf::YieldOp::create(b, loc, otherwise);
        });
    return branch.getResult(0);
  }

  Value draw(ValueRange parameters) {
    Value topK = parameters[1], topP = parameters[2];
    Value scale = math.scaleOf(
        arith::DivFOp::create(b, loc, math.dividend(), parameters[0]));
    auto weight = [&](Value logit) {
      return math.weightOf(logit, largest, scale);
    };
    Value least =
        searchIf(math.limitsCount(topK, op.getVocabulary()), integer(0), [&] {
          return search(integer(0), wide(topK), [&](Value) { return wide(1); });
        });
    least = searchIf(math.limitsSum(topP), least, [&] {
      Value limit = math.limitOf(sumOf(least, weight), topP);
      return search(least, limit, weight);
    });
    Value random = math.randomOf(parameters[3], parameters[4]);
    Value place = math.placeOf(random, sumOf(least, weight));
    // The first token whose sum is above the place, and the sum so far.
    return forLogits(
               {integer(-1), wide(0)},
               [&](Value index, Value logit, ValueRange carried) {
                 Value isKept = compare(arith::CmpIPredicate::uge,
                                        math.keyOf(logit), least);
                 Value sum = arith::AddIOp::create(
                     b, loc, carried[1],
                     select(isKept, weight(logit), wide(0)));
                 Value isAbove = compare(arith::CmpIPredicate::ugt, sum, place);
                 Value isOpen =
                     compare(arith::CmpIPredicate::slt, carried[0], integer(0));
                 Value isFirst = arith::AndIOp::create(b, loc, isAbove, isOpen);
                 Value at =
                     arith::IndexCastOp::create(b, loc, b.getI32Type(), index);
                 return SmallVector<Value>{select(isFirst, at, carried[0]),
                                           sum};
               })
        .front();
  }

  OpBuilder &b;
  SampleOp op;
  Location loc;
  SampleArithmetic math;
  SmallVector<Value> row;
  Value largestKey, largest;
};

} // namespace

void mlir::sparseflow::lowerSample(RewriterBase &rewriter, SampleOp op) {
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getIds().getType());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(
          tensor::DimOp::create(rewriter, loc, op.getLogits(), dim));
  Value init = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                       type.getElementType(), sizes);
  SmallVector<Value> inputs = {op.getTemperature(), op.getTopK(), op.getTopP(),
                               op.getSeed(), op.getPosition()};
  SmallVector<AffineMap> maps(inputs.size() + 1,
                              rewriter.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> parallel(type.getRank(),
                                            utils::IteratorType::parallel);
  auto rows = linalg::GenericOp::create(
      rewriter, loc, type, inputs, init, maps, parallel,
      [&](OpBuilder &builder, Location, ValueRange arguments) {
        Value token = SampleBody(builder, op).token(arguments.drop_back());
        linalg::YieldOp::create(builder, loc, token);
      });
  rewriter.replaceOp(op, rows);
}
