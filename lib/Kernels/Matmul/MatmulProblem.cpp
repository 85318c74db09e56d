//===- MatmulProblem.cpp - What a matmul kernel computes ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/MatmulProblem.h"
#include "Kernels/Quantize/QuantizeKernel.h"

using namespace mlir;
using namespace mlir::sparseflow;

Type MatmulProblem::accumulatorType() const {
  MLIRContext *context = operandType.getContext();
  return isInteger() && !scales ? Type(IntegerType::get(context, 32))
                                : Type(Float32Type::get(context));
}

int64_t MatmulProblem::columns() const {
  return isInteger() ? quantizedPitch(k, hasSparseCodes()) : k;
}

MatmulProblem MatmulProblem::withoutCompanions() const {
  MatmulProblem own = *this;
  own.companions.clear();
  own.gatedOperand.reset();
  return own;
}

MatmulProblem MatmulProblem::ofCompanion(size_t number) const {
  const Companion &companion = companions[number];
  MatmulProblem its = withoutCompanions();
  its.n = companion.n;
  its.resultType = companion.resultType;
  its.storeWidth = companion.storeWidth;
  its.operands = companion.operands;
  its.body = companion.body;
  its.tokenScales = companion.tokenScales;
  return its;
}
