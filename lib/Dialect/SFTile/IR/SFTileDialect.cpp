//===- SFTileDialect.cpp - The sftile dialect ---------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/IR/PlaneOps.h"
#include "SparseFlow/Dialect/SFTile/IR/ThreadOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::sftile;

#include "SparseFlow/Dialect/SFTile/IR/SFTileDialect.cpp.inc"
#include "SparseFlow/Dialect/SFTile/IR/SFTileEnums.cpp.inc"
#include "SparseFlow/Dialect/SFTile/IR/SFTileInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "SparseFlow/Dialect/SFTile/IR/SFTileAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "SparseFlow/Dialect/SFTile/IR/SFTileTypes.cpp.inc"

namespace {
/// Layouts are long; an alias keeps fragment types on one line.
struct AliasInterface : public OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attribute, raw_ostream &os) const override {
    if (isa<LayoutAttr>(attribute)) {
      os << "layout";
      return AliasResult::FinalAlias;
    }
    return AliasResult::NoAlias;
  }
};
} // namespace

void SFTileDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "SparseFlow/Dialect/SFTile/IR/SFTileAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "SparseFlow/Dialect/SFTile/IR/SFTileTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "SparseFlow/Dialect/SFTile/IR/SFTileOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "SparseFlow/Dialect/SFTile/IR/SFTilePlaneOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "SparseFlow/Dialect/SFTile/IR/SFTileThreadOps.cpp.inc"
      >();
  addInterfaces<AliasInterface>();
}
