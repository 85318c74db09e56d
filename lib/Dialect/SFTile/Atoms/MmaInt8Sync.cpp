//===- MmaInt8Sync.cpp - mma.sync m16n8k32: an exact int8 MMA -------------===//
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
MmaInt8SyncAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                        int64_t k, Type elementType) {
  if (k != 32)
    return emitError() << "expected K = 32 for mma_int8_sync, found " << k;
  if (!elementType.isInteger(8) || elementType.isUnsignedInteger())
    return emitError() << "expected i8 (A of unsigned bytes) or si8 (A of "
                          "signed bytes) for mma_int8_sync, found "
                       << elementType;
  return success();
}

std::string MmaInt8SyncAttr::getInstruction() const {
  return "mma.sync.aligned.m16n8k32";
}

unsigned MmaInt8SyncAttr::getMinComputeCapability() const { return 80; }

int64_t MmaInt8SyncAttr::getM() const { return 16; }
int64_t MmaInt8SyncAttr::getN() const { return 8; }
int64_t MmaInt8SyncAttr::getK() const { return getDepth(); }
Type MmaInt8SyncAttr::getOperandType() const { return getElementType(); }
Type MmaInt8SyncAttr::getAccumulatorType() const {
  return IntegerType::get(getContext(), 32);
}
bool MmaInt8SyncAttr::isSparse() const { return false; }
int64_t MmaInt8SyncAttr::getNumSelectors() const { return 1; }

// Matrices of 8 rows of 16 bytes: lane l = 4g + c holds four bytes of row g.
LinearLayout MmaInt8SyncAttr::getLayoutA() const {
  return getWeightsLayout(getElementType());
}
LinearLayout MmaInt8SyncAttr::getLayoutB() const {
  return LinearLayout({{0, 1}, {0, 2}, {0, 16}},
                      {{0, 4}, {0, 8}, {1, 0}, {2, 0}, {4, 0}});
}
LinearLayout MmaInt8SyncAttr::getLayoutC() const {
  return matrixLayout({{8, 0}});
}

SmallVector<Value> MmaInt8SyncAttr::emit(OpBuilder &builder, Location loc,
                                         ValueRange a, ValueRange b,
                                         ValueRange c, Value metadata,
                                         int64_t selector) const {
  Type result = accumulatorStruct(builder, getAccumulatorType());
  auto typeOfA = getElementType().isSignedInteger() ? NVVM::MMATypes::s8
                                                    : NVVM::MMATypes::u8;
  auto mma = NVVM::MmaOp::create(
      builder, loc, result, a, b, c, ArrayRef<int64_t>{16, 8, getDepth()},
      /*b1Op=*/std::nullopt, NVVM::MMAIntOverflow::wrapped,
      std::array<NVVM::MMATypes, 2>{typeOfA, NVVM::MMATypes::s8},
      std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                     NVVM::MMALayout::col});
  return unpackAccumulators(builder, loc, mma);
}
