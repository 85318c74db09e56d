//===- MatmulPipeline.h - Stages of a matmul --------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a stage of a matmul's pipeline holds: the tiles of operand A, then those
// of operand B.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_MATMULPIPELINE_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_MATMULPIPELINE_H

#include "Kernels/Matmul/Operands/OperandA.h"
#include "Kernels/Matmul/Operands/OperandB.h"
#include "Kernels/Support/Pipeline.h"

namespace mlir::sparseflow {

/// Slots or tiles of one stage.
struct MatmulStage {
  SmallVector<Value> a, b;
  /// The rows (index) of the tiles `b` in which the stage begins, if it does
  /// not begin in the first ones.
  SmallVector<Value> rowsOfB = {};
  /// The columns that MMAs read, if not all of the stage.
  std::optional<int64_t> columns = {};
};

class MatmulPipeline {
public:
  MatmulPipeline(KernelBuilder &b, int64_t stages, const OperandA &operandA,
                 const OperandB &operandB)
      : tilesOfA(operandA.stageTiles().size()),
        pipeline(b, stages, stageTiles(operandA, operandB)) {}

  static SmallVector<sftile::TileType> stageTiles(const OperandA &operandA,
                                                  const OperandB &operandB) {
    SmallVector<sftile::TileType> tiles = operandA.stageTiles();
    llvm::append_range(tiles, operandB.stageTiles());
    return tiles;
  }

  /// As of Pipeline.
  MatmulStage acquire(Value position) {
    return split(pipeline.acquire(position));
  }
  void commit(Value position) { pipeline.commit(position); }
  MatmulStage wait(Value position) { return split(pipeline.wait(position)); }
  void release(Value position) { pipeline.release(position); }
  Value ring() const { return pipeline.ring; }

private:
  MatmulStage split(ArrayRef<Value> tiles) const {
    return {llvm::to_vector(tiles.take_front(tilesOfA)),
            llvm::to_vector(tiles.drop_front(tilesOfA))};
  }

  size_t tilesOfA;
  Pipeline pipeline;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_MATMULPIPELINE_H
