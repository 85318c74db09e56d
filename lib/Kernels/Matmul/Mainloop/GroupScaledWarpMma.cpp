//===- GroupScaledWarpMma.cpp - Partial sums times scales, by warps -------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Mainloop/WarpMma.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// The bits of 1.5 * 2^23, a number of f32 whose mantissa counts ones.
static constexpr int64_t kFloatStart = 0x4B400000;

GroupScaledWarpMma::GroupScaledWarpMma(const MatmulProblem &problem,
                                       const QuantizedOperandA &operandA,
                                       KernelBuilder &b, WarpTile warp,
                                       Value scales, Value blockFeature)
    : WarpMma(problem, operandA, b, warp), quantized(operandA),
      info(*problem.scales), scales(scales), blockFeature(blockFeature) {}

int64_t GroupScaledWarpMma::scaledColumns() const {
  return std::min(info.columns, quantized.unitColumns());
}

SmallVector<Value> GroupScaledWarpMma::loadAhead(Value step) {
  OpBuilder &builder = b.builder;
  int64_t stageK = problem.schedule.getK();
  int64_t unitColumns = quantized.unitColumns();
  // Rows of packed weights are padded to 64.
  int64_t rows = info.perRow ? llvm::alignTo(problem.n, 64) : 1;
  FragType type =
      b.frag({warpFeatures, fragmentTokens()}, info.type, accumulatorLayout());
  Value first = b.mul(step, stageK);
  int64_t bytes = info.type.getIntOrFloatBitWidth() / 8;
  SmallVector<Value> loaded;
  for (int64_t unit = 0; unit < stageK; unit += unitColumns)
    for (int64_t plane = 0; plane < info.planes; ++plane)
      for (int64_t col = 0; col < unitColumns; col += scaledColumns()) {
        // Behind the last column there are no weights, and no scales.
        Value group = b.min(b.div(b.add(first, unit + col), info.columns),
                            b.index(info.groups - 1));
        Value offset = b.toI64(b.mul(b.add(group, plane * info.groups), rows));
        Value pointer =
            LLVM::GEPOp::create(builder, b.loc, scales.getType(), info.type,
                                scales, ValueRange{offset});
        Value view = b.view(pointer, info.type, b.i64(1), rows);
        Value row = b.add(blockFeature, b.toI64(warp.feature));
        loaded.push_back(LoadOp::create(
            builder, b.loc, type, view, b.i64(0), info.perRow ? row : b.i64(0),
            info.perRow ? Access::Row : Access::Scalar, bytes));
      }
  return loaded;
}

/// Integers count from the bits of 1.5 * 2^23: as f32 they are that number plus
/// the sum, which is below 2^22 for 128 columns.
Value GroupScaledWarpMma::zeroPartialSum() {
  Value start = problem.isInteger()
                    ? b.i32(kFloatStart)
                    : Value(arith::ConstantOp::create(
                          b.builder, b.loc, b.builder.getF32FloatAttr(0.0f)));
  FragType type = b.frag({warpFeatures, fragmentTokens()}, start.getType(),
                         accumulatorLayout());
  return BroadcastOp::create(b.builder, b.loc, type, start);
}

/// acc + partial * scale, element by element.
Value GroupScaledWarpMma::addScaled(Value acc, Value partial, Value scale) {
  auto type = cast<FragType>(acc.getType());
  auto body = [&](OpBuilder &inner, ValueRange in) -> Value {
    Type f32 = inner.getF32Type();
    Value added = in[1], factor = in[2];
    if (!factor.getType().isF32())
      factor = arith::ExtFOp::create(inner, b.loc, f32, factor);
    auto asFloat = [&](Value bits) -> Value {
      return arith::BitcastOp::create(inner, b.loc, f32, bits);
    };
    if (problem.isInteger())
      added = arith::SubFOp::create(inner, b.loc, asFloat(added),
                                    asFloat(b.i32(kFloatStart)));
    Value product = arith::MulFOp::create(inner, b.loc, added, factor);
    return arith::AddFOp::create(inner, b.loc, in[0], product);
  };
  return b.map(type, {acc, partial, scale}, body);
}

void GroupScaledWarpMma::multiply(const MatmulStage &stage,
                                  MutableArrayRef<Value> acc,
                                  ValueRange stageScales) {
  int64_t unitColumns = quantized.unitColumns();
  int64_t planes = info.planes, groups = unitColumns / scaledColumns();
  for (int64_t unit = 0; unit * unitColumns < problem.schedule.getK(); ++unit) {
    SmallVector<QuantizedOperandA::Words> words;
    for (int64_t plane = 0; plane < planes; ++plane)
      words.push_back(quantized.loadUnit(b, stage.a[0], warp.feature,
                                         warpFeatures, unit, plane));
    // Planes alternate, so that activations of few columns serve both.
    for (int64_t number = 0; number < groups * planes; ++number) {
      int64_t group = number / planes, plane = number % planes;
      SmallVector<Value> partialSums(acc.size(), zeroPartialSum());
      int64_t first = group * scaledColumns();
      for (int64_t k = first; k < first + scaledColumns(); k += mma.getK()) {
        OperandA::Fragment a;
        a.values = quantized.dequantize(b, words[plane], warpFeatures, k);
        multiplyFragment(a, stage, unit * unitColumns + k, partialSums);
      }
      Value scale = stageScales[(unit * planes + plane) * groups + group];
      for (auto [sum, partial] : llvm::zip(acc, partialSums))
        sum = addScaled(sum, partial, scale);
    }
  }
}
