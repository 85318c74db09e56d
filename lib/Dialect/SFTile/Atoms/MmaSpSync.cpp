//===- MmaSpSync.cpp - mma.sp m16n8: a product with a 2:4 sparse left ---===//
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

LogicalResult
MmaSpSyncAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                      int64_t depth, Type elementType) {
  if (depth != 16 && depth != 32)
    return emitError() << "expected depth 16 or 32 for mma_sp_sync of 16-bit "
                          "elements, got "
                       << depth;
  if (!elementType.isF16() && !elementType.isBF16())
    return emitError() << "expected f16 or bf16 for mma_sp_sync, got "
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
  if (getDepth() == 16)
    return LinearLayout({{0, 1}, {8, 0}},
                        {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}});
  return LinearLayout({{0, 1}, {8, 0}, {0, 8}},
                      {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}});
}

LinearLayout MmaSpSyncAttr::getLayoutB() const {
  if (getDepth() == 16)
    return LinearLayout({{0, 1}, {0, 8}},
                        {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}});
  return LinearLayout({{0, 1}, {0, 8}, {0, 16}},
                      {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}});
}

LinearLayout MmaSpSyncAttr::getLayoutC() const {
  return LinearLayout({{0, 1}, {8, 0}},
                      {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}});
}

SmallVector<Value> MmaSpSyncAttr::emit(OpBuilder &builder, Location loc,
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
  // The selector is an immediate of the instruction: it must be a constant.
  Value selectorValue = LLVM::ConstantOp::create(
      builder, loc, builder.getI32Type(), builder.getI32IntegerAttr(selector));
  auto product = NVVM::MmaSpOp::create(
      builder, loc, resultType, operands(a), operands(b), c, metadata,
      selectorValue, ArrayRef<int64_t>{16, 8, getDepth()},
      /*intOverflow=*/std::nullopt, std::array<NVVM::MMATypes, 2>{type, type});
  product.setOrderedMetadata(true);
  SmallVector<Value> results;
  for (int64_t index = 0; index < 4; ++index)
    results.push_back(LLVM::ExtractValueOp::create(
        builder, loc, product.getRes(), index));
  return results;
}
