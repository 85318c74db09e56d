//===- Fold.h - Partial results of threads meet -----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_TENSOR_FOLD_H
#define SPARSEFLOW_LIB_KERNELS_TENSOR_FOLD_H

#include "Kernels/Tensor/ElementEmitter.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/KernelForm.h"

namespace mlir::sparseflow {

/// The accumulators of one reduction, and how they take elements and meet those
/// of other threads. Sums and products of 16-bit floats are accumulated in f32.
class Fold {
public:
  Fold(ElementEmitter &emitter, linalg::LinalgOp op);

  /// What a thread starts with: the neutral element, or the initial value where
  /// it may be folded in many times. `initial` are elements of the inits.
  SmallVector<Value> start(ValueRange initial);
  /// `state` with one element for each result folded in.
  SmallVector<Value> take(ValueRange state, ValueRange elements);
  /// The same where `valid` (i1; null: always).
  SmallVector<Value> takeIf(Value valid, ValueRange state, ValueRange elements);
  /// Two states become one.
  SmallVector<Value> meet(ValueRange a, ValueRange b);
  /// All lanes of each `lanes` of a warp, a power of two, get their result.
  SmallVector<Value> acrossWarp(ValueRange state, int64_t lanes);
  /// The elements of the results: `initial` folded in where it was not yet.
  SmallVector<Value> finish(ValueRange state, ValueRange initial);

  const ReductionBody &body() const { return reduction; }
  /// The loops that are folded, and how long they are.
  ArrayRef<unsigned> loops() const { return reduced; }
  SmallVector<Size> sizes() const;

private:
  bool isIdempotent() const;
  Value shuffle(Value value, int64_t mask);

  ElementEmitter &emitter;
  ThreadCode &code;
  linalg::LinalgOp op;
  ReductionBody reduction;
  SmallVector<Type> types;
  SmallVector<unsigned> reduced;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_TENSOR_FOLD_H
