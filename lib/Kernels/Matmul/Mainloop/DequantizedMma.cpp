//===- DequantizedMma.cpp - wgmma of dequantized weights ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Mainloop/DequantizedMma.h"
#include "SparseFlow/Dialect/SFTile/IR/RowLayouts.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Rows of a warp in an MMA.
static constexpr int64_t kRows = 16;
// Registers that sums and the weights of two stages may take of the 216 or more
// that a thread has; addresses, codes and metadata take the others.
static constexpr int64_t kRegistersOfMmas = 160;

DequantizedMma::DequantizedMma(const MatmulProblem &problem,
                               const QuantizedOperandA &operandA,
                               KernelBuilder &b)
    : wgmma(operandA.warpgroupMma()), shifted(operandA.isShifted()),
      problem(problem), operandA(operandA), b(b) {
  int64_t columns = wgmma.getK() / (wgmma.isSparse() ? 2 : 1);
  weightsType =
      b.frag({kRows, columns}, wgmma.getOperandType(),
             LayoutAttr::get(b.builder.getContext(), wgmma.getLayoutA()));
}

LayoutAttr DequantizedMma::accumulatorLayout() const {
  return LayoutAttr::get(b.builder.getContext(), wgmma.getLayoutC());
}

bool DequantizedMma::leavesRoomForTwoStages(const MatmulProblem &problem) {
  int64_t lanes = 32, bits = problem.operandType.getIntOrFloatBitWidth();
  int64_t accumulators = problem.schedule.getWarp()[0] / kRows;
  int64_t sums = kRows * problem.schedule.getBlock()[1] / lanes;
  int64_t columns =
      problem.schedule.getK() / (problem.hasSparseCodes() ? 2 : 1);
  int64_t weights = kRows * columns * bits / 32 / lanes * problem.planes();
  // Of bytes the weights of two stages have always been few enough.
  return problem.isInteger() ||
         accumulators * (sums + 2 * weights) <= kRegistersOfMmas;
}

DequantizedMma::Words DequantizedMma::loadUnit(Value tile, Value row,
                                               int64_t unit, int64_t plane) {
  return operandA.loadUnit(b, tile, row, kRows, unit, plane);
}

Value DequantizedMma::dequantize(const Words &words, int64_t k, Value scale) {
  return operandA.dequantize(b, words, weightsType, k, shifted, scale);
}

Value DequantizedMma::multiply(Value weights, const Words &words, int64_t k,
                               ArrayRef<Value> activations, int64_t token,
                               Value sum, bool cleared) {
  auto frag = dyn_cast<FragType>(sum.getType());
  auto type = frag ? PendingType::get(b.builder.getContext(), frag)
                   : cast<PendingType>(sum.getType());
  int64_t columns = cast<TileType>(activations[0].getType()).getShape()[1];
  return MmaAsyncOp::create(
      b.builder, b.loc, type, weights, /*aRow=*/Value(), /*aCol=*/Value(),
      activations[k / columns], b.index(token), b.index(k % columns), sum,
      words.metadata,
      wgmma.isSparse() ? b.builder.getI64IntegerAttr(k / wgmma.getK())
                       : IntegerAttr(),
      wgmma, /*transposed=*/false, cleared);
}

void DequantizedMma::start(const MatmulStage &stage, const WarpgroupRows &rows,
                           MutableArrayRef<Value> sums,
                           SmallVectorImpl<Value> &held) {
  int64_t stageK = problem.schedule.getK(), step = wgmma.getK();
  const std::optional<LoopScales> &scales = problem.scales;
  int64_t columns = scales ? std::min(scales->columns, stageK) : stageK;
  SmallVector<Value> metadata;
  // MMAs of one accumulator run while the weights of the next are dequantized;
  // those of its planes together, because they have one accumulator.
  for (auto [row, sum] : llvm::zip(rows.ofWarp, sums)) {
    SmallVector<Value> weights;
    SmallVector<Words> words;
    for (int64_t plane = 0; plane < problem.planes(); ++plane) {
      Value scale;
      for (int64_t k = 0; k < stageK; k += step) {
        if (k % unitColumns() == 0)
          words.push_back(
              loadUnit(stage.a.front(), row, k / unitColumns(), plane));
        if (scales && k % columns == 0)
          scale = loadScale(stage.a[1 + plane], k / columns, row);
        weights.push_back(dequantize(words.back(), k, scale));
      }
    }
    for (auto [number, values] : llvm::enumerate(weights))
      sum = multiply(values, words.back(), number * step % stageK, stage.b,
                     /*token=*/0, sum);
    llvm::append_range(held, weights);
    if (wgmma.isSparse())
      metadata.push_back(words.back().metadata);
  }
  llvm::append_range(held, metadata);
}

Value DequantizedMma::loadScale(Value tile, int64_t group, Value row) {
  LinearLayout layout = getRowLayout(wgmma.getLayoutC());
  FragType type = b.frag({kRows, 1}, b.builder.getF32Type(),
                         LayoutAttr::get(b.builder.getContext(), layout));
  return LoadOp::create(b.builder, b.loc, type, tile, b.index(group), row,
                        Access::Row);
}
