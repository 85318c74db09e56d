//===- TensorGroup.h - The tensor ops of one kernel -------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_TENSOR_TENSORGROUP_H
#define SPARSEFLOW_LIB_KERNELS_TENSOR_TENSORGROUP_H

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/KernelForm.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::sparseflow {

/// The ops that one kernel computes: `root`, whose results it writes, and the
/// ops in front of it that sparseflow-form-kernels inlined into it. Parameters
/// of the kernel are a pointer for each of `inputs`, one for each of `outputs`,
/// and `numbers` integers.
struct TensorGroup {
  Operation *root;
  /// Tensors in memory that the ops read.
  llvm::SetVector<Value> inputs;
  /// Results of `root`.
  SmallVector<Value> outputs;
  /// Which integer a dynamic dimension of a tensor is, or a scalar of the
  /// program that a body uses.
  llvm::DenseMap<std::pair<Value, int64_t>, int64_t> sizes;
  llvm::DenseMap<Value, int64_t> scalars;
  int64_t numbers = 0;

  /// The append to a dense cache that `root` is, or null.
  CacheAppendOp getAppend() const { return dyn_cast<CacheAppendOp>(root); }
  /// The slice of an argument that `root` writes in place, or null.
  tensor::InsertSliceOp getSlice() const { return getUpdateOfSlice(root); }
  /// What a kernel of the form map has a thread's elements of: the results, or
  /// the tokens that are written into one.
  SmallVector<Value> getComputed() const {
    if (CacheAppendOp append = getAppend())
      return {append.getTokens()};
    if (tensor::InsertSliceOp slice = getSlice())
      return {slice.getSource()};
    return outputs;
  }
};

/// What a variant of a kernel may rely on.
struct TensorAccess {
  /// Elements of one access; the last dimension of what the kernel iterates
  /// over is a multiple of it, and pointers are multiples of 16 bytes unless it
  /// is 1.
  int64_t vector = 1;
};

/// Rows of tensor ops that a kernel of other ops computes where it reads them.
struct ComputedRows {
  /// With one result, of which a row is the last dimension.
  TensorGroup group;
  TensorAccess access;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_TENSOR_TENSORGROUP_H
