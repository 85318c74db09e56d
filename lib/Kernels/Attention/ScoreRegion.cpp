//===- ScoreRegion.cpp - Score regions on fragments -----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a score region reads, and its arithmetic on the scores that a warp
// holds. Scores are f32, and their exponentials are rounded to 16 bits: where a
// score is all that a function's last bits reach, its short form serves.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/OnlineSoftmax.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "Support/FastMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

//===----------------------------------------------------------------------===//
// Short forms
//===----------------------------------------------------------------------===//

/// What the absolute error of a short form, 3e-7, may be multiplied by: a soft
/// cap, say. A score is 8e-5 off then, and a probability a sixth of what
/// rounding it to f16 allows.
static constexpr double kMostAmplified = 256.0;

static std::optional<double> constantOf(Value value) {
  FloatAttr constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return std::nullopt;
  return constant.getValueAsDouble();
}

/// Whether an error of `value` reaches scores at most kMostAmplified / `factor`
/// times as large, and nothing else.
static bool reachesScores(Value value, double factor) {
  if (factor > kMostAmplified)
    return false;
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (isa<sparseflow::YieldOp>(user))
      return true;
    // tanh is nowhere steeper than the identity.
    if (isa<arith::AddFOp, arith::SubFOp, arith::NegFOp, arith::SelectOp,
            math::TanhOp>(user))
      return reachesScores(user->getResult(0), factor);
    if (auto product = dyn_cast<arith::MulFOp>(user)) {
      std::optional<double> other = constantOf(
          product.getLhs() == value ? product.getRhs() : product.getLhs());
      return other && reachesScores(product, factor * std::fabs(*other));
    }
    auto quotient = dyn_cast<arith::DivFOp>(user);
    if (!quotient || quotient.getLhs() != value)
      return false;
    std::optional<double> divisor = constantOf(quotient.getRhs());
    return divisor && *divisor != 0.0 &&
           reachesScores(quotient, factor / std::fabs(*divisor));
  });
}

/// A quotient's error is relative, as that of any sum that it is part of.
static bool mayBeShort(Operation *op) {
  if (isa<math::TanhOp>(op))
    return reachesScores(op->getResult(0), 1.0);
  return isa<arith::DivFOp>(op) && reachesScores(op->getResult(0), 0.0);
}

//===----------------------------------------------------------------------===//
// Operands and arithmetic
//===----------------------------------------------------------------------===//

/// The first argument of a score region that is an operand's element.
static constexpr unsigned kOperandArgument = 5;

/// Element (r, c) of the operand is that of the row and key; dimensions that do
/// not index it have one element.
Value Softmax::loadOperand(unsigned operand, int64_t columns,
                           const ScorePlace &place) {
  auto &[type, letters] = shape.operands[operand];
  Value start = b.index(0), stride = b.index(1);
  Value rowStride, rowCount = b.index(1), columnCount = b.index(1);
  // From a query to the next, where the rows have several.
  Value queryStride;
  char rowLetter = place.packed ? 'h' : 'q';
  int64_t ratio = shape.heads / shape.keyHeads;
  auto product = [&](Value x, Value y) -> Value {
    return builder.createOrFold<arith::MulIOp>(loc, x, y);
  };
  for (char letter : llvm::reverse(letters)) {
    Value size = letter == 'b'   ? place.batchCount
                 : letter == 'h' ? b.index(shape.heads)
                 : letter == 'q' ? place.queryCount
                                 : place.keyCount;
    if (letter == 'b')
      start = b.add(start, product(place.batch, stride));
    if (letter == 'h')
      start = b.add(start, product(place.head, stride));
    if (letter == rowLetter) {
      rowStride = stride;
      rowCount = place.packed ? b.index(ratio) : size;
    }
    if (letter == 'q' && place.severalQueries)
      queryStride = stride;
    if (letter == 'k')
      columnCount = size;
    stride = product(stride, size);
  }
  Value pointer = b.pointer(place.firstPointer + operand);
  Value moved = LLVM::GEPOp::create(builder, loc, pointer.getType(), type,
                                    pointer, b.toI64(start));
  auto strideOf = [&](Value elements) {
    return elements ? b.toI64(elements) : b.i64(0);
  };
  Value view;
  if (place.severalQueries)
    view = ViewOp::create(
        builder, loc,
        ViewType::get(builder.getContext(), type, Order::GroupedRows), moved,
        b.toI64(b.mul(place.queryCount, ratio)), b.toI64(columnCount),
        strideOf(rowStride), builder.getI64IntegerAttr(ratio),
        strideOf(queryStride), ValueRange());
  else
    view = ViewOp::create(
        builder, loc,
        ViewType::get(builder.getContext(), type, Order::RowMajor), moved,
        b.toI64(rowCount), b.toI64(columnCount), strideOf(rowStride));
  int64_t bytes = type.getIntOrFloatBitWidth() / 8;
  Value row = b.toI64(place.row), key = b.toI64(place.key);
  // One number for each row; fragments of 16 bits have two in a register.
  if (!isIndexedByKey(letters) && bytes == 4) {
    Value column = LoadOp::create(
        builder, loc, b.frag({rows, 1}, type, columnType.getLayout()), view,
        row, b.i64(0), Access::Direct, bytes);
    return BroadcastOp::create(builder, loc, b.frag({rows, columns}, type, acc),
                               column);
  }
  return LoadOp::create(builder, loc, b.frag({rows, columns}, type, acc), view,
                        row, key, Access::Direct,
                        isIndexedByKey(letters) ? bytes * place.operandKeys
                                                : bytes);
}

SmallVector<Value> Softmax::loadOperands(int64_t columns,
                                         const ScorePlace &place) {
  SmallVector<Value> operands(shape.operands.size());
  for (auto [number, operand] : llvm::enumerate(operands))
    if (!shape.score->getArgument(kOperandArgument + number).use_empty())
      operand = loadOperand(number, columns, place);
  return operands;
}

Value Softmax::applyRegion(Value score, int64_t columns,
                           const ScorePlace &place, ValueRange operands) {
  Type i32 = builder.getI32Type();
  FragType indexType = b.frag({rows, columns}, i32, acc);
  auto toI32 = [&](Value value) {
    return builder.createOrFold<arith::IndexCastOp>(loc, i32, value);
  };
  auto same = [&](Value value) -> Value {
    return BroadcastOp::create(builder, loc, indexType, toI32(value));
  };
  auto counted = [&](Dimension dimension, Value value) -> Value {
    return PositionsOp::create(builder, loc, indexType, dimension,
                               toI32(value));
  };
  int64_t ratio = shape.heads / shape.keyHeads;
  // A row is a head of a query; `ofHead`: which head, else which query.
  auto ofRow = [&](bool ofHead, Value first) -> Value {
    return b.map(indexType, {counted(Dimension::Row, place.row), same(first)},
                 [&](OpBuilder &inner, ValueRange in) -> Value {
                   Value number = arith::ConstantOp::create(
                       inner, loc, inner.getI32IntegerAttr(ratio));
                   if (ofHead)
                     number = arith::RemUIOp::create(inner, loc, in[0], number);
                   else
                     number = arith::DivUIOp::create(inner, loc, in[0], number);
                   return arith::AddIOp::create(inner, loc, number, in[1]);
                 });
  };
  SmallVector<Value> inputs = {score};
  SmallVector<BlockArgument> arguments = {shape.score->getArgument(0)};
  for (BlockArgument argument : shape.score->getArguments().drop_front()) {
    if (argument.use_empty())
      continue;
    arguments.push_back(argument);
    switch (unsigned position = argument.getArgNumber()) {
    case 1:
      inputs.push_back(same(place.batch));
      break;
    case 2:
      inputs.push_back(
          place.severalQueries ? ofRow(/*ofHead=*/true, place.head)
          : place.packed ? counted(Dimension::Row, b.add(place.head, place.row))
                         : same(place.head));
      break;
    case 3:
      inputs.push_back(place.severalQueries
                           ? ofRow(/*ofHead=*/false, b.index(0))
                       : place.packed ? same(b.index(0))
                                      : counted(Dimension::Row, place.row));
      break;
    case 4:
      inputs.push_back(counted(Dimension::Col, place.key));
      break;
    default:
      inputs.push_back(operands[position - kOperandArgument]);
      break;
    }
  }
  return b.map(cast<FragType>(score.getType()), inputs,
               [&](OpBuilder &inner, ValueRange in) -> Value {
                 IRMapping mapping;
                 mapping.map(arguments, in);
                 Value scale = arith::ConstantOp::create(
                     inner, loc, inner.getF32FloatAttr(shape.scale));
                 Value scaled = arith::MulFOp::create(inner, loc, in[0], scale);
                 mapping.map(arguments[0], scaled);
                 for (Operation &scalar : shape.score->without_terminator()) {
                   Operation *copy = inner.clone(scalar, mapping);
                   if (mayBeShort(&scalar))
                     approximate(copy);
                 }
                 return mapping.lookupOrDefault(shape.yielded);
               });
}
