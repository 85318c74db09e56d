//===- KernelParameter.h - Pointers and tensor maps of a kernel -*- C++
//-*--===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each component of a kernel says which parameters it takes. The kernel's
// signature, and what the host passes in a launch, both come from that list.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_SUPPORT_KERNELPARAMETER_H
#define SPARSEFLOW_LIB_KERNELS_SUPPORT_KERNELPARAMETER_H

#include "mlir/IR/Builders.h"
#include <optional>

namespace mlir::sparseflow {

/// A tensor whose elements are adjacent, and the box of it that TMA copies.
struct TensorMap {
  Type elementType;
  /// Innermost first; kDynamic, the last one only: as many as tokens.
  SmallVector<int64_t> sizes;
  SmallVector<int64_t> box;
  int64_t swizzle = 128; // bytes; 0: none
};

/// A parameter of a kernel: a pointer into global memory, or the tensor map of
/// what it points to.
struct KernelParameter {
  std::optional<TensorMap> map = {};
};

/// The numbers of those parameters that are tensor maps.
SmallVector<int64_t> tensorMapIndices(ArrayRef<KernelParameter> parameters);

/// The arguments of a launch over `tokens` (i64): `pointers`, and in place of
/// those that the kernel wants described, their tensor maps.
SmallVector<Value> launchArguments(OpBuilder &builder, Location loc,
                                   ArrayRef<KernelParameter> parameters,
                                   ArrayRef<Value> pointers, Value tokens);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_SUPPORT_KERNELPARAMETER_H
