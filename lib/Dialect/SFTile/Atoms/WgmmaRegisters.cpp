//===- WgmmaRegisters.cpp - wgmma m64 with A in registers ---------------===//
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
WgmmaRegistersAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                           Type elementType) {
  if (!elementType.isF16() && !elementType.isBF16() &&
      (!elementType.isInteger(8) || elementType.isUnsignedInteger()))
    return emitError() << "expected f16, bf16, i8 (without a sign) or si8 for "
                          "wgmma_registers, found "
                       << elementType;
  return success();
}

std::string WgmmaRegistersAttr::getInstruction() const {
  return "wgmma.mma_async.sync.aligned";
}

unsigned WgmmaRegistersAttr::getMinComputeCapability() const { return 90; }
bool WgmmaRegistersAttr::isArchSpecific() const { return true; }
int64_t WgmmaRegistersAttr::getM() const { return 64; }
int64_t WgmmaRegistersAttr::getK() const {
  return getElementType().isInteger(8) ? 32 : 16;
}
int64_t WgmmaRegistersAttr::getMaxN() const { return 256; }
Type WgmmaRegistersAttr::getOperandType() const { return getElementType(); }
Type WgmmaRegistersAttr::getAccumulatorType() const {
  if (getElementType().isInteger(8))
    return IntegerType::get(getContext(), 32);
  return Float32Type::get(getContext());
}

bool WgmmaRegistersAttr::isSparse() const { return false; }
int64_t WgmmaRegistersAttr::getNumSelectors() const { return 1; }
LinearLayout WgmmaRegistersAttr::getLayoutA() const {
  return getWeightsLayout(getElementType());
}
LinearLayout WgmmaRegistersAttr::getLayoutC() const {
  return getWgmmaAccumulatorLayout();
}

void WgmmaRegistersAttr::emitFence(OpBuilder &builder, Location loc) const {
  emitWgmmaFence(builder, loc);
}

SmallVector<Value> WgmmaRegistersAttr::emit(OpBuilder &builder, Location loc,
                                            ValueRange a, Value b, ValueRange c,
                                            int64_t columns, Value /*metadata*/,
                                            int64_t /*selector*/,
                                            bool cleared) const {
  // int8 MMAs have neither signs to change nor sides to transpose.
  bool bytes = getElementType().isInteger(8);
  bool isSigned = getElementType().isSignedInteger();
  StringRef types = isSigned                   ? "k32.s32.s8.s8"
                    : bytes                    ? "k32.s32.u8.s8"
                    : getElementType().isF16() ? "k16.f32.f16.f16"
                                               : "k16.f32.bf16.bf16";
  return emitWgmmaRegisters(builder, loc,
                            getInstruction() + ".m64n" + Twine(columns) + types,
                            getAccumulatorType(), c, columns, a,
                            emitSwizzledDescriptor(builder, loc, b),
                            bytes ? "" : ", 1, 1, 0", Value(), 0, cleared);
}

void WgmmaRegistersAttr::emitCommit(OpBuilder &builder, Location loc) const {
  emitWgmmaCommit(builder, loc);
}

SmallVector<Value> WgmmaRegistersAttr::emitAwait(OpBuilder &builder,
                                                 Location loc,
                                                 ValueRange accumulators,
                                                 ValueRange held,
                                                 int64_t leaving) const {
  return emitWgmmaAwait(builder, loc, accumulators, held, leaving);
}
