//===- RowCode.h - Threads share a row --------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_TENSOR_ROWCODE_H
#define SPARSEFLOW_LIB_KERNELS_TENSOR_ROWCODE_H

#include "Kernels/Tensor/Fold.h"
#include "Kernels/Tensor/TensorKernel.h"

namespace mlir::sparseflow {

/// The code of threads that share a row: the columns that each has, and the
/// reductions over them, whose results all get. Kernels derive from it and say
/// where the row's elements go.
class RowCode : protected ThreadCode {
protected:
  /// Elements of the row, and whether they are in it (i1; null: always).
  struct Part {
    Lanes columns;
    Value isInside;
  };

  /// Lanes are `width` elements; what is loaded at once, `spec` says.
  RowCode(OpBuilder &builder, const TensorKernel &spec, const RowShape &shape,
          int64_t width);
  virtual ~RowCode() = default;

  /// The thread's part `number` of a row of `length` elements.
  virtual Part partOf(int64_t number, const Size &length);
  /// Calls `body` for each of the thread's parts of a row, which take and give
  /// `state`.
  SmallVector<Value>
  forParts(const Size &length, ValueRange state,
           function_ref<SmallVector<Value>(const Part &, ValueRange)> body);
  /// Memory that the block shares, for `count` words of 8 bytes.
  virtual Value sharedWords(int64_t count);
  /// Where a row is not held, the reductions that `body` asks for have passes
  /// of their own, in front of its pass: it is written once for no part of the
  /// row, and what nothing uses of that goes.
  void findReductions(function_ref<void(const Part &)> body);
  /// Loads what elements of the root at `indices` read of memory, before a
  /// reduction is asked for: behind it, where all threads meet, the loads would
  /// take their time once more.
  void loadAhead(ArrayRef<Lanes> indices);
  /// How many of the last dimensions of what the root writes are the row.
  int64_t rowRank();

  Value constant(int64_t value) { return emitter.index(value); }

  const TensorKernel &spec;
  const TensorGroup &group;
  linalg::LinalgOp root;
  RowShape shape;
  ElementEmitter emitter;
  gpu::GPUFuncOp kernel;
  /// The thread's number in its row, and the first of its columns; index.
  Value thread, start;

private:
  void reduce(linalg::LinalgOp op, int64_t number, ArrayRef<Lanes> indices);
  SmallVector<Value> acrossBlock(Fold &fold, ValueRange state);

  int64_t reductions = 0;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_TENSOR_ROWCODE_H
