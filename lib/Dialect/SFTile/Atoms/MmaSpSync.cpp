//===- MmaSpSync.cpp - mma.sp m16n8: a 2:4 sparse MMA of a warp -----------===//
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
                      int64_t k, Type elementType) {
  bool isBytes = elementType.isSignedInteger(8);
  if (!elementType.isF16() && !elementType.isBF16() && !isBytes)
    return emitError() << "expected f16, bf16 or si8 for mma_sp_sync, found "
                       << elementType;
  if (isBytes ? k != 64 : k != 16 && k != 32)
    return emitError() << "expected K = " << (isBytes ? "64" : "16 or 32")
                       << " for mma_sp_sync of " << (isBytes ? "8" : "16")
                       << "-bit elements, found " << k;
  return success();
}

std::string MmaSpSyncAttr::getInstruction() const {
  // The plain form without ordered_metadata draws an advisory from ptxas:
  // later GPUs run it at a fraction of the rate.
  return "mma.sp::ordered_metadata.sync.aligned.m16n8k" +
         std::to_string(getDepth());
}

unsigned MmaSpSyncAttr::getMinComputeCapability() const { return 80; }

int64_t MmaSpSyncAttr::getM() const { return 16; }
int64_t MmaSpSyncAttr::getN() const { return 8; }
int64_t MmaSpSyncAttr::getK() const { return getDepth(); }
Type MmaSpSyncAttr::getOperandType() const { return getElementType(); }
Type MmaSpSyncAttr::getAccumulatorType() const {
  if (getElementType().isInteger())
    return IntegerType::get(getContext(), 32);
  return Float32Type::get(getContext());
}
bool MmaSpSyncAttr::isSparse() const { return true; }

int64_t MmaSpSyncAttr::getNumSelectors() const {
  // An MMA of 64 columns reads the metadata of all lanes of a quad, one of 32
  // that of two lanes, one of 16 that of a single lane.
  return 64 / getDepth();
}

LinearLayout MmaSpSyncAttr::getLayoutA() const {
  if (getElementType().isInteger())
    return getWeightsLayout(getElementType());
  return getDepth() == 16 ? matrixLayout({{8, 0}})
                          : matrixLayout({{8, 0}, {0, 8}});
}

LinearLayout MmaSpSyncAttr::getLayoutB() const {
  // Lane l = 4g + c holds columns 4c to 4c + 3 of 16.
  if (getElementType().isInteger())
    return LinearLayout({{0, 1}, {0, 2}, {0, 16}, {0, 32}},
                        {{0, 4}, {0, 8}, {1, 0}, {2, 0}, {4, 0}});
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
  bool isBytes = getElementType().isInteger();
  Type result = accumulatorStruct(builder, getAccumulatorType());
  auto types = multiplicandTypes(getElementType());
  std::optional<NVVM::MMAIntOverflow> overflow;
  if (isBytes)
    overflow = NVVM::MMAIntOverflow::wrapped;
  auto mma = NVVM::MmaSpOp::create(
      builder, loc, result, toNvvmOperands(builder, loc, getElementType(), a),
      toNvvmOperands(builder, loc, getElementType(), b), c, metadata,
      selectorValue, ArrayRef<int64_t>{16, 8, getDepth()}, overflow, types);
  mma.setOrderedMetadata(true);
  return unpackAccumulators(builder, loc, mma.getRes());
}
