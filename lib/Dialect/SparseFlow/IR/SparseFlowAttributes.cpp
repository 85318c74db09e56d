//===- SparseFlowAttributes.cpp - Encodings and storage -------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/IR/PackedLayouts.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::sparseflow;

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlowEnums.cpp.inc"

//===----------------------------------------------------------------------===//
// N:M encoding
//===----------------------------------------------------------------------===//

LogicalResult NmAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                             int64_t n, int64_t m, int64_t axis) {
  if (n < 1 || n >= m)
    return emitError() << "expected N:M with 1 <= N < M, found " << n << ":"
                       << m << "; a dense tensor has no encoding";
  if (axis < -1)
    return emitError() << "expected a non-negative axis, found " << axis
                       << "; leave it out for the last one";
  return success();
}

LogicalResult
NmAttr::verifyEncoding(ArrayRef<int64_t> shape, Type elementType,
                       function_ref<InFlightDiagnostic()> emitError) const {
  int64_t rank = shape.size();
  if (rank == 0)
    return emitError() << "expected " << *this
                       << " on a tensor of rank 1 or more, found rank 0; drop "
                          "the encoding";
  if (getAxis() >= rank)
    return emitError() << "expected the axis of " << *this
                       << " to be one of the tensor's " << rank
                       << " dimensions, found " << getAxis();
  if (getAxis() == rank - 1)
    return emitError() << "expected the last axis to be left out, found axis = "
                       << getAxis() << "; write #sparseflow.nm<" << getN()
                       << ":" << getM() << ">";
  if (!isa<FloatType, IntegerType>(elementType))
    return emitError() << "expected a float or integer element type under "
                       << *this << ", found " << elementType;
  int64_t grouped = shape[getAxisOf(rank)];
  if (!ShapedType::isDynamic(grouped) && grouped % getM() != 0)
    return emitError() << "expected dimension " << getAxisOf(rank)
                       << " to be a multiple of " << getM() << " under "
                       << *this << ", found " << grouped
                       << "; pad it with zeros";
  return success();
}

//===----------------------------------------------------------------------===//
// Ternary encoding: syntax
//===----------------------------------------------------------------------===//

/// Parses `tensor : f32`, `row : f32`, `head : f32`, `token : f32`,
/// `token x 64 : f32` or `128 : f16`.
static ParseResult parseTernaryScale(AsmParser &parser, int64_t &group,
                                     Type &scaleType) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  OptionalParseResult number = parser.parseOptionalInteger(group);
  if (number.has_value()) {
    if (failed(*number))
      return failure();
    // 0 and 1 are how the attribute says tensor and row.
    if (group < 2)
      return parser.emitError(loc) << "expected 'tensor', 'row' or a number of "
                                      "columns from 32 on, found "
                                   << group;
  } else if (failed(parser.parseOptionalKeyword(
                 &keyword, {"tensor", "row", "head", "token"}))) {
    return parser.emitError(loc)
           << "expected 'tensor', 'row' or a number of columns, or, of a "
              "cache, 'head' or 'token'";
  } else {
    group = llvm::StringSwitch<int64_t>(keyword)
                .Case("tensor", TernaryAttr::kTensorScale)
                .Case("row", TernaryAttr::kRowScale)
                .Case("head", TernaryAttr::kHeadScale)
                .Default(TernaryAttr::kTokenScale);
    if (group == TernaryAttr::kTokenScale &&
        succeeded(parser.parseOptionalKeyword("x"))) {
      SMLoc at = parser.getCurrentLocation();
      int64_t features;
      if (parser.parseInteger(features))
        return failure();
      if (features < 32 || features > 128)
        return parser.emitError(at) << "expected a scale for each 32, 64 or "
                                       "128 features of a token, found "
                                    << features;
      group = -features;
    }
  }
  return failure(parser.parseColon() || parser.parseType(scaleType));
}

static void printTernaryScale(AsmPrinter &printer, int64_t group,
                              Type scaleType) {
  if (group == TernaryAttr::kTensorScale)
    printer << "tensor";
  else if (group == TernaryAttr::kRowScale)
    printer << "row";
  else if (group == TernaryAttr::kHeadScale)
    printer << "head";
  else if (group == TernaryAttr::kTokenScale)
    printer << "token";
  else if (group < TernaryAttr::kTokenScale)
    printer << "token x " << -group;
  else
    printer << group;
  printer << " : " << scaleType;
}

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

/// Parses `1536x384xf16`.
static ParseResult parseLogicalTensor(AsmParser &parser,
                                      SmallVector<int64_t> &shape,
                                      Type &elementType) {
  return failure(failed(parser.parseDimensionList(shape, /*allowDynamic=*/false,
                                                  /*withTrailingX=*/true)) ||
                 failed(parser.parseType(elementType)));
}

static void printLogicalTensor(AsmPrinter &printer, ArrayRef<int64_t> shape,
                               Type elementType) {
  for (int64_t dim : shape)
    printer << dim << 'x';
  printer << elementType;
}

namespace {
/// Units of 64 x 64: 4096 bytes of values and 512 of metadata each.
constexpr int64_t kUnit = 64;
constexpr int64_t kUnitValueBytes = 4096;
constexpr int64_t kUnitMetadataBytes = 512;

/// The number of units of a [rows, columns] weight, or nothing where the bytes
/// of so many units do not fit 64 bits.
std::optional<int64_t> countUnits(int64_t rows, int64_t columns) {
  int64_t units, bytes;
  if (llvm::MulOverflow<int64_t>(rows / kUnit + (rows % kUnit != 0),
                                 columns / kUnit + (columns % kUnit != 0),
                                 units) ||
      llvm::MulOverflow<int64_t>(units, kUnitValueBytes + kUnitMetadataBytes,
                                 bytes))
    return std::nullopt;
  return units;
}
} // namespace

LogicalResult StorageAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  StringRef layout, ArrayRef<int64_t> shape,
                                  Type elementType, TernaryAttr ternary) {
  if (ternary) {
    if (ternary.isCache())
      return emitError() << "expected the encoding of a weight, found "
                         << ternary << " of a cache";
    if (layout != ternary.getLayout())
      return emitError() << "expected the packed layout \""
                         << ternary.getLayout() << "\" of " << ternary
                         << ", found \"" << layout << "\"";
    if (llvm::any_of(shape, [](int64_t d) { return d < 0; }))
      return emitError() << "expected a static logical shape NxK";
    return ternary.verifyEncoding(shape, elementType, emitError);
  }
  if (findPackedLayout(layout))
    return emitError() << "expected the encoding of the layout \"" << layout
                       << "\" behind the shape";
  if (layout != kSf24V1)
    return emitError() << "expected the packed layout \"" << kSf24V1
                       << "\", found \"" << layout
                       << "\"; repack the weight for this version";
  if (shape.size() != 2 || llvm::any_of(shape, [](int64_t d) { return d < 0; }))
    return emitError() << "expected a static logical shape NxK, found rank "
                       << shape.size();
  if (!elementType.isF16() && !elementType.isBF16())
    return emitError() << "expected f16 or bf16 elements in \"" << layout
                       << "\", found " << elementType;
  if (shape[1] % 4 != 0)
    return emitError() << "expected K to be a multiple of 4 in \"" << layout
                       << "\", found " << shape[1] << "; pad it with zeros";
  if (!countUnits(shape[0], shape[1]))
    return emitError() << "expected a packed size below 2^63 bytes, found a "
                          "logical shape "
                       << shape[0] << "x" << shape[1];
  return success();
}

int64_t StorageAttr::getSizeInBytes() const {
  if (getTernary())
    return getTernary().getSizeInBytes(getRows(), getColumns());
  return *countUnits(getRows(), getColumns()) *
         (kUnitValueBytes + kUnitMetadataBytes);
}

int64_t StorageAttr::getMetadataOffset() const {
  return *countUnits(getRows(), getColumns()) * kUnitValueBytes;
}

RankedTensorType StorageAttr::getBlobType() const {
  return RankedTensorType::get({getSizeInBytes()},
                               IntegerType::get(getContext(), 8));
}

FailureOr<StorageAttr>
StorageAttr::getFor(RankedTensorType type,
                    function_ref<InFlightDiagnostic()> emitError) {
  if (TernaryAttr ternary = getTernaryEncoding(type);
      ternary && ternary.isCache()) {
    emitError() << "expected a weight, found the cache " << type
                << ", which is the k or v of sparseflow.attention and is "
                   "filled by sparseflow.cache_append";
    return failure();
  }
  if (TernaryAttr ternary = getTernaryEncoding(type);
      ternary && type.hasStaticShape()) {
    StorageAttr result =
        getChecked(emitError, type.getContext(), ternary.getLayout(),
                   type.getShape(), type.getElementType(), ternary);
    if (!result)
      return failure();
    return result;
  }
  NmAttr encoding = getNmEncoding(type);
  if (!getTernaryEncoding(type) &&
      (!encoding || !encoding.isTwoOfFour() || !encoding.isAlongLastAxis())) {
    emitError() << "expected a weight with the encoding #sparseflow.nm<2:4> "
                   "along its last axis, the only one with a packed layout, "
                   "found "
                << type << "; use 2:4, or sparseflow.unpack for a dense matmul";
    return failure();
  }
  if (!type.hasStaticShape()) {
    emitError() << "expected a weight of static shape, found " << type
                << "; N and K must be known to pack it";
    return failure();
  }
  StorageAttr result =
      getChecked(emitError, type.getContext(), kSf24V1, type.getShape(),
                 type.getElementType(), TernaryAttr());
  if (!result)
    return failure();
  return result;
}

//===----------------------------------------------------------------------===//
// Generated code
//===----------------------------------------------------------------------===//

#define GET_ATTRDEF_CLASSES
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlowAttributes.cpp.inc"

/// `ternary` and `quantized` are one encoding: the first is the name of those
/// whose weights are -1, 0 or 1.
Attribute SparseFlowDialect::parseAttribute(DialectAsmParser &parser,
                                            Type type) const {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  Attribute attribute;
  if (generatedAttributeParser(parser, &keyword, type, attribute).has_value())
    keyword = TernaryAttr::getMnemonic();
  else if (keyword == TernaryAttr::kQuantized)
    attribute = TernaryAttr::parse(parser, type);
  else
    parser.emitError(loc) << "unknown attribute `" << keyword
                          << "` in dialect `" << getNamespace() << "`";
  auto encoding = dyn_cast_or_null<TernaryAttr>(attribute);
  if (encoding && encoding.getKeyword() != keyword) {
    parser.emitError(loc) << "expected '" << encoding.getKeyword()
                          << "' for the storage "
                          << stringifyTernaryStorage(encoding.getStorage())
                          << ", found '" << keyword << "'";
    return {};
  }
  return attribute;
}

void SparseFlowDialect::printAttribute(Attribute attribute,
                                       DialectAsmPrinter &printer) const {
  if (auto encoding = dyn_cast<TernaryAttr>(attribute);
      encoding && !encoding.isTernary()) {
    printer << encoding.getKeyword();
    encoding.print(printer);
    return;
  }
  (void)generatedAttributePrinter(attribute, printer);
}

void SparseFlowDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlowAttributes.cpp.inc"
      >();
}
