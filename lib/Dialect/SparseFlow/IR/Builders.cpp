//===- Builders.cpp - Ops whose types follow from their operands ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types that do not fit make an op that does not verify, with the verifier's
// message, and not a crash here.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::sparseflow;

using BodyBuilder = function_ref<void(OpBuilder &, Location, ValueRange)>;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// The one block of `region`, whose arguments are of `types`.
static Block *addBlock(OpBuilder &b, Region *region, TypeRange types,
                       Location loc) {
  return b.createBlock(region, {}, types,
                       SmallVector<Location>(types.size(), loc));
}

//===----------------------------------------------------------------------===//
// matmul and attention
//===----------------------------------------------------------------------===//

void MatmulOp::build(OpBuilder &b, OperationState &state, Type resultType,
                     Value x, Value w, ValueRange operands,
                     ArrayRef<Broadcast> broadcasts, BodyBuilder body) {
  state.addOperands({x, w});
  state.addOperands(operands);
  state.addTypes(resultType);
  SmallVector<Attribute> list =
      llvm::map_to_vector(broadcasts, [&](Broadcast broadcast) -> Attribute {
        return BroadcastAttr::get(b.getContext(), broadcast);
      });
  state.addAttribute(getBroadcastsAttrName(state.name), b.getArrayAttr(list));

  OpBuilder::InsertionGuard guard(b);
  SmallVector<Type> types{b.getF32Type()};
  for (Value operand : operands)
    types.push_back(getElementTypeOrSelf(operand.getType()));
  Block *block = addBlock(b, state.addRegion(), types, state.location);
  if (body)
    return body(b, state.location, block->getArguments());
  buildIdentityEpilogue(b, state.location, block->getArgument(0),
                        getElementTypeOrSelf(resultType));
}

void MatmulOp::build(OpBuilder &b, OperationState &state, Value x, Value w,
                     Type element, ValueRange operands,
                     ArrayRef<Broadcast> broadcasts, BodyBuilder body) {
  build(b, state, inferResultType(typeOf(x), typeOf(w).getDimSize(0), element),
        x, w, operands, broadcasts, body);
}

void AttentionOp::build(OpBuilder &b, OperationState &state, Value q, Value k,
                        Value v, AttentionLayout layout, bool causal,
                        Value lengths, ValueRange scoreOperands,
                        ArrayRef<StringRef> scoreDims, BodyBuilder score,
                        Type element, bool withLse, int64_t valueFeatures) {
  RankedTensorType type = typeOf(q);
  if (!element)
    element = type.getElementType();
  build(b, state, inferResultType(type, typeOf(v), element, valueFeatures),
        withLse ? inferLseType(type, layout) : Type(), q, k, v, lengths,
        /*pages=*/Value(), /*cu_seqlens_q=*/Value(),
        /*cu_seqlens_k=*/Value(), /*sink_logits=*/Value(), scoreOperands,
        b.getStrArrayAttr(scoreDims), layout, causal,
        /*window=*/IntegerAttr(), /*scale=*/FloatAttr(),
        /*plane_mask=*/IntegerAttr(),
        valueFeatures ? b.getI64IntegerAttr(valueFeatures) : IntegerAttr());
  if (!score)
    return;
  // The score, the indices b, h, i and j, an element of each operand.
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Type> types{b.getF32Type()};
  types.append(4, b.getI32Type());
  for (Value operand : scoreOperands)
    types.push_back(getElementTypeOrSelf(operand.getType()));
  Block *block =
      addBlock(b, state.regions.front().get(), types, state.location);
  score(b, state.location, block->getArguments());
}

//===----------------------------------------------------------------------===//
// Weights and activations
//===----------------------------------------------------------------------===//

void PruneOp::build(OpBuilder &b, OperationState &state, Value source,
                    NmAttr encoding) {
  build(b, state, typeOf(source).cloneWithEncoding(encoding), source);
}

void TernarizeOp::build(OpBuilder &b, OperationState &state, Value source,
                        TernaryAttr encoding, TernaryMethod method) {
  build(b, state, typeOf(source).cloneWithEncoding(encoding), source, method);
}

void PackOp::build(OpBuilder &b, OperationState &state, Value source,
                   StorageAttr storage) {
  build(b, state, storage.getBlobType(), source, storage);
}

void UnpackOp::build(OpBuilder &b, OperationState &state, Value source) {
  build(b, state, dropEncoding(source.getType()), source, StorageAttr());
}

void QuantizeOp::build(OpBuilder &b, OperationState &state, Value x) {
  build(b, state, getQuantizedType(typeOf(x)), getScaleType(typeOf(x)), x);
}

//===----------------------------------------------------------------------===//
// Planes
//===----------------------------------------------------------------------===//

void PlaneSplitOp::build(OpBuilder &b, OperationState &state, Value source,
                         int64_t plane) {
  auto type = RankedTensorType::get(typeOf(source).getShape(), b.getI1Type());
  build(b, state, type, type, source, plane);
}

void PlanePopcountOp::build(OpBuilder &b, OperationState &state, Value plane) {
  build(b, state,
        RankedTensorType::get(typeOf(plane).getShape().drop_back(),
                              b.getI32Type()),
        plane);
}
