//===- ClampIndices.cpp - Indices that data decide stay inside ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClampIndices.h"

#include "SparseFlow/Dialect/SparseFlow/IR/IndexClamp.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/KernelForm.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::sparseflow;

/// True for a number that the size of what it indexes bounds.
static bool isInside(SizeAlgebra &sizes, Value index, const Size &size) {
  APInt number;
  std::optional<int64_t> extent = size.getConstant();
  if (matchPattern(index, m_ConstantInt(&number)))
    return !number.isNegative() &&
           (number.isZero() || (extent && number.slt(*extent)));
  // What is clamped to the size is, and what is to another number need not be.
  auto most = index.getDefiningOp<arith::MinSIOp>();
  auto least =
      most ? most.getLhs().getDefiningOp<arith::MaxSIOp>() : arith::MaxSIOp();
  if (least && matchPattern(least.getRhs(), m_Zero())) {
    auto last = most.getRhs().getDefiningOp<arith::SubIOp>();
    if (matchPattern(most.getRhs(), m_ConstantInt(&number)))
      return extent && number.slt(*extent) && !number.isNegative();
    return last && matchPattern(last.getRhs(), m_One()) &&
           sizes.get(last.getLhs()) == size;
  }
  if (auto loop = index.getDefiningOp<linalg::IndexOp>()) {
    auto op = cast<linalg::LinalgOp>(loop->getParentOp());
    for (OpOperand &operand : op->getOpOperands())
      for (auto [i, expr] :
           llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
        if (expr == getAffineDimExpr(static_cast<unsigned>(loop.getDim()),
                                     op.getContext())) {
          Size range = sizes.getDim(operand.get(), i);
          std::optional<int64_t> known = range.getConstant();
          return range == size || (known && extent && *known <= *extent);
        }
  }
  return false;
}

/// An index that data decide stays inside of what it reads.
static void clamp(OpBuilder &b, SizeAlgebra &sizes, tensor::ExtractOp op) {
  b.setInsertionPoint(op);
  Type type = b.getIndexType();
  for (auto [i, index] : llvm::enumerate(op.getIndices())) {
    if (isInside(sizes, index, sizes.getDim(op.getTensor(), i)))
      continue;
    auto constant = [&](int64_t value) {
      return arith::ConstantOp::create(b, op.getLoc(),
                                       b.getIntegerAttr(type, value))
          .getResult();
    };
    Value extent = tensor::DimOp::create(b, op.getLoc(), op.getTensor(), i);
    Value last = arith::SubIOp::create(b, op.getLoc(), extent, constant(1));
    Value atLeast = arith::MaxSIOp::create(b, op.getLoc(), index, constant(0));
    auto inside = arith::MinSIOp::create(b, op.getLoc(), atLeast, last);
    inside->setAttr(kIndexClampAttr, b.getUnitAttr());
    op.getIndicesMutable()[i].set(inside);
  }
}

/// So does a slice whose offset data decide.
static void clamp(OpBuilder &b, tensor::ExtractSliceOp op) {
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets();
  bool isChanged = false;
  b.setInsertionPoint(op);
  for (auto [dim, size, stride] :
       llvm::enumerate(op.getMixedSizes(), op.getMixedStrides())) {
    auto offset = dyn_cast<Value>(offsets[dim]);
    if (!offset || !isFromData(offset))
      continue;
    auto number = [&](OpFoldResult value) {
      return getValueOrCreateConstantIndexOp(b, loc, value);
    };
    Value one = number(b.getIndexAttr(1));
    Value steps = b.createOrFold<arith::SubIOp>(loc, number(size), one);
    Value span = b.createOrFold<arith::MulIOp>(loc, steps, number(stride));
    Value all = b.createOrFold<tensor::DimOp>(loc, op.getSource(), dim);
    Value end = b.createOrFold<arith::SubIOp>(loc, all, one);
    Value last = b.createOrFold<arith::SubIOp>(loc, end, span);
    Value atLeast =
        arith::MaxSIOp::create(b, loc, offset, number(b.getIndexAttr(0)));
    auto inside = arith::MinSIOp::create(b, loc, atLeast, last);
    inside->setAttr(kIndexClampAttr, b.getUnitAttr());
    offsets[dim] = inside.getResult();
    isChanged = true;
  }
  if (!isChanged)
    return;
  auto slice = tensor::ExtractSliceOp::create(
      b, loc, op.getType(), op.getSource(), offsets, op.getMixedSizes(),
      op.getMixedStrides());
  op.getResult().replaceAllUsesWith(slice);
}

void mlir::sparseflow::clampIndices(func::FuncOp function, SizeAlgebra &sizes) {
  OpBuilder builder(function);
  function.walk([&](tensor::ExtractOp op) { clamp(builder, sizes, op); });
  SmallVector<tensor::ExtractSliceOp> slices(
      function.front().getOps<tensor::ExtractSliceOp>());
  for (tensor::ExtractSliceOp op : slices)
    clamp(builder, op);
}
