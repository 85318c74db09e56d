//===- SinkLogits.cpp - Entries of the softmax without values -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/Sinks/SinkLogits.h"
#include "Kernels/Attention/AttentionTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

Value mlir::sparseflow::withSink(OpBuilder &builder, Location loc, SinkOf what,
                                 Value lse, Value sink) {
  auto number = [&](float value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getF32FloatAttr(value));
  };
  // Without keys nothing can be subtracted from their log-sum-exp.
  Value isEmpty = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ,
                                        lse, number(-INFINITY));
  Value above = arith::SubFOp::create(builder, loc, sink, lse), one = number(1);
  if (what == SinkOf::Weight) {
    // An infinite exponential leaves nothing.
    Value sum = arith::AddFOp::create(
        builder, loc, math::ExpOp::create(builder, loc, above), one);
    return arith::SelectOp::create(
        builder, loc, isEmpty, number(0.0f),
        arith::DivFOp::create(builder, loc, one, sum));
  }
  Value largest = arith::MaxNumFOp::create(builder, loc, lse, sink);
  Value below = arith::NegFOp::create(
      builder, loc, math::AbsFOp::create(builder, loc, above));
  Value sum = arith::AddFOp::create(
      builder, loc, math::ExpOp::create(builder, loc, below), one);
  Value both = arith::AddFOp::create(builder, loc, largest,
                                     math::LogOp::create(builder, loc, sum));
  return arith::SelectOp::create(builder, loc, isEmpty, sink, both);
}

void AttentionTile::addSinks(MutableArrayRef<Value> sums, Value &lse) {
  if (!shape.hasSinks)
    return;
  auto column = cast<FragType>(lse.getType());
  Value first = advance(b.pointer(spec.sinkPointer()), head, f32), sinks;
  if (schedule.getPacked()) {
    // The rows are heads, those of one query behind those of the one before.
    Value view = spec.packsQueries()
                     ? packedView(first, f32, rowCount, /*width=*/1, b.i64(1),
                                  /*query=*/b.i64(0))
                     : b.view(first, f32, b.toI64(rowCount), 1, 1);
    sinks = LoadOp::create(builder, loc, column, view,
                           b.toI64(b.add(firstRow, warpRow)), b.i64(0),
                           Access::Direct, 4);
  } else {
    sinks = BroadcastOp::create(
        builder, loc, column,
        LLVM::LoadOp::create(builder, loc, f32, first, /*alignment=*/4));
  }
  auto each = [&](SinkOf what) -> Value {
    return b.map(column, {lse, sinks}, [&](OpBuilder &inner, ValueRange in) {
      return withSink(inner, loc, what, in[0], in[1]);
    });
  };
  SoftmaxState state;
  state.accumulators.assign(sums.begin(), sums.end());
  Softmax(b, shape, accLayout, rows, unitFactor())
      .rescale(state, each(SinkOf::Weight));
  llvm::copy(state.accumulators, sums.begin());
  lse = each(SinkOf::LogSum);
}
