//===- WgmmaSpRegisters.cpp - wgmma.sp m64 with A in registers ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WgmmaCommon.h"

using namespace mlir;
using namespace mlir::sftile;

LogicalResult
WgmmaSpRegistersAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                             Type elementType) {
  if (!elementType.isInteger(8))
    return emitError() << "expected i8 for wgmma_sp_registers, got "
                       << elementType;
  return success();
}

std::string WgmmaSpRegistersAttr::getInstruction() const {
  return "wgmma.mma_async.sp.sync.aligned";
}

unsigned WgmmaSpRegistersAttr::getMinComputeCapability() const { return 90; }
bool WgmmaSpRegistersAttr::isArchSpecific() const { return true; }
int64_t WgmmaSpRegistersAttr::getM() const { return 64; }
int64_t WgmmaSpRegistersAttr::getK() const { return 64; }
int64_t WgmmaSpRegistersAttr::getMaxN() const { return 256; }
Type WgmmaSpRegistersAttr::getOperandType() const { return getElementType(); }
Type WgmmaSpRegistersAttr::getAccumulatorType() const {
  return IntegerType::get(getContext(), 32);
}

bool WgmmaSpRegistersAttr::isSparse() const { return true; }
LinearLayout WgmmaSpRegistersAttr::getLayoutA() const {
  return getWeightsLayout(getElementType());
}
LinearLayout WgmmaSpRegistersAttr::getLayoutC() const {
  return getWgmmaAccumulatorLayout();
}

void WgmmaSpRegistersAttr::emitFence(OpBuilder &builder, Location loc) const {
  emitWgmmaFence(builder, loc);
}

SmallVector<Value> WgmmaSpRegistersAttr::emit(OpBuilder &builder, Location loc,
                                              ValueRange a, Value b,
                                              ValueRange c, int64_t columns,
                                              Value metadata,
                                              bool cleared) const {
  // The selector is an immediate; all threads contribute metadata.
  return emitWgmmaRegisters(
      builder, loc,
      getInstruction() + ".m64n" + Twine(columns) + "k64.s32.s8.s8",
      getAccumulatorType(), c, columns, a,
      emitSwizzledDescriptor(builder, loc, b), /*tail=*/"", metadata, cleared);
}

void WgmmaSpRegistersAttr::emitCommit(OpBuilder &builder, Location loc) const {
  emitWgmmaCommit(builder, loc);
}

SmallVector<Value> WgmmaSpRegistersAttr::emitAwait(OpBuilder &builder,
                                                   Location loc,
                                                   ValueRange accumulators,
                                                   ValueRange held,
                                                   int64_t leaving) const {
  return emitWgmmaAwait(builder, loc, accumulators, held, leaving);
}
