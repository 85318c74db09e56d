//===- KernelParameter.h - Pointers and tensor maps of a kernel -*- C++
//-*--===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each component of a kernel says which parameters it takes. The kernel's
// signature, and what the host passes in a launch, both come from that list.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_SUPPORT_KERNELPARAMETER_H
#define SPARSEFLOW_LIB_KERNELS_SUPPORT_KERNELPARAMETER_H

#include "mlir/IR/Builders.h"
#include <optional>

namespace mlir::sparseflow {

/// Boxes that tile the tokens of a tensor. TMA fills rows of a box behind the
/// tensor with zeros and is slow at it, so that the last tile, if it is not
/// whole, has a box of its own.
struct TokenTiles {
  /// Of a tile, which as many blocks copy for each other in equal parts.
  int64_t tokens, parts = 1;

  /// Rows (i64) of a part of the last of the tiles of `count` (i64) tokens: as
  /// many as it has, rounded up to the 8 that a swizzled part begins at. Built
  /// alike for the host, which describes the box, and for the kernel.
  Value rowsOfLast(OpBuilder &builder, Location loc, Value count) const;
};

/// A tensor whose elements are adjacent, but for its rows where there is a
/// pitch, and the box of it that TMA copies.
struct TensorMap {
  Type elementType;
  /// Innermost first; kDynamic, the last one only: as many as tokens.
  SmallVector<int64_t> sizes;
  SmallVector<int64_t> box;
  int64_t swizzle = 128; // bytes; 0: none
  /// How boxes tile the tokens, if the last tile has a box of its own.
  std::optional<TokenTiles> tiles = {};
  /// Elements from a row to the next one; 0: rows are adjacent.
  int64_t pitch = 0;
};

/// A parameter of a kernel: a pointer into global memory, or the tensor map of
/// what it points to.
struct KernelParameter {
  std::optional<TensorMap> map = {};
  /// The parameter that describes the same tensor, if this one describes the
  /// box of its last tile.
  std::optional<size_t> lastTileOf = {};
};

/// Appends a parameter for the last tile of each that has `tiles`.
void appendLastTiles(SmallVectorImpl<KernelParameter> &parameters);

/// The numbers of those parameters that are tensor maps.
SmallVector<int64_t> tensorMapIndices(ArrayRef<KernelParameter> parameters);

/// The arguments of a launch over `tokens` (i64): `pointers`, one for each
/// parameter that is not a last tile's, and in place of those that the kernel
/// wants described, their tensor maps.
SmallVector<Value> launchArguments(OpBuilder &builder, Location loc,
                                   ArrayRef<KernelParameter> parameters,
                                   ArrayRef<Value> pointers, Value tokens);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_SUPPORT_KERNELPARAMETER_H
