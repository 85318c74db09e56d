//===- SupportedOps.h - Which arith and math ops can be lowered -*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_CONVERSION_LOWERMATH_SUPPORTEDOPS_H
#define SPARSEFLOW_LIB_CONVERSION_LOWERMATH_SUPPORTEDOPS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace mlir::sparseflow {

/// f16 or bf16, scalar.
inline bool isHalf(Type type) { return type.isF16() || type.isBF16(); }

/// The op computes in the type of its operands, so that it may compute in f32
/// between an extension and a rounding when that type is f16 or bf16.
bool isWidenable(Operation *op);

/// Fails, after an error that names `op`, unless it is integer arithmetic,
/// one of the supported ops, or of another dialect than arith and math.
LogicalResult verifySupported(Operation *op);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_CONVERSION_LOWERMATH_SUPPORTEDOPS_H
