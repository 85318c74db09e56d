//===- PlaneOps.cpp - Tiles from planes -----------------------------------===//
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

LogicalResult PutTritsOp::verify() {
  FragType words = getWords().getType();
  if (!words.getElementType().isInteger(32) ||
      words.getElementsPerLane() != words.getRegistersPerLane())
    return emitOpError("expected words of i32, found ") << words;
  if (int64_t(getWord()) >= words.getElementsPerLane())
    return emitOpError("expected a word from 0 to ")
           << words.getElementsPerLane() - 1 << ", found " << getWord();
  if (!getAtom().isStore())
    return emitOpError("expected an atom that stores matrices, found ")
           << getAtomAttr();
  SlotType slot = getSlot().getType();
  Type element = slot.getElementType();
  if (!element.isF16() && !element.isBF16())
    return emitOpError(
               "expected a slot of f16 or bf16, whose 2 is a bit, found ")
           << element;
  int64_t deep = slot.getShape()[getTransposed() ? 0 : 1];
  if (slot.getOrder() != Order::Swizzled || deep % 64)
    return emitOpError("expected a swizzled slot with room for the 64 of a "
                       "word, found ")
           << slot;
  if (!getSlot().getDefiningOp<AcquireOp>())
    return emitOpError("expected a slot that an acquire gave");
  return success();
}

//===----------------------------------------------------------------------===//
// Numbers as pairs of signed bytes
//===----------------------------------------------------------------------===//

/// The product that takes the bytes.
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

LogicalResult SplitBytesOp::verify() {
  Type f32 = Float32Type::get(getContext());
  if (getStep() > 1)
    return emitOpError("expected step 0 or 1 of the 64 columns, found ")
           << getStep();
  FragType expected = fragOf(*this, {4, 32}, f32, getPairedLayout());
  for (Value numbers : {getFirst(), getSecond()})
    if (failed(verifyType(*this, "numbers", numbers.getType(), expected)))
      return failure();
  return verifyOperand(*this, getResult().getType());
}

LogicalResult WeightBytesOp::verify() {
  Type f32 = Float32Type::get(getContext());
  FragType expected = fragOf(*this, {4, 16}, f32, getJoinedLayout());
  for (Value numbers : {getFirst(), getSecond()})
    if (failed(verifyType(*this, "numbers", numbers.getType(), expected)))
      return failure();
  return verifyOperand(*this, getResult().getType());
}

LogicalResult JoinBytesOp::verify() {
  Type i32 = IntegerType::get(getContext(), 32);
  if (failed(verifyType(
          *this, "sums", getSums().getType(),
          fragOf(*this, {16, 8}, i32, productOf(*this).getLayoutC()))))
    return failure();
  return verifyType(*this, "a result", getResult().getType(),
                    fragOf(*this, {4, 16}, i32, getJoinedLayout()));
}

#define GET_OP_CLASSES
#include "SparseFlow/Dialect/SFTile/IR/SFTilePlaneOps.cpp.inc"
