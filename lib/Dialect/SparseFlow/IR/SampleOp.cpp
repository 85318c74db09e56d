//===- SampleOp.cpp - Tokens drawn from logits ----------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::sparseflow;

Type SampleOp::typeOfRows(Type logits, Type element) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(logits).getShape();
  return RankedTensorType::get(shape.empty() ? shape : shape.drop_back(),
                               element);
}

int64_t SampleOp::getVocabulary() {
  return cast<RankedTensorType>(getLogits().getType()).getShape().back();
}

LogicalResult SampleOp::verify() {
  auto type = cast<RankedTensorType>(getLogits().getType());
  Type element = type.getElementType();
  if (type.getEncoding() || type.getRank() < 1 ||
      !(element.isF16() || element.isBF16() || element.isF32()))
    return emitOpError("expected logits [..., V] of f16, bf16 or f32 without "
                       "an encoding, found ")
           << type;
  int64_t vocabulary = getVocabulary();
  if (ShapedType::isDynamic(vocabulary) || vocabulary < 1 ||
      vocabulary > kLargestVocabulary)
    return emitOpError("expected a static last dimension of 1 to ")
           << kLargestVocabulary << " logits, found " << type;
  return success();
}

LogicalResult
SampleOp::reifyResultShapes(OpBuilder &builder,
                            ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, getLoc(), getLogits());
  sizes.pop_back();
  reifiedReturnShapes.push_back(sizes);
  return success();
}
