//===- OperandB.cpp - The activations of a matmul in its kernels ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Operands/OperandB.h"
#include "Kernels/Matmul/Operands/ComputedOperandB.h"
#include "Kernels/Matmul/Operands/HeldOperandB.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Rows of a swizzled tile in bytes.
static constexpr int64_t kSwizzle = 128;

std::unique_ptr<OperandB> OperandB::ofProducers(const MatmulProblem &problem) {
  if (problem.schedule.getHeld())
    return std::make_unique<HeldOperandB>(problem);
  return std::make_unique<TmaOperandB>(problem);
}

std::unique_ptr<MultistageOperandB>
MultistageOperandB::create(ActivationSource activations,
                           const MatmulProblem &problem) {
  if (activations == ActivationSource::Computed)
    return std::make_unique<ComputedOperandB>(problem);
  return std::make_unique<CopiedOperandB>(problem);
}

TileType OperandB::tile(int64_t columns) const {
  return TileType::get(problem.operandType.getContext(),
                       {schedule.getBlock()[1], columns}, problem.operandType,
                       Order::Swizzled);
}

SmallVector<TileType> CopiedOperandB::stageTiles() const {
  return {tile(schedule.getK())};
}

void CopiedOperandB::copyStage(KernelBuilder &b, Value count, Value token,
                               Value step, ArrayRef<Value> slots) const {
  Value view =
      b.view(b.pointer(0), problem.operandType, count, problem.pitch());
  bool wholeK = problem.pitch() % schedule.getK() == 0;
  CopyOp::create(b.builder, b.loc, view, token, b.mul(step, schedule.getK()),
                 slots[0], /*rows=*/Value(), problem.copy, IntegerAttr(),
                 UnitAttr(), wholeK ? b.builder.getUnitAttr() : UnitAttr());
}

int64_t TmaOperandB::boxColumns() const {
  return kSwizzle * 8 / problem.operandType.getIntOrFloatBitWidth();
}

SmallVector<KernelParameter> TmaOperandB::parameters() const {
  return {
      {TensorMap{problem.operandType,
                 {problem.columns(), ShapedType::kDynamic},
                 {boxColumns(), schedule.getBlock()[1] / schedule.getCluster()},
                 kSwizzle,
                 TokenTiles{schedule.getBlock()[1], schedule.getCluster()},
                 problem.paddedPitch}}};
}

SmallVector<TileType> TmaOperandB::stageTiles() const {
  return SmallVector<TileType>(llvm::divideCeil(schedule.getK(), boxColumns()),
                               tile(boxColumns()));
}

TokenBoxes TmaOperandB::boxes(Value whole, Value last) const {
  return TokenBoxes(*parameters().front().map, whole, last);
}

void TmaOperandB::copyStage(KernelBuilder &b, TokenBoxes::Box box, Value token,
                            Value step, ArrayRef<Value> slots) const {
  Value k = b.toI64(b.mul(step, schedule.getK()));
  IntegerAttr sharers;
  if (schedule.getCluster() > 1)
    sharers = b.builder.getI64IntegerAttr(schedule.getCluster());
  for (auto [number, slot] : llvm::enumerate(slots))
    CopyOp::create(b.builder, b.loc, box.view, token,
                   b.add(k, number * boxColumns()), slot, box.rows,
                   TmaAttr::get(b.builder.getContext()), sharers, UnitAttr(),
                   UnitAttr());
}
