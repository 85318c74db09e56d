//===- BodyEmitter.h - The scalar code of a body ----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_TENSOR_BODYEMITTER_H
#define SPARSEFLOW_LIB_KERNELS_TENSOR_BODYEMITTER_H

#include "Kernels/Tensor/ElementEmitter.h"

namespace mlir::sparseflow {

/// Clones the ops of a linalg body that a wanted value needs, for every lane,
/// or once where their operands are the same in all lanes. Arithmetic on
/// indices stays lines. An index of tensor.extract that might be out of range
/// is clamped to it: nothing is read outside of a tensor.
class BodyEmitter {
public:
  BodyEmitter(ElementEmitter &emitter, Block &block, ArrayRef<Lanes> loops)
      : emitter(emitter), block(block), loops(loops) {}

  void setLoopSizes(SmallVector<Size> sizes) { loopSizes = std::move(sizes); }
  /// What an argument of the block is: lanes, an element of `tensor`, or
  /// `scalar` of the program.
  void set(BlockArgument argument, const Lanes &lanes);
  void set(BlockArgument argument, Value tensor, SmallVector<Lanes> indices);
  void set(BlockArgument argument, Value scalar);

  Lanes get(Value value);

private:
  struct Element {
    Value tensor;
    SmallVector<Lanes> indices;
  };
  Lanes compute(Value value);
  /// Integer arithmetic whose result is a line.
  std::optional<Lanes> computeLine(Operation *op);
  Lanes fromOutside(Value value);
  Lanes extract(tensor::ExtractOp op);
  Lanes clone(OpResult result);
  bool isInBounds(const Lanes &index, const Size &size);

  ElementEmitter &emitter;
  Block &block;
  ArrayRef<Lanes> loops;
  SmallVector<Size> loopSizes;
  DenseMap<Value, Lanes> values;
  DenseMap<Value, Element> arguments;
  DenseMap<Value, Value> scalars;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_TENSOR_BODYEMITTER_H
