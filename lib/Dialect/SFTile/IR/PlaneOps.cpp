//===- PlaneOps.cpp - Numbers as signed bytes -----------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/IR/PlaneOps.h"
#include "SparseFlow/Dialect/SFTile/IR/RowLayouts.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::sftile;

//===----------------------------------------------------------------------===//
// Numbers as pairs of signed bytes
//===----------------------------------------------------------------------===//

/// The MMA that takes the bytes.
static MmaInt8SyncAttr productOf(Operation *op) {
  MLIRContext *context = op->getContext();
  return MmaInt8SyncAttr::get(
      context, 32, IntegerType::get(context, 8, IntegerType::Signed));
}

static FragType fragOf(Operation *op, ArrayRef<int64_t> shape, Type element,
                       const LinearLayout &layout) {
  return FragType::get(op->getContext(), shape, element,
                       LayoutAttr::get(op->getContext(), layout));
}

static LogicalResult verifyType(Operation *op, StringRef name, Type found,
                                Type expected) {
  if (found == expected)
    return success();
  return op->emitOpError("expected ")
         << name << " of " << expected << ", found " << found;
}

static LogicalResult verifyOperand(Operation *op, Type found) {
  MmaInt8SyncAttr atom = productOf(op);
  return verifyType(
      op, "a result", found,
      fragOf(op, {8, 32}, atom.getOperandType(), atom.getLayoutB()));
}

bool SplitBytesOp::hasOwnNumbers() {
  return getFirst().getType().getLayout() ==
         LayoutAttr::get(getContext(), getPairedLayout());
}

float SplitBytesOp::getFactor() {
  return getScale() ? getScale()->convertToFloat() : 1.0f;
}

LogicalResult SplitBytesOp::verify() {
  Type f32 = Float32Type::get(getContext());
  FragType own = fragOf(*this, {4, 32}, f32, getPairedLayout()),
           joined = fragOf(*this, {4, 16}, f32, getJoinedLayout());
  FragType found = getFirst().getType();
  if (found != own && found != joined)
    return emitOpError("expected numbers of ")
           << own << " or " << joined << ", found " << found;
  int64_t last = found == own ? 1 : 0;
  if (int64_t(getStep()) < 0 || int64_t(getStep()) > last)
    return emitOpError("expected a step from 0 to ")
           << last << " of the columns of " << found << ", found " << getStep();
  return verifyOperand(*this, getResult().getType());
}

#define GET_OP_CLASSES
#include "SparseFlow/Dialect/SFTile/IR/SFTilePlaneOps.cpp.inc"
