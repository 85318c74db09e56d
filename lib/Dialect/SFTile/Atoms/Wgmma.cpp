//===- Wgmma.cpp - wgmma m64: a dense product of a warpgroup ------------===//
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
WgmmaAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                  Type elementType) {
  if (!elementType.isF16() && !elementType.isBF16())
    return emitError() << "expected f16 or bf16 for wgmma, found "
                       << elementType;
  return success();
}

std::string WgmmaAttr::getInstruction() const {
  return "wgmma.mma_async.sync.aligned";
}

unsigned WgmmaAttr::getMinComputeCapability() const { return 90; }
bool WgmmaAttr::isArchSpecific() const { return true; }
int64_t WgmmaAttr::getM() const { return 64; }
int64_t WgmmaAttr::getK() const { return 16; }
int64_t WgmmaAttr::getMaxN() const { return 256; }
Type WgmmaAttr::getOperandType() const { return getElementType(); }
bool WgmmaAttr::isSparse() const { return false; }
Order WgmmaAttr::getOrderA() const { return Order::Swizzled; }
int64_t WgmmaAttr::getNumSelectors() const { return 1; }

LinearLayout WgmmaAttr::getLayoutC() const {
  return getWgmmaAccumulatorLayout();
}

void WgmmaAttr::emitFence(OpBuilder &builder, Location loc) const {
  emitWgmmaFence(builder, loc);
}

SmallVector<Value> WgmmaAttr::emit(OpBuilder &builder, Location loc, Value a,
                                   Value b, ValueRange c, int64_t columns,
                                   Value metadata, int64_t selector) const {
  StringRef type = getElementType().isF16() ? "f16" : "bf16";
  return emitWgmma(builder, loc,
                   getInstruction() + ".m64n" + Twine(columns) + "k16.f32." +
                       type + "." + type,
                   c, columns,
                   {emitSwizzledDescriptor(builder, loc, a),
                    emitSwizzledDescriptor(builder, loc, b)},
                   "", "1, 1, 0, 0");
}

LinearLayout WgmmaAttr::getFragmentLayoutA() const {
  // Two neighbouring tiles of the accumulator.
  return LinearLayout({{0, 1}, {8, 0}, {0, 8}},
                      {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}});
}

SmallVector<Value> WgmmaAttr::emitFragment(OpBuilder &builder, Location loc,
                                           ValueRange a, Value b, ValueRange c,
                                           int64_t columns,
                                           int64_t tileBytes) const {
  StringRef type = getElementType().isF16() ? "f16" : "bf16";
  SmallVector<Value> inputs(a);
  inputs.push_back(emitTransposedDescriptor(builder, loc, b, tileBytes));
  return emitWgmma(builder, loc,
                   getInstruction() + ".m64n" + Twine(columns) + "k16.f32." +
                       type + "." + type,
                   c, columns, inputs, "", "1, 1, 1", a.size());
}

void WgmmaAttr::emitCommit(OpBuilder &builder, Location loc) const {
  emitWgmmaCommit(builder, loc);
}

SmallVector<Value> WgmmaAttr::emitAwait(OpBuilder &builder, Location loc,
                                        ValueRange accumulators,
                                        ValueRange held,
                                        int64_t leaving) const {
  return emitWgmmaAwait(builder, loc, accumulators, held, leaving);
}
