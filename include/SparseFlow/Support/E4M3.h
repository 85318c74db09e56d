//===- E4M3.h - Floats of 8 bits in other floats ----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What f8E4M3FN and f32 have to do with one another, as operations of arith:
// the same bits on a GPU and on the CPU. The runtime has it as numbers
// (runtime/src/ternary/cache.h), kernels that multiply pairs of 16 bits as
// their codec (lib/Dialect/SFTile/Codecs/E4M3Cache.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_SUPPORT_E4M3_H
#define SPARSEFLOW_SUPPORT_E4M3_H

#include "mlir/IR/Builders.h"

namespace mlir::sparseflow {

/// The bits of the f8E4M3FN nearest to `number` (f32, at most 448 in
/// magnitude), ties to even, in the lower byte of an i32.
Value emitBitsOfE4M3(OpBuilder &builder, Location loc, Value number);

/// The number (f32) whose bits are the upper byte of `top` (i32); the other
/// bytes are not looked at.
Value emitFloatOfE4M3(OpBuilder &builder, Location loc, Value top);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_SUPPORT_E4M3_H
