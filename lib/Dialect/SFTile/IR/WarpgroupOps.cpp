//===- WarpgroupOps.cpp - Verifiers of products that overlap --------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"

using namespace mlir;
using namespace mlir::sftile;

// Elements of a row of a tile, 128 bytes.
static constexpr int64_t kTileCols = 64;

LogicalResult MmaAsyncFragOp::verify() {
  auto product = dyn_cast<AsyncMmaAtomInterface>(getAtomAttr());
  if (!product)
    return emitOpError("expected an atom of a warpgroup, got ")
           << getAtomAttr();
  FragType acc = getResult().getType().getFrag();
  Type input = getAcc().getType();
  if (auto pending = dyn_cast<PendingType>(input))
    input = pending.getFrag();
  if (input != acc)
    return emitOpError("expected an accumulator of the result's type ")
           << acc << ", got " << getAcc().getType();
  MLIRContext *context = getContext();
  int64_t rows = product.getM() / 4, depth = product.getK();
  LayoutAttr layoutC = LayoutAttr::get(context, product.getLayoutC());
  if (!acc.getElementType().isF32() || acc.getLayout() != layoutC ||
      acc.getShape()[0] != rows || acc.getShape()[1] > product.getMaxN())
    return emitOpError("expected an accumulator of ")
           << rows << " x n elements of f32, n at most " << product.getMaxN()
           << ", in the layout " << layoutC << ", got " << acc;
  FragType a = getA().getType();
  LayoutAttr layoutA = LayoutAttr::get(context, getAtom().getFragmentLayoutA());
  if (a.getElementType() != product.getOperandType() ||
      a.getLayout() != layoutA ||
      a.getShape() != ArrayRef<int64_t>{rows, depth})
    return emitOpError("expected a of ")
           << rows << " x " << depth << " elements of "
           << product.getOperandType() << " in the layout " << layoutA
           << ", got " << a;
  if (getB().size() !=
      llvm::divideCeil(size_t(acc.getShape()[1]), size_t(kTileCols)))
    return emitOpError("expected a tile for every ")
           << kTileCols << " of the " << acc.getShape()[1]
           << " columns of the accumulator, got " << getB().size();
  auto first = dyn_cast<OpResult>(getB().front());
  for (auto [number, tile] : llvm::enumerate(getB())) {
    auto type = cast<TileType>(tile.getType());
    if (type.getElementType() != product.getOperandType() ||
        type.getOrder() != Order::Swizzled || type.getShape()[1] != kTileCols ||
        type.getShape()[0] < depth || type.getShape()[0] % 8)
      return emitOpError("expected b in swizzled tiles with rows of 128 bytes, "
                         "a multiple of 8 and at least ")
             << depth << " of them, got " << type;
    auto result = dyn_cast<OpResult>(tile);
    if (number &&
        (!first || !result || result.getOwner() != first.getOwner() ||
         result.getResultNumber() != first.getResultNumber() + number))
      return emitOpError("expected the tiles of b to follow one another in one "
                         "stage");
  }
  return success();
}

LogicalResult CollectOp::verify() {
  if (getFrag().getType() != getPending().getType().getFrag())
    return emitOpError("expected a result of ")
           << getPending().getType().getFrag() << ", got "
           << getFrag().getType();
  int64_t younger = getYounger();
  if (younger < 0 || younger > 7)
    return emitOpError("expected 0 to 7 younger groups, got ") << younger;
  return success();
}

/// Turns are taken by the warpgroups of a role.
static LogicalResult verifyTurn(Operation *op) {
  auto role = op->getParentOfType<RoleOp>();
  if (!role || role.getLeader() || role.getWarps() % 4)
    return op->emitOpError("expected a role of whole warpgroups, four warps "
                           "each, that all take part");
  return success();
}

LogicalResult TakeTurnOp::verify() { return verifyTurn(*this); }
LogicalResult PassTurnOp::verify() { return verifyTurn(*this); }

LogicalResult SettleOp::verify() {
  if (!getFrag().getType().getElementType().isF32())
    return emitOpError("expected elements of f32, got ") << getFrag().getType();
  return success();
}

LogicalResult AnyLessOp::verify() {
  if (!getA().getType().getElementType().isF32())
    return emitOpError("expected elements of f32, got ") << getA().getType();
  return success();
}
