//===- PlaneTiles.h - Tiles of keys and values from planes ------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// wgmma reads keys and values from shared memory. The four producer warps write
// the tiles that TMA would copy: each reads a quarter of the words of a stage,
// 16 bytes a lane, unpacks them and stores them with stmatrix. A word is 16
// trits, two of which take a shift and a mask.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_ATTENTION_PLANES_PLANETILES_H
#define SPARSEFLOW_LIB_KERNELS_ATTENTION_PLANES_PLANETILES_H

#include "Kernels/Attention/Planes/PlanePages.h"

namespace mlir::sparseflow {

class PlaneTiles {
public:
  /// Warps that share the work, pages of a stage, features of a tile.
  static constexpr int64_t kWarps = 4, kPages = 2, kTileCols = 64;

  /// For stages of two pages and at most 128 features; `ring` has a tile for
  /// every 64 of them, rows of keys. `isTransposed`: the planes are of
  /// ternv.v1.
  PlaneTiles(KernelBuilder &b, const PlanePages &pages, sftile::RingOp ring,
             bool isTransposed);

  /// Starts reading this warp's words of the two pages from page `first`
  /// (index) on.
  SmallVector<Value> load(Value first) const;
  /// Fills the stage of `position` with them. `flip` (i32, may be null): sign
  /// bits to toggle.
  void fill(Value position, ArrayRef<Value> words, Value flip) const;

private:
  /// Every second page of a stage, and every second chunk of it, is the warp's.
  Value parity(int64_t bit) const;

  KernelBuilder &b;
  const PlanePages &pages;
  mutable sftile::RingOp ring;
  bool isTransposed;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ATTENTION_PLANES_PLANETILES_H
