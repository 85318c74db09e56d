//===- CacheNumbers.h - Caches of int8 and int4 ----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SFTILE_IR_CACHENUMBERS_H
#define SPARSEFLOW_DIALECT_SFTILE_IR_CACHENUMBERS_H

#include "mlir/IR/Builders.h"

namespace mlir::sftile {

/// A register (i32) of the operand that `sftile.decode_cache` makes of a lane's
/// four words (i32): two numbers of `element`, f16 or bf16. `quarter` is the
/// register's 8 x 8 matrix: features from 8 on in bit 0, tokens in bit 1.
Value emitCacheNumbers(OpBuilder &builder, Location loc, ValueRange words,
                       int64_t bits, int64_t step, int64_t quarter,
                       Type element);

} // namespace mlir::sftile

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_CACHENUMBERS_H
