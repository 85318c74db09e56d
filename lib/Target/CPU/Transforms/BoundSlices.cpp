//===- BoundSlices.cpp - Nothing is inserted outside of a tensor ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/Transforms/KernelForm.h"
#include "SparseFlow/Target/CPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::sparseflow::cpu {
#define GEN_PASS_DEF_BOUNDSLICES
#include "SparseFlow/Target/CPU/Passes.h.inc"
} // namespace mlir::sparseflow::cpu

using namespace mlir;

/// The source with the unit dimensions that the insertion drops.
static Value expandSource(OpBuilder &b, tensor::InsertSliceOp op) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  if (dropped.none())
    return op.getSource();
  // Units in front belong to the first group, others to the one before them.
  SmallVector<ReassociationIndices> groups;
  int64_t units = 0;
  for (int64_t dim = 0; dim < op.getDestType().getRank(); ++dim) {
    if (!dropped.test(dim)) {
      groups.emplace_back(llvm::to_vector<2>(
          llvm::seq<int64_t>(groups.empty() ? dim - units : dim, dim + 1)));
    } else if (groups.empty()) {
      ++units;
    } else {
      groups.back().push_back(dim);
    }
  }
  auto type = RankedTensorType::get(op.getStaticSizes(),
                                    op.getSourceType().getElementType());
  return tensor::ExpandShapeOp::create(b, op.getLoc(), type, op.getSource(),
                                       groups, op.getMixedSizes());
}

/// Inserts the part of the slice that is inside.
static void bound(IRRewriter &rewriter, tensor::InsertSliceOp op) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  auto value = [&](OpFoldResult number) {
    return getValueOrCreateConstantIndexOp(rewriter, loc, number);
  };
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets(),
                            sizes = op.getMixedSizes(),
                            ones(sizes.size(), rewriter.getIndexAttr(1)),
                            starts(sizes.size(), rewriter.getIndexAttr(0));
  for (auto [dim, isInside] : llvm::enumerate(sparseflow::isInsideAlways(op))) {
    if (isInside)
      continue;
    Value all = value(tensor::getMixedSize(rewriter, loc, op.getDest(), dim));
    Value offset = value(offsets[dim]), size = value(sizes[dim]);
    Value positive = arith::MaxSIOp::create(rewriter, loc, offset, zero);
    Value first = arith::MinSIOp::create(rewriter, loc, positive, all);
    Value end = arith::AddIOp::create(rewriter, loc, offset, size);
    Value last = arith::MinSIOp::create(rewriter, loc, end, all);
    Value count = arith::SubIOp::create(rewriter, loc, last, first);
    Value skipped = arith::SubIOp::create(rewriter, loc, first, offset);
    offsets[dim] = first;
    sizes[dim] = arith::MaxSIOp::create(rewriter, loc, count, zero).getResult();
    starts[dim] =
        arith::MinSIOp::create(rewriter, loc, skipped, size).getResult();
  }
  Value part = tensor::ExtractSliceOp::create(
      rewriter, loc, expandSource(rewriter, op), starts, sizes, ones);
  rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(op, part, op.getDest(),
                                                     offsets, sizes, ones);
}

namespace {
struct BoundSlicesPass
    : sparseflow::cpu::impl::BoundSlicesBase<BoundSlicesPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<tensor::InsertSliceOp> open;
    getOperation().walk([&](tensor::InsertSliceOp op) {
      if (op.hasUnitStride() &&
          llvm::is_contained(sparseflow::isInsideAlways(op), false))
        open.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (tensor::InsertSliceOp op : open)
      bound(rewriter, op);
  }
};
} // namespace
