//===- KernelParameter.cpp - Pointers and tensor maps of a kernel ---------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Support/KernelParameter.h"
#include "Kernels/Support/HostIntegers.h"
#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sparseflow;

// Rows after which the swizzle repeats: where parts of a tile may begin.
static constexpr int64_t kSwizzleRows = 8;

Value TokenTiles::rowsOfLast(OpBuilder &builder, Location loc,
                             Value count) const {
  HostIntegers host{builder, loc};
  Value rows = host.add(host.rem(host.add(count, tokens - 1), tokens), 1);
  return host.mul(host.ceilDiv(rows, kSwizzleRows * parts), kSwizzleRows);
}

void mlir::sparseflow::appendLastTiles(
    SmallVectorImpl<KernelParameter> &parameters) {
  for (size_t index = 0, count = parameters.size(); index < count; ++index)
    if (parameters[index].map && parameters[index].map->tiles)
      parameters.push_back({parameters[index].map, index});
}

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
  SmallVector<Value> arguments(pointers);
  for (const KernelParameter &parameter : parameters)
    if (parameter.lastTileOf)
      arguments.push_back(pointers[*parameter.lastTileOf]);
  assert(parameters.size() == arguments.size() &&
         "expected a pointer for each parameter");
  HostIntegers host{builder, loc};
  for (auto [argument, parameter] : llvm::zip(arguments, parameters)) {
    if (!parameter.map)
      continue;
    const TensorMap &map = *parameter.map;
    int64_t bytes = map.elementType.getIntOrFloatBitWidth() / 8;
    SmallVector<Value> sizes, strides;
    for (int64_t size : map.sizes) {
      if (!sizes.empty())
        strides.push_back(host.constant(bytes));
      bool isStatic = !ShapedType::isDynamic(size);
      sizes.push_back(isStatic ? host.constant(size) : tokens);
      bool isRow = sizes.size() == 1 && map.pitch;
      bytes *= isRow ? map.pitch : isStatic ? size : 1;
    }
    SmallVector<int64_t> box = map.box;
    SmallVector<Value> extents;
    if (parameter.lastTileOf) {
      box.back() = ShapedType::kDynamic;
      extents.push_back(map.tiles->rowsOfLast(builder, loc, tokens));
    }
    argument =
        sftile::TensorMapOp::create(builder, loc, argument, sizes, strides,
                                    extents, box, map.swizzle, map.elementType);
  }
  return arguments;
}
