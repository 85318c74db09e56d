//===- RotationOps.cpp - Rotations of activations -------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::sparseflow;

static bool isOperand(RankedTensorType type) {
  Type element = type.getElementType();
  return !type.getEncoding() &&
         (element.isF16() || element.isBF16() || element.isF32());
}

int64_t HadamardOp::getK() {
  return cast<RankedTensorType>(getX().getType()).getShape().back();
}

float HadamardOp::getScale() {
  return static_cast<float>(1 / std::sqrt(static_cast<double>(getBlock())));
}

LogicalResult HadamardOp::verify() {
  auto x = cast<RankedTensorType>(getX().getType());
  if (!isOperand(x) || x.getRank() < 1)
    return emitOpError("expected activations [..., K] of f16, bf16 or f32 "
                       "without an encoding, found ")
           << x;
  int64_t k = getK(), block = static_cast<int64_t>(getBlock());
  if (ShapedType::isDynamic(k))
    return emitOpError("expected a static last dimension, which blocks "
                       "divide, found ")
           << x;
  if (block < kLeastBlock || block > kLargestBlock ||
      !llvm::isPowerOf2_64(block))
    return emitOpError("expected a block of a power of two from ")
           << kLeastBlock << " to " << kLargestBlock << ", found " << block;
  if (k == 0 || k % block) {
    int64_t largest = std::min(k & -k, kLargestBlock);
    InFlightDiagnostic error = emitOpError("expected a block that divides the ")
                               << k << " elements of the last dimension, found "
                               << block;
    if (largest >= kLeastBlock)
      return error << "; the largest one that does is " << largest;
    return error << "; no power of two from " << kLeastBlock
                 << " on does, rotate a dimension that it divides";
  }
  if (!getSigns())
    return success();
  auto signs = cast<RankedTensorType>(getSigns().getType());
  if (!isOperand(signs) || signs.getShape() != ArrayRef<int64_t>(k))
    return emitOpError("expected signs [")
           << k << "] of f16, bf16 or f32, one for each element of the last "
           << "dimension, found " << signs;
  return success();
}

LogicalResult HadamardOp::reifyResultShapes(
    OpBuilder &builder, ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  reifiedReturnShapes.push_back(
      tensor::getMixedSizes(builder, getLoc(), getX()));
  return success();
}
