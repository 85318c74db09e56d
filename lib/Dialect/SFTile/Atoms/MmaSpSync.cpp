//===- MmaSpSync.cpp - mma.sp m16n8: a product with a 2:4 sparse left ---===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MmaCommon.h"

using namespace mlir;
using namespace mlir::sftile;

LogicalResult
MmaSpSyncAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                      int64_t depth, Type elementType) {
  if (depth != 16 && depth != 32)
    return emitError() << "expected depth 16 or 32 for mma_sp_sync of 16-bit "
                          "elements, found "
                       << depth;
  if (!elementType.isF16() && !elementType.isBF16())
    return emitError() << "expected f16 or bf16 for mma_sp_sync, found "
                       << elementType;
  return success();
}

std::string MmaSpSyncAttr::getInstruction() const {
  // The plain form without ordered_metadata draws an advisory from ptxas:
  // future machines run it at a fraction of the rate.
  return "mma.sp::ordered_metadata.sync.aligned.m16n8k" +
         std::to_string(getDepth());
}

unsigned MmaSpSyncAttr::getMinComputeCapability() const { return 80; }

int64_t MmaSpSyncAttr::getM() const { return 16; }
int64_t MmaSpSyncAttr::getN() const { return 8; }
int64_t MmaSpSyncAttr::getK() const { return getDepth(); }
Type MmaSpSyncAttr::getOperandType() const { return getElementType(); }
Type MmaSpSyncAttr::getAccumulatorType() const {
  return Float32Type::get(getContext());
}
bool MmaSpSyncAttr::isSparse() const { return true; }

int64_t MmaSpSyncAttr::getNumSelectors() const {
  // A product of depth 32 reads the metadata of two lanes of each quad, one of
  // depth 16 that of a single lane.
  return 64 / getDepth();
}

LinearLayout MmaSpSyncAttr::getLayoutA() const {
  return getDepth() == 16 ? matrixLayout({{8, 0}})
                          : matrixLayout({{8, 0}, {0, 8}});
}

LinearLayout MmaSpSyncAttr::getLayoutB() const {
  return getDepth() == 16 ? matrixLayout({{0, 8}})
                          : matrixLayout({{0, 8}, {0, 16}});
}

LinearLayout MmaSpSyncAttr::getLayoutC() const {
  return matrixLayout({{8, 0}});
}

SmallVector<Value> MmaSpSyncAttr::emit(OpBuilder &builder, Location loc,
                                       ValueRange a, ValueRange b, ValueRange c,
                                       Value metadata, int64_t selector) const {
  // The selector is an immediate of the instruction: it must be a constant.
  Value selectorValue = LLVM::ConstantOp::create(
      builder, loc, builder.getI32Type(), builder.getI32IntegerAttr(selector));
  auto product = NVVM::MmaSpOp::create(
      builder, loc, accumulatorStruct(builder),
      toNvvmOperands(builder, loc, getElementType(), a),
      toNvvmOperands(builder, loc, getElementType(), b), c, metadata,
      selectorValue, ArrayRef<int64_t>{16, 8, getDepth()},
      /*intOverflow=*/std::nullopt, multiplicandTypes(getElementType()));
  product.setOrderedMetadata(true);
  return unpackAccumulators(builder, loc, product.getRes());
}
