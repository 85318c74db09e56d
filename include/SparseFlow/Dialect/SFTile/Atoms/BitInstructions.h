//===- BitInstructions.h - prmt and lop3 -----------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions on the bits of registers that ptxas does not find by itself in
// every case. No attribute names them: codecs and lowerings emit them.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SFTILE_ATOMS_BITINSTRUCTIONS_H
#define SPARSEFLOW_DIALECT_SFTILE_ATOMS_BITINSTRUCTIONS_H

#include "mlir/IR/Builders.h"

namespace mlir::sftile {

/// prmt: the bytes of `low` (0 to 3) and `high` (4 to 7) that the nibbles of
/// `selector` name; a nibble's top bit repeats the sign of the byte instead.
/// All are i32.
Value emitPermuteBytes(OpBuilder &builder, Location loc, Value low, Value high,
                       Value selector);

/// lop3: `value` & `mask` | `other`, or ^ `other`, on i32. Only one operand of
/// a lop3 is an immediate, so that ptxas does not always join two operations
/// with constants.
Value emitAndOr(OpBuilder &builder, Location loc, Value value, int32_t mask,
                int32_t other);
Value emitAndXor(OpBuilder &builder, Location loc, Value value, int32_t mask,
                 int32_t other);

/// Four f32, rounded to the nearest integers, half to even, as signed bytes of
/// an i32, the first in the lowest; what is beyond a byte is its nearest one, a
/// NaN 0. ptxas makes an instruction for each two of cvt.rni and cvt.pack.sat.
Value emitRoundBytes(OpBuilder &builder, Location loc, ValueRange numbers);
/// dp4a: `sum` (i32) and the four signed bytes of `bytes` (i32).
Value emitSumBytes(OpBuilder &builder, Location loc, Value bytes, Value sum);

/// cvt.rn.f16x2.e4m3x2: two f16, as an i32, of the two f8E4M3FN in the lower
/// half of `pair` (i32), exactly. From sm_89 on.
Value emitHalvesOfE4M3(OpBuilder &builder, Location loc, Value pair);

} // namespace mlir::sftile

#endif // SPARSEFLOW_DIALECT_SFTILE_ATOMS_BITINSTRUCTIONS_H
