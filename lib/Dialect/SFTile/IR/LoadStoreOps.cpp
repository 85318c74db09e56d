//===- LoadStoreOps.cpp - Verifiers of loads and stores -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"

using namespace mlir;
using namespace mlir::sftile;

// Lanes of a warp: words of a row that hold a register.
static constexpr int64_t kLanes = 32;

Type mlir::sftile::getPositionType(Type memory) {
  if (isa<ViewType>(memory))
    return IntegerType::get(memory.getContext(), 64);
  return IndexType::get(memory.getContext());
}

/// What loads and stores of global memory have in common.
template <typename OpT>
static LogicalResult verifyView(OpT op, ViewType view) {
  FragType frag = op.getFrag().getType();
  if (op.getAtom())
    return op.emitOpError("expected no atom for a view, which every lane "
                          "accesses by itself, found ")
           << *op.getAtom();
  if (op.getAccess() == Access::Registers)
    return op.emitOpError("expected a tile for the access of registers, found ")
           << view;
  if (op.getAccess() == Access::Interleaved && frag.getShape()[1] % 16)
    return op.emitOpError("expected a multiple of 16 columns to interleave, "
                          "found ")
           << frag;
  if (view.getOrder() != Order::RowMajor &&
      view.getOrder() != Order::GroupedRows)
    return op.emitOpError("expected a view of rows, found ") << view;
  if (view.getElementType() != frag.getElementType())
    return op.emitOpError(
               "expected view and fragment of one element type, found ")
           << view.getElementType() << " and " << frag.getElementType();
  if (!op.getWidth())
    return op.emitOpError("expected the width of an access, 'width 16', for a "
                          "view");
  int64_t bytes = frag.getElementType().getIntOrFloatBitWidth() / 8;
  int64_t width = *op.getWidth();
  if ((width != 2 && width != 4 && width != 8 && width != 16) || width < bytes)
    return op.emitOpError("expected a width of 2, 4, 8 or 16 bytes and at "
                          "least one element, found ")
           << width;
  return success();
}

/// What those of shared memory have: all of the fragment lies in the tile.
template <typename OpT>
static LogicalResult verifyTile(OpT op, TileType tile) {
  FragType frag = op.getFrag().getType();
  Access access = op.getAccess();
  if (op.getWidth() || op.getRowsInBounds() || op.getColsInBounds())
    return op.emitOpError("expected neither a width nor bounds for a tile, "
                          "inside which the fragment lies");
  if (access == Access::Registers) {
    if (tile.getOrder() != Order::RowMajor || tile.getShape()[1] != kLanes ||
        tile.getElementType() != frag.getElementType() ||
        tile.getElementType().getIntOrFloatBitWidth() != 32 ||
        tile.getShape()[0] < frag.getRegistersPerLane())
      return op.emitOpError("expected a row_major tile of the fragment's "
                            "elements of 32 bits, with a row of 32 for each of "
                            "the ")
             << frag.getRegistersPerLane() << " registers, found " << tile
             << " for " << frag;
    return success();
  }
  bool extends = access == Access::Row && frag.getElementType().isF32() &&
                 isa<FloatType>(tile.getElementType());
  if (tile.getElementType() != frag.getElementType() && !extends)
    return op.emitOpError(
               "expected tile and fragment of one element type, found ")
           << tile.getElementType() << " and " << frag.getElementType();
  if (access == Access::Row) {
    if (tile.getOrder() != Order::RowMajor ||
        frag.getShape()[0] > tile.getShape()[1])
      return op.emitOpError("expected a row_major tile with a column for each "
                            "row of the fragment, found ")
             << tile << " for " << frag;
    return success();
  }
  if (access == Access::Col) {
    if (tile.getOrder() != Order::RowMajor ||
        frag.getShape()[1] > tile.getShape()[0])
      return op.emitOpError("expected a row_major tile with a row for each "
                            "column of the fragment, found ")
             << tile << " for " << frag;
    return success();
  }
  bool transposed = access == Access::Transposed;
  if (access != Access::Direct && !transposed)
    return op.emitOpError("expected the access direct, transposed, row, col or "
                          "registers of a tile, found ")
           << stringifyAccess(access);
  if (frag.getShape()[transposed ? 1 : 0] > tile.getShape()[0] ||
      frag.getShape()[transposed ? 0 : 1] > tile.getShape()[1])
    return op.emitOpError("expected a fragment ")
           << (transposed ? "whose transpose is no larger than the tile"
                          : "no larger than the tile")
           << ", found " << frag << " and " << tile;
  return success();
}

/// A matrix load gives a lane four neighbouring bytes of one row of each
/// matrix, whose rows are 16 bytes, and a store takes them. Matrices are
/// transposed by elements of 16 bits.
template <typename OpT>
static LogicalResult verifyMatrices(OpT op, bool stores) {
  if (op.getAtom()->isStore() != stores)
    return op.emitOpError("expected an atom that ")
           << (stores ? "stores" : "loads") << " matrices, found "
           << op.getAtomAttr();
  FragType frag = op.getFrag().getType();
  bool transposed = op.getAccess() == Access::Transposed;
  if (op.getAccess() != Access::Direct && !transposed)
    return op.emitOpError("expected the access direct or transposed for ")
           << op.getAtomAttr() << ", found " << stringifyAccess(op.getAccess());
  LinearLayout layout = frag.getLayout().getLayout();
  unsigned bits = frag.getElementType().getIntOrFloatBitWidth();
  int held = bits == 8 ? 4 : 2;
  unsigned inside = bits == 8 ? 2 : 1;
  const Coord lanes[] = {{0, held}, {0, 2 * held}, {1, 0}, {2, 0}, {4, 0}};
  bool matches = layout.registerBits().size() >= inside &&
                 layout.laneBits() == ArrayRef<Coord>(lanes);
  for (auto [bit, basis] : llvm::enumerate(layout.registerBits()))
    matches &= bit < inside ? basis == Coord{0, 1 << bit}
                            : basis.row % 8 == 0 && basis.col % (4 * held) == 0;
  if (!matches || bits > 16 || (transposed && bits != 16))
    return op.emitOpError("expected a fragment of matrices of 8 rows of 16 "
                          "bytes, each lane holding four neighbouring bytes")
           << (transposed ? " of 16-bit elements" : "") << ", for "
           << op.getAtomAttr() << ", found " << frag;
  return success();
}

LogicalResult LoadOp::verify() {
  if (auto view = dyn_cast<ViewType>(getSource().getType()))
    return verifyView(*this, view);
  if (failed(verifyTile(*this, cast<TileType>(getSource().getType()))))
    return failure();
  return getAtom() ? verifyMatrices(*this, /*stores=*/false) : success();
}

LogicalResult StoreOp::verify() {
  Access access = getAccess();
  if (access != Access::Direct && access != Access::Transposed &&
      access != Access::Registers && access != Access::Interleaved)
    return emitOpError(
               "expected the access direct, transposed, registers or "
               "interleaved: each element has a place of its own; found ")
           << stringifyAccess(access);
  if (auto view = dyn_cast<ViewType>(getDestination().getType()))
    return verifyView(*this, view);
  auto slot = dyn_cast<SlotType>(getDestination().getType());
  TileType tile =
      slot ? slot.getTile() : cast<TileType>(getDestination().getType());
  if (failed(verifyTile(*this, tile)))
    return failure();
  if (tile.getOrder() != Order::Swizzled && tile.getOrder() != Order::RowMajor)
    return emitOpError("expected a swizzled or row-major tile, found ") << tile;
  if (slot && !getDestination().getDefiningOp<AcquireOp>())
    return emitOpError("expected a slot that sftile.acquire gave");
  if (!slot &&
      !isa_and_nonnull<SharedOp, WaitOp>(getDestination().getDefiningOp()))
    return emitOpError("expected a tile that sftile.shared gave, or "
                       "sftile.wait to a role that overwrites what it has "
                       "read");
  return getAtom() ? verifyMatrices(*this, /*stores=*/true) : success();
}
