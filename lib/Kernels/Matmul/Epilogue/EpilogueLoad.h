//===- EpilogueLoad.h - Operands by TMA -------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Full epilogue operands of a warp-specialized matmul. They have a pipeline of
// their own: a stage is what one box of results needs of each operand, for
// each warpgroup. The first stages of a tile arrive while it is multiplied.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_EPILOGUE_EPILOGUELOAD_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_EPILOGUE_EPILOGUELOAD_H

#include "Kernels/Matmul/MatmulProblem.h"
#include "Kernels/Support/Pipeline.h"
#include "Kernels/Support/TokenBoxes.h"

namespace mlir::sparseflow {

class EpilogueLoad {
public:
  /// Which operands come by TMA, and in how many stages; none, if no memory is
  /// left for them or K is too short for them to arrive meanwhile.
  struct Plan {
    SmallVector<size_t> operands;
    int64_t stages = 0;
    bool contains(size_t operand) const {
      return llvm::is_contained(operands, operand);
    }
  };
  static Plan plan(const MatmulProblem &problem);
  /// The tensor map of a result `elementType`[tokens, n], a box of which is
  /// staged; and that of an operand, of which no rows are copied that it has
  /// not.
  static TensorMap boxMap(const MatmulProblem &problem, Type elementType);
  static TensorMap loadedMap(const MatmulProblem &problem, Type elementType);

  /// Makes the pipeline, before the roles. `sources` are those of the plan's
  /// operands.
  EpilogueLoad(const MatmulProblem &problem, const Plan &plan, KernelBuilder &b,
               ArrayRef<TokenBoxes> sources);

  /// In the producer role: starts the copies for the tile of the block at
  /// `feature` and `token` (i64), its tile number `tile` (index).
  void copyTile(Value feature, Value token, Value tile);
  /// In the consumer role: waits for what box `number` of tile `tile`
  /// needs, and releases it when everything has been taken.
  void openBox(Value tile, int64_t number);
  void closeBox();
  /// Fragments of `tokens` tokens from token `first` of the open box on: a
  /// value or null for each operand. `feature` (index) is the warp's first in
  /// the box of its warpgroup.
  SmallVector<Value> take(int64_t first, int64_t tokens, Value feature,
                          sftile::LayoutAttr layout);

private:
  Value position(Value tile, Value number);
  /// Whether the box at `row` and `col` (i64) has elements of the tensor, i1.
  Value hasElements(Value row, Value col);

  SmallVector<sftile::TileType> stageTiles() const;

  const MatmulProblem &problem;
  const Plan &chosen;
  KernelBuilder &b;
  SmallVector<TokenBoxes> sources;
  /// Warpgroups, accumulators of each, and boxes of an accumulator.
  int64_t groups, accumulators, boxes;
  std::optional<Pipeline> pipeline; // unless nothing comes by TMA
  Value openPosition;
  SmallVector<Value> openTiles; // of this warpgroup, one for each operand
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_EPILOGUE_EPILOGUELOAD_H
