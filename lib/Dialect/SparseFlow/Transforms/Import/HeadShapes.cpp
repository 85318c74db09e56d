//===- HeadShapes.cpp - Batches and heads in one dimension or two ---------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeadShapes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

SmallVector<ReassociationIndices> mlir::sparseflow::unitGroups(int64_t rank) {
  if (rank == 2)
    return {{0, 1, 2}, {3}};
  return {{0, 1}, {2}, {3}};
}

Value mlir::sparseflow::toRank4(OpBuilder &b, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getRank() == 4)
    return value;
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.end() - 2, 4 - type.getRank(), 1);
  return tensor::ExpandShapeOp::create(
      b, value.getLoc(), RankedTensorType::get(shape, type.getElementType()),
      value, unitGroups(type.getRank()));
}

Value mlir::sparseflow::castTo(OpBuilder &b, Value value, Type type) {
  return value.getType() == type
             ? value
             : tensor::CastOp::create(b, value.getLoc(), type, value)
                   .getResult();
}

Value mlir::sparseflow::transposeHeads(OpBuilder &b, Value value) {
  Location loc = value.getLoc();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, value);
  std::swap(sizes[1], sizes[2]);
  Value empty = tensor::EmptyOp::create(b, loc, sizes,
                                        getElementTypeOrSelf(value.getType()));
  return linalg::TransposeOp::create(b, loc, value, empty,
                                     ArrayRef<int64_t>{0, 2, 1, 3})
      ->getResult(0);
}
