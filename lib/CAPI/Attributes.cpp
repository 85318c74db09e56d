//===- Attributes.cpp - Attributes and types for MLIR's C API -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sparseflow-c/Attributes.h"

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::sparseflow;

namespace {
/// Reports errors of a constructor at its location.
struct ErrorsAt {
  Location location;
  InFlightDiagnostic operator()() const { return emitError(location); }
};
} // namespace

static ErrorsAt errorsAt(MlirLocation location) { return {unwrap(location)}; }

/// The attribute of a word, or null.
template <typename AttrT, typename EnumT>
static MlirAttribute getWord(MlirContext context, std::optional<EnumT> value) {
  if (!value)
    return {nullptr};
  return wrap(Attribute(AttrT::get(unwrap(context), *value)));
}

//===----------------------------------------------------------------------===//
// Encodings
//===----------------------------------------------------------------------===//

MlirAttribute sparseflowNmAttrGet(MlirLocation location, int64_t n, int64_t m,
                                  int64_t axis) {
  Location loc = unwrap(location);
  return wrap(Attribute(
      NmAttr::getChecked(errorsAt(location), loc.getContext(), n, m, axis)));
}
bool sparseflowAttributeIsANm(MlirAttribute attribute) {
  return isa<NmAttr>(unwrap(attribute));
}
int64_t sparseflowNmAttrGetN(MlirAttribute attribute) {
  return cast<NmAttr>(unwrap(attribute)).getN();
}
int64_t sparseflowNmAttrGetM(MlirAttribute attribute) {
  return cast<NmAttr>(unwrap(attribute)).getM();
}
int64_t sparseflowNmAttrGetAxis(MlirAttribute attribute) {
  return cast<NmAttr>(unwrap(attribute)).getAxis();
}

static_assert(SPARSEFLOW_SCALE_OF_TENSOR == TernaryAttr::kTensorScale &&
                  SPARSEFLOW_SCALE_OF_ROW == TernaryAttr::kRowScale &&
                  SPARSEFLOW_SCALE_OF_HEAD == TernaryAttr::kHeadScale &&
                  SPARSEFLOW_SCALE_OF_TOKEN == TernaryAttr::kTokenScale,
              "the constants of C are those of the attribute");

MlirAttribute sparseflowTernaryAttrGet(MlirLocation location,
                                       MlirStringRef storage, int64_t group,
                                       MlirType scaleType, int64_t planes) {
  Location loc = unwrap(location);
  std::optional<TernaryStorage> known =
      symbolizeTernaryStorage(unwrap(storage));
  if (!known) {
    emitError(loc) << "expected a storage of quantized weights, such as "
                      "'codes', found '"
                   << unwrap(storage) << "'";
    return {nullptr};
  }
  return wrap(Attribute(TernaryAttr::getChecked(errorsAt(location),
                                                loc.getContext(), *known, group,
                                                unwrap(scaleType), planes)));
}
bool sparseflowAttributeIsATernary(MlirAttribute attribute) {
  return isa<TernaryAttr>(unwrap(attribute));
}
MlirStringRef sparseflowTernaryAttrGetStorage(MlirAttribute attribute) {
  return wrap(stringifyTernaryStorage(
      cast<TernaryAttr>(unwrap(attribute)).getStorage()));
}
int64_t sparseflowTernaryAttrGetGroup(MlirAttribute attribute) {
  return cast<TernaryAttr>(unwrap(attribute)).getGroup();
}
MlirType sparseflowTernaryAttrGetScaleType(MlirAttribute attribute) {
  return wrap(cast<TernaryAttr>(unwrap(attribute)).getScaleType());
}
int64_t sparseflowTernaryAttrGetPlanes(MlirAttribute attribute) {
  return cast<TernaryAttr>(unwrap(attribute)).getPlanes();
}

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

MlirAttribute sparseflowStorageAttrGet(MlirLocation location, MlirType weight) {
  auto type = dyn_cast<RankedTensorType>(unwrap(weight));
  if (!type) {
    emitError(unwrap(location))
        << "expected the tensor type of a weight, found " << unwrap(weight);
    return {nullptr};
  }
  FailureOr<StorageAttr> storage =
      StorageAttr::getFor(type, errorsAt(location));
  return succeeded(storage) ? wrap(Attribute(*storage)) : MlirAttribute{};
}
bool sparseflowAttributeIsAStorage(MlirAttribute attribute) {
  return isa<StorageAttr>(unwrap(attribute));
}
MlirStringRef sparseflowStorageAttrGetLayout(MlirAttribute attribute) {
  return wrap(cast<StorageAttr>(unwrap(attribute)).getLayout());
}
MlirType sparseflowStorageAttrGetBlobType(MlirAttribute attribute) {
  return wrap(Type(cast<StorageAttr>(unwrap(attribute)).getBlobType()));
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

MlirAttribute sparseflowBroadcastAttrGet(MlirContext context,
                                         MlirStringRef word) {
  return getWord<BroadcastAttr>(context, symbolizeBroadcast(unwrap(word)));
}
MlirAttribute sparseflowAttentionLayoutAttrGet(MlirContext context,
                                               MlirStringRef word) {
  return getWord<AttentionLayoutAttr>(context,
                                      symbolizeAttentionLayout(unwrap(word)));
}
MlirAttribute sparseflowTernaryMethodAttrGet(MlirContext context,
                                             MlirStringRef word) {
  return getWord<TernaryMethodAttr>(context,
                                    symbolizeTernaryMethod(unwrap(word)));
}

//===----------------------------------------------------------------------===//
// Types of sftile
//===----------------------------------------------------------------------===//

static std::optional<sftile::Order> getOrder(Location loc, StringRef word) {
  std::optional<sftile::Order> order = sftile::symbolizeOrder(word);
  if (!order)
    emitError(loc) << "expected an order of elements, such as 'row_major', "
                      "found '"
                   << word << "'";
  return order;
}

MlirType sparseflowViewTypeGet(MlirLocation location, MlirType element,
                               MlirStringRef order) {
  Location loc = unwrap(location);
  std::optional<sftile::Order> known = getOrder(loc, unwrap(order));
  if (!known)
    return {nullptr};
  return wrap(Type(sftile::ViewType::getChecked(
      errorsAt(location), loc.getContext(), unwrap(element), *known)));
}
MlirType sparseflowTileTypeGet(MlirLocation location, intptr_t rank,
                               const int64_t *shape, MlirType element,
                               MlirStringRef order) {
  Location loc = unwrap(location);
  std::optional<sftile::Order> known = getOrder(loc, unwrap(order));
  if (!known)
    return {nullptr};
  return wrap(Type(sftile::TileType::getChecked(
      errorsAt(location), loc.getContext(),
      ArrayRef<int64_t>(shape, static_cast<size_t>(rank)), unwrap(element),
      *known)));
}
MlirType sparseflowSlotTypeGet(MlirLocation location, MlirType tile) {
  auto type = dyn_cast<sftile::TileType>(unwrap(tile));
  if (!type) {
    emitError(unwrap(location))
        << "expected a type !sftile.tile, found " << unwrap(tile);
    return {nullptr};
  }
  return wrap(Type(sftile::SlotType::getChecked(
      errorsAt(location), type.getContext(), type.getShape(),
      type.getElementType(), type.getOrder())));
}
MlirType sparseflowRingTypeGet(MlirLocation location, int64_t stages,
                               intptr_t tileCount, const MlirType *tiles) {
  SmallVector<sftile::TileType> types;
  for (intptr_t i = 0; i < tileCount; ++i) {
    types.push_back(dyn_cast<sftile::TileType>(unwrap(tiles[i])));
    if (!types.back()) {
      emitError(unwrap(location))
          << "expected a type !sftile.tile, found " << unwrap(tiles[i]);
      return {nullptr};
    }
  }
  Location loc = unwrap(location);
  return wrap(Type(
      sftile::RingType::getChecked(errorsAt(location), loc.getContext(), stages,
                                   ArrayRef<sftile::TileType>(types))));
}
bool sparseflowTypeIsAView(MlirType type) {
  return isa<sftile::ViewType>(unwrap(type));
}
bool sparseflowTypeIsATile(MlirType type) {
  return isa<sftile::TileType>(unwrap(type));
}
bool sparseflowTypeIsASlot(MlirType type) {
  return isa<sftile::SlotType>(unwrap(type));
}
bool sparseflowTypeIsARing(MlirType type) {
  return isa<sftile::RingType>(unwrap(type));
}
