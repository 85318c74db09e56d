//===- VectorAccess.cpp - Vectors of rows that may end --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/CPU/Matmul/VectorAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::sparseflow::cpu;

static Value maskOf(IndexBuilder &ib, VectorType type, Value left) {
  auto mask = VectorType::get(type.getShape(), ib.b.getI1Type());
  // A number below zero is an empty mask.
  return vector::CreateMaskOp::create(ib.b, ib.loc, mask, left);
}

Value mlir::sparseflow::cpu::loadVector(IndexBuilder &ib, VectorType type,
                                        Value source, ValueRange at,
                                        Value left) {
  if (!left)
    return vector::LoadOp::create(ib.b, ib.loc, type, source, at);
  Value zeros =
      arith::ConstantOp::create(ib.b, ib.loc, type, ib.b.getZeroAttr(type));
  return vector::MaskedLoadOp::create(ib.b, ib.loc, type, source, at,
                                      maskOf(ib, type, left), zeros);
}

void mlir::sparseflow::cpu::addToVector(IndexBuilder &ib, Value sum,
                                        Value target, ValueRange at,
                                        Value left) {
  auto type = cast<VectorType>(sum.getType());
  sum = arith::AddFOp::create(ib.b, ib.loc,
                              loadVector(ib, type, target, at, left), sum);
  if (left)
    vector::MaskedStoreOp::create(ib.b, ib.loc, target, at,
                                  maskOf(ib, type, left), sum);
  else
    vector::StoreOp::create(ib.b, ib.loc, sum, target, at);
}
