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

template <typename AttrT>
static void matchCodec(MLIRContext *context, StringRef packedLayout,
                       CodecInterface &found) {
  if constexpr (std::is_base_of_v<CodecInterface::Trait<AttrT>, AttrT>)
    if (AttrT codec = AttrT::get(context);
        codec.getPackedLayout() == packedLayout)
      found = codec;
}

template <typename... AttrTs>
static CodecInterface findAmong(MLIRContext *context, StringRef packedLayout) {
  CodecInterface found;
  (matchCodec<AttrTs>(context, packedLayout, found), ...);
  return found;
}

CodecInterface mlir::sftile::findCodec(MLIRContext *context,
                                       StringRef packedLayout) {
  // Whatever attribute of the dialect says that it is one.
  return findAmong<
#define GET_ATTRDEF_LIST
#include "SparseFlow/Dialect/SFTile/IR/SFTileAttrs.cpp.inc"
      >(context, packedLayout);
}

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
