//===- SharedMemory.h - Where a kernel's tiles lie --------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SFTILE_TRANSFORMS_SHAREDMEMORY_H
#define SPARSEFLOW_DIALECT_SFTILE_TRANSFORMS_SHAREDMEMORY_H

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::sftile {

/// The places of a kernel's rings and tiles in shared memory.
struct SharedLayout {
  /// What one ring, one tile or the overlaid tiles of one role take.
  struct Part {
    /// A ring, a tile, or the first of a role's overlaid tiles.
    Operation *owner;
    int64_t bytes;
  };
  struct Ring {
    RingOp op;
    int64_t offset;
    /// Of its barriers, where one role fills the ring and another reads it.
    std::optional<int64_t> barriers;
  };
  struct Tile {
    SharedOp op;
    int64_t offset;
    /// From the tile of one group of warps to that of the next.
    std::optional<int64_t> stride;
  };
  SmallVector<Ring> rings;
  SmallVector<Tile> tiles;
  SmallVector<Part> parts;
  /// Of a block.
  int64_t bytes = 0;

  static SharedLayout of(gpu::GPUFuncOp kernel);
  /// Of the stages of all rings.
  int64_t ringBytes() const;
  /// Writes the places into the kernel's ops.
  void apply() const;
};

} // namespace mlir::sftile

#endif // SPARSEFLOW_DIALECT_SFTILE_TRANSFORMS_SHAREDMEMORY_H
