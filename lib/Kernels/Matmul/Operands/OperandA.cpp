//===- OperandA.cpp - The weight of a matmul in its kernels ---------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Operands/OperandA.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

std::unique_ptr<OperandA> OperandA::create(const MatmulProblem &problem) {
  if (problem.gatedOperand)
    return std::make_unique<GatedOperandA>(problem);
  MLIRContext *context = problem.operandType.getContext();
  bool producer = problem.schedule.getProducerWarps() > 0;
  // Packed weights are copied 16 bytes at a time in every kernel.
  AtomInterface units = CpAsyncAttr::get(context, 16);
  if (producer)
    units = BulkAttr::get(context);
  AtomInterface tma = TmaAttr::get(context);
  switch (problem.weights) {
  case WeightKind::Dense:
    return std::make_unique<DenseOperandA>(
        problem, producer ? tma : AtomInterface(problem.copy));
  case WeightKind::TwoFour:
    return std::make_unique<Packed24OperandA>(
        problem, Packed24OperandA::comesInBoxes(problem) ? tma : units);
  case WeightKind::Quantized:
    return std::make_unique<QuantizedOperandA>(problem, units);
  }
  llvm_unreachable("unknown weight");
}

TileType OperandA::tile(int64_t rows, int64_t cols, Type type,
                        Order order) const {
  return TileType::get(problem.operandType.getContext(), {rows, cols}, type,
                       order);
}

Value OperandA::viewOfUnits(KernelBuilder &b, Value pointer, Type type,
                            Order order, int64_t unitColumns,
                            int64_t perUnit) const {
  return ViewOp::create(
      b.builder, b.loc, ViewType::get(b.builder.getContext(), type, order),
      pointer, b.i64(llvm::divideCeil(problem.n, kUnit)),
      b.i64(llvm::divideCeil(problem.k, unitColumns) * perUnit), Value());
}

void OperandA::copyUnits(KernelBuilder &b, ArrayRef<Value> views, int64_t units,
                         bool fillStages, Value feature, Value step,
                         ArrayRef<Value> slots) const {
  UnitAttr yes = b.builder.getUnitAttr();
  Value unitRow = b.div(feature, kUnit);
  Value unitCol = b.toI64(b.mul(step, units));
  bool fits =
      llvm::divideCeil(problem.n, kUnit) % (clusterFeatures() / kUnit) == 0;
  for (auto [view, slot] : llvm::zip(views, slots))
    CopyOp::create(b.builder, b.loc, view, unitRow, unitCol, slot,
                   /*rows=*/Value(), copy, IntegerAttr(),
                   fits ? yes : UnitAttr(), fillStages ? yes : UnitAttr());
}

OperandA::Fragment SharedOperandA::loadFragment(KernelBuilder &b,
                                                ArrayRef<Value> stage,
                                                Value row, int64_t rows,
                                                Columns columns,
                                                const Fragment &last) const {
  MLIRContext *context = b.builder.getContext();
  MmaAtomInterface mma = warpMma();
  int64_t k = columns.offset;
  Fragment fragment;
  fragment.metadata =
      k % kUnit == 0 ? loadMetadata(b, stage, row, rows, k) : last.metadata;
  fragment.selector = selector(k, mma.getK());
  FragType type = b.frag({rows, columnInTile(mma.getK())}, problem.operandType,
                         LayoutAttr::get(context, mma.getLayoutA()));
  Value column = b.index(columnInTile(k));
  if (columns.base)
    column = b.add(columns.base, column);
  fragment.values = LoadOp::create(b.builder, b.loc, type, stage[0], row,
                                   column, LdMatrixAttr::get(context));
  return fragment;
}
