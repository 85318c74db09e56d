//===- Pipeline.h - Stages between those who copy and multiply --*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pipeline of a kernel: a ring of stages in shared memory. Who fills a
// stage acquires its slots and commits them; who reads it waits for its tiles
// and releases them. Whether barriers in memory or counted groups of copies
// keep the order is up to the roles that use it.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_SUPPORT_PIPELINE_H
#define SPARSEFLOW_LIB_KERNELS_SUPPORT_PIPELINE_H

#include "Kernels/Support/KernelBuilder.h"

namespace mlir::sparseflow {

class Pipeline {
public:
  /// Makes the stages, before the roles; each holds one of every tile.
  Pipeline(KernelBuilder &b, int64_t stages, ArrayRef<sftile::TileType> tiles);

  /// The slots of the stage at `position`, once those who read it before have
  /// released it. Positions (index or i32) count stages from the kernel's
  /// start.
  SmallVector<Value> acquire(Value position);
  /// Ends what fills the stage.
  void commit(Value position);
  /// The tiles of the stage, once everything has arrived.
  SmallVector<Value> wait(Value position);
  void release(Value position);

  Value ring;

private:
  KernelBuilder &b;
  SmallVector<sftile::TileType> tiles;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_SUPPORT_PIPELINE_H
