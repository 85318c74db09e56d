//===- StMatrix.cpp - stmatrix: 8x8 matrices into shared memory ---------===//
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

std::string StMatrixAttr::getInstruction() const {
  return "stmatrix.sync.aligned";
}

unsigned StMatrixAttr::getMinComputeCapability() const { return 90; }
int64_t StMatrixAttr::getMaxMatrices() const { return 4; }
bool StMatrixAttr::isStore() const { return true; }

void StMatrixAttr::emitStore(OpBuilder &builder, Location loc, Value address,
                             ValueRange registers, bool transposed) const {
  NVVM::StMatrixOp::create(
      builder, loc, address, registers,
      transposed ? NVVM::MMALayout::col : NVVM::MMALayout::row,
      NVVM::LdStMatrixShapeAttr::get(builder.getContext(), 8, 8),
      NVVM::LdStMatrixEltType::B16);
}
