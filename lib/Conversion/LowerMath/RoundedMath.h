//===- RoundedMath.h - Functions rounded to 16 bits -------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_CONVERSION_LOWERMATH_ROUNDEDMATH_H
#define SPARSEFLOW_LIB_CONVERSION_LOWERMATH_ROUNDEDMATH_H

#include "mlir/IR/Operation.h"

namespace mlir::sparseflow {

/// Gives the flag afn to every f32 function and quotient below `root` whose
/// relative error is kept as it is until a rounding to f16 or bf16, and writes
/// such quotients by exp(..) + 1 with a reciprocal.
void shortenRoundedMath(Operation *root);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_CONVERSION_LOWERMATH_ROUNDEDMATH_H
