//===- Folds.cpp - Operations that need not be there --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fragments are values, so what only renames their registers folds. Loads and
// stores do not: what memory holds, and when, is the kernel's protocol.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"

using namespace mlir;
using namespace mlir::sftile;

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor) {
  if (getSource().getType() == getResult().getType())
    return getSource();
  // The elements are where the operation before found them.
  auto before = getSource().getDefiningOp<ConvertLayoutOp>();
  if (!before || before.getScratch())
    return {};
  getSourceMutable().assign(before.getSource());
  return getResult();
}

OpFoldResult BroadcastOp::fold(FoldAdaptor) {
  if (getSource().getType() == getResult().getType())
    return getSource();
  return {};
}

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  auto before = getSource().getDefiningOp<TransposeOp>();
  if (before && before.getSource().getType() == getResult().getType())
    return before.getSource();
  return {};
}

OpFoldResult SliceOp::fold(FoldAdaptor) {
  if (getSource().getType() == getResult().getType())
    return getSource();
  if (auto before = getSource().getDefiningOp<SliceOp>()) {
    ArrayRef<int64_t> outer = before.getStrides(), inner = getStrides();
    setRow(before.getRow() + outer[0] * getRow());
    setCol(before.getCol() + outer[1] * getCol());
    setStrides({outer[0] * inner[0], outer[1] * inner[1]});
    getSourceMutable().assign(before.getSource());
    return getResult();
  }
  // A part of what was put together.
  auto concat = getSource().getDefiningOp<ConcatOp>();
  if (!concat || getStrides() != ArrayRef<int64_t>{1, 1})
    return {};
  Type part = concat.getParts().front().getType();
  int64_t cols = cast<FragType>(part).getShape()[1];
  if (getResult().getType() != part || getCol() % cols)
    return {};
  return concat.getParts()[getCol() / cols];
}

OpFoldResult ConcatOp::fold(FoldAdaptor) {
  if (getParts().size() == 1 &&
      getParts().front().getType() == getResult().getType())
    return getParts().front();
  return {};
}

OpFoldResult MapOp::fold(FoldAdaptor) {
  // A body that gives back what it gets. Others may stand in it unused.
  auto yield = cast<YieldOp>(getBody().front().getTerminator());
  auto argument = dyn_cast<BlockArgument>(yield.getValue());
  if (!argument || argument.getOwner() != &getBody().front())
    return {};
  Value input = getInputs()[argument.getArgNumber()];
  if (input.getType() != getResult().getType())
    return {};
  return input;
}
