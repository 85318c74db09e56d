//===- MmaCommon.cpp - What mma.sync and mma.sp share ---------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MmaCommon.h"

using namespace mlir;
using namespace mlir::sftile;

LinearLayout mlir::sftile::matrixLayout(ArrayRef<Coord> corners) {
  SmallVector<Coord> registers = {{0, 1}};
  llvm::append_range(registers, corners);
  return LinearLayout(registers, {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}});
}

SmallVector<Value> mlir::sftile::toNvvmOperands(OpBuilder &builder,
                                                Location loc, Type elementType,
                                                ValueRange registers) {
  SmallVector<Value> operands(registers);
  if (elementType.isF16())
    for (Value &operand : operands)
      operand = LLVM::BitcastOp::create(
          builder, loc, VectorType::get({2}, elementType), operand);
  return operands;
}

std::array<NVVM::MMATypes, 2>
mlir::sftile::multiplicandTypes(Type elementType) {
  NVVM::MMATypes type = NVVM::MMATypes::f16;
  if (elementType.isBF16())
    type = NVVM::MMATypes::bf16;
  else if (elementType.isInteger(8))
    type = NVVM::MMATypes::s8;
  return {type, type};
}

Type mlir::sftile::accumulatorStruct(OpBuilder &builder, Type element) {
  return LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                          SmallVector<Type>(4, element));
}

SmallVector<Value> mlir::sftile::unpackAccumulators(OpBuilder &builder,
                                                    Location loc, Value mma) {
  SmallVector<Value> results;
  for (int64_t index = 0; index < 4; ++index)
    results.push_back(LLVM::ExtractValueOp::create(builder, loc, mma, index));
  return results;
}
