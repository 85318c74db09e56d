//===- SparseFlowTernary.cpp - Quantized weights --------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sizes below are those of docs/formats/ternary.md; a test compares them
// with the runtime's packer.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/IR/PackedLayouts.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::sparseflow;

TernaryAttr mlir::sparseflow::getTernaryEncoding(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? dyn_cast_or_null<TernaryAttr>(tensor.getEncoding())
                : TernaryAttr();
}

//===----------------------------------------------------------------------===//
// Encoding
//===----------------------------------------------------------------------===//

StringRef TernaryAttr::getLayout() const {
  return getPackedLayout(getStorage()).name;
}

StringRef TernaryAttr::getKeyword() const {
  return isTernary() ? getMnemonic() : kQuantized;
}

bool TernaryAttr::isTernary() const {
  const PackedLayout &layout = getPackedLayout(getStorage());
  return layout.low == -1 && layout.high == 1;
}

bool TernaryAttr::isTwoFour() const {
  return getPackedLayout(getStorage()).isTwoFour;
}

bool TernaryAttr::hasKernels() const {
  return getPackedLayout(getStorage()).hasKernels;
}

int64_t TernaryAttr::getGroups(int64_t k) const {
  return getGroup() <= kRowScale ? 1 : llvm::divideCeil(k, getGroup());
}

int64_t TernaryAttr::getGroupColumns(int64_t k) const {
  return getGroup() <= kRowScale ? k : getGroup();
}

int64_t TernaryAttr::getCodeBytes(int64_t n, int64_t k) const {
  assert(!isCache() && "a cache is no matrix: it has pages");
  const PackedLayout &unit = getPackedLayout(getStorage());
  return llvm::divideCeil(n, unit.rows) * llvm::divideCeil(k, unit.columns) *
         getPlanes() * unit.bytes;
}

int64_t TernaryAttr::getScaleOffset(int64_t n, int64_t k) const {
  return llvm::alignTo(getCodeBytes(n, k), 256);
}

int64_t TernaryAttr::getSizeInBytes(int64_t n, int64_t k) const {
  int64_t each = getGroup() == kTensorScale
                     ? 1
                     : getGroups(k) * int64_t(llvm::alignTo(n, 64));
  int64_t bytes = getScaleType().getIntOrFloatBitWidth() / 8;
  return getScaleOffset(n, k) +
         int64_t(llvm::alignTo(getPlanes() * each * bytes, 16));
}

//===----------------------------------------------------------------------===//
// Caches
//===----------------------------------------------------------------------===//

bool TernaryAttr::isCache(TernaryStorage storage) {
  return getPackedLayout(storage).cacheBits != 0;
}

bool TernaryAttr::isValueCache() const {
  return getPackedLayout(getStorage()).holdsValues;
}

int64_t TernaryAttr::getCacheBits() const {
  return getPackedLayout(getStorage()).cacheBits;
}

bool TernaryAttr::isFloatCache() const {
  return getPackedLayout(getStorage()).isFloat;
}

float TernaryAttr::getCacheLimit() const {
  return static_cast<float>(getPackedLayout(getStorage()).high);
}

int64_t TernaryAttr::getScaleFeatures(int64_t features) const {
  if (getGroup() == kHeadScale || getGroup() == kTokenScale)
    return features;
  return std::abs(getGroup());
}

int64_t TernaryAttr::getPageFeatures(int64_t features) const {
  // A lane's 16 bytes of 16 positions are 32 features of 8 bits, 64 of 4.
  return int64_t(llvm::alignTo(features, getCacheBits() == 8 ? 32 : 64));
}

int64_t TernaryAttr::getPageCodeBytes(int64_t features) const {
  return getPageFeatures(features) * kPageTokens * getCacheBits() / 8;
}

int64_t TernaryAttr::getPageScales(int64_t features) const {
  int64_t groups = llvm::divideCeil(features, getScaleFeatures(features));
  return isTokenScaled() ? groups * kPageTokens : groups;
}

int64_t TernaryAttr::getPageBytes(int64_t features) const {
  int64_t bytes = getScaleType().getIntOrFloatBitWidth() / 8;
  return getPageCodeBytes(features) +
         int64_t(llvm::alignTo(getPageScales(features) * bytes, 16));
}

RankedTensorType TernaryAttr::getPagedType(RankedTensorType type) const {
  ArrayRef<int64_t> shape = type.getShape();
  int64_t pages =
      type.isDynamicDim(2) ? ShapedType::kDynamic : shape[2] / kPageTokens;
  return RankedTensorType::get(
      {shape[0], shape[1], pages, getPageBytes(shape[3])},
      IntegerType::get(type.getContext(), 8));
}

LogicalResult TernaryAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  TernaryStorage storage, int64_t group,
                                  Type scaleType, int64_t planes) {
  bool isCache = TernaryAttr::isCache(storage);
  bool isQuantized = isCache && getPackedLayout(storage).cacheBits > 2;
  if (isCache && planes != 1)
    return emitError() << "expected one plane under "
                       << stringifyTernaryStorage(storage) << ", found "
                       << planes << "; a cache holds one "
                       << (isQuantized ? "number" : "trit") << " an element";
  if (isCache && (group == kTensorScale || group == kRowScale))
    return emitError() << "expected the scale of a cache for a 'head', a "
                          "'token', or 32, 64, 128 or 256 features of a head, "
                          "found '"
                       << (group == kRowScale ? "row" : "tensor")
                       << "': weights have rows, caches have tokens";
  if (!isCache && group < 0)
    return emitError() << "expected a scale for the tensor, a row, or 32, 64, "
                          "128 or 256 columns, found '"
                       << (group == kHeadScale ? "head" : "token")
                       << "': only caches have heads and tokens";
  if (isQuantized && group > kTokenScale)
    return emitError() << "expected a scale for each 'token', or for 32, 64 or "
                          "128 features of it ('token x 64'), under "
                       << stringifyTernaryStorage(storage)
                       << "; the numbers of an append are rounded to it";
  if (group < kTokenScale && !isQuantized)
    return emitError() << "expected one scale for a token of trits, found one "
                          "for each "
                       << -group << " features; use int4 or int8";
  if (group < kTokenScale && group != -32 && group != -64 && group != -128)
    return emitError() << "expected a scale for each 32, 64 or 128 features of "
                          "a token, found "
                       << -group;
  if (group >= 0 && group != kTensorScale && group != kRowScale &&
      group != 32 && group != 64 && group != 128 && group != 256)
    return emitError() << "expected a scale for the tensor, a row, or 32, 64, "
                          "128 or 256 columns, found "
                       << group;
  if (!scaleType.isF16() && !scaleType.isBF16() && !scaleType.isF32())
    return emitError() << "expected scales of type f16, bf16 or f32, found "
                       << scaleType;
  if (planes != 1 && planes != 2)
    return emitError() << "expected one or two planes, found " << planes;
  if (planes > getPackedLayout(storage).maxPlanes)
    return emitError() << "expected one plane under "
                       << stringifyTernaryStorage(storage) << ", found "
                       << planes << "; use codes for two";
  return success();
}

/// Pages are whole, and their sizes known: only the batch entries and the
/// number of pages may be of the call.
static LogicalResult verifyCache(TernaryAttr attribute, ArrayRef<int64_t> shape,
                                 Type elementType,
                                 function_ref<InFlightDiagnostic()> emitError) {
  if (shape.size() != 4)
    return emitError() << "expected " << attribute
                       << " on a cache [B, G, S, D] of rank 4, found rank "
                       << shape.size();
  if (!elementType.isF16() && !elementType.isBF16())
    return emitError() << "expected f16 or bf16 elements under " << attribute
                       << ", found " << elementType;
  if (ShapedType::isDynamic(shape[1]) || ShapedType::isDynamic(shape[3]) ||
      shape[3] < 1 || shape[3] > INT32_MAX)
    return emitError() << "expected a static number of heads G and a positive "
                          "one of features D under "
                       << attribute << ", found G = " << shape[1]
                       << " and D = " << shape[3]
                       << "; only B and S may be dynamic";
  if (ShapedType::isStatic(shape[2]) &&
      (shape[2] == 0 || shape[2] % TernaryAttr::kPageTokens != 0))
    return emitError() << "expected room for a multiple of 64 positions under "
                       << attribute
                       << ", whose pages are whole, found S = " << shape[2]
                       << "; round it up, and say with `lengths` how many are "
                          "taken";
  constexpr int64_t limit = INT64_C(1) << 56;
  int64_t elements = llvm::alignTo(shape[3], 64);
  for (int64_t size : shape.take_front(3))
    if (ShapedType::isStatic(size) &&
        (llvm::MulOverflow(elements, std::max<int64_t>(size, 1), elements) ||
         elements > limit))
      return emitError() << "expected at most 2^56 elements under "
                         << attribute;
  return success();
}

LogicalResult TernaryAttr::verifyEncoding(
    ArrayRef<int64_t> shape, Type elementType,
    function_ref<InFlightDiagnostic()> emitError) const {
  if (isCache())
    return verifyCache(*this, shape, elementType, emitError);
  if (shape.size() != 2)
    return emitError() << "expected " << *this
                       << " on a weight [N, K] of rank 2, found rank "
                       << shape.size();
  if (!elementType.isF16() && !elementType.isBF16())
    return emitError() << "expected f16 or bf16 elements under " << *this
                       << ", found " << elementType;
  int64_t n = shape[0], k = shape[1], weights;
  if (isTwoFour() && ShapedType::isStatic(k) && k % 4 != 0)
    return emitError() << "expected K to be a multiple of 4 under " << *this
                       << ", found " << k << "; pad it with zeros, or use "
                       << "codes";
  // Below this bound no size of a blob overflows.
  constexpr int64_t limit = INT64_C(1) << 56;
  if (ShapedType::isStatic(n) && ShapedType::isStatic(k) &&
      (n > limit || k > limit ||
       llvm::MulOverflow<int64_t>(llvm::alignTo(n, 64), llvm::alignTo(k, 256),
                                  weights) ||
       weights > limit))
    return emitError() << "expected at most 2^56 weights under " << *this
                       << ", found " << n << " x " << k;
  return success();
}

//===----------------------------------------------------------------------===//
// ternarize
//===----------------------------------------------------------------------===//

LogicalResult TernarizeOp::verify() {
  Type source = getSource().getType(), result = getResult().getType();
  TernaryAttr encoding = getTernaryEncoding(result);
  if (!encoding || !encoding.isTernary())
    return emitOpError("expected a result with an encoding "
                       "#sparseflow.ternary, found ")
           << result;
  if (encoding.isCache())
    return emitOpError("expected a weight, found the cache ")
           << result << "; tokens become ternary in sparseflow.cache_append";
  if (source != result && source != dropEncoding(result))
    return emitOpError("expected a source of the type ")
           << dropEncoding(result) << ", found " << source;
  if (getMethod() != TernaryMethod::Lloyd &&
      (encoding.getPlanes() == 2 || encoding.isTwoFour()))
    return emitOpError("expected the method lloyd for two planes and for 2:4, "
                       "found ")
           << stringifyTernaryMethod(getMethod());
  return success();
}

/// ternarize(w : T) : T  ->  w
OpFoldResult TernarizeOp::fold(FoldAdaptor) {
  if (getSource().getType() == getResult().getType())
    return getSource();
  return {};
}

//===----------------------------------------------------------------------===//
// quantize
//===----------------------------------------------------------------------===//

RankedTensorType QuantizeOp::getQuantizedType(RankedTensorType x) {
  return RankedTensorType::get(x.getShape(),
                               IntegerType::get(x.getContext(), 8));
}

RankedTensorType QuantizeOp::getScaleType(RankedTensorType x) {
  return RankedTensorType::get(x.getShape().drop_back(),
                               Float32Type::get(x.getContext()));
}

LogicalResult QuantizeOp::verify() {
  auto x = cast<RankedTensorType>(getX().getType());
  Type element = x.getElementType();
  if (x.getEncoding() ||
      (!element.isF16() && !element.isBF16() && !element.isF32()))
    return emitOpError("expected activations of f16, bf16 or f32 without an "
                       "encoding, found ")
           << x;
  if (x.getRank() < 1)
    return emitOpError("expected activations [..., K] of rank 1 or more, "
                       "found ")
           << x;
  if (getQuantized().getType() != getQuantizedType(x) ||
      getScale().getType() != getScaleType(x))
    return emitOpError("expected results of the types ")
           << getQuantizedType(x) << " and " << getScaleType(x) << ", found "
           << getQuantized().getType() << " and " << getScale().getType();
  return success();
}

//===----------------------------------------------------------------------===//
// Planes
//===----------------------------------------------------------------------===//

LogicalResult PlaneSplitOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType());
  TernaryAttr encoding = getTernaryEncoding(source);
  if (!encoding || !encoding.isTernary())
    return emitOpError("expected a source with an encoding "
                       "#sparseflow.ternary, found ")
           << source;
  if (encoding.isCache())
    return emitOpError("expected a weight, found the cache ")
           << source << ": its planes are read by sparseflow.attention";
  auto plane = static_cast<int64_t>(getPlane());
  if (plane < 0 || plane >= encoding.getPlanes())
    return emitOpError("expected a plane below ")
           << encoding.getPlanes() << ", found " << plane;
  auto expected = RankedTensorType::get(source.getShape(),
                                        IntegerType::get(getContext(), 1));
  if (getPlus().getType() != expected || getMinus().getType() != expected)
    return emitOpError("expected planes of the type ")
           << expected << ", found " << getPlus().getType();
  return success();
}

/// The value of a plane that is a splat constant.
static std::optional<bool> getSplat(Attribute constant) {
  auto splat = dyn_cast_or_null<SplatElementsAttr>(constant);
  if (!splat)
    return std::nullopt;
  return splat.getSplatValue<bool>();
}

/// A plane with itself is itself; a constant of `identity` changes nothing, and
/// one of its opposite is the result.
static OpFoldResult foldPlanes(Value lhs, Value rhs, Attribute lhsConstant,
                               Attribute rhsConstant, bool identity) {
  if (lhs == rhs)
    return lhs;
  if (std::optional<bool> splat = getSplat(rhsConstant))
    return *splat == identity ? lhs : rhs;
  if (std::optional<bool> splat = getSplat(lhsConstant))
    return *splat == identity ? rhs : lhs;
  return {};
}

OpFoldResult PlaneAndOp::fold(FoldAdaptor adaptor) {
  return foldPlanes(getLhs(), getRhs(), adaptor.getLhs(), adaptor.getRhs(),
                    true);
}

OpFoldResult PlaneOrOp::fold(FoldAdaptor adaptor) {
  return foldPlanes(getLhs(), getRhs(), adaptor.getLhs(), adaptor.getRhs(),
                    false);
}

LogicalResult PlanePopcountOp::verify() {
  auto plane = cast<RankedTensorType>(getPlane().getType());
  auto expected = RankedTensorType::get(plane.getShape().drop_back(),
                                        IntegerType::get(getContext(), 32));
  if (getResult().getType() != expected)
    return emitOpError("expected the result type ")
           << expected << ", found " << getResult().getType();
  if (plane.getShape().back() > INT32_MAX)
    return emitOpError("expected rows of fewer than 2^31 bits, found ")
           << plane;
  return success();
}

/// Planes come from weights and activations, never from literals.
OpFoldResult PlanePopcountOp::fold(FoldAdaptor) { return {}; }

LogicalResult PlaneMaskOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType());
  auto plane = cast<RankedTensorType>(getPlane().getType());
  if (source.getEncoding())
    return emitOpError("expected a source without an encoding, found ")
           << source << "; apply sparseflow.unpack";
  if (!isa<FloatType, IntegerType>(source.getElementType()))
    return emitOpError("expected float or integer elements, found ") << source;
  if (source.getShape() != plane.getShape())
    return emitOpError("expected a plane of the source's shape, found ")
           << plane << " for " << source;
  return success();
}

/// mask(x, ones)  ->  x
OpFoldResult PlaneMaskOp::fold(FoldAdaptor adaptor) {
  std::optional<bool> splat = getSplat(adaptor.getPlane());
  if (splat && *splat)
    return getSource();
  return {};
}
