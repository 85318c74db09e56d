//===- SFTileAttrs.cpp - Layouts ----------------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"

using namespace mlir;
using namespace mlir::sftile;

//===----------------------------------------------------------------------===//
// LayoutAttr
//===----------------------------------------------------------------------===//

/// Reads `[row, col]`; nothing if `attribute` is something else.
static std::optional<Coord> readCoord(Attribute attribute) {
  auto pair = dyn_cast<ArrayAttr>(attribute);
  if (!pair || pair.size() != 2)
    return std::nullopt;
  auto row = dyn_cast<IntegerAttr>(pair[0]);
  auto col = dyn_cast<IntegerAttr>(pair[1]);
  if (!row || !col || row.getInt() < 0 || col.getInt() < 0)
    return std::nullopt;
  return Coord{row.getInt(), col.getInt()};
}

static ArrayAttr writeCoords(MLIRContext *context, ArrayRef<Coord> coords) {
  Builder builder(context);
  SmallVector<Attribute> pairs;
  for (Coord coord : coords)
    pairs.push_back(builder.getI64ArrayAttr({coord.row, coord.col}));
  return builder.getArrayAttr(pairs);
}

LayoutAttr LayoutAttr::get(MLIRContext *context, const LinearLayout &layout) {
  return LayoutAttr::get(context, writeCoords(context, layout.registerBits()),
                         writeCoords(context, layout.laneBits()));
}

LinearLayout LayoutAttr::getLayout() const {
  SmallVector<Coord> registers, lanes;
  for (Attribute pair : getRegisters())
    registers.push_back(*readCoord(pair));
  for (Attribute pair : getLanes())
    lanes.push_back(*readCoord(pair));
  return LinearLayout(registers, lanes);
}

LogicalResult
LayoutAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                   ArrayAttr registers, ArrayAttr lanes) {
  for (ArrayAttr bits : {registers, lanes})
    for (Attribute pair : bits)
      if (!readCoord(pair))
        return emitError() << "expected a [row, column] pair of non-negative "
                              "integers for each bit, found "
                           << pair;
  if (lanes.size() != 5)
    return emitError()
           << "expected 5 lane bits for the 32 lanes of a warp, found "
           << lanes.size();
  if (registers.size() > 8)
    return emitError()
           << "expected at most 8 register bits (256 elements a lane), found "
           << registers.size();
  // Lowerings compute a lane's position once and add constants for registers.
  Coord byRegister, byLane;
  for (Attribute pair : registers) {
    Coord basis = *readCoord(pair);
    byRegister = {byRegister.row | basis.row, byRegister.col | basis.col};
  }
  for (Attribute pair : lanes) {
    Coord basis = *readCoord(pair);
    byLane = {byLane.row | basis.row, byLane.col | basis.col};
  }
  if ((byRegister.row & byLane.row) || (byRegister.col & byLane.col))
    return emitError()
           << "expected registers and lanes to decide about "
              "different bits of the position, found a bit that both "
              "change";
  return success();
}
