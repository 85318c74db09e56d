//===- Packed24OperandA.cpp - A packed 2:4 weight -------------------------===//
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

/// The map of packed units, `rows` x `cols` of them, and a box that fills
/// `tile`: a unit is rows of at most 256 elements, which is what a box may have
/// along a dimension. 32-bit words are called floats, because maps of integers
/// of that size are not part of a manifest; copies do not look at them.
static TensorMap mapOfUnits(TileType tile, int64_t rows, int64_t cols) {
  TileType::Unit unit = tile.getUnit();
  Type type = tile.getElementType();
  int64_t elements = unit.bytes * 8 / type.getIntOrFloatBitWidth();
  int64_t inner = std::min<int64_t>(elements, 256), outer = elements / inner;
  if (type.isInteger(32))
    type = Float32Type::get(type.getContext());
  return {type,
          {inner, outer, cols, rows},
          {inner, outer, tile.getShape()[1] / unit.cols,
           tile.getShape()[0] / unit.rows},
          /*swizzle=*/0};
}

bool Packed24OperandA::comesInBoxes(const MatmulProblem &problem) {
  ScheduleAttr schedule = problem.schedule;
  // With fewer copies the first stages of a block are full sooner. Persistent
  // blocks, which fill them while the tile before is multiplied, gain nothing.
  if (!schedule.getProducerWarps() || schedule.getGrid())
    return false;
  // Beyond the last unit a box would hold zeros, which are no valid metadata.
  int64_t rows = schedule.getBlock()[0] * schedule.getCluster() / kUnit;
  return rows > 1 && llvm::divideCeil(problem.n, kUnit) % rows == 0;
}

SmallVector<KernelParameter> Packed24OperandA::parameters() const {
  SmallVector<KernelParameter> parameters(2);
  if (isByTma())
    for (auto [parameter, tile] : llvm::zip(parameters, stageTiles()))
      parameter.map = mapOfUnits(tile, llvm::divideCeil(problem.n, kUnit),
                                 llvm::divideCeil(problem.k, kUnit));
  return parameters;
}

SmallVector<TileType> Packed24OperandA::stageTiles() const {
  auto words = IntegerType::get(problem.operandType.getContext(), 32);
  int64_t nonzeros = schedule.getK() / 2;
  return {tile(blockFeatures(), nonzeros, problem.operandType, Order::Values24),
          tile(blockFeatures() / 16, nonzeros, words, Order::Metadata24)};
}

SmallVector<Value> Packed24OperandA::makeViews(KernelBuilder &b,
                                               ValueRange pointers) const {
  SmallVector<Value> views;
  for (auto [pointer, tile] : llvm::zip(pointers, stageTiles()))
    views.push_back(isByTma() ? b.mappedView(pointer, tile.getElementType())
                              : viewOfUnits(b, pointer, tile.getElementType(),
                                            tile.getOrder(), kUnit));
  return views;
}

void Packed24OperandA::copyStage(KernelBuilder &b, ArrayRef<Value> views,
                                 Value feature, Value step,
                                 ArrayRef<Value> slots) const {
  int64_t units = schedule.getK() / kUnit;
  bool fillStages = llvm::divideCeil(problem.k, kUnit) % units == 0;
  copyUnits(b, views, units, fillStages, feature, step, slots);
}

MmaAtomInterface Packed24OperandA::warpMma() const {
  return MmaSpSyncAttr::get(problem.operandType.getContext(), 32,
                            problem.operandType);
}

AsyncMmaAtomInterface Packed24OperandA::warpgroupMma() const {
  return WgmmaAttr::get(problem.operandType.getContext(), problem.operandType,
                        /*sparse=*/true);
}

Value Packed24OperandA::loadMetadata(KernelBuilder &b, ArrayRef<Value> stage,
                                     Value row, int64_t rows, int64_t k) const {
  FragType type =
      b.frag({rows / 16, 32}, b.builder.getI32Type(),
             LayoutAttr::get(b.builder.getContext(), getMetadataLayout()));
  return LoadOp::create(b.builder, b.loc, type, stage[1], b.div(row, 16),
                        b.index(k / 2));
}

IntegerAttr Packed24OperandA::selector(int64_t k, int64_t step) const {
  return Builder(problem.operandType.getContext())
      .getI64IntegerAttr(k % kUnit / step);
}
