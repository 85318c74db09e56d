//===- TensorKernel.h - Kernels of tensor ops -------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_TENSOR_TENSORKERNEL_H
#define SPARSEFLOW_LIB_KERNELS_TENSOR_TENSORKERNEL_H

#include "Kernels/Tensor/TensorGroup.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/KernelForm.h"

namespace mlir::sparseflow {

class ThreadCode;

/// A kernel for a group of tensor ops, in the form that its root asks for.
struct TensorKernel {
  std::string name;
  Location loc;
  const TensorGroup &group;
  KernelForm form;
  TensorAccess access;
  /// Whether it is launched with PDL, and waits for the kernels before it.
  bool programmatic;

  gpu::GPUFuncOp generate(OpBuilder &builder) const;
  /// Blocks to launch, i64; `sizeOf` gives the size of a dimension of a tensor
  /// of the program, i64.
  Value gridSize(OpBuilder &builder,
                 function_ref<Value(Value tensor, int64_t dim)> sizeOf) const;
};

/// The most elements of the access that a kernel of this form can have for
/// `group`: a divisor of what is adjacent, of at most 16 bytes. `dynamic` is
/// set to the tensor and dimension that has to be a multiple of it at run time,
/// where that is not known.
int64_t vectorOf(const TensorGroup &group, KernelForm form,
                 std::optional<std::pair<Value, int64_t>> &dynamic);

/// How threads of a kernel of rows share them.
struct RowShape {
  int64_t threads;      // of a row: a power of two of warps
  int64_t rowsPerBlock; // more than one for rows of one warp
  /// Accesses of a thread that hold the whole row; 0: the row is read by every
  /// pass over it.
  int64_t slots;
};
RowShape rowShapeOf(const TensorGroup &group, int64_t vector);

/// In front of the wait for the kernels before (PDL): brings the vectors that
/// all rows of `group` share, such as the weights of a norm, to the L2 cache.
/// They come from memory in every step of a model, and where they are read all
/// threads wait for them. `pointerOf` gives an input's pointer.
void prefetchVectors(ThreadCode &code, const TensorGroup &group,
                     function_ref<Value(int64_t input)> pointerOf,
                     int64_t threads);

/// Of the loops of `root` those that are one row, the last ones of its result
/// or its reductions.
SmallVector<unsigned> rowLoops(Operation *root);

/// A kernel of the form map that does what `kernels` do, which read nothing of
/// each other: the blocks of one stand behind those of the one before it. Its
/// parameters are the pointers of all, the integers of all (at least one each),
/// and behind how many blocks each but the last one ends.
gpu::GPUFuncOp generateMaps(OpBuilder &builder, StringRef name,
                            ArrayRef<TensorKernel> kernels);
gpu::GPUFuncOp generateRows(OpBuilder &builder, const TensorKernel &kernel);
gpu::GPUFuncOp generateColumns(OpBuilder &builder, const TensorKernel &kernel);

/// Elements of a block of a kernel of this form: of results, rows or columns.
int64_t mapTile(const TensorGroup &group, int64_t vector);
int64_t columnTile(int64_t vector);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_TENSOR_TENSORKERNEL_H
