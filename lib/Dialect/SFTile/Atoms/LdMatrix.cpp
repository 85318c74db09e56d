//===- LdMatrix.cpp - ldmatrix: 8x8 matrices from shared memory ---------===//
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

std::string LdMatrixAttr::getInstruction() const {
  return "ldmatrix.sync.aligned";
}

unsigned LdMatrixAttr::getMinComputeCapability() const { return 75; }
int64_t LdMatrixAttr::getMaxMatrices() const { return 4; }

SmallVector<Value> LdMatrixAttr::emitLoad(OpBuilder &builder, Location loc,
                                          Value address, int64_t count,
                                          bool transposed) const {
  MLIRContext *context = builder.getContext();
  Type i32 = builder.getI32Type();
  Type type = i32;
  if (count > 1)
    type = LLVM::LLVMStructType::getLiteral(context,
                                            SmallVector<Type>(count, i32));
  Value loaded = NVVM::LdMatrixOp::create(
      builder, loc, type, address, count,
      transposed ? NVVM::MMALayout::col : NVVM::MMALayout::row,
      NVVM::LdStMatrixShapeAttr::get(context, 8, 8),
      NVVM::LdStMatrixEltType::B16);
  if (count == 1)
    return {loaded};
  SmallVector<Value> results;
  for (int64_t index = 0; index < count; ++index)
    results.push_back(
        LLVM::ExtractValueOp::create(builder, loc, loaded, index));
  return results;
}
