//===- MmaSync.cpp - mma.sync m16n8: a dense MMA of a warp ----------------===//
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
MmaSyncAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                    int64_t k, Type elementType) {
  if (k != 16)
    return emitError() << "expected K = 16 for mma_sync of 16-bit elements, "
                          "found "
                       << k;
  if (!elementType.isF16() && !elementType.isBF16())
    return emitError() << "expected f16 or bf16 for mma_sync, found "
                       << elementType;
  return success();
}

std::string MmaSyncAttr::getInstruction() const {
  return "mma.sync.aligned.m16n8k16";
}

unsigned MmaSyncAttr::getMinComputeCapability() const { return 80; }

int64_t MmaSyncAttr::getM() const { return 16; }
int64_t MmaSyncAttr::getN() const { return 8; }
int64_t MmaSyncAttr::getK() const { return getDepth(); }
Type MmaSyncAttr::getOperandType() const { return getElementType(); }
Type MmaSyncAttr::getAccumulatorType() const {
  return Float32Type::get(getContext());
}
bool MmaSyncAttr::isSparse() const { return false; }
int64_t MmaSyncAttr::getNumSelectors() const { return 1; }

LinearLayout MmaSyncAttr::getLayoutA() const {
  return matrixLayout({{8, 0}, {0, 8}});
}
LinearLayout MmaSyncAttr::getLayoutB() const { return matrixLayout({{0, 8}}); }
LinearLayout MmaSyncAttr::getLayoutC() const { return matrixLayout({{8, 0}}); }

SmallVector<Value> MmaSyncAttr::emit(OpBuilder &builder, Location loc,
                                     ValueRange a, ValueRange b, ValueRange c,
                                     Value metadata, int64_t selector) const {
  auto mma = NVVM::MmaOp::create(
      builder, loc, accumulatorStruct(builder, getAccumulatorType()),
      toNvvmOperands(builder, loc, getElementType(), a),
      toNvvmOperands(builder, loc, getElementType(), b), c,
      ArrayRef<int64_t>{16, 8, getDepth()}, /*b1Op=*/std::nullopt,
      /*intOverflow=*/std::nullopt, multiplicandTypes(getElementType()),
      std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                     NVVM::MMALayout::col});
  return unpackAccumulators(builder, loc, mma);
}
