//===- SparseFlowOps.cpp - Operations: syntax, builders, verifiers --------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionSyntax.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::sparseflow;

//===----------------------------------------------------------------------===//
// matmul: syntax
//===----------------------------------------------------------------------===//

/// Parses `epilogue(%b, %r : type, type) as [per_feature, full]`, or nothing.
static ParseResult
parseEpilogueOperands(OpAsmParser &parser,
                      SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
                      SmallVectorImpl<Type> &types, ArrayAttr &broadcasts) {
  Builder &b = parser.getBuilder();
  SmallVector<Attribute> list;
  if (failed(parser.parseOptionalKeyword("epilogue"))) {
    broadcasts = b.getArrayAttr(list);
    return success();
  }
  auto parseBroadcast = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef keyword;
    if (parser.parseKeyword(&keyword))
      return failure();
    std::optional<Broadcast> broadcast = symbolizeBroadcast(keyword);
    if (!broadcast)
      return parser.emitError(loc)
             << "expected per_feature, per_token, full or scalar, found '"
             << keyword << "'";
    list.push_back(BroadcastAttr::get(b.getContext(), *broadcast));
    return success();
  };
  if (parser.parseLParen() || parser.parseOperandList(operands) ||
      parser.parseColonTypeList(types) || parser.parseRParen() ||
      parser.parseKeyword("as") ||
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square,
                                     parseBroadcast))
    return failure();
  broadcasts = b.getArrayAttr(list);
  return success();
}

static void printEpilogueOperands(OpAsmPrinter &printer, Operation *,
                                  OperandRange operands, TypeRange types,
                                  ArrayAttr broadcasts) {
  if (operands.empty())
    return;
  printer << " epilogue(" << operands << " : " << types << ") as [";
  llvm::interleaveComma(broadcasts, printer, [&](Attribute broadcast) {
    printer << stringifyBroadcast(cast<BroadcastAttr>(broadcast).getValue());
  });
  printer << "]";
}

void MatmulOp::getAsmBlockArgumentNames(Region &region,
                                        OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    setName(argument, argument.getArgNumber() == 0 ? "acc" : "in");
}

//===----------------------------------------------------------------------===//
// matmul: builders and accessors
//===----------------------------------------------------------------------===//

RankedTensorType MatmulOp::inferResultType(RankedTensorType x, int64_t n,
                                           Type element) {
  SmallVector<int64_t> shape(x.getShape());
  shape.back() = n;
  return RankedTensorType::get(shape, element);
}

void MatmulOp::buildIdentityEpilogue(OpBuilder &b, Location loc,
                                     Value accumulator, Type element) {
  Value value = accumulator;
  if (element != accumulator.getType())
    value = arith::TruncFOp::create(b, loc, element, accumulator);
  YieldOp::create(b, loc, value);
}

int64_t MatmulOp::getN() {
  if (StorageAttr storage = getStorageAttr())
    return storage.getRows();
  return cast<RankedTensorType>(getW().getType()).getDimSize(0);
}

int64_t MatmulOp::getK() {
  if (StorageAttr storage = getStorageAttr())
    return storage.getColumns();
  return cast<RankedTensorType>(getW().getType()).getDimSize(1);
}

FloatType MatmulOp::getWeightElementType() {
  if (StorageAttr storage = getStorageAttr())
    return cast<FloatType>(storage.getElementType());
  return cast<FloatType>(getElementTypeOrSelf(getW().getType()));
}

TernaryAttr MatmulOp::getTernary() {
  if (StorageAttr storage = getStorageAttr())
    return storage.getTernary();
  return getTernaryEncoding(getW().getType());
}

NmAttr MatmulOp::getEncoding() { return getNmEncoding(getW().getType()); }

bool MatmulOp::isSparse() {
  StorageAttr storage = getStorageAttr();
  return (storage && !storage.getTernary()) || getEncoding();
}

RankedTensorType MatmulOp::getXType() {
  return cast<RankedTensorType>(getX().getType());
}

RankedTensorType MatmulOp::getResultType() {
  return cast<RankedTensorType>(getResult().getType());
}

Broadcast MatmulOp::getBroadcast(unsigned index) {
  return cast<BroadcastAttr>(getBroadcasts()[index]).getValue();
}

SmallVector<Broadcast> MatmulOp::getBroadcastList() {
  return llvm::map_to_vector(getBroadcasts(), [](Attribute broadcast) {
    return cast<BroadcastAttr>(broadcast).getValue();
  });
}

Value MatmulOp::getYieldedValue() {
  return cast<YieldOp>(getEpilogue().front().getTerminator()).getValue();
}

bool MatmulOp::hasIdentityEpilogue() {
  Value value = getYieldedValue();
  if (auto truncation = value.getDefiningOp<arith::TruncFOp>())
    value = truncation.getIn();
  return value == getAccumulator();
}

LogicalResult MatmulOp::reifyResultShapes(OpBuilder &b,
                                          ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<OpFoldResult> dims;
  RankedTensorType type = getResultType();
  for (int64_t i = 0, rank = type.getRank(); i < rank; ++i) {
    if (type.isDynamicDim(i))
      dims.push_back(b.createOrFold<tensor::DimOp>(getLoc(), getX(), i));
    else
      dims.push_back(b.getIndexAttr(type.getDimSize(i)));
  }
  shapes.push_back(std::move(dims));
  return success();
}

//===----------------------------------------------------------------------===//
// matmul: verifier
//===----------------------------------------------------------------------===//

/// The weight: two static dimensions, or the bytes that `storage` describes.
static LogicalResult verifyWeight(MatmulOp op) {
  auto w = cast<RankedTensorType>(op.getW().getType());
  if (StorageAttr storage = op.getStorageAttr()) {
    if (w != storage.getBlobType())
      return op.emitOpError("expected w to be the packed bytes ")
             << storage.getBlobType() << " of " << storage << ", found " << w;
    return success();
  }
  if (w.getRank() != 2)
    return op.emitOpError("expected w to be a weight [N, K] of rank 2, found ")
           << w << "; packed bytes need a 'storage' attribute";
  if (!w.hasStaticShape())
    return op.emitOpError("expected static N and K in w, found ")
           << w << "; only the dimensions of x before K may be dynamic";
  if (!w.getElementType().isF16() && !w.getElementType().isBF16())
    return op.emitOpError("expected w to hold f16 or bf16, found ")
           << w.getElementType() << "; convert the weight first";
  if (!w.getEncoding())
    return success();
  if (getTernaryEncoding(w))
    return success();
  NmAttr encoding = getNmEncoding(w);
  if (!encoding)
    return op.emitOpError("expected w to be dense or to have an encoding "
                          "#sparseflow.nm<N:M>, #sparseflow.ternary or "
                          "#sparseflow.quantized, found ")
           << w.getEncoding() << "; run sparseflow-import-encodings";
  if (!encoding.isAlongLastAxis())
    return op.emitOpError("expected the encoding of w [N, K] to group K, its "
                          "last axis, found ")
           << encoding << "; transpose the weight or prune it along K";
  return success();
}

/// The shape that an operand with `broadcast` has where the result has `y`.
static ArrayRef<int64_t> getOperandShape(Broadcast broadcast,
                                         ArrayRef<int64_t> y) {
  switch (broadcast) {
  case Broadcast::PerFeature:
    return y.take_back(1);
  case Broadcast::PerToken:
    return y.drop_back(1);
  case Broadcast::Full:
    return y;
  case Broadcast::Scalar:
    return {};
  }
  llvm_unreachable("a broadcast outside its enumeration");
}

static LogicalResult verifyOperand(MatmulOp op, unsigned index) {
  auto type = cast<RankedTensorType>(op.getEpilogueOperands()[index].getType());
  auto complain = [&]() -> InFlightDiagnostic {
    return op.emitOpError("expected epilogue operand ") << index;
  };
  if (type.getEncoding())
    return complain() << " to have no encoding, found " << type
                      << "; apply sparseflow.unpack";
  Type element = type.getElementType();
  if (!element.isF16() && !element.isBF16() && !element.isF32())
    return complain() << " to hold f16, bf16 or f32, found " << element;
  Broadcast broadcast = op.getBroadcast(index);
  ArrayRef<int64_t> shape =
      getOperandShape(broadcast, op.getResultType().getShape());
  if (failed(verifyCompatibleShape(shape, type.getShape())))
    return complain() << ", which is " << stringifyBroadcast(broadcast)
                      << ", to have the type "
                      << RankedTensorType::get(shape, element) << ", found "
                      << type;
  return success();
}

LogicalResult MatmulOp::verify() {
  if (failed(verifyWeight(*this)))
    return failure();

  RankedTensorType x = getXType(), y = getResultType();
  if (x.getEncoding() || y.getEncoding())
    return emitOpError("expected x and the result to have no encoding, found ")
           << x << " and " << y
           << "; only the weight w may be sparse, so swap or transpose the "
              "matmul";
  if (x.getRank() < 2)
    return emitOpError("expected x to be [..., T, K] of rank 2 or more, found ")
           << x << "; a single row is [1, K]";
  bool isInteger = x.getElementType().isSignlessInteger(8) && getTernary() &&
                   getTernary().isTernary();
  if (isInteger && getK() >= (1 << 24))
    return emitOpError("expected K below 2^24 for i8 activations, whose "
                       "sums have 32 bits, found ")
           << getK();
  if (!isInteger && x.getElementType() != getWeightElementType())
    return emitOpError("expected x and w to have the same element type, found ")
           << x.getElementType() << " and " << getWeightElementType()
           << "; supported are f16 x f16 and bf16 x bf16, and i8 x ternary";
  if (x.getShape().back() != getK())
    return emitOpError("expected the last dimension of x to be K = ")
           << getK() << " of w [N, K], found " << x
           << (ShapedType::isDynamic(x.getShape().back())
                   ? "; insert a tensor.cast"
                   : "; a weight [K, N] must be transposed");
  Type element = y.getElementType();
  if (!element.isF16() && !element.isBF16() && !element.isF32())
    return emitOpError("expected the result to hold f16, bf16 or f32, found ")
           << element;
  RankedTensorType expected = inferResultType(x, getN(), element);
  if (y != expected)
    return emitOpError("expected the result type ")
           << expected << " for x " << x << " and N = " << getN() << ", found "
           << y;

  if (getBroadcasts().size() != getEpilogueOperands().size())
    return emitOpError("expected one broadcast for each of ")
           << getEpilogueOperands().size() << " epilogue operands, found "
           << getBroadcasts().size();
  for (unsigned i = 0, e = getEpilogueOperands().size(); i < e; ++i)
    if (failed(verifyOperand(*this, i)))
      return failure();
  return success();
}

LogicalResult MatmulOp::verifyRegions() {
  Block &block = getEpilogue().front();
  SmallVector<Type> types{Float32Type::get(getContext())};
  for (Value operand : getEpilogueOperands())
    types.push_back(getElementTypeOrSelf(operand.getType()));
  if (block.getArgumentTypes() != TypeRange(types))
    return emitOpError("expected epilogue arguments (")
           << types << "): the f32 accumulator, then one element of each "
           << "operand, found (" << block.getArgumentTypes() << ")";
  for (Operation &op : block.without_terminator())
    if (!isScalarComputation(&op))
      return op.emitOpError("is not allowed in an epilogue: expected scalar "
                            "arith and math ops on floats and i1; compute it "
                            "outside and pass it as an epilogue operand");
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield)
    return emitOpError("expected the epilogue to end with sparseflow.yield, "
                       "found ")
           << block.getTerminator()->getName();
  if (yield.getValue().getType() != getResultType().getElementType())
    return yield.emitOpError("expected a value of the result's element type ")
           << getResultType().getElementType() << ", found "
           << yield.getValue().getType() << "; extend or truncate it";
  return success();
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

LogicalResult PruneOp::verify() {
  Type source = getSource().getType(), result = getResult().getType();
  if (!getNmEncoding(result))
    return emitOpError("expected a result with an encoding "
                       "#sparseflow.nm<N:M>, found ")
           << result;
  if (!isa<FloatType>(getElementTypeOrSelf(result)))
    return emitOpError("expected float elements, whose magnitudes can be "
                       "compared, found ")
           << result;
  if (source != result && source != dropEncoding(result))
    return emitOpError("expected a source of the type ")
           << dropEncoding(result) << ", found " << source;
  return success();
}

LogicalResult PackOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType());
  FailureOr<StorageAttr> storage = StorageAttr::getFor(
      source, [&] { return emitOpError("cannot pack its source: "); });
  if (failed(storage))
    return failure();
  if (*storage != getStorage())
    return emitOpError("expected storage ")
           << *storage << " for a source " << source << ", found "
           << getStorage();
  if (getResult().getType() != getStorage().getBlobType())
    return emitOpError("expected the result type ")
           << getStorage().getBlobType() << ", found " << getResult().getType();
  return success();
}

LogicalResult UnpackOp::verify() {
  Type source = getSource().getType(), result = getResult().getType();
  StorageAttr storage = getStorageAttr();
  if (!storage) {
    if (!getNmEncoding(source) && !getTernaryEncoding(source))
      return emitOpError("expected a source with an encoding "
                         "#sparseflow.nm<N:M>, found ")
             << source
             << "; packed bytes need 'from <\"sf24.v1\", ...>', ternary "
                "weights #sparseflow.ternary";
    if (result != dropEncoding(source))
      return emitOpError("expected the result type ")
             << dropEncoding(source) << ", found " << result;
    return success();
  }
  if (source != storage.getBlobType())
    return emitOpError("expected a source of the type ")
           << storage.getBlobType() << " for " << storage << ", found "
           << source;
  auto dense =
      RankedTensorType::get(storage.getShape(), storage.getElementType());
  Attribute encoding = storage.getTernary();
  if (!encoding)
    encoding = NmAttr::get(getContext(), 2, 4);
  auto encoded = RankedTensorType::get(storage.getShape(),
                                       storage.getElementType(), encoding);
  if (result != dense && result != encoded)
    return emitOpError("expected the result type ")
           << encoded << " or " << dense << ", found " << result;
  return success();
}

#define GET_OP_CLASSES
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlowOps.cpp.inc"
