//===- CacheAttention.cpp - Attention on packed keys and values -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/CacheAttention.h"
#include "SparseFlow/Dialect/SFTile/IR/RowLayouts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

static LinearLayout exchanged(const LinearLayout &layout) {
  SmallVector<Coord> registers, lanes;
  for (Coord basis : layout.registerBits())
    registers.push_back({basis.col, basis.row});
  for (Coord basis : layout.laneBits())
    lanes.push_back({basis.col, basis.row});
  return LinearLayout(registers, lanes);
}

CacheAttention::CacheAttention(const AttentionKernel &spec, OpBuilder &builder)
    : MultistageAttention(spec, builder) {
  MLIRContext *context = builder.getContext();
  productLayout = accLayout;
  isTransposed = schedule.getPacked();
  if (isTransposed) {
    // ptxas leaves MMAs of rows out that no tile is known to have.
    int64_t most = spec.rowsOfTile();
    if (spec.packsQueries())
      most *= std::min(spec.queriesOfTile(), spec.mostQueries());
    rows = most <= 8 ? 8 : 16;
    accLayout = LayoutAttr::get(context, exchanged(mma.getLayoutC()));
  }
  mmaType = b.frag({isTransposed ? kPiece : rows, isTransposed ? rows : kPiece},
                   f32, productLayout);
  static const Coord registers[] = {{0, 1}, {0, 2}};
  static const Coord lanes[] = {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {16, 0}};
  wordType = b.frag({32, 4}, builder.getI32Type(),
                    LayoutAttr::get(context, LinearLayout(registers, lanes)));
  accType = b.frag({rows, kPiece}, f32, accLayout);
}

//===----------------------------------------------------------------------===//
// MMAs
//===----------------------------------------------------------------------===//

Value CacheAttention::transposed(Value frag, LayoutAttr layout) {
  auto type = cast<FragType>(frag.getType());
  return TransposeOp::create(builder, loc,
                             b.frag({type.getShape()[1], type.getShape()[0]},
                                    type.getElementType(), layout),
                             frag);
}

Value CacheAttention::multiply(Value headOperand, Value cacheOperand,
                               Value sum) {
  if (isTransposed)
    std::swap(headOperand, cacheOperand);
  return MmaOp::create(builder, loc, mmaType, headOperand, cacheOperand, sum,
                       Value(), IntegerAttr(), mma);
}

Value CacheAttention::noProducts() {
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0.0f));
  return BroadcastOp::create(builder, loc, mmaType, zero);
}

LayoutAttr CacheAttention::columnLayout() const {
  return LayoutAttr::get(
      builder.getContext(),
      exchanged(getRowLayout(exchanged(accLayout.getLayout()))));
}

Value CacheAttention::toOperand(Value weight) {
  if (isTransposed)
    return transposed(transposed(weight, productLayout), bLayout);
  return ConvertLayoutOp::create(
      builder, loc, b.frag({rows, kPiece}, shape.operandType, aLayout), weight);
}

//===----------------------------------------------------------------------===//
// Queries and scales
//===----------------------------------------------------------------------===//

void CacheAttention::loadQueries() {
  Value view =
      headView(b.pointer(0), shape.operandType, head, index(kQueries),
               shape.heads, shape.d, queryRows(), schedule.getPacked());
  FragType type = b.frag({rows, kPiece}, shape.operandType, headLayout());
  Value row = b.toI64(b.add(firstRow, warpRow));
  for (int64_t step = 0; step < depthSteps; ++step)
    queries.push_back(LoadOp::create(builder, loc, type, view, row,
                                     b.i64(step * kPiece), Access::Direct,
                                     spec.queryWidth));
}

Value CacheAttention::toF32(OpBuilder &inner, Value value) {
  if (value.getType() == f32)
    return value;
  return arith::ExtFOp::create(inner, loc, f32, value);
}

Value CacheAttention::scaled(Value frag, Value scale) {
  if (!isa<FragType>(scale.getType()))
    scale = BroadcastOp::create(builder, loc, accType, scale);
  return map({frag, scale}, [&](OpBuilder &inner, ValueRange in) -> Value {
    return arith::MulFOp::create(inner, loc, in[0], toF32(inner, in[1]));
  });
}
