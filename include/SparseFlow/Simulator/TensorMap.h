//===- TensorMap.h - Tensor maps of the simulator ---------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a GPU's driver encodes in the 128 bytes of a CUtensorMap is its secret.
// Kernels only pass the address on, so the simulator has a description of its
// own of the same size, which a launch takes as an argument by value:
//
//   TensorMap map;
//   map.address = reinterpret_cast<uint64_t>(x.data());
//   map.elementBytes = 2, map.rank = 2, map.swizzle = 128;
//   map.sizes[0] = columns, map.sizes[1] = rows;
//   map.strides[0] = pitch; // bytes from one row to the next
//   map.box[0] = 64, map.box[1] = 128;
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_SIMULATOR_TENSORMAP_H
#define SPARSEFLOW_SIMULATOR_TENSORMAP_H

#include <cstdint>

namespace mlir::sparseflow::sim {

/// A tensor in global memory and the box of it that one instruction copies.
/// Dimension 0 is the innermost one, whose elements are adjacent.
struct alignas(64) TensorMap {
  static constexpr uint64_t magicNumber = 0x70616d5353524e54;

  uint64_t magic = magicNumber;
  /// Of the first element; a multiple of 16.
  uint64_t address = 0;
  /// In elements.
  uint64_t sizes[5] = {1, 1, 1, 1, 1};
  /// strides[i]: bytes from one index of dimension i + 1 to the next; multiples
  /// of 16.
  uint64_t strides[4] = {};
  /// In elements, 1 to 256 each.
  uint16_t box[5] = {1, 1, 1, 1, 1};
  uint16_t elementBytes = 0;
  uint16_t rank = 0;
  /// Bytes: 0, 32, 64 or 128.
  uint16_t swizzle = 0;
  uint8_t unused[24] = {};
};
static_assert(sizeof(TensorMap) == 128, "as large as a CUtensorMap");

} // namespace mlir::sparseflow::sim

#endif // SPARSEFLOW_SIMULATOR_TENSORMAP_H
