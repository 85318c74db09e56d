//===- ShapeClasses.h - Dimensions that are equal ---------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_TARGET_CPU_DEVICE_SHAPECLASSES_H
#define SPARSEFLOW_LIB_TARGET_CPU_DEVICE_SHAPECLASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::sparseflow::cpu {

/// For each argument, then each result, of a function: the class of each
/// dimension. Dimensions of one class must have one size when the function
/// runs, because an op of its body iterates over both.
struct ShapeClasses {
  llvm::SmallVector<llvm::SmallVector<unsigned, 4>> values;
  /// Size of a class that an intermediate tensor makes static, else
  /// ShapedType::kDynamic.
  llvm::SmallVector<int64_t> sizes;
  /// What slices of the body read lies inside where `constant` and, of each
  /// term, `factor` times the size of a class add up to 0 or less.
  struct Bound {
    int64_t constant = 0;
    llvm::SmallVector<std::pair<int64_t, unsigned>> terms;
    std::string slice; // as an error names it
  };
  llvm::SmallVector<Bound> bounds;

  static ShapeClasses compute(func::FuncOp function);
};

} // namespace mlir::sparseflow::cpu

#endif // SPARSEFLOW_LIB_TARGET_CPU_DEVICE_SHAPECLASSES_H
