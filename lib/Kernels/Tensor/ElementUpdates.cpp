//===- ElementUpdates.cpp - Elements that are written where others stay ---===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Tensor/ElementEmitter.h"
#include "Kernels/Tensor/TensorKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sparseflow;

Lanes ElementEmitter::lanesOf(const Size &size) {
  return size.isStatic() ? IndexArithmetic::number(size.number)
                         : uniform(size.value, size.multiple);
}

/// Unlike an index of a tensor, a length, an offset or a page's number may be
/// below 0.
Value ElementEmitter::isBelow(const Lanes &index, const Lanes &end) {
  return builder.createOrFold<arith::AndIOp>(
      loc,
      compare(arith::CmpIPredicate::sge, index, IndexArithmetic::number(0)),
      compare(arith::CmpIPredicate::slt, index, end));
}

/// Neighbours lie in the slice and beside it: each lane finds its own.
Lanes ElementEmitter::insertStrided(tensor::InsertSliceOp op,
                                    ArrayRef<Lanes> indices) {
  if (width > 1)
    return laneByLane(
        indices, [&](ArrayRef<Lanes> own) { return insertStrided(op, own); });
  llvm::SmallBitVector dropped = op.getDroppedDims();
  Value isInside =
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  auto require = [&](arith::CmpIPredicate predicate, Value a, Value b) {
    isInside = builder.createOrFold<arith::AndIOp>(
        loc, isInside,
        builder.createOrFold<arith::CmpIOp>(loc, predicate, a, b));
  };
  SmallVector<Lanes> own;
  for (auto [dim, index, offset, size, stride] :
       llvm::enumerate(indices, op.getMixedOffsets(), op.getMixedSizes(),
                       op.getStaticStrides())) {
    Value from = builder.createOrFold<arith::SubIOp>(loc, at(index, 0),
                                                     at(numberOf(offset), 0));
    Value step = this->index(stride), none = this->index(0);
    Value place = builder.createOrFold<arith::DivUIOp>(loc, from, step);
    require(arith::CmpIPredicate::sge, from, none);
    require(arith::CmpIPredicate::eq,
            builder.createOrFold<arith::RemUIOp>(loc, from, step), none);
    require(arith::CmpIPredicate::ult, place, at(numberOf(size), 0));
    if (!dropped.test(dim))
      own.push_back(uniform(place));
  }
  return choose(
      isInside, op.getDestType().getElementType(),
      [&] { return evaluate(op.getSource(), own); },
      [&] { return evaluate(op.getDest(), indices); });
}

void ElementEmitter::update(tensor::InsertSliceOp op, const Lanes &elements,
                            ArrayRef<Lanes> indices) {
  SmallVector<Size> sizes = sizesOf(op.getDest());
  SmallVector<bool> inside = isInsideAlways(op);
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<Lanes> places;
  Value isInside =
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  size_t next = 0;
  for (auto [dim, offset] : llvm::enumerate(op.getMixedOffsets())) {
    Lanes place = numberOf(offset);
    if (!dropped.test(dim))
      place = add(place, indices[next++]);
    if (!inside[dim])
      isInside = builder.createOrFold<arith::AndIOp>(
          loc, isInside, isBelow(place, lanesOf(sizes[dim])));
    places.push_back(place);
  }
  code.ifTrue(isInside, [&] {
    Scope scope(*this);
    store(0, elements, places);
  });
}

void ElementEmitter::append(CacheAppendOp op, const Lanes &elements,
                            ArrayRef<Lanes> indices) {
  Value length = at(evaluate(op.getLengths(), indices.front()), 0);
  Lanes first = uniform(
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), length));
  SmallVector<Lanes> places(indices);
  Lanes &place = places[op.getSequenceDim()];
  place = add(place, first);
  auto sizeOf = [&](Value tensor, unsigned dim) {
    return lanesOf(sizesOf(tensor)[dim]);
  };
  auto ifBelow = [&](const Lanes &index, const Lanes &end,
                     function_ref<void()> write) {
    code.ifTrue(isBelow(index, end), [&] {
      Scope scope(*this);
      write();
    });
  };
  auto write = [&] { store(0, elements, places); };
  if (!op.getPages())
    return ifBelow(place, sizeOf(op.getCache(), op.getSequenceDim()), write);
  Size page{op.getPageSize(), Value(), op.getPageSize()};
  ifBelow(place, scale(sizeOf(op.getPages(), 1), page), [&] {
    Lanes entry[] = {indices.front(), div(place, page)};
    Value number = at(evaluate(op.getPages(), entry), 0);
    places[0] = uniform(arith::IndexCastOp::create(
        builder, loc, builder.getIndexType(), number));
    place = rem(place, page);
    ifBelow(places[0], sizeOf(op.getCache(), 0), write);
  });
}
