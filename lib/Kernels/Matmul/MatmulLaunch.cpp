//===- MatmulLaunch.cpp - How many blocks a product has, and what they get ===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/MatmulKernel.h"
#include "Kernels/Quantize/QuantizeKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

Type MatmulKernel::accumulatorType() const {
  MLIRContext *context = operandType.getContext();
  return isInteger() && !scales ? Type(IntegerType::get(context, 32))
                                : Type(Float32Type::get(context));
}

int64_t MatmulKernel::pitch() const {
  return isInteger() ? quantizedPitch(k, keeps != KeptCodes::All) : k;
}

/// Blocks for each tile of tokens, before the depth is split. Clusters of
/// kernels with copying warps share tokens, so that their number is a multiple;
/// those of others share the depth.
int64_t MatmulKernel::blocksOfFeatures() const {
  int64_t features = streamed() ? streamedFeatures() : schedule.getBlock()[0];
  int64_t cluster = isWarpSpecialized() ? schedule.getCluster() : 1;
  int64_t blocks = llvm::divideCeil(n, features * cluster) * cluster;
  if (!gatedOperand)
    for (const Companion &companion : companions)
      blocks += llvm::divideCeil(companion.n, features);
  return blocks;
}

Value MatmulKernel::gridSize(OpBuilder &builder, Location loc,
                             Value tokens) const {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  };
  Value tiles = arith::CeilDivUIOp::create(builder, loc, tokens,
                                           constant(schedule.getBlock()[1]));
  Value blocks = arith::MulIOp::create(
      builder, loc, tiles, constant(blocksOfFeatures() * schedule.getSplitK()));
  if (!isWarpSpecialized() || !schedule.getGrid())
    return blocks;
  return arith::MinUIOp::create(builder, loc, blocks,
                                constant(schedule.getGrid()));
}

SmallVector<Value> MatmulKernel::withMaps(OpBuilder &builder,
                                          ArrayRef<Value> pointers,
                                          Value tokens) const {
  SmallVector<Value> arguments(pointers);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  };
  for (auto [argument, map] : llvm::zip(arguments, mapsOf())) {
    if (!map)
      continue;
    int64_t bytes = map->elementType.getIntOrFloatBitWidth() / 8;
    SmallVector<Value> sizes, strides;
    for (int64_t size : map->sizes) {
      if (!sizes.empty())
        strides.push_back(constant(bytes));
      bool isStatic = !ShapedType::isDynamic(size);
      sizes.push_back(isStatic ? constant(size) : tokens);
      bytes *= isStatic ? size : 1;
    }
    argument = TensorMapOp::create(builder, loc, argument, sizes, strides,
                                   map->box, map->swizzle, map->elementType);
  }
  return arguments;
}
