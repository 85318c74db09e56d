//===- DenseOperandA.cpp - A dense weight ---------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Operands/OperandA.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

SmallVector<KernelParameter> DenseOperandA::parameters() const {
  if (!isByTma())
    return {KernelParameter{}};
  TensorMap map{problem.operandType,
                {problem.k, problem.n},
                {schedule.getK(), blockFeatures()}};
  map.pitch = problem.paddedPitch;
  return {KernelParameter{map}};
}

SmallVector<TileType> DenseOperandA::stageTiles() const {
  return {tile(blockFeatures(), schedule.getK(), problem.operandType,
               Order::Swizzled)};
}

SmallVector<Value> DenseOperandA::makeViews(KernelBuilder &b,
                                            ValueRange pointers) const {
  if (isByTma())
    return {b.mappedView(pointers[0], problem.operandType)};
  return {b.view(pointers[0], problem.operandType, b.i64(problem.n),
                 problem.pitch())};
}

void DenseOperandA::copyStage(KernelBuilder &b, ArrayRef<Value> views,
                              Value feature, Value step,
                              ArrayRef<Value> slots) const {
  // TMA leaves out what is no element by itself.
  UnitAttr yes = isByTma() ? UnitAttr() : b.builder.getUnitAttr();
  bool wholeFeatures = problem.n % blockFeatures() == 0;
  bool wholeK = problem.pitch() % schedule.getK() == 0;
  CopyOp::create(b.builder, b.loc, views[0], feature,
                 b.toI64(b.mul(step, schedule.getK())), slots[0],
                 /*rows=*/Value(), copy, IntegerAttr(),
                 wholeFeatures ? yes : UnitAttr(), wholeK ? yes : UnitAttr());
}

MmaAtomInterface DenseOperandA::warpMma() const {
  return MmaSyncAttr::get(problem.operandType.getContext(), 16,
                          problem.operandType);
}

AsyncMmaAtomInterface DenseOperandA::warpgroupMma() const {
  return WgmmaAttr::get(problem.operandType.getContext(), problem.operandType,
                        /*sparse=*/false);
}
