//===- DequantizedMma.cpp - wgmma of dequantized weights ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Mainloop/DequantizedMma.h"
#include "SparseFlow/Dialect/SFTile/IR/RowLayouts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Rows of a warp in an MMA.
static constexpr int64_t kRows = 16;
// Warps of a warpgroup.
static constexpr int64_t kGroupWarps = 4;
// Registers that sums and the weights of two stages, or of one, may take of the
// 216 or more of a thread, of the 160 where three warpgroups consume, and of
// the 112 of four; addresses, codes and metadata take the others.
static constexpr int64_t kRegistersWithTwo = 160, kRegistersWithOne = 192,
                         kRegistersOfThree = 128, kRegistersOfFour = 80;
// And of both weights of a gated product in int8 MMAs; of their sums alone
// whyWarpgroupsApart() says how many.
static constexpr int64_t kRegistersOfGated = 224;
// Shifted codes are 64 times the codes.
static constexpr int32_t kShiftedBits = 6;
// MMAs of an accumulator that run while the weights of as many are dequantized.
static constexpr int64_t kLeastMmas = 2;

/// Whether sums and `times` the weights of `columns` columns fit a thread.
static bool leavesRoom(const MatmulProblem &problem, int64_t columns,
                       int64_t times) {
  ScheduleAttr schedule = problem.schedule;
  int64_t lanes = 32, bits = problem.operandType.getIntOrFloatBitWidth();
  int64_t accumulators = schedule.getWarp()[0] / kRows;
  if (problem.gatedOperand)
    accumulators *= GatedOperandA::kWeights;
  int64_t sums = kRows * schedule.getBlock()[1] / lanes;
  int64_t nonzeros = columns / (problem.hasSparseCodes() ? 2 : 1);
  int64_t weights = kRows * nonzeros * bits / 32 / lanes * problem.planes();
  int64_t most = times == 1 ? kRegistersWithOne : kRegistersWithTwo;
  int64_t groups = schedule.getNumConsumerWarps() / kGroupWarps;
  if (groups > 3)
    return accumulators * (sums + times * weights) <= kRegistersOfFour;
  bool three = groups > 2;
  if (three)
    most = kRegistersOfThree;
  // Of bytes the weights of two stages have always been few enough.
  if (problem.isInteger() && !problem.gatedOperand)
    return true;
  if (problem.isInteger())
    return !three &&
           accumulators * (sums + times * weights) <= kRegistersOfGated;
  return accumulators * (sums + times * weights) <= most;
}

DequantizedMma::DequantizedMma(const MatmulProblem &problem,
                               const QuantizedOperandA &operandA,
                               KernelBuilder &b)
    : wgmma(operandA.warpgroupMma()), shifted(operandA.isShifted()),
      problem(problem), operandA(operandA), b(b) {
  int64_t columns = wgmma.getK() / (wgmma.isSparse() ? 2 : 1);
  weightsType =
      b.frag({kRows, columns}, wgmma.getOperandType(),
             LayoutAttr::get(b.builder.getContext(), wgmma.getLayoutA()));
  partColumns = problem.schedule.getK();
  if (!stagesWithRoom(problem))
    while (!leavesRoom(problem, partColumns, 2) && partColumns % 2 == 0 &&
           partColumns > kLeastMmas * wgmma.getK())
      partColumns /= 2;
}

LayoutAttr DequantizedMma::accumulatorLayout() const {
  return LayoutAttr::get(b.builder.getContext(), wgmma.getLayoutC());
}

int64_t DequantizedMma::stagesWithRoom(const MatmulProblem &problem) {
  int64_t columns = problem.schedule.getK();
  if (leavesRoom(problem, columns, 2))
    return 2;
  return leavesRoom(problem, columns, 1) ? 1 : 0;
}

DequantizedMma::Words DequantizedMma::loadUnit(Value tile, Value row,
                                               int64_t unit, int64_t plane) {
  return operandA.loadUnit(b, tile, row, kRows, unit, plane);
}

Value DequantizedMma::dequantize(const Words &words, int64_t k, Value scale) {
  return operandA.dequantize(b, words, weightsType, k, shifted, scale);
}

Value DequantizedMma::multiply(Value weights, const Words &words, int64_t k,
                               const MatmulStage &stage, int64_t token,
                               Value sum, bool cleared) {
  auto frag = dyn_cast<FragType>(sum.getType());
  auto type = frag ? PendingType::get(b.builder.getContext(), frag)
                   : cast<PendingType>(sum.getType());
  int64_t columns = cast<TileType>(stage.b[0].getType()).getShape()[1];
  Value row = stage.rowsOfB.empty() ? b.index(token)
                                    : b.add(stage.rowsOfB[k / columns], token);
  return MmaAsyncOp::create(
      b.builder, b.loc, type, weights, /*aRow=*/Value(), /*aCol=*/Value(),
      stage.b[k / columns], row, b.index(k % columns), sum, words.metadata,
      wgmma.isSparse() ? b.builder.getI64IntegerAttr(k / wgmma.getK())
                       : IntegerAttr(),
      wgmma, /*transposed=*/false, cleared);
}

void DequantizedMma::start(const MatmulStage &stage, int64_t part,
                           const WarpgroupRows &rows,
                           MutableArrayRef<Value> sums,
                           SmallVectorImpl<Value> &held) {
  int64_t step = wgmma.getK(), planes = problem.planes();
  int64_t first = part * partColumns, end = first + partColumns;
  size_t read = held.size() + rows.ofWarp.size() * planes * partColumns / step +
                (wgmma.isSparse() ? rows.ofWarp.size() : 0);
  if (stage.columns)
    end = std::min(end, *stage.columns);
  const std::optional<LoopScales> &scales = problem.scales;
  int64_t columns = problem.schedule.getK();
  if (scales)
    columns = std::min(scales->columns, columns);
  words.resize(rows.ofWarp.size() * planes);
  SmallVector<Value> metadata;
  // MMAs of one accumulator run while the weights of the next are dequantized;
  // those of its planes together, because they have one accumulator.
  for (auto [number, row] : llvm::enumerate(rows.ofWarp)) {
    struct Operand {
      Value weights;
      Words words;
      int64_t k;
    };
    SmallVector<Operand> operands;
    for (int64_t plane = 0; plane < planes; ++plane) {
      Words &own = words[number * planes + plane];
      Value scale;
      for (int64_t k = first; k < end; k += step) {
        if (k % unitColumns() == 0)
          own = loadUnit(stage.a.front(), row, k / unitColumns(), plane);
        if (scales && (k % columns == 0 || k == first))
          scale = loadScale(stage.a[1 + plane], k / columns, row);
        operands.push_back({dequantize(own, k, scale), own, k});
      }
    }
    for (const Operand &operand : operands) {
      sums[number] = multiply(operand.weights, operand.words, operand.k, stage,
                              /*token=*/0, sums[number]);
      held.push_back(operand.weights);
    }
    if (wgmma.isSparse())
      metadata.push_back(operands.back().words.metadata);
  }
  // As many registers as of a whole stage, whose place they take in a loop.
  while (held.size() + metadata.size() < read)
    held.push_back(held.back());
  llvm::append_range(held, metadata);
}

Value DequantizedMma::sumsOf(Value accumulator) {
  if (!shifted)
    return accumulator;
  return b.map(cast<FragType>(accumulator.getType()), {accumulator},
               [&](OpBuilder &inner, ValueRange in) -> Value {
                 Value bits = arith::ConstantOp::create(
                     inner, b.loc, inner.getI32IntegerAttr(kShiftedBits));
                 return arith::ShRSIOp::create(inner, b.loc, in[0], bits);
               });
}

Value DequantizedMma::loadScale(Value tile, int64_t group, Value row) {
  LinearLayout layout = getRowLayout(wgmma.getLayoutC());
  FragType type = b.frag({kRows, 1}, b.builder.getF32Type(),
                         LayoutAttr::get(b.builder.getContext(), layout));
  return LoadOp::create(b.builder, b.loc, type, tile, b.index(group), row,
                        Access::Row);
}
