//===- PlaneOps.cpp - Tiles from planes -----------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/IR/PlaneOps.h"

using namespace mlir;
using namespace mlir::sftile;

LogicalResult PutTritsOp::verify() {
  FragType words = getWords().getType();
  if (!words.getElementType().isInteger(32) ||
      words.getElementsPerLane() != words.getRegistersPerLane())
    return emitOpError("expected words of i32, got ") << words;
  if (int64_t(getWord()) >= words.getElementsPerLane())
    return emitOpError("expected a word from 0 to ")
           << words.getElementsPerLane() - 1 << ", got " << getWord();
  SlotType slot = getSlot().getType();
  Type element = slot.getElementType();
  if (!element.isF16() && !element.isBF16())
    return emitOpError("expected a slot of f16 or bf16, whose 2 is a bit, got ")
           << element;
  int64_t deep = slot.getShape()[getTransposed() ? 0 : 1];
  if (slot.getOrder() != Order::Swizzled || deep % 64)
    return emitOpError("expected a swizzled slot with room for the 64 of a "
                       "word, got ")
           << slot;
  if (!getSlot().getDefiningOp<AcquireOp>())
    return emitOpError("expected a slot that an acquire gave");
  return success();
}

#define GET_OP_CLASSES
#include "SparseFlow/Dialect/SFTile/IR/SFTilePlaneOps.cpp.inc"
