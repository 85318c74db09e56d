//===- TensorTile.h - Boxes of tensors --------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_SIMULATOR_MACHINE_TENSORTILE_H
#define SPARSEFLOW_LIB_SIMULATOR_MACHINE_TENSORTILE_H

#include "SparseFlow/Simulator/TensorMap.h"

#include <cstddef>
#include <functional>
#include <string>

namespace mlir::sparseflow::sim {

/// Why a driver would not have made this map, or null.
const char *checkTensorMap(const TensorMap &map);

/// Bytes of the whole box, whatever of it is out of bounds.
uint32_t tileBytes(const TensorMap &map);

/// Loads fetch elements. Stores write pieces of 16 bytes: one that begins
/// within the tensor's row is written whole, elements behind the row's end too,
/// if its size is no multiple of 16 bytes. Recorded on an H200.
enum class TileUse { Load, Store };

/// Why hardware would not take a box at these coordinates (error 715 on an
/// H200), or an empty text: dimension 0 has to begin at a multiple of 16 bytes,
/// and a store may not begin before the tensor.
std::string checkCoordinates(const TensorMap &map, const int32_t *coordinates,
                             TileUse use);

/// The smallest range of addresses that has all that is read or written; no
/// bytes when there is nothing.
struct TileAccess {
  uint64_t address = 0, bytes = 0;
};
TileAccess tileBounds(const TensorMap &map, const int32_t *coordinates,
                      TileUse use);

/// Shared memory has the box's elements one after the other, dimension 0 first.
/// With swizzle the 16-byte pieces of a row of 32, 64 or 128 bytes change
/// places: bits 4 and up of an address are combined by exclusive or with those
/// from bit 7 up (1, 2 or 3 of them).
uint64_t swizzled(uint64_t address, unsigned swizzle);

/// Global to shared memory; elements out of bounds become zeros.
void loadTile(const TensorMap &map, const int32_t *coordinates, uint64_t to);
/// Shared to global memory, from `data`, which was read at `from`. Pieces out
/// of bounds are not written.
void storeTile(const TensorMap &map, const int32_t *coordinates,
               const uint8_t *data, uint64_t from);

/// What is read or written, row by row: where and how many bytes.
void forEachRun(const TensorMap &map, const int32_t *coordinates, TileUse use,
                const std::function<void(uint64_t, uint32_t)> &visit);

} // namespace mlir::sparseflow::sim

#endif // SPARSEFLOW_LIB_SIMULATOR_MACHINE_TENSORTILE_H
