//===- KernelParameter.cpp - Pointers and tensor maps of a kernel ---------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Support/KernelParameter.h"
#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sparseflow;

SmallVector<int64_t>
mlir::sparseflow::tensorMapIndices(ArrayRef<KernelParameter> parameters) {
  SmallVector<int64_t> indices;
  for (auto [index, parameter] : llvm::enumerate(parameters))
    if (parameter.map)
      indices.push_back(index);
  return indices;
}

SmallVector<Value>
mlir::sparseflow::launchArguments(OpBuilder &builder, Location loc,
                                  ArrayRef<KernelParameter> parameters,
                                  ArrayRef<Value> pointers, Value tokens) {
  assert(parameters.size() == pointers.size() &&
         "expected a pointer for each parameter");
  SmallVector<Value> arguments(pointers);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  };
  for (auto [argument, parameter] : llvm::zip(arguments, parameters)) {
    if (!parameter.map)
      continue;
    const TensorMap &map = *parameter.map;
    int64_t bytes = map.elementType.getIntOrFloatBitWidth() / 8;
    SmallVector<Value> sizes, strides;
    for (int64_t size : map.sizes) {
      if (!sizes.empty())
        strides.push_back(constant(bytes));
      bool isStatic = !ShapedType::isDynamic(size);
      sizes.push_back(isStatic ? constant(size) : tokens);
      bytes *= isStatic ? size : 1;
    }
    argument =
        sftile::TensorMapOp::create(builder, loc, argument, sizes, strides,
                                    map.box, map.swizzle, map.elementType);
  }
  return arguments;
}
