//===- WarpgroupOps.cpp - Verifiers of a warpgroup's products -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "SparseOperands.h"

using namespace mlir;
using namespace mlir::sftile;

// Elements of a row of a tile, 128 bytes.
static constexpr int64_t kTileCols = 64;

/// What a product adds to: sums that are there, or that are under way.
static LogicalResult verifyAccumulator(Operation *op, Type given,
                                       FragType result) {
  auto pending = dyn_cast<PendingType>(given);
  if ((pending ? pending.getFrag() : given) == result)
    return success();
  return op->emitOpError("expected an accumulator of the result's type ")
         << result << ", found " << given;
}

/// The sums of one warp of the warpgroup.
static LogicalResult verifySums(Operation *op, AsyncMmaAtomInterface atom,
                                FragType acc) {
  int64_t rows = atom.getM() / 4;
  LayoutAttr layout = LayoutAttr::get(op->getContext(), atom.getLayoutC());
  if (acc.getElementType().isF32() && acc.getLayout() == layout &&
      acc.getShape()[0] == rows && acc.getShape()[1] <= atom.getMaxN())
    return success();
  return op->emitOpError("expected an accumulator of ")
         << rows << " x n elements of f32, n at most " << atom.getMaxN()
         << ", in the layout " << layout << ", found " << acc;
}

LogicalResult MmaAsyncOp::verify() {
  AsyncMmaAtomInterface atom = getAtom();
  FragType acc = getResult().getType().getFrag();
  if (failed(verifyAccumulator(*this, getAcc().getType(), acc)))
    return failure();
  TileType a = getA().getType(), b = getB().getType();
  for (auto [name, tile] : {std::pair("a", a), std::pair("b", b)})
    if (tile.getElementType() != atom.getOperandType())
      return emitOpError("expected ")
             << name << " of " << atom.getOperandType() << " for "
             << getAtomAttr() << ", found " << tile.getElementType();
  if (a.getOrder() != atom.getOrderA())
    return emitOpError("expected a in ")
           << stringifyOrder(atom.getOrderA()) << " order for " << getAtomAttr()
           << ", found " << stringifyOrder(a.getOrder());
  for (TileType tile : {a, b})
    if (tile.getOrder() == Order::Swizzled && tile.getPitch() != 128)
      return emitOpError(
                 "expected swizzled tiles with rows of 128 bytes, found ")
             << tile;
  if (b.getOrder() != Order::Swizzled)
    return emitOpError("expected b in swizzled order, found ")
           << stringifyOrder(b.getOrder());
  if (failed(verifySums(*this, atom, acc)))
    return failure();
  if (acc.getShape()[1] > b.getShape()[0])
    return emitOpError("expected b with a row for each of the ")
           << acc.getShape()[1] << " columns of the accumulator, found " << b;
  if (failed(verifyHasMetadata(*this)))
    return failure();
  if (!atom.isSparse())
    return success();
  FragType metadata = getMetadata().getType();
  if (!metadata.getElementType().isInteger(32) ||
      metadata.getShape() != ArrayRef<int64_t>{1, 32} ||
      metadata.getLayout() !=
          LayoutAttr::get(getContext(), getMetadataLayout()))
    return emitOpError(
               "expected metadata of 1 x 32 words, the row of this warp, "
               "found ")
           << metadata;
  return verifySelector(*this);
}

LogicalResult MmaAsyncRegistersOp::verify() {
  RegisterMmaAtomInterface atom = getAtom();
  FragType acc = getResult().getType().getFrag();
  if (getCleared() && isa<PendingType>(getAcc().getType()))
    return emitOpError(
               "expected registers of finished sums to be cleared, found ")
           << getAcc().getType();
  if (failed(verifyAccumulator(*this, getAcc().getType(), acc)))
    return failure();
  FragType a = getA().getType();
  LayoutAttr layoutA = LayoutAttr::get(getContext(), atom.getLayoutA());
  int64_t depth = atom.getK() / (atom.isSparse() ? 2 : 1);
  if (a.getElementType() != atom.getOperandType() || a.getLayout() != layoutA ||
      a.getShape()[0] != atom.getM() / 4 || a.getShape()[1] != depth)
    return emitOpError("expected a of ")
           << atom.getM() / 4 << " x " << depth << " elements of "
           << atom.getOperandType() << " in the layout " << layoutA
           << ", found " << a;
  TileType b = getB().getType();
  // Bytes of B have a sign, whatever those of A have.
  Type typeOfB = atom.getOperandType();
  if (typeOfB.isInteger(8))
    typeOfB = IntegerType::get(getContext(), 8);
  if (b.getElementType() != typeOfB || b.getOrder() != Order::Swizzled ||
      b.getPitch() != 128)
    return emitOpError("expected b of ")
           << typeOfB << " in swizzled order with rows of 128 bytes, found "
           << b;
  LayoutAttr layoutC = LayoutAttr::get(getContext(), atom.getLayoutC());
  int64_t columns = acc.getShape()[1];
  if (acc.getElementType() != atom.getAccumulatorType() ||
      acc.getLayout() != layoutC || acc.getShape()[0] != atom.getM() / 4 ||
      columns > atom.getMaxN() || (columns != 8 && columns % 16) ||
      columns > b.getShape()[0])
    return emitOpError("expected an accumulator of ")
           << atom.getM() / 4 << " x n elements of "
           << atom.getAccumulatorType() << ", n at most " << atom.getMaxN()
           << " and the rows of b, 8 or a multiple of 16, in the layout "
           << layoutC << ", found " << acc;
  if (atom.isSparse() != bool(getMetadata()) ||
      atom.isSparse() != getSelector().has_value())
    return emitOpError(atom.isSparse()
                           ? "expected metadata and its word for a sparse atom"
                           : "expected no metadata for a dense atom");
  if (!getMetadata())
    return success();
  FragType metadata = getMetadata().getType();
  LayoutAttr words = LayoutAttr::get(getContext(), getKeptWordsLayout(4));
  if (!metadata.getElementType().isInteger(32) || metadata.getShape()[0] != 4 ||
      metadata.getShape()[1] != 32 || metadata.getLayout() != words)
    return emitOpError(
               "expected metadata of 4 x 32 words of i32 in the layout ")
           << words << ", found " << metadata;
  int64_t most = 4 * atom.getNumSelectors() - 1, selector = *getSelector();
  if (selector < 0 || selector > most)
    return emitOpError("expected product 0 to ")
           << most << " of a lane's metadata, found " << selector;
  return success();
}

LogicalResult AwaitOp::verify() {
  if (getPending().empty() || getPending().size() != getResults().size())
    return emitOpError("expected a result for each accumulator, found ")
           << getPending().size() << " accumulators and " << getResults().size()
           << " results";
  int64_t leaving = getLeaving();
  if (leaving < 0 || leaving > 7)
    return emitOpError("expected 0 to 7 groups to be left, found ") << leaving;
  for (auto [pending, result] : llvm::zip(getPending(), getResults())) {
    auto type = cast<PendingType>(pending.getType());
    Type expected = leaving ? Type(type) : Type(type.getFrag());
    if (result.getType() != expected)
      return emitOpError("expected a result of ")
             << expected << (leaving ? ", still pending" : ", finished")
             << ", found " << result.getType();
  }
  return success();
}

LogicalResult MmaAsyncFragOp::verify() {
  auto product = dyn_cast<AsyncMmaAtomInterface>(getAtomAttr());
  if (!product)
    return emitOpError("expected an atom of a warpgroup, found ")
           << getAtomAttr();
  FragType acc = getResult().getType().getFrag();
  if (failed(verifyAccumulator(*this, getAcc().getType(), acc)))
    return failure();
  MLIRContext *context = getContext();
  int64_t rows = product.getM() / 4, depth = product.getK();
  if (failed(verifySums(*this, product, acc)))
    return failure();
  FragType a = getA().getType();
  LayoutAttr layoutA = LayoutAttr::get(context, getAtom().getFragmentLayoutA());
  if (a.getElementType() != product.getOperandType() ||
      a.getLayout() != layoutA ||
      a.getShape() != ArrayRef<int64_t>{rows, depth})
    return emitOpError("expected a of ")
           << rows << " x " << depth << " elements of "
           << product.getOperandType() << " in the layout " << layoutA
           << ", found " << a;
  if (getB().size() !=
      llvm::divideCeil(size_t(acc.getShape()[1]), size_t(kTileCols)))
    return emitOpError("expected a tile for every ")
           << kTileCols << " of the " << acc.getShape()[1]
           << " columns of the accumulator, found " << getB().size();
  auto first = dyn_cast<OpResult>(getB().front());
  for (auto [number, tile] : llvm::enumerate(getB())) {
    auto type = cast<TileType>(tile.getType());
    if (type.getElementType() != product.getOperandType() ||
        type.getOrder() != Order::Swizzled || type.getShape()[1] != kTileCols ||
        type.getShape()[0] < depth || type.getShape()[0] % 8)
      return emitOpError("expected b in swizzled tiles with rows of 128 bytes, "
                         "a multiple of 8 and at least ")
             << depth << " of them, found " << type;
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
           << getPending().getType().getFrag() << ", found "
           << getFrag().getType();
  int64_t younger = getYounger();
  if (younger < 0 || younger > 7)
    return emitOpError("expected 0 to 7 younger groups, found ") << younger;
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
    return emitOpError("expected elements of f32, found ")
           << getFrag().getType();
  return success();
}

LogicalResult AnyLessOp::verify() {
  if (!getA().getType().getElementType().isF32())
    return emitOpError("expected elements of f32, found ") << getA().getType();
  return success();
}
