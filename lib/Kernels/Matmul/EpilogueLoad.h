//===- EpilogueLoad.h - Operands by TMA -------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Full operands of a warp-specialized matmul. They have a pipeline of
// their own: a stage is what one box of results needs of each operand, for
// each warpgroup. The first stages of a tile arrive while it is multiplied.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_EPILOGUELOAD_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_EPILOGUELOAD_H

#include "Kernels/Matmul/MatmulKernel.h"

namespace mlir::sparseflow {

class EpilogueLoad {
public:
  /// `views` are those of all operands, made before the ring is.
  EpilogueLoad(const MatmulKernel &spec, KernelBuilder &b,
               const SmallVector<Value> &views);

  /// Makes the ring, before the roles; nothing if nothing is fetched.
  void makeRing();
  /// In the role that copies: starts the copies for the tile of the block at
  /// `feature` and `token` (i64), its tile number `tile` (index).
  void copyTile(Value feature, Value token, Value tile);
  /// In the role that computes: waits for what box `number` of tile `tile`
  /// needs, and gives it back when everything has been taken.
  void openBox(Value tile, int64_t number);
  void closeBox();
  /// Fragments of `tokens` tokens from token `first` of the open box on: a
  /// value or null for each operand. `feature` (index) is the warp's first in
  /// the box of its warpgroup.
  SmallVector<Value> take(int64_t first, int64_t tokens, Value feature,
                          sftile::LayoutAttr layout);

private:
  Value position(Value tile, Value number);

  const MatmulKernel &spec;
  KernelBuilder &b;
  const SmallVector<Value> &views;
  /// Warpgroups, accumulators of each, and boxes of an accumulator.
  int64_t groups, pieces, boxes;
  SmallVector<size_t> operands; // fetched ones
  Value ring;
  Value openPosition;
  SmallVector<Value> openTiles; // of this warpgroup, one for each operand
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_EPILOGUELOAD_H
