//===- WgmmaSp.cpp - wgmma.sp m64: a product with a 2:4 sparse left -----===//
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
WgmmaSpAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                    Type elementType) {
  if (!elementType.isF16() && !elementType.isBF16())
    return emitError() << "expected f16 or bf16 for wgmma_sp, found "
                       << elementType;
  return success();
}

std::string WgmmaSpAttr::getInstruction() const {
  return "wgmma.mma_async.sp.sync.aligned";
}

unsigned WgmmaSpAttr::getMinComputeCapability() const { return 90; }
bool WgmmaSpAttr::isArchSpecific() const { return true; }
int64_t WgmmaSpAttr::getM() const { return 64; }
int64_t WgmmaSpAttr::getK() const { return 32; }
int64_t WgmmaSpAttr::getMaxN() const { return 256; }
Type WgmmaSpAttr::getOperandType() const { return getElementType(); }
bool WgmmaSpAttr::isSparse() const { return true; }
Order WgmmaSpAttr::getOrderA() const { return Order::Values24; }
int64_t WgmmaSpAttr::getNumSelectors() const { return 2; }

LinearLayout WgmmaSpAttr::getLayoutC() const {
  return getWgmmaAccumulatorLayout();
}

void WgmmaSpAttr::emitFence(OpBuilder &builder, Location loc) const {
  emitWgmmaFence(builder, loc);
}

SmallVector<Value> WgmmaSpAttr::emit(OpBuilder &builder, Location loc, Value a,
                                     Value b, ValueRange c, int64_t columns,
                                     Value metadata, int64_t selector) const {
  StringRef type = getElementType().isF16() ? "f16" : "bf16";
  return emitWgmma(builder, loc,
                   getInstruction() + ".m64n" + Twine(columns) + "k32.f32." +
                       type + "." + type,
                   c, columns,
                   {emitCoreMatrixDescriptor(builder, loc, a),
                    emitSwizzledDescriptor(builder, loc, b), metadata},
                   std::to_string(selector), "1, 1, 0, 0");
}

void WgmmaSpAttr::emitCommit(OpBuilder &builder, Location loc) const {
  emitWgmmaCommit(builder, loc);
}

SmallVector<Value> WgmmaSpAttr::emitAwait(OpBuilder &builder, Location loc,
                                          ValueRange accumulators,
                                          ValueRange held,
                                          int64_t leaving) const {
  return emitWgmmaAwait(builder, loc, accumulators, held, leaving);
}
