//===- TernaryOperandA.cpp - Ternary codes --------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Operands/OperandA.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

/// Weights that keep pairs are pieces of 512 bytes in the order of metadata.
Order TernaryOperandA::order() const {
  return problem.keeps == KeptCodes::All ? Order::Ternary : Order::Metadata24;
}

int64_t TernaryOperandA::unitColumns() const {
  return problem.keeps == KeptCodes::All ? kUnitColumns : 2 * kUnitColumns;
}

int64_t TernaryOperandA::piecesOfUnit() const {
  switch (problem.keeps) {
  case KeptCodes::All:
    return 1;
  case KeptCodes::PairsNonZero:
    return 6;
  case KeptCodes::Pairs:
    return 8;
  }
  llvm_unreachable("unknown codes");
}

int64_t TernaryOperandA::stageGroups() const {
  if (!isa<BulkAttr>(copy) || !problem.scales || !problem.scales->perRow)
    return 0;
  return std::max<int64_t>(schedule.getK() / problem.scales->columns, 1);
}

SmallVector<KernelParameter> TernaryOperandA::parameters() const {
  return SmallVector<KernelParameter>(problem.scales ? 2 : 1);
}

SmallVector<TileType> TernaryOperandA::stageTiles() const {
  int64_t planes = problem.planes();
  int64_t words = problem.keeps == KeptCodes::All ? schedule.getK() * planes
                                                  : piecesOfUnit() * 32;
  SmallVector<TileType> tiles = {
      tile(blockFeatures() / 16, words,
           IntegerType::get(problem.operandType.getContext(), 32), order())};
  // A row for each group.
  if (int64_t groups = stageGroups())
    tiles.append(planes, tile(groups, blockFeatures(), problem.scales->type,
                              Order::RowMajor));
  return tiles;
}

SmallVector<Value> TernaryOperandA::makeViews(KernelBuilder &b,
                                              ValueRange pointers) const {
  OpBuilder &builder = b.builder;
  SmallVector<Value> views = {viewOfUnits(b, pointers[0], builder.getI32Type(),
                                          order(), unitColumns(),
                                          piecesOfUnit() * problem.planes())};
  if (!problem.scales)
    return views;
  views.push_back(pointers[1]);
  if (!stageGroups())
    return views;
  const LoopScales &scales = *problem.scales;
  int64_t features = llvm::alignTo(problem.n, kUnit);
  for (int64_t plane = 0; plane < scales.planes; ++plane) {
    Value first = LLVM::GEPOp::create(
        builder, b.loc, pointers[1].getType(), scales.type, pointers[1],
        ArrayRef<LLVM::GEPArg>{
            static_cast<int32_t>(plane * scales.groups * features)});
    views.push_back(b.view(first, scales.type, b.i64(scales.groups), features));
  }
  return views;
}

void TernaryOperandA::copyStage(KernelBuilder &b, ArrayRef<Value> views,
                                Value feature, Value step,
                                ArrayRef<Value> slots) const {
  int64_t k = schedule.getK(), splits = schedule.getSplitK();
  int64_t units = k / unitColumns();
  bool fillStages = llvm::divideCeil(problem.k, unitColumns()) % units == 0;
  // Parts of a split K have equally many steps where TMA copies: behind the
  // last step come its codes once more, which meet activations of zero.
  int64_t steps = llvm::divideCeil(problem.k, k);
  int64_t stepsOfParts = llvm::divideCeil(steps, splits) * splits;
  Value own = step;
  if (isa<BulkAttr>(copy) && stepsOfParts > steps)
    own = b.min(step, b.i32(steps - 1));
  copyUnits(b, views[0], units * piecesOfUnit() * problem.planes(), fillStages,
            feature, own, slots[0]);
  if (!stageGroups())
    return;
  // Behind the last group come its scales once more.
  int64_t columns = problem.scales->columns;
  Value group =
      columns >= k ? b.div(step, columns / k) : b.mul(step, k / columns);
  UnitAttr yes = b.builder.getUnitAttr();
  bool whole = stepsOfParts * k <= problem.scales->groups * columns;
  bool fits = llvm::alignTo(problem.n, kUnit) % clusterFeatures() == 0;
  for (auto [view, slot] : llvm::zip(views.drop_front(2), slots.drop_front()))
    CopyOp::create(b.builder, b.loc, view, b.toI64(group), feature, slot,
                   /*rows=*/Value(), copy, IntegerAttr(),
                   whole ? yes : UnitAttr(), fits ? yes : UnitAttr());
}

Type TernaryOperandA::valueType() const {
  return problem.isInteger() && problem.scales
             ? IntegerType::get(problem.operandType.getContext(), 8,
                                IntegerType::Signed)
             : problem.operandType;
}

MmaAtomInterface TernaryOperandA::warpMma() const {
  MLIRContext *context = problem.operandType.getContext();
  if (problem.isInteger())
    return MmaInt8SyncAttr::get(context, 32, valueType());
  return MmaSyncAttr::get(context, 16, valueType());
}

Value TernaryOperandA::loadCodes(KernelBuilder &b, ArrayRef<Value> stage,
                                 Value row, int64_t rows, int64_t unit,
                                 int64_t plane) const {
  FragType type =
      b.frag({rows / 16, kUnitColumns}, b.builder.getI32Type(),
             LayoutAttr::get(b.builder.getContext(), getCodesLayout()));
  // Planes of a unit follow one another.
  int64_t col = (unit * problem.planes() + plane) * kUnitColumns;
  return LoadOp::create(b.builder, b.loc, type, stage[0], b.div(row, 16),
                        b.index(col));
}

Value TernaryOperandA::dequantize(KernelBuilder &b, Value codes, int64_t rows,
                                  int64_t k) const {
  MmaAtomInterface mma = warpMma();
  FragType type =
      b.frag({rows, mma.getK()}, valueType(),
             LayoutAttr::get(b.builder.getContext(), mma.getLayoutA()));
  return DecodeOp::create(b.builder, b.loc, type, codes, k % kUnitColumns,
                          /*shifted=*/false, Value());
}

OperandA::Fragment TernaryOperandA::loadFragment(KernelBuilder &b,
                                                 ArrayRef<Value> stage,
                                                 Value row, int64_t rows,
                                                 int64_t k,
                                                 const Fragment &last) const {
  Fragment fragment;
  fragment.codes = k % kUnitColumns
                       ? last.codes
                       : loadCodes(b, stage, row, rows, k / kUnitColumns,
                                   /*plane=*/0);
  fragment.values = dequantize(b, fragment.codes, rows, k);
  return fragment;
}
