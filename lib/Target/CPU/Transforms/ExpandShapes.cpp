//===- ExpandShapes.cpp - Shapes of several sizes at run time -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// memref.expand_shape whose source dimension becomes more than one dimension of
// sizes that are known at run time only: upstream's expand-strided-metadata
// divides the source's size by the other sizes, which takes one unknown, and
// crashes where there are more (LLVM 22.1.8).
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/CPU/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::sparseflow::cpu {
#define GEN_PASS_DEF_EXPANDSHAPES
#include "SparseFlow/Target/CPU/Passes.h.inc"
} // namespace mlir::sparseflow::cpu

using namespace mlir;

static bool hasUnknownGroup(memref::ExpandShapeOp op) {
  ArrayRef<int64_t> shape = op.getResultType().getShape();
  return llvm::any_of(op.getReassociationIndices(),
                      [&](const ReassociationIndices &group) {
                        return llvm::count_if(group, [&](int64_t dim) {
                                 return ShapedType::isDynamic(shape[dim]);
                               }) > 1;
                      });
}

/// The op says all sizes itself; strides follow from them, the last of a group
/// being the source's.
static void expand(memref::ExpandShapeOp op) {
  IRRewriter builder(op);
  Location loc = op.getLoc();
  auto source =
      memref::ExtractStridedMetadataOp::create(builder, loc, op.getSrc());
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  SmallVector<OpFoldResult> strides(sizes.size());
  for (auto [number, group] : llvm::enumerate(op.getReassociationIndices())) {
    Value stride = source.getStrides()[number];
    for (int64_t dim : llvm::reverse(group)) {
      strides[dim] = stride;
      Value size = getValueOrCreateConstantIndexOp(builder, loc, sizes[dim]);
      stride = arith::MulIOp::create(builder, loc, stride, size);
    }
  }
  MemRefType type = op.getResultType();
  SmallVector<int64_t> unknown(type.getRank(), ShapedType::kDynamic);
  auto layout =
      StridedLayoutAttr::get(op.getContext(), ShapedType::kDynamic, unknown);
  Value result = memref::ReinterpretCastOp::create(
      builder, loc,
      MemRefType::get(type.getShape(), type.getElementType(), layout,
                      type.getMemorySpace()),
      source.getBaseBuffer(), source.getOffset(), sizes, strides);
  builder.replaceOpWithNewOp<memref::CastOp>(op, type, result);
}

namespace {
struct ExpandShapesPass
    : public sparseflow::cpu::impl::ExpandShapesBase<ExpandShapesPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<memref::ExpandShapeOp> ops;
    getOperation().walk([&](memref::ExpandShapeOp op) {
      if (hasUnknownGroup(op))
        ops.push_back(op);
    });
    llvm::for_each(ops, expand);
  }
};
} // namespace
