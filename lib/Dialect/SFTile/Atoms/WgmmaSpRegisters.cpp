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
  if (!elementType.isF16() && !elementType.isBF16() &&
      !elementType.isInteger(8))
    return emitError()
           << "expected f16, bf16 or i8 for wgmma_sp_registers, found "
           << elementType;
  return success();
}

std::string WgmmaSpRegistersAttr::getInstruction() const {
  return "wgmma.mma_async.sp.sync.aligned";
}

unsigned WgmmaSpRegistersAttr::getMinComputeCapability() const { return 90; }
bool WgmmaSpRegistersAttr::isArchSpecific() const { return true; }
int64_t WgmmaSpRegistersAttr::getM() const { return 64; }
int64_t WgmmaSpRegistersAttr::getK() const {
  return getElementType().isInteger(8) ? 64 : 32;
}
int64_t WgmmaSpRegistersAttr::getMaxN() const { return 256; }
Type WgmmaSpRegistersAttr::getOperandType() const { return getElementType(); }
Type WgmmaSpRegistersAttr::getAccumulatorType() const {
  if (getElementType().isInteger(8))
    return IntegerType::get(getContext(), 32);
  return Float32Type::get(getContext());
}

bool WgmmaSpRegistersAttr::isSparse() const { return true; }
int64_t WgmmaSpRegistersAttr::getNumSelectors() const {
  return getElementType().isInteger(8) ? 1 : 2;
}
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
                                              Value metadata, int64_t selector,
                                              bool cleared) const {
  // int8 MMAs have neither signs to change nor sides to transpose, and
  // take the metadata of all threads.
  bool bytes = getElementType().isInteger(8);
  StringRef types = bytes                      ? "k64.s32.s8.s8"
                    : getElementType().isF16() ? "k32.f32.f16.f16"
                                               : "k32.f32.bf16.bf16";
  return emitWgmmaRegisters(
      builder, loc, getInstruction() + ".m64n" + Twine(columns) + types,
      getAccumulatorType(), c, columns, a,
      emitSwizzledDescriptor(builder, loc, b), bytes ? "" : ", 1, 1, 0",
      metadata, selector, cleared);
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
