//===- MmaSync.cpp - mma.sync m16n8: a dense product of a warp ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::sftile;

LogicalResult MmaSyncAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                                  int64_t depth, Type elementType) {
  if (depth != 16)
    return emitError() << "expected depth 16 for mma_sync of 16-bit elements, "
                          "got "
                       << depth;
  if (!elementType.isF16() && !elementType.isBF16())
    return emitError() << "expected f16 or bf16 for mma_sync, got "
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
  return LinearLayout({{0, 1}, {8, 0}, {0, 8}},
                      {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}});
}

LinearLayout MmaSyncAttr::getLayoutB() const {
  return LinearLayout({{0, 1}, {0, 8}},
                      {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}});
}

LinearLayout MmaSyncAttr::getLayoutC() const {
  return LinearLayout({{0, 1}, {8, 0}},
                      {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}});
}

SmallVector<Value> MmaSyncAttr::emit(OpBuilder &builder, Location loc,
                                     ValueRange a, ValueRange b, ValueRange c,
                                     Value metadata, int64_t selector) const {
  bool bf16 = getElementType().isBF16();
  // NVVM wants f16 operands as vectors of two and bf16 operands as bits.
  auto pair = VectorType::get({2}, builder.getF16Type());
  auto operands = [&](ValueRange registers) {
    SmallVector<Value> result;
    for (Value value : registers)
      result.push_back(bf16 ? value
                            : LLVM::BitcastOp::create(builder, loc, pair, value));
    return result;
  };
  auto resultType = LLVM::LLVMStructType::getLiteral(
      builder.getContext(), SmallVector<Type>(4, builder.getF32Type()));
  auto type = bf16 ? NVVM::MMATypes::bf16 : NVVM::MMATypes::f16;
  Value product = NVVM::MmaOp::create(
      builder, loc, resultType, operands(a), operands(b), c,
      ArrayRef<int64_t>{16, 8, getDepth()}, /*b1Op=*/std::nullopt,
      /*intOverflow=*/std::nullopt,
      std::array<NVVM::MMATypes, 2>{type, type},
      std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                     NVVM::MMALayout::col});
  SmallVector<Value> results;
  for (int64_t index = 0; index < 4; ++index)
    results.push_back(LLVM::ExtractValueOp::create(builder, loc, product, index));
  return results;
}
