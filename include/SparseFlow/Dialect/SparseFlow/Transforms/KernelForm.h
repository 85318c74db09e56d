//===- KernelForm.h - Which tensor ops are one kernel -----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What sparseflow-form-kernels decides about the tensor ops that are no matmul
// and no attention: each is the root of a kernel, which writes its results, or
// is inlined into the kernels that read it, or only gives a tensor in memory
// another shape.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SPARSEFLOW_TRANSFORMS_KERNELFORM_H
#define SPARSEFLOW_DIALECT_SPARSEFLOW_TRANSFORMS_KERNELFORM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace mlir::sparseflow {

/// On the root of a kernel: its form, a name of KernelForm.
inline constexpr StringLiteral kKernelAttr = "sparseflow.kernel";
/// On an op that kernels compute where they read it.
inline constexpr StringLiteral kInlinedAttr = "sparseflow.inlined";

/// On the root of a kernel of rows that is no reduction: how many of the last
/// dimensions of its result are a row.
inline constexpr StringLiteral kRowDimsAttr = "sparseflow.row_dims";

/// On an elementwise op, or an insertion of a slice, whose result has the
/// memory of an argument: its number.
inline constexpr StringLiteral kInPlaceAttr = "sparseflow.in_place";

/// The insertion of a slice that `op` is, where it writes only the slice, into
/// an argument; else null.
tensor::InsertSliceOp getUpdateOfSlice(Operation *op);

/// The dimensions in which the slice is inside of what it is inserted into,
/// whatever sizes and offsets are.
SmallVector<bool> isInsideAlways(tensor::InsertSliceOp slice);

/// Whether `value`, an integer of the function, depends on elements of tensors,
/// so that only the device knows it.
bool isFromData(Value value);

enum class KernelForm {
  /// A thread for some adjacent elements of the result.
  Map,
  /// Threads share a row: reductions over the last dimensions, and what reads
  /// them.
  Rows,
  /// Threads have a column each: reductions over dimensions in front of others.
  Columns,
  /// Warps multiply tiles of two tensors on tensor cores (Product.h).
  Product,
};

StringRef stringifyKernelForm(KernelForm form);
/// The form of the kernel whose root `op` is.
std::optional<KernelForm> kernelFormOf(Operation *op);
bool isInlined(Operation *op);

/// The value whose elements `tensor` has, in the same order, under reshapes and
/// casts, which move no data.
Value skipReshapes(Value tensor);

/// Whether `op` reads a cache or another argument that an op behind it writes
/// into, so that it may not be computed later.
bool readsWhatGrows(Operation *op);

/// Why `op`, an op on tensors that is no sparseflow op, has no kernel, or an
/// empty string. `value` is the value or operation at fault.
std::string explainNoKernel(Operation *op);

/// How the partial results of a reduction are folded: of every result, the
/// value of the body that is reduced (`element`), and the ops that fold it into
/// the accumulator.
struct ReductionBody {
  SmallVector<Value> elements;
  /// In the order of the body.
  SmallVector<Operation *> folds;
  /// Results are a value and where it was found: among equal ones the first in
  /// the order of the loops counts, so partial results meet in that order.
  std::optional<unsigned> position;
};

/// Nothing where the body folds in another way than by one associative op for
/// each result, or by comparing and selecting.
std::optional<ReductionBody> matchReductionBody(linalg::LinalgOp op);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_DIALECT_SPARSEFLOW_TRANSFORMS_KERNELFORM_H
