//===- EpilogueOps.cpp - Verifiers of epilogue staging and DSMEM ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Staging.h"

using namespace mlir;
using namespace mlir::sftile;

//===----------------------------------------------------------------------===//
// Epilogue staging and TMA stores
//===----------------------------------------------------------------------===//

/// The tile is a staging buffer, and the atom writes boxes.
LogicalResult mlir::sftile::verifyStaging(Operation *op, Value tile,
                                          Attribute atom) {
  auto copies = dyn_cast<CopyAtomInterface>(atom);
  if (!copies || !copies.usesTensorMap())
    return op->emitOpError("expected an atom that uses tensor maps, found ")
           << atom;
  auto shared = tile.getDefiningOp<SharedOp>();
  if (!shared || shared.getOverlaid())
    return op->emitOpError("expected a tile that sftile.shared gave to its "
                           "sharers alone");
  return success();
}

LogicalResult TmaStoreOp::verify() {
  if (failed(verifyStaging(*this, getTile(), getAtom())))
    return failure();
  if (getView().getType().getOrder() != Order::TensorMap)
    return emitOpError("expected a tensor_map view, found ")
           << getView().getType();
  TileType tile = getTile().getType();
  if (tile.getElementType() != getView().getType().getElementType())
    return emitOpError("expected tile and view of one element type, found ")
           << tile.getElementType() << " and "
           << getView().getType().getElementType();
  if (tile.getOrder() != Order::Swizzled || tile.getPitch() != 128)
    return emitOpError(
               "expected a swizzled tile with rows of 128 bytes, found ")
           << tile;
  return success();
}

//===----------------------------------------------------------------------===//
// Between blocks of a cluster
//===----------------------------------------------------------------------===//

int64_t DsmemExchangeOp::getBytes() {
  auto role = (*this)->getParentOfType<RoleOp>();
  int64_t registers = 0;
  for (Type type : getGiven().getTypes())
    registers += llvm::alignTo(cast<FragType>(type).getRegistersPerLane(), 4);
  return registers * 4 * 32 * static_cast<int64_t>(role.getWarps());
}

LogicalResult DsmemExchangeOp::verify() {
  auto role = (*this)->getParentOfType<RoleOp>();
  if (!role || role.getLeader())
    return emitOpError("expected a role whose warps all take part");
  if (getGiven().getTypes() != getTaken().getTypes())
    return emitOpError("expected to take fragments of the types that it gives, "
                       "found ")
           << getTaken().getTypes() << " for " << getGiven().getTypes();
  RingType ring = getRing().getType();
  int64_t end = static_cast<int64_t>(getOffset()) + getBytes();
  if (ring.getStages() * ring.getStageBytes() < end)
    return emitOpError("expected a ring with memory for the fragments of ")
           << role.getWarps() << " warps, up to byte " << end << ", found "
           << ring.getStages() * ring.getStageBytes();
  return success();
}
