//===- PlanePages.cpp - Pages of a ternary cache --------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/Planes/PlanePages.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

Value PlanePages::advance(Value pointer, Value bytes) const {
  return LLVM::GEPOp::create(b.builder, b.loc, pointer.getType(),
                             b.builder.getI8Type(), pointer, b.toI64(bytes));
}

void PlanePages::place(Value pointer, Value number, Value pages) {
  count = pages;
  Value before = b.builder.createOrFold<arith::MulIOp>(b.loc, number, count);
  first = advance(pointer, b.mul(before, encoding.getPageBytes(features)));
}

Value PlanePages::page(Value number) const {
  number = b.min(number, b.add(count, -1));
  number = b.builder.createOrFold<arith::MaxSIOp>(b.loc, number, b.index(0));
  return advance(first, b.mul(number, encoding.getPageBytes(features)));
}

Value PlanePages::loadChunk(Value page, Value chunk) const {
  OpBuilder &builder = b.builder;
  MLIRContext *context = builder.getContext();
  static const Coord registers[] = {{0, 1}, {0, 2}};
  static const Coord lanes[] = {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {16, 0}};
  LayoutAttr layout = LayoutAttr::get(context, LinearLayout(registers, lanes));
  Value view = ViewOp::create(
      builder, b.loc,
      ViewType::get(context, builder.getI32Type(), Order::RowMajor), page,
      b.i64(32 * chunks()), b.i64(4), b.i64(4));
  return LoadOp::create(
      builder, b.loc, b.frag({32, 4}, builder.getI32Type(), layout), view,
      b.toI64(b.mul(chunk, 32)), b.i64(0), Access::Direct, /*width=*/16);
}

Value PlanePages::scale(Value page, Value number) const {
  Type type = encoding.getScaleType();
  int64_t bytes = type.getIntOrFloatBitWidth() / 8;
  Value offset =
      b.add(b.mul(number, bytes), encoding.getPageCodeBytes(features));
  Value loaded = LLVM::LoadOp::create(b.builder, b.loc, type,
                                      advance(page, offset), bytes);
  Type f32 = b.builder.getF32Type();
  if (type == f32)
    return loaded;
  return arith::ExtFOp::create(b.builder, b.loc, f32, loaded);
}

Value mlir::sparseflow::decodePlanes(KernelBuilder &b, FragType operand,
                                     Value chunk, ArrayRef<int64_t> words,
                                     int64_t col, Value flip) {
  assert((words.size() == 1 || words[1] > words[0]) && "words in their order");
  MLIRContext *context = b.builder.getContext();
  auto type = cast<FragType>(chunk.getType());
  LinearLayout layout = type.getLayout().getLayout();
  ArrayRef<Coord> columns = layout.registerBits().take_front(words.size() - 1);
  FragType picked = b.frag(
      {type.getShape()[0], static_cast<int64_t>(words.size())},
      type.getElementType(),
      LayoutAttr::get(context, LinearLayout(columns, layout.laneBits())));
  int64_t apart = words.back() - words.front();
  Value rows =
      SliceOp::create(b.builder, b.loc, picked, chunk, /*row=*/0, words.front(),
                      ArrayRef<int64_t>{1, std::max<int64_t>(apart, 1)});
  return DecodeOp::create(b.builder, b.loc, operand, rows, col,
                          TernCacheAttr::get(context), flip);
}
