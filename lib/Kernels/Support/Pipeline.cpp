//===- Pipeline.cpp - Stages between those who copy and multiply ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Support/Pipeline.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

Pipeline::Pipeline(KernelBuilder &b, int64_t stages, ArrayRef<TileType> tiles)
    : b(b), tiles(tiles) {
  auto type = RingType::get(b.builder.getContext(), stages, tiles);
  ring = RingOp::create(b.builder, b.loc, type, IntegerAttr(), IntegerAttr());
}

SmallVector<Value> Pipeline::acquire(Value position) {
  return llvm::to_vector_of<Value>(
      AcquireOp::create(b.builder, b.loc, ring, b.toIndex(position))
          .getSlots());
}

void Pipeline::commit(Value position) {
  CommitOp::create(b.builder, b.loc, ring, b.toIndex(position));
}

SmallVector<Value> Pipeline::wait(Value position) {
  return llvm::to_vector_of<Value>(
      WaitOp::create(b.builder, b.loc, llvm::to_vector_of<Type>(tiles), ring,
                     b.toIndex(position))
          .getTiles());
}

void Pipeline::release(Value position) {
  ReleaseOp::create(b.builder, b.loc, ring, b.toIndex(position));
}
